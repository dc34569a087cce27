"""Drawings as SVG: coordinates with so many decimals that every area shows its count."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from reconcile.drawing.icicle import Box, Icicle
from reconcile.drawing.shares import share
from reconcile.drawing.written import FINE, scaled, template, text
from reconcile.frozen import dataclass
from reconcile.mapping.standing import AGREES

WIDTH = 1000
HEIGHT = 480
_LETTER = 7
"""The width of a letter of the labels, in the drawing's units; a label that is wider than its column is shortened."""
_FIRST = 14
LINE = 15
"""The height of a line of the labels; the first needs 13."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A box with its coordinates as text, its label as far as it fits, and what is said of it at the pointer.

    `first` is where the label stands below the upper edge, and `rows` how many lines there is room for.
    """

    number: int
    box: Box
    x: str
    y: str
    width: str
    height: str
    label: str
    lines: tuple[str, ...]
    title: str
    rows: int
    first: int


def icicle_svg(drawing: Icicle, name: str, anchors: Sequence[str] = ()) -> str:
    """The drawing as one `svg` element, called by `name`.

    Without `anchors` it is a file of its own, with its style. As part of a page it is styled by `icicle.css` there, and
    each box is a link to its branch's anchor.
    """
    standalone = not anchors
    boxes = tuple(drawn(drawing))
    written = template("icicle.svg").render(
        boxes=boxes, name=name, anchors=anchors, standalone=standalone, width=WIDTH, height=HEIGHT, step=LINE,
        total=drawing.total, style=stylesheet() if standalone else "",
    )  # fmt: skip
    return "\n".join(line for line in written.splitlines() if line.strip()) + "\n"


def stylesheet() -> str:
    """The style of all drawings."""
    return Path(__file__).with_name("icicle.css").read_text("utf-8")


def drawn(drawing: Icicle) -> Iterator[Drawn]:
    """Every box with its coordinates."""
    for number, box in enumerate(drawing.boxes):
        left, right = (box.column + edge for edge in (0, 1))
        x, end = (scaled(edge, drawing.columns, WIDTH) for edge in (left, right))
        y, bottom = (scaled(edge, drawing.total, HEIGHT) for edge in (box.start, box.start + box.count))
        letters = ((end - x) // FINE - 12) // _LETTER
        height = bottom - y
        branch = box.branch
        times = f" × {branch.times}" if branch.times > 1 else ""
        label = _fitting(branch.label + times, letters)
        each = f"each {branch.each:,}" if branch.times > 1 else ""
        texts = (f"{box.count:,} · {share(box.count, drawing.total)}", each, branch.formula)
        lines = tuple(_fitting(line, letters) for line in texts if line)
        yield Drawn(
            number, box, text(x), text(y), text(end - x), text(height), label, lines,
            title(box, drawing.total), _rows(height, 1 + len(lines)), min(_FIRST, height // FINE - 3),
        )  # fmt: skip


def title(box: Box, total: int) -> str:
    """What is said of a box at the pointer: its path, formula, count, share, and how it stands."""
    branch = box.branch
    count = f"{branch.each:,}" + (f" × {branch.times} = {branch.total:,}" if branch.times > 1 else "")
    formula = f"{branch.formula} = " if branch.formula else ""
    standing = "" if branch.verdict == AGREES else f" · {branch.verdict}"
    return f"{branch.path or branch.label}: {formula}{count} · {share(box.count, total)}{standing}"


def _rows(height: int, most: int) -> int:
    """How many lines of text a box has room for."""
    whole = height // FINE
    return min(most, max(1, (whole - 2) // LINE)) if whole >= 13 else 0


def _fitting(line: str, letters: int) -> str:
    if len(line) <= letters:
        return line
    return line[: letters - 1].rstrip() + "…" if letters > 3 else ""
