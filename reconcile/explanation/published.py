"""Figures that were published: who stated one, and what one that does not hold came from."""

from collections.abc import Iterator

from reconcile.evidence import codes
from reconcile.evidence.judge import Item as Paid
from reconcile.explanation.answer import Explanation, Item
from reconcile.formula import Formula
from reconcile.phrases import number
from reconcile.quantity import Quantity
from reconcile.reference import Reference, all_references
from reconcile.selection import value
from reconcile.taxonomy import architecture_names, load_architecture


def stated(figure: Quantity, most: int) -> list[str]:
    """The first references that state the same figure."""
    named = [one for one in all_references().values() if _is_same(one, figure)]
    return [f"stated of {one.subject}: {one.source.get('title', one.id)}" for one in named[:most]]


def withdrawn(figure: Quantity) -> Iterator[Explanation]:
    """The published figures of this value that do not hold, with what was counted, each as one account."""
    for one in all_references().values():
        if not _is_same(one, figure) or one.account is None or one.architecture not in architecture_names():
            continue
        architecture = load_architecture(one.architecture)
        sizes = {name: size for name, size in one.dimensions.items() if isinstance(size, int)}
        components = architecture.active()
        formula = value(one.account.account(components, architecture.totals) or {}) + one.plus
        if (count := formula.value(sizes)) is None:
            continue
        said = f"stated of {one.subject}"
        yield Explanation(
            text=f"{figure.text} is the figure {said}, and counts {number(count)}",
            items=(Item(f"{formula} = {number(count)}: {said}", count, one.id),),
            value=count,
            difference=figure.count - count,
            kind="published",
            model=one.subject,
            dimensions=sizes,
            bits=codes.MISTAKE,
            formula=Formula.of(count),
            counts={one.id: count},
            lines=tuple(_right(one, sizes)),
            paid=(Paid(said, -codes.MISTAKE),),
            named=True,
        )


def _is_same(one: Reference, figure: Quantity) -> bool:
    return one.figure is not None and one.counts_parameters and one.figure.count == figure.count


def _right(one: Reference, sizes: dict[str, int]) -> Iterator[str]:
    """The likeliest total of the model as it is, where the published figure is not it."""
    architecture = load_architecture(one.architecture)
    total = architecture.quoted[0]
    account = architecture.totals[total].account(architecture.active(), architecture.totals)
    count = value(account or {}).value(sizes)
    if one.verdict == "does not hold" and count is not None:
        yield f"that does not hold: `{total}` at these dimensions has {number(count)}"
