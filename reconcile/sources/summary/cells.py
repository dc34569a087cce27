"""One printed line of a table cut into its cells: by columns (Keras 1 and 2) or by vertical lines (Keras 3, Markdown).

Keras has changed how it fills columns several times, and the widths alone do not tell which it was:

* Keras 1 cuts each cell at the column's edge and sets no blank between cells.
* Keras 2 and TensorFlow before 2.7 cut each cell at the edge and put one blank between cells.
* TensorFlow 2.7 and tf-keras wrap cells over several lines, begin each line with a blank, and put two blanks between
  cells; 2.7 and 2.8 move a cell to the right behind a full one, and to the left inside a nested model.
* Keras 3 draws boxes, breaks cells at blanks only, and ends what is too long with an ellipsis.
"""

import re
from collections.abc import Iterator, Sequence

from reconcile.frozen import dataclass
from reconcile.sources.summary.grids import Grid
from reconcile.sources.summary.marks import box_cells

_COUNT = re.compile(r"\*{0,2}(?:[0-9][0-9,_]*(?:\u2026|\.{2,3}|\u22ef)?(?: \(.*)?|\?|\u2026)\*{0,2}$")
_DIGITS = re.compile(r"[0-9][0-9,_]*$")
_CHUNK = re.compile(r"\S+(?: \S+)*")
_NESTED = re.compile("( *)[\u2514\u2570]")
_NAMED = re.compile(r"[ |]*[^\s()]+ +\([^\s()]*\)")
_LONGEST_CELLS = 2_000
"""Characters of the longest line that is read token by token when its columns are lost."""


@dataclass(frozen=True, slots=True)
class Cells:
    """What one line shows of a row. `sure` is False where it may not show the whole count that was printed."""

    name: str = ""
    shape: str = ""
    count: str = ""
    inbound: str = ""
    trainable: str = ""
    depth: int = 0
    sure: bool = True

    @property
    def counted(self) -> bool:
        """Whether the count's cell holds what Keras may print there."""
        return bool(_COUNT.match(self.count))


def cut_line(line: str, grid: Grid | None) -> Cells | None:
    """The cells of a line of a table without vertical lines; None when the line does not fit the columns."""
    depth = len(line) - len(line.lstrip("|"))
    line = _unframed(line, depth)
    first = None
    for reading in _readings(line, grid, depth):
        if reading and reading.counted:
            return reading
        first = first or reading
    return first or (_forced(line, grid, depth) if grid else None)


def _readings(line: str, grid: Grid | None, depth: int) -> Iterator[Cells | None]:
    if grid:
        yield _sliced(line, grid, depth, 0)
        if depth:
            yield _sliced(line, grid, depth, -depth)
        yield _chunked(line, grid, depth)
    if len(line) <= _LONGEST_CELLS and _NAMED.match(line):
        yield _tokens(line, depth)


def _unframed(line: str, depth: int) -> str:
    """The line without the `|` that frame a nested model, everything else in its place."""
    bare = line.rstrip()
    if depth and bare.endswith("|" * depth):
        line = bare[:-depth]
    return " " * depth + line[depth:]


def _sliced(line: str, grid: Grid, depth: int, shift: int) -> Cells | None:
    """Cells cut at the columns' edges, provided that a blank stands before each of them."""
    starts = [max(start + shift, 0) for start in grid.starts]
    if any(line[start - 1 : start].strip() for start in starts[1:]):
        return None
    return _filled(grid, _slices(line, starts), depth)


def _slices(line: str, starts: Sequence[int]) -> list[str]:
    return [line[start:end].strip() for start, end in zip(starts, [*starts[1:], None], strict=True)]


def _filled(grid: Grid, texts: Sequence[str], depth: int, sure: bool = True) -> Cells:
    return Cells(**dict(zip(grid.roles, texts, strict=False)), depth=depth, sure=sure)


def _chunked(line: str, grid: Grid, depth: int) -> Cells | None:
    """What stands between two or more blanks, each put into the column nearest to where it begins."""
    texts = [""] * len(grid.starts)
    for chunk in _CHUNK.finditer(line):
        place = min(range(len(texts)), key=lambda each: abs(grid.starts[each] - chunk.start()))
        following = grid.starts[place + 1] if place + 1 < len(texts) else chunk.end()
        if texts[place] or chunk.end() > following + depth + 2:
            return None
        texts[place] = chunk[0]
    return _filled(grid, texts, depth)


def _tokens(line: str, depth: int) -> Cells | None:
    """A row whose columns were lost with its blanks: `name (Class) shape count inbound`, brackets closed."""
    words = list(_words(line))
    if len(words) < 4 or not words[1].startswith("(") or not _is_shape(words[2]) or not _COUNT.match(words[3]):
        return None
    return Cells(f"{words[0]} {words[1]}", words[2], words[3], " ".join(words[4:]), depth=depth)


def _words(line: str) -> Iterator[str]:
    """What blanks outside brackets part."""
    begun, level = 0, 0
    for place, char in enumerate(line):
        level += (char in "([{") - (char in ")]}")
        if char.isspace() and level == 0:
            if begun < place:
                yield line[begun:place]
            begun = place + 1
    if level == 0 and begun < len(line):
        yield line[begun:]


def _is_shape(text: str) -> bool:
    return text[0] in "([{?" or text == "multiple" or text.endswith(")")


def _forced(line: str, grid: Grid, depth: int) -> Cells | None:
    """A row of Keras 1, where a full cell touches the next. Digits may be the shape's, so the count is not sure."""
    texts = _slices(line, grid.starts)
    reading = _filled(grid, texts, depth, sure=False)
    return reading if reading.name and _is_shape(reading.shape or " ") and _DIGITS.match(reading.count) else None


def cut_box(line: str, roles: Sequence[str]) -> Cells | None:
    """The cells of a line of a box, a Markdown table or a table of tabs; None when it has none.

    A cell that no line closes on the right was cropped by a console narrower than the table (Keras 3).
    """
    texts = box_cells(line)
    if not texts or (len(texts) == 1 and line[0] == "|"):  # one bar in a sentence makes no cell
        return None
    closed = not texts[-1].strip() or len(texts) > len(roles)
    nested = _NESTED.match(texts[0])
    values = {role: text.strip() for role, text in zip(roles, texts, strict=False) if role}
    cropped = not closed and len(texts) <= len(roles) and roles[len(texts) - 1] == "count"
    depth = max((len(nested[1]) - 1) // 3, 1) if nested else 0
    return Cells(**values, depth=depth, sure=not cropped)
