"""Settings of a spec against its builder, and against what is published."""

from collections.abc import Iterator

from reconcile.dialect import load_dialect
from reconcile.finding.settings import Constant, Extraction, Setting
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
    wanted = {name: size for name, size in reference.dimensions.items() if isinstance(size, int)}
    known = {**wanted, **{name: size for name, size in spec.dimensions.items() if size is not None}}
    for name, published in wanted.items():
        here = spec.dimensions.get(name)
        if here is not None and here != published:
            # What it changes: a formula and its value, with the quoted totals that it applies to.
            changes: dict[tuple[Formula, int], tuple[str, ...]] = {}
            for total in architecture.quoted:
                whole = value(architecture.total(total, architecture.bare))
                if change := whole.substitute({name: here}) - whole.substitute({name: published}):
                    at = change, change.evaluate(known)
                    changes[at] = (*changes.get(at, ()), total)
            yield Setting(name, here=here, published=published, reference=reference, changes=changes)
    for argument, stated in reference.settings.items():
        said = spec.arguments.get(argument)
        if said is not None and said != stated:
            positions = spec.dimensions.get("P")
            yield Setting(argument, here=said, published=stated, reference=reference, positions=positions)
