"""What Flax's `tabulate` prints: a drawn table of modules whose last columns hold the arrays of each collection."""

import re
from collections.abc import Iterator, Mapping, Sequence

from reconcile.quantity.counts import whole_number
from reconcile.sources.listings.entry import Entry, Listing
from reconcile.sources.listings.shapes import dtype_of, shape_of
from reconcile.sources.summary.marks import rule

_BARS = re.compile("[│┃|]")
_FIXED = ("path", "module", "inputs", "outputs", "flops", "vjp_flops")
_ARRAY = re.compile(
    r"(?P<name>[\w.\-]{1,80}): {1,80}(?P<dtype>[a-z]+\d{0,3}(?:_\w{1,12})?)\[(?P<axes>[\d,]{0,40})(?P<cut>[….])?\]?"
)
_COUNT = re.compile(r"(?P<count>\d[\d,]{0,20}) \([\d.,]{1,12} ?[KMGT]?i?B\)")
PARAMS = "params"
_CALLED = {"type": "module", "param": PARAMS, "batchstat": "batch_stats", "rngstate": "rngs", "rngkey": "rngs"}
"""What NNX calls the columns of Linen."""
FLAX = "Flax's table"


def find_tabulated(lines: list[str]) -> list[Listing]:
    """Flax's tables in lines."""
    found = []
    for place, line in enumerate(lines):
        if "path" in line and _BARS.search(line):
            columns = [_CALLED.get(cell, cell) for cell in map(str.lower, _cells(line))]
            if columns[:2] == ["path", "module"] and PARAMS in columns:
                found.append(_read(lines, place, columns))
    return [listing for listing in found if listing.entries]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _BARS.split(line.strip())[1:-1]]


def _read(lines: list[str], place: int, columns: Sequence[str]) -> Listing:
    """The table below a header, whose rows go on over several lines up to a drawn one."""
    listing = Listing(place, place + 1, FLAX, placed={place}, once=True)
    row: dict[str, str] = {}
    first = place + 1
    for number in range(place + 1, len(lines)):
        line = lines[number]
        cells = _cells(line)
        if rule(line) or not cells:
            listing.entries += _entries(row, first)
            if "Total" in row.values():
                listing.stated = _total(row)
            row, first = {}, number + 1
            if not rule(line):
                break
        elif len(cells) != len(columns):
            break
        else:
            for column, text in zip(columns, cells, strict=True):
                row[column] = f"{row.get(column, '')} {text}".strip()
        listing.placed.add(number)
        listing.end = number + 1
    return listing


def _total(row: Mapping[str, str]) -> tuple[int, int] | None:
    """The parameters in the last row; other collections have columns of their own."""
    found = _COUNT.search(row.get(PARAMS, ""))
    count = whole_number(found["count"]) if found else None
    return None if count is None else (count, count)


def _entries(row: Mapping[str, str], line: int) -> Iterator[Entry]:
    """The arrays of one module, in each of its collections; its count alone where the table shows no arrays."""
    if "Total" in row.values():
        return
    for column, text in row.items():
        if column in _FIXED or not text:
            continue
        path = "/".join(part for part in (column if column != PARAMS else "", row.get("path", "")) if part)
        stated = _COUNT.search(text)
        count = whole_number(stated["count"]) if stated else None
        arrays = list(_ARRAY.finditer(text))
        cut = [array for array in arrays if array["cut"]]
        whole = [_entry(array, path, line) for array in arrays if not array["cut"]]
        yield from whole
        if not row.get("path") and not arrays:
            continue  # NNX tells the whole model's in its first row
        if count is not None and (len(cut) == 1 or not arrays):
            left = count - sum(entry.range[0] for entry in whole)
            yield Entry(_named(path, cut[0]["name"]) if cut else path, None, left, strong=True, line=line)


def _entry(array: re.Match[str], path: str, line: int) -> Entry:
    return Entry(
        _named(path, array["name"]), shape_of(array["axes"]), None, dtype_of(array["dtype"]), strong=True, line=line
    )


def _named(path: str, name: str) -> str:
    return f"{path}/{name}" if path else name
