"""Step 6f: counts unlike those of the component that their label singles out, each by one rule of a table."""

import re
from fractions import Fraction
from math import prod

from reconcile.claims.accounts import BOTH, NORMS
from reconcile.claims.context import LEAST, Context, Table
from reconcile.claims.document import VOCABULARIES, Document
from reconcile.claims.factored import FACTORED
from reconcile.claims.judged import Judged
from reconcile.claims.lexicon import concepts_in, concepts_of, cue
from reconcile.claims.models import every_model
from reconcile.claims.plainly import plainly
from reconcile.claims.singled import named, of_concepts, singled, words
from reconcile.quantity import distance

_BEHIND = 40
_TENS = (1000, 10**6, Fraction(1, 1000), Fraction(1, 10**6))
"""By how much figures with the wrong scale differ from the right ones."""
_LEAST_PART = 10_000
_PART = "it is the count of another part"
_NAME = re.compile(r"[A-Za-z_][\w.\[\]]*[._]\w+(?=[\s\x01\"'`*]*(?:holds|has|is|with|:|=|\|)?[\s\x01\"'`*|:=]*$)")
_SHAPE = re.compile(r"[\[(]\s*\d+(?:\s*[,x×]\s*\d+){1,3}\s*[\])][\s\x01|:=→-]*$")
_LABEL = re.compile(r"[\s\x01|*+•-]*(?:[^\W\d][\w'’]*[\s\x01-]?){1,3}[\s\x01]*")
_ROW = re.compile(_LABEL.pattern + r"[:|][\s\x01$~]*")
"""A row of nothing but a short label and its figure."""
_NORM = re.compile(r"norm|归一|正規化|정규화|\bLN\b", re.I)
_LEAVES = frozenset(("query", "key", "value", "up", "down", "gate", "token", "position", "segment"))
"""Concepts of single matrices."""


def _is_asked(one: Judged) -> bool:
    if one.accused or one.unit not in ("", "params") or one.verdict == "not a model figure":
        return False
    return (one.exact or 0) >= LEAST or (one.figure is not None and one.figure.scaled)


def _shaped(context: Context, one: Judged) -> Judged | None:
    """A count right behind the shape of a weight that comes to another."""
    shape = _SHAPE.search(words(context.document, one)[0])
    if shape is None or one.figure is None or one.exact is None or {"kernel", "bias"} & one.label.own != {"kernel"}:
        return None
    count = prod(map(int, re.findall(r"\d+", shape[0])))
    near = count != one.exact and 2 * distance(count, one.exact) < count
    return one.wrong(count, "the shape in this row comes to {right}", "arithmetic wrong") if near else None


def _one_for_all(context: Context, one: Judged) -> Judged | None:
    """One block's count that is said of all blocks."""
    before, behind = words(context.document, one)
    many = cue("so_many_blocks").search(before) is not None and not cue("each").search(context.document.at(one).header)
    blocks = of_concepts(context.document, one, frozenset(("block",))) if many else None
    said = blocks or singled(context.document, one)
    right = said.of_all(one.exact or 0) if said is not None else None
    if said is None or right is None or right.count == one.exact or cue("alike").search(before + behind):
        return None
    if cue("each").search(before[-_BEHIND:] + behind) or not (many or cue("all_blocks").search(before + behind)):
        return None
    if any(other.exact == right.count for other in context.nearby.row(one)):
        return None
    return one.wrong(right, "it is the count of one block", model=said.model)


def _other_part(context: Context, one: Judged) -> Judged | None:
    """The count of another component than the one that its own name, as code has it, or its row's label says."""
    said = singled(context.document, one)
    if said is None or one.exact is None or said.has(one.exact):
        return None
    others = [account for account in said.model.accounts if account.count == one.exact]
    before, components = words(context.document, one)[0], named(one.label)
    if others and (name := _NAME.search(before)) is not None:
        spoken = _LEAVES & concepts_in(name[0])
        if spoken <= concepts_of(said.one.path) and spoken & components:
            return one.wrong(said.one, _PART, model=said.model)
    if not others or one.figure is None or not components <= one.label.own or one.exact < _LEAST_PART:
        return None
    if any(account.total or components <= concepts_of(account.path) for account in others):
        return None
    return one.wrong(said.one, _PART, model=said.model) if _heads_row(context.document, one, before) else None


def _heads_row(document: Document, one: Judged, before: str) -> bool:
    """Whether a row begins with a short label and has nothing else but an expression and its figure."""
    place = document.at(one)
    if cue("without").search(before):
        return False
    if place.tabled and place.line.cells:
        first = document.plain.text[slice(*place.line.cells[0])]
        counts = cue("counts").search(place.header)
        return bool(counts and named(one.label) <= concepts_in(first) and _LABEL.fullmatch(first))
    return _ROW.fullmatch(before) is not None


def _scaled(context: Context, one: Judged) -> Judged | None:
    """A rounded figure with another scale than its count has."""
    figure = one.figure
    if figure is None or not figure.scaled or one.verdict is not None or (figure.figures < 2 and not figure.unit):
        return None
    said = singled(context.document, one)
    if said is None or not named(one.label) & one.label.own or any(figure.fits(way.count) for way in said.ways):
        return None
    found = (way for way in said.ways for ten in _TENS if figure.fits(Fraction(way.count) / ten))
    right = next(found, None)
    return None if right is None else one.wrong(right, model=said.model)


def _other_model(context: Context, one: Judged) -> Judged | None:
    """The count that the same component has in another model than the one that is named."""
    document, mention = context.document, one.scope.bound
    said = singled(document, one)
    if said is None or one.exact is None or said.has(one.exact):
        return None
    if any(sized.model.sizes.get("V") for sized in document.own):
        return None
    if any(one.exact % size == 0 for size in document.vocabularies):
        return None
    if any(words_ != said.model.sizes.get("V") and words_ in VOCABULARIES for words_ in one.factors):
        return None
    models = mention.candidates if mention else ()
    here = mention is not None or any(before.end <= one.start for before in one.scope.row)
    if not here or any(one.exact in model.counts for model in models):
        return None
    if mention is None and any(account.path == said.one.path for account, _ in document.index.of(one.exact)):
        return None  # another model of the text has it, and which of them is meant is not said
    for model in every_model():
        other = model.architecture == said.model.architecture and model not in (said.model, *document.index.models)
        if other and any((each.path, each.count) == (said.one.path, one.exact) for each in model.accounts):
            return one.wrong(said.one, f"it is that of {model.name}", model=said.model)
    return None


def _incomplete(context: Context, one: Judged) -> Judged | None:
    """A sum that is called complete and leaves the norms of a block out, of which nothing is said."""
    account, said = one.account, singled(context.document, one)
    if said is None or account is None or not account.path.endswith(NORMS) or account.path.endswith(BOTH):
        return None
    whole = account.path.removesuffix(NORMS)
    if one.side is None or "embedding" in concepts_of(whole):  # three tables are often what is meant by them
        return None
    layout, line = context.document.layout, context.document.at(one).number
    around = " ".join(layout.text(at) for at in (*layout.above(line, 2), line))
    complete = cue("complete").search("".join(words(context.document, one)))
    if not complete or _NORM.search(around) or cue("without").search(around):
        return None
    right = next((each for each in said.model.accounts if each.path == whole), None)
    return None if right is None else one.wrong(right, "the layer norms are left out", model=said.model)


def _supposed(context: Context, one: Judged) -> Judged | None:
    """What would be if something were otherwise is nobody's count."""
    return one if cue("if_so").search(words(context.document, one)[0]) else None


_LABELLED = (_supposed, _shaped, plainly, _one_for_all, _other_part, _scaled, _other_model, _incomplete)
unlike = Table(_is_asked, (*_LABELLED, *FACTORED))
"""What makes a count another than the one that is meant, the surest first."""
