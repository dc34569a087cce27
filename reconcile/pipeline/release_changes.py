"""Releases of keras-bert -> each one built, and what changed from each to the next."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from reconcile.pipeline.release_results import Running, outcomes_of, stack
from reconcile.releases.lock import Release
from reconcile.releases.matrix import Matrix, as_table, from_table
from reconcile.releases.results import load, matrix_key, plan, result_keys, save
from reconcile.spec import Spec

if TYPE_CHECKING:
    from reconcile.releases.changes import Model
    from reconcile.releases.states import Outcome


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
