"""The groups and datasets of an HDF5 file, from its headers: read here where it is plain, by the library where not.

The library reads in a process of its own, which may die of a damaged file.
"""

import sys
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from reconcile.datafile import clipped
from reconcile.errors import InputError
from reconcile.frozen import dataclass
from reconcile.inventory import OPTIMIZER, PARAMETER, Remark, Tensor
from reconcile.sources.checkpoints.bounded import HeaderFile, counted

WORKER = Path(__file__).with_name("hdf5_worker.py")
SECONDS = 30
MOST_HOPS = 16
"""Soft links that are followed one after the other, as many as HDF5 itself follows."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset's header: its shape, type and the bytes of its values. `path` is its first in the file."""

    path: str
    shape: tuple[int, ...]
    dtype: str
    nbytes: int

    def tensor(self, path: str, trainable: bool | None = None, role: str = PARAMETER) -> Tensor:
        """The tensor that it is under a name of the source's."""
        return Tensor(path, self.shape, self.dtype, trainable, self.path, self.nbytes, role)

    def slot(self) -> Tensor:
        """The part of an optimizer's state that it is."""
        return self.tensor(self.path, False, OPTIMIZER)


@dataclass(frozen=True, slots=True)
class Tree:
    """What a file holds: attributes by group, datasets by path, links by path, and the bytes read to know it."""

    file: Path
    groups: Mapping[str, Mapping[str, Any]]
    datasets: Mapping[str, Dataset]
    links: Mapping[str, str]
    bytes_read: int
    order: Sequence[str]
    members: Mapping[str, Sequence[str]]

    def resolve(self, path: str) -> str:
        """The path behind all links. Raises InputError for a circle of them."""
        for _ in range(MOST_HOPS):
            parts = path.split("/")
            heads = ("/".join(parts[:count]) for count in range(1, len(parts) + 1))
            link = next((head for head in heads if head in self.links), None) if self.links else None
            if link is None:
                return path
            path = (self.links[link] + path[len(link) :]).strip("/")
        raise InputError(self.file, clipped(path), "a circle of links", "links that end at a dataset")

    def dataset(self, path: str) -> Dataset:
        """The dataset at a path, behind links where there are any. Raises InputError where there is none."""
        found = self.datasets.get(self.resolve(path))
        if found is None:
            raise InputError(self.file, clipped(path), "no dataset of this name", "the weights that the file lists")
        return found

    def below(self, group: str) -> tuple[Dataset, ...]:
        """The datasets at any depth below a group, in the file's order with numbers as numbers."""
        start, end = (bisect(self.order, f"{group}{mark}") for mark in ("/", "0")) if group else (0, len(self.order))
        return tuple(self.datasets[path] for path in sorted(self.order[start:end], key=natural))

    def children(self, group: str) -> tuple[str, ...]:
        """The names of the groups directly below a group, numbers as numbers, and of those that are linked there."""
        return tuple(sorted(self.members.get(group, ()), key=natural))

    def names(self, group: str, attribute: str) -> tuple[str, ...]:
        """The names in an attribute of a group; none where it has none. Raises InputError for anything else."""
        value = self.groups.get(group, {}).get(attribute, [])
        if isinstance(value, list) and all(isinstance(name, str) for name in value):
            return tuple(value)
        raise InputError(self.file, f"{group or '/'}, {attribute}", clipped(value), "a list of names")

    def remarks(self) -> Iterator[Remark]:
        """The links inside the file; what they lead to counts once."""
        for path, target in self.links.items():
            yield Remark("link", path, target)


def natural(path: str) -> list[tuple[int, int, str]]:
    """A sorting key that puts `layer_2` before `layer_10`."""
    import re

    parts = re.findall(r"\d+|\D+", path)
    return [(0, int(part), "") if part.isdecimal() and len(part) < 20 else (1, 0, part) for part in parts]


def read_tree(path: Path, file: IO[bytes] | HeaderFile, start: int, length: int) -> Tree:
    """The tree of the HDF5 file that stands in an open file from `start` on.

    Raises InputError, naming `path` and the place in it, where it is damaged, holds more than a model does, or keeps
    its values in other files.
    """
    told = _plainly(file, start, length) or ask_library(path, file, start, length)
    if "error" in told:
        place, got = told["error"]
        raise InputError(path, clipped(place), got[:200], "a whole HDF5 file with a model in it")
    for place, what in told["elsewhere"]:
        raise InputError(path, clipped(place), what, "weights in the file itself")
    datasets = {
        place: Dataset(place, counted(found["shape"], path, place)[0], found["dtype"], found["bytes"])
        for place, found in told["datasets"].items()
    }
    members: dict[str, list[str]] = {}
    for place in (*told["groups"], *told["links"]):
        parent, _, name = place.rpartition("/")
        if place:
            members.setdefault(parent, []).append(name)
    return Tree(path, told["groups"], datasets, told["links"], told["bytes_read"], sorted(datasets), members)


def _plainly(file: IO[bytes] | HeaderFile, start: int, length: int) -> dict[str, Any] | None:
    """The tree of a file that is written as most are; None for any other."""
    from struct import error

    from reconcile.sources.checkpoints.hdf5_plain import Plain, UnusualError

    plain = Plain(file, start, length)
    try:
        return plain.tree() | {"bytes_read": plain.bytes_read}
    except (UnusualError, error, IndexError, UnicodeDecodeError):
        return None


def ask_library(path: Path, file: IO[bytes] | HeaderFile, start: int, length: int) -> dict[str, Any]:
    """What the worker prints of the file. It needs no site packages of its own: it is told where ours are."""
    import json
    import subprocess

    ours = json.dumps([place for place in sys.path if place])
    command = [sys.executable, "-I", "-S", str(WORKER), str(start), str(length), ours]
    takes = "a whole HDF5 file"
    try:
        done = subprocess.run(command, stdin=file.fileno(), capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise InputError(path, got=f"a file whose headers take more than {SECONDS} s", takes=takes) from None
    except OSError as error:
        raise InputError(path, got=f"no process to read it in ({error.strerror})", takes="a Python that runs") from None
    try:
        return dict(json.loads(done.stdout))
    except ValueError:  # nothing or half an answer: the library brought its process down
        got = f"damage that the HDF5 library does not survive (status {done.returncode})"
        raise InputError(path, got=got, takes=takes) from None
