"""What differs between two models in words: each difference as a formula with its numbers."""

from collections.abc import Callable, Mapping

from reconcile.comparison.axes import SettingDifference
from reconcile.comparison.difference import (
    COUNT,
    DTYPE,
    LAYOUT,
    NAME,
    ONLY_LEFT,
    ONLY_RIGHT,
    SHAPE,
    TIE,
    TRAINABLE,
    Difference,
)
from reconcile.comparison.folding import folded_text
from reconcile.comparison.shares import RESIDUAL, UNMAPPED, Share
from reconcile.formula import Formula, dimension, with_numbers
from reconcile.phrases import listed, more_or_fewer, number, signed

UNITS = {"V": "words", "P": "positions", "T": "token types", "K": "tasks", "L": "blocks"}
"""Dimensions that count things, and what they count."""

RANK = "r"
"""What the formulas of a low-rank addition call its rank."""

MOST_PLACES = 3


def difference_words(one: Difference, left: str, right: str) -> str:
    """One difference between the sides of these names, as a formula where there is one."""
    renamed = f" ({one.right_path} in {right})" if one.right_path and one.kind != NAME else ""
    return _WORDS[one.kind](one, left, right) + renamed


def setting_words(setting: SettingDifference, left: str, right: str) -> str:
    """One setting that differs, and where."""
    places = folded_text(setting.where, MOST_PLACES)
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
    if share.halves:
        shapes = listed([shape_words(half) for half in share.halves.values()])
        return f"only in {side}, {shapes}: {_equation(share, len(one.paths))}"
    return f"only in {side}: {_equation(share, len(one.paths))}"


def shape_words(share: Share) -> str:
    """A share's shape, `8×768`."""
    return "×".join(map(str, share.shape or ()))


def _count(one: Difference, left: str, right: str) -> str:
    """A difference in counts as an equation, where both sides have a formula."""
    before, after = one.both
    if not one.difference:
        return "its parts differ, and their sum does not"
    change, times = signed(one.difference), f"{len(one.paths)} × " if len(one.paths) > 1 else ""
    if before.formula is None or after.formula is None:
        return f"{change}: {_without_formula(before, after, left, right)}"
    if before.formula == after.formula:
        return f"{change} = {_other_sizes(before.formula, before.sizes, after.sizes, changed_sizes(one), times)}"
    if all(after.sizes.get(name, size) == size for name, size in before.sizes.items()):
        text = str(after.formula - before.formula)
        numbers = _numbers(text, {**before.sizes, **after.sizes}) if not times else ""
        return f"{change} = {_multiplied(times, text)}{numbers}: {after.formula} in {right}, {before.formula} in {left}"
    sides = [f"{_equation(share, 1)} in {side}" for share, side in ((before, left), (after, right))]
    return f"{change}: {times}{', '.join(sides)}"


def _other_sizes(
    formula: Formula, before: Mapping[str, int], after: Mapping[str, int], changed: tuple[str, ...], times: str
) -> str:
    """The same formula for other sizes: so many more of what a dimension counts, times what each of them takes."""
    name = changed[0]
    each = formula.substitute({name: dimension(name) + 1}) - formula
    if len(changed) != 1 or name in each.dimensions:
        text = str(formula)
        sides = [f"({filled})" if " " in (filled := with_numbers(text, sizes)) else filled for sizes in (after, before)]
        return f"{_multiplied(times, ' − '.join(sides))}, {text}"
    more = after[name] - before[name]
    text = with_numbers(str(each), after)
    factor = "" if text == "1" else f" × {f'({text})' if len(each.terms) > 1 else text}"
    if name in UNITS:
        return f"{times}{more_or_fewer(more)} {UNITS[name]}{factor}"
    sizes = f"{number(after[name])} − {number(before[name])}"
    return f"{times}({sizes}){factor}, {name}" if times or factor else f"{sizes}, {name}"


def _without_formula(before: Share, after: Share, left: str, right: str) -> str:
    if before.shape is not None and after.shape is not None:
        return f"{before.shape} → {after.shape}"
    known = [f"{_equation(share, 1)} in {side}" for share, side in ((before, left), (after, right)) if share.formula]
    return f"{known[0]}, and no formula known here for the other" if known else "no formula known here"


def _shape(one: Difference, left: str, right: str) -> str:
    one_shape, other_shape = (side.shape for side in one.both)
    what = "the same matrix, laid out otherwise" if one.kind == LAYOUT else "as many parameters in another shape"
    if one_shape == other_shape:
        return f"{one_shape} in {left} as in {right}, where others of its kind are laid out otherwise"
    if is_transposed(one):
        what = "transposed, and others of its kind are not"
    return f"{what}: {one_shape} in {left}, {other_shape} in {right}"


def is_transposed(one: Difference) -> bool:
    """Whether a matrix is transposed where no other of its kind is."""
    shapes = [side.shape or () for side in one.sides if side is not None]
    return one.kind == SHAPE and len(shapes) == 2 and len(shapes[0]) > 1 and shapes[0] == shapes[1][::-1]


def _dtype(one: Difference, left: str, right: str) -> str:
    before, after = one.both
    sizes = before.nbytes, after.nbytes
    taken = f": {number(sizes[0])} bytes → {number(sizes[1])}" if sizes[0] is not None and sizes[1] is not None else ""
    return f"{types(before)} in {left}, {types(after)} in {right}{taken}"


def types(share: Share) -> str:
    """The types in which a share's values are."""
    return listed(sorted(share.dtypes))


def _trainable(one: Difference, left: str, right: str) -> str:
    before, after = map(state, one.both)
    return f"{before} in {left}, {after} in {right}"


def state(share: Share) -> str:
    """Whether what stands at a node is trained."""
    if share.trainable == {True}:
        return "trainable"
    return "frozen" if share.trainable == {False} else "partly frozen"


def _tie(one: Difference, left: str, right: str) -> str:
    before, after = one.both
    apart, side, tied = (after, right, before) if before.tied_to else (before, left, after)
    other = left if side == right else right
    return f"stored apart in {side}: {_equation(apart, 1)}; in {other} it is {tied.tied_to}"


def _name(one: Difference, left: str, right: str) -> str:
    return f"called {one.right_path} in {right}"


def _equation(share: Share, times: int) -> str:
    """A share's formula with its numbers and its count, so many times."""
    count = number(share.count * times)
    if share.formula is None or not share.formula.dimensions:
        return count if times == 1 else f"{times} × {number(share.count)}"
    text = str(share.formula)
    if times > 1:
        return f"{_multiplied(f'{times} × ', text)} = {times} × {number(share.count)} = {count}"
    return f"{text}{_numbers(text, share.sizes)} = {count}"


def _numbers(text: str, sizes: Mapping[str, int]) -> str:
    """` = ` and a formula with the sizes put in, where it is short enough to be read."""
    filled = with_numbers(text, sizes)
    return f" = {filled}" if len(filled) <= 60 and not filled.lstrip("−").isdecimal() else ""


def _multiplied(times: str, text: str) -> str:
    return f"{times}({text})" if times and (" " in text) else times + text


_WORDS: dict[str, Callable[[Difference, str, str], str]] = {
    ONLY_LEFT: _only,
    ONLY_RIGHT: _only,
    COUNT: _count,
    SHAPE: _shape,
    LAYOUT: _shape,
    TRAINABLE: _trainable,
    TIE: _tie,
    NAME: _name,
    DTYPE: _dtype,
}
