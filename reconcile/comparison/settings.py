"""A spec against its builder and against published settings: which differences change a count, and which do not."""

from collections.abc import Iterator, Mapping

from reconcile.dialect import load_dialect
from reconcile.finding.settings import Changes, Constant, Extraction, Setting
from reconcile.formula import Formula
from reconcile.reference import Reference
from reconcile.selection import value
from reconcile.spec import Spec
from reconcile.taxonomy import Architecture


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
    own = spec.dimensions
    for name, published in reference.dimensions.items():
        here = own.get(name)
        if here is None or not isinstance(published, int) or here == published:
            continue
        changes = setting_changes(architecture, name, published, here, own)
        yield Setting(name, here=here, published=published, reference=reference, changes=changes)
    for argument, published in reference.settings.items():
        here = spec.arguments.get(argument)
        if here is not None and here != published:
            positions = own.get("P")
            yield Setting(argument, here=here, published=published, reference=reference, positions=positions)


def setting_changes(
    architecture: Architecture, name: str, published: int, here: int, dimensions: Mapping[str, int | None]
) -> Changes:
    """What one dimension's other size changes: the formula and its value, with the quoted totals that it applies to."""
    components = architecture.active(frozenset(architecture.options) - {"task"})
    changes: dict[tuple[Formula, int], tuple[str, ...]] = {}
    for total in architecture.quoted:
        account = architecture.totals[total].account(components, architecture.totals)
        if account is None:
            continue
        whole = value(account)
        change = whole.substitute({name: here}) - whole.substitute({name: published})
        if change:
            at = (change, change.evaluate(dimensions))
            changes[at] = (*changes.get(at, ()), total)
    return changes
