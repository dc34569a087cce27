"""Two ledgers on the axes that change no count, where both sources know them: settings of layers and of the model."""

from collections.abc import Iterator, Mapping
from math import isclose
from typing import Any, Literal

from reconcile.comparison.folding import block, fold_key
from reconcile.datafile import packaged
from reconcile.frozen import dataclass
from reconcile.grouping import grouped
from reconcile.mapping.ledger import Ledger, Placed
from reconcile.selection import matches
from reconcile.taxonomy import load_architecture, template, usual_architecture

Severity = Literal["warning", "note"]
Sizes = Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class SettingDifference:
    """One setting that differs: its name, the nodes or layers that have it (none: the model), and both values."""

    name: str
    where: tuple[str, ...]
    left: Any
    right: Any
    severity: Severity = "warning"


@dataclass(frozen=True, slots=True)
class Axis:
    """One thing under the names that a configuration (`setting`) and layers (`keys`) have for it.

    `nodes` are the places of the layers, the first pattern that any layer fits; `classes` those of layers at no node.
    """

    name: str
    setting: str
    keys: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()


def _axis(entry: Mapping[str, Any]) -> Axis:
    lists = {key: tuple(entry.get(key, ())) for key in ("keys", "nodes", "classes")}
    if "dimension" in entry:
        lists["keys"] = load_architecture(usual_architecture()).lexicon.settings[entry["dimension"]]
    return Axis(entry["name"], entry["setting"], **lists)


AXES = tuple(map(_axis, packaged("usual", "axes")["axes"]))
HEADS = AXES[0].keys
"""The names that layers have for the number of heads."""

SIZES = ("output_shape", "input_dim", "output_dim", "units", "key_dim", "value_dim")
"""Settings that are sizes, also where they are left open."""

NON_TRAINABLE = "non-trainable parameters"

UNCOUNTED: Mapping[str, Severity] = {"A": "warning", "S": "note"}
"""Dimensions that stand in no count, and how much another size of them matters: S is the length of an input."""


def compare_axes(left: Ledger, right: Ledger) -> Iterator[SettingDifference]:
    """Every setting that differs, layer by layer where both have it there, else for the model as a whole."""
    told: set[str] = set()
    for one in compare_uncounted(left.dimensions, right.dimensions):
        told.update(HEADS if one.name == "A" else ())
        yield one
    for setting in _by_place(_settings(left), _settings(right)):
        if setting.name not in told or setting.name not in HEADS:
            yield setting
            told.add(setting.name)
    for axis in AXES:
        if told.isdisjoint(axis.keys):
            sides = _value(axis, left), _value(axis, right)
            if None not in sides and not equal(*sides):
                yield SettingDifference(axis.name, (), *sides)


def compare_uncounted(left: Sizes, right: Sizes) -> Iterator[SettingDifference]:
    """The dimensions that stand in no count, where both sides know them and they differ."""
    for name, severity in UNCOUNTED.items():
        sizes = left.get(name), right.get(name)
        if None not in sizes and sizes[0] != sizes[1]:
            yield SettingDifference(name, (), *sizes, severity)


def compare_split(left: Ledger, right: Ledger) -> Iterator[SettingDifference]:
    """What is not trained in all, where both sources say so, if only under their tables, and do not say the same.

    Models of which nothing is trained differ in it as they do in their counts.
    """
    before, after = left.non_trainable, right.non_trainable
    whole = (before, after) == (left.total, right.total)
    if before is not None and after is not None and before != after and not whole:
        yield SettingDifference(NON_TRAINABLE, (), before, after)


def equal(one: Any, other: Any) -> bool:
    """Whether two values of a setting are the same; fractions that differ in their last digit are."""
    if isinstance(one, float) or isinstance(other, float):
        numbers = [value for value in (one, other) if isinstance(value, int | float)]
        return len(numbers) == 2 and isclose(*numbers, rel_tol=1e-6)
    return bool(one == other)


def settings_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """A layer's settings that say how it computes; whole numbers are sizes, which shapes tell, but for the heads."""
    # The settings of a layer inside the layer stand elsewhere.
    own = {key: value for key, value in config.items() if not {"name", "trainable"} <= _inner(value).keys()}
    plain = {key: _plain(value) for key, value in own.items()}
    return {
        key: value
        for key, value in plain.items()
        if key in HEADS or not (isinstance(value, list | tuple) or type(value) is int or key in SIZES)
    }


def _inner(value: Any) -> Mapping[str, Any]:
    """The settings of an object that is a setting itself."""
    inner = value.get("config") if isinstance(value, Mapping) else None
    return inner if isinstance(inner, Mapping) else {}


def _plain(value: Any) -> Any:
    """A setting without what Keras writes around it: an object is its class with the settings that it has."""
    if not (isinstance(value, Mapping) and isinstance(value.get("class_name"), str)):
        return value
    settings = {key: _plain(part) for key, part in _inner(value).items() if part is not None}
    if value["class_name"].endswith("Policy") and isinstance(settings.get("name"), str):
        return settings["name"]
    inner = ", ".join(f"{key}={settings[key]}" for key in sorted(settings))
    return value["class_name"] + (f"({inner})" if settings else "")


def _settings(ledger: Ledger) -> dict[str, dict[str, Any]]:
    """The settings of every layer by the node that it holds, of others by their own names."""
    found: dict[str, dict[str, Any]] = {}
    for placed in ledger.placed:
        if settings := settings_of(placed.layer.config):
            found.setdefault(placed.node or f"layer {placed.layer.name}", {}).update(settings)
    return found


def _by_place(
    left: Mapping[str, Mapping[str, Any]], right: Mapping[str, Mapping[str, Any]]
) -> Iterator[SettingDifference]:
    """What layers at one node have otherwise; equal differences stand together."""
    both = ((key, place) for place in left if place in right for key in left[place] if key in right[place])
    found = [(key, left[place][key], right[place][key], place) for key, place in both]
    unequal = (one for one in found if not equal(one[1], one[2]))
    for alike in grouped(unequal, lambda one: (one[0], repr(one[1]), repr(one[2]))).values():
        key, value, other, _ = alike[0]
        yield SettingDifference(key, tuple(place for *_, place in alike), value, other)


def _value(axis: Axis, ledger: Ledger) -> Any:
    """What a ledger's source says on an axis: of the model, or all its layers alike; None where it does not say."""
    if (said := ledger.inventory.settings.get(axis.setting)) is not None:
        return said
    told = [placed for placed in ledger.placed if placed.layer.config]
    at = [(template(placed.node), placed.layer.config) for placed in told if placed.node is not None]
    by_node = [[config for node, config in at if matches(pattern, node)] for pattern in axis.nodes]
    by_class = [placed.layer.config for placed in told if placed.layer.class_name in axis.classes]
    for configs in by_node or [by_class]:
        values = [config[key] for config in configs for key in axis.keys if key in config]
        if values:
            return values[0] if all(equal(value, values[0]) for value in values) else None
    return None


def compare_edges(left: Ledger, right: Ledger) -> Iterator[SettingDifference]:
    """What feeds a component on one side only, where both sources show their graph and tell the same nodes apart."""
    one, two = _graph(left), _graph(right)
    both = one.keys() & two.keys()

    def change(node: str) -> tuple[object, ...]:
        # A source is told as the block that it is in lies before the node's own.
        sides = (one[node] - two[node], two[node] - one[node])
        near = ([f"{fold_key(source)} {block(source) - block(node)}" for source in side] for side in sides)
        return fold_key(node), *(tuple(sorted(side)) for side in near)

    changed = (node for node in one if node in both and one[node] != two[node] and one[node] | two[node] <= both)
    for nodes in grouped(changed, change).values():
        first, *_ = nodes = sorted(nodes, key=block)
        yield SettingDifference("input", tuple(nodes), sorted(one[first] - two[first]), sorted(two[first] - one[first]))


def _graph(ledger: Ledger) -> Mapping[str, frozenset[str]]:
    """The components that feed each component; none where the source shows no connections."""
    if not any(placed.layer.inbound for placed in ledger.placed):
        return {}
    named = grouped(ledger.placed, lambda placed: placed.layer.name)
    # A name that a column's edge cuts, or that several rows show, does not say which layer it is.
    by_name = {name: placed for name, (placed, *others) in named.items() if not others and not placed.layer.name_cut}
    holding = grouped((placed for placed in ledger.placed if placed.node is not None), lambda placed: placed.node or "")
    every = {node: [_sources(placed, by_name) for placed in several] for node, several in holding.items()}
    return {node: frozenset().union(*filter(None, found)) for node, found in every.items() if None not in found}


def _sources(placed: Placed, by_name: Mapping[str, Placed]) -> frozenset[str] | None:
    """The components behind a layer's inputs, through all layers that hold none; None where the way is not shown."""
    found: set[str] = set()
    through: set[str] = set()
    waiting = list(placed.layer.inbound)
    for name in waiting:  # which grows by what feeds layers that hold none
        source = by_name.get(name)
        if source is None:
            return None
        if source.node is not None:
            found.add(source.node)
        elif name not in through:
            through.add(name)
            waiting += source.layer.inbound
    return frozenset(found - {placed.node})
