"""`dataclass` as the standard library has it; a frozen one is made in a fraction of the time.

A command makes about a hundred of them before it reads anything. The standard library compiles six methods for each of
them, and here only `__init__` is compiled.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool = False, eq: bool = True, **options: bool) -> Callable[[type], type]:
        """The decorator `dataclasses.dataclass`, with any of its arguments but `init`, `order` and `unsafe_hash`."""
        if not (frozen and eq):
            return dataclasses.dataclass(frozen=frozen, eq=eq, **options)
        fields_only = dataclasses.dataclass(init=False, repr=False, eq=False, **options)
        return lambda cls: _with_methods(fields_only(cls))


def _with_methods(cls: type) -> type:
    """The class with the methods that follow from its fields, but for those that it defines itself."""
    fields = dataclasses.fields(cls)
    defined = {name for name, value in vars(cls).items() if value is not None}
    methods = {"__init__": _init(cls, fields)} | _comparison(fields) | _SHARED
    for name in methods.keys() - defined:
        setattr(cls, name, methods[name])
    return cls


def _init(cls: type, fields: tuple[Field[Any], ...]) -> Callable[..., None]:
    """`__init__`: parameters in the order of the fields, then those that are given by name only."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_MISSING": MISSING}
    placed, named, body = ["self"], ["*"], []
    for field in (field for field in fields if field.init):
        name = value = field.name
        default = ""
        if field.default is not MISSING:
            known[f"_{name}"], default = field.default, f"=_{name}"
        elif field.default_factory is not MISSING:
            known[f"_{name}"], default = field.default_factory, "=_MISSING"
            value = f"_{name}() if {name} is _MISSING else {name}"
        (named if field.kw_only else placed).append(name + default)
        body.append(f"_set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join(placed + (named if len(named) > 1 else []))
    exec(f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"]), known)
    init: Callable[..., None] = known["__init__"]
    return init


def _comparison(fields: tuple[Field[Any], ...]) -> dict[str, Callable[..., Any]]:
    """`__eq__` and `__hash__`, by the fields that are compared."""
    names = [field.name for field in fields if field.compare]
    values: Callable[[object], Any] = attrgetter(*names) if names else lambda _: ()

    def equal(self: object, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: object) -> int:
        return hash(values(self))

    return {"__eq__": equal, "__hash__": hashed}


class _Shared:
    """The methods that are the same for all classes; the state is that of copies and pickles."""

    def __repr__(self: Any) -> str:
        shown = (field.name for field in dataclasses.fields(self) if field.repr)
        return f"{self.__class__.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __getstate__(self: Any) -> list[Any]:
        return [getattr(self, field.name) for field in dataclasses.fields(self)]

    def __setstate__(self: Any, state: list[Any]) -> None:
        for field, value in zip(dataclasses.fields(self), state, strict=True):
            object.__setattr__(self, field.name, value)


_SHARED = {name: method for name, method in vars(_Shared).items() if callable(method)}
