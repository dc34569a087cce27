"""A range of keras-bert releases -> every one built, and what changed from each to the next."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from reconcile.pipeline.release_results import TIMEOUT, Running, outcomes_of, stack
from reconcile.releases.lock import Lock, Release, load_lock
from reconcile.releases.matrix import MODELS, Matrix, as_table, from_table
from reconcile.releases.results import load, matrix_key, plan, result_keys, save
from reconcile.releases.versions import chosen
from reconcile.spec import Spec, load_spec

if TYPE_CHECKING:
    from reconcile.pipeline.opened import Opened
    from reconcile.releases.changes import Model
    from reconcile.releases.states import Outcome

__all__ = ["TIMEOUT", "Running", "compare_releases", "open_release", "releases"]


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
    """What `reconcile releases` shows: the releases of a range compared, and what is asked beside.

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


def compare_releases(
    wanted: Sequence[Release],
    spec: Spec,
    running: Running | None = None,
    against: str | None = None,
    complete: bool = False,
) -> Matrix:
    """Build the model of a spec with each release and compare each with the one before, or with what `against` names.

    A release that cannot be built is a row of the result. Raises ReconcileError for an archive that cannot be had.
    """
    running = running or Running()
    able = [release for release in wanted if release.importable]
    models = plan(spec)
    keys = result_keys(models, able, stack())
    asked = [release.version for release in wanted], spec.name, spec.title, complete
    whole = matrix_key(keys, *asked)
    if running.use_cache and not against and (kept := load(whole)) is not None:
        with suppress(AttributeError, IndexError, KeyError, TypeError, ValueError):  # what is none is made anew
            return from_table(kept)
    outcomes = outcomes_of(able, models, running)
    reference = _reference(against, outcomes) if against else None
    matrix = replace(_matrix(spec, wanted, outcomes, reference), every=complete, against=against or "")
    if running.use_cache and not against and not matrix.failed:
        save(whole, as_table(matrix))
    return matrix


def _matrix(spec: Spec, wanted: Sequence[Release], outcomes: "Sequence[Outcome]", reference: "Model | None") -> Matrix:
    from reconcile.releases.states import interface, since, states, supplied

    found = states(outcomes, reference)
    return Matrix(
        model=spec.name,
        title=spec.title,
        states=found,
        interface=tuple(interface(outcomes)),
        since=since(found) if reference is None else {},
        supplied=supplied(outcomes),
        failed=tuple((outcome.release, outcome.failed) for outcome in outcomes if outcome.failed),
        not_importable=tuple((release.version, release.reason) for release in wanted if not release.importable),
        repairs=tuple((release.version, text) for release in wanted for text in release.repairs),
        versions=stack(),
    )


def _reference(name: str, outcomes: "Sequence[Outcome]") -> "Model":
    """What `against` names: a release of the range, or any source that can be opened."""
    from reconcile.pipeline.source import open_source
    from reconcile.releases.changes import Model
    from reconcile.releases.versions import key

    if name.replace(".", "").isdecimal():
        for outcome in outcomes:
            if key(outcome.release) == key(name) and outcome.models:
                return next(iter(outcome.models.values()))
        name = f"keras-bert=={name}"
    return Model(name, open_source(name)[0].ledger)


def open_release(
    version: str, model: str = "stackexchange-bert-base", announce: Callable[[str], None] = lambda line: None
) -> "Opened":
    """One release as a source: the model of a spec as it builds it. Raises ReconcileError when it cannot be built."""
    from reconcile.comparison.counts import compare_counts
    from reconcile.errors import BuildError, InputError
    from reconcile.pipeline.opened import Opened
    from reconcile.report.types import Subject

    lock = load_lock()
    release = lock.releases[chosen(version, list(lock.releases))[-1]]
    name = f"keras-bert=={release.version}"
    if not release.importable:
        raise InputError(name, got=release.reason, takes="a release that can be imported")
    spec = load_spec(model)
    (outcome,) = outcomes_of([release], plan(spec), Running(parallel=1, announce=announce))
    kind = MODELS[0] if spec.arguments["training"] else MODELS[1]
    if kind not in outcome.models:
        raise BuildError(f"{name}: {outcome.failed or f'has no {kind} model'}")
    ledger = outcome.models[kind].ledger
    dialect = ledger.dialect.name if ledger.dialect else None
    title = f"{spec.title}, as keras-bert {release.version} builds it"
    subject = Subject(name, title, spec.source, dialect, spec.architecture)
    return Opened(subject, ledger, tuple(compare_counts(ledger)))
