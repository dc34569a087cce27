"""Tensors and layers by themselves, as an error names them -> what each is of the model that it belongs to."""

from collections.abc import Sequence

from reconcile.datafile import packaged
from reconcile.dialect import dialects_with, load_dialect
from reconcile.inventory import Inventory, Tensor, parent_layers
from reconcile.mapping.ledger import Ledger
from reconcile.mapping.tensors import map_parts
from reconcile.taxonomy import Architecture, load_architecture


def map_fragments(names: Sequence[str], shape: tuple[int, ...] = ()) -> Ledger:
    """Tensors of these names, of one shape if it is known, as parts of a model of which nobody has seen the rest."""
    tensors = [Tensor(name, shape, "", None, name) for name in names]
    return map_parts(Inventory("an error", parent_layers(tensors), None))


def node_called(layer: str) -> tuple[Architecture, str] | None:
    """The node that a layer of this name is, where all dialects that know the name say the same; else None."""
    known = [load_dialect(name) for name in dialects_with("layers")]
    found = {node[1]: one.architecture for one in known if (node := one.find(layer))}
    return next(((load_architecture(name), node) for node, name in found.items()), None) if len(found) == 1 else None


def only_tensor(layer: str) -> str:
    """The name of the tensor that a layer of this name holds, where it holds one; else nothing."""
    found = (load_dialect(name).find(layer) for name in dialects_with("layers"))
    tensors = (one[0].tensors for one in found if one)
    return next((f"{layer}/{own[0][0]}" for own in tensors if own and len(own) == 1), "")


def is_of_head(name: str) -> bool:
    """Whether a tensor that no dialect knows is called as those of task heads are."""
    return any(word in name.lower() for word in packaged("usual", "loading")["heads"]["names"])
