"""GGUF files (versions 2 and 3): settings by name, then each tensor's name, sizes, type and place, then the data."""

import io
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from reconcile.errors import InputError
from reconcile.inventory import Inventory, Remark, Tensor, parent_layers
from reconcile.sources.checkpoints.bounded import HeaderFile, counted, told, unused
from reconcile.sources.checkpoints.dtypes import GGUF, role_of

LARGEST_HEADER = 48 * 2**20
"""Bytes that are read at most; a vocabulary of 256,000 tokens with its merges takes about ten million."""

MOST_ENTRIES = 1_000_000
"""Settings, and tensors, that a file may claim."""

MOST_TEXTS = 4_000_000
"""Texts in one list; the largest vocabularies have some 260,000."""

SETTINGS = {
    "general.architecture": "model_type",
    "{}.vocab_size": "vocab_size",
    "{}.context_length": "max_position_embeddings",
    "{}.embedding_length": "hidden_size",
    "{}.block_count": "num_hidden_layers",
    "{}.feed_forward_length": "intermediate_size",
    "{}.attention.head_count": "num_attention_heads",
    "{}.attention.head_count_kv": "num_key_value_heads",
    "{}.attention.key_length": "head_dim",
    "{}.attention.layer_norm_epsilon": "layer_norm_eps",
    "{}.attention.layer_norm_rms_epsilon": "rms_norm_eps",
    "{}.rope.freq_base": "rope_theta",
    "tokenizer.ggml.token_type_count": "type_vocab_size",
}
"""GGUF's names ({} is the architecture) and Hugging Face's for the same."""

_MAGIC, _VERSIONS, _ALIGNMENT = b"GGUF", (2, 3), 32
_MOST_DIMENSIONS = 4
_STRING, _ARRAY = 8, 9
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_LONGEST_NAME, _LONGEST_TEXT, _DEEPEST = 65_535, 16 * 2**20, 4
_LONGEST_ARCHITECTURE = 100
_TOKENS = "tokenizer.ggml.tokens"


class _Length(NamedTuple):
    """What is kept of a list: how many values it has."""

    values: int


def read(path: Path) -> Inventory:
    """The tensors with the settings that the file states. Raises InputError where it is not whole or contradictory.

    Shapes come in the usual order; the format keeps the innermost dimension first.
    """
    with HeaderFile(path, LARGEST_HEADER) as file:
        tensors, found = _Header(file).read()
        size = file.size
    parts = found.get("split.count")
    remarks = (Remark("one-of-several", str(path), f"one of {parts:,} files"),) if _several(parts) else ()
    settings, layers = _settings(found), parent_layers(tensors)
    return Inventory(
        str(path), layers, None, kind="GGUF", settings=settings, size=size, remarks=remarks, tells_ties=True
    )


def _several(parts: object) -> bool:
    return isinstance(parts, int) and parts > 1


class _Header:
    """The header of one file, read from its start to its end."""

    def __init__(self, file: HeaderFile):
        self.file, self.path = file, file.path
        self.stream = io.BufferedReader(file, 64 * 1024)
        self.order: Literal["<", ">"] = "<"

    def read(self) -> tuple[list[Tensor], dict[str, Any]]:
        """The tensors, and what the file says of itself under GGUF's own names."""
        count, pairs = self.start()
        found: dict[str, Any] = {}
        for _ in range(pairs):
            name = self.name("settings")
            if name in found:
                raise InputError(self.path, told(name), "the same setting twice", "each setting once")
            found[name] = self.value(self.number("I", told(name)), told(name))
        alignment = found.get("general.alignment", _ALIGNMENT)
        if type(alignment) is not int or not 0 < alignment <= 2**20:
            raise InputError(self.path, "general.alignment", told(alignment), "a number of bytes")
        entries = [self.tensor() for _ in range(count)]
        self.check(entries, alignment)
        return [tensor for tensor, _ in entries], found

    def start(self) -> tuple[int, int]:
        """How many tensors and settings there are, once the version and the order of bytes are known."""
        magic, version = self.take(4, "start"), self.take(4, "version")
        if int.from_bytes(version, "little") not in _VERSIONS and int.from_bytes(version, "big") in _VERSIONS:
            self.order = ">"
        number = int.from_bytes(version, "big" if self.order == ">" else "little")
        if magic != _MAGIC or number not in _VERSIONS:
            raise InputError(self.path, "version", f"{magic!r}, version {number:,}", "GGUF, version 2 or 3")
        count, pairs = self.number("Q", "number of tensors"), self.number("Q", "number of settings")
        if max(count, pairs) > MOST_ENTRIES:
            got = f"{count:,} tensors and {pairs:,} settings"
            raise InputError(self.path, "header", got, f"at most {MOST_ENTRIES:,} of each")
        return count, pairs

    def take(self, count: int, place: str) -> bytes:
        data = self.stream.read(count)
        if len(data) != count:
            raise InputError(self.path, place, "the end of the file", f"{count:,} bytes")
        return data

    def number(self, code: str, place: str) -> Any:
        layout = struct.Struct(self.order + code)
        return layout.unpack(self.take(layout.size, place))[0]

    def text(self, place: str, longest: int = _LONGEST_TEXT) -> str:
        length = self.number("Q", place)
        if length > longest:
            raise InputError(self.path, place, f"a text of {length:,} bytes", f"at most {longest:,}")
        return self.take(length, place).decode("utf-8", "backslashreplace")

    def name(self, place: str) -> str:
        return self.text(place, _LONGEST_NAME)

    def value(self, kind: int, place: str, depth: int = 0) -> Any:
        """One setting; of a list only its length is kept."""
        if kind in _SCALARS:
            return self.number(_SCALARS[kind], place) if kind != 6 else _shortest(self.number("f", place))
        if kind == _STRING:
            return self.text(place)
        if kind == _ARRAY and depth < _DEEPEST:
            return self.array(place, depth)
        raise InputError(self.path, place, f"a value of type {kind:,}", "types 0 to 12, lists at most 4 deep")

    def array(self, place: str, depth: int) -> _Length:
        kind, count = self.number("I", place), self.number("Q", place)
        if kind in _SCALARS:
            width = struct.calcsize(self.order + _SCALARS[kind]) * count
            if width > self.file.size - self.stream.tell():
                raise InputError(self.path, place, f"a list of {count:,} values", "a whole file")
            self.stream.seek(width, io.SEEK_CUR)
            return _Length(count)
        if count > MOST_TEXTS:
            raise InputError(self.path, place, f"a list of {count:,} values", f"at most {MOST_TEXTS:,} texts or lists")
        for _ in range(count):
            self.value(kind, place, depth + 1)
        return _Length(count)

    def tensor(self) -> tuple[Tensor, int]:
        """The next tensor, with where its data start, counted from the start of all data."""
        name = self.name("tensors")
        place = told(name)
        dimensions = self.number("I", place)
        if dimensions > _MOST_DIMENSIONS:
            raise InputError(self.path, place, f"{dimensions:,} dimensions", f"at most {_MOST_DIMENSIONS}")
        sizes = [self.number("Q", place) for _ in range(dimensions)]
        shape, count = counted(sizes, self.path, place)
        number, offset = self.number("I", place), self.number("Q", place)
        block = GGUF.get(number)
        if block is None:
            raise InputError(self.path, place, f"type {number:,}", "a type of ggml")
        if (row := sizes[0] if sizes else 1) % block.values:
            raise InputError(self.path, place, f"rows of {row:,}", f"rows in blocks of {block.values} values")
        nbytes = count // block.values * block.nbytes
        return Tensor(name, shape[::-1], block.dtype, None, name, nbytes, role_of(block.dtype)), offset

    def check(self, entries: list[tuple[Tensor, int]], alignment: int) -> None:
        """Raise InputError where names come twice, or data overlap, lie beside the alignment or beyond the end."""
        seen: set[str] = set()
        for tensor, offset in entries:
            if tensor.path in seen:
                raise InputError(self.path, told(tensor.path), "the same tensor twice", "each tensor once")
            if offset % alignment:
                raise InputError(self.path, told(tensor.path), f"data at {offset:,}", f"a multiple of {alignment}")
            seen.add(tensor.path)
        end = self.file.size - -(-self.stream.tell() // alignment) * alignment
        unused(_spans(entries), max(0, end), self.path)


def _spans(entries: list[tuple[Tensor, int]]) -> Iterator[tuple[int, int, str]]:
    for tensor, offset in entries:
        yield offset, offset + (tensor.nbytes or 0), tensor.path


def _settings(found: dict[str, Any]) -> dict[str, Any]:
    """What the file states of the model, under Hugging Face's names; the list of tokens says how many there are."""
    architecture = str(found.get("general.architecture", ""))[:_LONGEST_ARCHITECTURE]
    named = {theirs: found.get(ours.format(architecture)) for ours, theirs in SETTINGS.items()}
    settings = {name: value for name, value in named.items() if isinstance(value, str | int | float)}
    if isinstance(tokens := found.get(_TOKENS), _Length):
        settings.setdefault("vocab_size", tokens.values)
    return settings


def _shortest(value: float) -> float:
    """The shortest decimal that is this number in 32 bits: 1e-12 rather than 9.999999960041972e-13."""
    for digits in range(6, 10):
        if struct.pack("<f", short := float(f"{value:.{digits}g}")) == struct.pack("<f", value):
            return short
    return value
