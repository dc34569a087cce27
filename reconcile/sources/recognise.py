"""What kind of source a file or directory is, from its content and never from its name alone, and who reads it."""

import fnmatch
import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from reconcile.datafile import is_given_pipe, open_regular
from reconcile.errors import InputError
from reconcile.frozen import dataclass
from reconcile.inventory import Inventory, Remark

HEAD = 4096
"""Bytes at the start of a file that tell its kind."""

_HDF5, _GGUF, _NPY, _PICKLE, _TAR = b"\x89HDF\r\n\x1a\n", b"GGUF", b"\x93NUMPY", b"\x80", b"ustar"
_ZIPS = (b"PK\x03\x04", b"PK\x05\x06")  # with entries, and without
# The last eight bytes of every table in LevelDB's format, in which TensorFlow keeps its index files.
_TABLE = 0xDB4775248B80FB57.to_bytes(8, "little")
_MARKED = (b"\xff\xfe", b"\xfe\xff")  # UTF-16, which is full of zeros
_HDF5_PLACES = (0, 512, 1024, 2048)  # a user block of a power of two may stand before the superblock

# Of several checkpoints in one directory the one that is read, the others being named.
IN_DIRECTORY = (
    "saved_model.pb",
    "model.safetensors",
    "model.safetensors.index.json",
    "*.safetensors.index.json",
    "*.safetensors",
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
    "*.bin.index.json",
    "*.bin",
    "*.pt",
    "*.pth",
    "tf_model.h5",
    "*.keras",
    "*.weights.h5",
    "*.h5",
    "*.hdf5",
    "checkpoint",
    "*.index",
    "*.gguf",
    "*.npz",
    "bert_config.json",
    "config.json",
)
ONE_MODEL = frozenset(
    [
        *("saved_model.pb", "model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "tf_model.h5"),
        *("pytorch_model.bin.index.json", "checkpoint", "bert_model.ckpt.index"),
    ]
)
"""Names that libraries give to the one model of a directory, whatever else is in it."""

_SHARD = re.compile(r"-(?P<number>\d{1,9})-of-(?P<of>\d{1,9})(?=\.|$)")
_CONFIGURATIONS = ("bert_config.json", "config.json")
_MODEL = re.compile("|".join(map(fnmatch.translate, IN_DIRECTORY)))
_NO_MODEL = ("training_args.bin", "optimizer.bin", "optimizer.pt", "scheduler.pt", "rng_state.pth", "scheduler.bin")


@dataclass(frozen=True, slots=True)
class Recognised:
    """A source with the name of its kind; `path` is what its reader takes, `beside` other checkpoints left unread."""

    kind: str
    path: Path
    beside: tuple[str, ...] = ()

    @property
    def is_text(self) -> bool:
        """Whether it is read as text: a summary, a listing, a configuration, a snapshot, anything pasted."""
        return self.kind == "text"

    def read(self) -> Inventory:
        """The inventory of a checkpoint, from its headers. Raises InputError, naming file and place."""
        reader: Callable[[Path], Inventory] = import_module(f"reconcile.sources.checkpoints.{_READERS[self.kind]}").read
        try:
            inventory = reader(self.path)
        except (OSError, OverflowError) as error:  # such as a place in the file that lies before its start
            raise InputError(self.path, got=_reason(error), takes="a whole file that can be read") from None
        shard = _SHARD.search(self.path.name)
        if shard is None or int(shard["of"]) < 2 or self.kind == "TensorFlow checkpoint":
            return inventory
        part = Remark("one-of-several", self.path.name, f"shard {int(shard['number'])} of {int(shard['of'])}")
        return replace(inventory, remarks=(part, *inventory.remarks))


_READERS = {
    "HDF5": "hdf5",
    "Keras archive": "keras_archive",
    "TensorFlow checkpoint": "tensorflow",
    "SavedModel": "saved_model",
    "safetensors": "safetensors",
    "sharded checkpoint": "sharded",
    "PyTorch": "pytorch",
    "NumPy": "numpy_archive",
    "GGUF": "gguf",
}


def recognise(name: str) -> Recognised:
    """The kind of a file, of a directory, or of a TensorFlow checkpoint named by its prefix. Raises InputError."""
    if not name:
        raise InputError("FILE", got="an empty name", takes="a file, a directory or a checkpoint's prefix")
    path = Path(name)
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError) and _is_prefix(path):
            return Recognised("TensorFlow checkpoint", path)
        raise InputError(name, got=_reason(error), takes="a file, a directory or a checkpoint's prefix") from None
    if stat.S_ISDIR(mode):
        return _in_directory(name, path)
    if path.name == "saved_model.pb":
        return Recognised("SavedModel", path.parent)
    if is_given_pipe(path):
        return Recognised("text", path)  # a pipe can only be read as it comes
    return Recognised(_kind_of(name, path), path)


def _kind_of(name: str, path: Path) -> str:
    try:
        with open_regular(path) as file:
            head = file.read(HEAD)
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - len(_TABLE)))
            tail = file.read()
    except OSError as error:
        raise InputError(name, got=_reason(error), takes="a readable file") from None
    if not size:
        raise InputError(name, got="an empty file", takes="a summary, a listing, a configuration or a checkpoint")
    if head.startswith(_ZIPS):
        return _kind_of_zip(name, path)
    if _is_safetensors(head) and not any(head[4:8]):  # its length may begin as another kind's mark does
        return "safetensors"
    starts = ((_GGUF, "GGUF"), (_NPY, "NumPy"), (_PICKLE, "PyTorch"))
    for start, kind in starts:
        if head.startswith(start):
            return kind
    if any(head[place:].startswith(_HDF5) for place in _HDF5_PLACES):
        return "HDF5"
    if head[257:].startswith(_TAR):
        return "PyTorch"
    if tail == _TABLE or (".data-" in path.name and _index_of(path).is_file()):
        return "TensorFlow checkpoint"
    if _is_safetensors(head):
        return "safetensors"
    if head.lstrip()[:1] == b"{" and b'"weight_map"' in _start(path):
        return "sharded checkpoint"
    if b"\0" in head and not head.startswith(_MARKED):
        takes = "text, or safetensors, HDF5, .keras, TensorFlow, SavedModel, PyTorch, npz or GGUF"
        raise InputError(name, f"byte {head.index(0) + 1:,}", "bytes of no kind of file that is known", takes)
    return "text"


def _is_safetensors(head: bytes) -> bool:
    """Whether a file starts with a binary length, however large it claims to be, and a JSON object behind it."""
    return head[8:9] == b"{" and any(byte < 9 or byte == 0xFF for byte in head[:8])


def _kind_of_zip(name: str, path: Path) -> str:
    from reconcile.sources.checkpoints.bounded import HeaderFile
    from reconcile.sources.checkpoints.zips import LARGEST_DIRECTORY, archive_in

    with HeaderFile(path, 2 * LARGEST_DIRECTORY) as file, archive_in(file) as archive:
        names = list(archive.entries)
    if any(entry == "data.pkl" or entry.endswith("/data.pkl") for entry in names):
        return "PyTorch"
    if "model.weights.h5" in names or "config.json" in names:
        return "Keras archive"
    if all(entry.endswith(".npy") for entry in names):  # an empty one is NumPy's: no other writes one
        return "NumPy"
    raise InputError(name, got="a zip archive without a model in it", takes=".keras, PyTorch's or NumPy's archives")


def models_below(folder: Path) -> Iterator[str]:
    """Every model in a directory and those below it: a directory of one model by its own name, else each checkpoint.

    In order, links not followed. Raises InputError for a directory that cannot be read.
    """

    def fail(error: OSError) -> NoReturn:
        raise InputError(error.filename, got=_reason(error), takes="a readable directory")

    for place, folders, names in os.walk(folder, onerror=fail):
        folders.sort()
        if ONE_MODEL.intersection(names):
            folders.clear()
            yield place
            continue
        found = [name for name in sorted(names) if name not in _NO_MODEL and _MODEL.fullmatch(name)]
        found = [name for name in found if name not in _CONFIGURATIONS]
        whole = [name for name in found if not _is_shard(name)]
        yield from (str(Path(place, name)) for name in whole)
        if found and not whole:  # shards without an index: told as what they are
            yield place


def _in_directory(name: str, path: Path) -> Recognised:
    """The checkpoint in a directory: the first in the usual order of preference, the others named."""
    try:
        names = sorted(entry.name for entry in path.iterdir())
    except OSError as error:
        raise InputError(name, got=_reason(error), takes="a readable directory") from None
    candidates = [entry for entry in names if entry not in _NO_MODEL and _MODEL.fullmatch(entry)]
    found = dict.fromkeys(
        entry for pattern in IN_DIRECTORY for entry in candidates if fnmatch.fnmatchcase(entry, pattern)
    )
    # A shard stands for nothing by itself, and an index beside its data is one checkpoint.
    whole = [entry for entry in found if not _is_shard(entry)]
    if not whole:
        takes = (
            "a checkpoint in it: safetensors, HDF5, .keras, PyTorch, TensorFlow, SavedModel, .npz, GGUF, config.json"
        )
        what = f"a directory of {len(names):,} entries, none of them a model"
        if found:
            what = f"{len(found):,} shards of a checkpoint ({next(iter(found))}) and no index of them"
        raise InputError(name, got=what, takes=takes)
    first = whole[0]
    if first == "saved_model.pb":
        return Recognised("SavedModel", path, tuple(whole[1:]))
    if first == "checkpoint":
        return Recognised("TensorFlow checkpoint", path)
    others = tuple(entry for entry in whole[1:] if not entry.endswith(("config.json", "checkpoint")))
    return Recognised(_kind_of(str(path / first), path / first), path / first, others)


def _is_shard(name: str) -> bool:
    """Whether a file is one of two or more that make up a checkpoint."""
    shard = _SHARD.search(name)
    return shard is not None and int(shard["of"]) > 1


def _is_prefix(path: Path) -> bool:
    """Whether a checkpoint's files begin with a path: its index, or the shards of TensorFlow's first format."""
    if not path.name or "\0" in path.name:
        return False
    if path.with_name(f"{path.name}.index").is_file():
        return True
    beginning = f"{path.name}-00000-of-"
    return path.parent.is_dir() and any(entry.name.startswith(beginning) for entry in path.parent.iterdir())


def _index_of(path: Path) -> Path:
    return path.with_name(path.name.partition(".data-")[0] + ".index")


def _start(path: Path) -> bytes:
    """The first megabyte: the key of a shard index may stand behind a long one of metadata."""
    with open_regular(path) as file:
        return file.read(2**20)


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file"
    return getattr(error, "strerror", None) or str(error)
