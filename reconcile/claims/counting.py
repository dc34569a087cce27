"""Step 6a: each statement by itself: its arithmetic, and the accounts of its count that its label agrees with."""

import re
from collections.abc import Iterable, Iterator, Sequence

from reconcile.claims.accounts import Account
from reconcile.claims.claim import Verdict
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.claims.labels import Found, Label, ranked, weights
from reconcile.claims.lexicon import concepts_of, neutral, says
from reconcile.claims.models import Model, every_total
from reconcile.evidence.judge import Margins
from reconcile.evidence.judge import Verdict as Shown
from reconcile.evidence.judge import verdict as judge
from reconcile.evidence.lengths import choice, outright
from reconcile.expression.agreement import Pair, pairs
from reconcile.expression.arithmetic import Amount
from reconcile.expression.statements import Equation, Side
from reconcile.quantity import Number, Quantity, distance

PARAMETERS = "params"
_UNJUDGED = frozenset(("items", "time", "rate", "bits"))
LEAST_COUNT = 300
LEAST_PLAIN = 20_000
WHOLE = 10**6
"""Counts from which on one that is exactly a known model's total is no chance."""
LEAST_OWN = 10**5
"""Counts from which on one that is exactly a component's of the text's models is no chance."""
MOST_CLASSES = 12
MOST_ALSO = 4
LEAST_FIGURES = 4


def judged(document: Document) -> Iterator[Judged]:
    """Every statement of a text in order, with the verdict that it has by itself, if any."""
    found = document.statements
    every: list[Equation | Side | Quantity] = [*found.equations, *found.expressions, *found.figures]
    every.sort(key=lambda one: (one.start, -one.end))
    for one in every:
        if isinstance(one, Equation):
            yield from _equation(document, one)
        elif isinstance(one, Side):
            yield from _expression(document, one)
        else:
            yield from _figure(document, one)


def _made(document: Document, of: Equation | Side | Quantity, value: Number, unit: str) -> Judged:
    return Judged(of, value, unit, document.label(of.start, of.end), document.scope(of.start, of.end))


# Equations


def _equation(document: Document, equation: Equation) -> Iterator[Judged]:
    """An equation: wrong where two sides differ; what follows a difference that is not sure is judged by itself."""
    found = pairs(equation, document.symbols)
    wrong = next((place for place, pair in enumerate(found) if pair.agrees is False), None)
    if wrong is not None:
        pair, rest = found[wrong], _rest(equation, wrong + 1)
        sides = equation.sides[: wrong + 2]
        if _accusable(equation, pair, wrong > 0) and not _GOES_ON.match(document.plain.text, pair.right.end):
            one = Equation(sides, equation.relations[: wrong + 1], equation.clean)
            made = _made(document, one, pair.right.amount.value, _unit(one))
            yield made.with_("arithmetic wrong", expected=pair.left.amount.value, why="arithmetic")
            yield from _last(document, equation) if rest else ()
        elif rest is not None:
            yield from _equation(document, rest)
        else:
            yield from _last(document, equation)
        return
    right = equation.sides[-1].amount
    made = _made(document, equation, right.value, _unit(equation))
    if any(pair.agrees is None for pair in found):
        yield from _last(document, equation) if not any(pair.agrees for pair in found) else ()
        if not any(pair.agrees for pair in found):
            return
    verdict: Verdict = "holds as" if right.scaled else "holds"
    if made.unit not in ("", PARAMETERS):
        yield made.with_(verdict, why="arithmetic")
    else:
        yield _counted(document, made, verdict)


_GOES_ON = re.compile(r"[ \u00a0\u2009\u202f]\d{3}(?!\d)")
"""Three digits behind a figure: blanks may group its digits."""


def _rest(equation: Equation, first: int) -> Equation | None:
    sides = equation.sides[first:]
    return Equation(sides, equation.relations[first:], False) if len(sides) > 1 else None


def _last(document: Document, equation: Equation) -> Iterator[Judged]:
    """The last side as a figure by itself, where it is one."""
    amount = equation.sides[-1].amount
    if not amount.operations and len(amount.leaves) == 1:
        yield from _figure(document, amount.leaves[0])


def _unit(equation: Equation) -> str:
    for side in (equation.sides[-1], equation.sides[0]):
        if side.amount.unit and side.amount.unit != "items":
            return side.amount.unit
    return ""


def _accusable(equation: Equation, pair: Pair, later: bool) -> bool:
    """Whether sides that differ are a mistake of the text: both read to their ends, and both of one kind."""
    left, right = pair.left.amount, pair.right.amount
    if not equation.clean or left.symbolic or right.symbolic:
        return False
    if {leaf.unit for leaf in (*left.leaves, *right.leaves)} == {"share"}:
        return False
    exact = left.whole is not None and left.exact
    if exact and not left.operations and not right.operations:
        if later and right.exact and pair.relation == "=":
            return True
        if (left.whole or 0) >= LEAST_PLAIN and right.leaves and _lettered(right) and right.unit in ("", PARAMETERS):
            return left.unit in ("", PARAMETERS)
    if left.operations or right.operations:
        return pair.relation != "→" or _shape(pair.left) or left.operations > 0
    return left.scaled and right.scaled and left.unit == right.unit and _lettered(left) and _lettered(right)


def _shape(side: Side) -> bool:
    return side.node.operation == "product" and not side.amount.scaled


def _lettered(amount: Amount) -> bool:
    return all(leaf.scale for leaf in amount.leaves)


# Expressions without a result


def _expression(document: Document, side: Side) -> Iterator[Judged]:
    """An expression says something only where a component has its count and its label agrees."""
    made = _made(document, side, side.amount.value, side.amount.unit or PARAMETERS)
    if side.amount.unit in ("", PARAMETERS):
        counted = _counted(document, made, "holds")
        if counted.account is not None and counted.label.said:
            yield counted
            return
    yield made


# Counts


def _counted(document: Document, made: Judged, verdict: str) -> Judged:
    """A statement of which the arithmetic holds, with the accounts of its count."""
    exact = made.exact
    found: Sequence[Found] = ()
    if exact is not None and exact > 100:
        found = document.index.of(exact)
    elif exact is None:
        figure = _last_figure(made)
        found = document.index.fits(figure) if figure is not None and figure.scaled else ()
    return accounted(made, found, verdict)


def _last_figure(made: Judged) -> Quantity | None:
    if isinstance(made.of, Equation):
        amount = made.of.sides[-1].amount
        return amount.leaves[0] if len(amount.leaves) == 1 and not amount.operations else None
    return made.figure


def accounted(made: Judged, found: Iterable[Found], verdict: str) -> Judged:
    """A statement with the best of its accounts, and the others that say something else; it holds without any."""
    order = ranked(found, made.label)
    if _is_matrix(made):
        order.sort(key=lambda one: one[0] + _MATRIX * bool(_ONE_MATRIX.search(one[1].path)), reverse=True)
    if not order or (order[0][0] < weights().accepted and made.figure is not None):
        return made.with_(verdict)  # type: ignore[arg-type]
    score, account, model = order[0]
    rivals = {other: points for points, other, _ in reversed(order[1:]) if other.path != account.path}
    earned = outright(account.count) - choice(len(order)) + _BITS * score
    shown = judge(earned, [earned - _BITS * (score - points) for points in rivals.values()], COMPONENT) is Shown.SHOWN
    also = () if shown else tuple(reversed(rivals))[:MOST_ALSO]
    return made.with_(verdict, account=account, model=model, also=also)  # type: ignore[arg-type]


def _is_matrix(made: Judged) -> bool:
    """Whether a statement is worked out as a product of two sizes, which is one matrix."""
    sides = made.of.sides if isinstance(made.of, Equation) else (made.of,)
    return any(
        isinstance(side, Side) and side.node.operation == "product" and len(side.amount.leaves) == _AXES
        for side in sides
    )


_AXES, _MATRIX = 2, 0.5
_ONE_MATRIX = re.compile(r"\.kernel$|^embeddings\.(?:token|position|segment)$")
COMPONENT = Margins(gain=6.0, lead=4.0)
"""For the component that a count is of: its label has to set it apart from others of the same count."""
_BITS = 2.0
"""Bits that a point of agreement between a label and an account is worth."""


# Figures


def _figure(document: Document, figure: Quantity) -> Iterator[Judged]:
    if figure.kind == "version":
        return
    if not figure.unit and not figure.scaled and figure.value < LEAST_COUNT and not _may_count(document, figure):
        return
    made = _made(document, figure, figure.value, figure.unit or PARAMETERS)
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
    if value < LEAST_COUNT and figure.exact and says("plain").search(document.layout.header(figure.start)):
        return (
            document.layout.cell(figure.start)[0] > document.layout.lines[document.layout.line(figure.start)].start + 2
        )
    if value < LEAST_COUNT:
        return figure.exact and bool(label.own & _SMALL) and _ends_its_row(document, figure)
    if figure.unit == PARAMETERS or figure.scaled:
        return True
    written = document.plain.text[figure.start : figure.number_end]
    if value >= LEAST_PLAIN or (value >= 1000 and not written.isdigit()):
        return True
    line = document.layout.lines[document.layout.line(figure.start)]
    before = document.plain.text[max(line.start, figure.start - 40) : figure.start]
    return says("plain").search(before) is not None


_SMALL = frozenset(("bias", "norm", "kernel"))


def _may_count(document: Document, figure: Quantity) -> bool:
    """Whether a small figure stands where counts stand: at the end of a row with a label, or under their header."""
    if document.layout.lines[document.layout.line(figure.start)].end - figure.end > _SHORT:
        return False
    return _ends_its_row(document, figure) or bool(says("plain").search(document.layout.header(figure.start)))


_SHORT = 200


def _ends_its_row(document: Document, figure: Quantity) -> bool:
    """Whether nothing but a sign follows a figure in its line, and a label precedes it."""
    line = document.layout.lines[document.layout.line(figure.start)]
    text = document.plain.text
    return not text[figure.end : line.end].strip(" |*.\x01") and text[line.start : figure.start].rstrip()[-1:] in ":=|"


def _is_size(document: Document, figure: Quantity, label: Label) -> bool:
    """Whether it is the size of a dimension, such as a vocabulary, and no count."""
    if says("plain").search(document.layout.header(figure.start)):
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
    if (whole := _whole(document, made, figure)) is not None:
        return made.with_(verdict, account=whole[0], model=whole[1])  # type: ignore[arg-type]
    if found:
        counted = accounted(made, found, verdict)
        if counted.account is not None and (figure.exact or counted.label.said & concepts_of(counted.account.path)):
            return counted
    if found and figure.exact and made.value >= LEAST_OWN and not components and made.label.said & _SUMS:
        return made.with_(verdict, account=found[0][0], model=found[0][1])  # type: ignore[arg-type]
    if figure.exact and isinstance(made.value, int):
        return _known(document, made, made.value)
    return made


_SUMS = frozenset(("whole", "block", "all"))
"""Concepts that single no component out, and say that a figure is a sum of several."""


def components_said(label: Label) -> frozenset[str]:
    """The concepts said at a figure that single a component out."""
    return label.own - neutral() - _LOOSE


def components_over(label: Label) -> frozenset[str]:
    """The same, where nothing is said at the figure of what is said nearest to it."""
    for _, concepts in ((1.0, label.own), *label.zones):
        if found := concepts - neutral() - _LOOSE:
            return found
    return frozenset()


_LOOSE = frozenset(("bias", "final", "onehead", "foreign"))


def _whole(document: Document, made: Judged, figure: Quantity) -> Found | None:
    """A total of the model that a figure is bound to, of the last one above it, or of the others of the text."""
    scope = made.scope
    groups: list[tuple[tuple[Model, ...], bool]] = []
    if scope.bound is not None:
        groups.append((scope.bound.candidates, True))
    groups += [(mention.candidates, True) for mention in scope.row]
    if scope.above is not None and scope.bound is None:
        groups.append((scope.above.candidates, True))
    groups.append((tuple(one.model for one in document.own), True))
    if scope.bound is None or figure.exact:
        groups.append((document.index.models, False))
    counts_whole = figure.unit == PARAMETERS or figure.exact or scope.bound is not None or "whole" in made.label.said
    if document.given is not None:
        groups.insert(0, ((document.given,), True))
    if document.given is not None:
        groups = groups[:1]
    for models, coarse in groups if counts_whole else ():
        for level in (("exact", "rounded"), ("cut off",), ("coarse",)):
            for model in models:
                if fitting := [one for one in model.totals if figure.fits(one.count, coarse) in level]:
                    return min(fitting, key=lambda one: distance(one.count, figure.value)) if level[0] == "exact" and (
                        not figure.scaled
                    ) else fitting[0], model
    return _variant(made, figure)


def _variant(made: Judged, figure: Quantity) -> Found | None:
    """A total of the model that a figure is bound to with something left out; four figures of it have to be written."""
    if made.scope.bound is None or figure.figures < LEAST_FIGURES:
        return None
    for model in made.scope.bound.models:
        for one in model.variants:
            if figure.fits(one.count) in ("exact", "rounded"):
                return one, model
    return None


def _known(document: Document, made: Judged, value: int) -> Judged:
    """An exact count: a total of any known model, or one of the text's with a classifier on top."""
    if value < WHOLE:
        return made
    if document.given is None and (found := every_total().get(value)):
        model, account = found[0]
        return made.with_("holds", account=account, model=model)
    for model in document.index.models:
        width = model.sizes.get("H")
        for total in model.totals if width else ():
            if (classes := with_classes(value - total.count, width or 0)) is not None:
                return made.with_("holds as", account=None, model=model, why=f"classes:{classes}:{total.path}")
    return made


def with_classes(more: int, width: int) -> int | None:
    """How many classes a dense layer on top has, if that is so much more: n·H + n, or n·H; with a layer before it."""
    if not 0 < more <= (MOST_CLASSES + width) * (width + 1):
        return None
    for extra in (0, width * width + width):
        for each in (width + 1, width):
            classes, rest = divmod(more - extra, each)
            if not rest and 0 < classes <= MOST_CLASSES:
                return classes
    return None


def best_total(model: Model) -> Account | None:
    """The total that is quoted most for a model, its pooler with it."""
    order = {"backbone+pooler": 0, "whole": 1, "backbone": 2}
    return min(model.totals, key=lambda one: order.get(one.path, 9), default=None)
