"""Ledgers of made-up models, for what has to hold of any two."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from reconcile.formula import Formula
from reconcile.inventory import Inventory, Layer
from reconcile.mapping.ledger import TASK, Assignment, Excluded, Ledger, Placed, Unmapped
from reconcile.taxonomy import load_architecture, template

BASE = {"V": 30522, "P": 512, "T": 2, "H": 768, "A": 12, "D": 64, "F": 3072, "L": 12, "S": 512}
EVERYTHING = frozenset({"pooler", "mlm", "nsp"})


def ledger(
    options: Iterable[str] = EVERYTHING,
    *,
    rows: bool = False,
    without: Iterable[str] = (),
    frozen: Iterable[str] = (),
    heads: Mapping[str, tuple[int, int]] | None = None,
    unmapped: Mapping[str, int] | None = None,
    slots: int = 0,
    residual: int = 0,
    settings: Mapping[str, Any] | None = None,
    untied: bool = False,
    named: str = "bert",
    **sizes: int,
) -> Ledger:
    """A BERT, or another architecture `named`, of these sizes: tensor by tensor, or in `rows` as a summary shows it.

    `without` are the ends of the paths of components that it lacks, `frozen` the beginnings of those that are not
    trained, `heads` dense layers by name with what goes in and comes out.
    """
    architecture = load_architecture(named)
    dimensions: dict[str, int | None] = {**BASE, **sizes}
    options = frozenset(options)
    parts: dict[str, Assignment] = {}
    for path, component in architecture.written_out(options, dimensions):
        if any(path.endswith(end) for end in without):
            continue
        tied = None if untied else component.tied_to
        node = _row(path) if rows and tied is None else path
        size = component.size.evaluate(dimensions)
        if node in parts:
            before = parts[node]
            formula, actual = before.formula + component.size, before.actual + size
            parts[node] = replace(before, formula=formula, actual=actual, expected=actual, formula_text=str(formula))
            continue
        shape = None if rows else tuple(axis.evaluate(dimensions) for axis in component.shape)
        state = not any(path.startswith(start) for start in frozen)
        parts[node] = Assignment(
            node, () if tied else (node,), size, shape, state, component.size, component.shape_text, size, shape, tied
        )
    for name, (into, out) in (heads or {}).items():
        formula = Formula.parse("i·o + o")
        held = {"i": into, "o": out}
        size = formula.evaluate(held)
        text = f"{formula} (i = {into}, o = {out})"
        parts[TASK + name] = Assignment(
            TASK + name, (name,), size, None, True, formula, text, size, None, sizes=held, class_name="Dense"
        )
    left_over = tuple(Unmapped(name, "Odd", count, "no rule") for name, count in (unmapped or {}).items())
    excluded = (Excluded("optimizer", "adam", slots),) if slots else ()
    stored = sum(part.actual for part in parts.values() if part.tied_to is None)
    total = stored + sum(item.params for item in left_over) + slots + residual
    layers = tuple(Layer(path, "", "", 0) for path in parts)
    inventory = Inventory("a test", layers, total, settings=settings or {})
    placed = tuple(Placed(layer, layer.name, "") for layer in layers)
    return Ledger(
        inventory, architecture, None, dimensions, options, tuple(parts.values()), placed, left_over, excluded
    )


def _row(path: str) -> str:
    """The row of a summary that shows a component."""
    kind = template(path)
    if kind.startswith("encoder"):
        return ".".join(path.split(".")[:3])
    return ".".join(path.split(".")[: 2 if kind.startswith(("embeddings", "mlm")) else 1])


def configured(one: Ledger, configs: Mapping[str, Mapping[str, Any]]) -> Ledger:
    """The same ledger with settings of the layers at these nodes."""
    placed = tuple(
        replace(place, layer=replace(place.layer, config=configs.get(template(place.layer.name), {})))
        for place in one.placed
    )
    return replace(one, placed=placed)


def fed(one: Ledger, inbound: Mapping[str, tuple[str, ...]]) -> Ledger:
    """The same ledger with these connections between its layers."""
    placed = tuple(
        replace(place, layer=replace(place.layer, inbound=inbound.get(place.layer.name, ()))) for place in one.placed
    )
    return replace(one, placed=placed)
