"""One difference between two sides: its kind, the nodes that have it, and what either side has there."""

from enum import StrEnum

from reconcile.comparison.folding import folded
from reconcile.comparison.shares import Share
from reconcile.finding import Severity
from reconcile.frozen import dataclass


class Kind(StrEnum):
    """The kinds of differences."""

    ONLY_LEFT = "only-left"
    ONLY_RIGHT = "only-right"
    COUNT = "count"
    TIE = "tie"
    SHAPE = "shape"
    LAYOUT = "layout"
    TRAINABLE = "trainable"
    DTYPE = "dtype"
    NAME = "name"


_COUNTING = (Kind.ONLY_LEFT, Kind.ONLY_RIGHT, Kind.COUNT, Kind.TIE)
_WARNED, _NOTED = (Kind.TRAINABLE, Kind.DTYPE), (Kind.LAYOUT, Kind.NAME)

WHOLE = "all components"
"""The path of a difference that all components have."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference at the nodes `paths`, the same at each; a side is None where it has nothing there.

    `right_path` is what the right side calls the node where it calls it otherwise.
    """

    kind: Kind
    paths: tuple[str, ...]
    left: Share | None
    right: Share | None
    right_path: str | None = None

    @property
    def both(self) -> tuple[Share, Share]:
        """Both sides of a difference that needs both."""
        assert self.left is not None
        assert self.right is not None
        return self.left, self.right

    @property
    def counts(self) -> bool:
        """Whether it is a difference in counts."""
        return self.kind in _COUNTING

    @property
    def severity(self) -> Severity:
        """How much it matters: a type is what is stored; what a model is built in, or said to be, is nobody's file."""
        stored = all(side is not None and side.nbytes is not None for side in (self.left, self.right))
        if self.kind in _NOTED or (self.kind == Kind.DTYPE and not stored):
            return "note"
        return "warning" if self.kind in _WARNED else "error"

    @property
    def path(self) -> str:
        """The nodes as one path, `encoder.block[1..12].attention.query.bias`."""
        return folded(self.paths)

    @property
    def left_count(self) -> int:
        """The parameters that the left side has at all these nodes together."""
        return self.left.stored * len(self.paths) if self.left else 0

    @property
    def right_count(self) -> int:
        """The parameters that the right side has at all these nodes together."""
        return self.right.stored * len(self.paths) if self.right else 0

    @property
    def difference(self) -> int:
        """What the right side has beyond the left; nothing for a difference that changes no count."""
        return self.right_count - self.left_count if self.counts else 0
