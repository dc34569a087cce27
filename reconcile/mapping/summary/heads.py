"""Rows that are no component of a model that is shown: whole models by their count, layers of Keras by their class."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from reconcile.evidence.judge import Judged, Verdict
from reconcile.inventory import KERAS, Inventory, Layer
from reconcile.keras_layer import fits, is_part, known_class, parameterless, stands_for_a_model
from reconcile.mapping.builder import LedgerBuilder
from reconcile.mapping.ledger import TASK, Assignment, Excluded, Placed, Recognised, Whole
from reconcile.mapping.summary.models import counted
from reconcile.mapping.summary.placing import as_layer
from reconcile.mapping.summary.recognition import LEAST_WORDS, Fit, likeness, whole_readings
from reconcile.mapping.summary.seen import Seen, every_row

NORM = "LayerNormalization"
NESTED = ("Model", "Functional", "Sequential")
SCALED = "its weights may be quantized, and no formula here counts their scales"
BEST = 5
"""Readings that fit a whole model that are told."""


def place_others(
    rows: Sequence[Layer],
    inventory: Inventory,
    recognised: Sequence[Recognised],
    builder: LedgerBuilder,
    quantized: bool,
) -> None:
    """Place the rows that belong to no model that is shown: whole models, layers of Keras, and what holds nothing.

    Of rows that may be `quantized` only those are told whose shapes alone make their count.
    """
    every = every_row(rows)
    left = [every[place] for place in counted(rows) if place not in builder.placed]
    visible = [row for row in left if row.count]
    # A row can be a whole model where its class is none of a layer that is known, and of no part of a model.
    keras = inventory.kind == KERAS
    heads = [row for row in visible if quantized or known_class(row.class_name) or is_part(row.class_name, keras)]
    wholes = [row for row in visible if row not in heads]
    if not visible and not builder.placed:
        _place_total(every, inventory, builder)
    stated = _stated(heads, wholes)
    for row in wholes:
        _place_whole(row, stated, inventory, builder, row.name if len(wholes) > 1 else "")
    widths = frozenset(row.into for row in every)
    known = [model.dimensions for model in recognised if model.architecture]
    hidden = next((sizes.get("H") for sizes in (*known, *(whole.dimensions for whole in builder.wholes))), None)
    for row in (row for row in left if row.place not in builder.placed):
        if row.layer.params == 0:
            what = "holds no parameters" if parameterless(row.class_name) else ""
            builder.placed[row.place] = Placed(row.layer, None, what)
        elif row.layer.bounds is not None:
            builder.placed[row.place] = Placed(row.layer, None, "its count is rounded in the text")
        elif row.layer.params is None:
            builder.leave(row.place, row.layer, row.class_name, "its count is cut in the text")
        else:
            part = is_part(row.class_name, keras)
            _place_layer(row, widths, hidden, part, builder, quantized)


def _place_total(rows: Sequence[Seen], inventory: Inventory, builder: LedgerBuilder) -> None:
    """A summary whose counts are all cut off: its total as a whole model, with what titles, classes and shapes show."""
    blocks = [row for row in rows if row.kind == "block" and row.layer.depth == 0]
    title, total = inventory.title, inventory.total
    if total is None or not title or not blocks or blocks[-1].out is None:
        return
    row = Seen(-1, Layer(title, "", "", total), total, blocks[-1].out, None, None, title, "model")
    judged = whole_readings(row, {"L": len(blocks)})
    if judged is not None and judged.shown:
        _whole(row, judged, "", builder)


def _stated(heads: Collection[Seen], wholes: Collection[Seen]) -> dict[str, int]:
    """The vocabulary that a head's output shows, where one set of logits over tokens goes out of the model."""
    widths = {row.out for row in wholes}
    for row in heads:
        size = row.out or 0
        if size >= LEAST_WORDS and any(into and fits(row.class_name, row.count, into, size) for into in widths):
            return {"V": size}
    return {}


def _place_whole(row: Seen, stated: Mapping[str, int], inventory: Inventory, builder: LedgerBuilder, name: str) -> None:
    """Place a row as the whole model that it fits best, less a flag that TF-Hub's layers carry, or tell what fits.

    What is not called a model may still be a layer.
    """
    # TF-Hub's exporter attaches one scalar that is not trained, so an odd one out is taken off first.
    flag = 1 if (inventory.non_trainable or 0) % 2 == 1 and row.class_name == "KerasLayer" else 0
    judged = whole_readings(replace(row, count=row.count - flag), stated)
    if judged is None:
        return
    if not judged.shown:
        builder.recognised.append(Recognised(name or row.name, row.class_name, judged=judged))
        if row.kind == "model" or stands_for_a_model(row.name, row.class_name):
            builder.leave(row.place, row.layer, row.class_name, _fitting(row, judged), judged.best.balance > 0)
        return
    if flag:
        builder.excluded.append(Excluded("flag", row.name, flag))
    what = _whole(replace(row, count=row.count - flag), judged, name, builder)
    builder.placed[row.place] = Placed(row.layer, judged.best.meaning.total, f"fits a whole model: {what}")


def _whole(row: Seen, judged: Judged[Fit], name: str, builder: LedgerBuilder) -> str:
    """Note a row as the whole model that it fits best, and what that is called.

    Nothing but one count was compared, and a block more beside fewer words makes the same: so neither the model nor its
    sizes are stated of the source, not even those of a released model.
    """
    fit = judged.best.meaning
    alike = (rival.meaning.known for rival in judged.rivals if rival.balance == judged.best.balance)
    others = tuple(dict.fromkeys(known for known in alike if known not in ("", fit.known)))
    known, changed = likeness(fit)
    fitted = fit.architecture.name, fit.total, fit.sizes, known, changed, others, fit.extra
    builder.wholes.append(Whole(row.name, row.count, *fitted))
    builder.recognised.append(
        Recognised(name or row.name, row.class_name, judged=replace(judged, verdict=Verdict.FITS))
    )
    sizes = {name: size for name, size in (*fit.sizes.items(), *fit.extra) if name in fit.formula.dimensions}
    made = fit.formula, str(fit.formula), fit.formula.evaluate(sizes)
    own = fit.total, (row.name,), row.count, None, row.layer.trainable
    builder.assignments.append(Assignment(*own, *made, sizes=sizes, model=name))
    return known or fit.architecture.title


def _fitting(row: Seen, judged: Judged[Fit]) -> str:
    """What a count fits that is not shown to be any of it."""
    every = [reading for reading in (judged.best, *judged.rivals) if reading.balance > 0]
    if not every:
        return _no_total(row)
    more = f", and {len(every) - BEST} more" if len(every) > BEST else ""
    fitting = "; or ".join(reading.name for reading in every[:BEST])
    return f"a whole model of which this count is all that the text shows; it fits {fitting}{more}, and may be another"


def _no_total(row: Seen) -> str:
    """Why a row that may be a whole model has no meaning; where its class does not say so it may be a layer too."""
    if row.kind == "model":
        return "a whole model whose count no named total of a known model makes"
    return "no formula of a layer and no named total of a known model makes its count"


def _place_layer(
    row: Seen, widths: frozenset[int | None], hidden: int | None, part: bool, builder: LedgerBuilder, quantized: bool
) -> None:
    """Place a row as a layer by itself, with the formula of its class that makes its count; else it is unmapped.

    Where the count needs another width of what goes into it than the rows show, one that some row has goes first.
    """
    layer, class_name = row.layer, row.class_name
    # Where the text shows no shape, what goes into a head is as wide as a model's own output.
    other = hidden if row.out is None else None
    found = fits(class_name, row.count, row.into, row.out) or sorted(
        fits(class_name, row.count, other, row.out), key=lambda fit: fit.sizes.get("i") not in widths
    )
    if not found and layer.name_cut and not layer.class_name:
        # Nothing else in a block holds two values for each of its outputs.
        found = fits(NORM, row.count, None, row.out)
    if quantized:
        found = [fit for fit in found if not fit.solved]
    if found:
        path = builder.unused(TASK + layer.name.replace(".", "_"))
        builder.assign(row.place, as_layer(path, layer, row.count, found[0], class_name), layer, found[0].says)
    else:
        builder.leave(row.place, layer, class_name, SCALED if quantized else next(_why(row, part)))


def _why(row: Seen, part: bool) -> Iterator[str]:
    if known_class(row.class_name):
        shapes = (
            "without a shape, and the text shows none" if row.out is None else "with the shapes that the text shows"
        )
        yield f"no formula of {row.class_name} makes {row.count:,} {shapes}"
    if not part and stands_for_a_model(row.name, row.class_name):
        yield _no_total(row)
    if row.class_name in NESTED:
        yield "a nested model shown as one row: its layers are not in the text"
    yield f"no formula is known for the class {row.class_name or '?'}"
