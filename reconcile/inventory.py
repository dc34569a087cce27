"""All that one source says is there, in its own names and order. It says nothing about meaning."""

from collections.abc import Iterable, Mapping
from dataclasses import field
from math import prod
from typing import Any

from reconcile.frozen import dataclass

PARAMETER, OPTIMIZER, BUFFER, FLAG = "parameter", "optimizer", "buffer", "flag"
"""What a stored array can be: a parameter of the model, or something beside them that no total counts."""

Bounds = tuple[int, int]
"""The least and the most that a rounded count stands for."""

PARTIAL = frozenset(
    {
        "one-of-several",
        "elided",
        "cut-line",
        "cut-module",
        "not-read",
        "rounded-rows",
        "no-count",
        "less-than-stated",
        "bytes-only",
    }
)
"""What a reader notes of a source that holds a part of its model, or of which it could read a part."""

UNPRINTED, UNCOUNTED = "bare-parameters", "uncounted-parameters"
"""What a reader notes of parameters that a text need not show, or its total not count, though it shows their module."""

MAYBE_SHARED = "maybe-shared"
"""What a reader notes of two arrays that may be one, with what the model has if they are."""

UNSHOWN = frozenset({UNPRINTED, "no-count", "cut-module"})
"""What a reader notes where the sum of what it read is less than the model has."""

KERAS = "Keras summary"
"""The kind of a source that Keras printed."""

CONFIGURATION = "a configuration"
"""How the kind of a source begins that says what is expected, and never what is there nor how it is stored."""

TIES = "tie_word_embeddings"
"""The setting that says whether an output matrix is the token embedding."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """One stored array. Two tensors with one `storage` are the same memory under two names and count once.

    `trainable` is None where the source does not say, as no checkpoint does; `nbytes` are the bytes that it takes in
    its file (None where there is none, or it shares another's); `role` is other than a parameter where the source
    itself says so.
    """

    path: str
    shape: tuple[int, ...]
    dtype: str
    trainable: bool | None
    storage: str
    nbytes: int | None = None
    role: str = PARAMETER

    @property
    def size(self) -> int:
        """The number of values it holds."""
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class Layer:
    """One row of a Keras summary.

    `params` is None where the source cuts the count, does not give one, or rounds it, which has `bounds` then;
    `trainable` is None where it does not say;
    `tensors` is None where the source shows counts only. `depth` is 0 for a layer of the model itself and 1 or more
    inside an expanded nested model, whose rows follow it. Where a text cuts the name or the class at the column's edge,
    `name_cut` or `class_cut` is True and what is visible stands here; an inbound name that is cut ends with `…`.
    `config` holds the layer's settings under Keras' own names (activation, epsilon, rate, ...) where the source knows
    them. A checkpoint's tensors stand in layers too: one for each parent of their paths, without a class.
    """

    name: str
    class_name: str
    output_shape: str
    params: int | None
    inbound: tuple[str, ...] = ()
    trainable: bool | None = None
    tensors: tuple[Tensor, ...] | None = None
    depth: int = 0
    bounds: Bounds | None = None
    name_cut: bool = False
    class_cut: bool = False
    config: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Remark:
    """Something the source noticed about itself that a reader must know, such as a count it had to put together.

    `where` names the layer or line; `shown` is what stands there and `value` what it was taken to mean.
    """

    kind: str
    where: str
    shown: str
    value: int | None = None


QUANTIZED = "quantized"
"""The kind of remark on a total that takes fewer bytes than weights in floating point do."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """A source's layers with the totals that the source itself states (None where it states none).

    `kind` says in words what the source is ("a Keras summary", "safetensors"), `settings` what it says of the whole
    model under Hugging Face's names for them (`num_attention_heads`, `hidden_act`, ...), and `size` how many bytes its
    files have. `tells_ties` says that an array of two names stands there once, or twice with one storage: two arrays
    that it shows are two. `title` is what a summary's own heading calls the model, `heading` what the text above
    it does; `bounds` are those of the whole where
    only rounded counts tell of it.
    """

    source: str
    layers: tuple[Layer, ...]
    total: int | None
    trainable: int | None = None
    non_trainable: int | None = None
    optimizer: int | None = None
    made: str = "-"
    versions: dict[str, str] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()
    kind: str = KERAS
    settings: Mapping[str, Any] = field(default_factory=dict)
    size: int | None = None
    tells_ties: bool = False
    title: str = ""
    bounds: Bounds | None = None
    heading: str = ""

    @property
    def partial(self) -> bool:
        """Whether it is one of several that make up a model, or a text that is cut."""
        return any(remark.kind in PARTIAL for remark in self.remarks)

    @property
    def hides(self) -> bool:
        """Whether the model may have more parameters than the total, which is no more than the sum of what is shown."""
        noticed = {remark.kind for remark in self.remarks}
        return UNCOUNTED in noticed or (self.total is None and bool(noticed & UNSHOWN))

    @property
    def least(self) -> bool:
        """Whether the model has at least as many parameters as the total."""
        return self.hides and not any(remark.kind == MAYBE_SHARED for remark in self.remarks)

    @property
    def sum_is_told(self) -> bool:
        """Whether it is said already why the rows do not come to the total: some are rounded, or the reader noticed."""
        noticed = {"below-more", "less-than-stated", "more-than-stated", "more-than-shared"}
        return any(remark.kind in noticed for remark in self.remarks) or any(layer.bounds for layer in self.layers)

    @property
    def distinct(self) -> bool | None:
        """Whether two arrays of it that could be one are two: by its settings, its form or its objects; else None."""
        if (stated := self.settings.get(TIES)) is not None:
            return stated is False
        return True if self.shows_ties else None

    @property
    def shows_ties(self) -> bool:
        """Whether its form or its objects tell an array of two names from two arrays."""
        return self.tells_ties or any(
            tensor.trainable is not None for layer in self.layers for tensor in layer.tensors or ()
        )

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """Every tensor of every layer that knows its own, in order, one storage only once."""
        return tuple(unique(tensor for layer in self.layers for tensor in layer.tensors or ()))


def parent_layers(tensors: Iterable[Tensor]) -> tuple[Layer, ...]:
    """Tensors as layers: those with one parent (the path up to its last `.` or `/`) together, in order of first sight.

    A tensor without a parent is a layer of its own path.
    """
    groups: dict[str, list[Tensor]] = {}
    for tensor in tensors:
        name = tensor.path.rpartition("/" if "/" in tensor.path else ".")[0] or tensor.path
        groups.setdefault(name, []).append(tensor)
    return tuple(
        Layer(
            name, "", "", sum(tensor.size for tensor in unique(group) if tensor.role == PARAMETER), tensors=tuple(group)
        )
        for name, group in groups.items()
    )


def unique(tensors: Iterable[Tensor]) -> Iterable[Tensor]:
    """Leave out each tensor whose storage came before."""
    seen: set[str] = set()
    for tensor in tensors:
        if tensor.storage not in seen:
            seen.add(tensor.storage)
            yield tensor
