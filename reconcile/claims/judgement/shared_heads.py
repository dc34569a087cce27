"""Step 6f: the heads of an attention, which share its matrices and multiply nothing."""

import re
from collections.abc import Iterator
from functools import lru_cache

from reconcile.claims.judgement.columns import place
from reconcile.claims.judgement.context import Context
from reconcile.claims.judgement.cues import sizes_said, speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.singled import words
from reconcile.claims.structure.accounts import ALL, Account
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.labels import ranked
from reconcile.claims.structure.lexicon import concepts_in, concepts_of, cue
from reconcile.claims.structure.models import Model
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.arithmetic import figures as leaves
from reconcile.expression.syntax import Node
from reconcile.quantity import Number

_MODELS = 4
"""Models of a text that an expression is held against."""
_HEADS = re.compile(r"\d[ \x01]*(?:attention )?heads?\b|\d[ \x01]*个head|\d[ \x01]*개 head", re.I)
_MULTI = re.compile(r"multi[-_ ]*head\w*|多头", re.I)
"""What an attention is called that has several heads."""
_NAMED = re.compile(r"[^\W\d_]{3}")
_MATRICES = 4
"""The matrices of an attention."""


def says_heads(document: Document, one: Judged) -> bool:
    """Whether heads are spoken of at a statement, or over it, and not all blocks."""
    return "all" not in one.label.said and _heads_near(document, one)


def _heads_near(document: Document, one: Judged, alone: bool = False) -> bool:
    """Whether heads are spoken of in its line, or over it; `alone`: not in the name of the attention alone."""
    here = document.at(one)
    above = [*map(document.layout.text, here.layout.above(here.number, 3))]
    said = here.near() if _NAMED.search(here.near()) else " ".join((here.near(), *above))
    said = _MULTI.sub("", said) if alone else said
    return cue("heads").search(said) is not None or any(map(gives_each, above))


@lru_cache(maxsize=256)
def gives_each(line: str) -> bool:
    """Whether a line gives something to each head."""
    return cue("one_by_one").search(line) is not None


def _without_one(document: Document, term: Node, number: int) -> Iterator[tuple[Node, Number]]:
    """The figures of a product that are a number which multiplies it, each with what it comes to without it."""
    amount = evaluate(term, document.symbols)
    for leaf in leaves(term) if amount is not None and term.operation == "product" else ():
        if leaf.quantity is not None and leaf.quantity.value == number:
            without = evaluate(term, document.symbols, {leaf.start: 1})
            if without is not None and amount is not None and without.value * number == amount.value:  # and not `/ 12`
                yield leaf, without.value


def by_heads(context: Context, one: Judged) -> Judged | None:
    """Matrices at full width, or what is trained beside them, that are multiplied by the number of heads."""
    document, side = context.document, one.side
    if side is None or side.node.operation not in ("product", "sum") or not _heads_near(document, one):
        return None
    if speaks_of(document, "key_dim"):
        return None
    written = document.plain.text[side.start : side.end + 8]
    said_there = _HEADS.search(written) is not None
    for model in document.index.models[:_MODELS]:
        heads, width = model.sizes.get("A", 0), model.sizes.get("H", 0)
        if heads < 2 or heads not in one.factors or width // heads in one.factors:
            continue
        single = _heads_near(document, one, alone=True) or cue("of_one").search(document.at(one).near()) is not None
        may_be_all = _is_of_all(context, one, model) or not single
        if heads == model.sizes.get("L") and may_be_all:
            continue  # blocks
        if heads <= _MATRICES and any(ALL not in account.path for account, _ in document.index.of(one.exact or 0)):
            continue  # the matrices of an attention, which are as many
        for term in side.node.parts if side.node.operation == "sum" else (side.node,):
            for leaf, without in _without_one(document, term, heads):
                full = any(
                    {"attention"} == concepts_of(account.path) & {"attention", "norm"} and ALL not in account.path
                    for account, _ in (document.index.of(without) if isinstance(without, int) else ())
                )
                full = (full and ("head" not in written or said_there)) or (
                    said_there and term is side.node and _is_full(document, one, width, heads)
                )
                right = evaluate(side.node, document.symbols, {leaf.start: 1}) if full else None
                if right is not None:
                    why = f"the {heads} heads share these matrices, {width // heads} columns each, and multiply nothing"
                    return one.wrong(_attention(document, one, right.value) or right.value, why, model=model)
    return None


def _counts_heads(document: Document, one: Judged, heads: int) -> bool:
    """Whether the words before an expression say of how many heads it is: `in all 6 heads`."""
    before = document.at(one).before()
    counted = re.finditer(rf"(?<!\d){heads}[- \x01]*", before)
    return any(cue("heads").match(before, found.end()) for found in counted)


def _attention(document: Document, one: Judged, count: Number) -> Account | None:
    """The part of the attention that a count is of, by the label of a statement."""
    found = document.index.of(count) if isinstance(count, int) else ()
    own = [each for each in found if "attention" in concepts_of(each[0].path) and ALL not in each[0].path]
    return next((account for _, account, _ in ranked(own, one.label)), None)


def _is_of_all(context: Context, one: Judged, model: Model) -> bool:
    """Whether what is multiplied by as many heads as blocks may be all blocks.

    It is a count that stands before it, or that of a whole attention, or below a line of so many blocks.
    """
    layout, at = context.document.layout, context.document.at(one)
    over = (other for other in layout.above(at.number) if layout.lines[other].indent < at.line.indent)
    if (parent := next(over, None)) is not None and cue("so_many_blocks").match(layout.text(parent)):
        return True
    before = (other for other in context.nearby.row(one) if other.end <= one.start)
    ends = [other.end for other in before if other.exact in one.factors]
    if ends and not _HEADS.search(context.document.plain.text, ends[-1], one.end + 8):
        return True
    if at.tabled and place(context.document, one) in context.columns.stacked:
        return True
    if _counts_heads(context.document, one, model.sizes.get("A", 0)):
        said = context.document.at(one).before()
        return cue("all_blocks").search(said) is not None or any(size > 1 for _, size in sizes_said(said, "blocks"))
    here = context.document.at(one).near()
    whole = {each.count for each in model.accounts if each.path.endswith("].attention")}
    known = not whole.isdisjoint(map(int, one.factors)) and cue("heads").search(here) is None
    return known or "all" in one.label.near | concepts_in(words(context.document, one)[1])


def _is_full(document: Document, one: Judged, width: int, heads: int) -> bool:
    """Whether an equation of the text makes a factor from the full width of a model, and not from that of a head."""
    for equation in document.statements.equations:
        result = equation.sides[-1].amount.value
        if result in one.factors and result >= width > 0:
            numbers = {leaf.value for leaf in equation.sides[0].amount.leaves}
            return width in numbers and width // heads not in numbers
    return False
