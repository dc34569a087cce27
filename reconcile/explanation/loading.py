"""Why weights did not load: the errors of a text explained by components, with counts and formulas."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from reconcile.dialect import load_dialect
from reconcile.explanation.tensor_numbers import Pairs, Reading, difference, in_block, pairs, readings
from reconcile.explanation.unfit import changes, component_of, dialect_of, grouped, shape_lines
from reconcile.phrases import listed, number, signed
from reconcile.sources.load_errors import (
    LAYERS,
    MISSING,
    NO_LAYER,
    OBJECTS,
    SHAPE,
    UNUSED,
    WEIGHTS,
    LoadError,
    read_load_errors,
)
from reconcile.taxonomy import load_architecture, template

_MOST_PAIRS = 4
_WHOLE = 12
"""Weights from which on a layer is taken for a whole model."""


@dataclass(frozen=True, slots=True)
class LoadExplanation:
    """One error with its explanation: a heading, sentences, and the same as facts that JSON can hold."""

    source: str
    error: LoadError
    title: str
    lines: tuple[str, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)


def explain_load_error(text: str, source: str) -> tuple[LoadExplanation, ...]:
    """Every error of a failed or partial load in a text, explained; empty where the text holds none."""
    errors = read_load_errors(text)
    moved = _other_prefix(errors)
    found = []
    for error in errors:
        title, lines, facts = _EXPLAIN[error.kind](error)
        if moved and error.kind in (MISSING, UNUSED):
            lines, facts = [moved, *(line for line in lines if "random" not in line)], {**facts, "prefix": moved}
        found.append(LoadExplanation(source, error, title, tuple(lines), {"kind": error.kind, **facts}))
    return tuple(found)


_Told = tuple[str, list[str], dict[str, Any]]


def _numbers(error: LoadError) -> _Told:
    """Numbers of layers, or of weights of a whole model or of one layer."""
    model, given = error.model or 0, error.given or 0
    unit = "layers" if error.kind == LAYERS else "weights"
    title = f"{number(model)} {unit} in the model, {number(given)} given"
    facts: dict[str, Any] = {"model": model, "given": given, "unit": unit, "layer": error.layer}
    if unit == "weights" and max(model, given) < _WHOLE:
        return f"{error.layer or 'A layer'}: {title}", _one_layer(error), facts
    found = pairs(model, given, unit)
    facts["readings"] = [[_fact(reading) for reading in pair] for pair in found.plainest[:_MOST_PAIRS]]
    other = ["As layers of keras-bert's they are no plain pair; as weights they are."] if found.unit != unit else []
    return title, [*other, *_pair_lines(found.plainest, found.unit), *_rest(found, model, given)], facts


def _pair_lines(found: tuple[tuple[Reading, Reading], ...], unit: str) -> Iterator[str]:
    for place, (one, other) in enumerate(found[:_MOST_PAIRS]):
        start = "Or: the" if place else "The"
        yield f"{start} model's {number(one.number)} {unit} are {_words(one, unit)}."
        yield f"The {number(other.number)} given are {_words(other, unit)}."
        parts = difference(one, other)
        if parts:
            terms = " + ".join(f"{node} {number(count)}" for node, count in parts.items())
            yield f"{number(one.number)} − {number(other.number)} = {signed(one.number - other.number)}: {terms}."
        more = [_part(node, count, unit) for node, count in parts.items() if count > 0]
        less = [_part(node, -count, unit) for node, count in parts.items() if count < 0]
        if more:
            yield f"The model has {listed(more)} that what was given has not."
        if less:
            yield f"What was given has {listed(less)} that the model has not."
    if len(found) > _MOST_PAIRS:
        yield f"{len(found) - _MOST_PAIRS} further readings fit as plainly."


def _rest(found: Pairs, model: int, given: int) -> Iterator[str]:
    """What the numbers cannot decide, and what they cannot be."""
    unit, each = found.unit, in_block(found.unit)
    if len(found.plainest) > 1:
        yield "The numbers alone do not decide between these."
    elif found.plainest and found.others:
        own = "2 weights" if unit == "weights" else "1 layer"
        yield f"The numbers alone do not tell a pooler's {own} from another dense layer's on top: the names would."
    if found.plainest:
        return
    for size, where in ((model, "in the model"), (given, "given")):
        fits = readings(size, unit)
        what = " or ".join(_words(reading, unit) for reading in fits[:2]) or "what no BERT of up to 96 blocks has"
        yield f"The {number(size)} {unit} {where} are {what}."
    if model != given and (model - given) % each == 0:
        yield f"The difference, {number(abs(model - given))}, is {abs(model - given) // each} × {each}, so many blocks."


def _words(reading: Reading, unit: str) -> str:
    blocks, each = reading.blocks, in_block(unit)
    parts = [
        f"encoder {blocks} × {each} = {count}" if node == "encoder" else f"{node} {count}"
        for node, count in reading.parts.items()
    ]
    if reading.head:
        parts.append(f"a head on top {reading.head}")
    return f"`{reading.total}` with {blocks} blocks: {' + '.join(parts)}"


def _part(node: str, count: int, unit: str) -> str:
    """A part with what it counts as parameters, where it is a node of the model."""
    architecture = load_architecture("bert")
    if node in architecture.options:
        formula = architecture.size(node, frozenset(architecture.options))
        return f"{node} ({architecture.say(node)}, {formula} parameters)"
    if node == "encoder":
        return f"{count // in_block(unit)} blocks"
    return f"{node} ({count})"


def _fact(reading: Reading) -> dict[str, Any]:
    return {"total": reading.total, "blocks": reading.blocks, "head": reading.head, "parts": dict(reading.parts)}


def _one_layer(error: LoadError) -> list[str]:
    """The weights of a single layer: what it is in the model, and what the numbers leave possible."""
    model, given = error.model or 0, error.given or 0
    lines = []
    node = _node(error.layer)
    if node:
        architecture = load_architecture("bert")
        parts = [part.path.removeprefix(template(node)).lstrip(".") or part.path for part in
                 architecture.below(node, frozenset(architecture.options)) if part.tied_to is None]  # fmt: skip
        sides = [side for side, count in (("the file", given), ("the model", model)) if count == len(parts)]
        held = f"{len(parts)} tensors ({listed(parts)})" if len(parts) > 1 else "1 tensor"
        lines.append(f"{error.layer} is {node}, {held}, as {listed(sides) if sides else 'neither'} has.")
    if given == 0:
        lines.append("Nothing was given for it: it is new in the model, or stands under another name in the file.")
    elif model == 0:
        lines.append("The model's layer holds nothing: it is not built yet, or of another class than the file's.")
    elif abs(model - given) == 1:
        lines.append("One more or less is a bias that only one of them has, or a table kept with another layer.")
    lines.append("Weights go to layers in order, so an earlier layer more or less moves every one behind it.")
    return lines


def _node(layer: str) -> str:
    """The component that a layer of keras-bert's or bert4keras' holds."""
    for name in ("keras-bert", "bert4keras"):
        if found := load_dialect(name).find(layer):
            return found[1]
    return ""


def _shapes(error: LoadError) -> _Told:
    name = error.names[0] if error.names else _named_layer(error.layer)
    model, given = error.model_shape or (), error.given_shape or ()
    title = f"{name or error.layer or 'A tensor'}: a shape that does not fit"
    facts = {
        "name": name,
        "component": component_of(name, dialect_of([name])) if name else "",
        "model_shape": list(model),
        "given_shape": list(given),
        "changes": [
            {"dimension": change.dimension, "model": change.model, "given": change.given, "sure": change.sure}
            for change in changes(name, model, given)
        ],
    }
    return title, shape_lines(name, model, given), facts


def _named_layer(layer: str) -> str:
    """A layer of keras-bert's that holds one table, as the name of that table."""
    node = _node(layer)
    return f"{layer}/embeddings" if node.startswith("embeddings.") and not node.endswith("norm") else ""


def _names(error: LoadError) -> _Told:
    """Tensors that stand on one side only."""
    dialect = dialect_of(error.names)
    groups = grouped(error.names, dialect)
    missing = error.kind == MISSING
    where = "that the model has and the file lacks" if missing else "in the file that the model has no place for"
    lines = [f"{node}: {_count(names)}{_formula(node)}." for node, names in _ordered(groups)]
    if set(groups) <= {"mlm", "nsp", "pooler", "a task head", "no parameter", "sop", "detector"}:
        lines.append(
            "Only what stands on top of the blocks is named here: "
            + ("it starts from random numbers." if missing else "nothing of embeddings and blocks is left unused.")
        )
    if missing and any(node.startswith(("embeddings", "encoder")) for node in groups):
        lines.append("The backbone itself is incomplete: these tensors start from random numbers.")
    facts = {"names": list(error.names), "groups": {node: len(names) for node, names in groups.items()}}
    count = "1 tensor" if len(error.names) == 1 else f"{number(len(error.names))} tensors"
    return f"{count} {where}", lines, facts


def _ordered(groups: Mapping[str, list[str]]) -> list[tuple[str, list[str]]]:
    """The groups, all blocks as one where they are many."""
    blocks = {node: names for node, names in groups.items() if node.startswith("encoder")}
    if len(blocks) < 2:
        return list(groups.items())
    together = [name for names in blocks.values() for name in names]
    rest = [(node, names) for node, names in groups.items() if node not in blocks]
    return [(f"{len(blocks)} blocks", together), *rest]


def _count(names: list[str]) -> str:
    shown = listed(names) if len(names) < 4 else f"{names[0]} and {number(len(names) - 1)} others"
    return f"{number(len(names))} tensors ({shown})" if len(names) > 1 else f"1 tensor ({shown})"


def _formula(node: str) -> str:
    architecture = load_architecture("bert")
    if node not in architecture.options:
        return ""
    return f", {architecture.say(node)}: {architecture.size(node, frozenset(architecture.options))} parameters"


def _other_prefix(errors: tuple[LoadError, ...]) -> str:
    """Say so where the names that are missing are those that are not used, with something else before them."""
    missing = next((set(error.names) for error in errors if error.kind == MISSING), set())
    unused = next((set(error.names) for error in errors if error.kind == UNUSED), set())
    for one, other, where in ((missing, unused, "the model"), (unused, missing, "the file")):
        for prefix in {name.partition(".")[0] + "." for name in sorted(one)[:3] if "." in name}:
            same = {name.removeprefix(prefix) for name in one if name.startswith(prefix)} & other
            if same and 2 * len(same) >= len(other):
                count = number(len(same))
                return f"{count} of these are the same tensors under two names: {where} has {prefix!r} before them."
    return ""


def _objects(error: LoadError) -> _Told:
    count = error.model or 0
    title = f"{number(count)} objects could not be loaded"
    return title, ["Keras counts layers here, not weights; of these it shows one as an example."], {"objects": count}


def _no_layer(error: LoadError) -> _Told:
    node = _node(error.layer)
    what = f"{error.layer} is {node}" if node else f"{error.layer} is no layer of keras-bert's"
    options = load_architecture("bert").options
    top = node.split(".")[0]
    why = f"; the model was built without it ({options[top]})" if top in options else ""
    return f"The model has no layer {error.layer}", [f"{what}{why}."], {"layer": error.layer, "component": node}


_EXPLAIN = {
    LAYERS: _numbers,
    WEIGHTS: _numbers,
    SHAPE: _shapes,
    MISSING: _names,
    UNUSED: _names,
    OBJECTS: _objects,
    NO_LAYER: _no_layer,
}
