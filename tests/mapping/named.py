"""A dialect's own names for a whole model: what a source would hold that calls things as the dialect says."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from reconcile.dialect import Dialect
from reconcile.inventory import Tensor
from reconcile.mapping.assigning import layouts
from reconcile.naming import HEAD, ORDER, PIECE, TensorRule
from reconcile.taxonomy import Architecture, Component


def named_tensors(
    dialect: Dialect, architecture: Architecture, sizes: Mapping[str, int]
) -> Iterator[tuple[Tensor, tuple[str, ...]]]:
    """Every tensor that the dialect has a name for, once, with the components that it is (one, or several fused)."""
    components = {part.path: part for part in architecture.components}
    counter = count(5)
    done: set[str] = set()
    for rule in reversed(dialect.tensor_rules):  # what a dialect adds to an included one comes last
        for to in _choices(rule):
            kinds = [path.replace("{block}", "*") for path in to]
            if not all(kind in components for kind in kinds) or any(components[kind].tied_to for kind in kinds):
                continue
            for block in _blocks(components[kinds[0]], sizes) if "[*]" in kinds[0] else [None]:
                paths = tuple(path.replace("{block}", str(block)) for path in to)
                if done.isdisjoint(paths):
                    done.update(paths)
                    yield from _tensors(
                        rule, block, paths, [components[kind] for kind in kinds], dialect, sizes, counter
                    )


def _choices(rule: TensorRule) -> Iterator[tuple[str, ...]]:
    of_blocks = any("{block}" in to for to in rule.to)
    if (ORDER if rule.order else "block") not in rule.numbers and (rule.order or of_blocks):
        return  # the first of several, which goes without a number: the others have one
    for name in rule.order or ("",):
        yield tuple(path.replace("{order}", name) for path in rule.to)


def _blocks(component: Component, sizes: Mapping[str, int]) -> range:
    return range(component.first, component.first + component.times.evaluate(sizes))


def _tensors(
    rule: TensorRule,
    block: int | None,
    paths: tuple[str, ...],
    parts: Sequence[Component],
    dialect: Dialect,
    sizes: Mapping[str, int],
    counter: Iterator[int],
) -> Iterator[tuple[Tensor, tuple[str, ...]]]:
    way = layouts(dialect, parts[0], rule.form.rpartition(".")[2])[0]
    shape = list(way.shape(sizes) or ())
    shape[way.out] *= len(parts)
    pieces = 1
    if HEAD in rule.numbers:
        pieces = sizes["A"]
        shape[way.out] //= pieces
    elif PIECE in rule.numbers:
        pieces, *shape = shape
    number = _running(rule, paths) if ORDER in rule.numbers or rule.order else 0
    if "block" not in rule.numbers:  # the counter goes on from block to block
        number += ((block or 1) - 1) * len(rule.order)
    for piece in range(pieces):
        values = {
            "block": (block or 1) - 1 + rule.first,
            HEAD: piece + 1,
            PIECE: piece,
            ORDER: number,
            "any": next(counter),
        }
        name = rule.form
        for text in rule.numbers:
            name = name.replace("#", str(values.get(text, text)), 1)
        name = _spelt(name)
        yield Tensor(name, tuple(shape), "float32", None, name), paths


def _spelt(name: str) -> str:
    """A name whose wildcards are, as in Keras, the name of what holds it."""
    parts: list[str] = []
    for part in name.split("."):
        parts.append(part.replace("*", parts[-1] if parts else "a"))
    return ".".join(parts)


def _running(rule: TensorRule, paths: tuple[str, ...]) -> int:
    """A running number as Keras counts them: higher for what comes later."""
    place = next(place for place, name in enumerate(rule.order) if f".{name}." in f".{paths[0]}.")
    return 3 + place


def size_of(parts: Sequence[Component], sizes: Mapping[str, int]) -> int:
    return sum(part.size.value(sizes) or 0 for part in parts)
