"""What one line of a listing says, and a listing as it was found in a text."""

from dataclasses import field
from math import prod

from reconcile.frozen import dataclass
from reconcile.inventory import Bounds, Layer, Remark, Tensor


@dataclass(frozen=True, slots=True)
class Entry:
    """A name with its shape, its count, or both, and what else stands beside it; `strong` as no prose says it.

    `bounds` are those of a count that is rounded; `line` is the place among the prepared lines.
    """

    name: str
    shape: tuple[int, ...] | None = None
    count: int | None = None
    dtype: str = ""
    trainable: bool | None = None
    strong: bool = False
    bounds: Bounds | None = None
    class_name: str = ""
    line: int = -1

    def called(self, name: str) -> "Entry":
        """The same under another name; faster than `replace`, which a hundred thousand rows would feel."""
        return Entry(
            name,
            self.shape,
            self.count,
            self.dtype,
            self.trainable,
            self.strong,
            self.bounds,
            self.class_name,
            self.line,
        )

    @property
    def contradicts(self) -> bool:
        """Whether the count is not the product of the shape."""
        return self.shape is not None and self.count is not None and prod(self.shape) != self.count

    @property
    def range(self) -> Bounds:
        """The least and the most parameters that it can have."""
        if self.bounds is not None:
            return self.bounds
        exact = prod(self.shape) if self.shape is not None else self.count or 0
        return exact, exact

    @property
    def tensor(self) -> Tensor:
        """The tensor that an entry with a shape is."""
        return Tensor(self.name, self.shape or (), self.dtype, self.trainable, self.name)

    @property
    def row(self) -> Layer:
        """The row that an entry without a shape is."""
        bounds = self.bounds if self.count is None else None
        return Layer(self.name, self.class_name, "", self.count, trainable=self.trainable, bounds=bounds)


@dataclass(slots=True)
class Listing:
    """One listing: the lines it takes (`end` is the line behind), in words what it is, and what stands in it.

    Either entries, or layers that were made already. `placed` are its lines that were understood; `stated` are the
    bounds of the whole that it gives itself, `bounds` those that follow where it has no rows; `once` tells whether its
    form names a shared array only once (True), at each of its places (False), or nobody knows (None). `again` are the
    parameters that rows and the total of this form count a second time. `title` is what a header calls the model.
    """

    start: int
    end: int
    kind: str
    entries: list[Entry] = field(default_factory=list)
    layers: list[Layer] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    placed: set[int] = field(default_factory=set)
    stated: Bounds | None = None
    bounds: Bounds | None = None
    once: bool | None = None
    again: int = 0
    title: str = ""
