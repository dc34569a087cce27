"""What is said of a statement: what is wrong, what is right and why, in one short sentence each."""

from collections.abc import Iterator
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache

from reconcile.claims.claim import CUT_OFF
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.accounts import ALL, WITHOUT, Account
from reconcile.claims.structure.lexicon import table
from reconcile.claims.structure.models import OWN, Model
from reconcile.expression.equations import Equation
from reconcile.formula import Formula
from reconcile.phrases import listed, number
from reconcile.quantity import Number, Quantity, distance, slips
from reconcile.selection import matches
from reconcile.taxonomy import load_architecture

MOST_NAMED = 3
_OPERATIONS = "how many operations a model takes is not judged here"
_BLOCKS = "all blocks"
"""What a stack is called; a norm behind it is apart."""
_DIGITS = (4, 6, 9, 15)
"""Digits that shares are said with, until they can be told apart."""
_MOST_TIMES = 128
"""How many times another count a wrong one may be, that it is told."""
_SCALES = ((10, "ten"), (100, "a hundred"), (1000, "a thousand"), (10**6, "a million"), (10**9, "a billion"))


def explained(one: Judged) -> str:
    """The explanation of a statement."""
    says = "; ".join(dict.fromkeys(filter(None, (*(_wrong(one) if one.accused else _right(one)), *one.fits))))
    if not one.accused:
        return says
    right, stated = _amounts(one.unit, one.expected, one.value)
    return says.replace("{right}", right).replace("{stated}", stated).replace("{apart}", _apart(one))


def _amounts(unit: str, *values: Number | None) -> tuple[str, ...]:
    return _percents(*values) if unit == "share" else tuple(map(said, values))


# What is wrong


def _wrong(one: Judged) -> Iterator[str]:
    if (root := one.carried_from) is not None:
        said_there = root.value if root.exact in (None, root.expected) or root.unit == "bytes" else root.exact
        count, right = _amounts(root.unit, said_there, root.expected)
        yield f"it carries on {count}, which should be {right}"
        yield "" if one.expected == root.expected else "right is {right}"
        return
    if isinstance(one.of, Equation) and one.verdict == "mismatch":
        yield "the arithmetic holds, the count does not"
    if "{right}" not in one.why:
        of = f"{named(one.account, one.model)}: {{right}}, so that this is {{apart}}" if one.account else ""
        yield of or "right is {right}"
    yield one.why
    yield from _slips(one.value, one.expected)
    told = one.verdict == "arithmetic wrong" and one.unit != "share"
    if told and isinstance(one.value, int) and isinstance(one.expected, int):
        yield _times(one.value, one.expected)


def _times(stated: int, right: int) -> str:
    """How many times what is right a result is, where a factor of it is not written, or the other way round."""
    large, small = max(stated, right), min(stated, right)
    times = large // small if small > 0 and large % small == 0 else 1
    if not 1 < times <= _MOST_TIMES or times in dict(_SCALES):
        return ""
    often = "twice" if times == 2 else f"{times} times"
    return f"{number(stated)} is {often} that" if stated > right else f"that is {often} {number(stated)}"


def _apart(one: Judged) -> str:
    if one.expected is None:
        return ""
    apart = one.value - one.expected
    return f"{said(distance(apart, 0))} too {'many' if apart > 0 else 'few'}"


def _slips(stated: Number, right: Number | None) -> Iterator[str]:
    """What would explain a wrong figure: two digits exchanged, one digit, or a power of ten."""
    if right is None or not right or not stated:
        return
    if isinstance(stated, int) and isinstance(right, int) and right in slips(stated, last=True):
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
    if one.verdict == "cannot say" and not one.fits:
        yield _OPERATIONS if one.unit == "operations" else "nothing tells what it counts"
    if not one.holds:
        return
    if one.account is not None:
        yield _accounted(one, one.account)
        its_own = one.model.paths if one.model else {(other.path, other.count) for other in one.also}
        if also := dict.fromkeys(f"`{other.path}`" for other in one.also if (other.path, other.count) in its_own):
            yield f"by its count it can as well be {listed([*also][:MOST_NAMED], 'or')}"
        yield _other_release(one, one.account)
    yield one.why
    if _cut_off(one):
        yield CUT_OFF
    if isinstance(one.of, Equation) and one.unit == "operations" and not one.fits:
        yield _OPERATIONS


def _cut_off(one: Judged) -> bool:
    """Whether a figure is that of its count with the last digits cut off."""
    if isinstance(one.of, Quantity):
        return one.account is not None and one.of.fits(one.account.count) == "cut off"
    if not isinstance(one.of, Equation) or one.exact is None or len(one.of.sides[-1].amount.leaves) != 1:
        return False
    return one.of.sides[-1].amount.leaves[0].fits(one.exact) == "cut off"


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
    if one.model.architecture != mention.models[0].architecture:
        return ""
    return f"its vocabulary has {number(words)} entries and not {number(first)}; a rounded figure does not prove it"


def named(account: Account, model: Model | None) -> str:
    """An account in words, with its model."""
    if model is not None and account.path == table()["tables"]["one_token"]:
        return f"what one token uses of {model.name}, {model.sizes['Z']} of {model.sizes['X']} experts"
    words = f"`{account.path}`"
    if model is not None and model.architecture and not account.total:
        tree = load_architecture(model.architecture)
        plain = account.path.partition(WITHOUT)[0]
        bare = plain.removesuffix(ALL)
        if bare in tree.words:
            rest = account.path.removeprefix(plain)
            said = (
                _BLOCKS
                if bare in tree.stacks
                else tree.words[bare].partition(" with their ")[0]
                if "norms" in rest
                else tree.words[bare]
            )
            words = said + rest + (" in all blocks" if plain.endswith(ALL) else "")
    return f"{words} of {model.name}" if model is not None and model.name != OWN else words


def _formula(account: Account, model: Model | None) -> Formula | None:
    """The formula of an account that is a node or a total, as the architecture has it."""
    if model is None or not model.architecture or WITHOUT in account.path:
        return None
    formula, sizes = _of_path(account.path, account.total, model.architecture, model.lacks), model.sizes
    known = formula is not None and formula.dimensions <= sizes.keys()
    return formula if known and formula is not None and formula.evaluate(sizes) == account.count else None


@lru_cache(maxsize=1024)
def _of_path(path: str, total: bool, architecture: str, lacks: tuple[str, ...]) -> Formula | None:
    tree = load_architecture(architecture)
    parts = [part for part in tree.bare if not any(matches(one, part.path) for one in lacks)]
    if total:
        counted = tree.totals[path].account(parts, tree.totals) if path in tree.totals else None
        return sum(counted.values(), Formula.of(0)) if counted else None
    bare = path.removesuffix(ALL)
    own = [part for part in parts if f"{part.path}.".startswith(f"{bare}.") and part.tied_to is None]
    if bare in tree.stacks:  # the blocks; a norm behind them is apart
        own = [part for part in own if "[*]" in part.path]
    every = bare in tree.stacks or path.endswith(ALL)
    return sum((part.size * (part.times if every else Formula.of(1)) for part in own), Formula.of(0)) if own else None


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


def _percents(*values: Number | None) -> tuple[str, ...]:
    """Shares with four digits, or as many more as tell them apart."""
    for digits in _DIGITS:
        said_ = tuple("unknown" if value is None else _percent(Fraction(value) * 100, digits) for value in values)
        if len(set(said_)) == len(set(values)):
            break
    return said_


def _percent(value: Fraction, digits: int) -> str:
    share = Context(prec=digits).divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{share.normalize():f} %"
