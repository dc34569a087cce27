"""The lines of a table put together to rows."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace

from reconcile.frozen import dataclass
from reconcile.sources.summary.cells import Cells
from reconcile.sources.summary.cleaning import LONGEST
from reconcile.sources.summary.marks import is_blank, log_start, rule

_SHAPE = re.compile(r"[(\[{]|multiple|\?|[A-Za-z_]\w*\(")
_WHOLE = re.compile(r"[\w./-]+ ?\(\w+\)")
_MORE_COUNT = re.compile(r"[0-9,_]+$|[a-z0-9 (]+\)?$")


@dataclass(slots=True)
class RowLines:
    """The lines of one row. `broken` where something foreign was printed before its end."""

    lines: list[Cells]
    broken: bool = False

    def joined(self, role: str, between: str = "") -> str:
        """What a column holds, its lines put together."""
        return between.join(text for line in self.lines if (text := getattr(line, role)))

    @property
    def named(self) -> bool:
        """Whether the cell of the name is complete: `name (Class)`."""
        return self.joined("name").endswith(")")


@dataclass(frozen=True, slots=True)
class Part:
    """What parts the rows: a rule's character, or a blank for a blank line."""

    mark: str


@dataclass(frozen=True, slots=True)
class Foreign:
    """What Keras did not print."""

    text: str


Starts = Callable[[Cells, RowLines | None, str], bool]
"""Whether cells begin a row, after the row above and what parts them from it (an empty text where nothing does)."""

GoesOn = Callable[[Cells, RowLines, str], bool]
"""Whether cells go on with the row above."""


@dataclass(slots=True)
class Rows:
    """The rows of a table, and what stood among them that Keras did not print."""

    rows: list[RowLines] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)


def read_lines(lines: Iterable[str], cut: Callable[[str], Cells | None]) -> Iterator[Cells | Part | Foreign]:
    """Tell what each line is; what a log wrote behind a line is foreign."""
    for line in lines:
        mark = rule(line)
        if mark or is_blank(line):
            if mark != "\u00af":  # the frame of a nested model
                yield Part(mark or " ")
            continue
        if len(line) > LONGEST:
            yield Foreign(line)
            continue
        log = log_start(line)
        own = line[:log]
        cells = None if is_blank(own) else cut(own)
        if cells and log is not None:
            # Digits that the log touches may go on behind it.
            cells = replace(cells, sure=cells.sure and not own[-1].isdigit())
        yield cells or Foreign(line)
        if cells and log is not None:
            yield Foreign(line[log:])


def group(items: Iterable[Cells | Part | Foreign], starts: Starts, goes_on: GoesOn) -> Rows:
    """Put cells together to rows. What neither begins a row nor goes on with one is foreign."""
    found, parted, waiting = Rows(), "=", list[str]()
    for item in items:
        row = found.rows[-1] if found.rows else None
        if isinstance(item, Part):
            # A blank line that a log left inside a row parts nothing.
            parted = item.mark if item.mark.strip() or not (waiting and row and row.broken) else parted
        elif isinstance(item, Cells) and starts(item, row, parted):
            found.rows.append(RowLines([item]))
            found.foreign += waiting
            parted, waiting = "", []
        elif isinstance(item, Cells) and row and goes_on(item, row, parted):
            row.lines.append(item)
            found.foreign += waiting
            parted, waiting = "", []
        else:
            waiting.append(item.text if isinstance(item, Foreign) else " ".join(_texts(item)))
            if row and not parted:
                row.broken = True
    return found


def _texts(cells: Cells) -> list[str]:
    return [text for text in (cells.name, cells.shape, cells.count, cells.inbound, cells.trainable) if text]


def starts_row(cells: Cells, above: RowLines | None, parted: str) -> bool:
    """Whether cells begin a row of a table in columns."""
    if not cells.name:
        return False
    if cells.counted and (parted or above is None or above.named):
        return True
    # The class of the row above is cut, and the line with the rest of it is lost.
    if cells.counted and above is not None and _is_open(above.joined("name")) and not _is_open(above.joined("shape")):
        return bool(_WHOLE.fullmatch(cells.name) and _SHAPE.match(cells.shape))
    # The count is lost with the end of the line, or is no figure.
    return bool(parted and "(" in cells.name and _SHAPE.match(cells.shape))


def starts_cut_row(cells: Cells, above: RowLines | None, parted: str) -> bool:
    """Whether cells begin a row where cells are cut at the columns' edges: a name stands on first lines only."""
    return bool(cells.name) and (cells.counted or starts_row(cells, above, parted or " "))


def goes_on_wrapped(cells: Cells, above: RowLines, parted: str) -> bool:
    """Whether cells go on with a row whose cells are wrapped over several lines."""
    if parted == " ":  # a column of one character, where a blank of the shape leaves a line blank
        return not (cells.name or cells.count) and _is_open(above.joined("shape"))
    return not parted and not (cells.name and above.named) and (not cells.count or bool(_MORE_COUNT.match(cells.count)))


def _is_open(text: str) -> bool:
    return sum(map(text.count, "([{")) > sum(map(text.count, ")]}"))


def goes_on_cut(cells: Cells, above: RowLines, parted: str) -> bool:
    """Whether cells go on with a row whose cells are cut: only its inbound layers take more lines."""
    return parted in ("", " ") and not (cells.name or cells.shape or cells.count) and bool(cells.inbound)


def starts_boxed_row(cells: Cells, above: RowLines | None, parted: str) -> bool:
    """Whether cells begin a row of a box, whose rows are parted by rules."""
    return parted.strip() != "" or (cells.counted and cells.name != "" and not cells.name.startswith("("))


def starts_listed_row(cells: Cells, above: RowLines | None, parted: str) -> bool:
    """Whether cells begin a row of a table whose rows nothing parts (Markdown)."""
    return bool(cells.name and (above is None or cells.count or above.named))


def goes_on_boxed(cells: Cells, above: RowLines, parted: str) -> bool:
    """Whether cells go on with the row of a box above them."""
    return not parted.strip()
