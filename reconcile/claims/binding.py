"""Step 6f: counts that a label binds to something with another count: usual miscounts, and totals of a named model."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from reconcile.claims.accounts import Account
from reconcile.claims.counting import accounted, best_total, components_over, components_said
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.claims.labels import agreement, weights
from reconcile.claims.lexicon import concepts_of, hits, neutral, says
from reconcile.claims.models import Mention, Model, every_total
from reconcile.errors import FormulaError
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.arithmetic import figures as leaves
from reconcile.expression.statements import Equation, Side
from reconcile.expression.syntax import Node
from reconcile.mistake import Mistake, load_mistakes
from reconcile.quantity import Number, Quantity, distance
from reconcile.taxonomy import load_architecture

LEAST = 1000
_SMALL = 4
_MOST_WRONG = 60
_CARRYING = frozenset(("", "params", "bytes", "share"))
_LONGEST = 12
_UNALIKE = Fraction(6, 100)
"""How far a total of a model is from a figure at least, that it is no rounding of it."""
_COLUMN = 3
_CUE, _CLOSE = 160, 30


@dataclass(frozen=True, slots=True)
class Miscount:
    """What a usual mistake makes of a component, and what is right."""

    mistake: Mistake
    account: Account


@lru_cache(maxsize=64)
def miscounts(architecture: str, dimensions: frozenset[tuple[str, int]]) -> Mapping[int, Miscount]:
    """The usual mistakes by their counts, of a model of these dimensions; those of BERT's blocks are any block's."""
    sizes = dict(dimensions)
    tree = load_architecture("bert")
    parts = tree.active(frozenset(tree.options) - {"task"})
    found: dict[int, Miscount] = {}
    for mistake in load_mistakes():
        if mistake.architecture != "bert" or mistake.count is None or mistake.unit != "params":
            continue
        if "block" not in mistake.about:  # what is left out of a total is how it was counted
            continue
        counted, right = (one.account(parts, tree.totals) for one in (mistake.count, mistake.right))
        if counted is None or right is None:
            continue
        try:
            count, wanted = (sum(part.evaluate(sizes) for part in one.values()) for one in (counted, right))
        except FormulaError:
            continue
        path = mistake.about.replace("[1]", "[*]")
        path = path.replace("encoder", "decoder") if architecture == "gpt2" else path
        if count != wanted and count > LEAST:
            found.setdefault(count, Miscount(mistake, Account(path, wanted)))
    return found


def bound(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: those that are a usual miscount of what their label says are accused; doubtful ones are open."""
    return tuple(_miscounted(document, one) if _may_be(one) else one for one in every)


def _may_be(one: Judged) -> bool:
    said = one.label.said - neutral()
    if one.verdict is not None and isinstance(one.of, Equation) and one.account is not None and "L" in one.account.path:
        return (one.exact or 0) > LEAST  # twelve heads are as many as twelve blocks
    agreed = one.account is not None and (bool(said & concepts_of(one.account.path)) or not said)
    return not agreed and not one.accused and one.unit in ("", "params") and (one.exact or 0) > LEAST


def uneven(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: of a row of a table, what leaves something out that the same row has in another column."""
    whole: dict[tuple[int, str], Judged] = {}
    for one in every:
        if one.holds and one.figure is not None and one.exact is not None and one.account is not None:
            line = document.layout.line(one.start)
            if document.layout.lines[line].kind == "table" and " without" not in one.account.path:
                whole.setdefault((line, one.account.path), one)
    found = []
    for one in every:
        if one.verdict is None and one.figure is not None and one.exact is not None and one.scope.how == "column":
            one = _unlike_its_row(document, one, whole)
        account, model = one.account, one.model
        if one.holds and one.exact is not None and account is not None and model is not None and one.figure is not None:
            path = account.path.partition(" without ")[0]
            other = whole.get((document.layout.line(one.start), path))
            right = next((each for each in model.accounts if each.path == path), None)
            if path != account.path and other is not None and other.model != model and right is not None:
                one = one.with_("mismatch", account=right, expected=right.count, also=(), why="row's other column")
        found.append(one)
    return tuple(found)


def _unlike_its_row(document: Document, one: Judged, whole: Mapping[tuple[int, str], Judged]) -> Judged:
    """A figure that is near what the component of its row has in the model over its column, and is not that."""
    line = document.layout.line(one.start)
    paths = [path for number, path in whole if number == line]
    mention = one.scope.bound
    for model in mention.models[:1] if mention is not None and len(paths) == 1 else ():
        right = next((each for each in model.accounts if each.path == paths[0]), None)
        near = right is not None and distance(right.count, one.exact or 0) <= _NEARLY * right.count
        if right is not None and near and right.count != one.exact:
            return one.with_("mismatch", account=right, model=model, expected=right.count, why="row's other column")
    return one


_NEARLY = Fraction(1, 20)


def _miscounted(document: Document, one: Judged) -> Judged:
    count = one.exact
    assert count is not None
    if (made := _of_heads(document, one, count)) is not None:
        return made
    if one.holds and not isinstance(one.of, Quantity) and _by_heads(document, one):
        return replace(one, verdict=None, account=None, why="doubtful")
    if "foreign" in one.label.said or document.index.of(count):
        return one
    components = components_over(one.label)
    for model in document.index.models[:6]:
        if model.architecture not in ("bert", "gpt2"):
            continue
        found = miscounts(model.architecture, model.dimensions).get(count)
        if found is not None and _meant(one, found.account, components):
            return one.with_("mismatch", account=found.account, model=model,
                             expected=found.account.count, why=f"mistake:{found.mistake.id}")  # fmt: skip
    if (head := _one_head(document, one, count)) is not None:
        return one.with_("mismatch", expected=head[0], model=head[1], why="one head")
    if (multiple := _multiple(document, one, count, components)) is not None:
        account, model = multiple
        return one.with_("mismatch", account=account, model=model, expected=account.count, why="times")
    if (other := _other_leaf(document, one, components)) is not None:
        account, model = other
        return one.with_("mismatch", account=account, model=model, expected=account.count, why="dimension")
    if (
        one.holds
        and not isinstance(one.of, Quantity)
        and (_doubtful(document, one, components) or _partial(document, one))
    ):
        left_out = _left_out(document, one, count) if _partial(document, one) else None
        if left_out is not None:
            return one.with_("mismatch", account=left_out[0], model=left_out[1],
                             expected=left_out[0].count, why=f"left out:{left_out[2]}")  # fmt: skip
        return replace(one, verdict=None, why="doubtful")
    return one


def _left_out(document: Document, one: Judged, count: int) -> tuple[Account, Model, str] | None:
    """The total that a sum is short of by the norms or biases of one component."""
    for model in document.index.models[:4]:
        small = {account.count: account.path for account in model.accounts if _NORMS_OR_BIASES.search(account.path)}
        for total in model.totals:
            if total.count - count in small:
                return total, model, small[total.count - count]
    return None


_NORMS_OR_BIASES = re.compile(r"(?:norm|\.bias)(?: × L)?$")


def _of_heads(document: Document, one: Judged, count: int) -> Judged | None:
    """What is said of heads and is each head's projections at full width; as many blocks may have the same count."""
    line = document.layout.text(document.layout.line(one.start))
    if isinstance(one.of, Quantity) or not _SAYS_HEADS.search(line) or "all" in one.label.said:
        return None
    for model in document.index.models[:6]:
        found = miscounts(model.architecture, model.dimensions).get(count) if model.architecture in _STACKS else None
        if found is not None and "head" in found.mistake.id:
            return one.with_("mismatch", account=found.account, model=model, also=(),
                             expected=found.account.count, why=f"mistake:{found.mistake.id}")  # fmt: skip
    return None


_STACKS = frozenset(("bert", "gpt2"))
_SAYS_HEADS = re.compile(r"\bheads?\b|head数|注意力头|多头|[个個]头|헤드|ヘッド|Köpfe|têtes|cabezas", re.I)


def _partial(document: Document, one: Judged) -> bool:
    """Whether a sum of a known model's parts is called a total though it is none of its totals."""
    if not isinstance(one.of, Equation) or not one.label.own & {"whole", "block"} or "foreign" in one.label.said:
        return False
    side = one.of.sides[0]
    if side.node.operation != "sum" or side.amount.scaled:
        return False
    numbers = [leaf.quantity.value for leaf in leaves(side.node) if leaf.quantity is not None]
    large = [number for number in numbers if isinstance(number, int) and number >= LEAST]
    known = any("V" in model.sizes and "L" in model.sizes for model in document.index.models)
    return known and len(large) > 1 and all(document.index.of(number) for number in large)


def _meant(one: Judged, account: Account, components: frozenset[str]) -> bool:
    return bool(components & concepts_of(account.path)) and not isinstance(one.of, Quantity)


def _one_head(document: Document, one: Judged, count: int) -> tuple[int, Model] | None:
    """What one head has, where it is given the whole of a projection."""
    if "onehead" not in one.label.own or isinstance(one.of, Quantity):
        return None
    for model in document.index.models[:4]:
        width, heads = model.sizes.get("H", 0), model.sizes.get("A", 0)
        if heads and width % heads == 0 and count >= width * width and _uses_only(one, _sizes_of(model)):
            return 4 * width * (width // heads), model
    return None


def _multiple(document: Document, one: Judged, count: int, components: frozenset[str]) -> tuple[Account, Model] | None:
    """A labelled component taken twice, once for each head, or for each block where only one is spoken of."""
    if len(components) != 1 or "bias" in one.label.own or isinstance(one.of, Quantity):
        return None
    for model in document.index.models[:4]:
        sizes = model.sizes
        factors = {2, sizes.get("A", 2)} if "all" not in one.label.said else {2}
        for account in model.accounts:
            if account.total or not account.count or count % account.count or count // account.count not in factors:
                continue
            agrees = concepts_of(account.path) >= components and agreement(account, one.label) >= weights().strong
            if agrees and _uses_only(one, _sizes_of(model)):
                return account, model
    return None


def _other_leaf(document: Document, one: Judged, components: frozenset[str]) -> tuple[Account, Model] | None:
    """A labelled component that an expression comes to with one of its dimensions for another one."""
    side = one.of.sides[0] if isinstance(one.of, Equation) else one.of
    if not isinstance(side, Side) or not components or "onehead" in one.label.said or not _adds(side.node):
        return None
    numbers = [(leaf.start, leaf.quantity.value) for leaf in leaves(side.node) if leaf.quantity is not None]
    if not 3 <= len(numbers) <= _LONGEST:
        return None
    for model in document.index.models[:3]:
        if not _uses_only(one, _sizes_of(model)):
            continue
        sizes = {model.sizes.get(letter, 0) for letter in "HF"} - {0}
        for start, value in numbers:
            for size in sizes - {value} if value in sizes else ():
                amount = evaluate(side.node, document.symbols, {start: size})
                for account, owner in document.index.of(amount.whole) if amount and amount.whole else ():
                    if components <= concepts_of(account.path):
                        return account, owner
    return None


def _adds(node: Node) -> bool:
    """Whether something is added up in an expression."""
    return node.operation == "sum" or any(_adds(part) for part in node.parts)


def _sizes_of(model: Model) -> frozenset[int]:
    sizes = model.sizes
    width, heads = sizes.get("H", 0), sizes.get("A", 0)
    more = {width * n for n in (1, 2, 3, 4)} | ({width // heads} if heads and width % heads == 0 else set())
    return frozenset({*sizes.values(), *more, *range(_SMALL + 1)})


def _uses_only(one: Judged, sizes: frozenset[int]) -> bool:
    """Whether an expression has no numbers but the dimensions of a model."""
    sides = one.of.sides if isinstance(one.of, Equation) else (one.of,) if isinstance(one.of, Side) else ()
    worked = [side for side in sides if side.amount.operations]
    numbers = [[leaf.quantity.value for leaf in leaves(side.node) if leaf.quantity is not None] for side in worked]
    return any(all(number in sizes for number in these) for these in numbers)


def _doubtful(document: Document, one: Judged, components: frozenset[str]) -> bool:
    """Whether an expression over a model's dimensions has no account, though its label names a component of it."""
    if not components - _WORDS and not one.label.own & {"block"}:
        return False
    return any(_uses_only(one, _sizes_of(model)) and "H" in model.sizes for model in document.index.models[:6])


def _by_heads(document: Document, one: Judged) -> bool:
    """Whether an expression multiplies by heads, which multiply nothing, without the size of one."""
    side = one.of.sides[0] if isinstance(one.of, Equation) else one.of
    if not isinstance(side, Side) or not _HEADS.search(document.plain.text[side.start : side.end + 8]):
        return False
    numbers = {leaf.quantity.value for leaf in leaves(side.node) if leaf.quantity is not None}
    return not any(
        size * number_ == width
        for model in document.index.models[:4]
        for width in (model.sizes.get("H", 0),)
        for size in numbers
        for number_ in numbers
        if size != width
    )


_HEADS = re.compile(r"\d[ \x01]*(?:attention )?heads?\b|个head|개 head", re.I)
_WORDS = frozenset(("token", "position", "segment"))
"""Concepts of words that are said of other things as well."""


# Totals of named models


def misattributed(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: totals of a model that the text contradicts, or that its table or words single out."""
    right = _right_totals(every)
    columns = _whole_columns(document, every)
    found = []
    for one in every:
        figure = one.figure
        if figure is not None and one.holds and one.account is not None and one.account.total:
            one = _not_of_each(document, one, figure)
        if figure is not None and document.given is not None and one.verdict is None and "whole" in one.label.own:
            one = _not_of_given(one, document.given)
        bound_ = figure is not None and one.unit == "params" and not one.accused and one.scope.bound is not None
        if bound_ and _open_total(document, one, columns):
            expected = _contradicted(document, one, right, columns)
            if expected is not None:
                account, model = expected
                one = one.with_("mismatch", account=account, model=model, expected=account.count, also=(), why="model")
        found.append(one)
    return tuple(found)


def _not_of_given(one: Judged, model: Model) -> Judged:
    """An exact figure that is said of the whole model that is given, and is none of its totals."""
    account = best_total(model)
    if one.exact is None or account is None or components_said(one.label) or one.exact < account.count // 2:
        return one
    return one.with_("mismatch", account=account, model=model, expected=account.count, why="model")


def _not_of_each(document: Document, one: Judged, figure: Quantity) -> Judged:
    """A figure that is said of each of several models, and is not that of one of them."""
    line = document.layout.lines[document.layout.line(one.start)]
    before = document.plain.text[max(line.start, one.start - _CUE) : one.start]
    said = [mention for mention in one.scope.row if mention.end <= one.start and one.start - mention.start < _CUE]
    if len(said) < 2 or figure.unit != "params" or not says("each").search(before[-_CLOSE:]):
        return one
    for mention in said:
        totals = [total for model in mention.models for total in model.totals]
        if totals and all(distance(total.count, figure.value) > _UNALIKE * total.count for total in totals):
            model = mention.models[0]
            account = best_total(model)
            assert account is not None
            return one.with_("mismatch", account=account, model=model, expected=account.count, also=(), why="each")
    return one


def _open_total(document: Document, one: Judged, columns: frozenset[tuple[int, int]]) -> bool:
    """Whether a figure is stated as a whole model's, and fits none that its name can mean."""
    figure, mention = one.figure, one.scope.bound
    assert figure is not None
    assert mention is not None
    if one.holds and (one.account is None or one.account in _totals(mention)):
        return False
    if one.holds and not (_place(document, one) in columns and figure.exact):
        return False
    if figure.exact and isinstance(figure.value, int) and figure.value in every_total():
        return False
    said = _said_in_row(document, one)
    if said - neutral() - {"onehead"} or said & {"block", "all", "head"}:
        return False
    if not mention.models or not any(model.totals for model in mention.models) or figure.value < 10**6:
        return False
    near = [distance(total.count, figure.value) <= _UNALIKE * total.count for total in _totals(mention)]
    published = any(figure.value == one_.value for model in mention.models for one_ in model.published)
    if any(near) and not (published or figure.exact):
        return False
    line = document.layout.lines[document.layout.line(one.start)]
    text = document.plain.text
    before, behind = text[max(line.start, one.start - 50) : one.start], text[one.end : min(line.end, one.end + 40)]
    if line.kind == "table":
        return one.scope.how != "row" or _names_the_row(text, mention, document.layout.cell(mention.start))
    return one.unit == "params" and not any(
        says(kind).search(part)
        for kind, part in (("apart", before), ("parts", before[-25:]), ("parts", behind[:25]), ("without", behind))
    )


def _said_in_row(document: Document, one: Judged) -> frozenset[str]:
    """The concepts that say what a figure is of: in a table those of its first cell and its own, else of its row."""
    line = document.layout.lines[document.layout.line(one.start)]
    if line.kind != "table" or not line.cells:
        return one.label.own
    cells = {line.cells[0], document.layout.cell(one.start)}
    text = document.plain.text
    return frozenset().union(*(hit.concepts for start, end in cells for hit in hits(text[start:end])))


def _names_the_row(text: str, mention: Mention, cell: tuple[int, int]) -> bool:
    """Whether a name is most of its cell, so that the row is about that model and not a relative of it."""
    letters = sum(map(str.isalnum, text[cell[0] : cell[1]]))
    return 10 * sum(map(str.isalnum, text[mention.start : mention.end])) >= 6 * letters


def _totals(mention: Mention) -> tuple[Account, ...]:
    return tuple(total for model in mention.candidates for total in model.totals)


def _right_totals(every: tuple[Judged, ...]) -> frozenset[Account]:
    """The totals of models that the text gives right."""
    found = {one.account for one in every if one.holds and one.account is not None and one.account.total}
    exact = {one.exact for one in every if one.holds and one.exact is not None}
    totals = (
        total for one in every if one.scope.bound for model in one.scope.bound.candidates for total in model.totals
    )
    return frozenset({account for account in found if account} | {total for total in totals if total.count in exact})


def _place(document: Document, one: Judged) -> tuple[int, int]:
    """The table and the column of a figure, from the right; from the left where blanks alone divide its rows."""
    number = document.layout.line(one.start)
    line = document.layout.lines[number]
    ruled = "|" in document.layout.text(number)
    for place, (start, end) in enumerate(line.cells):
        if start <= one.start < end:
            return document.layout.tops[number], place - len(line.cells) if ruled else place
    return number, 0


def _whole_columns(document: Document, every: tuple[Judged, ...]) -> frozenset[tuple[int, int]]:
    """The columns of tables of which three figures at least, and most, are totals of the models in their rows."""
    held: dict[tuple[int, int], int] = {}
    other: dict[tuple[int, int], int] = {}
    for one in every:
        if one.figure is None or one.unit != "params" or one.scope.how != "row":
            continue
        whole = one.holds and one.account is not None and one.account.total and " without" not in one.account.path
        (held if whole else other).setdefault(_place(document, one), 0)
        if whole:
            held[_place(document, one)] += 1
        else:
            other[_place(document, one)] += 1
    named = {
        _place(document, one)
        for one in every
        if one.figure is not None and one.scope.how == "row" and _heads_totals(document.layout.header(one.start))
    }
    return frozenset(
        place
        for place, number in held.items()
        if (number >= _COLUMN and number >= 2 * other.get(place, 0)) or (number > 1 and place in named)
    )


def _heads_totals(head: str) -> bool:
    """Whether a column is headed with the parameters of whole models."""
    return bool(says("plain").search(head)) and not says("parts").search(head)


def _contradicted(
    document: Document, one: Judged, right: frozenset[Account], columns: frozenset[tuple[int, int]]
) -> tuple[Account, Model] | None:
    """The total that is meant, where the text has it right elsewhere, or a column or words single the figure out."""
    figure, mention = one.figure, one.scope.bound
    assert figure is not None
    assert mention is not None
    for model in mention.models:
        account = next((total for total in model.totals if total in right), None)
        published = any(figure.value == stated.value for stated in model.published)
        if account is not None and (published or _binds(one)):
            return account, model
    model = mention.models[0]
    account = best_total(model)
    if account is None:
        return None
    text = document.plain.text
    said = text[mention.end : one.start]
    if len(mention.models) == 1 and _HAS.fullmatch(said) and distance(account.count, figure.value) * 4 > account.count:
        return account, model
    around = text[max(0, one.start - _CUE) : one.end + _CUE]
    if _place(document, one) in columns or (len(mention.models) <= 2 and says("wrong").search(around)):
        return account, model
    return None


_HAS = re.compile(
    r"(?:[\s,\x01(]*(?:uncased|cased|multilingual|chinese|model)\b\)?)*[\s\x01]*(?:has|have|had|contains|holds|with|[:=])[\s\x01]*(?:about|around|roughly|~|≈)?[\s\x01]*",
    re.I,
)


def _binds(one: Judged) -> bool:
    """Whether a figure is bound to its model so closely that it is said of it as a whole."""
    return (
        one.scope.how in ("cell", "column", "row", "clause") and one.figure is not None and one.figure.unit == "params"
    )


def carried(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: those that carry on what is wrong are accused with it, and what rests on a doubt is open."""
    wrong: dict[int, tuple[Judged, int]] = {}
    doubts: set[int] = set()
    found = []
    for one in every:
        one = _carries(document, one, wrong, doubts)
        found.append(one)
        if one.accused and one.exact is not None and isinstance(one.expected, int) and one.exact >= LEAST:
            root = one.carried_from or one
            wrong.setdefault(one.exact, (root, one.expected))
        elif one.why == "doubtful" and one.exact is not None:
            doubts.add(one.exact)
    return tuple(found)


def _heavy(document: Document, one: Judged, wrong: Mapping[int, tuple[Judged, int]]) -> Judged:
    """Bytes of a wrong count in the same row."""
    figure = one.figure
    line = document.layout.line(one.start)
    for count, (root, expected) in list(wrong.items())[-_MOST_WRONG:]:
        if figure is not None and document.layout.line(root.start) == line:
            for each in (4, 2, 1):
                if figure.fits(count * each):
                    return one.with_("mismatch", expected=expected * each, carried_from=root, why="carried")
    return one


def _carrying(document: Document, one: Judged, expected: Number, root: Judged) -> Judged:
    """A statement that carries on a mistake, with what is right, and the account of that."""
    meant = accounted(one, document.index.of(expected) if isinstance(expected, int) else (), "mismatch")
    return meant.with_("mismatch", expected=expected, also=(), carried_from=root, why="carried")


def _carries(document: Document, one: Judged, wrong: Mapping[int, tuple[Judged, int]], doubts: set[int]) -> Judged:
    if one.unit == "bytes" and one.figure is not None and not one.accused and wrong:
        return _heavy(document, one, wrong)
    if (
        one.accused
        or (one.account is not None and one.exact not in doubts)
        or not (wrong or doubts)
        or one.unit not in _CARRYING
    ):
        return one
    if one.figure is not None:
        known = wrong.get(one.exact or 0)
        if known is not None:
            return _carrying(document, one, known[1], known[0])
        return replace(one, verdict=None, why="doubtful") if one.exact in doubts else one
    if not isinstance(one.of, Equation):
        return one
    for side in one.of.sides:
        if not side.amount.operations:
            continue
        values = {leaf.start: leaf.quantity.value for leaf in leaves(side.node) if leaf.quantity is not None}
        bad = {start: wrong[int(value)] for start, value in values.items() if value in wrong}
        if bad:
            amount = evaluate(side.node, document.symbols, {start: right for start, (_, right) in bad.items()})
            if amount is not None and amount.value != one.value:
                return _carrying(document, one, amount.value, next(iter(bad.values()))[0])
        if any(value in doubts for value in values.values()):
            return replace(one, verdict=None, why="doubtful")
    return one
