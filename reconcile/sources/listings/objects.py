"""Listings as JSON: an object of names with shapes or counts, or a list of rows."""

from collections.abc import Iterator, Mapping
from typing import Any

from reconcile.sources.listings.blocks import plausible
from reconcile.sources.listings.entry import Entry, Listing
from reconcile.sources.listings.shapes import NAME, dtype_of

LARGEST = 8 * 2**20
"""Characters of the largest text that is read as JSON."""

_HOLDERS = ("parameters", "state_dict", "tensors", "params", "variables", "model")
_NAMES = ("name", "parameter", "path", "tensor", "key", "variable")
_SHAPES = ("shape", "size", "dims", "shapes")
_COUNTS = ("count", "numel", "params", "num_params", "parameters", "num_parameters", "elements")


def find_objects(text: str) -> list[Listing] | None:
    """The listing that a text is as JSON, or none; None where it is no JSON."""
    start = text[:1000].lstrip("\ufeff \t\r\n")[:1]
    if start not in ("{", "[") or len(text) > LARGEST:
        return None
    import json

    try:
        table = json.loads(text.lstrip("\ufeff"), parse_int=_number)
    except (ValueError, RecursionError):
        return None
    entries = [entry for _, entry in zip(range(1_000_000), _entries(table), strict=False)]
    listing = Listing(0, 1, "a listing", entries)
    parted = sum(entry.strong for entry in entries)
    return [listing] if len(entries) > 1 and 2 * parted >= len(entries) and plausible(listing) else []


def _number(text: str) -> int | None:
    return int(text) if len(text) < 20 else None


def _entries(table: Any) -> Iterator[Entry]:
    if isinstance(table, dict):
        for name, value in table.items():
            if entry := _entry(name, value):
                yield entry
            elif isinstance(value, dict | list) and name in _HOLDERS:
                yield from _entries(value)
    elif isinstance(table, list):
        for row in table:
            if isinstance(row, dict):
                name = _first(row, _NAMES)
                entry = _entry(name, row) if isinstance(name, str) else None
            elif isinstance(row, list) and len(row) in (2, 3) and isinstance(row[0], str):
                entry = _entry(row[0], row[1])
            else:
                entry = None
            if entry:
                yield entry


def _entry(name: str, value: Any) -> Entry | None:
    """The entry of a name with a shape, a count, or a table of either."""
    if not NAME.match(name):
        return None
    shape, count, dtype, trainable = _shape(value), _count(value), "", None
    if isinstance(value, Mapping):
        shape, count = _shape(_first(value, _SHAPES)), _count(_first(value, _COUNTS))
        dtype = dtype_of(str(value.get("dtype", value.get("type", "")))[:40])
        flag = _first(value, ("requires_grad", "trainable"))
        trainable = flag if isinstance(flag, bool) else None
    if shape is None and (count is None or not ("." in name or "/" in name)):
        return None
    return Entry(name, shape, count, dtype, trainable, strong="." in name or "/" in name)


def _first(row: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((row[name] for name in names if name in row), None)


def _shape(value: Any) -> tuple[int, ...] | None:
    if isinstance(value, list) and len(value) <= 8 and all(type(axis) is int and axis >= 0 for axis in value):
        return tuple(value)
    return None


def _count(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None
