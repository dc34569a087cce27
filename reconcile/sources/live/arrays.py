"""A state dict in memory, names with their arrays -> its inventory; the arrays' values are not looked at."""

from collections.abc import Iterator, Mapping
from typing import Any

from reconcile.inventory import Inventory, Tensor, parent_layers
from reconcile.sources.checkpoints.dtypes import role_of


def is_state_dict(thing: object) -> bool:
    """Whether something is a mapping of names to arrays; shapes and types may be of any library."""
    if not isinstance(thing, Mapping) or not thing:
        return False
    return all(isinstance(name, str) for name in thing) and any(map(_is_array, thing.values()))


def arrays_inventory(arrays: Mapping[str, Any]) -> Inventory:
    """The arrays under their names; those of one memory, as a tied matrix has it, count once.

    Where every array tells where its memory is, two of the tied size in two memories are two.
    """
    tensors = tuple(_tensors(arrays))
    told = all(_points(array) for array in arrays.values() if _is_array(array))
    return Inventory("the state dict", parent_layers(tensors), None, kind="state dict", tells_ties=told)


def _tensors(arrays: Mapping[str, Any]) -> Iterator[Tensor]:
    """Each array with its memory. What a module has to say besides its arrays, such as extra state, is none."""
    storages: dict[object, str] = {}
    for path, array in arrays.items():
        if not _is_array(array):
            continue
        shape = tuple(map(int, array.shape))
        dtype = str(array.dtype).rpartition(".")[2]
        storage = storages.setdefault((_memory(array), shape), path)
        yield Tensor(path, shape, dtype, None, storage, role=role_of(dtype, path))


def _is_array(thing: object) -> bool:
    return hasattr(thing, "shape") and hasattr(thing, "dtype")


def _points(array: Any) -> bool:
    """Whether a tensor of PyTorch says where its memory is; one without values, or a copy as NumPy has it, does not."""
    pointer = getattr(array, "data_ptr", None)
    return callable(pointer) and bool(pointer())


def _memory(array: Any) -> object:
    """What tells an array's memory from another's: where it starts, or the object itself where nothing says so."""
    if callable(pointer := getattr(array, "data_ptr", None)):
        return pointer() or id(array)
    interface = getattr(array, "__array_interface__", None)
    return interface["data"][0] if isinstance(interface, dict) else id(array)
