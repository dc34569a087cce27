"""How much of a total is verified, fitted, only read, contradicted and not assigned, as one bar."""

from reconcile.drawing.shares import share
from reconcile.drawing.written import scaled, text
from reconcile.frozen import dataclass
from reconcile.mapping.standing import Standing

WIDTH = 1000


@dataclass(frozen=True, slots=True)
class Strip:
    """One piece of the bar: what it is, its count and share, and its place along WIDTH as text."""

    name: str
    count: int
    share: str
    x: str
    width: str


def standing_pieces(standing: Standing) -> tuple[Strip, ...]:
    """The pieces that are not empty, in order; none where all of it is of one kind."""
    counts = {
        "verified": standing.verified,
        "only read": standing.read,
        "fitted": standing.fitted,
        "not assigned": standing.not_assigned,
        "contradicted": standing.contradicted,
    }
    pieces, start = [], 0
    for name, count in counts.items():
        if count:
            x, end = (scaled(edge, standing.total, WIDTH) for edge in (start, start + count))
            pieces.append(Strip(name, count, share(count, standing.total), text(x), text(end - x)))
        start += count
    return tuple(pieces) if len(pieces) > 1 else ()
