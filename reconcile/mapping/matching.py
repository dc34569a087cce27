"""Tensors -> the components that a dialect's names make them, and which dialect that should be."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from reconcile.datafile import packaged
from reconcile.dialect import Dialect, dialect_names, dialects_for, load_dialect
from reconcile.frozen import dataclass
from reconcile.inventory import Layer, Tensor
from reconcile.keras_layer import known_class
from reconcile.naming import HEAD, ORDER, PIECE, NameMatch
from reconcile.taxonomy import Architecture, template

MOST_MODELS = 100
"""Models of one source that are told apart; what is beyond them is none."""


@dataclass(frozen=True, slots=True)
class Stored:
    """One stored array with the layer that shows it first, its place there, and all its names."""

    tensor: Tensor
    layer: Layer
    place: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """A stored array under one of its names, with what the dialect says of that name.

    `components` are what it holds, several side by side; `model` is the number of the model it belongs to, 0 for the
    first of a source.
    """

    stored: Stored
    found: NameMatch
    components: tuple[str, ...]
    model: int = 0


def stored_tensors(layers: Iterable[Layer]) -> list[Stored]:
    """Every storage once, in order, with all its names."""
    first: dict[str, tuple[Tensor, Layer, int]] = {}
    names: dict[str, dict[str, None]] = {}
    for layer in layers:
        for place, tensor in enumerate(layer.tensors or ()):
            first.setdefault(tensor.storage, (tensor, layer, place))
            names.setdefault(tensor.storage, {})[tensor.path] = None
    return [Stored(*item, tuple(names[storage])) for storage, item in first.items()]


def match_tensors(stored: Sequence[Stored], dialect: Dialect, architecture: Architecture) -> list[Match]:
    """Each array with every component that its names say it is, the models of a source told apart."""
    found = [(item, one) for item in stored for one in _found(item, dialect)]
    ranks = _ranks(one for _, one in found)
    known = {part.path for part in architecture.components}
    matches = []
    for item, one in found:
        components = _components(one, ranks)
        if components and all(template(path) in known for path in components):
            matches.append(Match(item, one, components))
    return _models(matches)


def candidates(stored: Sequence[Stored], whole: bool) -> Iterator[Dialect]:
    """The dialects of which some name holds a sign, which a few tensors of a model need not have."""
    text = "\n".join(name for item in stored for path in item.names for name in (item.layer.name, path))
    text = text.replace("/", ".")
    for name in dialects_for(text) or (() if whole else dialect_names()):
        yield load_dialect(name)


def _found(item: Stored, dialect: Dialect) -> Iterator[NameMatch]:
    """What the dialect says of each name of an array; of its place in the layer where no name says anything."""
    own = [found for path in item.names for text in _texts(item, path) if (found := dialect.find_tensor(text))]
    if own:
        yield from {found.components: found for found in reversed(own)}.values()
    elif found := dialect.find_tensor(f"{item.layer.name}/@{item.place}"):
        yield found


def _texts(item: Stored, path: str) -> Iterator[str]:
    """A name in full, and as the layer's name with the tensor's own behind it.

    A layer of Keras' own kinds is what its name says, and its tensors may be called after another that it was. What a
    layer inside it holds is called in full: the dense layer of a head has a bias, and so has the head.
    """
    layer, path = item.layer, unwrapped(path.removesuffix(":0"))
    if path.startswith(layer.name) or not known_class(layer.class_name):
        yield path
    above, _, own = path.rpartition("/")
    if layer.class_name and f"/{layer.name}/" not in f"/{above.rpartition('/')[0]}/":
        yield f"{layer.name}/{own}"


def unwrapped(path: str) -> str:
    """A path without the parts that only say how a module is wrapped."""
    expression = _wrappers()
    return expression.sub("", path) if expression.search(path) else path


@cache
def _wrappers() -> re.Pattern[str]:
    names = "|".join(map(re.escape, packaged("beside", "wrappers")["parts"]))
    return re.compile(rf"(?<![^./])(?:{names})[./]")


def _ranks(found: Iterable[NameMatch]) -> Mapping[tuple[str, str, int], list[int]]:
    """The running numbers of the rules that go by order, by rule, prefix and block."""
    numbers: dict[tuple[str, str, int], set[int]] = {}
    for one in found:
        if one.rule.order:
            numbers.setdefault(_counted(one), set()).add(one.values.get(ORDER, 0))
    return {key: sorted(values) for key, values in numbers.items()}


def _counted(one: NameMatch) -> tuple[str, str, int]:
    return one.rule.key, one.prefix, one.values["block"]


def _components(one: NameMatch, ranks: Mapping[tuple[str, str, int], list[int]]) -> tuple[str, ...]:
    if not one.rule.order:
        return one.components
    numbers = ranks[_counted(one)]
    return one.rule.ranked(numbers.index(one.values.get(ORDER, 0)), len(numbers), one.values["block"])


def _models(matches: Sequence[Match]) -> list[Match]:
    """The same with each prefix's model: what has one component twice under two prefixes is two models."""
    groups: dict[str, list[Match]] = {}
    for match in matches:
        groups.setdefault(match.found.prefix, []).append(match)
    models: list[tuple[str, dict[tuple[str, int | None], str]]] = []
    numbers: dict[str, int] = {}
    # What holds most is a model first, and what holds less a part of it or another.
    for prefix, group in sorted(groups.items(), key=lambda item: -sum(match.stored.tensor.size for match in item[1])):
        held = {(path, _piece(m.found)): m.stored.tensor.storage for m in group for path in m.components}
        if len(models) == MOST_MODELS:
            break
        open_to = [
            (len(_common((prefix, main))), -number)
            for number, (main, parts) in enumerate(models)
            if all(parts.get(key, storage) == storage for key, storage in held.items())
        ]
        number = -max(open_to)[1] if open_to else len(models)
        if number == len(models):
            models.append((prefix, {}))
        models[number][1].update(held)
        numbers[prefix] = number
    return [replace(match, model=numbers[match.found.prefix]) for match in matches if match.found.prefix in numbers]


def _piece(found: NameMatch) -> int | None:
    return found.values.get(HEAD, found.values.get(PIECE))


def _common(texts: Collection[str]) -> str:
    """What all of some texts begin with."""
    low, high = min(texts), max(texts)
    return low[: next((place for place, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))]


def model_names(matches: Sequence[Match]) -> tuple[str, ...]:
    """What each model of a source is called: what stands before all its names; empty where there is only one."""
    prefixes: dict[int, set[str]] = {}
    for match in matches:
        prefixes.setdefault(match.model, set()).add(match.found.prefix)
    if len(prefixes) < 2:
        return tuple("" for _ in prefixes)
    shared = [_common_parts(prefixes[number]) for number in sorted(prefixes)]
    called = [name or str(number + 1) for number, name in enumerate(shared)]
    return tuple(f"{name}#{place}" if name in called[:place] else name for place, name in enumerate(called))


def _common_parts(prefixes: Collection[str]) -> str:
    """The whole parts that all of some beginnings of names have in common."""
    common = _common(prefixes)
    return common[: max(common.rfind("."), common.rfind("/"), 0)]
