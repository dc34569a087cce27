"""What one line of a listing says, and a listing as it was found in a text."""

from dataclasses import dataclass, field
from math import prod

from reconcile.inventory import Layer, Remark, Tensor


@dataclass(frozen=True, slots=True)
class Entry:
    """A name with its shape, its count, or both, and what else stands beside it; `strong` as no prose says it."""

    name: str
    shape: tuple[int, ...] | None = None
    count: int | None = None
    dtype: str = ""
    trainable: bool | None = None
    strong: bool = False

    @property
    def contradicts(self) -> bool:
        """Whether the count is not the product of the shape."""
        return self.shape is not None and self.count is not None and prod(self.shape) != self.count

    @property
    def tensor(self) -> Tensor:
        """The tensor that an entry with a shape is."""
        return Tensor(self.name, self.shape or (), self.dtype, self.trainable, self.name)

    @property
    def row(self) -> Layer:
        """The row that an entry without a shape is."""
        return Layer(self.name, "", "", self.count, trainable=self.trainable)


@dataclass(slots=True)
class Listing:
    """One listing: the lines it takes (`end` is the line behind), in words what it is, and what stands in it.

    Either entries, or layers that were made already.
    """

    start: int
    end: int
    kind: str
    entries: list[Entry] = field(default_factory=list)
    layers: list[Layer] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
