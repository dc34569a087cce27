"""How a component is stored: the shapes that a dialect says it can have, and what a stored shape says of dimensions."""

from collections.abc import Mapping, Sequence
from functools import cache

from reconcile.dialect import Dialect
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.mapping.matching import Match
from reconcile.selection import matches
from reconcile.taxonomy import Component

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to store a component: the axes in order, over dimensions and as they are written (`text`).

    `text` is empty where the shape is the component's own.
    """

    axes: tuple[Formula, ...]
    text: str = ""

    @property
    def out(self) -> int:
        """The place of the component's own last axis, along which pieces of it stand side by side: the last, unless
        another is named so."""
        names = self.text.split(", ")
        return names.index("out") if "out" in names else len(self.axes) - 1

    def shape(self, sizes: Mapping[str, int | None]) -> Shape | None:
        """The shape for these dimensions; None where one of them is not known."""
        shape = tuple(axis.value(sizes) for axis in self.axes)
        return None if None in shape else shape  # type: ignore[return-value]

    def fits(self, shape: Shape) -> bool:
        """Whether a shape has as many axes, and the right size in those that are numbers."""
        return len(shape) == len(self.axes) and all(
            axis.dimensions or axis.evaluate({}) == size for axis, size in zip(self.axes, shape, strict=True)
        )

    def says(self, component: Component) -> str:
        """What is worth saying of a component that is stored so; nothing where it has its own shape."""
        how = "transposed, " if self.axes == component.shape[::-1] else "as "
        return f"stored {how}({self.text})" if self.text else ""


def layouts(dialect: Dialect, component: Component, leaf: str) -> tuple[Layout, ...]:
    """The ways in which a dialect stores a component, by the last part of the tensor's name, the usual one first."""
    for pattern, entry in dialect.layouts.items():
        if matches(pattern, component.path):
            if isinstance(entry, dict):
                entry = entry.get(leaf, [])
            texts = (entry,) if isinstance(entry, str) else tuple(entry)
            if texts:
                return tuple(_layout(text, component.shape) for text in texts)
    return (Layout(component.shape),)


def stored_as(
    path: str, component: Component, pieces: Sequence[Match], dialect: Dialect, sizes: Mapping[str, int | None]
) -> tuple[Layout, Shape]:
    """The layout in which pieces are one component, and the shape they have in it; an odd one's where one is odd.

    It is the one that these dimensions make; if none is, the first with as many axes, or the usual one.
    """
    first = pieces[0]
    told = next((piece for piece in pieces if piece.tensor.shape != first.tensor.shape), first)
    many = () if first.number is None else (len(pieces),)
    ways = layouts(dialect, component, first.found.rule.leaf)
    found = [(way, (*many, *share(told, path, way.out - len(many)))) for way in ways]
    exact = (pair for pair in found if pair[0].shape(sizes) == pair[1])
    alike = (pair for pair in found if pair[0].fits(pair[1]))
    return next(exact, next(alike, found[0]))


def share(match: Match, path: str, axis: int) -> Shape:
    """The shape of an array, or of the share of it that is one of the components side by side along an axis."""
    shape, among = list(match.tensor.shape), len(match.components)
    if among > 1 and shape:
        axis = min(max(axis, 0), len(shape) - 1)
        each, rest = divmod(shape[axis], among)
        shape[axis] = each + (rest if match.components[0] == path else 0)
    return tuple(shape)


@cache
def _layout(text: str, shape: tuple[Formula, ...]) -> Layout:
    names = [name.strip() for name in text.split(",")]
    own = {"in": shape[0], "out": shape[-1]}
    axes = tuple(own[name] if name in own else Formula.of(name) for name in names)
    return Layout(axes) if axes == shape else Layout(axes, ", ".join(names))
