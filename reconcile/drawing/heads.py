"""The matrices of one attention layer side by side, each cut into the stripes that its heads have."""

from collections.abc import Iterator

from reconcile.drawing.written import FINE, template, text
from reconcile.frozen import dataclass
from reconcile.report.heads import Heads, Matrix

WIDTH = 1000
_TALLEST = 190
_GAP = 28
_TOP, _BELOW = 22, 40


@dataclass(frozen=True, slots=True)
class DrawnMatrix:
    """A matrix with its place; `stripes` are x, y, width and height, as text, of each head's part of it."""

    matrix: Matrix
    x: str
    width: str
    height: str
    stripes: tuple[tuple[str, str, str, str], ...]
    cut: str
    size: str


def heads_svg(heads: Heads, name: str) -> str:
    """The matrices as one `svg` element, called by `name`; one value is as large in each of them."""
    matrices = heads.matrices
    room = WIDTH - _GAP * (len(matrices) - 1)
    tallest = max(one.rows for one in matrices)
    # Steps for one row or column: as many as fit across, and no more than make the tallest as tall as it may be.
    unit = max(1, min(room * FINE // sum(one.columns for one in matrices), _TALLEST * FINE // tallest))
    height = -(-tallest * unit // FINE)
    drawn = tuple(_drawn(matrices, unit))
    return template("heads.svg").render(
        matrices=drawn, name=name, width=WIDTH, top=_TOP, bottom=_TOP + height + 16, height=_TOP + height + _BELOW
    )


def _drawn(matrices: tuple[Matrix, ...], unit: int) -> Iterator[DrawnMatrix]:
    place = 0
    for one in matrices:
        wide, high = one.columns * unit, one.rows * unit
        across, down = (wide // one.heads, 0) if one.by_columns else (0, high // one.heads)
        stripes = tuple(
            (text(place + head * across), text(_TOP * FINE + head * down), text(across or wide), text(down or high))
            for head in range(one.heads)
        )
        cut = f"{one.heads} × {one.width} {'columns' if one.by_columns else 'rows'}"
        size = f"{one.rows:,} × {one.columns:,} = {one.size:,}"
        yield DrawnMatrix(one, text(place), text(wide), text(high), stripes, cut, size)
        place += max(wide, WIDTH * FINE // (len(matrices) + 1)) + _GAP * FINE
