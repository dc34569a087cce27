"""How people and programs speak of an architecture: its dimensions, its nodes, its classes."""

from collections.abc import Iterator, Mapping
from dataclasses import field

from reconcile.formula import Formula
from reconcile.frozen import dataclass

WHOLE = ""
"""The node of a label or a class that is the whole model."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a node is called in row labels and in prose: a regular expression, and one that must not be found as well.

    `nodes` are those that it can mean, one in an encoder and one in a decoder for example; WHOLE is the whole model.
    Of the labels of one `family` the first that fits is meant; a text that fits two families names neither.
    """

    family: str
    nodes: tuple[str, ...]
    says: str
    unless: str = ""


@dataclass(frozen=True)
class Lexicon:
    """The words of an architecture.

    `settings` are the names of each dimension in configurations and code, `phrases` those in prose; `usual` the sizes
    that it usually has, the likeliest first, as formulas over the other dimensions; `classes` how classes that are a
    node are called, for the whole model (WHOLE) how their names begin.
    """

    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    phrases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    usual: Mapping[str, tuple[Formula, ...]] = field(default_factory=dict)
    labels: tuple[Label, ...] = ()
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def stated(self, dimension: str, settings: Mapping[str, object]) -> Iterator[int]:
        """The sizes that settings state for a dimension: whole numbers of at least 1 under any of its names."""
        for name in self.settings.get(dimension, ()):
            size = settings.get(name)
            if type(size) is int and size > 0:
                yield size

    def usual_sizes(self, dimension: str, sizes: Mapping[str, int | None]) -> Iterator[int]:
        """The usual sizes of a dimension, those that follow from others only where these are known."""
        for formula in self.usual.get(dimension, ()):
            if all(sizes.get(name) is not None for name in formula.dimensions):
                yield formula.evaluate(sizes)

    def node_of_class(self, class_name: str) -> str | None:
        """The node that a layer of this class is; WHOLE for a class of whole models, None for one that says nothing."""
        for node, names in self.classes.items():
            if node != WHOLE and class_name in names:
                return node
        return WHOLE if class_name.startswith(self.classes.get(WHOLE, ("\0",))) else None
