"""Step 6h: what a log of a training with adapters tells: the model without them, the rank, each expert's share."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from reconcile.claims.cues import cue, near, sizes_said, speaks_of
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.phrases import number

LEAST = 1000
MOST = 40
"""Figures of a text that are looked at."""
_HIGHEST = 1024
"""The highest rank that is looked for."""
_NEAR = 200
"""Letters before a figure in which the rank of its run stands."""


@dataclass(frozen=True, slots=True)
class _Log:
    """A line that states what is trained, of how many in all."""

    line: int
    part: Judged
    whole: Judged

    @property
    def rest(self) -> int:
        return (self.whole.exact or 0) - (self.part.exact or 0)


def trained(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; those of a log of a training with adapters with what follows from them."""
    if not speaks_of(document, "adapters"):
        return every
    counts = list(islice((one for one in every if _is_count(one)), MOST))
    logs = list(_logs(document, counts))
    says: dict[int, list[str]] = {}
    for start, text in (
        *_rests(logs),
        *_ranks(document, logs),
        *_experts(document, counts),
        *_columns(document, counts),
    ):
        says.setdefault(start, []).append(text)
    return tuple(_with(one, says) for one in every)


def _with(one: Judged, says: Mapping[int, Sequence[str]]) -> Judged:
    if one.figure is None or one.start not in says:
        return one
    return replace(one, verdict=one.verdict or "cannot say", fits=(*one.fits, *says[one.start]))


def _is_count(one: Judged) -> bool:
    figure = one.figure
    return figure is not None and figure.kind == "figure" and one.unit in ("", "params") and (one.exact or 0) >= LEAST


def _logs(document: Document, counts: Sequence[Judged]) -> Iterator[_Log]:
    """The lines that state two counts, the smaller one of what is trained."""
    by_line: dict[int, list[Judged]] = {}
    for one in counts:
        by_line.setdefault(document.layout.line(one.start), []).append(one)
    for line, these in by_line.items():
        if len(these) == 2 and cue("trainable").search(document.layout.text(line)):
            part, whole = sorted(these, key=lambda one: one.exact or 0)
            if part.exact != whole.exact:
                yield _Log(line, part, whole)


def _rests(logs: Sequence[_Log]) -> Iterator[tuple[int, str]]:
    """What each whole is without what is trained."""
    for log in logs:
        same = next((other.line + 1 for other in logs if other.line != log.line and other.rest == log.rest), None)
        again = f", the same as in line {same}" if same else ""
        yield log.whole.start, f"without what is trained there it is {number(log.rest)}{again}"


def _ranks(document: Document, logs: Sequence[_Log]) -> Iterator[tuple[int, str]]:
    """The rank of one run by that of another: beside the same matrices, the count goes with the rank."""
    said = list(sizes_said(document.plain.text, "ranks"))
    places = [place for place, _ in said]
    for log in logs:
        at = bisect_right(places, log.part.start) - 1
        if at < 0 or log.part.start - places[at] > _NEAR:
            continue
        rank, count = said[at][1], log.part.exact or 0
        if not rank or count % rank:
            continue
        one = count // rank
        for other in logs:
            times, left = divmod(other.part.exact or 0, one)
            if other.part.exact != count and not left and 0 < times <= _HIGHEST and other.rest == log.rest:
                yield (
                    other.part.start,
                    f"it fits rank {times}: {number(count)}/{rank} = {number(one)} for each rank, and this is "
                    f"{times} × {number(one)}, if adapters stand beside the same matrices",
                )


def _experts(document: Document, counts: Sequence[Judged]) -> Iterator[tuple[int, str]]:
    """What each expert has of a count that is said of experts, where the text says how many there are."""
    text = document.plain.text
    layers = next((size for _, size in sizes_said(text, "blocks")), 0)
    experts = next((size for _, size in sizes_said(text, "experts_of")), 0)
    if layers < 2 or experts < 2:
        return
    for one in counts:
        words = near(document, one.start)
        each, left = divmod(one.exact or 0, layers * experts)
        if cue("experts").search(words) and not left and each >= LEAST:
            yield (
                one.start,
                f"it is {layers}·{experts}·{number(each)}: {number(each)} for each of {experts} experts in each of "
                f"{layers} layers, if all have the same",
            )


def _columns(document: Document, counts: Sequence[Judged]) -> Iterator[tuple[int, str]]:
    """What the rows of a table of adapters come to, where no row says it."""
    tables: dict[int, list[Judged]] = {}
    for one in counts:
        place = document.at(one)
        if place.tabled:
            tables.setdefault(document.layout.tops[place.number], []).append(one)
    for these in tables.values():
        rows = {place.number: place.row for place in map(document.at, these)}
        alone = len(rows) == len(these) > 1
        if alone and all(cue("adapters").search(row) for row in rows.values()):
            total = sum(one.exact or 0 for one in these)
            if all(one.exact != total for one in counts):
                yield these[-1].start, f"the {len(these)} rows of this table come to {number(total)}"
