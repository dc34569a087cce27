"""The graph of Python objects that TensorFlow 2 saves beside tensors: which variable each key of a checkpoint is.

Messages: tensorflow/core/protobuf/trackable_object_graph.proto.
"""

from collections.abc import Mapping
from dataclasses import field

from reconcile.frozen import dataclass
from reconcile.sources.checkpoints.protobuf import WireError, fields, message, number, text

KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"
LARGEST = 64 * 2**20
MOST_NODES = 1_000_000
STEPS = {"iter", "iterations", "_iterations"}
RATES = {"learning_rate", "_learning_rate", "beta_1", "_hyper", "_current_learning_rate"}
"""What an optimizer keeps; both together tell it from other objects."""


@dataclass(slots=True)
class Node:
    """An object: its attributes by name, and its variables as (full name, key)."""

    children: dict[str, int] = field(default_factory=dict)
    variables: list[tuple[str, str]] = field(default_factory=list)
    slots: list[int] = field(default_factory=list)

    @property
    def is_optimizer(self) -> bool:
        """Whether it steps, or has slots for variables."""
        return bool(self.slots) or bool(self.children.keys() & STEPS and self.children.keys() & RATES)


@dataclass(frozen=True, slots=True)
class ObjectGraph:
    """All objects; the first is the one that was saved."""

    nodes: tuple[Node, ...]

    def full_names(self) -> Mapping[str, str]:
        """The full name of each variable by the key that it has in the checkpoint, where it has one."""
        return {key: name for node in self.nodes for name, key in node.variables if name}

    def optimizer_keys(self) -> frozenset[str]:
        """The keys of what only optimizers hold: a variable that a model holds too is the model's."""
        slots = {slot for node in self.nodes for slot in node.slots}
        models = self._reached({0}, slots)
        starts = {place for place, node in enumerate(self.nodes) if node.is_optimizer} | slots
        return frozenset(
            key for place in self._reached(starts, set(), True) - models for _, key in self.nodes[place].variables
        )

    def listed(self, name: str) -> frozenset[str] | None:
        """The keys of the variables in a list that the root keeps under a name; None where it keeps none."""
        place = self.nodes[0].children.get(name)
        if place is None:
            return None
        members = self.nodes[place].children.values()
        return frozenset(key for member in members for _, key in self.nodes[member].variables)

    def _reached(self, starts: set[int], without: set[int], through: bool = False) -> set[int]:
        """The objects behind these; unless `through`, none that an optimizer holds."""
        found, left = set(starts), list(starts)
        while left:
            node = self.nodes[left.pop()]
            for place in node.children.values() if through or not node.is_optimizer else ():
                if place not in found and place not in without:
                    found.add(place)
                    left.append(place)
        return found


def read_graph(data: bytes) -> ObjectGraph:
    """The graph from its message. Raises WireError where it is damaged, or refers to objects that are not there."""
    nodes = []
    for place, value in fields(data):
        if place == 1:
            nodes.append(_node(message(value)))
            if len(nodes) > MOST_NODES:
                raise WireError(f"more than {MOST_NODES:,} objects")
    if not nodes or any(not 0 <= to < len(nodes) for node in nodes for to in (*node.children.values(), *node.slots)):
        raise WireError("objects that refer to none")
    return ObjectGraph(tuple(nodes))


def _node(data: bytes) -> Node:
    node = Node()
    for place, value in fields(data):
        if place == 1:
            told = dict(fields(message(value)))
            node.children[text(told.get(2, b""))] = number(told.get(1, 0))
        elif place == 2:
            told = dict(fields(message(value)))
            node.variables.append((text(told.get(2, b"")), text(told.get(3, b""))))
        elif place == 3:
            node.slots.append(number(dict(fields(message(value))).get(3, 0)))
    return node


def string_of(data: bytes) -> bytes:
    """The one string of a string tensor: its length, a checksum of the length, and its bytes."""
    from reconcile.sources.checkpoints.protobuf import varint

    length, at = varint(data, 0)
    if at + 4 + length != len(data):
        raise WireError(f"a string of {length:,} bytes in {len(data):,}")
    return data[at + 4 :]
