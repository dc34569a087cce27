"""One canonical component: its path, shape and how often it is there."""

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache

from reconcile.formula import Formula, product
from reconcile.frozen import dataclass

_NUMBERED = re.compile(r"\[\d+\]")


@dataclass(frozen=True)
class Component:
    """One canonical tensor. A path with `[*]` stands for `times` of them, one to a block, the first numbered `first`.

    Where `when` names two dimensions, it is there only in models in which they differ. `tied_to` is the component whose
    array it is; `shares` one whose array it is in some models, where a source or a setting says so.
    """

    path: str
    shape: tuple[Formula, ...]
    times: Formula
    option: str | None
    tied_to: str | None
    when: tuple[str, ...] = ()
    first: int = 1
    shares: str | None = None

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


@lru_cache(maxsize=2**15)
def template(path: str) -> str:
    """The path with every block's number replaced by `*`."""
    return _NUMBERED.sub("[*]", path)
