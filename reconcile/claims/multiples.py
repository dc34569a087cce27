"""Components that are counted several times: once for each head, or for each block where one is spoken of."""

import re

from reconcile.claims.accounts import ALL
from reconcile.claims.document import Document
from reconcile.claims.factors import sizes_of, uses_only, worked
from reconcile.claims.judged import Judged
from reconcile.claims.labels import agreement, components_over, weights
from reconcile.claims.lexicon import concepts_of
from reconcile.claims.miscounts import miscounts, stacks
from reconcile.claims.models import Model
from reconcile.claims.singled import singled
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.arithmetic import figures as leaves
from reconcile.expression.statements import Equation, Side
from reconcile.quantity import Number, Quantity


def of_heads(document: Document, one: Judged, count: int) -> Judged | None:
    """What is said of heads and is each head's projections at full width; as many blocks may have the same count."""
    line = document.layout.text(document.layout.line(one.start))
    if isinstance(one.of, Quantity) or not _SAYS_HEADS.search(line) or "all" in one.label.said:
        return None
    for model in document.index.models[:6]:
        found = miscounts(model.architecture, model.dimensions).get(count) if model.architecture in stacks() else None
        if found is not None and "head" in found.mistake.id:
            return one.with_("mismatch", account=found.account, model=model, also=(),
                             expected=found.account.count, why=f"mistake:{found.mistake.id}")  # fmt: skip
    return None


_SAYS_HEADS = re.compile(r"\bheads?\b|head数|注意力头|多头|[个個]头|헤드|ヘッド|Köpfe|têtes|cabezas", re.I)


def full_heads(document: Document, one: Judged, _: int) -> Judged | None:
    """Matrices at full width, or what is trained beside them, that are multiplied by the number of heads."""
    side = worked(one)
    line = document.layout.text(document.layout.line(one.start))
    if side is None or side.node.operation != "product" or not _SAYS_HEADS.search(line):
        return None
    for model in document.index.models[:4]:
        heads = model.sizes.get("A", 0)
        if heads < 2 or (expected := _without(document, side, model, heads)) is None:
            continue
        return one.with_("mismatch", account=None, model=model, also=(), expected=expected, why=f"heads:{heads}")
    return None


def _without(document: Document, side: Side, model: Model, heads: int) -> Number | None:
    """What a product comes to without its number of heads, where the rest has the model's full width."""
    text = document.plain.text
    if model.sizes.get("H", 0) // heads in {leaf.value for leaf in side.amount.leaves}:
        return None
    for leaf in leaves(side.node):
        if leaf.quantity is None or leaf.quantity.value != heads:
            continue
        amount = evaluate(side.node, document.symbols, {leaf.start: 1})
        if amount is None:
            return None
        full = any("attention" in concepts_of(account.path) and ALL not in account.path
                   for account, _ in document.index.of(amount.whole or 0))  # fmt: skip
        if full and ("head" not in text[side.start : side.end] or _HEADS.match(text, leaf.quantity.number_end - 1)):
            return amount.value
        parts = (part.quantity.value for part in leaves(side.node) if part.quantity is not None)
        if _HEADS.match(text, leaf.quantity.number_end - 1) and any(
            _is_full(document, part, model, heads) for part in parts
        ):
            return amount.value
    return None


def _is_full(document: Document, count: Number, model: Model, heads: int) -> bool:
    """Whether an equation of the text makes a count from the full width of a model, and not from that of a head."""
    width = model.sizes.get("H", 0)
    for equation in document.statements.equations:
        if equation.sides[-1].amount.value == count and count >= width:
            numbers = {leaf.value for leaf in equation.sides[0].amount.leaves}
            return width in numbers and width // heads not in numbers
    return False


def one_head(document: Document, one: Judged, count: int) -> Judged | None:
    """What one head has, where it is given the whole of a projection."""
    side = worked(one)
    if "onehead" not in one.label.own or side is None:
        return None
    if any(_splits(side, model.sizes.get("H", 0)) for model in document.index.models[:4]):
        return None
    for model in document.index.models[:4]:
        width, heads = model.sizes.get("H", 0), model.sizes.get("A", 0)
        if (
            heads
            and not _splits(side, width)
            and width % heads == 0
            and count >= width * width
            and uses_only(one, sizes_of(model))
        ):
            return one.with_("mismatch", expected=4 * width * (width // heads), model=model, why="one head")
    return None


def multiple(document: Document, one: Judged, count: int) -> Judged | None:
    """A labelled component taken twice, once for each head, or for each block where only one is spoken of."""
    components = components_over(one.label)
    if len(components) != 1 or "bias" in one.label.own or isinstance(one.of, Quantity):
        return None
    for model in document.index.models[:4]:
        sizes = model.sizes
        factors = {2, sizes.get("A", 2)} if "all" not in one.label.said else {2}
        for account in model.accounts:
            if account.total or not account.count or count % account.count or count // account.count not in factors:
                continue
            agrees = concepts_of(account.path) >= components and agreement(account, one.label) >= weights()["strong"]
            if agrees and uses_only(one, sizes_of(model)):
                said = singled(document, one)
                whole = said is not None and account.path.startswith(said.one.path + ".")
                if said is not None and whole:  # some of its matrices, and not one of them several times
                    return one.with_(
                        "mismatch", account=said.one, model=said.model, expected=said.one.count, why="part"
                    )
                return one.with_("mismatch", account=account, model=model, expected=account.count, why="times")
    return None


def by_heads(document: Document, one: Judged) -> bool:
    """Whether an expression multiplies by heads, which multiply nothing, without the size of one."""
    side = one.of.sides[0] if isinstance(one.of, Equation) else one.of
    if not isinstance(side, Side) or not _HEADS.search(document.plain.text[side.start : side.end + 8]):
        return False
    return not any(_splits(side, model.sizes.get("H", 0)) for model in document.index.models[:4])


def _splits(side: Side, width: int) -> bool:
    """Whether an expression has a number of heads and the size of each, which together are the width."""
    numbers = {leaf.quantity.value for leaf in leaves(side.node) if leaf.quantity is not None}
    return any(size * heads == width for size in numbers - {width} for heads in numbers)


_HEADS = re.compile(r"\d[ \x01]*(?:attention )?heads?\b|\d[ \x01]*个head|\d[ \x01]*개 head", re.I)
