"""One canonical component: its path, shape and how often it is there."""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import takewhile

from reconcile.formula import Formula, product
from reconcile.frozen import dataclass

_NUMBERED = re.compile(r"\[\d+\]")


@dataclass(frozen=True)
class Component:
    """One canonical tensor. A path with `[*]` stands for `times` of them, one to a block, the first numbered `first`.

    Where `when` names two dimensions, it is there only in models in which they differ. `tied_to` is the component whose
    array it is; `shares` one whose array it is in some models, where a source or a setting says so. A part with an
    `option` of its own may stand `within` what another option gives, and is there only with both.
    """

    path: str
    shape: tuple[Formula, ...]
    times: Formula
    option: str | None
    tied_to: str | None
    when: tuple[str, ...] = ()
    first: int = 1
    shares: str | None = None
    within: str | None = None

    def had(self, options: frozenset[str]) -> bool:
        """Whether a model with these options has it."""
        return options.issuperset(name for name in (self.option, self.within) if name is not None)

    def needed(self, dimensions: Mapping[str, int | None]) -> bool:
        """Whether a model of these dimensions has it; where they are not known, that it may lack it."""
        sizes = [dimensions.get(name) for name in self.when]
        return not sizes or (None not in sizes and len(set(sizes)) == len(sizes))

    @cached_property
    def size(self) -> Formula:
        """The number of parameters of one of them."""
        return product(self.shape)

    @cached_property
    def shape_text(self) -> str:
        """The shape as a product as it is written, such as `H·H`."""
        return "·".join(f"({axis})" if len(axis.terms) > 1 else str(axis) for axis in self.shape)


LEAVES = ("kernel", "bias", "gamma", "beta")
"""The parts of a layer, which are not there together where the layer is not."""


@lru_cache(maxsize=2**15)
def template(path: str) -> str:
    """The path with every block's number replaced by `*`."""
    return _NUMBERED.sub("[*]", path)


def node_of(path: str) -> str:
    """The node that a component is a part of, or itself where it is one."""
    head, _, leaf = path.rpartition(".")
    return head if leaf in LEAVES else path


def block_of(path: str) -> str:
    """The block that a path lies in; empty for one in none."""
    head, closed, _ = path.partition("]")
    return head + closed if closed else ""


def common_path(paths: Iterable[str]) -> str:
    """The parts that all paths begin with."""
    parts = zip(*(path.split(".") for path in paths), strict=False)
    return ".".join(alike[0] for alike in takewhile(lambda alike: len(set(alike)) == 1, parts))
