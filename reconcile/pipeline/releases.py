"""What `reconcile releases` shows: which of them are meant, and what is asked of them."""

from collections.abc import Sequence

from reconcile.pipeline.release_changes import compare_releases
from reconcile.pipeline.release_results import Running
from reconcile.releases.lock import Lock, Release, load_lock
from reconcile.releases.matrix import Matrix
from reconcile.releases.versions import chosen
from reconcile.spec import load_spec


def releases(
    span: str | None = None,
    *,
    model: str | None = None,
    every: bool = False,
    against: str | None = None,
    which: str | None = None,
    env: str | None = None,
    native: str | None = None,
    tensorflow: Sequence[str] = (),
    running: Running | None = None,
) -> Matrix:
    """The releases of a range compared, and what is asked beside.

    `which` is a total or a file with a summary, `env` a requirements file, `native` another Python, `tensorflow` are
    versions or interpreters. Raises ReconcileError for what cannot be read, had or built.
    """
    running = running or Running()
    lock = load_lock()
    if native or tensorflow:
        from reconcile.pipeline.release_witnesses import witnessed

        return witnessed(lock, span, every, load_spec(model or "tiny"), native, tensorflow, running)
    wanted, complete = selected(lock, span, every), every or span is not None
    if which is not None:
        from reconcile.pipeline.release_questions import comes_from

        return comes_from(which, lock, wanted, model, running, complete)
    if env is not None:
        from reconcile.pipeline.release_questions import affected

        return affected(env, lock, wanted, load_spec(model or "tiny"), running, complete)
    return compare_releases(wanted, load_spec(model or "tiny"), running, against, complete)


def selected(lock: Lock, span: str | None, every: bool) -> list[Release]:
    """The releases of a range, all of them, or those at which something changes. Raises InputError for the range."""
    if span is not None:
        return [lock.releases[version] for version in chosen(span, list(lock.releases))]
    if every:
        return list(lock.releases.values())
    from reconcile.datafile import packaged

    return [lock.releases[version] for version in packaged("releases", "points")["releases"]]
