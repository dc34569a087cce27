"""An inventory that names the components themselves -> ledger: what a snapshot or a report of this program holds.

What a reader knows beside names and shapes stands in the settings of its layers: `formula`, `tied_to`; `excluded`,
`unmapped` and `residual` for what is no component; `node` and `settings` for how the layer at a node computes.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from reconcile.errors import FormulaError, InputError
from reconcile.formula import Formula
from reconcile.inventory import Inventory, Layer
from reconcile.mapping.assigning import as_it_is
from reconcile.mapping.ledger import Assignment, Excluded, Ledger, Placed, Unmapped
from reconcile.taxonomy import Architecture, architecture_names, load_architecture

UNMAPPED, EXCLUDED, RESIDUAL, FORMULA = "unmapped", "excluded", "residual", "formula"
LONGEST = 2000
"""Characters of a formula."""

_SIZED = re.compile(r"(.+?) \(((?:[A-Za-z]\w* = \d[\d,]*)(?:, [A-Za-z]\w* = \d[\d,]*)*)\)")

Sizes = Mapping[str, int | None]


def is_canonical(inventory: Inventory) -> bool:
    """Whether a source names an architecture, and its layers are called as that architecture's components."""
    return "architecture" in inventory.settings and "dimensions" in inventory.settings


def map_canonical(inventory: Inventory) -> Ledger:
    """Each layer is the component that it is named after. Raises InputError for what cannot be read as one."""
    name = inventory.settings["architecture"]
    if name is not None and name not in architecture_names():
        raise InputError(inventory.source, "architecture", repr(name), f"one of {', '.join(architecture_names())}")
    architecture = None if name is None else load_architecture(name)
    sizes = {**dict.fromkeys(architecture.dimensions if architecture else ()), **inventory.settings["dimensions"]}
    kinds: dict[str, list[Layer]] = {UNMAPPED: [], EXCLUDED: [], RESIDUAL: [], FORMULA: []}
    for layer in inventory.layers:
        kinds.get(next((kind for kind in kinds if kind in layer.config), ""), []).append(layer)
    parts = tuple(_assignment(layer, sizes, inventory.source) for layer in kinds[FORMULA])
    own = [part.path for part in parts if part.tied_to is None]
    ties = {part.path: part.tied_to for part in parts if part.tied_to}
    there, options = as_it_is(architecture, own, ties) if architecture else (None, frozenset())
    return Ledger(
        inventory=inventory,
        architecture=there,
        dialect=None,
        dimensions=sizes,
        options=options,
        assignments=parts,
        placed=tuple(_placed(inventory, architecture)),
        unmapped=tuple(
            Unmapped(layer.name, layer.class_name, layer.params or 0, "it was not mapped there")
            for layer in kinds[UNMAPPED]
        ),
        excluded=tuple(
            Excluded(str(layer.config[EXCLUDED]), tensor.path, tensor.size, bool(layer.config.get("inside", True)))
            for layer in kinds[EXCLUDED]
            for tensor in layer.tensors or ()
        ),
    )


def _assignment(layer: Layer, sizes: Sizes, source: str) -> Assignment:
    text = layer.config[FORMULA]
    formula, own = _formula(text, source, layer.name)
    known = {**sizes, **own}
    expected = formula.value(known) if text != "-" else None
    shape = layer.tensors[0].shape if layer.tensors else None
    return Assignment(
        path=layer.name,
        items=() if "tied_to" in layer.config else (layer.name,),
        actual=layer.params or 0,
        shape=shape,
        trainable=layer.trainable,
        formula=formula,
        formula_text=text,
        expected=expected,
        # How a component is stored is not what these sources say, so any shape of the right size is right.
        expected_shape=shape if expected in (None, layer.params) else None,
        tied_to=layer.config.get("tied_to"),
        sizes=own,
    )


def _formula(text: str, source: str, place: str) -> tuple[Formula, dict[str, int]]:
    """A formula with the sizes of its own names, where they stand behind it: `i·o + o (i = 768, o = 2)`."""
    if text == "-":
        return Formula.of(0), {}
    if len(text) > LONGEST:
        raise InputError(source, place, f"a formula of {len(text):,} characters", f"at most {LONGEST:,}")
    found = _SIZED.fullmatch(text)
    pairs = re.findall(r"(\w+) = ([\d,]+)", found[2]) if found else ()
    own = {name: int(size.replace(",", "")[:30]) for name, size in pairs}
    try:
        return Formula.parse(found[1] if found else text), own
    except FormulaError as error:
        raise InputError(source, place, str(error), "a formula") from None


def _placed(inventory: Inventory, architecture: Architecture | None) -> Iterator[Placed]:
    """Each component at itself, and each setting at the node that it is of."""
    for layer in inventory.layers:
        if "node" in layer.config:
            config: Mapping[str, Any] = layer.config["settings"]
            yield Placed(Layer(layer.name, "", "", 0, config=config), layer.config["node"], "")
        elif FORMULA in layer.config:
            bare = Layer(layer.name, "", "", layer.params, trainable=layer.trainable, tensors=layer.tensors)
            yield Placed(bare, layer.name, architecture.say(layer.name) if architecture else "")
        elif not layer.config.keys() & {UNMAPPED, EXCLUDED, RESIDUAL}:
            yield Placed(layer, None, "")
