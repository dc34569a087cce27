"""Tensors -> the components that a dialect's names make them, and which dialect that should be."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache

from reconcile.datafile import packaged
from reconcile.dialect import Dialect
from reconcile.frozen import dataclass
from reconcile.grouping import grouped
from reconcile.inventory import Layer, Tensor
from reconcile.keras_layer import known_class
from reconcile.mapping.ledger import Unmapped
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

    def unmapped(self, why: str) -> Unmapped:
        """The array as an item without a meaning."""
        return Unmapped(self.tensor.path, self.layer.class_name, self.tensor.size, why)


@dataclass(frozen=True, slots=True)
class Match:
    """A stored array under one of its names, with what the dialect says of that name: the components that it holds."""

    stored: Stored
    found: NameMatch
    components: tuple[str, ...]

    @property
    def tensor(self) -> Tensor:
        """The array."""
        return self.stored.tensor

    @property
    def of_head(self) -> bool:
        """Whether it is one head's share of a component."""
        return HEAD in self.found.values

    @property
    def number(self) -> int | None:
        """Which head's or other piece of a component it is; None where it is the whole."""
        return self.found.values.get(HEAD, self.found.values.get(PIECE))


def stored_tensors(layers: Iterable[Layer]) -> list[Stored]:
    """Every storage once, in order, with all its names."""
    every = ((tensor, layer, place) for layer in layers for place, tensor in enumerate(layer.tensors or ()))
    return [
        Stored(*same[0], tuple(dict.fromkeys(tensor.path for tensor, _, _ in same)))
        for same in grouped(every, lambda item: item[0].storage).values()
    ]


def match_tensors(stored: Sequence[Stored], dialect: Dialect, architecture: Architecture) -> list[Match]:
    """Each array with every component that its names say it is."""
    found = [(item, one) for item in stored for one in _found(item, dialect)]
    # The running numbers of the rules that go by order, by rule, prefix and block.
    ordered = grouped((one for _, one in found if one.rule.order), _counted)
    ranks = {key: sorted({one.values.get(ORDER, 0) for one in several}) for key, several in ordered.items()}

    def components(one: NameMatch) -> tuple[str, ...]:
        if not one.rule.order:
            return one.components
        numbers = ranks[_counted(one)]
        return one.rule.ranked(numbers.index(one.values.get(ORDER, 0)), len(numbers), one.values["block"])

    known = {part.path for part in architecture.components}
    matches = [Match(item, one, components(one)) for item, one in found]
    return [m for m in matches if m.components and all(template(path) in known for path in m.components)]


def _found(item: Stored, dialect: Dialect) -> Iterator[NameMatch]:
    """What the dialect says of each name of an array; of its place in the layer where no name says anything."""
    own: dict[tuple[str, ...], NameMatch] = {}
    for text in (text for path in item.names for text in _texts(item, path)):
        if found := dialect.find_tensor(text):
            own.setdefault(found.components, found)
    if own:
        yield from own.values()  # its own path goes first
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


def _counted(one: NameMatch) -> tuple[str, str, int]:
    return one.rule.key, one.prefix, one.values["block"]


def models(matches: Sequence[Match]) -> Mapping[str, list[Match]]:
    """The matches of each model of a source by what stands before all its names; empty where there is only one.

    What has one component twice under two prefixes is two models. The one that holds most is the first.
    """
    by_prefix = grouped(matches, lambda match: match.found.prefix)
    apart: list[tuple[list[str], dict[tuple[str, int | None], str]]] = []
    # What holds most is a model first, and what holds less a part of it or another.
    for prefix, group in sorted(by_prefix.items(), key=lambda item: -sum(match.tensor.size for match in item[1])):
        held = {(path, match.number): match.tensor.storage for match in group for path in match.components}
        open_to = [one for one in apart if all(one[1].get(key, storage) == storage for key, storage in held.items())]
        if len(apart) == MOST_MODELS:
            break
        if not open_to:
            apart.append(([], {}))
        prefixes, parts = max(open_to, key=lambda one: len(_common((prefix, one[0][0]))), default=apart[-1])
        prefixes.append(prefix)
        parts.update(held)
    if len(apart) < 2:
        return {"": list(matches)} if apart else {}
    names: dict[str, str] = {}
    for place, (prefixes, _) in enumerate(apart):
        # The whole parts that all of them begin with.
        common = _common(prefixes)
        own = common[: max(common.rfind("."), common.rfind("/"), 0)] or str(place + 1)
        names |= dict.fromkeys(prefixes, own if own not in names.values() else f"{own}#{place}")
    found = grouped(matches, lambda match: names.get(match.found.prefix, ""))
    return {name: found[name] for name in names.values()}


def _common(texts: Collection[str]) -> str:
    """What all of some texts begin with."""
    low, high = min(texts), max(texts)
    return low[: next((place for place, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))]
