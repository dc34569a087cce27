"""Step 6h: what a log of a training with adapters tells: the model without them, the rank, each expert's share."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

from reconcile.claims.judgement.cues import fitting, matrices_said, models_of, sizes_said, speaks_of
from reconcile.claims.judgement.heads import with_outputs
from reconcile.claims.judgement.judged import ADAPTERS, Judged
from reconcile.claims.judgement.rows import interval
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.models import Model
from reconcile.phrases import number
from reconcile.quantity import Interval

LEAST = 1000
MOST = 40
"""Figures of a text that are looked at."""
_TOTAL, _TRAINED, _FROZEN = "total", "trainable", "non-trainable"
_PRINTED = re.compile(
    rf"[\W_]*(?:[\d.,]+[ ]?[KMB]?[ ]+)?(?P<what>{_TOTAL}|{_TRAINED}|{_FROZEN})[ _](?:model[ _])?param", re.I
)
"""What begins the lines below a summary."""
_NONE_FROZEN = re.compile(rf"{_FROZEN}[ _](?:model[ _])?param\w*\W{{0,4}}0(?![\d.,]*\d)", re.I)
"""A line that says that all is trained; a nought is no count of its own."""
_ALL = re.compile(r"trainable[ _]params?\W.*\ball[ _]params?\W", re.I)
"""The line that adapters print of a model, which counts them in."""
_KEPT = re.compile(r"optimi[sz]er[ _]param", re.I)
"""What is in the total of a model that was trained, too."""
_BESIDE = 3
"""Lines behind a total, or before it, in which its parts stand."""
_FEW = 16
"""Outputs up to which a dense layer on top is no chance."""
_HIGHEST = 1024
"""The highest rank that is looked for."""
_NEAR = 200
"""Letters before a figure in which the rank of its run stands."""

_Log = tuple[Judged, Judged]
"""What is trained, and all of the model with it, as a line states them."""
_Printed = dict[int, tuple[str, Judged]]
"""What lines below a summary count, by their numbers, each with its figure."""
_Told = Iterator[tuple[Judged, str]]


def based(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; all of a model in a log is right where it is a model of the text with what is trained beside it.

    That may be with a few outputs on top.
    """
    if not speaks_of(document, "adapters"):
        return every
    counts = list(islice((one for one in every if _is_count(one)), MOST))
    ranks = {rank for _, rank in sizes_said(document.plain.text, "ranks")}  # what is trained may be of another one
    every_log = list(_logs(document, counts))
    without = {id(log[1]): _without_trained(document, log) for log in every_log}
    logs = [log for log in every_log if log[0].holds or not (ranks or log[0].accused)]
    logs = [log for log in logs if log[1].verdict in (None, "cannot say")]
    models = models_of(document) if logs else ()
    found = {id(log[1]): _on_base(log, models) for log in logs}
    return tuple(without.get(id(one)) or found.get(id(one)) or one for one in every)


def _without_trained(document: Document, log: _Log) -> Judged | None:
    """All of a model as adapters print it, where it is that of the model alone and what is trained is none of it."""
    part, whole = log
    if (
        not whole.whole
        or not _ALL.search(document.at(whole).near())
        or not (part.holds and part.why.startswith(ADAPTERS))
    ):
        return None  # as what is trained may be a part of the model itself
    why = "what is trained beside the model is in it, too, {right} together"
    return whole.wrong(_count(whole) + _count(part), why, model=whole.model)


def printed(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; a total that a summary prints is what is trained and what is not, which stand beside it."""
    lines: _Printed = {}
    for one in every:
        at = document.at(one)
        said = _PRINTED.match(at.row) if one.figure is not None and at.number not in lines else None
        if said is not None:
            lines[at.number] = said["what"].lower(), one
    changed: dict[int, Judged] = {}
    for line, (what, total) in lines.items():
        if what == _TOTAL and (wrong := _unlike_parts(total, _parts_of(document, lines, line))) is not None:
            changed[id(wrong[0])] = wrong[1]
    return tuple(changed.get(id(one), one) for one in every)


def _parts_of(document: Document, lines: _Printed, line: int) -> Sequence[Judged]:
    """What is trained, and what is not if anything, in the lines behind a total or before it; none if in both."""
    found = []
    for beside in (range(line + 1, line + 1 + _BESIDE), range(max(0, line - _BESIDE), line)):
        near = {lines[each][0]: lines[each][1] for each in beside if each in lines}
        text = "\n".join(document.layout.text(each) for each in beside if each < len(document.layout.lines))
        if _TRAINED in near and _TOTAL not in near and not _KEPT.search(text):
            parts = [near[_TRAINED], *filter(None, (near.get(_FROZEN),))]
            if len(parts) > 1 or _NONE_FROZEN.search(text):
                found.append(parts)
    return found[0] if len(found) == 1 else ()


def _unlike_parts(total: Judged, parts: Sequence[Judged]) -> tuple[Judged, Judged] | None:
    """The total that its parts do not come to, as it is wrong; the part that is not known where the total is."""
    stretches = [interval(part) for part in parts]
    together = Interval(sum(one.low for one in stretches), sum(one.high for one in stretches))
    if not parts or together.meets(interval(total)) or any(one.accused for one in (total, *parts)):
        return None
    if total.holds and len(parts) > 1 and total.value > max(part.value for part in parts):
        own, frozen = parts
        part, other = (frozen, own) if own.holds else (own, frozen)
        right = total.value - other.value
        return part, part.wrong(right, "the total leaves {right} for it", "does not add up")
    right = sum(part.value for part in parts)
    return total, total.wrong(right, "what is trained and what is not come to {right}, {apart}", "does not add up")


def _on_base(log: _Log, models: Sequence[Model]) -> Judged | None:
    """All of a model as one that is known with what is trained, if it is that."""
    rest, trained_ = _rest(log), f"{number(_count(log[0]))} that are trained"
    for model in models:
        for total in model.totals:
            if total.count == rest:
                why = f"`{total.path}` of {model.name}, {number(rest)}, and {trained_}"
                return log[1].with_("holds", account=None, model=model, why=why)
    heads = [head for head in with_outputs(rest, models) if head[0] <= _FEW]
    for outputs, total, model in sorted(heads, key=lambda head: head[0])[:1]:
        head_ = f"{number(rest - total.count)} of a dense layer to {outputs} outputs"
        why = f"`{total.path}` of {model.name}, {number(total.count)}, {head_} and {trained_}"
        return log[1].with_("holds as", account=None, model=model, why=why)
    return None


@fitting
def trained(document: Document, every: Sequence[Judged]) -> _Told:
    """What follows from the counts of a log of a training with adapters."""
    if not speaks_of(document, "adapters"):
        return
    counts = list(islice((one for one in every if _is_count(one)), MOST))
    logs = list(_logs(document, counts))
    yield from _rests(document, logs)
    yield from _whole_tables(document, logs)
    yield from _ranks(document, logs)
    yield from _experts(document, counts)
    yield from _columns(document, counts)


def _is_count(one: Judged) -> bool:
    figure = one.figure
    return figure is not None and figure.kind == "figure" and one.unit in ("", "params") and _count(one) >= LEAST


def _count(one: Judged) -> int:
    return one.exact or 0


def _rest(log: _Log) -> int:
    return _count(log[1]) - _count(log[0])


def _logs(document: Document, counts: Sequence[Judged]) -> Iterator[_Log]:
    """The lines that state two counts, the smaller one of what is trained."""
    lines: dict[int, list[Judged]] = defaultdict(list)
    for one in counts:
        lines[document.at(one).number].append(one)
    for line, these in lines.items():
        if len(these) == 2 and cue("trainable").search(document.layout.text(line)):
            part, whole = sorted(these, key=_count)
            yield part, whole


def _rests(document: Document, logs: Sequence[_Log]) -> _Told:
    """What each whole is without what is trained."""
    for log in logs:
        same = [other for other in logs if other is not log and _rest(other) == _rest(log)]
        again = f", the same as in line {document.at(same[0][0]).number + 1}" if same else ""
        yield log[1], f"without what is trained there it is {number(_rest(log))}{again}"


def _whole_tables(document: Document, logs: Sequence[_Log]) -> _Told:
    """What is left of what is trained without a whole matrix of the text, where each block has as much of the rest."""
    text = document.plain.text
    blocks = next((size for _, size in sizes_said(text, "blocks")), 0)
    ranks = {rank for _, rank in sizes_said(text, "ranks")}
    for log in logs:
        for rows, width in matrices_said(text):
            rest = _count(log[0]) - rows * width
            each, left = divmod(rest, blocks) if blocks > 1 else (0, 1)
            if rest > 0 and not left and all(each % rank == 0 for rank in ranks):
                of_rank = "".join(f", {number(each // rank)} for each of rank {rank}" for rank in ranks)
                yield (
                    log[0],
                    f"it fits a whole matrix of {number(rows)} x {number(width)}, {number(rows * width)}, and "
                    f"{number(rest)} beside it: {number(each)} in each of {blocks} layers{of_rank}",
                )


def _ranks(document: Document, logs: Sequence[_Log]) -> _Told:
    """The rank of one run by that of another: beside the same matrices, the count goes with the rank."""
    said = list(sizes_said(document.plain.text, "ranks"))
    for log in logs:
        part, count = log[0], _count(log[0])
        rank = next((rank for place, rank in reversed(said) if 0 <= part.start - place <= _NEAR), 0)
        if not rank or count % rank:
            continue
        one = count // rank
        for other in logs:
            times, left = divmod(_count(other[0]), one)
            if _count(other[0]) != count and not left and times <= _HIGHEST and _rest(other) == _rest(log):
                yield (
                    other[0],
                    f"it fits rank {times}: {number(count)}/{rank} = {number(one)} for each rank, and this is "
                    f"{times} × {number(one)}, if adapters stand beside the same matrices",
                )


def _experts(document: Document, counts: Sequence[Judged]) -> _Told:
    """What each expert has of a count that is said of experts, where the text says how many there are."""
    layers, experts = (
        next((size for _, size in sizes_said(document.plain.text, name)), 0) for name in ("blocks", "experts_of")
    )
    for one in counts if layers > 1 and experts > 1 else ():
        each, left = divmod(_count(one), layers * experts)
        if not left and each >= LEAST and cue("experts").search(document.at(one).near()):
            yield (
                one,
                f"it is {layers}·{experts}·{number(each)}: {number(each)} for each of {experts} experts in each of "
                f"{layers} layers, if all have the same",
            )


def _columns(document: Document, counts: Sequence[Judged]) -> _Told:
    """What the rows of a table of adapters come to, where no row says it."""
    tables: dict[int, list[Judged]] = defaultdict(list)
    for one in counts:
        if (place := document.at(one)).tabled:
            tables[document.layout.tops[place.number]].append(one)
    for these in tables.values():
        rows = {place.number: place.row for place in map(document.at, these)}
        total = sum(map(_count, these))
        adapters = all(cue("adapters").search(row) for row in rows.values())
        if adapters and len(rows) == len(these) > 1 and total not in map(_count, counts):
            yield these[-1], f"the {len(these)} rows of this table come to {number(total)}"
