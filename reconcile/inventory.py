"""All that one source says is there, in its own names and order. It says nothing about meaning."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import prod


@dataclass(frozen=True, slots=True)
class Tensor:
    """One stored array. Two tensors with one `storage` are the same memory under two names and count once."""

    path: str
    shape: tuple[int, ...]
    dtype: str
    trainable: bool
    storage: str

    @property
    def size(self) -> int:
        """The number of values it holds."""
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class Layer:
    """One row of a Keras summary.

    `params` is None where the source cuts the count or does not give one; `trainable` is None where it does not say;
    `tensors` is None where the source shows counts only. `depth` is 0 for a layer of the model itself and 1 or more
    inside an expanded nested model, whose rows follow it. Where a text cuts the name or the class at the column's edge,
    `name_cut` or `class_cut` is True and what is visible stands here; an inbound name that is cut ends with `…`.
    """

    name: str
    class_name: str
    output_shape: str
    params: int | None
    inbound: tuple[str, ...] = ()
    trainable: bool | None = None
    tensors: tuple[Tensor, ...] | None = None
    depth: int = 0
    name_cut: bool = False
    class_cut: bool = False


@dataclass(frozen=True, slots=True)
class Remark:
    """Something the source noticed about itself that a reader must know, such as a count it had to put together.

    `where` names the layer or line; `shown` is what stands there and `value` what it was taken to mean.
    """

    kind: str
    where: str
    shown: str
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Inventory:
    """A source's layers with the totals that the source itself states (None where it states none)."""

    source: str
    layers: tuple[Layer, ...]
    total: int | None
    trainable: int | None = None
    non_trainable: int | None = None
    optimizer: int | None = None
    made: str = "-"
    versions: dict[str, str] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """Every tensor of every layer that knows its own, in order, one storage only once."""
        return tuple(unique(tensor for layer in self.layers for tensor in layer.tensors or ()))


def unique(tensors: Iterable[Tensor]) -> Iterable[Tensor]:
    """Leave out each tensor whose storage came before."""
    seen: set[str] = set()
    for tensor in tensors:
        if tensor.storage not in seen:
            seen.add(tensor.storage)
            yield tensor
