"""One difference between two ledgers: its kind, the nodes that have it, and what either side has there."""

from collections.abc import Mapping

from reconcile.comparison.folding import folded, folded_text
from reconcile.comparison.shares import Share
from reconcile.finding import Severity
from reconcile.frozen import dataclass

ONLY_LEFT, ONLY_RIGHT, COUNT, SHAPE, LAYOUT = "only-left", "only-right", "count", "shape", "layout"
TRAINABLE, TIE, NAME, DTYPE = "trainable", "tie", "name", "dtype"
COUNTING = (ONLY_LEFT, ONLY_RIGHT, COUNT, TIE)
"""The kinds that are differences in counts."""

_SEVERITIES: Mapping[str, Severity] = {TRAINABLE: "warning", DTYPE: "warning", LAYOUT: "note", NAME: "note"}
"""How much the kinds matter that are no errors."""

WHOLE = "all components"
"""The path of a difference that all components have."""

MOST_PATHS = 4


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference at the nodes `paths`, the same at each; a side is None where it has nothing there.

    `right_path` is what the right side calls the node where it calls it otherwise.
    """

    kind: str
    paths: tuple[str, ...]
    left: Share | None
    right: Share | None
    right_path: str | None = None

    @property
    def sides(self) -> tuple[Share | None, Share | None]:
        """Both sides."""
        return self.left, self.right

    @property
    def both(self) -> tuple[Share, Share]:
        """Both sides of a difference that needs both."""
        assert self.left is not None
        assert self.right is not None
        return self.left, self.right

    @property
    def severity(self) -> Severity:
        """How much it matters: a type is what is stored; what a model is built in, or said to be, is nobody's file."""
        stored = all(side is not None and side.nbytes is not None for side in self.sides)
        return "note" if self.kind == DTYPE and not stored else _SEVERITIES.get(self.kind, "error")

    @property
    def path(self) -> str:
        """The nodes as one path, `encoder.block[1..12].attention.query.bias`; those of one type may be several."""
        return folded_text(self.paths, MOST_PATHS) if self.kind == DTYPE else folded(self.paths)

    @property
    def left_count(self) -> int:
        """The parameters that the left side has at all these nodes together."""
        return _stored(self.left) * self._times

    @property
    def right_count(self) -> int:
        """The parameters that the right side has at all these nodes together."""
        return _stored(self.right) * self._times

    @property
    def _times(self) -> int:
        """How many nodes have what a side is; types are told of all nodes together."""
        return 1 if self.kind == DTYPE else len(self.paths)

    @property
    def difference(self) -> int:
        """What the right side has beyond the left; nothing for a difference that changes no count."""
        return self.right_count - self.left_count if self.kind in COUNTING else 0


def _stored(share: Share | None) -> int:
    return share.count if share is not None and share.tied_to is None else 0
