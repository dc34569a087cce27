"""What a PyTorch file was saved from, found in a pickle that was read as data: state dicts, whole modules, training
checkpoints with their optimizer."""

import re
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from reconcile.errors import InputError
from reconcile.frozen import dataclass
from reconcile.inventory import BUFFER, FLAG, OPTIMIZER, PARAMETER, Remark
from reconcile.sources.checkpoints.bounded import told
from reconcile.sources.checkpoints.dtypes import role_of
from reconcile.sources.checkpoints.pickled import DICTS, Call, called, entries
from reconcile.sources.checkpoints.rebuilt import Rebuilt, is_tensor, rebuilt

MOST_VALUES = 250_000
"""Values that are looked at. One that stands in several places is looked at in each: tied tensors have many names."""

DEEPEST = 100
"""How deep values may be nested; modules are seldom more than ten deep."""

LONGEST_NAME = 4096
"""Characters of the longest name, its parents' included."""

# Where training scripts and libraries keep the state dict in a checkpoint, the plainest first.
_WRAPPERS = ("state_dict", "model_state_dict", "model_state", "model", "module", "net", "network", "weights", "params")
_MOST_WRAPPED = 3
_LONGEST_PART = 100
_OPTIMIZER = re.compile(r"(.*_)?(optim|optimizers?|opt|ema)(_.*)?")
_OPTIMIZER_KEYS = {"state", "param_groups"}
# Random generators, Lightning's own state, settings and what was measured; a tensor in them is no parameter.
_ASIDE = re.compile(
    r"(.*_)?(rng|random)_states?(_.*)?|callbacks?(_.*)?|loops|(lr_)?schedulers?(_.*)?|.*scaler(_.*)?"
    r"|hyper_parameters|hparams|(hyper)?params_dict|args|arguments|config|metrics?|losses|history|stats"
)
_PACKED, _PAIR = "._packed_params._packed_params.", {"0": "weight", "1": "bias"}
_MODULE_KEYS = {"_parameters", "_modules"}


@dataclass(frozen=True, slots=True)
class NamedTensor:
    """A tensor with its dotted name, and its role where the file says so."""

    path: str
    tensor: Rebuilt
    role: str


class _Place(NamedTuple):
    """Where a value stands, and what that says of the tensors in it."""

    path: str = ""
    role: str = PARAMETER
    depth: int = 0

    def under(self, name: str, role: str | None = None) -> "_Place":
        return _Place(f"{self.path}.{name}" if self.path else name, role or self.role, self.depth + 1)


class Finder:
    """Finds the tensors in a value: `found` in order, while `remarks` tells what could not be counted."""

    def __init__(self, file: Path):
        self.file = file
        self.found: list[NamedTensor] = []
        self.remarks: list[Remark] = []
        self._seen = 0
        self._above: set[int] = set()
        self._barren: set[int] = set()

    def find(self, value: object, wrapped: int = 0) -> None:
        """Find all tensors; a training checkpoint's state dict is named from within, what is beside it from without.

        Raises InputError for a tensor that contradicts its storage, and for values nested without an end.
        """
        inside = entries(value) if called(value) in DICTS else {}
        main = next((name for name in _WRAPPERS if _is_container(inside.get(name))), None)
        if main is None or wrapped == _MOST_WRAPPED or inside.keys() >= _OPTIMIZER_KEYS:
            self._in(value, _Place())
            return
        for name, inner in inside.items():
            if name == main:
                self.find(inner, wrapped + 1)
            else:
                self._in(inner, _Place().under(name, _role_in(name) if _is_container(inner) else FLAG))

    def _in(self, value: object, place: _Place) -> None:
        """The tensors in a value; one that has none is looked at only once, and one within itself is not followed."""
        number = id(value)
        if not isinstance(value, Call | list | tuple) or number in self._barren or number in self._above:
            return
        self._check(place)
        self._above.add(number)
        before = len(self.found)
        self._inside(value, place)
        self._above.discard(number)
        if len(self.found) == before:
            self._barren.add(number)

    def _check(self, place: _Place) -> None:
        self._seen += 1
        if self._seen > MOST_VALUES:
            raise InputError(self.file, told(place.path[:200]), f"more than {MOST_VALUES:,} values", "a state dict")
        if place.depth > DEEPEST or len(place.path) > LONGEST_NAME:
            got = f"values more than {DEEPEST} deep" if place.depth > DEEPEST else f"{len(place.path):,} characters"
            raise InputError(self.file, told(place.path[:200]), got, "a state dict")

    def _inside(self, value: object, place: _Place) -> None:
        if isinstance(value, Call) and is_tensor(value):
            self._one(value, place)
            return
        inside = entries(value)
        if isinstance(value, Call) and called(value) not in DICTS and inside.keys() >= _MODULE_KEYS:
            self._in_module(inside, place)
            return
        if place.role == PARAMETER and inside.keys() >= _OPTIMIZER_KEYS:
            place = place._replace(role=OPTIMIZER)
        for name, inner in inside.items():
            role = _role_in(name) if place.role == PARAMETER and _is_container(inner) else None
            self._in(inner, place.under(name, role))

    def _one(self, call: Call, place: _Place) -> None:
        tensor = rebuilt(call, self.file, told(place.path))
        if tensor is None:
            self.remarks.append(
                Remark("other-layout", place.path, f"a tensor that is not dense ({called(call)}), not counted")
            )
        else:
            self.found.append(NamedTensor(place.path or "tensor", tensor, _role(place, tensor)))

    def _in_module(self, module: dict[str, object], place: _Place) -> None:
        """A whole module's parameters, buffers and inner modules, named as its state dict would name them."""
        for part, role in (("_parameters", None), ("_buffers", BUFFER), ("_modules", None)):
            for name, inner in entries(module.get(part)).items():
                self._in(inner, place.under(name, role))


def unpacked(found: list[NamedTensor]) -> list[NamedTensor]:
    """The tensors with those of quantised layers, which keep weight and bias in one pair, under their layers' names.

    How such a layer scales its output is no parameter.
    """
    layers = {one.path.partition(_PACKED)[0] for one in found if _PACKED in one.path}
    result = []
    for one in found:
        layer, packed, place = one.path.partition(_PACKED)
        above, _, last = one.path.rpartition(".")
        if packed and place in _PAIR:
            one = replace(one, path=f"{layer}.{_PAIR[place]}")
        elif above in layers and last in ("scale", "zero_point"):
            one = replace(one, role=BUFFER)
        result.append(one)
    return result


def _is_container(value: object) -> bool:
    return isinstance(value, list) or (isinstance(value, Call) and not is_tensor(value))


def _role_in(name: str) -> str:
    """The role of the tensors in a part of a checkpoint, by the part's name; a long one is no such part's."""
    if len(name) > _LONGEST_PART:
        return PARAMETER
    if _OPTIMIZER.fullmatch(name):
        return OPTIMIZER
    return FLAG if _ASIDE.fullmatch(name) else PARAMETER


def _role(place: _Place, tensor: Rebuilt) -> str:
    if tensor.is_buffer and place.role == PARAMETER:
        return BUFFER
    return role_of(tensor.dtype, place.path) if place.role == PARAMETER else place.role
