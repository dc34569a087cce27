"""Step 5c: what the words around a figure say that it is, and which accounts agree with them."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from reconcile.claims.accounts import Account
from reconcile.claims.layout import Layout
from reconcile.claims.lexicon import Hit, concepts_of, hits, neutral, table
from reconcile.claims.models import Model
from reconcile.frozen import dataclass

Found = tuple[Account, Model]
_FURTHEST = 400
"""Letters of a line before a figure that can be its label."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much words count by where they stand, and what agreement earns and disagreement costs."""

    before: float
    row: float
    behind: float
    behind_alone: float
    inside: float
    header: float
    heading: float
    heading_far: float
    above: float
    fading: float
    parent: float
    match: float
    strange: float
    missing: float
    times_unsaid: float
    left_out: float
    joined: float
    longer: float
    later: float
    accepted: float
    strong: float


@cache
def weights() -> Weights:
    """The weights of the lexicon."""
    return Weights(**table()["weights"])


@dataclass(frozen=True, slots=True)
class Label:
    """The concepts said of a figure, each zone of words with its weight; `own`: in its row, `near`: behind the last."""

    zones: tuple[tuple[float, frozenset[str]], ...]
    own: frozenset[str]
    near: frozenset[str] = frozenset()

    @property
    def said(self) -> frozenset[str]:
        """Every concept that is said, wherever."""
        return frozenset().union(*(concepts for _, concepts in self.zones))


def label(layout: Layout, start: int, end: int, spans: Sequence[tuple[int, int]]) -> Label:
    """The label of what stands from `start` to `end`; `spans` are the places of all figures, in order."""
    by = weights()
    number = layout.line(start)
    line = layout.lines[number]
    text = layout.text(number)
    last = layout.line(max(start, end - 1))
    tail = layout.text(last) if last != number else text
    tail_start = layout.lines[last].start
    place = bisect_left(spans, (start, end))
    before = spans[place - 1][1] if place and spans[place - 1][1] > line.start else line.start
    after = spans[place + 1][0] if place + 1 < len(spans) else layout.lines[last].end
    after = min(after, layout.lines[last].end, end + 60)
    found = hits(text)
    sentence = _sentence(text, start - line.start) if line.kind == "text" else 0
    own = _between(found, max(sentence, before - line.start), start - line.start)
    zones = [(by.before, own)]
    row = _between(found, sentence, before - line.start)
    zones.append((by.above, _between(found, 0, sentence)))
    zones.append((by.row if not own else by.row / 3, row))
    behind = _between(hits(tail), end - tail_start, after - tail_start)
    zones.append((by.behind if own or row else by.behind_alone, behind))
    if last == number:
        zones.append((by.inside, _between(found, start - line.start, end - line.start)))
    if head := layout.header(start):
        zones.append((by.header, _all(hits(head))))
    zones += _from_above(layout, number, bool(own - _loose() or (row and line.kind == "table")))
    zones = [(weight, _together(concepts)) for weight, concepts in zones if concepts]
    part = text.rfind(";", 0, start - line.start) + 1
    near = _between(found, max(sentence, part, before - line.start), start - line.start)
    return Label(tuple(zones), _together(own | row), _together(near))


_SENTENCE = re.compile(r"(?<=[\w)\]])[.!?][\"')]?[ \x01]+(?=[\x01(`\"']*[A-ZÄÖÜÉÀ])|。")


def _sentence(text: str, place: int) -> int:
    """Where the sentence of a place begins in its line."""
    return max((found.end() for found in _SENTENCE.finditer(text, max(0, place - _FURTHEST), place)), default=0)


_PROJECTIONS = frozenset(("query", "key", "value"))


def _together(concepts: frozenset[str]) -> frozenset[str]:
    """Query, key and value named together are one group of projections."""
    if concepts >= _PROJECTIONS:
        return (concepts - _PROJECTIONS) | {"qkv", "attention"}
    return concepts


@cache
def _loose() -> frozenset[str]:
    """Concepts that bind a figure to no component."""
    return frozenset(("whole", "kernel", "bias", "all", "block", "head", "final"))


def _from_above(layout: Layout, number: int, strong: bool) -> Iterator[tuple[float, frozenset[str]]]:
    by = weights()
    indent, weight = layout.lines[number].indent, by.above
    for other in layout.above(number):
        line = layout.lines[other]
        concepts = _all(hits(layout.text(other)))
        if line.kind == "heading":
            yield (by.heading_far if strong else by.heading), concepts
            return
        if not strong and not line.figures and line.end - line.start < 160:
            yield weight, concepts
            weight *= by.fading
        elif line.indent < indent:
            yield by.parent, concepts
        indent = min(indent, line.indent)


def _between(found: Sequence[Hit], start: int, end: int) -> frozenset[str]:
    first = bisect_left(found, max(start, end - _FURTHEST), key=lambda hit: hit.start)
    last = bisect_left(found, end, key=lambda hit: hit.start)
    return frozenset().union(*(hit.concepts for hit in found[first:last] if hit.end <= end))


def _all(found: Iterable[Hit]) -> frozenset[str]:
    return frozenset().union(*(hit.concepts for hit in found))


def ranked(found: Iterable[Found], said: Label) -> list[tuple[float, Account, Model]]:
    """Accounts by how well a label agrees with them, the best first."""
    later = weights().later
    order = {model: place for place, model in enumerate(dict.fromkeys(model for _, model in found))}
    scored = [(agreement(account, said) - later * order[model], account, model) for account, model in found]
    return sorted(scored, key=lambda one: -one[0])


_SIDES = frozenset(("attention", "ff"))
"""What a layer norm stands behind; its label need not say so."""


def agreement(account: Account, said: Label) -> float:
    """How well a label agrees with an account: what is said of both, less what is said of other things, or not."""
    by = weights()
    own = concepts_of(account.path)
    total = 0.0
    for weight, concepts in said.zones:
        total += weight * (by.match * len(own & concepts) - by.strange * len(concepts - own - neutral()))
    missing = own - said.said - (_SIDES if "norm" in own else frozenset())
    total -= by.missing * len(missing)
    if "× L" in account.path and "all" not in said.said:
        total -= by.times_unsaid
    if " without" in account.path:
        total -= by.left_out
    if " + " in account.path:
        total -= by.joined
    prior: float = table()["priors"].get(account.path, 0.0)
    return total + prior - by.longer * len(own)


_UNBOUND = frozenset(("bias", "final", "onehead", "foreign"))


def components_said(label: Label) -> frozenset[str]:
    """The concepts said at a figure that single a component out."""
    return label.own - neutral() - _UNBOUND


def components_over(label: Label) -> frozenset[str]:
    """The same, where nothing is said at the figure of what is said nearest to it."""
    for _, concepts in ((1.0, label.own), *label.zones):
        if found := concepts - neutral() - _UNBOUND:
            return found
    return frozenset()
