"""Step 6f: counts that leave out a part of what their words name, of which nothing is said."""

import re
from math import prod

from reconcile.claims.judgement.context import SHAPE, Context
from reconcile.claims.judgement.cues import speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.singled import subject, words
from reconcile.claims.structure.accounts import BIASES, BOTH, NORMS, WITHOUT
from reconcile.claims.structure.labels import components_said
from reconcile.claims.structure.lexicon import concepts_in, concepts_of, cue
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.equations import Equation, Side

_PROJECTIONS = 3
"""Projections of an attention beside its output."""
NO_BIASES = "with its norms, and without the biases of its attention"
"""How a block is counted that has all but these."""
_NEAR, _BELOW = 20, 6
"""Lines of a list of what a block has, above its count or below it."""
_BEHIND, _ABOVE = 80, 6
"""Letters behind a count, and lines above it and below it, that say what is in it."""
_COUNT, _OF_NEXT = re.compile(r"\d[\d,. ]{4,}\d"), re.compile(r"[,;]\s|\s(?:and|or|und|et|y)\s")
"""A count behind a statement, and what stands before words of it: `124,318,464, and with biases 124,439,808`."""
_AXIS, _DENSE = re.compile(r"\d+"), 2
"""A size of a shape, and how many the kernel of a dense layer has."""
_NORM = re.compile(r"norm|归一|正規化|정규화|\bLN\b", re.I)


def incomplete(context: Context, one: Judged) -> Judged | None:
    """A block, all of them or a model with all of its biases and none of its norms, of which nothing is said.

    Not where the text goes on to what is complete, or has the norms that are left out by themselves.
    """
    account, model = one.account, one.model
    if account is None or model is None or model.lacks or not one.holds or not account.path.endswith(NORMS):
        return None
    if speaks_of(context.document, "no_norms"):
        return None
    if account.path.endswith(BOTH) or one.exact is None or "embedding" in concepts_of(account.path):
        return None  # three tables are often what is meant by embeddings
    if components_said(one.label) - concepts_of(account.path) - {"attention", "ff"}:
        return None
    whole = account.path.removesuffix(NORMS)
    right = next((each for each in model.accounts if each.path == whole), None)
    if right is None or not any(part.path.endswith(".bias") for part in model.accounts):
        return None
    layout, line = context.document.layout, context.document.at(one).number
    norms = right.count - account.count
    added = one.side is not None and one.side.node.operation == "sum"  # which shows what is in it
    parts = [evaluate(part, {}) for part in one.side.node.parts] if added and one.side is not None else []
    if {norms, norms // 2} & {part.value for part in parts if part is not None}:
        return None  # biases are, which are as many
    around = " ".join(layout.text(at) for at in (*(() if added else layout.above(line, 1)), line))
    if _NORM.search(around) or cue("without").search(around) or cue("altered").search(layout.text(line)):
        return None
    if cue("trainable").search(layout.text(line)):
        return None  # what is frozen has no norms where these are trained
    if any(_has(other, right.count, norms) for other in context.every):
        return None
    listed = [other for other in context.every if other.exact == norms // 2 and "norm" in other.label.own]
    lines = {context.document.at(other).number for other in listed}
    if not added and sum(0 < line - other <= _NEAR for other in lines) > 1:
        return None  # both of a block are in it, and something else is not
    blocks = model.sizes.get("L", 1) if "[*]" not in account.path else 1
    if blocks > 1 and any(other.exact == account.count // blocks for other in context.every):
        return None  # which is told of the block
    return one.wrong(right, "the layer norms are left out", model=model)


def _has(one: Judged, whole: int, norms: int) -> bool:
    """Whether a statement has the count with the norms, or that of the norms by their name."""
    return one.exact == whole or (one.exact == norms and "norm" in one.label.own)


def listed_norms(context: Context, one: Judged) -> Judged | None:
    """A block that lacks as much as its norms have, and lists these: the biases of its attention are left out."""
    account, model = one.account, one.model
    if account is None or model is None or model.lacks or not one.holds or one.exact is None:
        return None
    if not account.path.endswith(NORMS) or account.path.endswith(BOTH):
        return None
    block = account.path.removesuffix(NORMS)
    paths = {each.path: each for each in model.accounts}
    right, attention = paths.get(block), paths.get(f"{block}.attention{BIASES}")
    here = context.document.at(one).number
    near = [other for other in context.every if -_BELOW <= here - context.document.at(other).number <= _NEAR]
    near = [other for other in near if other is not one and other.holds]
    norms = {context.document.at(other).number: other.exact for other in near if "norm" in other.label.own}
    listed = right is not None and sum(count or 0 for count in norms.values()) == right.count - account.count
    alone = attention is not None and any(other.account == attention for other in near)
    return _otherwise(one) if listed and alone else None


def of_its_block(context: Context, one: Judged) -> Judged | None:
    """All blocks of which one is without the biases of its attention."""
    account, model = one.account, one.model
    if account is None or model is None or not one.holds or not account.path.endswith(NORMS):
        return None
    blocks = model.sizes.get("L", 1)
    told = (other for other in context.every if other.why == NO_BIASES and (other.exact or 0) * blocks == one.exact)
    return _otherwise(one) if next(told, None) is not None else None


def _otherwise(one: Judged) -> Judged:
    return one.with_("holds as", account=None, also=(), why=NO_BIASES)


def with_biases(context: Context, one: Judged) -> Judged | None:
    """The count of the matrices alone that is said to be with the biases, or below a row of them."""
    account = one.account
    if account is None or one.model is None or not one.holds or isinstance(one.of, Side):
        return None  # what an expression comes to is said behind it
    if not account.path.endswith((BIASES, BOTH)):
        return None
    path = account.path.replace(BOTH, NORMS).removesuffix(BIASES)
    right = next((each for each in one.model.accounts if each.path == path), None)
    before, behind = words(context.document, one, _BEHIND)
    sentence = before + (_OF_NEXT.split(behind)[0] if _COUNT.search(behind) else behind)
    said = any(cue("bias").search(found[0]) for found in cue("included").finditer(sentence))
    if right is None or _says_so(context, one):
        return None
    biases = right.count - account.count
    here = context.document.at(one).number
    rows = (row for row in context.rows.above(one) if here - row.line <= _ABOVE)
    below = (row for row in context.rows.below(one) if row.line - here <= _ABOVE)
    listed = any(row.of.exact == biases and row.of.label.own == {"bias"} for row in rows)
    said = said or (listed and not any(row.of.exact == biases for row in below))
    return one.wrong(right, "the biases are not in it", model=one.model) if said else None


def dense_with_bias(context: Context, one: Judged) -> Judged | None:
    """The kernel of a dense layer that is said to be counted with its bias: `Linear(768, 768) with its bias`."""
    if not one.holds or one.exact is None or one.figure is None or _says_so(context, one):
        return None
    before, behind = words(context.document, one, _BEHIND)
    shape = next(reversed(list(SHAPE.finditer(before))), None)
    if shape is None or not cue("dense").search(before[: shape.start()] + " "):
        return None
    axes = [int(axis) for axis in _AXIS.findall(shape[0])]
    said = cue("included").finditer(before[shape.end() :] + " " + _COUNT.split(behind)[0])
    if len(axes) != _DENSE or prod(axes) != one.exact or not any(cue("bias").search(found[0]) for found in said):
        return None
    right = one.exact + axes[-1]
    return one.wrong(right, "the bias is not in it").with_("mismatch", account=None, also=(), expected=right)


def _says_so(context: Context, one: Judged) -> bool:
    """Whether a sentence says that something is left out."""
    return cue("without").search("".join(words(context.document, one))) is not None


def less(context: Context, one: Judged) -> Judged | None:
    """A component without one of its parts under the component's own name, with no word of its other parts.

    Wrong where the part that is left out is nowhere else in the text either.
    """
    account = one.account
    if account is None or one.model is None or " - " not in account.path or not one.holds:
        return None
    if _PROJECTIONS in one.factors and WITHOUT not in account.path:
        return None  # which shows how many of them are counted, with their biases
    if one.model.sizes.get("A") in one.factors and cue("of_heads").search(context.document.at(one).near()):
        return None  # all heads, which have no output projection each
    whole, _, left = account.bare.partition(" - ")
    kept = {"qkv", "query", "key", "value"} if concepts_of(left) - concepts_of(whole) else frozenset()
    said = concepts_in(context.document.layout.text(context.document.at(one).number))
    if not kept or not concepts_of(whole) & one.label.own or kept & said:
        return None
    if not any(account in model.accounts for model in subject(context.document, one)):
        return one.doubted()  # it may be of another model, by chance
    right = next((each for each in one.model.accounts if each.path == account.path.replace(f" - {left}", "")), None)
    shown = isinstance(one.of, Equation) or cue("complete").search("".join(words(context.document, one)))
    if right is None or not shown or _says_so(context, one) or concepts_of(left) & said - concepts_of(whole):
        return one.doubted()
    parts = {each.count for each in one.model.accounts if each.path.startswith((left, whole + "."))}
    if any(other is not one and other.exact in parts and _may_be(left, other) for other in context.every):
        return one.doubted()
    return one.wrong(right, f"`{left}` is left out", model=one.model)


def _may_be(path: str, one: Judged) -> bool:
    """Whether a statement may be of a part that is left out: it is no size, and not of a component beside it."""
    if one.verdict == "not a model figure":
        return False
    top = path.partition(".")[0]
    return one.account is None or one.account.path.startswith(top)
