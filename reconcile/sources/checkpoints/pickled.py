"""What a pickle says, kept as data: plain values and the records of what unpickling would look up, call or fetch.

Where unpickling would look a name up, a `Global` keeps the name; where it would call something, a `Call` keeps what
with which arguments; where it would ask for something stored elsewhere, a `Stored` keeps the key. Dictionaries are
calls too, with their pairs in order, so that no key but a text or a number is ever hashed or compared.
"""

from collections.abc import Iterable
from typing import Any

from reconcile.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Global:
    """Something that the pickle names and would have imported, such as `torch.FloatStorage`."""

    name: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Stored:
    """What the pickle refers to and does not contain; PyTorch keeps its storages so."""

    key: object


@dataclass(slots=True, eq=False, repr=False)
class Call:
    """Something that the pickle would have made by a call, and what it would have put into it afterwards."""

    what: object
    args: object
    state: object = None
    pairs: list[tuple[object, object]] | tuple[()] = ()
    items: list[object] | tuple[()] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pickle:
    """What a pickle builds, with every name that it would have imported and every key it stores elsewhere."""

    value: Any
    names: tuple[str, ...]
    stored: tuple[Stored, ...]


DICT = Global("builtins.dict")
DICTS = {DICT.name, "collections.OrderedDict", "collections.defaultdict", "torch._C._OrderedDict"}
"""What is a dictionary by the name of its class."""


def called(value: object) -> str:
    """The name of what a call would have called, or of a name itself; empty for anything else."""
    what = value.what if isinstance(value, Call) else value
    if isinstance(what, Stored) and isinstance(what.key, tuple) and len(what.key) > 1:
        what = what.key[1]  # a module's class comes with its source, before 1.6
    return what.name if isinstance(what, Global) else ""


def entries(value: object) -> dict[str, Any]:
    """What stands in a value, by key, attribute or index; of two with one key the later, as in a dictionary."""
    match value:
        case list() | tuple():
            return {str(place): inner for place, inner in enumerate(value)}
        case Call() if called(value) in DICTS:
            return _texts([*_old_pairs(value.args), *value.pairs])
        case Call():
            states = value.state if isinstance(value.state, tuple) else (value.state,)
            pairs = [pair for state in states if called(state) in DICTS for pair in state.pairs]
            return entries(value.args) | entries(value.items) | _texts([*value.pairs, *pairs])
    return {}


def _texts(pairs: Iterable[tuple[object, object]]) -> dict[str, Any]:
    return {
        key.decode("latin-1") if isinstance(key, bytes) else str(key): inner
        for key, inner in pairs
        if isinstance(key, str | bytes | int)
    }


def _old_pairs(args: object) -> list[tuple[object, object]]:
    """The pairs that Python 2 gives an ordered dictionary as its argument."""
    rows = args[-1] if isinstance(args, tuple) and args else None
    if not isinstance(rows, list):
        return []
    return [(row[0], row[1]) for row in rows if isinstance(row, list | tuple) and len(row) == 2]
