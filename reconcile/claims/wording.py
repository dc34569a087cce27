"""What is said of a statement: what is wrong, what is right and why, in one short sentence each."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from reconcile.claims.accounts import ALL, Account
from reconcile.claims.claim import CUT_OFF
from reconcile.claims.judged import Judged
from reconcile.claims.miscounts import Miscount, miscounts
from reconcile.claims.models import OWN, Model
from reconcile.claims.slips import slip
from reconcile.expression.statements import Equation
from reconcile.formula import Formula
from reconcile.phrases import listed, number
from reconcile.quantity import Number, Quantity, distance
from reconcile.selection import matches
from reconcile.taxonomy import load_architecture

MOST_NAMED = 3
_OPERATIONS = "how many operations a model takes is not judged here"
_SCALES = ((1000, "a thousand"), (10**6, "a million"), (10**9, "a billion"))


def explained(one: Judged) -> str:
    """The explanation of a statement."""
    return "; ".join(dict.fromkeys(filter(None, (*(_wrong(one) if one.accused else _right(one)), *one.fits))))


# What is wrong


def _wrong(one: Judged) -> Iterator[str]:
    kind, _, detail = one.why.partition(":")
    if one.carried_from is not None:
        same = one.expected == one.carried_from.expected
        yield f"it carries on {_written(one.carried_from)}" + ("" if same else f"; right is {said(one.expected)}")
    elif kind == "arithmetic":
        yield f"the left side comes to {said(one.expected)}, not {said(one.value)}"
        yield from _slips(one.value, one.expected)
    elif kind in ("row", "shape"):
        yield f"{_KINDS[kind]} comes to {said(one.expected)}"
        yield from _slips(one.value, one.expected)
    elif kind == "rows below":
        yield f"the rows below it come to {said(one.expected)}, {_apart(one)}"
        yield f"this row is not in it: {detail}" if detail else ""
    elif kind == "rows":
        yield f"the rows come to {said(one.expected)}, {_apart(one)}"
    elif kind == "share":
        yield f"the share of the two counts is {_percent(one.expected)}"
    elif kind == "ratio":
        share = isinstance(one.of, Quantity) and one.of.unit == "share"
        yield f"the totals of the two models come to {_percent(one.expected) if share else said(one.expected)}"
    elif kind == "range":
        account, model = one.account, one.model
        yield f"{named(account, model)} has {said(one.expected)}, which is not in it" if account is not None else ""
    elif kind == "bytes":
        count, _, each = detail.partition(":")
        yield f"{number(int(count))} parameters of {each} bytes each are {said(one.expected)} bytes"
    elif kind == "one head":
        yield f"the arithmetic holds, the count does not: one head's share of the projections is {said(one.expected)}"
    else:
        yield from _other_count(one, kind, detail)


_KINDS = {"row": "the expression in this row", "shape": "the shape in this row"}


def _other_count(one: Judged, kind: str, detail: str) -> Iterator[str]:
    if isinstance(one.of, Equation):
        yield "the arithmetic holds, the count does not"
    if one.account is not None:
        yield f"{named(one.account, one.model)}: {said(one.expected)}, so that this is {_apart(one)}"
    else:
        yield f"right is {said(one.expected)}"
    if kind == "mistake" and (found := _mistake(one)) is not None:
        yield f"{found.mistake.name}: {found.mistake.says}"
    elif kind == "left out":
        yield f"`{detail}` is left out"
    elif kind == "times" and one.account is not None:
        yield f"it is counted {said(Fraction(one.exact or 0) / one.account.count)} times"
    elif kind in _BECAUSE:
        yield _BECAUSE[kind].format(detail)
    else:
        yield from _slips(one.value, one.expected)


_BECAUSE = {
    "dimension": "one dimension stands in the place of another one",
    "each": "it is not true of each of them",
    "heads": "the {} heads share these matrices and multiply nothing",
    "all blocks": "it is the count of one block",
    "outside": "a weight has no batch and no sequence dimension, {} multiplies none of it",
    "part": "it is the count of another part",
    "other model": "it is that of {}",
    "incomplete": "the layer norms are left out",
    "left": "it is what the total below leaves for this row",
    "nearly": "the expression counts biases or norms otherwise",
}


def _mistake(one: Judged) -> Miscount | None:
    if one.model is None or one.exact is None:
        return None
    return miscounts(one.model.architecture, one.model.dimensions).get(one.exact)


def _apart(one: Judged) -> str:
    if one.expected is None:
        return ""
    apart = one.value - one.expected
    return f"{said(distance(apart, 0))} too {'many' if apart > 0 else 'few'}"


def _slips(stated: Number, right: Number | None) -> Iterator[str]:
    """What would explain a wrong figure: two digits exchanged, one digit, or a power of ten."""
    if right is None or not right or not stated:
        return
    if isinstance(stated, int) and isinstance(right, int) and slip(stated, right, last=True):
        same = sorted(str(stated)) == sorted(str(right))
        yield (
            f"two neighbouring digits of {number(right)} have changed places"
            if same
            else f"one digit of {number(right)} is another"
        )
    for factor, word in _SCALES:
        for way, ratio in (("large", Fraction(stated) / right), ("small", Fraction(right) / stated)):
            if Fraction(95, 100) < ratio / factor < Fraction(105, 100):
                yield f"it is {word} times too {way}"


# What holds


def _right(one: Judged) -> Iterator[str]:
    if one.verdict == "cannot say" and one.fits:
        return
    if one.verdict == "cannot say":
        yield (
            "how many operations a model takes is not judged here"
            if one.unit == "operations"
            else "nothing tells what it counts"
        )
        return
    if one.verdict == "not a model figure":
        return
    kind, _, detail = one.why.partition(":")
    if one.account is not None:
        yield _accounted(one, one.account)
        if one.also:
            names = [f"`{other.path}`" for other in one.also[:MOST_NAMED]]
            yield f"by its count it can as well be {listed(names, 'or')}"
        yield _other_release(one, one.account)
    yield _HELD.get(kind, "")
    if kind == "classes":
        yield _with_classes(one, *detail.split(":"))
    elif kind == "dense":
        inputs, outputs = map(int, detail.split(":"))
        yield (
            f"a dense layer from {number(inputs)} to {number(outputs)}: "
            f"{number(inputs)}·{number(outputs)} + {number(outputs)}, a bias for each output"
        )
    if _cut_off(one):
        yield CUT_OFF
    if isinstance(one.of, Equation) and one.unit == "operations" and not one.fits:
        yield _OPERATIONS


def _with_classes(one: Judged, classes: str, path: str) -> str:
    """A total with a classifier on top, both with their counts."""
    total = next((each.count for each in one.model.totals if each.path == path), 0) if one.model else 0
    more = (one.exact or 0) - total
    name = one.model.name if one.model else "the model"
    return f"`{path}` of {name}, {number(total)}, and {number(more)} of a dense layer to {classes} outputs on top"


def _cut_off(one: Judged) -> bool:
    """Whether a figure is that of its count with the last digits cut off."""
    if isinstance(one.of, Quantity):
        return one.account is not None and one.of.fits(one.account.count) == "cut off"
    if not isinstance(one.of, Equation) or one.exact is None or len(one.of.sides[-1].amount.leaves) != 1:
        return False
    return one.of.sides[-1].amount.leaves[0].fits(one.exact) == "cut off"


_HELD = {
    "arithmetic": "the arithmetic holds",
    "restated": "the text has it elsewhere",
    "rows": "the rows come to it",
    "two": "it is the sum or the difference of two counts of the text",
    "bytes": "a count of the text or of its model, times the bytes of each",
    "share": "the ratio of two counts of the text",
    "ratio": "the ratio of the two models' totals",
}


def _accounted(one: Judged, account: Account) -> str:
    """`the token embedding of BERT base: V·H = 23,440,896`."""
    formula = _formula(account, one.model)
    equals = f"{formula} = {number(account.count)}" if formula else number(account.count)
    return f"{named(account, one.model)}: {equals}"


def _other_release(one: Judged, account: Account) -> str:
    """That a figure fits another release than the name says first, and by what they differ."""
    mention = one.scope.bound or one.scope.above
    if mention is None or one.model is None or not account.total or one.exact is not None or not mention.models:
        return ""
    first, words = mention.models[0].sizes.get("V"), one.model.sizes.get("V")
    if one.model in mention.models or not first or not words or first == words:
        return ""
    return f"its vocabulary has {number(words)} entries and not {number(first)}; a rounded figure does not prove it"


def named(account: Account, model: Model | None) -> str:
    """An account in words, with its model."""
    words = f"`{account.path}`"
    if model is not None and model.architecture and not account.total:
        tree = load_architecture(model.architecture)
        plain = account.path.partition(" without ")[0]
        bare = plain.removesuffix(ALL)
        if bare in tree.words:
            rest = account.path.removeprefix(plain)
            words = tree.words[bare] + rest + (" in all blocks" if plain.endswith(ALL) else "")
    return f"{words} of {model.name}" if model is not None and model.name != OWN else words


def _formula(account: Account, model: Model | None) -> Formula | None:
    """The formula of an account that is a node or a total, as the architecture has it."""
    if model is None or not model.architecture or " without" in account.path:
        return None
    formula, sizes = _of_path(account.path, account.total, model.architecture, model.lacks), model.sizes
    known = formula is not None and formula.dimensions <= sizes.keys()
    return formula if known and formula is not None and formula.evaluate(sizes) == account.count else None


@lru_cache(maxsize=1024)
def _of_path(path: str, total: bool, architecture: str, lacks: tuple[str, ...]) -> Formula | None:
    tree = load_architecture(architecture)
    options = frozenset(tree.options) - {"task"}
    if total:
        parts = [part for part in tree.active(options) if not any(matches(one, part.path) for one in lacks)]
        counted = tree.totals[path].account(parts, tree.totals) if path in tree.totals else None
        return sum(counted.values(), Formula.of(0)) if counted else None
    bare = path.removesuffix(ALL)
    if not tree.below(bare, options) or bare in ("encoder", "decoder"):
        return None
    return tree.size(bare, options) * (Formula.parse("L") if path.endswith(ALL) else Formula.of(1))


def definition(one: Judged) -> str | None:
    """What a statement holds as, in words: the path of a total, a component in the architecture's words."""
    if one.account is None or one.accused:
        return None
    return one.account.path if one.account.total else named(one.account, None)


def said(value: Number | None) -> str:
    """A number as a sentence has it; a fraction with four figures."""
    if value is None:
        return "unknown"
    if isinstance(value, int):
        return number(value)
    if abs(value) >= 1000:
        return number(round(value))
    digits = 4 if abs(value) < 1 else 2
    scaled = round(abs(value) * 10**digits)
    sign = "−" if value < 0 else ""
    return f"{sign}{scaled // 10**digits}.{scaled % 10**digits:0{digits}d}"


def _percent(value: Number | None) -> str:
    if value is None:
        return "unknown"
    scaled = round(Fraction(value) * 10**5)
    return f"{scaled // 1000}.{scaled % 1000:03d} %"


def _written(one: Judged) -> str:
    """A statement as it is referred to: its count, with what is right."""
    return f"{said(one.exact if one.exact is not None else one.value)}, which should be {said(one.expected)}"
