"""Step 6f: counts unlike those of the component that their label singles out, each by one rule of a table."""

import re
from dataclasses import replace
from fractions import Fraction

from reconcile.claims.judgement.accounting import PARAMETERS
from reconcile.claims.judgement.context import LEAST, Context, Table
from reconcile.claims.judgement.factored import FACTORED, each_head
from reconcile.claims.judgement.gates import other_gates
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.left_out import (
    dense_with_bias,
    incomplete,
    less,
    listed_norms,
    of_its_block,
    with_biases,
)
from reconcile.claims.judgement.lengths import LENGTHS, is_as_wide
from reconcile.claims.judgement.plainly import plainly, two_norms
from reconcile.claims.judgement.shared_parts import one_norm_more, ungrouped
from reconcile.claims.judgement.siblings import all_for_each, of_sibling
from reconcile.claims.judgement.singled import in_model, named, of_concepts, singled, words
from reconcile.claims.judgement.stacks import of_other_blocks, of_stack, table_beside
from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.catalogue import every_model
from reconcile.claims.structure.labels import Label
from reconcile.claims.structure.lexicon import concepts_of, cue, neutral
from reconcile.claims.structure.models import Model
from reconcile.expression.arithmetic import dense
from reconcile.phrases import number as number_
from reconcile.quantity import Number, whole

_BEHIND = 40
_TENS = (1000, 10**6, Fraction(1, 1000), Fraction(1, 10**6))
"""By how much figures with the wrong scale differ from the right ones."""
_LINES = 8
STACK = "the attention to the encoder and its norm are left out"
"""What tells of a stack that is counted like another one."""
_BIAS = "its bias has one value for each of its outputs, {}"
_CLAUSE = re.compile(r"[,;.\d]")
_SEVERAL = re.compile(r"[^\W\d]{3}[\s\x01)*`]*\+[\s\x01(*`]*[^\W\d]{3}[^\d=+]*[=:|]?[\s\x01|*`$]*$")
"""A label that is a sum: `pooler + classifier = `."""
_LETTERS = re.compile(r"\b[qkvo](?:,? (?:and|und|et|y|&) |/)[qkvo]\b", re.I)
"""Several projections by their letters."""


def _is_asked(one: Judged) -> bool:
    if one.accused or one.unit not in ("", "params") or one.verdict == "not a model figure":
        return False
    return (one.exact or 0) >= LEAST or (one.figure is not None and one.figure.scaled)


def _one_for_all(context: Context, one: Judged) -> Judged | None:
    """One block's count that is said of all blocks."""
    before, behind = words(context.document, one)
    many = cue("so_many_blocks").search(before) is not None and not cue("each").search(context.document.at(one).header)
    plain = not named(one.label) and cue("all_blocks").search(before + behind)
    blocks = of_concepts(context.document, one, frozenset(("block",))) if many or plain else None
    said = blocks or singled(context.document, one)
    if many and one.model is not None and (said is None or not said.has(one.exact or 0)):  # as it holds by its count
        said = in_model(one.model, Label(None, only=frozenset(("block",))))
    right = said.of_all(one.exact or 0) if said is not None else None
    if said is None or right is None or right.count == one.exact or cue("alike").search(before + behind):
        return None
    if cue("each").search(before[-_BEHIND:] + behind) or not (many or cue("all_blocks").search(before + behind)):
        return None
    if any(other.exact == right.count for other in context.nearby.row(one)):
        return None
    return one.wrong(right, "it is the count of one block", model=said.model)


def _scaled(context: Context, one: Judged) -> Judged | None:
    """A rounded figure with another scale than its count has."""
    figure = one.figure
    if (
        figure is None
        or not figure.scaled
        or one.verdict is not None
        or (figure.figures - figure.zeros < 2 and not figure.unit)
    ):
        return None
    said = singled(context.document, one)
    if said is None or not named(one.label) & one.label.own or any(figure.fits(way.count) for way in said.ways):
        return None
    found = (way for way in said.ways for ten in _TENS if figure.fits(Fraction(way.count) / ten))
    right = next(found, None)
    return None if right is None else one.wrong(right, model=said.model)


def _other_model(context: Context, one: Judged) -> Judged | None:
    """The count that the component has in another model than the one that its sentence or row names."""
    document = context.document
    before = (each for each in reversed(one.scope.row) if each.end <= one.start and one.unit == PARAMETERS)
    mention = one.scope.bound or next(before, None)
    said = singled(document, one) if mention is not None and one.figure is not None else None
    if mention is None or said is None or one.exact is None or said.has(one.exact):
        return None
    if any(one.exact % size == 0 for size in (*document.vocabularies, *document.of_row(one))):
        return None
    own = any(sized.model.sizes.get("V") for sized in document.own)
    own = own or is_as_wide(document, one, said.model.sizes.get("H", 0))
    own = own or any(one.exact % size == 0 for size in context.lengths("P") - {said.model.sizes.get("P"), 0})
    named = {model for each in (mention, *one.scope.row) for model in each.candidates}
    several = _LETTERS.search(words(document, one)[0]) is not None
    if own or several or any(one.exact in model.counts for model in named):
        return None
    for model in every_model():
        other = model.architecture == said.model.architecture and model not in (said.model, *document.index.models)
        if other and any((each.path, each.count) == (said.one.path, one.exact) for each in model.accounts):
            return one.wrong(said.one, f"it is that of {model.name}", model=said.model)
    return None


def _other_bias(context: Context, one: Judged) -> Judged | None:
    """A dense layer back from another one, `b·a + b` behind `a·b + b`, with the bias of that one."""
    back = dense(one.side.node) if one.side is not None else None
    if back is None:
        return None
    if back[0] == back[1]:
        return None
    if (meant := _with_its_bias(context, one, back)) is not None or back[2] != back[0]:
        return meant
    number, right = context.document.at(one).number, back[0] * back[1] + back[1]
    around = [other for line in range(number - _LINES, number) for other in context.expressions.get(line, ())]
    there = any(other.side is not None and dense(other.side.node) == (back[1], back[0], back[0]) for other in around)
    if not there or right in context.counts:  # which may be the layer back, and this the first one again
        return None
    return one.wrong(right, _BIAS.format(number_(int(back[1]))))


def _with_its_bias(context: Context, one: Judged, layer: tuple[Number, Number, Number]) -> Judged | None:
    """The component that a dense layer of its two sizes is, with the bias of its other side."""
    index, size = context.document.index, layer[1] if layer[2] == layer[0] else layer[0]
    right = whole(layer[0] * layer[1] + size)
    found = index.of(right) if isinstance(right, int) and not index.of(one.exact or 0) else ()
    plain = (each for each, _ in found if " + " not in each.path)
    meant = (each for each in plain if one.label.said & concepts_of(each.path) - neutral())
    account = next(meant, None)
    return None if account is None else one.wrong(account, _BIAS.format(number_(int(size))))


def _other_stack(context: Context, one: Judged) -> Judged | None:
    """The count of a stack or its blocks that is said of the one that attends to it besides."""
    account, model, place = one.account, one.model, context.document.at(one)
    if not one.holds or account is None or model is None or not cue("attended").match(account.path):
        return None
    if context.document.contradicts(model):
        return None
    above = () if cue("stacks").search(place.before()) else place.layout.above(place.number, 1)
    over = place.header if cue("stacks").search(place.header) else ""
    words_ = over or " ".join((*map(place.layout.text, above), place.before()))
    said = [found[0] for found in cue("stacks").finditer(words_)]
    behind = cue("stacks").search(place.behind(20))
    if behind is not None and not cue("stacks").search(_CLAUSE.split(place.before())[-1]):
        said = [behind[0]]  # `18.9M the encoder, 25.2M the decoder`
    last = said[-1] if said and not cue("as_the_other").search(place.before()) else "".join(said[:1])
    if not cue("attending").fullmatch(last):
        return None
    right = _of_the_decoder(one, account, model)
    apart = cue("without").search(place.before()) or cue("alone").search(place.before())
    if right is not None and right.count == account.count and one.label.own & concepts_of(right.path) - neutral():
        return replace(one, account=right, also=(account, *one.also))
    named = (each for each, _ in context.document.index.of(one.exact or 0) if cue("attending").match(each.path))
    if any(concepts_of(each.path) & one.label.own - neutral() for each in named):
        return None  # which has something else of this count
    if right is None or right.count == account.count or apart:
        return one.doubted()
    if any(each.exact in (right.count, right.count // model.sizes.get("L", 1)) for each in context.every):
        return one.doubted()
    return one.wrong(right, STACK, model=model)


def _of_the_decoder(one: Judged, account: Account, model: Model) -> Account | None:
    """The component of the decoder that is like one of the encoder, in its attention to that where it is named."""
    path = cue("attended").sub("decoder", account.path, count=1)
    across = path.replace(".attention", ".cross_attention") if "cross" in one.label.own else path
    found = {each.path: each for each in model.accounts if each.path in (path, across)}
    return found.get(across) or found.get(path)


def _unworked(context: Context, one: Judged) -> Judged | None:
    """What the expression beside it does not come to, where the others of its kind do."""
    right = context.worked.get(one.start) if one.figure is not None else None
    return None if right is None else one.wrong(right, "what stands beside it comes to {right}, not {stated}")


def _apart(context: Context, one: Judged) -> Judged | None:
    """What would be if something were otherwise, and the sum of several that the label names, is no one's count."""
    before = words(context.document, one)[0]
    return one if cue("if_so").search(before) or _SEVERAL.search(before) else None


_LABELLED = (
    each_head,
    _apart,
    _unworked,
    plainly,
    two_norms,
    _one_for_all,
    of_sibling,
    all_for_each,
    _other_bias,
    other_gates,
    _scaled,
    _other_model,
    *LENGTHS,
    incomplete,
    ungrouped,
    one_norm_more,
    of_stack,
    of_other_blocks,
)
unlike = Table(_is_asked, (*_LABELLED, *FACTORED, less, _other_stack))
"""What makes a count another than the one that is meant, the surest first."""
included = (
    Table(_is_asked, (with_biases, dense_with_bias, table_beside, listed_norms)),
    Table(_is_asked, (of_its_block,)),
)
"""What is said to be with what its count leaves out."""
