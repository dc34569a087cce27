"""A pasted model against the spec of the one that was meant: sizes, parts, and what each does to the total."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from reconcile.comparison.settings import setting_changes
from reconcile.finding import Finding
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
        yield Finding("meant-other", "error", spec.name, meant, ledger.total)
        return
    same = []
    here = {name: size for name, size in ledger.dimensions.items() if size is not None}
    for name, size in spec.dimensions.items():
        got = ledger.dimensions.get(name)
        if size is None or got is None:
            continue
        if got == size:
            same.append(name)
            continue
        changes = setting_changes(architecture, name, size, got, {**spec.dimensions, **here, name: got})
        severity = "error" if changes else "note"
        facts = {"spec": spec, "meant": size, "got": got, "changes": changes}
        yield Finding("meant-dimension", severity, name, facts=facts)  # type: ignore[arg-type]
    words = {**ledger.architecture.options, **ledger.architecture.further, **architecture.options}
    for option in sorted(spec.options ^ ledger.options):
        facts = {"spec": spec, "here": option in ledger.options, "what": words.get(option, option)}
        yield Finding("meant-option", "error", option, facts=facts)
    heads = [part for part in ledger.stored if part.path.startswith(TASK)]
    if heads:
        facts = {"spec": spec, "names": [part.items[0] for part in heads if part.items]}
        yield Finding("meant-heads", "note", "task", None, sum(part.actual for part in heads), facts)
    facts = {"spec": spec, "same": same, "heads": sum(part.actual for part in heads)}
    total = ledger.total - ledger.apart
    kind = "meant-same" if total - facts["heads"] == meant else "meant-total"  # type: ignore[operator]
    yield Finding(kind, "note", spec.name, meant, total, facts)


def _total(architecture: Architecture, spec: Meant) -> int:
    """The parameters of the model that a spec describes, by its formulas."""
    # A configuration also says what its kind of model does not have, and what it does not tie.
    here = architecture.adapted(getattr(spec, "absent", ()), getattr(spec, "untied", ()))
    parts = [part.size * part.times for part in here.active(spec.options) if part.tied_to is None]
    return sum(parts, Formula.of(0)).evaluate(spec.dimensions)
