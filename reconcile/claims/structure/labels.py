"""Step 5c: what the words around a figure say that it is, and which accounts agree with them."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.layout import Place
from reconcile.claims.structure.lexicon import Hit, concepts_in, concepts_of, cue, hits, neutral, table
from reconcile.claims.structure.models import Model
from reconcile.frozen import dataclass

Found = tuple[Account, Model]
_FURTHEST = 400
"""Letters of a line before a figure that can be its label."""
_BEHIND = 60
"""Letters behind a figure that can be."""
_LONGEST_ABOVE = 160
_PATH = re.compile(r"[\s\x01|*\"'+-]*(?:\d+\s)?(?:name\s*=\s*)?\"?(?P<name>[A-Za-z_]\w*(?:[/.]\w+){3,})")
"""A row that begins with the name of a tensor, as libraries give it."""
_LETTER = re.compile(r"[^\w(]*([QKV])[\s\x01]*[:：|]")
"""A row that begins with a letter by which everybody calls a projection."""
_LETTERS = re.compile(r"[^\W\d_]{2}")


@cache
def weights() -> Mapping[str, float]:
    """How much words count by where they stand, and what agreement earns and disagreement costs."""
    found: Mapping[str, float] = table()["weights"]
    return found


@dataclass(frozen=True, eq=False)
class Label:
    """The concepts said of what stands at a place, looked for when they are asked for: of most figures nobody does.

    `spans` are the places of all figures, in order. `only` are concepts that are taken to be said, and no others.
    """

    place: Place | None
    spans: Sequence[tuple[int, int]] = ()
    only: frozenset[str] = frozenset()

    @cached_property
    def _words(self) -> "_Words | None":
        return _words(self.place, self.spans) if self.place else None

    @cached_property
    def own(self) -> frozenset[str]:
        """The concepts said in its row."""
        return _together(self._words.own | self._words.row) if self._words else self.only

    @cached_property
    def apart(self) -> bool:
        """Whether words stand between it and the figure before it, which is in its sentence."""
        return self._words is not None and self._words.apart

    @cached_property
    def tensor(self) -> bool:
        """Whether it is the name of a tensor."""
        return self._words is not None and self._words.tensor

    @cached_property
    def near(self) -> frozenset[str]:
        """The concepts said behind the figure before it."""
        return _together(self._words.near) if self._words else self.only

    @cached_property
    def zones(self) -> tuple[tuple[float, frozenset[str]], ...]:
        """The concepts of each zone of words, with the weight that it has."""
        zones = _zones(self._words, self.spans) if self._words else [(1.0, self.only)]
        return tuple((weight, _together(concepts)) for weight, concepts in zones if concepts)

    @cached_property
    def said(self) -> frozenset[str]:
        """Every concept that is said, wherever."""
        return frozenset().union(*(concepts for _, concepts in self.zones))


class _Words(NamedTuple):
    """What precedes a figure in its row: behind the last figure of its sentence, in the sentence, in those before."""

    place: Place
    order: int
    own: frozenset[str]
    row: frozenset[str]
    above: frozenset[str]
    near: frozenset[str]
    apart: bool = False
    tensor: bool = False


def _words(place: Place, spans: Sequence[tuple[int, int]]) -> _Words:
    line, text = place.line, place.row
    order = bisect_left(spans, (place.start, place.end))
    start, last = place.start - line.start, (spans[order - 1][1] if order else 0) - line.start
    if (name := _PATH.match(text)) and name.end() < start:
        own = concepts_in(name["name"])  # which says it all
        tensor = not own.isdisjoint(_OF_TENSORS)
        return _Words(place, order, own, frozenset(), frozenset(), own, tensor=tensor)
    found = hits(text)
    if (letter := _LETTER.match(text)) and letter.end() <= start:
        found = (Hit(letter.start(1), letter.end(1), concepts_in(table()["letters"][letter[1]])), *found)
    sentence = _sentence(text, start) if line.kind == "text" else 0
    behind = max(sentence, last)
    own, row = _between(found, behind, start), _between(found, sentence, last)
    if own <= _LOOSE and (named := _named_behind(found, text, place.end - line.start)) - _LOOSE:
        own, row = own | named, frozenset()
    return _Words(
        place,
        order,
        own,
        row,
        _between(found, 0, sentence),
        _between(found, max(behind, text.rfind(";", 0, start) + 1), start),
        line.kind == "text" and last > sentence and _LETTERS.search(text, last, start) is not None,
    )


def _named_behind(found: Sequence[Hit], text: str, end: int) -> frozenset[str]:
    """What a figure is said to be in or for right behind it: `590,592 parameters are in the pooler`."""
    led = cue("in_its_part").match(text, end)
    hit = next((hit for hit in found if led is not None and hit.start == led.end()), None)
    if led is None or hit is None:
        return frozenset()
    stop = cue("phrase_ends").search(text, hit.end)
    return _between(found, hit.start, stop.start() if stop else len(text))


_OPENED = re.compile(r"(?:[;•]|[\s\x01][-–—*•])[\s\x01][^\d:=]{2,40}:[\s\x01*]*$")
"""What opens the item of a list that goes on below: `8,192 × 8,192 = 67.1M - K projection:`."""


def _zones(words: _Words, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[float, frozenset[str]]]:
    by, place, own, row = weights(), words.place, words.own, words.row
    tail = place.layout.at(max(place.start, place.end - 1), place.end)
    after = spans[words.order + 1][0] if words.order + 1 < len(spans) else tail.line.end
    first, end = max(place.start - tail.line.start, 0), min(after, tail.line.end, place.end + _BEHIND) - tail.line.start
    rest = tail.line.end - place.end
    opened = _OPENED.search(tail.row, place.end - tail.line.start) if rest < _BEHIND else None
    end = end if opened is None else min(end, opened.start())
    yield by["before"], own
    yield by["above"], words.above
    yield by["row"] / (3 if own else 1), row
    yield by["behind"] if own or row else by["behind_alone"], _between(hits(tail.row), first, end)
    yield by["over"], concepts_in(place.header)
    yield from _from_above(place, bool(own - _LOOSE or (row and place.tabled)))


_SENTENCE = re.compile(r"(?<=[\w)\]])[.!?][\"')]?[ \x01]+(?=[\x01(`\"']*[A-ZÄÖÜÉÀ])|。")


def _sentence(text: str, place: int) -> int:
    """Where the sentence of a place begins in its line."""
    return max((found.end() for found in _SENTENCE.finditer(text, max(0, place - _FURTHEST), place)), default=0)


_PROJECTIONS = frozenset(("query", "key", "value"))


def _together(concepts: frozenset[str]) -> frozenset[str]:
    """Query, key and value named together are one group of projections, and with the output all of the attention."""
    if concepts >= _PROJECTIONS:
        return (concepts - _PROJECTIONS - {"out"}) | ({"attention"} if "out" in concepts else {"qkv", "attention"})
    return concepts


_LOOSE = frozenset(("whole", "kernel", "bias", "all", "block", "head", "final"))
"""Concepts that bind a figure to no component."""


def _from_above(place: Place, strong: bool) -> Iterator[tuple[float, frozenset[str]]]:
    """What lines above say, less and less, of a figure that no component is named at; lines it is indented below."""
    by, layout = weights(), place.layout
    indent, weight = place.line.indent, by["above"]
    for other in layout.above(place.number):
        line = layout.lines[other]
        if line.kind == "heading" and other != layout.headings[place.number]:
            continue  # an item beside it, over others
        concepts = concepts_in(layout.text(other))
        if line.kind == "heading":
            yield by["over"], concepts
            return
        if not strong and not line.figures and line.end - line.start < _LONGEST_ABOVE:
            yield weight, concepts
            weight *= by["fading"]
        elif line.indent < indent:
            yield by["over"], concepts
        indent = min(indent, line.indent)


def _between(found: Sequence[Hit], start: int, end: int) -> frozenset[str]:
    first = bisect_left(found, max(start, end - _FURTHEST), key=lambda hit: hit.start)
    last = bisect_left(found, end, key=lambda hit: hit.start)
    return frozenset().union(*(hit.concepts for hit in found[first:last] if hit.end <= end))


def ranked(found: Iterable[Found], said: Label) -> list[tuple[float, Account, Model]]:
    """Accounts by how well a label agrees with them, the best first."""
    found, later = list(found), weights()["later"]
    order = {model: place for place, model in enumerate(dict.fromkeys(model for _, model in found))}
    agrees = {path: agreement(path, said) for path in {account.path for account, _ in found}}
    scored = ((agrees[account.path] - later * order[model], account, model) for account, model in found)
    return sorted(scored, key=lambda one: -one[0])


_OF_TENSORS = frozenset(("kernel", "bias"))
"""What a tensor is called by its last name."""
_SIDES = frozenset(("attention", "ff"))
"""What a layer norm stands behind; its label need not say so."""


def agreement(path: str, said: Label) -> float:
    """How well a label agrees with a selection: what is said of both, less what is said of other things, or not."""
    by, own = weights(), concepts_of(path)
    strange = own | neutral()
    total: float = table()["priors"].get(path, 0.0)
    for weight, concepts in said.zones:
        total += weight * (len(own & concepts) - by["strange"] * len(concepts - strange))
    total -= by["missing"] * len(own - said.said - (_SIDES if "norm" in own else frozenset()))
    total -= by["times_unsaid"] * ("× L" in path and "all" not in said.said)
    made_up = sum(sign in path for sign in (" without", " + "))
    return total - by["made_up"] * made_up - by["of_several"] * (said.tensor and (made_up > 0 or "× L" in path))


_UNBOUND = frozenset(("bias", "final", "onehead", "foreign"))


def components_said(label: Label) -> frozenset[str]:
    """The concepts said at a figure that single a component out."""
    return label.own - neutral() - _UNBOUND


def components_near(label: Label) -> frozenset[str]:
    """The same behind the figure before it, where words stand between both."""
    return label.near - neutral() - _UNBOUND if label.apart else components_said(label)


def components_over(label: Label) -> frozenset[str]:
    """The same, where nothing is said at the figure of what is said nearest to it."""
    zones = (label.own, *(concepts for _, concepts in label.zones))
    return next((found for concepts in zones if (found := concepts - neutral() - _UNBOUND)), frozenset())
