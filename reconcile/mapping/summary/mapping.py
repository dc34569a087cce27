"""A summary's rows -> ledger: each model in it by its best reading, then what stands beside the models."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from operator import attrgetter

from reconcile.evidence.judge import SUMMARY, Judged, Reading, judge, settled
from reconcile.grouping import grouped
from reconcile.inventory import QUANTIZED, Inventory, Layer
from reconcile.mapping.builder import LedgerBuilder
from reconcile.mapping.ledger import CUT, Ledger, Placed, Recognised
from reconcile.mapping.summary.by_names import by_names
from reconcile.mapping.summary.heads import NESTED, place_others
from reconcile.mapping.summary.meaning import OPAQUE, Meaning
from reconcile.mapping.summary.models import Model, models_in, split
from reconcile.mapping.summary.placing import place
from reconcile.mapping.summary.recovery import optimizer_of, recover
from reconcile.mapping.summary.repeated import by_repetition
from reconcile.mapping.summary.seen import axes, width
from reconcile.unification.solving import Evidence

_says = attrgetter("meaning.states")


def map_rows(inventory: Inventory) -> Ledger:
    """Assign the rows of a summary by the best reading of each model in it as a whole.

    Only what is shown is assigned to components; every other row is read by itself as a layer of its class, or is not
    mapped. A row inside an expanded nested model takes the place of its share of that model's own row.
    """
    if any(remark.kind == CUT for remark in inventory.remarks):
        inventory = recover(inventory)
    rows = without_repeated(inventory)
    builder = LedgerBuilder(excluded=[*optimizer_of(inventory)])
    quantized = any(remark.kind == QUANTIZED for remark in inventory.remarks)
    recognised = () if quantized else _models(rows, inventory.title, builder)
    place_others(rows, inventory, recognised, builder, quantized)
    recognised = (*recognised, *builder.recognised)
    builder.tie(inventory, [rows[at] for at in sorted(builder.placed)])
    first = next((one for one in recognised if one.architecture), None)
    order = {id(layer): at for at, layer in enumerate(inventory.layers)}
    placed = {order[id(rows[at])]: what for at, what in builder.placed.items()}
    return Ledger(
        inventory=inventory,
        architecture=first.architecture if first else None,
        dialect=first.dialect if first else None,
        dimensions=_every_dimension(first, recognised, rows) if first else {},
        options=first.options if first else frozenset(),
        assignments=tuple(builder.assignments),
        placed=tuple(placed.get(at, Placed(layer, None, "")) for at, layer in enumerate(inventory.layers)),
        unmapped=tuple(builder.unmapped),
        excluded=tuple(builder.excluded),
        evidence=tuple(_shown_in_shapes(first.evidence, rows)) if first else (),
        wholes=tuple(builder.wholes),
        models=recognised,
    )


def _models(rows: Sequence[Layer], title: str, builder: LedgerBuilder) -> tuple[Recognised, ...]:
    """Read each model among the rows, and place the rows of what is shown."""
    read = [found for model in models_in(rows, title) for found in _read(model)]
    several = len({model.name for model, _ in read}) > 1
    return tuple(place(model if several else replace(model, name=""), judged, rows, builder) for model, judged in read)


def _read(model: Model) -> list[tuple[Model, Judged[Meaning]]]:
    """The verdicts on a model's rows: as one by their names where that is shown, else stack by stack."""
    readings = list(by_names(model.rows, model.title))
    named = judge(readings, _says, SUMMARY)
    if named is not None and named.shown:
        told = {(row.kind, row.out) for row in model.rows if row.place in named.best.meaning.nodes}
        left = (row for row in model.rows if row.place not in named.best.meaning.nodes and row.layer.name_cut)
        # A row whose name the column's edge cuts may be one more of a kind that the names tell.
        if not any((row.kind, row.out) in told for row in left):
            return [(model, _settled(named, readings))]
    found = []
    for part in split(model):
        readings = [*by_names(part.rows, part.title), *by_repetition(part.rows, part.title)]
        judged = judge(readings, _says, SUMMARY)
        if judged is not None and not judged.shown:
            judged = _as_blocks(readings) or judged
        if judged is not None:
            found.append((part, _settled(judged, readings)))
    return found


def _as_blocks(readings: Sequence[Reading[Meaning]]) -> Judged[Meaning] | None:
    """The verdict on rows as blocks, where what they are blocks of is not shown: of one formula, or else as equal ones.

    Blocks of a formula are equal blocks too, and no rivals of that.
    """
    nameless = [reading for reading in readings if not reading.meaning.identity]
    opaque = [reading for reading in nameless if reading.meaning.states == OPAQUE]
    found = (judge(candidates, _says, SUMMARY) for candidates in (nameless, opaque))
    return next((judged for judged in found if judged is not None and judged.shown), None)


def _settled(judged: Judged[Meaning], readings: Sequence[Reading[Meaning]]) -> Judged[Meaning]:
    """The verdict without the sizes that others which state the same have otherwise, and without the rows that are
    something else then."""
    best = judged.best
    meaning, margins = best.meaning, judged.margins
    own = [one for one in readings if _says(one) == _says(best) and one.meaning.architecture is meaning.architecture]
    sizes = settled(own, best, attrgetter("sizes"), margins)
    kept = settled(own, best, attrgetter("nodes"), margins)
    return replace(judged, best=replace(best, meaning=meaning.within(sizes, kept)))


def without_repeated(inventory: Inventory) -> list[Layer]:
    """The rows without a nested model's own one where its layers follow it, unmarked, and the total counts them once.

    That needs the row's count to be just what the rows have beyond the total, and what the rows behind it add up to.
    """
    rows = list(inventory.layers)
    top = [row for row in rows if row.depth == 0]
    known = [row.params for row in top if row.params is not None]
    if inventory.total is None or len(known) < len(top):
        return rows
    excess = sum(known) - inventory.total + (inventory.optimizer or 0)
    for at, row in enumerate(top if excess > 0 else ()):
        if row.params == excess and row.class_name in NESTED and excess in accumulate(known[at + 1 :]):
            rows.remove(row)
            break
    return rows


def _every_dimension(first: Recognised, models: Sequence[Recognised], rows: Sequence[Layer]) -> dict[str, int | None]:
    """All dimensions in the architecture's order, of several models those that they have alike.

    S comes from a shape; A is in no count.
    """
    every = [model.dimensions for model in (first, *models)]
    names = first.architecture.dimensions if first.architecture else {}
    alike = (name for name in names if all(sizes.get(name) == every[0].get(name) for sizes in every))
    result = dict.fromkeys(names) | {name: every[0].get(name) for name in alike}
    lengths = [shape[1] for row in rows if (shape := axes(row.output_shape)) and len(shape) == 3]
    if result.get("S") is None and lengths:
        result["S"] = lengths[0]
    result["A"] = result["D"] = None
    return result


def _shown_in_shapes(evidence: Iterable[Evidence], rows: Iterable[Layer]) -> Iterator[Evidence]:
    """The same evidence with the rows whose output is as wide as a dimension that outputs have, H or V."""
    wide = grouped(rows, width)
    for item in evidence:
        shapes = wide.get(item.size, ()) if item.dimension in ("H", "V") else ()
        yield replace(item, shapes=tuple(row.name for row in shapes))
