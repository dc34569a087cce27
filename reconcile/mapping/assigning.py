"""Matches -> assignments: each component with the arrays that are it, however they are stored, and each array once."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from math import prod

from reconcile.frozen import dataclass
from reconcile.inventory import Tensor
from reconcile.mapping.builder import value_of
from reconcile.mapping.layouts import Layout, Shape, layouts, says
from reconcile.mapping.ledger import Assignment, Excluded, Recognised, Unmapped
from reconcile.mapping.matching import Match, Stored
from reconcile.naming import HEAD, PIECE
from reconcile.selection import matches
from reconcile.taxonomy import Architecture, Component, template

COPY = "tied copy"
"""What is stored a second time under another name of a component, or of one that shares its array."""


@dataclass(frozen=True, slots=True)
class ArrayShare:
    """An array, or its share, that is a component or one head of it. `share` is (place, number of shares)."""

    match: Match
    path: str
    share: tuple[int, int]

    @property
    def tensor(self) -> Tensor:
        """The array."""
        return self.match.stored.tensor

    @property
    def number(self) -> int | None:
        """Which head's or other piece it is; None where it is the whole."""
        return self.match.found.values.get(HEAD, self.match.found.values.get(PIECE))

    @property
    def of_head(self) -> bool:
        """Whether it is one head's share."""
        return HEAD in self.match.found.values

    @property
    def leaf(self) -> str:
        """The last part of the name that says what it is."""
        return self.match.found.rule.form.rpartition(".")[2]

    def shape(self, out: int) -> Shape:
        """The shape of the share, which is cut along the axis `out`."""
        number, shares = self.share
        shape = list(self.tensor.shape)
        if shares > 1 and out < len(shape):
            whole, rest = divmod(shape[out], shares)
            shape[out] = whole + (rest if not number else 0)
        return tuple(shape)


@dataclass()
class Held:
    """What the components of one model are made of, by path; and what of the source is no component of its own.

    `ties` are components that share another's array, `untied` those that could and do not; `shared` are the kinds of
    components that share one though models of the architecture usually do not.
    """

    pieces: dict[str, list[ArrayShare]] = field(default_factory=dict)
    ties: dict[str, str] = field(default_factory=dict)
    shared: dict[str, str] = field(default_factory=dict)
    untied: set[str] = field(default_factory=set)
    excluded: list[Excluded] = field(default_factory=list)
    unmapped: list[Unmapped] = field(default_factory=list)


def hold(found: Sequence[Match], architecture: Architecture, distinct: bool, seconds: bool = True) -> Held:
    """Sort the matches of one model by component.

    Where components that the architecture ties have arrays of their own, these are copies of one, unless two arrays of
    the source are `distinct`, as they are in a live model. Without `seconds` this holds for ties alone, and what has
    the name of a component that is there already is a copy of it.
    """
    components = {part.path: part for part in architecture.components}
    held = Held()
    for match in found:
        for place, path in enumerate(match.components):
            held.pieces.setdefault(path, []).append(ArrayShare(match, path, (place, len(match.components))))
    for path in list(held.pieces):
        held.pieces[path] = _owners(
            path, held.pieces[path], held, _second(path, components) if distinct and seconds else None
        )
    tied = [path for path in held.pieces if components[template(path)].tied_to]
    for path in (*(path for path in held.pieces if components[template(path)].shares), *tied):
        _tie(path, components, held, distinct)
    return held


def _second(path: str, components: Mapping[str, Component]) -> str | None:
    """The component that is the same array as another in some models, and a second one of its kind in others."""
    return next((part.path for part in components.values() if part.shares == path and part.option), None)


def _owners(path: str, pieces: list[ArrayShare], held: Held, second: str | None) -> list[ArrayShare]:
    """The pieces that are a component: one, or one a head; what else is called so is a copy or not mapped.

    Where two arrays are two, another of the same shape is the component that is `second` to it, if there is one.
    """
    kept: dict[int | None, ArrayShare] = {}
    for piece in sorted(pieces, key=lambda piece: piece.match.found.rule.place):
        first = kept.setdefault(piece.number, piece)
        if first.tensor.storage == piece.tensor.storage:
            continue
        alike = first.match.found.rule.key != piece.match.found.rule.key and first.tensor.shape == piece.tensor.shape
        if alike and second and second not in held.pieces:
            held.pieces[second] = [replace(piece, path=second)]
        elif alike:
            held.excluded.append(Excluded(COPY, piece.tensor.path, piece.tensor.size))
        else:
            why = f"{path} is {', '.join(first.match.stored.names)} already"
            held.unmapped.append(_left(piece.match.stored, why))
    return [kept[number] for number in sorted(kept, key=lambda number: number or 0)]


def _tie(path: str, components: Mapping[str, Component], held: Held, distinct: bool) -> None:
    """Settle a component that shares another's array: it is that array, a copy of it, the only one, or its own.

    One that only may share an array has its own, unless it is the same storage.
    """
    component, pieces = components[template(path)], held.pieces[path]
    target = component.shares or target_of(path, components)
    others = held.pieces.get(target)
    same = others is not None and others[0].tensor.storage == pieces[0].tensor.storage
    if component.shares:
        if not same:
            return
        held.shared[component.path] = target
    elif others is None:
        held.pieces[target] = [replace(piece, path=target) for piece in pieces]
    elif not same and (distinct or others[0].tensor.size != pieces[0].tensor.size):
        held.untied.add(component.path)
        return
    elif not same:
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
    architecture: Architecture, there: Collection[str], untied: Iterable[str], tied: Iterable[tuple[str, str]]
) -> Architecture:
    """The architecture without what a model may lack and does, of the kinds of components that are `there`.

    The `untied` ones have arrays of their own, the `tied` ones those of others.
    """
    # Of a source that has nothing of the embeddings, nobody knows which of them the model lacks.
    lacking = [
        pattern
        for pattern in architecture.may_lack
        if not any(matches(pattern, kind) for kind in there)
        and any(matches(pattern.rpartition(".")[0], kind) for kind in there)
    ]
    return architecture.adapted(tuple(lacking), tuple(sorted(untied)), tuple(tied))


def options_of(architecture: Architecture, there: Collection[str]) -> frozenset[str]:
    """The options of which some component, or the node above it, is there."""
    return frozenset(
        part.option
        for part in architecture.components
        if part.option and (part.path in there or any(part.path.startswith(path + ".") for path in there))
    )


def assignments(held: Held, model: Recognised) -> dict[str, Assignment]:
    """Every component of one model with what is there and what its formula makes; what is tied refers to its array."""
    assert model.architecture is not None
    components = {part.path: part for part in model.architecture.active(model.options)}
    found = {path: _assignment(path, components[template(path)], own, model) for path, own in held.pieces.items()}
    there = {components[template(path)].option for path in (*found, *held.ties)}
    for path, component in model.architecture.written_out(model.options, model.dimensions):
        target = found.get(target_of(path, components)) if component.tied_to and component.option in there else None
        if target is not None and path not in found:
            found[path] = _tied(path, component, target, model.dimensions)
    return found


def _assignment(path: str, component: Component, pieces: Sequence[ArrayShare], model: Recognised) -> Assignment:
    assert model.dialect is not None
    sizes = model.dimensions
    first, free = pieces[0], {piece.tensor.trainable for piece in pieces}
    ways = layouts(model.dialect, component, first.leaf)
    way, shape = way_of(pieces, ways, sizes)
    expected_shape, fits = way.shape(sizes), way.fits(shape)
    odd = next((piece for piece in pieces if piece.tensor.shape != first.tensor.shape), None)
    stored: Shape | None = shape
    if first.of_head:
        way, stored, expected_shape = ways[0], None, None
    elif first.number is not None and odd is not None:
        stored = (len(pieces), *odd.tensor.shape)
    elif expected_shape is None and fits:
        expected_shape = shape
    return Assignment(
        path=path,
        items=tuple(name for piece in pieces for name in piece.match.stored.names),
        actual=sum(_count(piece, way) for piece in pieces),
        shape=stored,
        trainable=next(iter(free)) if len(free) == 1 else None,
        formula=component.size,
        formula_text=component.shape_text,
        expected=value_of(component.size, sizes),
        expected_shape=expected_shape,
        says=_says(component, pieces, way, fits, odd is not None),
        model=model.name,
    )


def _says(component: Component, pieces: Sequence[ArrayShare], way: Layout, fits: bool, unequal: bool) -> str:
    """What is worth saying of how a component is stored."""
    first = pieces[0]
    each = "×".join(map(str, first.tensor.shape))
    if first.of_head:
        return f"{len(pieces)} arrays of {each}, one a head"
    if first.number is not None:
        own = "pieces of unequal shapes" if unequal else f"{len(pieces)} arrays of {each}"
    else:
        own = says(way, component) if fits else ""
    if first.share[1] == 1 or (first.number is not None and unequal):
        return own
    others = [path.split(".")[-2] for path in first.match.components]
    of = f"{_count(first, way):,} of the {first.tensor.size:,} values"
    return ", ".join(filter(None, (f"one array of {', '.join(others[:-1])} and {others[-1]}, {of}", own)))


def way_of(
    pieces: Sequence[ArrayShare], ways: Sequence[Layout], sizes: Mapping[str, int | None]
) -> tuple[Layout, Shape]:
    """The layout in which pieces are one component, and the shape they have in it.

    It is the one that these dimensions make; if none is, the first with as many axes, or the usual one.
    """
    first = pieces[0]
    many = () if first.number is None else (len(pieces),)
    found = [(way, (*many, *first.shape(way.out - len(many)))) for way in ways]
    exact = (pair for pair in found if pair[0].shape(sizes) == pair[1])
    alike = (pair for pair in found if pair[0].fits(pair[1]))
    return next(exact, next(alike, found[0]))


def _count(piece: ArrayShare, way: Layout) -> int:
    """The parameters of a piece: all of its array, or its share."""
    return prod(piece.shape(min(way.out, len(piece.tensor.shape) - 1)))


def _tied(path: str, component: Component, target: Assignment, sizes: Mapping[str, int | None]) -> Assignment:
    shape = tuple(value_of(axis, sizes) for axis in component.shape)
    return Assignment(
        path=path,
        items=(),
        actual=target.actual,
        shape=target.shape,
        trainable=target.trainable,
        formula=component.size,
        formula_text=component.shape_text,
        expected=value_of(component.size, sizes),
        expected_shape=target.expected_shape if target.says or None in shape else shape,  # type: ignore[arg-type]
        tied_to=target.path,
        model=target.model,
    )


def _left(stored: Stored, why: str) -> Unmapped:
    return Unmapped(stored.tensor.path, stored.layer.class_name, stored.tensor.size, why)
