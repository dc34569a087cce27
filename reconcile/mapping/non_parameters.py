"""What a source stores beside its parameters: optimizer slots, buffers and flags, by role or by name."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from reconcile.datafile import packaged
from reconcile.dialect import Dialect
from reconcile.inventory import PARAMETER, Tensor

BOOLEAN = "bool"
_BLOCK = re.compile(r"\.\d+(?=\.|\Z)")
"""A block's number in a path, which no name of what stands beside has."""


def beside(tensor: Tensor, dialect: Dialect | None = None) -> str | None:
    """The role of a tensor that is no parameter, as its source says or as its name does; None for a parameter."""
    if tensor.role != PARAMETER:
        return tensor.role
    if tensor.dtype == BOOLEAN:
        return "flag"
    text = tensor.path.replace("/", ".").removesuffix(":0")
    if role := _role(_BLOCK.sub(".0", text), _general()) or _mask(text, tensor.shape):
        # Keras' own layers may be called so: what a model trains is a parameter.
        return None if tensor.trainable else role
    return _role(text, tuple(dialect.beside.items())) if dialect else None


def _mask(text: str, shape: tuple[int, ...]) -> str | None:
    """The role of a causal mask, which GPT-2 and its relatives keep as a `bias` of shape (1, 1, n, n)."""
    masks = text.endswith(".bias") and len(shape) == 4 and shape[:2] == (1, 1) and shape[2] == shape[3]
    return "buffer" if masks else None


@lru_cache(maxsize=2**12)
def _role(text: str, names: tuple[tuple[str, tuple[str, ...]], ...]) -> str | None:
    """The first role that has a pattern for a name."""
    return next((role for role, patterns in names if _expression(patterns).fullmatch(text)), None)


@cache
def _general() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((role, tuple(names)) for role, names in packaged("beside", "names").items())


@cache
def _expression(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(_one, names)))


def _one(name: str) -> str:
    """A pattern as a regular expression: `**` is any number of parts, `*` anything within one."""
    text = re.escape(name).replace(r"\*\*\.", r"(?:.*\.)?").replace(r"\.\*\*", r"(?:\..*)?")
    return text.replace(r"\*", r"[^.]*")
