"""Which rows of a summary belong to which model: nested ones, several side by side, an encoder and a decoder."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter

from reconcile.frozen import dataclass
from reconcile.grouping import grouped
from reconcile.inventory import Layer
from reconcile.mapping.summary.blocks import runs
from reconcile.mapping.summary.naming import dialects_of_blocks, name_row
from reconcile.mapping.summary.seen import Seen, seen

_SIDE = re.compile(r"(?i)decod|encod")


@dataclass(frozen=True, slots=True)
class Model:
    """The rows of one model: `name` is empty for the summary's own, else the row or the prefix that it stands under.

    `title` is what its class or the summary's heading calls it. `rows` are those that hold parameters.
    The names of several models in one list begin with a `prefix` each.
    """

    name: str
    title: str
    rows: tuple[Seen, ...]
    prefix: str = ""


def models_in(layers: Sequence[Layer], title: str) -> list[Model]:
    """The models of a summary: its own rows, and those of each nested model that is expanded.

    Only rows that add up to their model's count stand for it; otherwise its own row does.
    """
    homes = counted(layers)
    groups = grouped((row for row in seen(layers) if row.place in homes), lambda row: homes[row.place])
    own = (
        Model("" if home < 0 else layers[home].name, title if home < 0 else layers[home].class_name, tuple(rows))
        for home, rows in groups.items()
    )
    return [part for model in own for part in _by_prefix(model)]


def _by_prefix(model: Model) -> Iterator[Model]:
    """The models that names with one beginning each set apart, as bert4keras does: `Expert-Transformer-0-…`."""
    for dialect in dialects_of_blocks(model.rows, prefixed=True):
        named = [name_row(row.layer, dialect) for row in model.rows]
        blocks = dict.fromkeys(row.model for row in named if any("block[" in node for node in row.nodes))
        if len(blocks) < 2:
            continue
        owners = [found.model if found.model in blocks else "" for found in named]
        for prefix, pairs in grouped(zip(owners, model.rows, strict=True), itemgetter(0)).items():
            yield Model(model.name or prefix.strip("-_/"), model.title, tuple(row for _, row in pairs), prefix)
        return
    yield model


def counted(layers: Sequence[Layer]) -> dict[int, int]:
    """The places of the rows whose counts make up the total, each with that of the nested model it is in, or -1."""
    homes = dict(_homes(layers, range(len(layers)), -1))
    expanded = set(homes.values())
    return {place: home for place, home in homes.items() if place not in expanded}


def _homes(layers: Sequence[Layer], rows: range, home: int) -> Iterator[tuple[int, int]]:
    """Each row of some with the nested model that it is in; a model's own row stands for rows that do not add up."""
    place = rows.start
    while place < rows.stop:
        depth = layers[place].depth
        if home >= 0 or depth == 0:
            yield place, home
        end = next((row for row in range(place + 1, rows.stop) if layers[row].depth <= depth), rows.stop)
        counts = [layers[row].params for row in range(place + 1, end) if layers[row].depth == depth + 1]
        if counts and None not in counts and sum(count or 0 for count in counts) == layers[place].params:
            yield from _homes(layers, range(place + 1, end), place)
        place = end


def split(model: Model) -> Iterator[Model]:
    """The models that stand in one another's rows: each stack of blocks with the rows that belong to it."""
    for track in _tracks(model):
        # Something in blocks is called so, or attends.
        kinds = {run: {row.kind for row in track.rows[run.start : run.end]} for run in runs(track.rows)}
        stacks = [run for run in kinds if kinds[run] & {"block", "attention"}]
        if len(stacks) < 2:
            yield track
            continue
        begins = [0]
        for one, other in pairwise(stacks):
            between = range(one.end, other.start)
            begins.append(next((at for at in between if track.rows[at].kind == "table"), other.start))
        for number, (begin, end) in enumerate(zip(begins, [*begins[1:], len(track.rows)], strict=True)):
            yield Model(track.name or (str(number + 1) if number else ""), track.title, track.rows[begin:end])


def _tracks(model: Model) -> Iterator[Model]:
    """The rows of an encoder and a decoder one after the other: Keras prints them as they are connected, mixed."""
    sides = [found[0].lower() if (found := _SIDE.search(row.text)) else "" for row in model.rows]
    have = set(sides) - {""}
    if not {"encod", "decod"} <= have:
        yield model
        return
    owners: list[str] = []
    for side in sides:
        owners.append(side or (owners[-1] if owners else next(filter(None, sides))))
    tracks = grouped(zip(owners, model.rows, strict=True), itemgetter(0))
    names = {"encod": "encoder", "decod": "decoder"}
    for side, pairs in tracks.items():
        yield Model(model.name or names[side], model.title, tuple(row for _, row in pairs))
