"""Rows that no dialect names: whole models by their count, layers of Keras by their class's formulas."""

from collections.abc import Collection, Mapping, Sequence

from reconcile.inventory import Inventory, Layer
from reconcile.keras_layer import (
    Fit,
    architectures_named,
    fits,
    full_class,
    known_class,
    names_another_model,
    parameterless,
    stands_for_a_model,
)
from reconcile.mapping.desk import Desk
from reconcile.mapping.ledger import TASK, Assignment, Excluded, Placed, copy_prefix
from reconcile.mapping.shapes import axes, input_widths, width
from reconcile.taxonomy import Architecture, load_architecture

LEAST_WHOLE = 100_000
"""Parameters from which on a row of an unknown class is worth recognising as a whole model."""

NORM = "LayerNormalization"
NESTED = ("Model", "Functional", "Sequential")


def place_others(
    rows: Sequence[Layer],
    architecture: Architecture,
    sizes: Mapping[str, int | None],
    inventory: Inventory,
    desk: Desk,
) -> None:
    """Place the rows that no dialect names: whole models, layers of Keras, and what holds nothing."""
    widths = input_widths(rows)
    seen = set(widths.values())
    for place, layer in enumerate(rows):
        if place in desk.placed:
            continue
        class_name = layer.class_name
        if layer.class_cut and not known_class(class_name):
            class_name = full_class(class_name, layer.name, layer.name_cut) or class_name
        if layer.params == 0:
            desk.placed[place] = Placed(layer, None, "holds no parameters" if parameterless(class_name) else "")
        elif layer.params is None:
            desk.leave(place, layer, class_name, "its count is cut in the text")
        elif not _place_whole(place, layer, class_name, architecture, inventory, desk):
            _place_head(place, layer, class_name, widths[place], seen, sizes, desk)


def _place_whole(
    place: int, layer: Layer, class_name: str, architecture: Architecture, inventory: Inventory, desk: Desk
) -> bool:
    """Place a row as a whole model if its count is a named total, less a flag that TF-Hub's layers carry."""
    if layer.params is None or known_class(class_name) or layer.params < LEAST_WHOLE:
        return False
    if names_another_model(layer.name, class_name):
        return False
    from reconcile.mapping.wholes import ADAPTERS, recognise, total_formula, whole_account

    shape = axes(layer.output_shape)
    length = shape[1] if shape and len(shape) == 3 else None
    # TF-Hub's exporter attaches one scalar that is not trained, so an odd one out is taken off first.
    flag = 1 if (inventory.non_trainable or 0) % 2 == 1 and class_name == "KerasLayer" else 0
    by_name = stands_for_a_model(layer.name, class_name)
    named = [load_architecture(name) for name in architectures_named(layer.name, class_name)]
    count = layer.params - flag
    whole = recognise(layer.name, count, [*named, architecture], width=width(layer), length=length, by_name=by_name)
    if whole is None:
        return False
    architecture = load_architecture(whole.architecture)
    if flag:
        desk.excluded.append(Excluded("flag", layer.name, flag))
    copy = copy_prefix(len(desk.wholes))
    desk.wholes.append(whole)
    account = {} if copy else whole_account(architecture, whole)
    formula = total_formula(architecture, whole.total) + (ADAPTERS if whole.extra else 0)
    sizes = {**whole.dimensions, **dict(whole.extra)}
    if account and whole.extra:
        account[TASK + "adapters"] = ADAPTERS.evaluate(sizes)
    part = Assignment(
        path=copy + whole.total,
        items=(layer.name,),
        actual=layer.params - flag,
        shape=None,
        trainable=layer.trainable,
        formula=formula,
        formula_text=str(formula),
        expected=formula.evaluate(sizes),
        expected_shape=None,
        sizes=sizes,
        parts=tuple(account.items()),
    )
    desk.assign(place, part, layer, f"a whole model: {whole.known}")
    return True


def _place_head(
    place: int,
    layer: Layer,
    class_name: str,
    input_size: int | None,
    seen: Collection[int | None],
    sizes: Mapping[str, int | None],
    desk: Desk,
) -> None:
    """Place a row as a task head, with the formula of its class that makes its count; without one it is unmapped.

    `input_size` is the width of what goes into it; where the count needs another one, one that is `seen` goes first.
    """
    params = layer.params or 0
    # Where the text shows no shape, what goes into a head is as wide as the model's own output.
    hidden = desk.wholes[0].dimensions["H"] if desk.wholes else sizes.get("H")
    other = hidden if width(layer) is None else None
    found = fits(class_name, params, input_size, width(layer)) or _known_first(
        fits(class_name, params, other, width(layer)), seen
    )
    if not found and layer.name_cut and not layer.class_name:
        # Nothing else in a block holds two values for each of its outputs.
        found = fits(NORM, params, None, width(layer))
    if found:
        path = desk.unused(TASK + layer.name.replace(".", "_"))
        desk.assign(place, _head(path, layer, class_name, found[0]), layer, found[0].says)
        return
    if stands_for_a_model(layer.name, class_name):
        why = "a whole model whose count no named total of a known model makes"
    elif known_class(class_name):
        why = f"no formula of {class_name} makes {params:,} with the shapes that the text shows"
    elif class_name in NESTED:
        why = "a nested model shown as one row: its layers are not in the text"
    else:
        why = f"no formula is known for the class {class_name or '?'}"
    desk.leave(place, layer, class_name, why)


def _known_first(found: Sequence[Fit], known: Collection[int | None]) -> Sequence[Fit]:
    """Formulas with an input size that some layer of the summary has before those that none has."""
    return sorted(found, key=lambda fit: fit.sizes.get("i") not in known)


def _head(path: str, layer: Layer, class_name: str, fit: Fit) -> Assignment:
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
    )
