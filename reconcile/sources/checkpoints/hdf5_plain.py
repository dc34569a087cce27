"""The part of HDF5 that h5py writes unless told otherwise, which is all that Keras writes, read without libhdf5.

Importing h5py takes longer than everything else that reading a model's headers does. Whatever is not exactly as it is
described here (HDF5 File Format Specification, version 3.0: superblock 0, object headers 1, groups as symbol tables)
raises UnusualError, and the library is asked, in a process of its own: damaged files, newer layouts, links elsewhere.
"""

from collections.abc import Iterator
from struct import unpack_from
from typing import IO, Any

from reconcile.sources.checkpoints.bounded import HeaderFile
from reconcile.sources.checkpoints.hdf5_worker import ATTRIBUTES, CUT, DEEPEST, MOST_OBJECTS, MOST_TEXT

SIGNATURE = b"\x89HDF\r\n\x1a\n"
SPACE, TYPE, EXTERNAL, LAYOUT, ATTRIBUTE, CONTINUED, SYMBOLS = 1, 3, 7, 8, 12, 16, 17
KNOWN = {0, SPACE, TYPE, 4, 5, LAYOUT, ATTRIBUTE, 13, CONTINUED, SYMBOLS, 18}
"""The messages of an object header that are understood or say nothing: 4 and 5 fill values, 13 a comment, 18 a date."""
NOWHERE = 2**64 - 1
FLOATS = {(2, 5): "float16", (4, 8): "float32", (8, 11): "float64"}
"""Floating-point types by the bytes of a value and the bits of its exponent."""
MOST_READ, _AHEAD = 128 * 2**20, 512


class UnusualError(ValueError):
    """The file is damaged, or written in a way that is left to the library."""


class Plain:
    """One file being read: what is found so far, in the words of the worker."""

    def __init__(self, file: IO[bytes] | HeaderFile, start: int, length: int):
        self.file, self.start, self.length = file, start, length
        self.groups: dict[str, dict[str, Any]] = {}
        self.datasets: dict[str, dict[str, Any]] = {}
        self.links: dict[str, str] = {}
        self.seen: dict[int, str] = {}
        self.heaps: dict[int, dict[int, bytes]] = {}
        self.count = self.text = self.bytes_read = 0

    def tree(self) -> dict[str, Any]:
        """The file's groups, datasets and links, as the worker tells them."""
        head = self.at(0, 96)
        if head[:8] != SIGNATURE or head[8:16] != b"\0\0\0\0\0\x08\x08\0" or unpack_from("<Q", head, 24)[0]:
            raise UnusualError("another superblock")
        (root,) = unpack_from("<Q", head, 64)
        self.seen[root] = ""
        self.object(root, "", 0)
        return {"groups": self.groups, "datasets": self.datasets, "links": self.links, "elsewhere": []}

    def at(self, place: int, length: int) -> bytes:
        """So many bytes, or as many as there are, from a place."""
        if not 0 <= place < self.length:
            raise UnusualError("a place outside the file")
        self.file.seek(self.start + place)
        data = self.file.read(min(length, self.length - place)) or b""
        self.bytes_read += len(data)
        if self.bytes_read > MOST_READ:
            raise UnusualError("more headers than a model has")
        return data

    def exactly(self, place: int, length: int) -> bytes:
        """So many bytes from a place."""
        if length > MOST_TEXT or len(data := self.at(place, length)) != length:
            raise UnusualError("a part outside the file")
        return data

    def object(self, place: int, path: str, depth: int) -> None:
        """Take in a group with everything below it, or a dataset."""
        messages = list(self.messages(place))
        kinds = {kind for kind, _ in messages}
        if not kinds <= KNOWN or depth > DEEPEST:
            raise UnusualError("another kind of object")
        if SYMBOLS in kinds:
            self.groups[path] = self.attributes(messages)
            for name, inner in self.members(dict(messages)[SYMBOLS]):
                where = f"{path}/{name}".lstrip("/")
                first = self.seen.setdefault(inner, where)
                if first != where:
                    self.links[where] = first
                else:
                    self.object(inner, where, depth + 1)
        elif {SPACE, TYPE, LAYOUT} <= kinds:
            self.datasets[path] = self.dataset(dict(messages), messages)

    def messages(self, place: int) -> Iterator[tuple[int, bytes]]:
        """The messages of an object's header, with those in the blocks that continue it."""
        head = self.at(place, _AHEAD)
        version, count, size = unpack_from("<BxHxxxxI", head)
        if version != 1:
            raise UnusualError("another object header")
        blocks = [head[16 : 16 + size] if 16 + size <= len(head) else self.exactly(place + 16, size)]
        for block in blocks:
            at = 0
            while at + 8 <= len(block) and count:
                kind, length, flags = unpack_from("<HHB", block, at)
                body = block[at + 8 : at + 8 + length]
                if len(body) != length or flags & 2:
                    raise UnusualError("a message that is cut or stands elsewhere")
                if kind == CONTINUED:
                    if len(blocks) > 1000:
                        raise UnusualError("a header in a thousand parts")
                    blocks.append(self.exactly(*unpack_from("<QQ", body)))
                yield kind, body
                at, count = at + 8 + length, count - 1
        if count:
            raise UnusualError("fewer messages than stated")

    def members(self, symbols: bytes) -> Iterator[tuple[str, int]]:
        """The members of a group: their names, and where their headers are."""
        tree, heap = unpack_from("<QQ", symbols)
        head = self.exactly(heap, 32)
        if head[:5] != b"HEAP\0":
            raise UnusualError("no heap of names")
        size, _, data = unpack_from("<QQQ", head, 8)
        names = self.exactly(data, size)
        for node in self.nodes(tree, 0):
            block = self.at(node, 8 + 40 * 8)
            if block[:5] != b"SNOD\1":
                raise UnusualError("no table of symbols")
            (count,) = unpack_from("<H", block, 6)
            block = block if 8 + 40 * count <= len(block) else self.exactly(node, 8 + 40 * count)
            for at in range(8, 8 + 40 * count, 40):
                name, place, cached = unpack_from("<QQI", block, at)
                end = names.find(b"\0", name)
                if cached == 2 or end < name or place == NOWHERE:
                    raise UnusualError("a link, or a name outside the heap")
                self.add(end - name + 1)
                yield names[name:end].decode(), place

    def nodes(self, place: int, depth: int) -> Iterator[int]:
        """The leaves of a group's tree, in the order of names."""
        head = self.at(place, _AHEAD)
        if head[:5] != b"TREE\0" or depth > 8:
            raise UnusualError("no tree of symbols")
        self.add(1)
        level, count = unpack_from("<BH", head, 5)
        head = head if 24 + 16 * count + 8 <= len(head) else self.exactly(place, 24 + 16 * count + 8)
        for at in range(32, 32 + 16 * count, 16):
            (child,) = unpack_from("<Q", head, at)
            if level:
                yield from self.nodes(child, depth + 1)
            else:
                yield child

    def dataset(self, parts: dict[int, bytes], messages: list[tuple[int, bytes]]) -> dict[str, Any]:
        layout = parts[LAYOUT]
        if layout[:2] == b"\3\1":
            place, size = unpack_from("<QQ", layout, 2)
            stored = 0 if place == NOWHERE else size
            if stored and place + size > self.length:
                raise UnusualError("values outside the file")
        elif layout[:2] == b"\3\0":
            stored = unpack_from("<H", layout, 2)[0]
        else:
            raise UnusualError("values in chunks, or elsewhere")
        dtype = self.attributes(messages).get("dtype") or _number(parts[TYPE])
        return {"shape": _shape(parts[SPACE]), "dtype": dtype, "bytes": stored}

    def attributes(self, messages: list[tuple[int, bytes]]) -> dict[str, Any]:
        """The attributes that say something, those cut into parts put together."""
        found = dict(pair for kind, body in messages if kind == ATTRIBUTE for pair in self.attribute(body))
        for name in CUT:
            parts: list[Any] = []
            while f"{name}{len(parts)}" in found:
                parts.append(found.pop(f"{name}{len(parts)}"))
            if parts and name not in found:
                lists = all(isinstance(part, list) for part in parts)
                found[name] = [item for part in parts for item in part] if lists else "".join(map(str, parts))
        return {name: found[name] for name in ATTRIBUTES if name in found}

    def attribute(self, body: bytes) -> Iterator[tuple[str, Any]]:
        """An attribute's name and value, where it is one of those and its value is text."""
        version, flags, *sizes = unpack_from("<BBHHH", body)
        if version not in (1, 2, 3) or (flags and version > 1):
            raise UnusualError("another attribute")
        parts: list[bytes] = []
        at = 9 if version == 3 else 8
        for size in sizes:
            parts.append(body[at : at + size])
            at += -(-size // 8) * 8 if version == 1 else size
        name = parts[0].partition(b"\0")[0].decode()
        if name.rstrip("0123456789") in ATTRIBUTES:
            yield name, self.value(parts[1], parts[2], body[at:])

    def value(self, kind: bytes, space: bytes, data: bytes) -> Any:
        shape, (size,) = _shape(space), unpack_from("<I", kind, 4)
        count = 1
        for axis in shape:
            count *= axis
        if len(shape) > 1 or size * count > len(data) or (space[0] == 2 and space[3] == 2):
            raise UnusualError("another shape of attribute")
        parts = [data[at : at + size] for at in range(0, size * count, size)] if size else []
        if kind[0] & 15 == 9 and kind[1] & 15 == 1 and size == 16:
            parts = [self.long_text(*unpack_from("<IQI", part)) for part in parts]
        elif kind[0] & 15 != 3 and count:  # a list of nothing has the type of NumPy's empty array
            raise UnusualError("an attribute that is no text")
        self.add(sum(map(len, parts)))
        texts = [part.rstrip(b"\0").decode() for part in parts]
        return texts if shape else texts[0]

    def long_text(self, length: int, place: int, number: int) -> bytes:
        """Text of any length, which stands in a heap for the whole file."""
        if not length:
            return b""
        held = self.heap(place).get(number, b"")
        if len(held) < length:
            raise UnusualError("text outside its heap")
        return held[:length]

    def heap(self, place: int) -> dict[int, bytes]:
        """The values of a global heap by their numbers."""
        if place not in self.heaps:
            head = self.exactly(place, 16)
            if head[:5] != b"GCOL\1":
                raise UnusualError("no heap of values")
            data, at, found = self.exactly(place, unpack_from("<Q", head, 8)[0]), 16, {}
            while at + 16 <= len(data):
                number, size = unpack_from("<HxxxxxxQ", data, at)
                if not number:
                    break
                found[number] = data[at + 16 : at + 16 + size]
                at += 16 + -(-size // 8) * 8
            self.heaps[place] = found
        return self.heaps[place]

    def add(self, size: int) -> None:
        self.text, self.count = self.text + size, self.count + 1
        if self.text > MOST_TEXT or self.count > 2 * MOST_OBJECTS:
            raise UnusualError("more text than a model has")


def _shape(space: bytes) -> list[int]:
    """The sizes of a dataspace; none for a single value."""
    version, rank = space[0], space[1]
    if version not in (1, 2) or rank > 32 or (version == 2 and space[3] == 2):
        raise UnusualError("another dataspace")
    return list(unpack_from(f"<{rank}Q", space, 8 if version == 1 else 4))


def _number(kind: bytes) -> str:
    """A number's type by NumPy's name."""
    (size,) = unpack_from("<I", kind, 4)
    if kind[0] & 15 == 1 and (size, kind[13]) in FLOATS:
        return FLOATS[size, kind[13]]
    if kind[0] & 15 == 0 and size in (1, 2, 4, 8):
        return f"{'int' if kind[1] & 8 else 'uint'}{size * 8}"
    raise UnusualError("another type")
