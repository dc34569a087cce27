"""Why weights did not load: each error of a text, by the components that mapping finds in its names and shapes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod

from reconcile.comparison.stated import padded_to
from reconcile.datafile import packaged
from reconcile.explanation.tensor_numbers import architecture, number_lines
from reconcile.finding.loading import KIND, LoadError
from reconcile.grouping import grouped
from reconcile.known_model import known_models
from reconcile.mapping.assigning import COPY
from reconcile.mapping.fragments import is_of_head, map_fragments, node_called, only_tensor
from reconcile.mapping.ledger import TASK, Ledger
from reconcile.phrases import listed, more_or_fewer, number, signed
from reconcile.sources.load_errors import LAYERS, MISSING, NO_LAYER, OBJECTS, SHAPE, UNUSED, WEIGHTS, read_load_errors
from reconcile.sources.load_errors import LoadError as Read
from reconcile.taxonomy import Architecture, common_path

HEAD, BESIDE, UNKNOWN = "a task head", "no parameter", "unknown"
"""What names belong to that are at no node."""

_WHOLE = 12
"""Weights from which on a layer is taken for a whole model."""

_LEAST_ROWS = 16
"""Rows of a table that has no name; fewer are as well the labels of a head."""
_NAMELESS = "A tensor"

_Told = tuple[str, list[str]]
"""A heading, and what is to be said."""
Shape = tuple[int, ...]
Sizes = dict[str, tuple[int, int]]
"""The sizes of dimensions in the model and in the file."""


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
    homes = {item: part.path for part in found.stored for item in part.items}
    homes |= {item.name: item.of if item.what == COPY else BESIDE for item in found.excluded}
    groups = grouped(error.names, lambda name: _home(name, homes.get(name, ""), found))
    missing = error.kind == MISSING
    where = "that the model has and the file lacks" if missing else "in the file that the model has no place for"
    of = found.architecture
    options, lines = of.options if of else (), []
    for node, names in _blocks_together(groups):
        option = f", {of.say(node)}: {of.size(node)} parameters" if of and node in options else ""
        lines.append(f"{node}: {_count(names)}{option}.")
    if any(node != BESIDE for node in groups) and all(node in (*options, HEAD, BESIDE) for node in groups):
        then = "it starts from random numbers" if missing else "nothing of embeddings and blocks is left unused"
        lines.append(f"Only what stands on top of the blocks is named here: {then}.")
    if missing and any(node not in (*options, HEAD, BESIDE, UNKNOWN) for node in groups):
        lines.append("The backbone itself is incomplete: these tensors start from random numbers.")
    return f"{_tensors(len(error.names))} {where}", lines


def _home(name: str, path: str, found: Ledger) -> str:
    """What a name belongs to: a node at the top, a block, a task head, no parameter, or nothing known."""
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


def _shapes(error: Read) -> _Told:
    """A heading, and what a shape that does not fit is; each side is mapped by itself."""
    name = error.names[0] if error.names else only_tensor(error.layer)
    model, given = error.model_shape or (), error.given_shape or ()
    here, there = map_fragments([name or _NAMELESS], model), map_fragments([name or _NAMELESS], given)
    path = common_path(part.path for part in here.stored if not part.path.startswith(TASK))
    more = prod(model) - prod(given)
    values = f"{_shape(model)} = {number(prod(model))} values, the file {_shape(given)} = {number(prod(given))}"
    lines = [f"{path or name or _NAMELESS}: the model has {values}, {signed(more)} in the model."]
    found = {} if path or name or error.layer else _of_a_table(model, given)
    for dimension in sorted({name for part in here.stored for name in part.formula.dimensions}) if path else ():
        one, other = here.dimensions.get(dimension), there.dimensions.get(dimension)
        if one and other and one != other:
            found[dimension] = one, other
    if not more:
        way = "the other way round (PyTorch and TensorFlow do so)" if model == given[::-1] else "in another shape"
        lines.append(f"Both hold the same number of values: it is one matrix {way}, and no parameter more or less.")
    elif found:
        lines += _sizes(found, prod(model), more, here.architecture or architecture(), sure=bool(name))
    elif is_of_head(name):
        lines.append("It belongs to a task's head: the number of labels or of units is another.")
    else:
        lines.append("The shapes alone do not tell which dimension differs.")
    return f"{name or error.layer or _NAMELESS}: a shape that does not fit", lines


def _of_a_table(model: Shape, given: Shape) -> Sizes:
    """What the rows of an unnamed table are, where its width stays and either number of them is usual of one thing."""
    if len(model) != 2 or model[1:] != given[1:] or min(model[0], given[0]) < _LEAST_ROWS:
        return {}
    tables = [part.shape for part in architecture().components if len(part.shape) == 2 and str(part.shape[1]) == "H"]
    usual = {
        name: set(architecture().lexicon.usual_sizes(name, {"H": model[1]}))
        for name in map(str, dict.fromkeys(axis for axis, width in tables if axis != width))
    }
    found = {name: (model[0], given[0]) for name, sizes in usual.items() if sizes & {model[0], given[0]}}
    return found if len(found) == 1 else {}


def _sizes(found: Sizes, values: int, more: int, of: Architecture, sure: bool) -> Iterator[str]:
    """What each dimension does, with what it comes to where it is all that differs."""
    unsure = "" if sure else ", as far as the shapes tell, since no name stands beside them"
    for name, (one, other) in found.items():
        rest = values // one
        alone = rest * (one - other) == more
        count = f" {more_or_fewer(one - other)} × {number(rest)} = {signed(more)}." if alone else ""
        sizes = f"is {number(one)} in the model and {number(other)} in the file{unsure}"
        yield f"{name} ({of.dimensions[name]}) {sizes}: {_meaning(name, one, other, of)}.{count}"


def _meaning(dimension: str, one: int, other: int, of: Architecture) -> str:
    """What another size of a dimension means; of the vocabulary, whether it is padded and whose the two are."""
    means = str(packaged("usual", "loading")["means"].get(dimension, "the sizes differ"))
    if dimension != "V":
        return means
    small, large = sorted((one, other))
    if multiple := padded_to(small, large):
        return f"{number(large)} is {number(small)} rounded up to a multiple of {multiple}: the table is padded"
    known = {model.dimensions.get("V"): model.name for model in reversed(known_models(of.name))}
    said = [f"{number(size)} is the vocabulary of {known[size]}" for size in (one, other) if size in known]
    return f"{means} ({listed(said)})" if said else means


def _shape(shape: Shape) -> str:
    return f"({', '.join(map(number, shape))})"


_EXPLAIN = {
    LAYERS: _numbers,
    WEIGHTS: _numbers,
    SHAPE: _shapes,
    MISSING: _names,
    UNUSED: _names,
    OBJECTS: _objects,
    NO_LAYER: _no_layer,
}
