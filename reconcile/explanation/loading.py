"""Why weights did not load: each error of a text, by the components that mapping finds in it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reconcile.explanation.tensor_numbers import number_lines
from reconcile.explanation.tensor_shapes import shape_lines
from reconcile.finding.loading import KIND, LoadError
from reconcile.mapping.assigning import COPY
from reconcile.mapping.fragments import is_of_head, map_fragments, node_called
from reconcile.mapping.ledger import TASK, Ledger
from reconcile.phrases import listed, number
from reconcile.sources.load_errors import LAYERS, MISSING, NO_LAYER, OBJECTS, SHAPE, UNUSED, WEIGHTS, read_load_errors
from reconcile.sources.load_errors import LoadError as Read
from reconcile.taxonomy import Architecture

HEAD, BESIDE, UNKNOWN = "a task head", "no parameter", "unknown"
"""What names belong to that are at no node."""

_WHOLE = 12
"""Weights from which on a layer is taken for a whole model."""

_Told = tuple[str, list[str]]


def explain_load_error(text: str) -> tuple[LoadError, ...]:
    """Every error of a failed or partial load in a text, explained; empty where the text holds none."""
    errors = read_load_errors(text)
    moved = _other_prefix(errors)
    found = []
    for error in errors:
        title, lines = _EXPLAIN[error.kind](error)
        if moved and error.kind in (MISSING, UNUSED):
            lines = [moved, *(line for line in lines if "random" not in line)]
        found.append(LoadError(error.layer or KIND, error.model, error.given, title=title, lines=tuple(lines)))
    return tuple(found)


def _numbers(error: Read) -> _Told:
    """Numbers of layers, or of weights of a whole model or of one layer."""
    model, given = error.model or 0, error.given or 0
    unit = "layers" if error.kind == LAYERS else "weights"
    title = f"{number(model)} {unit} in the model, {number(given)} given"
    if unit == "weights" and max(model, given) < _WHOLE:
        return f"{error.layer or 'A layer'}: {title}", list(_one_layer(error.layer, model, given))
    return title, list(number_lines(model, given, unit))


def _one_layer(layer: str, model: int, given: int) -> Iterator[str]:
    """The weights of a single layer: what it is in the model, and what the numbers leave possible."""
    if found := node_called(layer):
        of, node = found
        parts = of.below(node)
        names = [part.path[len(node) + 1 :] or part.path for part in parts if part.tied_to is None]
        sides = [side for side, count in (("the file", given), ("the model", model)) if count == len(names)]
        held = f"{len(names)} tensors ({listed(names)})" if len(names) > 1 else "1 tensor"
        yield f"{layer} is {node}, {held}, as {listed(sides) if sides else 'neither'} has."
    if given == 0:
        yield "Nothing was given for it: it is new in the model, or stands under another name in the file."
    elif model == 0:
        yield "The model's layer holds nothing: it is not built yet, or of another class than the file's."
    elif abs(model - given) == 1:
        yield "One more or less is a bias that only one of them has, or a table kept with another layer."
    yield "Weights go to layers in order, so an earlier layer more or less moves every one behind it."


def _names(error: Read) -> _Told:
    """Tensors that stand on one side only."""
    found = map_fragments(error.names)
    groups = _grouped(error.names, found)
    missing = error.kind == MISSING
    where = "that the model has and the file lacks" if missing else "in the file that the model has no place for"
    options = found.architecture.options if found.architecture else ()
    lines = [
        f"{node}: {_count(names)}{_of_option(node, found.architecture)}." for node, names in _blocks_together(groups)
    ]
    if any(node != BESIDE for node in groups) and all(node in (*options, HEAD, BESIDE) for node in groups):
        then = "it starts from random numbers" if missing else "nothing of embeddings and blocks is left unused"
        lines.append(f"Only what stands on top of the blocks is named here: {then}.")
    if missing and any(node not in (*options, HEAD, BESIDE, UNKNOWN) for node in groups):
        lines.append("The backbone itself is incomplete: these tensors start from random numbers.")
    return f"{_tensors(len(error.names))} {where}", lines


def _grouped(names: Sequence[str], found: Ledger) -> dict[str, list[str]]:
    """Names by what they belong to: a node at the top, a block, a task head, no parameter, or nothing known."""
    homes = {item: part.path for part in found.stored for item in part.items}
    homes |= {item.name: item.of if item.what == COPY else BESIDE for item in found.excluded}
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_home(name, homes.get(name, ""), found), []).append(name)
    return groups


def _home(name: str, path: str, found: Ledger) -> str:
    if path == BESIDE:
        return path
    if not path or path.startswith(TASK) or found.architecture is None:
        return HEAD if is_of_head(name) else UNKNOWN
    repetition = found.architecture.repetition(path)
    return ".".join(path.split(".")[: repetition.node.count(".") + 1 if repetition else 1])


def _blocks_together(groups: Mapping[str, list[str]]) -> Iterator[tuple[str, list[str]]]:
    """The groups, all blocks as one where they are many, and first."""
    blocks = [node for node in groups if "[" in node]
    if len(blocks) > 1:
        yield f"{len(blocks)} blocks", [name for node in blocks for name in groups[node]]
    yield from ((node, names) for node, names in groups.items() if len(blocks) < 2 or node not in blocks)


def _count(names: Sequence[str]) -> str:
    shown = listed(names) if len(names) < 4 else f"{names[0]} and {number(len(names) - 1)} others"
    return f"{_tensors(len(names))} ({shown})"


def _tensors(count: int) -> str:
    return "1 tensor" if count == 1 else f"{number(count)} tensors"


def _of_option(node: str, of: Architecture | None) -> str:
    """What a node is that models may have or not, with its formula."""
    if of is None or node not in of.options:
        return ""
    return f", {of.say(node)}: {of.size(node)} parameters"


def _other_prefix(errors: Iterable[Read]) -> str:
    """Say so where the names that are missing are those that are not used, with something else before them."""
    sides = {error.kind: set(error.names) for error in errors}
    missing, unused = sides.get(MISSING, set()), sides.get(UNUSED, set())
    for one, other, where in ((missing, unused, "the model"), (unused, missing, "the file")):
        for prefix in {name.partition(".")[0] + "." for name in sorted(one)[:3] if "." in name}:
            same = {name.removeprefix(prefix) for name in one if name.startswith(prefix)} & other
            if same and 2 * len(same) >= len(other):
                count = number(len(same))
                return f"{count} of these are the same tensors under two names: {where} has {prefix!r} before them."
    return ""


def _objects(error: Read) -> _Told:
    title = f"{number(error.model or 0)} objects could not be loaded"
    return title, ["Keras counts layers here, not weights; of these it shows one as an example."]


def _no_layer(error: Read) -> _Told:
    title, found = f"The model has no layer {error.layer}", node_called(error.layer)
    if found is None:
        return title, [f"{error.layer} is no layer that is known here."]
    of, node = found
    built = of.options.get(node.split(".")[0])
    return title, [f"{error.layer} is {node}{f'; the model was built without it ({built})' if built else ''}."]


_EXPLAIN = {
    LAYERS: _numbers,
    WEIGHTS: _numbers,
    SHAPE: shape_lines,
    MISSING: _names,
    UNUSED: _names,
    OBJECTS: _objects,
    NO_LAYER: _no_layer,
}
