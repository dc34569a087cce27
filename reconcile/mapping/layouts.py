"""How a component is stored: the shapes that a dialect says it can have, and what a stored shape says of dimensions."""

from collections.abc import Mapping
from functools import cache

from reconcile.dialect import Dialect
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.mapping.builder import value_of
from reconcile.selection import matches
from reconcile.taxonomy import Component

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to store a component: the axes in order, as they are written (`text`) and over dimensions.

    `out` is the place of the component's own last axis, along which pieces of it stand side by side; `text` is empty
    where the shape is the component's own.
    """

    axes: tuple[Formula, ...]
    out: int
    text: str = ""

    def shape(self, sizes: Mapping[str, int | None]) -> Shape | None:
        """The shape for these dimensions; None where one of them is not known."""
        shape = tuple(value_of(axis, sizes) for axis in self.axes)
        return None if None in shape else shape  # type: ignore[return-value]

    def fits(self, shape: Shape) -> bool:
        """Whether a shape has as many axes, and the right size in those that are numbers."""
        return len(shape) == len(self.axes) and all(
            axis.dimensions or axis.evaluate({}) == size for axis, size in zip(self.axes, shape, strict=True)
        )


def layouts(dialect: Dialect, component: Component, leaf: str) -> tuple[Layout, ...]:
    """The ways in which a dialect stores a component, by the last part of the tensor's name, the usual one first."""
    for pattern, entry in dialect.layouts.items():
        if matches(pattern, component.path):
            if isinstance(entry, dict):
                entry = entry.get(leaf, [])
            texts = (entry,) if isinstance(entry, str) else tuple(entry)
            if texts:
                return _read(texts, component.shape)
    return (_own(component.shape),)


@cache
def _own(shape: tuple[Formula, ...]) -> Layout:
    return Layout(shape, len(shape) - 1)


@cache
def _read(texts: tuple[str, ...], shape: tuple[Formula, ...]) -> tuple[Layout, ...]:
    return tuple(_layout(text, shape) for text in texts)


def _layout(text: str, shape: tuple[Formula, ...]) -> Layout:
    names = [name.strip() for name in text.split(",")]
    own = {"in": shape[0], "out": shape[-1]}
    axes = tuple(own[name] if name in own else Formula.of(name) for name in names)
    if axes == shape:
        return _own(shape)
    # Where the axis is not named as such, it is the last one, as in the component itself.
    out = names.index("out") if "out" in names else len(names) - 1
    return Layout(axes, out, ", ".join(names))


def says(layout: Layout, component: Component) -> str:
    """What is worth saying of how a component is stored; nothing where it has its own shape."""
    if not layout.text:
        return ""
    if layout.axes == tuple(reversed(component.shape)):
        return f"stored transposed, ({layout.text})"
    return f"stored as ({layout.text})"
