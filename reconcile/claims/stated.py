"""Figures that stand by themselves: whether they count parameters, and what of."""

from collections.abc import Iterator

from reconcile.claims.accounting import PARAMETERS, accounted, made_of
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.claims.labels import Label, components_said
from reconcile.claims.lexicon import concepts_of, says
from reconcile.claims.totals import known_total, whole_of
from reconcile.quantity import Quantity

_UNJUDGED = frozenset(("items", "time", "rate", "bits"))
LEAST_COUNT = 300
LEAST_PLAIN = 20_000
LEAST_OWN = 10**5
"""Counts from which on one that is exactly a component's of the text's models is no chance."""
_SMALL = frozenset(("bias", "norm", "kernel"))
_SHORT = 200
_SUMS = frozenset(("whole", "block", "all"))
"""Concepts that single no component out, and say that a figure is a sum of several."""


def of_figure(document: Document, figure: Quantity) -> Iterator[Judged]:
    """The statement that a figure makes, if any: a count with its account, an amount that is still open, a size."""
    if figure.kind == "version":
        return
    if not figure.unit and not figure.scaled and figure.value < LEAST_COUNT and not _may_count(document, figure):
        return
    made = made_of(document, figure, figure.value, figure.unit or PARAMETERS)
    if figure.unit in _UNJUDGED:
        if figure.scaled and figure.value >= 1000:
            yield made.with_("not a model figure")
        return
    if figure.kind == "range" or figure.unit == "operations":
        if figure.unit:
            yield made.with_("cannot say")
        return
    if figure.unit in ("bytes", "share"):
        yield made
        return
    if not _is_count(document, figure, made.label):
        return
    if figure.start in document.stated or _is_size(document, figure, made.label):
        yield made.with_("not a model figure")
        return
    yield _stated(document, made, figure)


def _is_count(document: Document, figure: Quantity, label: Label) -> bool:
    """Whether a figure may count parameters: by its unit, its scale, its separators, its size, or the words at it."""
    value = figure.value
    if not isinstance(value, int) or value < 2:
        return False
    place = document.at(figure)
    if value < LEAST_COUNT and figure.exact and says("plain").search(place.header):
        return place.cell[0] > place.line.start + 2
    if value < LEAST_COUNT:
        return figure.exact and bool(label.own & _SMALL) and _ends_its_row(document, figure)
    if figure.unit == PARAMETERS or figure.scaled:
        return True
    written = document.plain.text[figure.start : figure.number_end]
    if value >= LEAST_PLAIN or (value >= 1000 and not written.isdigit()):
        return True
    return says("plain").search(place.before(40)) is not None


def _may_count(document: Document, figure: Quantity) -> bool:
    """Whether a small figure stands where counts stand: at the end of a row with a label, or under their header."""
    place = document.at(figure)
    if place.line.end - figure.end > _SHORT:
        return False
    return _ends_its_row(document, figure) or bool(says("plain").search(place.header))


def _ends_its_row(document: Document, figure: Quantity) -> bool:
    """Whether nothing but a sign follows a figure in its line, and a label precedes it."""
    place = document.at(figure)
    return not place.behind().strip(" |*.\x01") and place.before().rstrip()[-1:] in ":=|"


def _is_size(document: Document, figure: Quantity, label: Label) -> bool:
    """Whether it is the size of a dimension, such as a vocabulary, and no count."""
    if says("plain").search(document.at(figure).header):
        return False
    for model in document.index.models:
        sizes = model.sizes
        if figure.value in (sizes.get("V"), sizes.get("P"), sizes.get("F"), sizes.get("H")):
            return not any(
                len(label.said & concepts_of(account.path)) > 1 for account, _ in document.index.of(int(figure.value))
            )
    return False


def _stated(document: Document, made: Judged, figure: Quantity) -> Judged:
    """The first of these that fits: a component that is named at it, a total of its model, a component, any total."""
    verdict = "holds" if figure.exact else "holds as"
    components = components_said(made.label)
    found = [one for one in document.index.fits(figure) if not one[0].total]
    if components and found:
        counted = accounted(made, found, verdict)
        if counted.account is not None and concepts_of(counted.account.path) & components:
            return counted
    if (whole := whole_of(document, made, figure)) is not None:
        return made.with_(verdict, account=whole[0], model=whole[1])  # type: ignore[arg-type]
    if found:
        counted = accounted(made, found, verdict)
        if counted.account is not None and (figure.exact or counted.label.said & concepts_of(counted.account.path)):
            return counted
    if found and figure.exact and made.value >= LEAST_OWN and not components and made.label.said & _SUMS:
        return made.with_(verdict, account=found[0][0], model=found[0][1])  # type: ignore[arg-type]
    if figure.exact and isinstance(made.value, int):
        return known_total(document, made, made.value)
    return made
