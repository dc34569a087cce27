"""What a file of some size holds: so many weights in a type, and with them an optimizer's values.

`held(weights, size)` is for `check` and `explain`: both are given as the counts that a figure can stand for, least and
most, so that "213M parameters" and "2.5 GB" need no more digits than they have.
"""

from functools import cache

from reconcile.datafile import check_keys, packaged
from reconcile.frozen import dataclass

Interval = tuple[int, int]
"""The least and the most that a figure stands for, both of them included."""

OVERHEAD = 1000
"""Of a file's bytes one part in so many may be names and headers."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a file holds for each weight, in bits and in words; `values` is how many values of four bytes that is."""

    bits: int
    says: str

    @property
    def values(self) -> int | None:
        """The values of four bytes for each weight; None where they are others."""
        return self.bits // 32 if self.bits % 32 == 0 else None

    def bytes(self, weights: int) -> int:
        """The bytes of so many weights, the last one full."""
        return -(-weights * self.bits // 8)


@cache
def kinds_of_files() -> tuple[Held, ...]:
    """Everything that files are known to hold, the likeliest first. Raises InputError for a key that is not known."""
    table = packaged("operations", "memory")
    for entry in table["files"]:
        check_keys("operations/memory.toml", entry, ("bits", "says"), ("bits", "says"), "files")
    return tuple(Held(entry["bits"], entry["says"]) for entry in table["files"])


def held(weights: Interval, size: Interval) -> tuple[Held, ...]:
    """What a file of a size in bytes can hold of so many weights, the likeliest first; nothing where none fits."""
    return tuple(
        kind
        for kind in kinds_of_files()
        if kind.bytes(weights[0]) <= size[1] and size[0] <= kind.bytes(weights[1]) * (OVERHEAD + 1) // OVERHEAD
    )


def grown(before: Interval, after: Interval) -> tuple[Held, ...]:
    """What a file holds after training that had weights of four bytes before, by the sizes of both."""
    weights = (before[0] // 4, -(-before[1] // 4))
    return tuple(kind for kind in held(weights, after) if kind.bits > 32)
