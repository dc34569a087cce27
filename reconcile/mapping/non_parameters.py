"""What a source stores beside its parameters: optimizer slots, buffers and flags, by role or by name."""

import re
from collections.abc import Iterable, Mapping
from functools import cache

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
    if (role := _role(_BLOCK.sub(".0", text)) or _mask(text, tensor.shape)) is not None:
        # Keras' own layers may be called so: what a model trains is a parameter.
        return None if tensor.trainable else role
    if dialect is None or not dialect.beside:
        return None
    return next((role for role, names in dialect.beside.items() if _expression(names).fullmatch(text)), None)


def _mask(text: str, shape: tuple[int, ...]) -> str | None:
    """The role of a causal mask, which GPT-2 and its relatives keep as a `bias` of shape (1, 1, n, n)."""
    masks = text.endswith(".bias") and len(shape) == 4 and shape[:2] == (1, 1) and shape[2] == shape[3]
    return "buffer" if masks else None


@cache
def _role(text: str) -> str | None:
    return next((role for role, expression in _general().items() if expression.fullmatch(text)), None)


@cache
def _general() -> Mapping[str, re.Pattern[str]]:
    return {role: _expression(tuple(names)) for role, names in packaged("beside", "names").items()}


@cache
def _expression(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(_one, names)))


def _one(name: str) -> str:
    """A pattern as a regular expression: `**` is any number of parts, `*` anything within one."""
    text = re.escape(name).replace(r"\*\*\.", r"(?:.*\.)?").replace(r"\.\*\*", r"(?:\..*)?")
    return text.replace(r"\*", r"[^.]*")
