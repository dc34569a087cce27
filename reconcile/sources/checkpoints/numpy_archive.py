"""NumPy's files: `.npz` archives, plain or compressed, and a single `.npy`; each array by its header."""

import re
from pathlib import Path
from typing import NamedTuple

from reconcile.errors import InputError
from reconcile.inventory import Inventory, Remark, Tensor, parent_layers
from reconcile.sources.checkpoints.bounded import HeaderFile, counted, told
from reconcile.sources.checkpoints.dtypes import NUMPY, bytes_of, role_of
from reconcile.sources.checkpoints.zips import Archive, archive_in

LARGEST_READ = 64 * 2**20
"""Bytes that are read of an archive at most: its directory and each array's header."""

LARGEST_HEADER = 64 * 1024
"""Bytes of the largest header of one array; NumPy itself takes no more than 10,000 unless it is told to."""

_MAGIC = b"\x93NUMPY"
_USUAL = 128
# What NumPy writes, the keys in this order; a type that is a list is an array of records.
_HEADER = re.compile(
    r"\{'descr': (?:'(?P<descr>[^'\\]{1,20})'|(?P<records>\[.*\])), 'fortran_order': (?:True|False),"
    r" 'shape': \((?P<shape>(?:\d{1,20}L?(?:, ?\d{1,20}L?)*,?)?)\),? *\}\s*",
    re.DOTALL,
)


class _Array(NamedTuple):
    """An array's header: its type's code, its shape, and where its data start."""

    descr: str
    shape: tuple[int, ...]
    values: int
    start: int


def read(path: Path) -> Inventory:
    """The arrays of an `.npz` or `.npy`, records and pickled objects left out. Raises InputError for a damaged one."""
    with HeaderFile(path, LARGEST_READ) as file:
        start = file.exactly(min(4, file.size), "header")
        if start == _MAGIC[:4]:
            found, kind = [_single(file)], "a NumPy array"
        else:
            with archive_in(file) as archive:
                found, kind = [_member(archive, name) for name in archive.entries], "a NumPy archive"
        size = file.size
    tensors = [one for one in found if isinstance(one, Tensor)]
    if not tensors:
        raise InputError(path, got="no array of numbers", takes="arrays of parameters")
    remarks = tuple(one for one in found if isinstance(one, Remark))
    return Inventory(str(path), parent_layers(tensors), None, remarks=remarks, kind=kind, size=size)


def _single(file: HeaderFile) -> Tensor | Remark:
    file.seek(0)
    array = _header(file.exactly(min(file.size, LARGEST_HEADER), "header"), file.path, "header")
    return _tensor(file.path.stem, array, file.size - array.start, None, file.path)


def _member(archive: Archive, name: str) -> Tensor | Remark:
    """One entry of an archive. Its header is nearly always in the first bytes, and more are read where it is not."""
    entry, path, place = archive.entries[name], archive.file.path, told(name)
    head = archive.head(name, _USUAL)
    if not head.startswith(_MAGIC):
        return Remark("not-counted", name, "no array")
    if len(head) > 10 and _end(head, path, place) > len(head):
        head = archive.head(name, LARGEST_HEADER)
    array = _header(head, path, place)
    taken = entry.compress_size if entry.compress_type else None
    return _tensor(name.removesuffix(".npy"), array, entry.file_size - array.start, taken, path)


def _tensor(name: str, array: _Array, stored: int, taken: int | None, path: Path) -> Tensor | Remark:
    """An array whose data are as long as its header says; `taken` is what it takes where it is compressed."""
    code = array.descr.lstrip("<>|=")
    if code not in NUMPY and not re.fullmatch(r"V[1-8]", code):
        what = "pickled objects, not executed" if code == "O" else f"values of type {array.descr}"
        return Remark("not-executed" if code == "O" else "not-counted", name, what)
    # A type that NumPy does not have, such as bfloat16, is written as so many bytes of anything.
    dtype = NUMPY.get(code, code)
    nbytes = bytes_of(dtype, array.values) if dtype != code else array.values * int(code[1:])
    if stored != nbytes:
        got = f"{stored:,} bytes for {array.values:,} values of {array.descr}"
        raise InputError(path, told(name), got, f"{nbytes:,} bytes")
    return Tensor(name, array.shape, dtype, None, name, nbytes if taken is None else taken, role_of(dtype))


def _end(head: bytes, path: Path, place: str) -> int:
    """Where the header ends and the data start: the version says how wide its length is."""
    width = {1: 2, 2: 4, 3: 4}.get(head[6])
    if width is None:
        raise InputError(path, place, f"version {head[6]} of NumPy's format", "version 1, 2 or 3")
    end = 8 + width + int.from_bytes(head[8 : 8 + width], "little")
    if end > LARGEST_HEADER:
        raise InputError(path, place, f"a header of {end:,} bytes", f"at most {LARGEST_HEADER:,} bytes")
    return end


def _header(head: bytes, path: Path, place: str) -> _Array:
    if len(head) <= 12 or not head.startswith(_MAGIC):
        raise InputError(path, place, "no header", "an array as NumPy writes it")
    end = _end(head, path, place)
    if end > len(head):
        raise InputError(path, place, "its end within the header", "a whole array")
    text = head[10 if head[6] == 1 else 12 : end].decode("utf-8", "backslashreplace")
    match = _HEADER.fullmatch(text)
    if match is None:
        raise InputError(path, place, f"a header {told(text)}", "a header as NumPy writes it")
    sizes = [int(size.strip(" L")) for size in match["shape"].split(",") if size.strip()]
    return _Array(match["descr"] or "records", *counted(sizes, path, place), start=end)
