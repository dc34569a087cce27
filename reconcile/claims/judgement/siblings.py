"""Step 6f: counts of a tensor beside the one that a label names, or of several that are named together."""

import re

from reconcile.claims.judgement.context import Context
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.singled import Singled, named, singled
from reconcile.claims.structure.accounts import WITHOUT
from reconcile.claims.structure.lexicon import concepts_of, cue
from reconcile.expression.arithmetic import dense
from reconcile.expression.equations import Side

PART = "it is the count of another part"
_OPPOSITE = {"up": "down", "down": "up", "key": "query", "value": "query"}
"""Concepts of tensors that are taken for others, each with that of the other."""
_PARTED = re.compile(r"[,;:(，；：（、]")
_NOUN = re.compile(
    r"[\s\x01]*(?:of the )?(?:head|layer|block|matri|dim|\d|个?[头頭层層]|矩阵|"
    r"Kopf|Köpfe|Schicht|Matri|tête|couche|cabeza|capa)",
    re.I,
)
"""What each of the parts is that follow, and not of the three that stand before a figure."""
_THREE, _BEHIND = 3, 40


def of_sibling(context: Context, one: Judged) -> Judged | None:
    """The count of a tensor beside the one that the label names.

    A bias with that of its kernel; keys or values with that of the queries, of which there are more; one of two dense
    layers that is worked out with the bias of the other one.
    """
    said = singled(context.document, one) if not isinstance(one.of, Side) else None
    if said is None or one.exact is None or said.has(one.exact):
        return None
    if any(each.path == said.one.path for each, _ in context.document.index.of(one.exact)):
        return None  # of another model of the text
    if said.one.path.endswith(".bias"):
        plain = one.figure is not None and "kernel" not in one.label.own and "bias" in one.label.own
        kernel = said.one.path.removesuffix("bias") + "kernel"
        said_so = cue("without").search(context.document.at(one).row) is not None
        same = any((part.path, part.count) == (kernel, one.exact) for part in said.model.accounts)
        return _wrong_part(said, one) if plain and same and not said_so else None
    if one.exact in said.model.sizes.values():
        return None  # a size, where no bias is spoken of
    layer = dense(one.side.node) if one.side is not None else None
    other = {_OPPOSITE[each] for each in named(one.label) & _OPPOSITE.keys()}
    if len(other) != 1 or not (other == {"query"} or (layer is not None and layer[2] == layer[0])):
        return None
    there = (part for part in said.model.accounts if part.count == one.exact and " " not in part.path)
    return _wrong_part(said, one) if any(other <= concepts_of(part.path) for part in there) else None


def _wrong_part(said: Singled, one: Judged) -> Judged:
    return one.wrong(said.one, PART, model=said.model)


def all_for_each(context: Context, one: Judged) -> Judged | None:
    """What three projections have together, said of each: `query, key and value: 786,432 each`."""
    account, model = one.account, one.model
    if account is None or model is None or not one.holds or one.figure is None or "qkv" not in one.label.own:
        return None
    behind = context.document.at(one).behind(_BEHIND)
    each = cue("apiece").search(behind)
    if " - " not in account.path or each is None or _PARTED.search(behind, 0, each.start()):
        return None
    if _NOUN.match(behind, each.end()):
        return None  # `in each layer`, and what each head has
    within = (part for part in model.accounts if part.path.startswith(account.bare.partition(" - ")[0] + "."))
    third = (part for part in within if part.count * _THREE == account.count and WITHOUT not in part.path)
    part = next(third, None)
    return None if part is None else one.wrong(part, "it is the count of all three", model=model)
