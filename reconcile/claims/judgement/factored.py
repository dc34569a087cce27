"""Step 6f: expressions that multiply or add up something else than the component has that their label names."""

import re
from fractions import Fraction
from itertools import product

from reconcile.claims.judgement.accounting import PARAMETERS
from reconcile.claims.judgement.context import LEAST, Context, Rule
from reconcile.claims.judgement.cues import speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.miscounts import miscounts
from reconcile.claims.judgement.shared_heads import by_heads, gives_each, says_heads
from reconcile.claims.judgement.singled import singled, subject, words
from reconcile.claims.structure.accounts import BOTH, WITHOUT, Account
from reconcile.claims.structure.catalogue import sizes_of
from reconcile.claims.structure.document import COUNTED_WRONG, Document
from reconcile.claims.structure.labels import agreement, components_over, weights
from reconcile.claims.structure.lexicon import concepts_in, concepts_of, cue
from reconcile.claims.structure.models import OWN, Model
from reconcile.expression.arithmetic import dense, evaluate
from reconcile.expression.arithmetic import figures as leaves
from reconcile.expression.equations import Equation
from reconcile.phrases import number
from reconcile.quantity import distance

_NEARLY = Fraction(1, 100)
LEAST_SIZE = 256
"""The smallest dimension that is counted wrong by one or two; less is another one."""
_MODELS = 4
"""Models of a text that an expression is held against."""
_WORDS = frozenset(("token", "position", "segment"))
"""Concepts of words that are said of other things as well."""
_WHOLE = re.compile(r"(?<![\d.,])\d{1,3}(?:,?\d{3})*(?![\d.,]*\d)")
_LEAST_COUNT = 100_000
"""From which on a figure is a count, and no size."""
_CLAUSE = re.compile(r"[,;|)(]|i\.e\.|[，；（）、]")
_FURTHER = re.compile(r"\b(?:more|further|other|weitere|autres|otras|más)\b|另外|还有", re.I)
"""What says of norms that they are others than those of a block."""
_TWO = re.compile(r"\b(?:two|both|zwei|beide[rn]?|deux|dos|ambas)\b|[两二두]|\b2[\s\x01]+[^\W\d]", re.I)
"""What says that a count is that of two of something."""
_OFTEN = 8
"""Up to which weights are there as often as a factor says."""
_NORMS_OR_BIASES = re.compile(r"(?:norm|\.bias)(?: × L)?$")


def _of_sizes(one: Judged, model: Model, document: Document | None = None) -> bool:
    """Whether an expression has no figures but a model's dimensions and multiples of its width; or a text's counts."""
    sizes = model.sizes
    width, heads = sizes.get("H", 0), sizes.get("A", 0)
    own = {*sizes.values(), *range(5), *(width * times for times in range(1, 5)), width // heads if heads else 0}
    return bool(one.factors) and all(
        number in own or (document and isinstance(number, int) and number >= LEAST and document.index.of(number))
        for number in one.factors
    )


def _unknown(document: Document, one: Judged) -> bool:
    """Whether no component of the text's models has a count, and its label speaks of nothing beside them."""
    return "foreign" not in one.label.said and not document.index.of(one.exact or 0)


def _usual(context: Context, one: Judged) -> Judged | None:
    """One of the usual mistakes, of a component that is named, or of heads where the line speaks of them."""
    if not one.sides or speaks_of(context.document, "key_dim"):  # of Keras, which makes heads of any width
        return None
    document, components = context.document, components_over(one.label)
    grouped = any("K" in model.sizes for model in subject(document, one))
    if grouped and cue("not_grouped").search(words(document, one)[0]):
        return None  # what it would be with as many keys as queries
    heads, unknown = says_heads(document, one), _unknown(document, one) and isinstance(one.of, Equation)
    about = {model.sizes.get("H") for model in subject(document, one)} - {None}
    for model in document.index.models[:_MODELS] if heads or unknown else ():
        if about and model.sizes.get("H") not in about:
            continue
        found = miscounts(model.architecture, model.dimensions).get(one.exact or 0)
        if found is None or (found.mistake.named and model.name == OWN):
            continue
        of_heads = heads and not found.varied and "head" in found.mistake.id
        named = unknown and components and components <= concepts_of(found.account.path)
        if named or (of_heads and "attention" in components and "qkv" not in one.label.own):
            return one.wrong(found.account, found.why, model=model)
    return None


def _miscounted(context: Context, one: Judged) -> Judged | None:
    """A component with one of its dimensions wrong by one or two, such as a vocabulary without its last token."""
    document, side = context.document, one.side
    said = singled(document, one) if side is not None and _unknown(document, one) else None
    if said is None or side is None or said.has(one.exact or 0) or not document.vocabularies.isdisjoint(one.factors):
        return None
    if speaks_of(document, "tokens_added"):
        return None
    every = [(leaf.start, leaf.quantity.value) for leaf in leaves(side.node) if leaf.quantity is not None]
    known = {*said.model.sizes.values(), *(size.size for size in document.sizes)}  # `with d_ff = 1024 it would be`
    other = {value for _, value in every} & sizes_of(said.model.architecture) - known
    for wrong, size in product(other, said.model.sizes.values()):
        amount = evaluate(side.node, document.symbols, {start: size for start, value in every if value == wrong})
        if side.node.operation == "sum" and amount is not None and amount.value == said.one.count:
            return one.wrong(said.one, f"it has {number(size)} and not {number(int(wrong))}", model=said.model)
    for start, value in every:
        for letter, size in said.model.dimensions:
            near = size >= LEAST_SIZE and 0 < distance(size, value) < COUNTED_WRONG
            near = near and not (letter == "P" and value > size)  # some tables have two rows before the first position
            amount = evaluate(side.node, document.symbols, {start: size}) if near else None
            right = next((way for way in said.parts if amount is not None and way.count == amount.value), None)
            if right is not None:
                return one.wrong(right, f"it has {number(size)} and not {number(int(value))}", model=said.model)
    return None


def each_head(context: Context, one: Judged) -> Judged | None:
    """What is multiplied by the heads below words that give the whole width to each: `that would make 12 × …`."""
    here = context.document.at(one)
    above = map(here.layout.text, here.layout.above(here.number, 2))
    said = any(map(gives_each, above)) and not cue("supposed").search(here.row)
    return (_usual(context, one) or by_heads(context, one)) if said else None


def _nearly(context: Context, one: Judged) -> Judged | None:
    """An expression over a model's dimensions that comes near to its component and to nothing of the model."""
    document, side, count = context.document, one.side, one.exact
    if side is None or count is None or one.account is not None or document.index.of(count):
        return None
    said = singled(document, one)
    if said is None or side.amount.scaled or side.amount.symbolic:
        return None
    around = "".join(words(document, one))
    if cue("without").search(around) or cue("gap").search(around) or speaks_of(document, "one_norm"):
        return None
    if dense(side.node) or len(one.factors) < 3 or not _of_sizes(one, said.model, document):
        return None
    best = min(said.ways, key=lambda way: distance(way.count, count))
    width = said.model.sizes.get("H", 0)
    gammas = {way.count + each * width for way in said.ways if way.path.endswith(BOTH) for each in (1, 2)}
    if distance(best.count, count) > _NEARLY * best.count or count in gammas:  # a model without any biases
        return None
    path = best.path.partition(" without ")[0]
    right: Account = next((way for way in said.ways if way.path == path), best)
    if any(other.exact == distance(right.count, count) for other in context.nearby.row(one)):
        return None  # which has what is missing besides
    return one.wrong(right, "the expression counts biases or norms otherwise", model=said.model)


def _one_head(context: Context, one: Judged) -> Judged | None:
    """What one head has, where it is given the whole of a projection."""
    document = context.document
    said = one.label.near if one.label.apart else one.label.own
    if "onehead" not in said or not isinstance(one.of, Equation) or "foreign" in one.label.said:
        return None
    near = "".join((_CLAUSE.split(document.at(one).before())[-1], *_CLAUSE.split(document.at(one).behind())[:1]))
    if cue("undivided").search(document.at(one).row):
        return None  # which is as wide as the model
    if not document.at(one).tabled and "onehead" not in concepts_in(near):
        return None  # which is said of what stands before it: `64 per head, W_O 768 × 768 = 589,824`
    models, count = document.index.models[:_MODELS], one.exact or 0
    sizes = {leaf.quantity.value for side in one.sides for leaf in leaves(side.node) if leaf.quantity}
    widths = {model.sizes.get("H", 0) for model in models} - {0}
    if any(size * many in widths - {size} for size in sizes for many in sizes - {1}):
        return None  # which is divided among the heads
    for model in models:
        width, heads = model.sizes.get("H", 0), model.sizes.get("A", 0)
        shared = heads in one.factors and len(one.factors) == 2  # one head's share, of all of them
        whole = width in sizes and count >= width * width and count % heads == 0
        if heads and not shared and whole and _of_sizes(one, model):
            return one.wrong(count // heads, "one head's share of them is {right}", model=model)
    return None


def _four_norms(context: Context, one: Judged) -> Judged | None:
    """The norms of a block taken twice, which many say to be four."""
    document, count = context.document, one.exact or 0
    if components_over(one.label) != {"norm"} or "bias" in one.label.own:
        return None
    if not _unknown(document, one) or speaks_of(document, "sandwich") or _FURTHER.search(document.at(one).before()):
        return None
    row = [int(digits.replace(",", "")) for digits in _WHOLE.findall(document.at(one).near())]
    if any(number > 1 and count % number == 0 and count // number in row for number in row):
        return None  # each, and how many: `512 | 12 | 6,144`
    for model in document.index.models[:_MODELS]:
        for account in () if document.contradicts(model) else model.accounts:
            said = "norm" in one.label.own or (one.sides and _of_sizes(one, model))
            if not said or count != 2 * account.count or account.total or "norm" not in concepts_of(account.path):
                continue
            if agreement(account.path, one.label) >= weights()["strong"]:
                return one.wrong(account, "it is counted 2 times", model=model)
    return None


def _twice(context: Context, one: Judged) -> Judged | None:
    """A feed-forward of both layers that is counted a second time for them."""
    document, said = context.document, singled(context.document, one) if one.figure is not None else None
    if said is None or said.model.name == OWN or components_over(one.label) != {"ff"} or not _unknown(document, one):
        return None
    right = next((way for way in said.ways if 2 * way.count == one.exact and "ff" in concepts_of(way.path)), None)
    several = cue("of_every_block").search(document.at(one).row) or _TWO.search(document.at(one).before())
    both = right is not None and right.path in said.names and not several
    return one.wrong(right, "it is counted 2 times", model=said.model) if both and right is not None else None


def _short(context: Context, one: Judged) -> Judged | None:
    """A sum that is called a total: wrong where it lacks norms or biases of one component, otherwise in doubt."""
    document = context.document
    if not one.holds or not one.sides or not _unknown(document, one):
        return None
    partial = _partial(document, one)
    said = cue("without").search("".join(words(document, one)))
    if partial and not said and (left_out := _left_out(document, one)) is not None:
        account, model, without = left_out
        return one.wrong(account, f"`{without}` is left out", model=model)
    if speaks_of(document, "adapters"):
        return None  # which may be all that is added up
    return one.doubted() if partial or _doubtful(document, one) else None


def _left_out(document: Document, one: Judged) -> tuple[Account, Model, str] | None:
    """The total, or the block of whole parts, that a sum is short of by the norms or biases of one component."""
    for model in document.index.models[:_MODELS]:
        small = [account for account in model.accounts if _NORMS_OR_BIASES.search(account.path)]
        whole = {account.count for account in model.accounts if WITHOUT not in account.path}
        blocks = model.accounts if all(number in whole for number in one.factors) else ()
        for right in (*model.totals, *(account for account in blocks if account.path.endswith("block[*]"))):
            lacking = [each.path for each in small if each.count == right.count - (one.exact or 0)]
            if lacking:
                return right, model, max(lacking, key=lambda path: path.startswith(right.path))
    return None


def _partial(document: Document, one: Judged) -> bool:
    """Whether a sum of a known model's parts is called a total though it is none of its totals."""
    if not isinstance(one.of, Equation) or not (one.label.own or one.label.said) & {"whole", "block"}:
        return False
    side = one.sides[0]
    large = [number for number in one.factors if isinstance(number, int) and number >= LEAST]
    summed = side.node.operation == "sum" and not side.amount.scaled
    return summed and len(large) > 1 and all(document.index.of(number) for number in large)


def _doubtful(document: Document, one: Judged) -> bool:
    """Whether an expression with counts in it has no account, though its label names a component of a model."""
    if all(number < _LEAST_COUNT for number in one.factors):  # of sizes alone: that they come to it is all that is said
        return _is_multiplied(document, one)
    if not components_over(one.label) - _WORDS and "block" not in one.label.own:
        return False
    said = singled(document, one)
    if said is None or said.has(one.exact or 0):
        return False
    return said.model.name != OWN or _of_sizes(one, said.model, document)  # of sizes alone it may be anything's


def _is_multiplied(document: Document, one: Judged) -> bool:
    """Whether a size multiplies the weights that the label names, as if each of a batch or of a text had its own."""
    said = singled(document, one) if one.unit == PARAMETERS or "kernel" in one.label.said else None
    count = one.exact or 0
    return said is not None and any(count % way.count == 0 and count > _OFTEN * way.count for way in said.ways)


FACTORED: tuple[Rule, ...] = (
    *(_usual, by_heads, _miscounted, _nearly, _one_head, _four_norms, _twice),
    _short,
)
