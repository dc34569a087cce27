"""Rows of a table in groups: a cell that spans them says how often they are there, another one what they add up to."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from math import prod

from reconcile.frozen import dataclass
from reconcile.inventory import Remark
from reconcile.quantity.counts import whole_number
from reconcile.sources.listings.entry import Entry

MOST_TIMES, MOST_ROWS = 200, 20_000
"""How often a group can be there, and how many rows that makes at most."""
_TIMES = re.compile(
    r"[*×✕✖xX]\s{0,3}(\d{1,3})(?![\d,.])"
    r"|(?<![\d.,])(\d{1,3})\s{0,3}(?:[*×✕✖xX](?!\w)|(?:identical |equal |encoder |decoder |transformer )?"
    r"(?:layers|blocks)\b|层|層|Schichten|couches|capas)"
)
_INDEX = re.compile(r"(?<=[._/])\d{1,3}(?=[._/])")
_NUMBER = re.compile(r"\d[\d,._ ]*")
_PRODUCT = re.compile(r"\s*\d[\d,._ ]*[*×✕✖xX]\s*\d{1,3}\b")


@dataclass(frozen=True, slots=True)
class Mark:
    """What the cells beside a row's own say: the `label` before its name and the figure `stated` behind its count."""

    row: int
    label: str
    stated: str


@dataclass(slots=True)
class _Group:
    label: str
    stated: str
    entries: list[Entry] = field(default_factory=list)

    @property
    def times(self) -> int:
        """How often it is there; 1 where its rows name several blocks, or nothing says more."""
        found = _TIMES.search(self.label) or _TIMES.search(self.stated)
        times = int(found[1] or found[2]) if found else 1
        indices = [index[0] for entry in self.entries for index in _INDEX.finditer(entry.name)]
        return times if 1 < times <= MOST_TIMES and len(set(indices)) < 2 else 1

    @property
    def sum(self) -> int | None:
        """What its rows add up to, once; None where a row has no count."""
        counts = [entry.count if entry.shape is None else prod(entry.shape) for entry in self.entries]
        return None if None in counts else sum(count or 0 for count in counts)

    @property
    def figure(self) -> int | None:
        """The figure that is stated of its rows, the first of a product."""
        found = _NUMBER.match(self.stated.strip())
        return whole_number(found[0].strip(" .,_")) if found else None

    def holds(self) -> bool:
        return self.sum is not None and self.figure in (self.sum, self.sum * self.times)

    def says_product(self) -> bool:
        """Whether the figure is multiplied where it stands by as many as the group is there."""
        return self.times > 1 and _PRODUCT.match(self.stated) is not None


def grouped(entries: Sequence[Entry], marks: Iterable[Mark]) -> tuple[list[Entry], list[Remark]]:
    """The entries, those of a group as often as it is there, with remarks on sums that the rows do not come to."""
    groups = list(_groups(entries, marks))
    rows = sum(len(group.entries) * group.times for group in groups)
    if rows > MOST_ROWS:
        return list(entries), []
    return [entry for group in groups for entry in _repeated(group)], list(_short(groups))


def _groups(entries: Sequence[Entry], marks: Iterable[Mark]) -> Iterator[_Group]:
    """Runs of rows: each begins where a label or a figure stands, and takes the rows below that have none."""
    begins = {mark.row: mark for mark in marks}
    group = _Group("", "")
    for row, entry in enumerate(entries):
        mark = begins.get(row)
        if mark is not None and (mark.stated or mark.label != group.label):
            if group.entries:
                yield group
            group = _Group(mark.label, mark.stated)
        group.entries.append(entry)
    if group.entries:
        yield group


def _repeated(group: _Group) -> Iterator[Entry]:
    if group.times == 1:
        yield from group.entries
        return
    for number in range(group.times):
        for entry in group.entries:
            yield replace(entry, name=_numbered(entry.name, number))


def _numbered(name: str, number: int) -> str:
    """A name of the first block as that of another one."""
    found = _INDEX.search(name)
    if found is None:
        return f"layer.{number}.{name}"
    return f"{name[: found.start()]}{int(found[0]) + number}{name[found.end() :]}"


def _short(groups: Sequence[_Group]) -> Iterator[Remark]:
    """Figures that a group's rows do not come to; that figures are sums is shown by another group, or by a product."""
    summed = sum(group.holds() for group in groups if len(group.entries) > 1)
    for group in groups:
        total, figure = group.sum, group.figure
        if total is None or figure is None or group.holds() or not (summed or group.says_product()):
            continue
        each = group.says_product()  # what is multiplied is the sum of the rows, each once
        right = total if each else min(total, total * group.times, key=lambda one: abs(one - figure))
        apart = abs(figure - right)
        if each and figure > 2 * right:
            continue  # a table that goes on
        same = next((entry.name for entry in group.entries if prod(entry.shape or (entry.count or 0,)) == apart), "")
        shown = f"{figure:,}, {apart:,} too {'few' if figure < right else 'many'}"
        shown += f", as many as {same} has" if same else ""
        shown += (
            f", {group.times} × {apart:,} = {group.times * apart:,} in all"
            if right == total != total * group.times
            else ""
        )
        yield Remark("group-sum", group.label or group.entries[0].name, shown, right)
