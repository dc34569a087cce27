"""One release of keras-bert as a source: a model as that release builds it."""

from collections.abc import Callable

from reconcile.comparison.counts import compare_counts
from reconcile.errors import BuildError, InputError
from reconcile.pipeline.opened import Opened
from reconcile.pipeline.release_results import Running, outcomes_of
from reconcile.releases.lock import load_lock
from reconcile.releases.matrix import MODELS
from reconcile.releases.results import plan
from reconcile.releases.versions import chosen
from reconcile.report.types import Subject
from reconcile.spec import load_spec


def open_release(
    version: str, model: str = "stackexchange-bert-base", announce: Callable[[str], None] = lambda line: None
) -> Opened:
    """One release as a source: the model of a spec as it builds it. Raises ReconcileError when it cannot be built."""
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
