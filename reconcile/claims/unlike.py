"""Step 6f: counts unlike those of the component that their label singles out, each by one rule of a table."""

import re
from collections.abc import Callable
from fractions import Fraction
from math import prod

from reconcile.claims.accounts import BOTH, NORMS, Account
from reconcile.claims.cues import cue, every_size
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.claims.lexicon import concepts_of, hits, says
from reconcile.claims.models import Model, every_model
from reconcile.claims.singled import Singled, named, singled
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.arithmetic import figures as leaves
from reconcile.expression.statements import Equation, Side
from reconcile.frozen import dataclass
from reconcile.quantity import Quantity, distance

LEAST = 1000
NEAR = 120
"""Letters before a statement in which its label stands."""
_BEHIND = 40
_TENS = (1000, 10**6, Fraction(1, 1000), Fraction(1, 10**6))
"""By how much figures with the wrong scale differ from the right ones."""
_TWO = 2
_NEARLY = Fraction(1, 100)
_NAME = re.compile(r"[A-Za-z_][\w.\[\]]*[._]\w+(?=[\s\x01\"'`*]*(?:holds|has|is|with|:|=|\|)?[\s\x01\"'`*|:=]*$)")


@dataclass(frozen=True, slots=True)
class Wrong:
    """What a statement should have been: the account that its label means, and the rule that says so."""

    account: Account
    why: str


def unlike(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements, accused where their count is another than that of the one component that is named."""
    return tuple(_judged(document, one) if _is_asked(one) else one for one in every)


def _is_asked(one: Judged) -> bool:
    if one.accused or one.unit not in ("", "params") or one.verdict == "not a model figure":
        return False
    return (one.exact or 0) >= LEAST or (one.figure is not None and one.figure.scaled)


def _judged(document: Document, one: Judged) -> Judged:
    if (count := _shaped(document, one)) is not None:
        return one.with_("arithmetic wrong", expected=count, account=None, also=(), why="shape")
    said = singled(document, one)
    for rule in RULES if said is not None else ():
        assert said is not None
        if (wrong := rule(document, one, said)) is not None:
            return one.with_("mismatch", account=wrong.account, model=said.model, also=(),
                             expected=wrong.account.count, why=wrong.why)  # fmt: skip
    return one


def words(document: Document, one: Judged) -> tuple[str, str]:
    """What stands before a statement in its line, and what follows it, to the ends of the sentence."""
    line = document.layout.lines[document.layout.line(one.start)]
    text = document.plain.text
    before, behind = (
        text[max(line.start, one.start - NEAR) : one.start],
        text[one.end : min(line.end, one.end + _BEHIND)],
    )
    return _ENDS.split(before)[-1], _ENDS.split(behind)[0]


_ENDS = re.compile(r"[.;!?](?:\s|$)|。")


def _shaped(document: Document, one: Judged) -> int | None:
    """What the shape of a weight comes to, that stands right before its count and is another."""
    shape = _SHAPE.search(words(document, one)[0])
    if shape is None or one.figure is None or "kernel" not in one.label.own or "bias" in one.label.own:
        return None
    count = prod(map(int, re.findall(r"\d+", shape[0])))
    near = one.exact is not None and count != one.exact and 2 * distance(count, one.exact) < count
    return count if near and len(re.findall(r"\d+", shape[0])) >= _AXES else None


_SHAPE = re.compile(r"[\[(]\s*\d+(?:\s*[,x×]\s*\d+){1,3}\s*[\])][\s\x01|:=→-]*$")
_AXES = 2


def _one_for_all(document: Document, one: Judged, said: Singled) -> Wrong | None:
    """One block's count that is said of all blocks."""
    right = said.of_all(one.exact or 0)
    before, behind = words(document, one)
    if right is None or right.count == one.exact or says("each").search(before + behind):
        return None
    if cue("each").search(before[-_BEHIND:] + behind) or not cue("all_blocks").search(before + behind):
        return None
    return Wrong(right, "all blocks")


def _scaled(document: Document, one: Judged, said: Singled) -> Wrong | None:
    """A rounded figure with another scale than its count has."""
    figure = one.figure
    if figure is None or not figure.scaled or one.verdict is not None or not named(one.label) & one.label.own:
        return None
    if any(figure.fits(way.count) for way in said.ways) or (figure.figures < _TWO and not figure.unit):
        return None
    found = (way for way in said.ways for ten in _TENS if figure.fits(Fraction(way.count) / ten))
    right = next(found, None)
    return None if right is None else Wrong(right, "scale")


def _multiplied(document: Document, one: Judged, said: Singled) -> Wrong | None:
    """A matrix times what multiplies no parameters: a batch, or the length of a sequence."""
    side = _side(one)
    if side is None or not _WEIGHTS.search("".join(words(document, one))) or said.has(one.exact or 0):
        return None
    outside = every_size(document.plain.text, "batches", "lengths")
    for leaf in leaves(side.node):
        if leaf.quantity is not None and leaf.quantity.value in outside and side.node.operation == "product":
            amount = evaluate(side.node, document.symbols, {leaf.start: 1})
            right = _counted(said, amount.whole if amount is not None else None)
            if right is not None:
                return Wrong(right, f"outside:{leaf.quantity.value}")
    return None


_WEIGHTS = re.compile(r"weight|matri|param|kernel|权重|参数|重み|パラメ|가중치|Gewicht|poids|pesos", re.I)


def _counted(said: Singled, count: int | None) -> Account | None:
    """The account of a count, of the component that is singled out or a part of it."""
    for account in said.model.accounts:
        if account.count == count and account.path.startswith(said.one.path.removesuffix(".kernel")):
            return account
    return None


def _other_part(document: Document, one: Judged, said: Singled) -> Wrong | None:
    """The count of another component than the one that its own name, as code has it, or its row's label says."""
    if one.exact is None or said.has(one.exact):
        return None
    others = [account for account in said.model.accounts if account.count == one.exact]
    before = words(document, one)[0]
    if others and (name := _NAME.search(before)) is not None:
        spoken = frozenset().union(*(hit.concepts for hit in hits(name[0])))
        if _LEAVES & spoken <= concepts_of(said.one.path) and _LEAVES & spoken & named(one.label):
            return Wrong(said.one, "part")
    components = named(one.label)
    apart = components <= one.label.own and bool(others) and one.exact >= _LEAST_PART
    apart = apart and not any(account.total or components <= concepts_of(account.path) for account in others)
    return Wrong(said.one, "part") if apart and one.figure is not None and _heads_row(document, one, before) else None


def _heads_row(document: Document, one: Judged, before: str) -> bool:
    """Whether a row begins with a short label and has nothing else but an expression and its figure."""
    line = document.layout.lines[document.layout.line(one.start)]
    if says("without").search(before):
        return False
    if line.kind == "table" and line.cells:
        first = document.plain.text[slice(*line.cells[0])]
        said = frozenset().union(*(hit.concepts for hit in hits(first)))
        counts = cue("counts").search(document.layout.header(one.start))
        return bool(counts and named(one.label) <= said and _LABEL.fullmatch(first))
    return _ROW.fullmatch(before) is not None


_LEAST_PART = 10_000
_LABEL = re.compile(r"[\s\x01|*+•-]*(?:[^\W\d][\w'’]*[\s\x01-]?){1,3}[\s\x01]*")
_ROW = re.compile(_LABEL.pattern + r"[:|][\s\x01$~]*")
"""A row of nothing but a short label and its figure."""


_LEAVES = frozenset(("query", "key", "value", "up", "down", "gate", "token", "position", "segment"))
"""Concepts of single matrices."""


def _other_model(document: Document, one: Judged, said: Singled) -> Wrong | None:
    """The count that the same component has in another model than the one that is named."""
    mention = one.scope.bound
    if one.exact is None or said.has(one.exact) or any(sized.model.sizes.get("V") for sized in document.own):
        return None
    if any(size.letter == "V" and one.exact % size.size == 0 for size in document.sizes):
        return None
    models = [model for model in (mention.candidates if mention else ()) if model.architecture]
    here = mention is not None or _named_before(one)
    if not here or any(account.count == one.exact for model in models for account in model.accounts):
        return None
    if mention is None and any(account.path == said.one.path for account, _ in document.index.of(one.exact)):
        return None  # another model of the text has it, and which of them is meant is not said
    family = (model for model in every_model() if model.architecture == said.model.architecture)
    others = (model for model in family if model != said.model and model not in document.index.models)
    same = (
        model for model in others for each in model.accounts if (each.path, each.count) == (said.one.path, one.exact)
    )
    other = next(same, None)
    return None if other is None else Wrong(said.one, f"other model:{other.name}")


def _named_before(one: Judged) -> bool:
    return any(mention.end <= one.start for mention in one.scope.row)


def _incomplete(document: Document, one: Judged, said: Singled) -> Wrong | None:
    """A sum that is called complete and leaves the norms of a block out, of which nothing is said."""
    account = one.account
    if account is None or not account.path.endswith(NORMS) or account.path.endswith(BOTH) or _side(one) is None:
        return None
    line = document.layout.line(one.start)
    around = " ".join(document.layout.text(at) for at in (*document.layout.above(line, 2), line))
    if (
        not cue("complete").search("".join(words(document, one)))
        or _NORM.search(around)
        or says("without").search(around)
    ):
        return None
    whole = account.path.removesuffix(NORMS)
    if "embedding" in concepts_of(whole):  # three tables are often what is meant by them
        return None
    right = next((each for each in said.model.accounts if each.path == whole), None)
    return None if right is None else Wrong(right, "incomplete")


_NORM = re.compile(r"norm|归一|正規化|정규화|\bLN\b", re.I)


def _nearly(document: Document, one: Judged, said: Singled) -> Wrong | None:
    """An expression over a model's dimensions that comes near to its component and to nothing of the model."""
    side = _side(one)
    count = one.exact
    if side is None or count is None or one.account is not None or document.index.of(count):
        return None
    if says("without").search("".join(words(document, one))) or side.amount.scaled or side.amount.symbolic:
        return None
    if not _of_the_model(document, side, said.model):
        return None
    best = min(said.ways, key=lambda way: distance(way.count, count))
    if distance(best.count, count) > _NEARLY * best.count:
        return None
    path = best.path.partition(" without ")[0]
    return Wrong(next((way for way in said.ways if way.path == path), best), "nearly")


def _of_the_model(document: Document, side: Side, model: Model) -> bool:
    """Whether the figures of an expression are dimensions of a model, or counts of its parts."""
    own = frozenset(model.sizes.values()) | {2, 3, 4}
    numbers = [leaf.quantity.value for leaf in leaves(side.node) if leaf.quantity is not None]
    return len(numbers) > 2 and all(
        number in own or (isinstance(number, int) and number >= LEAST and document.index.of(number))
        for number in numbers
    )


def _side(one: Judged) -> Side | None:
    """The side of a statement that is worked out."""
    if isinstance(one.of, Quantity):
        return None
    sides = one.of.sides if isinstance(one.of, Equation) else (one.of,)
    return next((side for side in sides if side.amount.operations), None)


RULES: tuple[Callable[[Document, Judged, Singled], Wrong | None], ...] = (
    _one_for_all,
    _multiplied,
    _other_part,
    _scaled,
    _other_model,
    _incomplete,
    _nearly,
)
"""What makes a count another than the one that is meant, the surest first."""
