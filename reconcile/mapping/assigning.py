"""Matches -> assignments: each component with the arrays that are it, however they are stored, and each array once."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from math import prod

from reconcile.frozen import dataclass
from reconcile.mapping.layouts import Layout, Shape, share, stored_as
from reconcile.mapping.ledger import Assignment, Excluded, Recognised, Unmapped
from reconcile.mapping.matching import Match
from reconcile.selection import matches
from reconcile.taxonomy import Architecture, Component, template

COPY = "tied copy"
"""What is stored a second time under another name of a component, or of one that shares its array."""


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
