"""PyTorch files: the zip archive of today and the form before 1.6, read without unpickling.

The pickle in them is read as data: what it would import or call is recorded by name and left alone.
"""

import io
from collections.abc import Iterable, Iterator
from math import prod
from pathlib import Path
from typing import Any

from reconcile.datafile import MOST_NAMED
from reconcile.errors import InputError
from reconcile.inventory import Inventory, Remark, Tensor, parent_layers
from reconcile.sources.checkpoints.bounded import HeaderFile, told
from reconcile.sources.checkpoints.dtypes import BITS, bytes_of
from reconcile.sources.checkpoints.inert import is_inert, plainly
from reconcile.sources.checkpoints.pickle_machine import read_pickle
from reconcile.sources.checkpoints.pickled import Pickle, entries
from reconcile.sources.checkpoints.rebuilt import Storage, storage_of
from reconcile.sources.checkpoints.state_dicts import Finder, NamedTensor, unpacked
from reconcile.sources.checkpoints.zips import Archive, archive_in

LARGEST_PICKLE = 64 * 2**20
"""Bytes of the largest pickle; a tensor takes about 150."""

LARGEST_READ = 2 * LARGEST_PICKLE

_MAGIC = 0x1950A86A20F9469CFC6C
_PROTOCOL = 1001
_TAR = (257, b"ustar")


def read(path: Path) -> Inventory:
    """The tensors that the file names. Nothing in it is executed, imported or unpickled.

    Raises InputError where it is damaged, contradicts itself, or has no tensor.
    """
    with HeaderFile(path, LARGEST_READ) as file:
        head = file.exactly(min(file.size, 512), "start")
        if head[_TAR[0] :].startswith(_TAR[1]):
            raise InputError(path, got="a tar archive, as PyTorch wrote before 0.1.10", takes="a later file")
        if head.startswith(b"PK"):
            pickle, stored = _from_archive(file)
            kind = "PyTorch"
        else:
            pickle, stored = _from_stream(file)
            kind = "PyTorch, the form before 1.6"
        size = file.size
    finder = Finder(path)
    finder.find(pickle.value)
    found = unpacked(finder.found)
    foreign = _foreign(pickle)
    if not found:
        takes = "a state dict, a module or a checkpoint with one"
        raise InputError(path, got=f"{foreign[0]}, which is no tensor" if foreign else "no tensor", takes=takes)
    _check_stored(found, stored, path)
    remarks = (*finder.remarks, *_not_executed(foreign), *_larger(found, stored))
    layers = parent_layers(_tensors(found))
    return Inventory(str(path), layers, None, remarks=remarks, kind=kind, size=size, tells_ties=True)


def _foreign(pickle: Pickle) -> list[str]:
    """What the pickle asks for besides tensors and plain values."""
    return [plainly(name) for name in pickle.names if not is_inert(name)]


def _from_archive(file: HeaderFile) -> tuple[Pickle, dict[str, int]]:
    """The pickle in the archive, with the bytes of each storage."""
    with archive_in(file) as archive:
        names = [name for name in archive.entries if name == "data.pkl" or name.endswith("/data.pkl")]
        if not names:
            raise InputError(file.path, got="an archive without data.pkl", takes="an archive of torch.save")
        name = min(names, key=len)
        pickle = read_pickle(io.BytesIO(archive.whole(name, LARGEST_PICKLE)), file.path, name)
        folder = f"{name.removesuffix('data.pkl')}data/"
        return pickle, _stored_in(archive, folder)


def _stored_in(archive: Archive, folder: str) -> dict[str, int]:
    return {
        name.removeprefix(folder): entry.file_size for name, entry in archive.entries.items() if name.startswith(folder)
    }


def _from_stream(file: HeaderFile) -> tuple[Pickle, dict[str, int]]:
    """The fourth of five pickles that follow each other, with the bytes of the storages that follow those."""
    file.seek(0)
    stream, path = io.BufferedReader(file, 64 * 1024), file.path
    first = read_pickle(stream, path, "magic number")
    if first.value != _MAGIC or type(first.value) is not int:
        asked = next(iter(_foreign(first)), None)
        got = f"a pickle that asks for {asked}, which is no tensor" if asked else "a pickle of another kind"
        raise InputError(path, "magic number", got, "a file of torch.save")
    version = read_pickle(stream, path, "protocol version").value
    if version != _PROTOCOL:
        raise InputError(path, "protocol version", told(version), str(_PROTOCOL))
    system = entries(read_pickle(stream, path, "system").value)
    pickle = read_pickle(stream, path, "object")
    keys = read_pickle(stream, path, "storage keys").value
    if not isinstance(keys, list):
        raise InputError(path, "storage keys", told(keys), "a list of keys")
    order = "little" if system.get("little_endian", True) else "big"
    return pickle, dict(_sizes(file, stream.tell(), keys, _by_key(pickle, path), order))


def _by_key(pickle: Pickle, path: Path) -> dict[str, Storage]:
    storages = (storage_of(stored, path) for stored in pickle.stored)
    return {storage.key: storage for storage in storages if storage is not None}


def _sizes(
    file: HeaderFile, start: int, keys: list[Any], storages: dict[str, Storage], order: Any
) -> Iterator[tuple[str, int]]:
    """Each storage's bytes: its number of values stands before them, and all of them must be there."""
    for key in keys:
        storage = storages.get(str(key)) if isinstance(key, str | int) else None
        if storage is None:
            raise InputError(file.path, "storage keys", told(key), "keys of storages that the object has")
        file.seek(start)
        count = int.from_bytes(file.exactly(8, f"storage {told(key)}"), order)
        nbytes = count * BITS[storage.dtype] // 8
        start += 8 + nbytes
        if start > file.size:
            got = f"{count:,} values, {start - file.size:,} bytes beyond the end"
            raise InputError(file.path, f"storage {told(key)}", got, "a whole file")
        yield str(key), nbytes


def _check_stored(found: list[NamedTensor], stored: dict[str, int], path: Path) -> None:
    """Raise InputError for the first tensor whose storage is not in the file, or smaller there than it says."""
    for one in found:
        storage = one.tensor.storage
        if storage is None:
            continue
        place = f"{told(one.path)}, storage {told(storage.key)}"
        if storage.key not in stored:
            raise InputError(path, place, "no data", "the data of each tensor")
        if one.tensor.start + one.tensor.reach > stored[storage.key]:
            raise InputError(path, place, f"{stored[storage.key]:,} bytes", f"{storage.nbytes:,} bytes")


def _tensors(found: Iterable[NamedTensor]) -> Iterator[Tensor]:
    """Each tensor; those with one start in one storage and one size are one memory, and its bytes are told once."""
    seen: set[str] = set()
    for one in found:
        tensor = one.tensor
        storage, taken = one.path, 0
        if tensor.storage is not None:
            size = prod(tensor.shape)
            storage = f"{tensor.storage.key}@{tensor.start}+{tensor.reach}/{size}"
            taken = min(tensor.reach, bytes_of(tensor.dtype, size))
        nbytes = None if storage in seen else taken
        seen.add(storage)
        yield Tensor(one.path, tensor.shape, tensor.dtype, tensor.trainable, storage, nbytes, one.role)


def _not_executed(names: list[str]) -> Iterator[Remark]:
    """What the file asks for besides tensors, none of which was imported or called."""
    for name in names[:MOST_NAMED]:
        yield Remark("not-executed", name, "the file asks for it; it was neither imported nor called")
    if len(names) > MOST_NAMED:
        rest = len(names) - MOST_NAMED
        yield Remark(
            "not-executed", f"{rest:,} more", "the file asks for them; they were neither imported nor called", rest
        )


def _larger(found: list[NamedTensor], stored: dict[str, int]) -> Iterator[Remark]:
    """Storages of which the tensors use a part only: a slice that was saved takes the whole of what it was cut from."""
    spans: dict[str, set[tuple[int, int, str]]] = {}
    for one in found:
        if one.tensor.storage is not None:
            span = (one.tensor.start, one.tensor.start + one.tensor.reach, one.path)
            spans.setdefault(one.tensor.storage.key, set()).add(span)
    if unread := [key for key in stored if key not in spans]:
        total = sum(stored[key] for key in unread)
        shown = f"{total:,} bytes in {len(unread):,} arrays are in objects that are not read, and not counted"
        yield Remark("unread-storages", "the file", shown, len(unread))
    for key, used in spans.items():
        last, covered = 0, 0
        for start, end, _ in sorted(used):
            covered += max(0, end - max(start, last))
            last = max(last, end)
        if covered < stored[key]:
            shown = f"{stored[key]:,} bytes are stored and {covered:,} of them used"
            yield Remark("larger-storage", min(used)[2], shown, stored[key] - covered)
