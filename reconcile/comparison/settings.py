"""A spec against its builder and against published settings: which differences change a count, and which do not."""

from collections.abc import Iterator, Mapping

from reconcile.dialect import load_dialect
from reconcile.finding import Finding
from reconcile.formula import Formula
from reconcile.reference import Reference
from reconcile.selection import value
from reconcile.spec import Spec
from reconcile.taxonomy import Architecture


def compare_spec(spec: Spec) -> Iterator[Finding]:
    """What the spec itself gives reason to say: what the builder cannot be told, and blocks that are left out."""
    for name, size in load_dialect(spec.builder).constants.items():
        if (claimed := spec.claimed.get(name, size)) != size:
            yield Finding("constant", "note", name, facts={"claimed": claimed, "built": size, "builder": spec.builder})
    if spec.blocks_reached < spec.blocks:
        facts = {"asked": spec.blocks, "reached": spec.blocks_reached, "outputs": spec.arguments["output_layer_num"]}
        yield Finding("extraction", "note", "encoder", facts=facts)


def compare_setting(spec: Spec, reference: Reference, architecture: Architecture) -> Iterator[Finding]:
    """Where a spec differs from a published setting, and what each difference does to every quoted total."""
    own = spec.dimensions
    for name, published in reference.dimensions.items():
        here = own.get(name)
        if here is None or not isinstance(published, int) or here == published:
            continue
        changes = setting_changes(architecture, name, published, here, own)
        facts = {"dimension": name, "here": here, "published": published, "reference": reference, "changes": changes}
        yield Finding("setting-count" if changes else "setting", "note", name, facts=facts)
    for argument, published in reference.settings.items():
        here = spec.arguments.get(argument)
        if here is not None and here != published:
            facts = {"argument": argument, "here": here, "published": published, "reference": reference}
            yield Finding("setting", "note", argument, facts=facts | {"positions": own.get("P")})


def setting_changes(
    architecture: Architecture, name: str, published: int, here: int, dimensions: Mapping[str, int | None]
) -> dict[tuple[Formula, int], tuple[str, ...]]:
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
