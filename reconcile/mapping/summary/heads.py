"""Rows that are no component of a model that is shown: whole models by their count, layers of Keras by their class."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from reconcile.evidence.judge import Judged
from reconcile.inventory import Inventory, Layer
from reconcile.keras_layer import Fit as LayerFit
from reconcile.keras_layer import fits, known_class, parameterless, stands_for_a_model
from reconcile.mapping.builder import LedgerBuilder
from reconcile.mapping.ledger import TASK, Assignment, Excluded, Placed, Recognised, Whole
from reconcile.mapping.shapes import input_widths, width
from reconcile.mapping.summary.models import counted
from reconcile.mapping.summary.recognition import ADAPTERS, Fit, likeness, total_formula, whole_account, whole_readings
from reconcile.mapping.summary.seen import Seen, class_of, kind_of, seen
from reconcile.taxonomy import Architecture

LEAST_WHOLE = 100_000
"""Parameters from which on a row of an unknown class is worth recognising as a whole model."""

LEAST_VOCABULARY = 1_000
"""The narrowest output that is taken for logits over a vocabulary."""

NORM = "LayerNormalization"
NESTED = ("Model", "Functional", "Sequential")
BEST = 5
"""Readings that fit a whole model that are told."""


def place_others(
    rows: Sequence[Layer], inventory: Inventory, recognised: Sequence[Recognised], builder: LedgerBuilder
) -> None:
    """Place the rows that belong to no model that is shown: whole models, layers of Keras, and what holds nothing."""
    places = counted(rows)
    visible = {row.place: row for row in seen(rows) if row.place in places and row.place not in builder.placed}
    wholes = {place: row for place, row in visible.items() if _may_be_whole(row)}
    stated = _stated(visible.values(), wholes)
    names_of = len(wholes) > 1
    if not visible and not builder.placed:
        _place_total(rows, inventory, builder)
    for place, row in wholes.items():
        if not _place_whole(row, stated, inventory, builder, row.name if names_of else ""):
            del visible[place]
    widths = input_widths(rows)
    every = set(widths.values())
    known = [model.dimensions.get("H") for model in (*recognised, *builder.recognised) if model.architecture]
    for place in places:
        layer = rows[place]
        if place in builder.placed:
            continue
        if layer.params == 0:
            builder.placed[place] = Placed(layer, None, "holds no parameters" if parameterless(class_of(layer)) else "")
        elif layer.bounds is not None:
            builder.placed[place] = Placed(layer, None, "its count is rounded in the text")
        elif layer.params is None:
            builder.leave(place, layer, class_of(layer), "its count is cut in the text")
        else:
            _place_head(place, layer, class_of(layer), widths[place], every, known, builder)


def _place_total(rows: Sequence[Layer], inventory: Inventory, builder: LedgerBuilder) -> None:
    """A summary whose counts are all cut off: its total as a whole model, with what titles, classes and shapes show."""
    blocks = [layer for layer in rows if kind_of(layer, class_of(layer)) == "block" and layer.depth == 0]
    size = width(blocks[-1]) if blocks else None
    if inventory.total is None or not inventory.title or size is None:
        return
    row = Seen(
        -1, Layer(inventory.title, "", "", inventory.total), inventory.total, size, None, None, inventory.title, "model"
    )
    judged = whole_readings(row, {"L": len(blocks)})
    if judged is not None and judged.shown:
        fit = judged.best.meaning
        whole = _whole(row.name, row.count, fit)
        known = {letter: size for letter, size in fit.sizes.items() if letter not in fit.open}
        builder.wholes.append(whole)
        builder.recognised.append(
            Recognised("", inventory.title, fit.architecture, None, known, _options_of(fit), (), judged)
        )
        builder.assignments.append(_whole_assignment(row, fit, whole, 0, ""))


def _may_be_whole(row: Seen) -> bool:
    """Whether a row can be a whole model: its class or name says so, or nothing is known of its class."""
    if known_class(row.class_name):
        return False
    return row.kind == "model" or stands_for_a_model(row.name, row.class_name) or row.count >= LEAST_WHOLE


def _stated(visible: Collection[Seen], wholes: Mapping[int, Seen]) -> dict[str, int]:
    """The vocabulary that a head's output shows, where one set of logits over tokens goes out of the model."""
    widths = {row.out for row in wholes.values()}
    for row in visible:
        if row.place in wholes or row.out is None or row.out < LEAST_VOCABULARY:
            continue
        if any(size and fits(row.class_name, row.count, size, row.out) for size in widths):
            return {"V": row.out}
    return {}


def _place_whole(row: Seen, stated: Mapping[str, int], inventory: Inventory, builder: LedgerBuilder, name: str) -> bool:
    """Place a row as a whole model if that is shown, less a flag that TF-Hub's layers carry; what fits is told.

    Returns whether it may still be read as a layer.
    """
    # TF-Hub's exporter attaches one scalar that is not trained, so an odd one out is taken off first.
    flag = 1 if (inventory.non_trainable or 0) % 2 == 1 and row.class_name == "KerasLayer" else 0
    judged = whole_readings(row.without(flag), stated)
    if judged is None:
        return True
    fit = judged.best.meaning
    if not judged.shown:
        builder.recognised.append(Recognised(name or row.name, row.class_name, None, None, {}, frozenset(), (), judged))
        if row.kind == "model" or stands_for_a_model(row.name, row.class_name):
            builder.leave(row.place, row.layer, row.class_name, _fitting(judged), judged.best.balance > 0)
            return False
        return True
    if flag:
        builder.excluded.append(Excluded("flag", row.name, flag))
    others = tuple(
        dict.fromkeys(
            rival.meaning.known
            for rival in judged.rivals
            if rival.meaning.known not in ("", fit.known) and rival.balance == judged.best.balance
        )
    )
    whole = _whole(row.name, row.count - flag, fit, others)
    builder.wholes.append(whole)
    known = {letter: size for letter, size in fit.sizes.items() if letter not in fit.open}
    builder.recognised.append(
        Recognised(name, row.class_name, fit.architecture, None, known, _options_of(fit), (), judged)
    )
    builder.assign(
        row.place,
        _whole_assignment(row, fit, whole, flag, name),
        row.layer,
        f"a whole model: {whole.known or fit.architecture.title}",
    )
    return True


def _whole(name: str, count: int, fit: Fit, others: tuple[str, ...] = ()) -> Whole:
    known, changed = likeness(fit)
    return Whole(name, count, fit.architecture.name, fit.total, fit.sizes, known, changed, others, fit.extra)


def _whole_assignment(row: Seen, fit: Fit, whole: Whole, flag: int, name: str) -> Assignment:
    account = {} if fit.open else whole_account(fit.architecture, whole)
    formula = total_formula(fit.architecture, fit.total, fit.sizes) + (ADAPTERS if fit.extra else 0)
    sizes = {**fit.sizes, **dict(fit.extra)}
    if fit.extra:
        account[TASK + "adapters"] = ADAPTERS.evaluate(sizes)
    return Assignment(
        path=fit.total,
        items=(row.name,),
        actual=row.count - flag,
        shape=None,
        trainable=row.layer.trainable,
        formula=formula,
        formula_text=str(formula),
        expected=formula.evaluate(sizes),
        expected_shape=None,
        sizes=sizes,
        parts=tuple(account.items()),
        model=name,
    )


def _fitting(judged: Judged[Fit]) -> str:
    """What a count fits that is not shown to be any of it."""
    every = [reading for reading in (judged.best, *judged.rivals) if reading.balance > 0]
    if not every:
        return "a whole model whose count no named total of a known model makes"
    more = f", and {len(every) - BEST} more" if len(every) > BEST else ""
    return "a whole model that can be " + "; or ".join(reading.name for reading in every[:BEST]) + more


def _options_of(fit: Fit) -> frozenset[str]:
    architecture: Architecture = fit.architecture
    paths = (architecture.totals[fit.total].account(architecture.components, architecture.totals) or {}).keys()
    return frozenset(part.option for part in architecture.components if part.option and part.path in paths) - {"task"}


def _place_head(
    place: int,
    layer: Layer,
    class_name: str,
    input_size: int | None,
    seen_widths: Collection[int | None],
    hidden: Sequence[int | None],
    builder: LedgerBuilder,
) -> None:
    """Place a row as a layer by itself, with the formula of its class that makes its count; else it is unmapped.

    `input_size` is the width of what goes into it; where the count needs another one, one that some row has goes first.
    """
    params = layer.params or 0
    # Where the text shows no shape, what goes into a head is as wide as a model's own output.
    other = next(iter(hidden), None) if width(layer) is None else None
    found = fits(class_name, params, input_size, width(layer)) or _known_first(
        fits(class_name, params, other, width(layer)), seen_widths
    )
    if not found and layer.name_cut and not layer.class_name:
        # Nothing else in a block holds two values for each of its outputs.
        found = fits(NORM, params, None, width(layer))
    if found:
        path = builder.unused(TASK + layer.name.replace(".", "_"))
        builder.assign(place, _head(path, layer, class_name, found[0]), layer, found[0].says)
    else:
        builder.leave(place, layer, class_name, next(_why(layer, class_name)))


def _why(layer: Layer, class_name: str) -> Iterator[str]:
    if stands_for_a_model(layer.name, class_name):
        yield "a whole model whose count no named total of a known model makes"
    if known_class(class_name):
        yield f"no formula of {class_name} makes {layer.params or 0:,} with the shapes that the text shows"
    if class_name in NESTED:
        yield "a nested model shown as one row: its layers are not in the text"
    yield f"no formula is known for the class {class_name or '?'}"


def _known_first(found: Sequence[LayerFit], known: Collection[int | None]) -> Sequence[LayerFit]:
    """Formulas with an input size that some layer of the summary has before those that none has."""
    return sorted(found, key=lambda fit: fit.sizes.get("i") not in known)


def _head(path: str, layer: Layer, class_name: str, fit: LayerFit) -> Assignment:
    return Assignment(
        path=path,
        items=(layer.name,),
        actual=layer.params or 0,
        shape=None,
        trainable=layer.trainable,
        formula=fit.formula,
        formula_text=f"{fit.formula} ({', '.join(f'{name} = {size}' for name, size in sorted(fit.sizes.items()))})",
        expected=fit.formula.evaluate(fit.sizes),
        expected_shape=None,
        sizes=dict(fit.sizes),
        says=fit.says,
        class_name=class_name,
        solved=fit.solved,
    )
