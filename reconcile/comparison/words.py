"""What differs between two models in words: each difference as a formula with its numbers."""

from reconcile.comparison.axes import SettingDifference
from reconcile.comparison.difference import Difference, Kind
from reconcile.comparison.folding import folded_text
from reconcile.comparison.shares import RESIDUAL, UNMAPPED, Share
from reconcile.formula import dimension, with_numbers
from reconcile.phrases import listed, more_or_fewer, number, signed

UNITS = {"V": "words", "P": "positions", "T": "token types", "K": "tasks", "L": "blocks"}
"""Dimensions that count things, and what they count."""


def difference_words(one: Difference, left: str, right: str) -> str:
    """One difference between the sides of these names, as a formula where there is one."""
    if one.kind in (Kind.ONLY_LEFT, Kind.ONLY_RIGHT):
        words = _only(one, left, right)
    elif one.kind == Kind.COUNT:
        words = _count(one, left, right)
    elif one.kind in (Kind.SHAPE, Kind.LAYOUT):
        words = _shape(one, left, right)
    elif one.kind == Kind.TIE:
        words = _tie(one, left, right)
    elif one.kind == Kind.NAME:
        return f"called {one.right_path} in {right}"
    else:
        before, after = map(state if one.kind == Kind.TRAINABLE else types, one.both)
        sizes = [number(side.nbytes * len(one.paths)) for side in one.both if side.nbytes is not None]
        taken = f": {' → '.join(sizes)} bytes" if one.kind == Kind.DTYPE and len(sizes) == 2 else ""
        words = f"{before} in {left}, {after} in {right}{taken}"
    return f"{words} ({one.right_path} in {right})" if one.right_path else words


def setting_words(setting: SettingDifference, left: str, right: str) -> str:
    """One setting that differs, and where."""
    places = folded_text(setting.where)
    where = f" of {places}" if places else ""
    if setting.name == "input":
        sides = [(setting.left, left), (setting.right, right)]
        fed = [f"fed by {listed(sources)} in {name} only" for sources, name in sides if sources]
        return f"{places}: {' and '.join(fed)}"
    name = {"A": "attention heads (A)", "S": "sequence length (S)"}.get(setting.name, setting.name)
    return f"{name}{where}: {value_text(setting.left)} → {value_text(setting.right)}"


def value_text(value: object) -> str:
    """A setting's value as it is read; a fraction without the digits that only its storage has."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if type(value) is int:
        return number(value)
    return "nothing" if value is None else str(value)


def changed_sizes(one: Difference) -> tuple[str, ...]:
    """The names whose sizes alone make a difference in a count; none where the formulas differ, or there is none."""
    left, right = one.left, one.right
    if left is None or right is None or left.formula is None or left.formula != right.formula:
        return ()
    return tuple(name for name in sorted(left.sizes) if left.sizes[name] != right.sizes[name])


def _only(one: Difference, left: str, right: str) -> str:
    share, side = (one.left, left) if one.left is not None else (one.right, right)
    assert share is not None
    if one.paths[0].startswith(UNMAPPED + "."):
        return f"only in {side}, and no component of a model known here"
    if one.paths[0] == RESIDUAL:
        return f"only in {side}: beyond what its components add up to"
    if not share.count:
        return f"only in {side}, without parameters of its own"
    shapes = f", {listed(map(shape_words, share.halves))}" if share.halves else ""
    return f"only in {side}{shapes}: {equation(share, len(one.paths))}"


def shape_words(shape: tuple[int, ...] | None) -> str:
    """A shape, `8×768`."""
    return "×".join(map(str, shape or ()))


def _count(one: Difference, left: str, right: str) -> str:
    """A difference in counts as an equation: in what one dimension changes, or as what either side has."""
    before, after = one.both
    if not one.difference:
        return "its parts differ, and their sum does not"
    change, times = signed(one.difference), len(one.paths)
    if more := more_of_one(one):
        product, name = more
        return f"{change} = {product}" + (f", {name}" if name else "")
    return f"{change}: {equation(before, times)} in {left}, {equation(after, times)} in {right}"


def more_of_one(one: Difference) -> tuple[str, str] | None:
    """A difference that another size of one dimension makes, as `89,025 more words × 768`, or `(1,024 − 768) × 512`
    with the dimension; None for any other."""
    changed, formula = changed_sizes(one), one.left.formula if one.left is not None else None
    if formula is None or len(changed) != 1:
        return None
    (name,), (before, after) = changed, one.both
    each = formula.substitute({name: dimension(name) + 1}) - formula
    if name in each.dimensions:
        return None
    filled, times = with_numbers(str(each), after.sizes), len(one.paths)
    often, factor = (f"{times} × " if times > 1 else ""), "" if filled == "1" else f" × {_bracketed(filled)}"
    if name in UNITS:
        return f"{often}{more_or_fewer(after.sizes[name] - before.sizes[name])} {UNITS[name]}{factor}", ""
    sizes = f"{number(after.sizes[name])} − {number(before.sizes[name])}"
    return f"{often}{f'({sizes})' if often or factor else sizes}{factor}", name


def _shape(one: Difference, left: str, right: str) -> str:
    one_shape, other_shape = (side.shape for side in one.both)
    what = "the same matrix, laid out otherwise" if one.kind == Kind.LAYOUT else "as many parameters in another shape"
    if one_shape == other_shape:
        return f"{one_shape} in {left} as in {right}, where others of its kind are laid out otherwise"
    if is_transposed(one):
        what = "transposed, and others of its kind are not"
    return f"{what}: {one_shape} in {left}, {other_shape} in {right}"


def is_transposed(one: Difference) -> bool:
    """Whether a matrix is transposed where no other of its kind is."""
    before, after = (side.shape or () for side in one.both)
    return one.kind == Kind.SHAPE and len(before) > 1 and before == after[::-1]


def types(share: Share) -> str:
    """The types in which a share's values are."""
    return listed(sorted(share.dtypes))


def state(share: Share) -> str:
    """Whether what stands at a node is trained."""
    if share.trainable == {True}:
        return "trainable"
    return "frozen" if share.trainable == {False} else "partly frozen"


def _tie(one: Difference, left: str, right: str) -> str:
    before, after = one.both
    apart, side, tied, other = (after, right, before, left) if before.tied_to else (before, left, after, right)
    return f"stored apart in {side}: {equation(apart, len(one.paths))}; in {other} it is {tied.tied_to}"


def equation(share: Share, times: int) -> str:
    """A share's formula with its numbers and its count, so many times."""
    count, often = number(share.count * times), f"{times} × " if times > 1 else ""
    repeated = f"{often}{number(share.count)} = {count}" if often else count
    if share.formula is None or not share.formula.dimensions:
        return f"{shape_words(share.shape)} = {count}" if share.shape and not often else repeated
    text = str(share.formula)
    if often:
        return f"{often}{_bracketed(text)} = {repeated}"
    filled = with_numbers(text, share.sizes)
    return f"{text} = {filled} = {count}" if len(filled) <= LONGEST and not filled.isdecimal() else f"{text} = {count}"


LONGEST = 60
"""Signs of a formula that is printed with its numbers too."""


def _bracketed(text: str) -> str:
    return f"({text})" if " " in text else text
