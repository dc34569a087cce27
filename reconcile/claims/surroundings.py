"""A text with all that was read of it, and what stands around a claim that decides what it means."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from reconcile.claims.desk import Cues, Desk
from reconcile.claims.found import Found
from reconcile.claims.labels import TOTAL, Named, named
from reconcile.claims.mentions import Mention
from reconcile.claims.nearness import Nearness
from reconcile.claims.reading import Line
from reconcile.claims.rows import Row
from reconcile.claims.sides import Chain
from reconcile.claims.words import Marked

LONGEST_SHOWN = 160
BESIDE = 15
"""Letters between a model's name and a figure that is said of it without another word, as in BERT base (110M)."""
NEAR = 160
"""Letters before a figure among which its clause and its line are looked for."""
LONGEST_CLAUSE = 80
MOST_DESKS = 6
"""Models of one text that figures are held against."""

Prepare = Callable[[Found, Mention | None], Desk]


@dataclass
class Text:
    """A text with all that was read of it."""

    text: str
    same: str
    starts: list[int]
    lines: list[Line]
    found: Found
    prepare: Prepare
    sizes: Mapping[str, int | None]
    marks: Marked
    rows: dict[int, Row] = field(default_factory=dict)
    desks: dict[str | None, Desk] = field(default_factory=dict)
    files: int = 0
    reasoned: int = 0
    unreasoned: int = 0
    looked_up: tuple[tuple[int, int], tuple[Mention | None, bool]] = ((-1, -1), (None, False))

    def place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def shown(self, start: int, end: int) -> str:
        said = " ".join(self.text[start:end].split())
        return said if len(said) <= LONGEST_SHOWN else f"{said[: LONGEST_SHOWN - 1]}…"

    def mention(self, start: int, end: int) -> Mention | None:
        """The model that stands nearest to a figure."""
        return self._nearest(start, end)[0]

    def desks_near(self, start: int, end: int) -> Iterator[Desk]:
        """The models that a figure is held against: the nearest, and where that is only before it the others.

        None where its sentence is about a model of another kind.
        """
        mention, sure = self._nearest(start, end)
        if mention is not None and mention.model is None:
            return
        if (desk := self._desk(mention)) is not None:
            yield desk
        if not sure and mention is not None:
            for other in self.others:
                if other.model is not mention.model and (desk := self._desk(other)) is not None:
                    yield desk

    @property
    def main_desk(self) -> Desk | None:
        """The model of the whole text: that of the figures which name none, else the one that it is about."""
        if not self.desks and self.found.dimensions:
            return self.prepare(self.found, None)
        return self.desks.get(None) or next(iter(self.desks.values()), None)

    @cached_property
    def others(self) -> list[Mention]:
        """One mention of each known model that the text names."""
        found: dict[str, Mention] = {}
        for mention in self.found.mentions:
            if mention.model is not None:
                found.setdefault(mention.model.name, mention)
        return list(found.values())[:MOST_DESKS]

    @cached_property
    def near(self) -> Nearness:
        """Which model stands nearest to what."""
        return Nearness(self.same, self.lines, self.found.mentions, self.marks)

    def _nearest(self, start: int, end: int) -> tuple[Mention | None, bool]:
        if self.looked_up[0] != (start, end):
            self.looked_up = (start, end), self.near.nearest(start, end)
        return self.looked_up[1]

    def _desk(self, mention: Mention | None) -> Desk | None:
        key = mention.model.name if mention is not None and mention.model is not None else None
        if key not in self.desks:
            if len(self.desks) >= MOST_DESKS:
                return None
            self.desks[key] = self.prepare(self.found, mention)
        return self.desks[key]


def cues_of(chain: Chain, line: Line, read: Text, worked: bool) -> Cues:
    """What stands around a claim that decides what it means."""
    first, last = read.marks.sentence(chain.start, chain.end)
    row = read.rows.get(chain.start)
    label, sure = (_label_of(row, read.sizes), True) if row else _said(chain, line, read, first, last)
    near = read.marks.near
    heads = near("heads", first, last)
    blocks_ = near("blocks", first, last) and not heads
    far = (max(0, chain.start - 600), chain.end + 300)
    open_ = label is None or label.node == TOTAL
    mention = read.mention(chain.start, chain.end)
    beside = mention is not None and not worked and 0 <= chain.start - mention.end <= BESIDE
    named_ = mention is not None and (beside or near("parameters", first, last))
    part = _OF_BLOCKS.search(read.same, max(first, chain.start - 30), chain.start) is not None
    return Cues(
        label=label,
        sure=sure,
        heads=heads or (not blocks_ and near("heads", *far)),
        blocks=blocks_,
        partly=near("partly", first, last) or near("partly", chain.end, far[1]),
        whole=open_ and not part and (near("whole", first, last) or named_),
        worked=worked,
        compared=_COMPARED.search(read.same, max(first, chain.start - 20), chain.start) is not None,
    )


_COMPARED = re.compile(r"\b(?:than|against|versus|vs\.?|instead of|unlike|compared (?:to|with))\s(?:the\s)?\Z")
_OF_BLOCKS = re.compile(r"\b(?:layers|blocks)\W{0,3}(?:(?:have|has|is|are|makes?|hold|that(?:'s| is))\s)?\Z")
_CLAUSE = re.compile(r"[,:(|]|\d[\d,.]*[KMB]?|\b(?:while|whereas|but|so)\b")


def _label_of(row: Row, sizes: Mapping[str, int | None]) -> Named | None:
    """What the label of a row names; in every block where the row says how many there are.

    A matrix with as many rows as there are words is in no block, whatever it is called.
    """
    found, blocks_ = named(row.label), sizes.get("L")
    if found is not None and row.sizes and sizes.get("V") in row.sizes and "block" in found.node:
        return None
    of_blocks = found is not None and "head" not in row.label.lower() and found.node.startswith("encoder.block")
    if found is not None and of_blocks and blocks_ in row.times:
        return Named(found.node, True)
    return found


def _said(chain: Chain, line: Line, read: Text, first: int, last: int) -> tuple[Named | None, bool]:
    """What the words of its clause say that a figure is, and whether they are a heading of its own."""
    before = read.same[max(first, chain.start - NEAR) : chain.start]
    earlier, _, own = before.rpartition("\n")
    if earlier.rpartition("\n")[2].lstrip()[:1] in tuple("#/%|*->"):  # what a comment or a row of a list ends in
        before = own
    # What is cut in two at the beginning ends before the clause does begin.
    clause = _CLAUSE.split(before.rstrip(" :=≈(|")[-LONGEST_CLAUSE - 12 :])[-1][-LONGEST_CLAUSE:]
    if not clause.strip("# /*-|") and (above := _above(line, read)):
        return named(above), True
    found = named(_JOINED.sub("", clause))
    if found is not None and found.node in SIZED and not _TABLE.search(clause):
        found = None  # a number of positions or segments
    if found is None and (for_ := _FOR.match(read.same, chain.end, last)):
        found = named(for_[1])
    return found, False


SIZED = ("embeddings.position", "embeddings.segment")
_TABLE = re.compile(r"embed|table|encod|matri", re.IGNORECASE)
_JOINED = re.compile(r"^\s*(?:param\w*\s+|weights\s+)?(?:and|or|plus|with|then)\s+")
_FOR = re.compile(r"\W{0,3}(?:param\w*\W)?\s?(?:(?:is|are)\s)?(?:for|in|of|per|a)\s([\w -]{3,50})")


def _above(line: Line, read: Text) -> str:
    """The comment or heading right over a line, which labels what stands in it alone."""
    if line.place == 0:
        return ""
    above = read.lines[line.place - 1]
    text = above.text.strip()
    return "" if above.chains or len(text) > 80 or not (text[:1] in ("#", "/", "-") or text[-1:] == ":") else text
