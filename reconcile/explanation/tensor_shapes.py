"""A tensor that has one shape in a model and another in the file: the component that it is, and what differs."""

from collections.abc import Iterator
from math import prod

from reconcile.comparison.vocabulary import padded_to
from reconcile.datafile import packaged
from reconcile.explanation.tensor_numbers import architecture
from reconcile.known_model import known_models
from reconcile.mapping.fragments import is_of_head, map_fragments, only_tensor
from reconcile.mapping.ledger import TASK, Ledger
from reconcile.phrases import listed, more_or_fewer, number, signed
from reconcile.sources.load_errors import LoadError
from reconcile.taxonomy import Architecture, common_path

_LEAST_ROWS = 16
"""Rows of a table that has no name; fewer are as well the labels of a head."""

_NAMELESS = "A tensor"

Shape = tuple[int, ...]
Sizes = dict[str, tuple[int, int]]
"""The sizes of dimensions in the model and in the file."""


def shape_lines(error: LoadError) -> tuple[str, list[str]]:
    """A heading, and what a shape that does not fit is; each side is mapped by itself."""
    name = error.names[0] if error.names else only_tensor(error.layer)
    model, given = error.model_shape or (), error.given_shape or ()
    here, there = map_fragments([name or _NAMELESS], model), map_fragments([name or _NAMELESS], given)
    path = common_path(part.path for part in here.stored if not part.path.startswith(TASK))
    more = prod(model) - prod(given)
    values = f"{_shape(model)} = {number(prod(model))} values, the file {_shape(given)} = {number(prod(given))}"
    lines = [f"{path or name or _NAMELESS}: the model has {values}, {signed(more)} in the model."]
    found = _differing(here, there) if path else {} if name or error.layer else _of_a_table(model, given)
    if not more:
        way = "the other way round (PyTorch and TensorFlow do so)" if model == given[::-1] else "in another shape"
        lines.append(f"Both hold the same number of values: it is one matrix {way}, and no parameter more or less.")
    elif found:
        lines += _told(found, prod(model), more, here.architecture or architecture(), sure=bool(name))
    elif is_of_head(name):
        lines.append("It belongs to a task's head: the number of labels or of units is another.")
    else:
        lines.append("The shapes alone do not tell which dimension differs.")
    return f"{name or error.layer or _NAMELESS}: a shape that does not fit", lines


def _differing(here: Ledger, there: Ledger) -> Sizes:
    """The dimensions that differ between the two shapes of a tensor."""
    names = sorted({name for part in here.stored for name in part.formula.dimensions})
    sizes = {name: (here.dimensions.get(name), there.dimensions.get(name)) for name in names}
    return {name: (one, other) for name, (one, other) in sizes.items() if one and other and one != other}


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


def _told(found: Sizes, values: int, more: int, of: Architecture, sure: bool) -> Iterator[str]:
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
    own = [model for model in known_models() if model.architecture == of.name]
    known = {model.dimensions.get("V"): model.name for model in reversed(own)}
    said = [f"{number(size)} is the vocabulary of {known[size]}" for size in (one, other) if size in known]
    return f"{means} ({listed(said)})" if said else means


def _shape(shape: Shape) -> str:
    return f"({', '.join(map(number, shape))})"
