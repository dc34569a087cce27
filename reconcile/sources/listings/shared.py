"""Arrays that may be one: an output matrix that is as large as the token table, in a text that names no storage."""

import re
from collections.abc import Iterator, Sequence

from reconcile.frozen import dataclass
from reconcile.inventory import Layer, Tensor
from reconcile.sources.listings.shapes import is_leaf

_TABLE = re.compile(r"embed|emb(?![a-z])|wte|\btok|shared|vocab", re.IGNORECASE)
_NO_TABLE = re.compile(r"position|segment|token_type|wpe|pos_|type_emb|patch", re.IGNORECASE)
_OUTPUT = re.compile(
    r"head|decoder|out\b|output|cls|predictions|logits|generator|proj_out|embed_tokens|word_emb|wte|shared|vocab|project|lm_|embed_out",
    re.IGNORECASE,
)


_HEAD = re.compile(r"lm_head|generator|logits|embed_out|proj_out|output_projection|decoder\.weight", re.IGNORECASE)
_PLAIN = re.compile(r"Embedding$|Linear|Norm|Conv|LSTM|GRU|RNN|[._](?:weight|bias|kernel)|(?:weight|bias|kernel)$")


@dataclass(frozen=True, slots=True)
class Shared:
    """A token table, and what may be it once more: each with its name and how many parameters they share."""

    table: str
    others: tuple[str, ...]
    size: int
    biases: tuple[str, ...] = ()
    bias: int = 0

    @property
    def ways(self) -> Iterator[tuple[tuple[str, ...], int]]:
        """The sets of names that may be no arrays of their own, the largest first, each with its parameters."""
        for number in range(len(self.others), 0, -1):
            names = self.others[-number:]
            if self.biases:
                yield (*names, *self.biases), number * self.size + self.bias
            yield names, number * self.size

    def holders(self, names: Sequence[str]) -> str:
        """What the arrays of these names may be: the table, and of biases those above their modules."""
        return " and ".join([self.table, *(holder(name) for name in names if name in self.biases)])


def holder(bias: str) -> str:
    """The bias that the one of a decoder is: `x.decoder.bias` is `x.bias`."""
    return f"{bias.rpartition('.')[0].rpartition('.')[0]}.bias"


@dataclass(frozen=True, slots=True)
class _Table:
    """What may be the token table; no shape where the text shows its count alone."""

    name: str
    size: int
    shape: tuple[int, ...] | None


def may_be_shared(layers: Sequence[Layer]) -> Shared | None:
    """The token table and the matrices of its size that may be the same array; None where there is no such pair."""
    tables = sorted(_tables(layers), key=lambda table: -(table.shape[0] if table.shape else table.size))
    for table in tables[:1]:
        others = tuple(dict.fromkeys(_alike(layers, table)))
        if others:
            biases = dict(_biases(layers, others))
            return Shared(table.name, others, table.size, tuple(biases), sum(biases.values()))
    return None


def hides(layers: Sequence[Layer]) -> bool:
    """Whether a row stands for several modules, so that a matrix within may be one with another's."""
    return any(
        layer.tensors is None and layer.params and not _PLAIN.search(layer.class_name or layer.name) for layer in layers
    )


def _tables(layers: Sequence[Layer]) -> Iterator[_Table]:
    """Every table of embeddings that may be that of the tokens; by no name, the matrix that an output has again."""
    found = []
    for layer in layers:
        table = layer.class_name.endswith("Embedding") and not _NO_TABLE.search(layer.class_name)
        if layer.tensors is None and table and layer.params:
            width = _last(layer)
            shape = (layer.params // width, width) if width and layer.params % width == 0 else None
            found.append(_Table(layer.name, layer.params, shape))
        for tensor in layer.tensors or ():
            if len(tensor.shape) == 2 and _is_table(layer, tensor) and tensor.shape[0] > tensor.shape[1]:
                found.append(_Table(tensor.path, tensor.size, tensor.shape))
    yield from found or _unnamed(layers)


def _unnamed(layers: Sequence[Layer]) -> Iterator[_Table]:
    """The first matrix of the shape that an output's has."""
    tensors = [tensor for layer in layers for tensor in layer.tensors or () if len(tensor.shape) == 2]
    outputs = {tensor.shape for tensor in tensors if _HEAD.search(tensor.path)}
    first = next((tensor for tensor in tensors if tensor.shape in outputs), None)
    if first is not None and not _HEAD.search(first.path) and first.shape[0] > first.shape[1]:
        yield _Table(first.path, first.size, first.shape)


def _is_table(layer: Layer, tensor: Tensor) -> bool:
    if layer.class_name:
        return layer.class_name.endswith("Embedding") and not _NO_TABLE.search(tensor.path)
    return bool(_TABLE.search(tensor.path)) and not _NO_TABLE.search(tensor.path)


def _alike(layers: Sequence[Layer], table: _Table) -> Iterator[str]:
    """The other matrices of the table's shape, either way round; rows of dense layers with as many parameters."""
    for layer in layers:
        if layer.tensors is None and layer.name != table.name and layer.params and _fits(layer, table):
            yield layer.name
        for tensor in layer.tensors or ():
            same = table.shape is not None and tensor.shape in (table.shape, table.shape[::-1])
            if same and tensor.path != table.name and is_leaf(tensor.path) and _OUTPUT.search(tensor.path):
                yield tensor.path


def _biases(layers: Sequence[Layer], others: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The biases of output matrices that stand there once more beside the module: Hugging Face ties these too."""
    tensors = {tensor.path: tensor for layer in layers for tensor in layer.tensors or ()}
    for name in others:
        module = name.rpartition(".")[0]
        own = tensors.get(bias := f"{module}.bias")
        above = tensors.get(holder(bias))
        if own is not None and above is not None and own.shape == above.shape:
            yield own.path, own.size


def _fits(layer: Layer, table: _Table) -> bool:
    """Whether a dense layer's count is the table's, with or without a bias of as many values as the table has rows."""
    if layer.class_name != "Linear":  # the same table at another place
        return (
            layer.class_name.endswith("Embedding") and layer.params == table.size and not _NO_TABLE.search(layer.name)
        )
    bias, outputs = (layer.params or 0) - table.size, _last(layer)
    if outputs is not None and table.shape is not None and outputs != table.shape[0]:
        return False
    if bias == 0 or (table.shape is not None and bias == table.shape[0]):
        return True
    return table.shape is None and bias > 0 and table.size % bias == 0 and bias * bias > table.size


def _last(layer: Layer) -> int | None:
    found = re.search(r"(\d{1,10})[\])]*$", layer.output_shape)
    return int(found[1]) if found else None
