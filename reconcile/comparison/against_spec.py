"""A pasted model against the spec of the one that was meant: sizes, parts, and what each does to the total."""

from collections.abc import Iterator, Mapping
from math import prod
from typing import Protocol

from reconcile.comparison.settings import setting_changes
from reconcile.finding import Finding, Severity, settings
from reconcile.finding.noticed import worded
from reconcile.formula import Formula
from reconcile.mapping.ledger import TASK, Ledger
from reconcile.taxonomy import Architecture, load_architecture


class Meant(Protocol):
    """A model that somebody means: a spec, or a configuration."""

    @property
    def name(self) -> str: ...
    @property
    def architecture(self) -> str: ...
    @property
    def dimensions(self) -> Mapping[str, int | None]: ...
    @property
    def options(self) -> frozenset[str]: ...


def compare_meant(ledger: Ledger, spec: Meant) -> Iterator[Finding]:
    """What differs between a summary and a spec: dimensions, options, task heads, and the two totals."""
    architecture = load_architecture(spec.architecture)
    meant = _total(architecture, spec)
    if ledger.architecture is None:
        total, meant = ledger.total - ledger.apart, meant + _heads(spec)
        # Names that nobody here knows are no fault of a model that has just what is meant.
        yield settings.MeantOther(spec.name, meant, total, severity="note" if total == meant else "error")
        return
    here = {name: size for name, size in ledger.dimensions.items() if size is not None}
    for name, size in spec.dimensions.items():
        got = ledger.dimensions.get(name)
        if size is None or got is None or got == size:
            continue
        changes = _changes(architecture, spec, name, size, got, here)
        severity: Severity = "error" if changes else "note"
        yield settings.MeantDimension(name, spec=spec.name, meant=size, got=got, changes=changes, severity=severity)
    words = {**ledger.architecture.options, **ledger.architecture.further, **architecture.options}
    own = {part.option for part in _adapted(architecture, spec).components if part.tied_to is None}
    for option in sorted((spec.options ^ ledger.options) & (own | ledger.options)):
        what, has = words.get(option, option), option in ledger.options
        yield settings.MeantOption(option, spec=spec.name, here=has, what=what, severity="error")
    heads = [part for part in ledger.stored if part.path.startswith(TASK)]
    beyond, wanted = sum(part.actual for part in heads), _heads(spec)
    if beyond != wanted:
        names = [part.items[0] for part in heads if part.items]
        severity = "error" if wanted else "note"
        yield settings.MeantHeads("task", wanted, beyond, spec=spec.name, names=names, severity=severity)
    # What stands on top of a model of which no head is meant makes it no other.
    total, meant, beyond = ledger.total - ledger.apart, meant + wanted, 0 if wanted else beyond
    if total - beyond == meant:
        yield settings.MeantSame(spec.name, meant, total, heads=beyond)
    else:
        yield worded("meant-total", spec.name, meant, total)


def _heads(spec: Meant) -> int:
    """The parameters of the heads that a configuration names; a spec names none."""
    return sum(prod(shape) for shape, _ in getattr(spec, "heads", {}).values())


def _changes(
    architecture: Architecture, spec: Meant, name: str, size: int, got: int, here: Mapping[str, int]
) -> settings.Changes:
    """What a dimension's other size does to each total that the model has which is meant."""
    every = setting_changes(architecture, name, size, got, {**spec.dimensions, **here, name: got})
    own = architecture.active(spec.options)
    there = {total for total in architecture.quoted if architecture.totals[total].account(own, architecture.totals)}
    return {change: kept for change, totals in every.items() if (kept := tuple(t for t in totals if t in there))}


def _total(architecture: Architecture, spec: Meant) -> int:
    """The parameters of the model that a spec describes, by its formulas."""
    here = _adapted(architecture, spec)
    parts = [part for part in here.active(spec.options) if part.tied_to is None and part.needed(spec.dimensions)]
    return sum((part.size * part.times for part in parts), Formula.of(0)).evaluate(spec.dimensions)


def _adapted(architecture: Architecture, spec: Meant) -> Architecture:
    """The architecture as it is meant: a configuration says what its kind of model does not have, or does not tie."""
    return architecture.adapted(getattr(spec, "absent", ()), getattr(spec, "untied", ()), getattr(spec, "tied", ()))
