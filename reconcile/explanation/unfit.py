"""Tensors that did not fit, by name or by shape: which component each is, and which dimension differs."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from reconcile.comparison.vocabulary import known_vocabularies, padded_to
from reconcile.dialect import Dialect, dialect_names, load_dialect
from reconcile.phrases import listed, number, signed
from reconcile.taxonomy import Component, load_architecture, template

_HEADS = re.compile(
    r"classifier|qa_outputs|score|logits|crf|lm_head|output_layer|predictions_dense|head", re.IGNORECASE
)
_BESIDE = re.compile(r"position_ids|adam|momentum|global_step|beta[12]_power|num_batches|iterations|learning_rate")
_MEANS = {
    "V": "the vocabulary was resized, padded or is another model's",
    "P": "the position table was cut to the sequence length, or is longer; each row stands for a place, so the first "
    "rows are the same places in both",
    "T": "the models know another number of segments",
    "H": "the hidden size is another: the file is of a model of another size",
    "F": "the feed-forward size is another: the file is of a model of another size",
    "E": "the embedding size is another: the file is of a model of another size",
}


@dataclass(frozen=True, slots=True)
class Change:
    """A dimension that differs between model and file; `sure` is False where it was read from the shapes alone."""

    dimension: str
    model: int
    given: int
    sure: bool


def dialect_of(names: Sequence[str]) -> Dialect | None:
    """The dialect that knows most of the names; None when none knows any."""
    known = [load_dialect(name) for name in dialect_names()]
    counts = [sum(_found(dialect, name) is not None for name in names[:500]) for dialect in known]
    # BERT's own dialects come first among equals: others know the same names with less.
    best = max(range(len(known)), key=lambda place: (counts[place], known[place].architecture == "bert"))
    return known[best] if counts[best] else None


def component_of(name: str, dialect: Dialect | None) -> str:
    """The path of the component that a name is; `task.…` for a head's, `beside` for what is no parameter, or empty."""
    path = _found(dialect, name) if dialect else None
    if path:
        return path
    if _BESIDE.search(name):
        return "beside"
    return f"task.{name}" if _HEADS.search(name) else ""


def _found(dialect: Dialect, name: str) -> str | None:
    found = dialect.find_tensor(name.split(":")[0])
    return found.components[0] if found else None


def grouped(names: Iterable[str], dialect: Dialect | None) -> dict[str, list[str]]:
    """Names by what they belong to: `mlm`, `pooler`, `encoder.block[3]`, `a task head`, `no parameter`, `unknown`."""
    groups: dict[str, list[str]] = {}
    for name in names:
        path = component_of(name, dialect)
        node = path.split(".")[0]
        if node == "encoder":
            node = ".".join(path.split(".")[:2])
        node = {"task": "a task head", "beside": "no parameter", "": "unknown"}.get(node, node)
        groups.setdefault(node, []).append(name)
    return groups


def changes(name: str, model: tuple[int, ...], given: tuple[int, ...]) -> list[Change]:
    """The dimensions in which two shapes of one tensor differ, by its component or else by the shapes themselves."""
    part = _component(name)
    if part is not None and len(part.shape) == len(model) == len(given):
        axes = [str(axis) for axis in part.shape]
        if name.endswith(".weight") and part.path.endswith(".kernel"):
            axes = axes[::-1]  # PyTorch keeps a dense layer's kernel the other way round
        found = [Change(axis, m, g, True) for axis, m, g in zip(axes, model, given, strict=True) if m != g]
        return list(dict.fromkeys(found))
    return _guessed(model, given)


def _component(name: str) -> Component | None:
    dialect = dialect_of([name]) if name else None
    path = component_of(name, dialect)
    if dialect is None or not path or path.startswith(("task", "beside")):
        return None
    kind = template(path)
    return next((part for part in load_architecture(dialect.architecture).components if part.path == kind), None)


def _guessed(model: tuple[int, ...], given: tuple[int, ...]) -> list[Change]:
    """What the shapes of an unnamed table suggest: its width is H, its number of rows tells which one it may be."""
    if len(model) != 2 or len(given) != 2 or model[1] != given[1]:
        return []
    rows = (model[0], given[0])
    dimension = "V" if max(rows) > 8192 else "P" if min(rows) >= 16 else ""
    return [Change(dimension, *rows, sure=False)] if dimension else []


def shape_lines(name: str, model: tuple[int, ...], given: tuple[int, ...]) -> list[str]:
    """What a shape that does not fit is, in sentences."""
    path = component_of(name, dialect_of([name])) if name else ""
    what = path if path and not path.startswith(("task", "beside")) else name or "A tensor"
    lines = [f"{what}: the model has {_shape(model)} = {number(prod(model))} values, the file {_shape(given)} = "
             f"{number(prod(given))}, {signed(prod(model) - prod(given))} in the model."]  # fmt: skip
    if prod(model) == prod(given):
        way = "the other way round (PyTorch and TensorFlow do so)" if model == given[::-1] else "in another shape"
        return [*lines, f"Both hold the same number of values: it is one matrix {way}, and no parameter more or less."]
    found = changes(name, model, given)
    lines.extend(_sentence(change, model, len(found) == 1 and len(model) == len(given)) for change in found)
    if not found and component_of(name, None).startswith("task"):
        lines.append("It belongs to a task's head: the number of labels or of units is another.")
    elif not found:
        lines.append("The shapes alone do not tell which dimension differs.")
    return lines


def _sentence(change: Change, model: tuple[int, ...], only: bool) -> str:
    """What one dimension does; with what it comes to where it is the `only` one."""
    rest = prod(model) // change.model
    more = change.model - change.given
    count = f" {number(abs(more))} {'more' if more > 0 else 'fewer'} × {number(rest)} = {signed(more * rest)}."
    words = load_architecture("bert").dimensions.get(change.dimension, "a size of a head")
    sure = "" if change.sure else ", as far as the shapes tell, since no name stands beside them"
    sizes = f"is {number(change.model)} in the model and {number(change.given)} in the file"
    text = f"{change.dimension} ({words}) {sizes}{sure}"
    means = _MEANS.get(change.dimension, "")
    if change.dimension == "V":
        means = _vocabulary(change) or means
    return f"{text}: {means or 'the sizes differ'}.{count if only else ''}"


def _vocabulary(change: Change) -> str:
    small, large = sorted((change.model, change.given))
    if multiple := padded_to(small, large):
        return f"{number(large)} is {number(small)} rounded up to a multiple of {multiple}: the table is padded"
    known = [(size, known_vocabularies(size)) for size in (change.model, change.given)]
    said = [f"{number(size)} is the vocabulary of {names[0]}" for size, names in known if names]
    return f"{_MEANS['V']} ({listed(said)})" if said else ""


def _shape(shape: tuple[int, ...]) -> str:
    return "(" + ", ".join(map(number, shape)) + ")"
