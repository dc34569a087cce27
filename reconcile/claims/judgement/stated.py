"""Figures that stand by themselves: whether they count parameters, and what of."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from reconcile.claims.claim import Verdict
from reconcile.claims.judgement.accounting import MOST_ALSO, PARAMETERS, accounted, made_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.totals import is_in_name, known_total, whole_of
from reconcile.claims.structure.accounts import ALL
from reconcile.claims.structure.dimensions import called, reach
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.labels import components_near, components_said, ranked
from reconcile.claims.structure.layout import Place
from reconcile.claims.structure.lexicon import concepts_in, concepts_of, cue
from reconcile.quantity import Quantity, distance

ROW = "a row of its list"
"""Why a figure that is no count by itself is one of those that a total adds up."""
WIDTH = "the size of a dimension"
"""Why a figure of a list is no count, though its row may take it for one."""
_UNJUDGED = frozenset(("items", "time", "rate", "bits"))
_DEVICE = 24
"""Letters beside a figure in which a device is named."""
_DIGITS = 2
"""Digits of a number whose sign of shares stands over its column, and that can be of anything else."""
LEAST_COUNT = 300
LEAST_PLAIN = 20_000
LEAST_OWN = 10**5
"""Counts from which on one that is exactly a component's of the text's models is no chance."""
_COARSE = 6
"""The part of a component by which a figure of one digit may differ: 1M is no 786,432."""
_SMALL = frozenset(("bias", "norm", "kernel"))
_TEN = re.compile(r"1(?:\.0*)?e\+?\d{1,2}", re.I)
"""A power of ten in code, which says of no count how large it is: `n / 1e9`."""
_CODE = re.compile(r"\)[\s\x01]*(?:#|//)[\s\x01]*$")
"""Code in front of a comment."""
_OPERAND = re.compile(r"\w [-+*/] $")
"""What makes a figure of code, with underscores, an operand of what is worked out when it runs."""
_WORD = re.compile(r"\w")
_MOST_CELLS = 16
"""Cells behind a figure that are looked at."""
_TENSOR = re.compile(r"[\s\x01|*-]*[A-Za-z_]\w*(?:[/.]\w+)+:?[\s\x01]+")
"""A row that is the name of a tensor and its count."""
_GIVEN = re.compile(r"\w=$")
"""What gives a name its value: `intermediate=3072`."""
_NUMBER = re.compile(r"\d[\d,.]*")
_AROUND, _COUNTERS = " |*.\x01", "개個个"
"""Signs around a figure that stands alone, and those that count what stands before them."""
_REMARK, _LONGEST = re.compile(r"\([^)]*\)"), 20
"""A remark in a cell, and digits of its count."""
_OVER: Mapping[str, tuple[str, int, int, str]] = {
    "millions": ("M", 10**6, 10**6, ""),
    "billions": ("B", 10**9, 10**9, ""),
    "ten_thousands": ("万", 10**4, 10**4, ""),
    "hundred_millions": ("亿", 10**8, 10**8, ""),
    "kilobytes": ("K", 10**3, 2**10, "bytes"),
    "megabytes": ("M", 10**6, 2**20, "bytes"),
    "gigabytes": ("G", 10**9, 2**30, "bytes"),
}
"""Scales over columns, each with its letter, what it stands for, what it may stand for besides, and its unit."""
_UNSAID = frozenset(("token", "whole", "size", "all"))
"""Concepts of headers that do not say that a column counts parameters."""


def of_figure(document: Document, figure: Quantity) -> Iterator[Judged]:
    """The statement that a figure makes, if any: a count with its account, an amount that is still open, a size."""
    place = document.at(figure)
    precise = not figure.unit and figure.power < 0 and figure.figures > _DIGITS
    if precise and cue("percent").search(place.header):
        figure = replace(figure, unit="share")
    figure = _with_scale(place, figure)
    large = figure.scaled or figure.value >= LEAST_PLAIN
    if not figure.unit and large and cue("operations").search(place.header) and not cue("plain").search(place.header):
        figure = replace(figure, unit="operations")  # `Mult-Adds` over its column
    plain = not figure.unit and not figure.scaled and 0 < figure.value < LEAST_PLAIN
    listed = plain and _is_alone(place)
    if _TEN.fullmatch(document.plain.text, figure.start, figure.number_end):
        return
    if figure.kind == "version" or (figure.value < LEAST_COUNT and plain and not listed):
        return
    made = made_of(document, figure, figure.value, figure.unit or PARAMETERS)
    header = place.header
    if not figure.unit and cue("other_columns").search(header) and not (concepts_in(header) - _UNSAID):
        yield made.with_("not a model figure")
    elif figure.unit in _UNJUDGED:
        if figure.scaled and figure.value >= 1000:
            yield made.with_("not a model figure")
    elif figure.kind == "range" or figure.unit == "operations":
        if figure.unit:
            yield made.with_("cannot say")
    elif figure.unit == "bytes" and _is_of_a_device(place):
        yield made.with_("not a model figure")
    elif figure.unit in ("bytes", "share"):
        yield made
    elif _is_count(document, made, figure):
        size = not _is_tensor(place) and _is_sized(document, made)
        yield made.with_("not a model figure") if size else _stated(document, made, figure)
    elif listed:
        sized = _is_sized(document, made)
        yield made.with_("not a model figure", why=WIDTH) if sized else _in_list(document, made, figure)


def _is_of_a_device(place: Place) -> bool:
    """Whether bytes are the memory of a card, and no model's: `a 24 GB card`, `80GB A100`."""
    return bool(cue("device_behind").match(place.behind(_DEVICE)) or cue("device_before").search(place.before(_DEVICE)))


def _in_list(document: Document, made: Judged, figure: Quantity) -> Judged:
    """A small figure of a list: a component that its words name, a total, or no more than a row that a total counts."""
    stated = _stated(document, made, figure)
    if stated.account is not None and concepts_of(stated.account.path) & components_said(made.label):
        return stated
    total = "whole" in made.label.own or cue("plain").search(document.at(made).before(40))
    return made if total else made.with_("not a model figure", why=ROW)


def _is_sized(document: Document, made: Judged) -> bool:
    """Whether a figure is the size of a dimension: stated as one, a vocabulary, or a width that is not among counts."""
    place, small = document.at(made), made.value < LEAST_PLAIN
    letter = (
        called(place.said(place.line.cells[0]).strip(_AROUND)) if small and place.column and "|" in place.row else ""
    )
    if made.start in document.stated or (letter and made.value in reach(letter)):
        return True  # or in a row that is called by the name of one
    return not (small and _is_below_counts(place)) and _is_size(document, made)


def _with_scale(place: Place, figure: Quantity) -> Quantity:
    """A figure with the scale that stands over its column: `Params (M) | 109.5`."""
    header = place.header
    if not header or figure.unit or figure.scale or figure.kind != "figure":
        return figure
    for name, (scale, multiplier, other, unit) in _OVER.items():
        if figure.value * multiplier >= LEAST_PLAIN * max(multiplier, 10**6):
            continue
        if cue(name).search(header) and (unit or cue("over_counts").search(header) or concepts_in(header) - _UNSAID):
            return replace(figure, multiplier=multiplier, other_multiplier=other, scale=scale, unit=unit or PARAMETERS)
    return figure


def _is_count(document: Document, made: Judged, figure: Quantity) -> bool:
    """Whether a figure may count parameters: by its unit, its scale, its separators, its size, or the words at it."""
    value, place = figure.value, document.at(figure)
    if "_" in document.shown(figure.start, figure.end) and _OPERAND.search(place.before(8)):
        return False
    if not isinstance(value, int) or value < 2:
        return False
    if figure.exact and value < LEAST_PLAIN and made.label.own & _SMALL and _is_alone(place):
        return True
    if value < LEAST_COUNT:
        return False
    if figure.unit == PARAMETERS or figure.scaled or value >= LEAST_PLAIN:
        return True
    grouped = value >= 1000 and not document.plain.text[figure.start : figure.number_end].isdigit()
    named = cue("plain").search(before := place.before(40)) or cue("plain").search(place.header)
    return grouped or (named or _CODE.search(before)) is not None or _is_below_counts(place)


def _is_below_counts(place: Place) -> bool:
    """Whether the cell over a figure, or that below it, has a large count, and all have nothing else but remarks."""
    if not place.tabled or not place.column or _alone(place.said(place.cell)) != place.said((place.start, place.end)):
        return False
    lines = place.layout.lines[max(0, place.number - 1) : place.number + 2]
    cells = (place.said(line.cells[place.column]) for line in lines if len(line.cells) == len(place.line.cells))
    counts = (_alone(cell).replace(",", "") for cell in cells)
    return any(count.isascii() and count.isdigit() and int(count[:_LONGEST]) >= LEAST_PLAIN for count in counts)


def _alone(cell: str) -> str:
    """A cell without its markup and remarks in brackets."""
    return _REMARK.sub("", cell).strip(_AROUND)


def _is_alone(place: Place) -> bool:
    """Whether a figure is all that its cell has and the last of its row, or ends its line behind a colon or a gap."""
    if place.tabled and place.column:
        if place.said(place.cell).strip(_AROUND) != place.said((place.start, place.end)):
            return False
        cells = place.line.cells[place.column + 1 : place.column + _MOST_CELLS]
        behind = (place.said(cell).strip(_AROUND) for cell in cells)
        return not any(_NUMBER.fullmatch(cell) and cell != "0" for cell in behind)
    before = place.before()
    sign = before.rstrip(_AROUND)[-1:]
    led = sign == ":" or (sign == "=" and not _GIVEN.search(before)) or (before.endswith("  ") and not before.isspace())
    return (led or _is_tensor(place)) and not place.behind().lstrip(_COUNTERS).strip(_AROUND)


def _is_tensor(place: Place) -> bool:
    """Whether nothing but the name of a tensor stands before a figure."""
    return _TENSOR.fullmatch(place.before()) is not None


def _is_size(document: Document, made: Judged) -> bool:
    """Whether it is the size of a dimension, such as a vocabulary, and no count."""
    if made.value not in document.index.sizes or cue("plain").search(document.at(made).header):
        return False
    accounts = (account for account, _ in document.index.of(int(made.value)))
    concepts = [concepts_of(account.path) for account in accounts]
    if "bias" not in made.label.said:  # `intermediate 4096` is a width
        concepts = [own for own in concepts if "bias" not in own]
    return not any(len(made.label.said & own) > 1 or made.label.own & own & _SMALL for own in concepts)


def _stated(document: Document, made: Judged, figure: Quantity) -> Judged:
    """The first of these that fits: a component that is named at it, a total of its model, a component, any total."""
    verdict: Verdict = "holds" if figure.exact else "holds as"
    place, found = document.at(figure), [one for one in document.index.fits(figure) if not one[0].total]
    if cue("trained_count").search(place.before(40)) or is_in_name(place):
        found = []  # of what is beside the model, or of all of it
    if not figure.exact and figure.figures - figure.zeros < _DIGITS:
        found = [one for one in found if _COARSE * distance(figure.value, one[0].count) <= one[0].count]
    if not figure.exact and not cue("without").search(place.near()):
        found = [one for one in found if not one[0].rest]  # `Llama 3 8B` is no rounding of what is left of it
    if not figure.exact and made.label.own == {"whole"}:
        found = []  # a rounded total is of no component by chance
    counted = accounted(made, found, verdict) if found else made
    said = concepts_of(counted.account.path) if counted.account is not None else frozenset()
    if said & components_said(made.label):
        return counted
    if (whole := whole_of(document, made, figure)) is not None:
        return made.with_(verdict, account=whole[0], model=whole[1])
    if counted.account is not None and (figure.exact or said & made.label.said):
        return counted
    if figure.exact and made.value >= LEAST_OWN and not components_near(made.label):
        sums = made.label.said & {"whole", "block", "all"}
        read = made.label.near if made.label.apart else made.label.own  # words that are not read say nothing
        bound = made.scope.bound  # a figure right behind a model's name is the whole model's
        named = bound is not None and not _WORD.search(document.plain.text, bound.end, max(bound.end, figure.start))
        free = not (read or named or document.assumed)
        if alone := [one for one in found if sums or (free and ALL not in one[0].path)]:
            (_, account, model), *others = ranked(alone, made.label)
            also = tuple({other.path: other for _, other, _ in others if other.path != account.path}.values())
            return made.with_(verdict, account=account, model=model, also=also[:MOST_ALSO])
    return known_total(document, made, made.exact) if made.exact is not None else made
