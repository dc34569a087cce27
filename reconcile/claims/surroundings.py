"""A text with all that was read of it, and what stands around a claim that decides what it means."""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from reconcile.claims.found import Found, Mention
from reconcile.claims.labels import TOTAL, Named, named
from reconcile.claims.meaning import Cues, Desk
from reconcile.claims.reading import Line
from reconcile.claims.rows import Row
from reconcile.claims.sides import Chain
from reconcile.claims.words import Marked, sentence_around

LONGEST_SHOWN = 160
BESIDE = 15
"""Letters between a model's name and a figure that is said of it without another word, as in BERT base (110M)."""
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

    def place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def shown(self, start: int, end: int) -> str:
        said = " ".join(self.text[start:end].split())
        return said if len(said) <= LONGEST_SHOWN else f"{said[: LONGEST_SHOWN - 1]}…"

    def desk(self, start: int, end: int) -> Desk | None:
        """The model that a figure is held against; None where its sentence is about one of another kind."""
        mention = self.mention(start, end)
        if mention is not None and mention.model is None:
            return None
        key = mention.model.name if mention is not None and mention.model is not None else None
        if key not in self.desks:
            if len(self.desks) >= MOST_DESKS:
                return None
            self.desks[key] = self.prepare(self.found, mention)
        return self.desks[key]

    def mention(self, start: int, end: int) -> Mention | None:
        """The model named nearest: in the sentence before the figure, or behind it where the figure comes first."""
        all_ = self.found.mentions
        if not all_:
            return None
        place = bisect_right(all_, start, key=lambda mention: mention.start)
        before = all_[place - 1] if place else None
        after = all_[place] if place < len(all_) else None
        first, last = sentence_around(self.same, start, end)
        if before is not None and before.start >= first:
            return before
        if after is not None and after.start < last:
            return after
        if before is not None and before.model is None:
            return next((mention for mention in all_[max(0, place - 5) : place][::-1] if mention.model), None)
        return before or (after if after is not None and after.model is not None else None)


def cues_of(chain: Chain, line: Line, read: Text, worked: bool) -> Cues:
    """What stands around a claim that decides what it means."""
    first, last = sentence_around(read.same, chain.start, chain.end)
    before, behind = read.same[first : chain.start], read.same[chain.end : last]
    label, sure = _label(read.rows.get(chain.start), before, behind, read.sizes.get("L"), _above(line, read))
    near = read.marks.near
    heads = near("heads", first, last)
    blocks_ = near("blocks", first, last) and not heads
    far = (max(0, chain.start - 600), chain.end + 300)
    open_ = label is None or label.node == TOTAL
    mention = read.mention(chain.start, chain.end)
    beside = mention is not None and not worked and 0 <= chain.start - mention.end <= BESIDE
    named_ = mention is not None and (beside or near("parameters", first, last))
    return Cues(
        label=label,
        sure=sure,
        heads=heads or (not blocks_ and near("heads", *far)),
        blocks=blocks_,
        partly=near("partly", first, last) or near("partly", chain.end, far[1]),
        whole=open_ and (near("whole", first, last) or named_),
        worked=worked,
        compared=bool(_COMPARED.search(before)),
    )


_COMPARED = re.compile(r"\b(?:than|against|versus|vs\.?|instead of|unlike|compared (?:to|with))\s(?:the\s)?\Z")
_CLAUSE = re.compile(r"[,:(|]|\d[\d,.]*[KMB]?|\b(?:while|whereas|but|so)\b")


def _label(row: Row | None, before: str, behind: str, blocks_: int | None, above: str) -> tuple[Named | None, bool]:
    """What a figure is labelled as: by the label of its row, else by the words of its clause."""
    if row is not None:
        found = named(row.label)
        if found is not None and blocks_ and found.node.startswith("encoder.block") and blocks_ in row.times:
            found = Named(found.node, True)
        return found, True
    earlier, _, own = before.rpartition("\n")
    if earlier.rpartition("\n")[2].lstrip()[:1] in tuple("#/%|*->"):  # what a comment or a row of a list ends in
        before = own
    clause = _CLAUSE.split(before.rstrip(" :=≈(|"))[-1][-80:]
    if above and not clause.strip("# /*-|"):
        return named(above), True
    found = named(_JOINED.sub("", clause))
    if found is not None and found.node in SIZED and not _TABLE.search(clause):
        found = None  # a number of positions or segments
    if found is None and (for_ := _FOR.match(behind)):
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
