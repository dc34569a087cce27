"""How a part of a report stands: what its verdict means for somebody who looks at a picture of it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from reconcile.mapping.ledger import Assignment

Standing = Literal["agrees", "no parameter", "tied", "read", "not checked", "not assigned", "unexplained", "differs"]
STANDINGS: tuple[Standing, ...] = (
    "agrees",
    "no parameter",
    "tied",
    "read",
    "not checked",
    "not assigned",
    "unexplained",
    "differs",
)
"""From what needs no look to what needs it first."""


def gravest(standings: Iterable[Standing]) -> Standing:
    """The one of several that needs a look first; "agrees" of none, and a tie alone changes nothing."""
    return max((one for one in standings if one != "tied"), key=STANDINGS.index, default="agrees")


def of_assignment(part: "Assignment") -> Standing:
    """How an assignment stands; "read" where its formula's sizes are taken from itself, so that nothing checks it."""
    if part.tied_to is not None:
        return "tied"
    if part.expected is None:
        return "not checked"
    if part.expected != part.actual:
        return "differs"
    return "read" if part.sizes else "agrees"
