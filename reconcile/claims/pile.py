"""Rows on a pile until a total counts them, with their running sums, so that a total finds its rows at once."""

from collections.abc import Collection
from dataclasses import dataclass

from reconcile.claims.amounts import Range
from reconcile.claims.rows import Row


@dataclass(slots=True)
class Entry:
    """A row, or a subtotal that stands for several, on the pile of what no total has counted yet."""

    amount: Range
    row: Row
    before: int
    exact_before: int


class Pile:
    """What has not been summed yet, with its running sums, so that a total finds its rows at once."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.places: dict[int, list[int]] = {0: [0]}
        self.sum = 0

    def push(self, amount: Range, row: Row) -> None:
        self.entries.append(Entry(amount, row, len(self.entries), self.sum))
        self.sum += int(amount.low) if amount.exact else row.value
        self.places.setdefault(self.sum, []).append(len(self.entries))

    def pop(self, keep: int) -> None:
        while len(self.entries) > keep:
            found = self.places[self.sum]
            found.pop()
            if not found:
                del self.places[self.sum]
            self.sum = self.entries.pop().exact_before

    def found(self, total: int, least: int, places: Collection[int] | None = None) -> int | None:
        """The place, one of `places` if given, from which all entries to the end come to a total; the latest such."""
        for place in reversed(self.places.get(self.sum - total, ())):
            if len(self.entries) - place >= least and (places is None or place in places):
                return place
        return None

    def rows(self, place: int) -> tuple[Row, ...]:
        return tuple(entry.row for entry in self.entries[place:])
