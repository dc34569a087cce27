"""Arrays that may be one: an output matrix that is as large as the token table, in a text that names no storage."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reconcile.inventory import Layer, Tensor

_TABLE = re.compile(r"embed|wte|\btok|shared|vocab", re.IGNORECASE)
_NO_TABLE = re.compile(r"position|segment|token_type|wpe|pos_|type_emb|patch", re.IGNORECASE)
_OUTPUT = re.compile(
    r"head|decoder|output|cls|predictions|logits|generator|proj_out|embed_tokens|word_emb|wte|shared|vocab|project|lm_|embed_out",
    re.IGNORECASE,
)


_PLAIN = re.compile(r"Embedding|Linear|Norm|Conv|LSTM|GRU|RNN|^$")


@dataclass(frozen=True, slots=True)
class Shared:
    """A token table, and what may be it once more: each with its name and how many parameters they share."""

    table: str
    others: tuple[str, ...]
    size: int


def may_be_shared(layers: Sequence[Layer]) -> Shared | None:
    """The token table and the matrices of its size that may be the same array; None where there is no such pair."""
    tables = sorted(_tables(layers), key=lambda found: -found[1][0])
    for name, (rows, width) in tables[:1]:
        others = tuple(dict.fromkeys(_alike(layers, name, rows, width)))
        if others:
            return Shared(name, others, rows * width)
    return None


def hides(layers: Sequence[Layer]) -> bool:
    """Whether a row stands for several modules, so that a matrix within may be one with another's."""
    return any(layer.tensors is None and layer.params and not _PLAIN.search(layer.class_name) for layer in layers)


def _tables(layers: Sequence[Layer]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Every table of embeddings that may be that of the tokens, by its rows and its width."""
    for layer in layers:
        if layer.tensors is None:
            width = _last(layer)
            if layer.class_name == "Embedding" and layer.params:
                sizes = {layer.params // width} if width and layer.params % width == 0 else _rows(layers, layer.params)
                yield from ((layer.name, (rows, layer.params // rows)) for rows in sizes)
        for tensor in layer.tensors or ():
            if len(tensor.shape) == 2 and _is_table(layer, tensor) and tensor.shape[0] > tensor.shape[1]:
                yield tensor.path, (tensor.shape[0], tensor.shape[1])


def _is_table(layer: Layer, tensor: Tensor) -> bool:
    if layer.class_name:
        return layer.class_name.endswith("Embedding") and not _NO_TABLE.search(tensor.path)
    return bool(_TABLE.search(tensor.path)) and not _NO_TABLE.search(tensor.path)


def _alike(layers: Sequence[Layer], table: str, rows: int, width: int) -> Iterator[str]:
    """The other matrices of so many rows and such a width, either way round."""
    for layer in layers:
        if layer.tensors is None and layer.class_name == "Linear" and _last(layer) in (rows, None):
            if layer.params in (rows * width, rows * width + rows):
                yield layer.name
        for tensor in layer.tensors or ():
            if tensor.path != table and tensor.shape in ((rows, width), (width, rows)) and _OUTPUT.search(tensor.path):
                yield tensor.path


def _rows(layers: Sequence[Layer], size: int) -> set[int]:
    """How many rows a table of this size may have where no shape is shown: a dense layer has as many more, its bias."""
    dense = (layer.params - size for layer in layers if layer.class_name == "Linear" and (layer.params or 0) > size)
    return {rows for rows in dense if size % rows == 0 and rows * rows > size}


def _last(layer: Layer) -> int | None:
    found = re.search(r"(\d{1,10})[\])]*$", layer.output_shape)
    return int(found[1]) if found else None
