"""How grave what a matrix shows is."""

from collections.abc import Iterator

from reconcile.finding import Severity
from reconcile.releases.matrix import NAMES, TENSORS, Matrix

_AGAINST: dict[str, Severity] = {TENSORS: "error", NAMES: "note"}


def severities(matrix: Matrix) -> Iterator[Severity]:
    """A release that cannot be built is an error, a parameter without a component a warning.

    Where releases are compared with one thing, what they store otherwise is an error, what they compute or train
    otherwise a warning and another name a note; from release to release each change is a note.
    """
    found: list[Severity] = ["error" for _ in matrix.failed]
    for state in matrix.states:
        found += ["warning" for size in state.sizes.values() if size.unmapped]
        found += [_AGAINST.get(one.axis, "warning") if matrix.against else "note" for one in state.changes]
    yield from found
    yield from (answer.severity for answer in matrix.answers)
