"""Print the tree of the HDF5 file on standard input as JSON: run in a process of its own, by its path.

A damaged file can crash libhdf5 itself (it happens to about one in five hundred random damages), so that the caller
must not share its process with it. The worker reads standard input only, from an offset, so that no name inside the
file can open another file: links are told and never followed, contents of datasets are never read.
"""

import io
import json
import math
import os
import sys
from collections.abc import Iterator
from typing import Any

MOST_OBJECTS = 200_000
MOST_TEXT = 64 * 2**20
"""Bytes of attributes and names together; a model's configuration takes less than one of them."""
DEEPEST = 64
MEMORY, SECONDS = 3 * 2**30, 60
ATTRIBUTES = ("name", "dtype", "layer_names", "weight_names", "model_config", "keras_version", "backend", "nb_layers")
"""The attributes that say what a file of Keras holds; those too long for one are cut into numbered ones."""
CUT = ("layer_names", "weight_names", "model_config")


class TooMuchError(ValueError):
    """The file holds more than any model does."""


class Window(io.RawIOBase):
    """A part of an open file as a file that can only be read; counts the bytes that are read."""

    def __init__(self, descriptor: int, start: int, length: int) -> None:
        self.descriptor, self.start, self.length, self.place, self.bytes_read = descriptor, start, length, 0, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.place

    def seek(self, offset: int, whence: int = 0) -> int:
        self.place = offset + (0, self.place, self.length)[whence]
        return self.place

    def readinto(self, buffer: Any) -> int:
        wanted = max(0, min(len(buffer), self.length - self.place))
        os.lseek(self.descriptor, self.start + self.place, os.SEEK_SET)
        data = os.read(self.descriptor, wanted)
        buffer[: len(data)] = data
        self.place += len(data)
        self.bytes_read += len(data)
        return len(data)


class Walk:
    """The tree below an open file: objects, links to them, links elsewhere; `place` is where the walk is."""

    def __init__(self) -> None:
        self.groups: dict[str, dict[str, Any]] = {}
        self.datasets: dict[str, dict[str, Any]] = {}
        self.links: dict[str, str] = {}
        self.elsewhere: list[tuple[str, str]] = []
        self.place, self.text, self.objects = "/", 0, 0
        self.seen: dict[int, str] = {}

    def group(self, group: Any, path: str, depth: int) -> None:
        """Take in a group and everything below it, each object once."""
        from h5py import h5g, h5o

        self.place = path or "/"
        if depth > DEEPEST:
            raise TooMuchError(f"groups nested more than {DEEPEST} deep")
        if self.objects + group.get_num_objs() > MOST_OBJECTS:
            raise TooMuchError(f"more than {MOST_OBJECTS:,} groups and datasets")
        self.groups[path] = dict(self.attributes(group))
        for name, inner in self.hard_links(group, path):
            info = h5o.get_info(group, name)
            first = self.seen.setdefault(info.addr, inner)
            if first != inner:
                self.links[inner] = first
            elif info.type == h5o.TYPE_GROUP:
                self.group(h5g.open(group, name), inner, depth + 1)
            elif info.type == h5o.TYPE_DATASET:
                self.dataset(group, name, inner)

    def hard_links(self, group: Any, path: str) -> Iterator[tuple[bytes, str]]:
        """The members of a group that are in this file; soft and external links are noted and not followed."""
        from h5py import h5l

        names: list[bytes] = []
        group.links.iterate(names.append)
        for name in names:
            inner = f"{path}/{name.decode('utf-8', 'backslashreplace')}".lstrip("/")
            self.place = inner
            self.count(len(inner))
            kind = group.links.get_info(name).type
            if kind == h5l.TYPE_HARD:
                yield name, inner
            elif kind == h5l.TYPE_SOFT:
                self.links[inner] = _target(path, group.links.get_val(name).decode("utf-8", "backslashreplace"))
            else:
                self.elsewhere.append((inner, "a link into another file"))

    def dataset(self, group: Any, name: bytes, path: str) -> None:
        """What the header of a dataset says. A virtual one's shape may only be known from the files that it names."""
        from h5py import h5d

        found = h5d.open(group, name)
        plan = found.get_create_plist()
        if plan.get_layout() == h5d.VIRTUAL:
            self.elsewhere.append((path, "a virtual dataset, which stands in other files"))
        elif plan.get_external_count():
            self.elsewhere.append((path, "a dataset that stands in another file"))
        else:
            attributes = dict(self.attributes(found))
            self.datasets[path] = {
                "shape": [int(size) for size in found.shape],
                "dtype": attributes.get("dtype") or found.get_type().dtype.name,
                "bytes": found.get_storage_size(),
            }

    def attributes(self, found: Any) -> Iterator[tuple[str, Any]]:
        """The attributes that say something, long lists put together again."""
        from h5py import h5a

        if not h5a.get_num_attrs(found):
            return
        for name in ATTRIBUTES:
            if h5a.exists(found, name.encode()):
                yield name, self.value(found, name)
            elif name in CUT and h5a.exists(found, f"{name}0".encode()):
                yield name, self.joined(found, name)

    def joined(self, found: Any, name: str) -> Any:
        from h5py import h5a

        parts: list[Any] = []
        while h5a.exists(found, f"{name}{len(parts)}".encode()):
            parts.append(self.value(found, f"{name}{len(parts)}"))
        if all(isinstance(part, list) for part in parts):
            return [item for part in parts for item in part]
        return "".join(map(str, parts))

    def value(self, found: Any, name: str) -> Any:
        import h5py

        attribute = h5py.h5a.open(found, name.encode())
        self.count(math.prod(attribute.shape) * attribute.get_type().get_size())
        plain = _plain(h5py.AttributeManager(_Holder(found))[name])
        self.count(len(str(plain)))
        return plain

    def count(self, size: int) -> None:
        self.objects += 1
        self.text += size
        if self.text > MOST_TEXT:
            raise TooMuchError(f"names and attributes of more than {MOST_TEXT:,} bytes")
        if self.objects > 4 * MOST_OBJECTS:
            raise TooMuchError(f"more than {MOST_OBJECTS:,} groups and datasets")


class _Holder:
    """What h5py's attributes ask of an object: its identifier."""

    def __init__(self, found: Any) -> None:
        self.id = found


def _plain(value: Any) -> Any:
    """An attribute as JSON has it: text, a number, or a list of them."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, bytes):
        return value.rstrip(b"\0").decode("utf-8", "backslashreplace")
    if isinstance(value, str):  # where it is not UTF-8, h5py leaves halves of characters that nothing can print
        return value.encode("utf-8", "backslashreplace").decode()
    return value if isinstance(value, (int, float, bool)) else ""


def _target(path: str, target: str) -> str:
    """Where a soft link leads, from the root: its own text is from the root or from its group."""
    return "/".join(part for part in (target if target.startswith("/") else f"{path}/{target}").split("/") if part)


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows has none; the caller's time limit remains
        return
    for kind, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, SECONDS), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def main(start: int, length: int, paths: list[str]) -> None:
    """Print the tree as one JSON object, or an object with an `error`: the place and what was found there."""
    sys.path.extend(paths)
    _limit()
    window, walk = Window(0, start, length), Walk()
    try:
        import h5py

        with h5py.File(window, "r") as file:
            walk.seen[h5py.h5o.get_info(file.id).addr] = ""
            walk.group(h5py.h5g.open(file.id, b"/"), "", 0)
        told = {"groups": walk.groups, "datasets": walk.datasets, "links": walk.links, "elsewhere": walk.elsewhere}
        text = json.dumps(told | {"bytes_read": window.bytes_read, "h5py": h5py.__version__})
    except Exception as error:  # whatever libhdf5 makes of a damaged file, the caller is told in one line
        text = json.dumps({"error": [walk.place, " ".join(str(error).split()) or type(error).__name__]})
    sys.stdout.write(text)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3]))
