"""Settings against others: of a spec against its builder and what is published, of a model against the one meant."""

from collections.abc import Iterator, Mapping
from math import prod
from typing import Protocol

from reconcile.dialect import load_dialect
from reconcile.finding import Finding, Severity
from reconcile.finding.noticed import worded
from reconcile.finding.settings import (
    Changes,
    Constant,
    Extraction,
    MeantDimension,
    MeantHeads,
    MeantOption,
    MeantOther,
    MeantSame,
    Setting,
)
from reconcile.formula import Formula
from reconcile.mapping.ledger import TASK, Ledger
from reconcile.reference import Reference
from reconcile.selection import value
from reconcile.spec import Spec
from reconcile.taxonomy import Architecture, load_architecture

Sizes = Mapping[str, int | None]


def compare_spec(spec: Spec) -> Iterator[Constant | Extraction]:
    """What the spec itself gives reason to say: what the builder cannot be told, and blocks that are left out."""
    for name, size in load_dialect(spec.builder).constants.items():
        if (claimed := spec.claimed.get(name, size)) != size:
            yield Constant(name, claimed=claimed, built=size, builder=spec.builder)
    if spec.blocks_reached < spec.blocks:
        outputs = spec.arguments["output_layer_num"]
        yield Extraction("encoder", asked=spec.blocks, reached=spec.blocks_reached, outputs=outputs)


def compare_setting(spec: Spec, reference: Reference, architecture: Architecture) -> Iterator[Setting]:
    """Where a spec differs from a published setting, and what each difference does to every quoted total."""
    options = frozenset(architecture.options) - {"task"}
    wanted = {name: size for name, size in reference.dimensions.items() if isinstance(size, int)}
    for name, here, published, changes in _sizes(architecture, options, spec.dimensions, wanted):
        yield Setting(name, here=here, published=published, reference=reference, changes=changes)
    for argument, stated in reference.settings.items():
        said = spec.arguments.get(argument)
        if said is not None and said != stated:
            positions = spec.dimensions.get("P")
            yield Setting(argument, here=said, published=stated, reference=reference, positions=positions)


def _sizes(
    architecture: Architecture, options: frozenset[str], here: Sizes, wanted: Sizes
) -> Iterator[tuple[str, int, int, Changes]]:
    """Each dimension with another size than is wanted, that size, and what it changes in the model of these options.

    That is a formula and its value, with the quoted totals that it applies to.
    """
    components = architecture.active(options)
    accounts = {
        total: architecture.totals[total].account(components, architecture.totals) for total in architecture.quoted
    }
    for name, size in wanted.items():
        got = here.get(name)
        if size is None or got is None or got == size:
            continue
        known = {**wanted, **{other: one for other, one in here.items() if one is not None}}
        changes: dict[tuple[Formula, int], tuple[str, ...]] = {}
        for total, account in accounts.items():
            whole = value(account) if account is not None else Formula.of(0)
            if change := whole.substitute({name: got}) - whole.substitute({name: size}):
                at = change, change.evaluate(known)
                changes[at] = (*changes.get(at, ()), total)
        yield name, got, size, changes


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
        yield MeantOther(spec.name, meant, total, severity="note" if total == meant else "error")
        return
    for name, got, size, changes in _sizes(architecture, spec.options, ledger.dimensions, spec.dimensions):
        severity: Severity = "error" if changes else "note"
        yield MeantDimension(name, spec=spec.name, meant=size, got=got, changes=changes, severity=severity)
    words = {**ledger.architecture.options, **ledger.architecture.further, **architecture.options}
    own = {part.option for part in _adapted(architecture, spec).components if part.tied_to is None}
    for option in sorted((spec.options ^ ledger.options) & (own | ledger.options)):
        what, has = words.get(option, option), option in ledger.options
        yield MeantOption(option, spec=spec.name, here=has, what=what, severity="error")
    heads = [part for part in ledger.stored if part.path.startswith(TASK)]
    beyond, wanted = sum(part.actual for part in heads), _heads(spec)
    if beyond != wanted:
        names = [part.items[0] for part in heads if part.items]
        severity = "error" if wanted else "note"
        yield MeantHeads("task", wanted, beyond, spec=spec.name, names=names, severity=severity)
    # What stands on top of a model of which no head is meant makes it no other.
    total, meant, beyond = ledger.total - ledger.apart, meant + wanted, 0 if wanted else beyond
    if total - beyond == meant:
        yield MeantSame(spec.name, meant, total, heads=beyond)
    else:
        yield worded("meant-total", spec.name, meant, total)


def _heads(spec: Meant) -> int:
    """The parameters of the heads that a configuration names; a spec names none."""
    return sum(prod(shape) for shape, _ in getattr(spec, "heads", {}).values())


def _total(architecture: Architecture, spec: Meant) -> int:
    """The parameters of the model that a spec describes, by its formulas."""
    here = _adapted(architecture, spec)
    parts = [part for part in here.active(spec.options) if part.tied_to is None and part.needed(spec.dimensions)]
    return sum((part.size * part.times for part in parts), Formula.of(0)).evaluate(spec.dimensions)


def _adapted(architecture: Architecture, spec: Meant) -> Architecture:
    """The architecture as it is meant: a configuration says what its kind of model does not have, or does not tie."""
    return architecture.adapted(getattr(spec, "absent", ()), getattr(spec, "untied", ()), getattr(spec, "tied", ()))
