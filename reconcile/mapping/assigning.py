"""Matches -> assignments: each component with the arrays that are it, in whatever layout, and each array once."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from math import prod

from reconcile.dialect import Dialect
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.mapping.ledger import Assignment, Excluded, Recognised, Unmapped
from reconcile.mapping.matching import Match
from reconcile.selection import matches
from reconcile.taxonomy import Architecture, Component, template

Shape = tuple[int, ...]
COPY = "tied copy"
"""What is stored a second time under another name of a component, or of one that shares its array."""


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


@dataclass()
class Held:
    """What the components of one model are made of, by path; and what of the source is no component of its own.

    `ties` are components that share another's array.
    """

    pieces: dict[str, list[Match]] = field(default_factory=dict)
    ties: dict[str, str] = field(default_factory=dict)
    excluded: list[Excluded] = field(default_factory=list)
    unmapped: list[Unmapped] = field(default_factory=list)


def hold(found: Sequence[Match], architecture: Architecture, distinct: bool, seconds: bool = True) -> Held:
    """Sort the matches of one model by component.

    Where components that the architecture ties have arrays of their own, these are copies of one, unless two arrays of
    the source are `distinct`, as they are in a live model. Without `seconds` this holds for ties alone, and what has
    the name of a component that is there already is a copy of it.
    """
    components = {part.path: part for part in architecture.components}
    # What is the same array as another in some models, and a second one of its kind in others.
    second = {part.shares: part.path for part in architecture.components if part.shares and part.option}
    held = Held()
    for match in found:
        for path in match.components:
            held.pieces.setdefault(path, []).append(match)
    for path in list(held.pieces):
        held.pieces[path] = _owners(path, held, second.get(path) if distinct and seconds else None)
    tied = [path for path in held.pieces if components[template(path)].tied_to]
    for path in (*(path for path in held.pieces if components[template(path)].shares), *tied):
        _tie(path, components, held, distinct)
    return held


def _owners(path: str, held: Held, second: str | None) -> list[Match]:
    """The arrays that are a component: one, or one a head; what else is called so is a copy or not mapped.

    Where two arrays are two, another of the same shape is the component that is `second` to it, if there is one.
    """
    kept: dict[int | None, Match] = {}
    for piece in sorted(held.pieces[path], key=lambda piece: piece.found.rule.place):
        first = kept.setdefault(piece.number, piece)
        if first.tensor.storage == piece.tensor.storage:
            continue
        alike = first.found.rule.key != piece.found.rule.key and first.tensor.shape == piece.tensor.shape
        if alike and second and second not in held.pieces:
            held.pieces[second] = [_as(piece, path, second)]
        elif alike:
            held.excluded.append(Excluded(COPY, piece.tensor.path, piece.tensor.size))
        else:
            held.unmapped.append(piece.stored.unmapped(f"{path} is {', '.join(first.stored.names)} already"))
    return [kept[number] for number in sorted(kept, key=lambda number: number or 0)]


def _as(piece: Match, path: str, other: str) -> Match:
    """The same array as another component."""
    return replace(piece, components=tuple(other if one == path else one for one in piece.components))


def _tie(path: str, components: Mapping[str, Component], held: Held, distinct: bool) -> None:
    """Settle a component that shares another's array: it is that array, a copy of it, the only one, or its own.

    One that only may share an array has its own, unless it is the same storage.
    """
    component, pieces = components[template(path)], held.pieces[path]
    target = component.shares or target_of(path, components)
    others = held.pieces.get(target, [])
    if not others and not component.shares:
        held.pieces[target] = [_as(piece, path, target) for piece in pieces]
    elif not others or others[0].tensor.storage != pieces[0].tensor.storage:
        if component.shares or distinct or others[0].tensor.size != pieces[0].tensor.size:
            return
        held.excluded += [Excluded(COPY, piece.tensor.path, piece.tensor.size, of=path) for piece in pieces]
    del held.pieces[path]
    held.ties[path] = target


def target_of(path: str, components: Mapping[str, Component]) -> str:
    """The component whose array one shares, through others that share it too; itself where it has its own."""
    number = path.partition("[")[2].partition("]")[0]
    while target := components[template(path)].tied_to:
        path = target.replace("[*]", f"[{number}]")
    return path


def as_it_is(
    architecture: Architecture, own: Collection[str], ties: Mapping[str, str]
) -> tuple[Architecture, frozenset[str]]:
    """The architecture without what a model may lack and does, and the options of which the model has something.

    Of the components of the model `own` have arrays of their own, and others have those that they have `ties` to.
    """
    kinds = set(map(template, own))
    there = kinds | set(map(template, ties))
    # Of a source that has nothing of the embeddings, nobody knows which of them the model lacks.
    lacking = tuple(
        pattern
        for pattern in architecture.may_lack
        if not any(matches(pattern, kind) for kind in there)
        and any(matches(pattern.rpartition(".")[0], kind) for kind in there)
    )
    untied = tuple(part.path for part in architecture.components if part.tied_to and part.path in kinds)
    tied = tuple((part.path, ties[part.path]) for part in architecture.components if part.shares and part.path in ties)
    options = {
        part.option
        for part in architecture.components
        if part.option and (part.path in there or any(part.path.startswith(path + ".") for path in there))
    }
    return architecture.adapted(lacking, untied, tied), frozenset(options)


def assignments(held: Held, model: Recognised) -> dict[str, Assignment]:
    """Every component of one model with what is there and what its formula makes; what is tied refers to its array."""
    assert model.architecture is not None
    components = {part.path: part for part in model.architecture.components}
    found = {path: _assignment(path, components[template(path)], own, model) for path, own in held.pieces.items()}
    there = {components[template(path)].option for path in (*found, *held.ties)}
    for path, component in model.architecture.written_out(model.options, model.dimensions):
        target = found.get(target_of(path, components)) if component.option in there else None
        if target is not None and path not in found:
            shape = Layout(component.shape).shape(model.dimensions)
            found[path] = replace(
                target,
                path=path,
                items=(),
                formula=component.size,
                formula_text=component.shape_text,
                expected=component.size.value(model.dimensions),
                expected_shape=target.expected_shape if target.says else shape or target.expected_shape,
                tied_to=target.path,
                says="",
            )
    return found


def _assignment(path: str, component: Component, pieces: Sequence[Match], model: Recognised) -> Assignment:
    assert model.dialect is not None
    sizes = model.dimensions
    first, free = pieces[0], {piece.tensor.trainable for piece in pieces}
    way, shape = stored_as(path, component, pieces, model.dialect, sizes)
    return Assignment(
        path=path,
        items=tuple(name for piece in pieces for name in piece.stored.names),
        actual=sum(prod(share(piece, path, way.out)) for piece in pieces),
        shape=None if first.of_head else shape,
        trainable=next(iter(free)) if len(free) == 1 else None,
        formula=component.size,
        formula_text=component.shape_text,
        expected=component.size.value(sizes),
        expected_shape=None if first.of_head else way.shape(sizes) or (shape if way.fits(shape) else None),
        says=_says(path, component, pieces, way, shape),
        model=model.name,
    )


def _says(path: str, component: Component, pieces: Sequence[Match], way: Layout, shape: Shape) -> str:
    """What is worth saying of how a component is stored."""
    first = pieces[0]
    each = f"{len(pieces)} arrays of {'×'.join(map(str, first.tensor.shape))}"
    if first.of_head:
        return f"{each}, one a head"
    if any(piece.tensor.shape != first.tensor.shape for piece in pieces):
        return "pieces of unequal shapes"
    own = each if first.number is not None else way.says(component) if way.fits(shape) else ""
    if len(first.components) == 1:
        return own
    *others, last = [path.split(".")[-2] for path in first.components]
    values = f"{prod(share(first, path, way.out)):,} of the {first.tensor.size:,} values"
    return ", ".join(filter(None, (f"one array of {', '.join(others)} and {last}, {values}", own)))
