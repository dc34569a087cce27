"""Tables with a header that names columns: Markdown, org, boxes, CSV, TSV, or columns parted by blanks."""

import re
from collections.abc import Callable, Sequence
from math import prod

from reconcile.inventory import Remark
from reconcile.quantity.counts import whole_number
from reconcile.sources.listings.blocks import is_elision
from reconcile.sources.listings.entry import Entry, Listing
from reconcile.sources.listings.grouped import Mark, grouped
from reconcile.sources.listings.lines import LONGEST
from reconcile.sources.listings.rounded import bounds_of
from reconcile.sources.listings.shapes import NAME, dtype_of, shape_of, shapes_in
from reconcile.sources.summary.marks import rule

Cut = Callable[[str], list[str]]

_NAMED = re.compile(
    r"(?:(?:full|module|layer|param(?:eter)?|tensor|variable|weight)[ _])?"
    r"(?:name|parameter|tensor|variable|module|layer|key|weight|path|component)s?(?: ?\((?:name|type)\))?$"
    r"|参数(?:详情|名称?)?$|(?:变量|张量|层|模块|權重|权重)?名称?$|名前$|이름$|Bezeichnung$|nom$|nombre$"
)
_SHAPED = re.compile(
    r"(?:(?:param(?:eter)?|weight|tensor|kernel)[ _])?(?:shape|dims?|dimensions|torch\.size)s?$"
    r"|形状$|维度$|形狀$|모양$|Form$|forme$|forma$"
)
_COUNTED = re.compile(
    r"(?:#|no\.? of |num(?:ber)?(?: of |_)?|n_)? ?(?:param(?:eter)?s?|numel|count|elements|values|weights)"
    r"(?: ?#| count)?$"
    r"|参数(?:量|数量?|个数)$|個数$|パラメータ数$|(?:파라미터|매개변수) ?수$|anzahl$|paramètres$|parámetros$"
)
_HEADING = re.compile(
    "shape|size|dim|param|numel|count|elements|values|weights|参数|パラメータ|파라미터|매개변수|anzahl|paramètre|parámetro",
    re.IGNORECASE,
)
_TYPED = re.compile(r"(?:dtype|precision|data type)$")
_FLAGGED = re.compile(r"(?:trainable|requires[_ ]grad|frozen)\??$")
_TOTAL = re.compile(r"(?:sub)?(?:total|sum|overall|all)\b", re.IGNORECASE)
_WHOLE = re.compile(
    r"(?:grand )?(?:total|sum|summary|overall|all)(?: of all| model)?(?: (?:#|number of )?param(?:eter)?s?)?(?: count)?"
    r"|合计|总计|总和|总数|總計|合計|총계|합계|Summe|Gesamt(?:zahl)?|somme|suma",
    re.IGNORECASE,
)
_NAME_AND_SHAPE = re.compile(r"(?:name ?[=:] ?)?([^\s,;=]{1,300})[,;]? shape ?[=:] ?(.{1,80})$")
_COLUMN = re.compile(
    r"(?:sub)?(?:layer|module|group|part|block|component|section|type|kind|no|nr|id|index|idx|#|row|level|stage)s?\.?",
    re.IGNORECASE,
)
"""Headings of a first column, which do not name the model."""
_FLAGS = {**dict.fromkeys(("true", "yes", "y", "\u2713"), True), **dict.fromkeys(("false", "no", "n", "\u2717"), False)}
_KIND = re.compile(r"(?:type|class|module type|layer type)$")
_EITHER = ("#elements or shape", "#parameters or shape")
"""What fvcore calls a column of shapes and, of modules, counts."""
_CLASS = re.compile(r"[A-Z]\w*\Z|n/a\Z")
MODULES = "a table of modules"
"""What Lightning and its like print: names, classes and counts."""
_PASSED, _TOTALLED = Entry(""), Entry("total")
"""Rows that are no entries: one that was not understood, and one that is a total, a heading or without a figure."""
_PATTERNS = {"name": _NAMED, "shape": _SHAPED, "count": _COUNTED, "dtype": _TYPED, "trainable": _FLAGGED, "type": _KIND}
_DIGIT = re.compile(r"\d")
_BARS = re.compile("[|\u2502\u2503\u2551]")
_CHUNK = re.compile(r"\S+(?: \S+)*")


def find_tables(lines: list[str]) -> list[Listing]:
    """The tables in lines that have a column of names and one of shapes or counts."""
    found: list[Listing] = []
    place = 0
    while place < len(lines):
        header = _header(lines[place]) if lines[place] else None
        listing = _read(lines, place, *header) if header else None
        if listing:
            found.append(listing)
        place = listing.end if listing else place + 1
    return found


def _header(line: str) -> tuple[list[str], Cut] | None:
    """The roles of a header's columns, and how lines below it are cut; None for a line that is no header."""
    if (
        len(line) > LONGEST
        or not _HEADING.search(line)
        or line.count("  ") + sum(map(line.count, "|\t,;\u2502\u2503")) == 0
    ):
        return None
    for cut in _cuts(line):
        cells = cut(line)
        roles = _roles(cells)
        # Only a first cell that names the model may hold a number, as that of no row does.
        if roles and not any(_DIGIT.search(cell) for cell in cells[roles[0] == "" :]):
            return roles, cut
    return None


def _cuts(header: str) -> list[Cut]:
    """The ways in which a header may be cut to cells."""
    found: list[Cut] = []
    if _BARS.search(header):
        found.append(_barred(_BARS.match(header.strip()) is not None))
    for mark in ("\t", ",", ";"):
        if mark in header:
            found.append(_separated(mark))
    starts = [chunk.start() for chunk in re.finditer(r"\S+(?: \S+)*", header)]
    return [*found, _columned(starts)]


def _barred(edged: bool) -> Cut:
    """Cells between bars; where the header has none at its edge, one there precedes or follows an empty cell."""

    def cut(line: str) -> list[str]:
        line = line.strip()
        if not _BARS.search(line):
            return []
        cells = [cell.strip(" `*") for cell in _BARS.split(line)]
        return cells[edged and bool(_BARS.match(line)) : len(cells) - (edged and _BARS.match(line[-1]) is not None)]

    return cut


def _separated(mark: str) -> Cut:
    def cut(line: str) -> list[str]:
        if mark not in line:
            return []
        import csv

        rows = csv.reader([line.strip("\r\n ")], delimiter=mark, skipinitialspace=True)
        try:
            return [cell.strip(" `") for cell in next(rows)]
        except (csv.Error, StopIteration):
            return []

    return cut


def _columned(starts: Sequence[int]) -> Cut:
    """Cells that two blanks part, each in the column whose heading overlaps it or is nearest."""

    def cut(line: str) -> list[str]:
        chunks = [(chunk.start(), chunk.end(), chunk[0]) for chunk in _CHUNK.finditer(line)]
        if len(chunks) == len(starts):
            return [text for *_, text in chunks]
        if len(chunks) == len(starts) + 1 and chunks[0][2].isdigit():  # pandas sets a row number before each line
            return [text for *_, text in chunks[1:]]
        return []

    return cut


def _roles(cells: Sequence[str]) -> list[str] | None:
    """What each column holds, if one holds names and another shapes or counts; no Keras summary's header."""
    texts = [cell.lower().strip("'\" :*") for cell in cells]
    if len(cells) < 2 or any("output shape" in text or "layer (type" in text for text in texts):
        return None
    roles = [_role(text) for text in texts]
    if "shape" not in roles or "count" not in roles:
        sized = [place for place, text in enumerate(texts) if text in ("size", "sizes", *_EITHER)]
        if len(sized) == 1:
            roles[sized[0]] = "count" if "shape" in roles else "size"
    names = [place for place, role in enumerate(roles) if role == "name"]
    if len(names) > 1 and not {"shape", "count", "size"} & {*roles} and _COUNTED.match(texts[names[-1]]):
        roles[names.pop()] = "count"  # `Modules | Parameters`
    if len(names) > 1:  # `Layer | Parameter | Shape`: the last but one names the tensor more closely
        kept = next((place for place in names if "name" in texts[place] or texts[place] == "parameter"), names[0])
        roles = ["" if role == "name" and place != kept else role for place, role in enumerate(roles)]
    elif not names and "count" in roles and roles[0] == "count" and len(roles) > 1:
        return None
    return roles if "name" in roles and {"shape", "count", "size"} & {*roles} else None


def _role(text: str) -> str:
    for role, pattern in _PATTERNS.items():
        if pattern.match(text):
            return f"{role}:frozen" if text.startswith("frozen") else role
    return ""


def _read(lines: list[str], place: int, roles: list[str], cut: Cut) -> Listing | None:
    listing = Listing(place, place + 1, "a table", placed={place}, title=_title(cut(lines[place]), roles))
    marks: list[Mark] = []
    missed = 0
    for number in range(place + 1, len(lines)):
        line = lines[number]
        if not line.strip() or rule(line) or set(line) <= set("-+|:= \t"):
            missed += not line.strip()
        elif is_elision(line) or set(line) <= set("|. \u2026\u22ee\u2502"):
            after = listing.entries[-1].name if listing.entries else "the top"
            listing.remarks.append(Remark("elided", f"after {after}", line.strip()))
        else:
            cells = cut(line) if len(line) <= LONGEST else []
            if len(cells) == len(roles) + 1 and cells[0].isdigit():  # a row's number, which the header has no cell for
                cells = cells[1:]
            if len(cells) > len(roles) and not cells[0]:  # a bar at the edge that the header has not
                cells = cells[1:]
            entry = _entry(_by_role(roles, cells)) if _roles(cells) is None else None
            if entry is None:
                break
            if (whole := _whole(roles, cells)) is not None:
                listing.stated, entry = (whole, whole), _TOTALLED
            elif entry.strong and (mark := _mark(roles, cells, len(listing.entries))):
                marks.append(mark)
            if entry is not _PASSED:
                listing.placed.add(number)
            if entry.strong and (entry.name or not listing.entries):  # of the whole model, and no total below it
                listing.entries.append(entry)
            if entry is not _PASSED or any(map(str.isdigit, line)):
                listing.end = number + 1
            missed = 0
        if missed > 1:
            break
    header = lines[place].lower()
    typed = "type" in roles and "param" in header
    if not _is_listing(listing, typed) and not (listing.entries and any(heading in header for heading in _EITHER)):
        return None
    listing.entries, said = grouped(listing.entries, marks)
    listing.remarks += said
    return listing


def _by_role(roles: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    """The cells of a row by what they hold, of two columns of one kind the first; a shape that stands with the name."""
    found: dict[str, str] = {}
    for role, cell in zip(roles, cells, strict=False):
        found.setdefault(role, cell)
    if "shape" not in found and (both := _NAME_AND_SHAPE.match(found.get("name", ""))):
        found |= {"name": both[1], "shape": both[2]}
    return found


def _title(cells: Sequence[str], roles: Sequence[str]) -> str:
    """What a header's first cell calls the model, where it is no column's heading."""
    return "" if roles[0] or not cells[0] or _COLUMN.fullmatch(cells[0]) else cells[0]


def _mark(roles: Sequence[str], cells: Sequence[str], row: int) -> Mark | None:
    """What stands before the name and behind the count of a row, in columns that have no other meaning."""
    names = roles.index("name")
    sized = max((place for place, role in enumerate(roles) if role in ("count", "shape", "size")), default=len(roles))
    label = next((cell for role, cell in zip(roles[:names], cells, strict=False) if not role and cell), "")
    stated = next((cell for cell in cells[sized + 1 : len(roles)] if cell), "")
    return Mark(row, label, stated) if label or stated else None


def _whole(roles: Sequence[str], cells: Sequence[str]) -> int | None:
    """The figure of a row that says that it is the total of all."""
    texts = [cell.strip("* _:\"'") for cell in cells]
    first = next((place for place, text in enumerate(texts) if text), None)
    if first is None or not _WHOLE.fullmatch(texts[first]):
        return None
    figures = {figure for role, text in zip(roles, texts, strict=False) if role in ("", "count", "size")
               and (figure := whole_number(text)) is not None}  # fmt: skip
    return figures.pop() if len(figures) == 1 else None


def _is_listing(listing: Listing, typed: bool) -> bool:
    """Whether rows name tensors or modules, as they do where each tells its class, and nothing else with a count."""
    rows = listing.entries
    if typed and rows and all(_CLASS.match(row.class_name) for row in rows):
        listing.kind = MODULES
        return True
    shaped = [row for row in rows if row.shape is not None]
    parted = [row for row in rows if re.search("[./]", row.name)]
    return bool(rows) and (2 * len(shaped) > len(rows) or (len(rows) > 1 and 2 * len(parted) > len(rows)))


def _entry(cells: dict[str, str]) -> Entry | None:
    """The entry of a row's cells; `_TOTALLED` or `_PASSED` for one that is none, None where the table has ended."""
    cells = {role: text.strip().strip("\"'") for role, text in cells.items()}
    name, kind = cells.get("name", ""), cells.get("type", "")
    dtype = dtype_of(cells.get("dtype", kind))
    kind = "" if dtype_of(kind) else kind
    shape, count = cells.get("shape", ""), cells.get("count", "")
    if size := cells.get("size", ""):
        shape, count = (size, "") if shapes_in(size) else ("", size)
    if not (shape or count):
        return None if not cells else _TOTALLED if name else _PASSED
    if _TOTAL.match(name):
        return _TOTALLED
    shapes = shapes_in(shape)
    number, one = whole_number(count.replace(" ", "")), whole_number(shape)
    sizes = shape_of(shapes[0][0]) if shapes else (one,) if one is not None else None
    bounds = bounds_of(count) if number is None else None
    if bounds is not None and bounds[0] == bounds[1]:
        number, bounds = bounds[0], None
    if not NAME.match(name) and kind and not shape:  # Lightning's `other params`
        name = name.replace(" ", "_")
    if not name and sizes is None and (number is not None or bounds is not None):
        return Entry("", None, number, strong=True, bounds=bounds)
    if not NAME.match(name) or (sizes is None and number is None and bounds is None):
        return _TOTALLED if not name and not count.strip("- ") else _PASSED
    number = prod(sizes) if sizes is not None and number is None and count and not count[0].isdigit() else number
    return Entry(name, sizes, number, dtype, _flag(cells), True, None if sizes else bounds, kind)


def _flag(cells: dict[str, str]) -> bool | None:
    if "trainable:frozen" in cells:
        value = _FLAGS.get(cells["trainable:frozen"].lower())
        return None if value is None else not value
    return _FLAGS.get(cells.get("trainable", "").lower())
