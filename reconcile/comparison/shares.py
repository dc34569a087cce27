"""A ledger as shares of its total: one for each lowest node that its source tells apart."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from reconcile.formula import Formula
from reconcile.mapping.ledger import Assignment, Ledger

UNMAPPED, RESIDUAL = "unmapped", "residual"
"""Where stands what has no component, and what a stated total has beyond its parts."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one side has at a node. `formula` evaluates to `count` for `sizes`, or is None; `trainable` holds what its
    tensors are, and None for those of which the source does not say."""

    path: str
    count: int
    formula: Formula | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    shape: tuple[int, ...] | None = None
    trainable: frozenset[bool | None] = frozenset({None})
    tied_to: str | None = None
    class_name: str = ""

    @property
    def signature(self) -> tuple[object, ...]:
        """What two equal shares have in common."""
        sizes = tuple(sorted(self.sizes.items())) if self.formula else ()
        return (self.count, self.formula, sizes, self.shape, self.trainable, self.tied_to)


def compared_total(ledger: Ledger) -> int:
    """The total less what is no parameter: what the shares of a ledger add up to."""
    return ledger.total - ledger.apart


def shares(ledger: Ledger) -> dict[str, Share]:
    """Every share by its path, in order; those that are tied count in another's and have `tied_to`."""
    found: dict[str, Share] = {}
    for share in _all(ledger):
        found[share.path] = joined(share.path, (found[share.path], share)) if share.path in found else share
    return found


def joined(path: str, parts: tuple[Share, ...]) -> Share:
    """Several shares as one, with the sum of their formulas where their names stand for the same sizes."""
    if len(parts) == 1:
        return replace(parts[0], path=path)
    stored = [part for part in parts if part.tied_to is None]
    sizes: dict[str, int] = {}
    agreed = all(part.formula is not None for part in stored)
    for part in stored:
        agreed = agreed and all(sizes.get(name, size) == size for name, size in part.sizes.items())
        sizes |= part.sizes
    return Share(
        path,
        sum(part.count for part in stored),
        sum((part.formula for part in stored if part.formula), Formula.of(0)) if agreed else None,
        sizes if agreed else {},
        trainable=frozenset(one for part in stored or parts for one in part.trainable),
    )


def _all(ledger: Ledger) -> Iterator[Share]:
    for part in ledger.assignments:
        yield from _expanded(part, ledger) or (_share(part, ledger),)
    for item in ledger.unmapped:
        yield Share(f"{UNMAPPED}.{item.name}", item.params, class_name=item.class_name)
    if ledger.residual:
        yield Share(RESIDUAL, ledger.residual)


def _share(part: Assignment, ledger: Ledger) -> Share:
    known = part.sizes or ledger.dimensions
    sizes = {name: size for name in part.formula.dimensions if (size := known.get(name)) is not None}
    holds = len(sizes) == len(part.formula.dimensions) and part.formula.evaluate(sizes) == part.actual
    return Share(
        part.path,
        part.actual,
        part.formula if holds else None,
        sizes if holds else {},
        part.shape,
        frozenset({part.trainable}),
        part.tied_to,
        part.class_name,
    )


def _expanded(part: Assignment, ledger: Ledger) -> list[Share]:
    """The components of a row that is a whole model, block by block; nothing for any other."""
    whole = next((whole for whole in ledger.wholes if part.parts and part.items == (whole.row,)), None)
    if whole is None or ledger.architecture is None:
        return []
    formulas = {component.path: component.size for component in ledger.architecture.components}
    blocks = whole.dimensions.get("L") or 1
    found = []
    for path, count in part.parts:
        each = count // blocks if "[*]" in path else count
        base = replace(part, formula=formulas.get(path, Formula.of(each)), actual=each, shape=None)
        base = replace(base, sizes=base.sizes if path in formulas else {}, parts=())
        for number in range(1, blocks + 1) if "[*]" in path else (0,):
            found.append(_share(replace(base, path=path.replace("[*]", f"[{number}]")), ledger))
    return found
