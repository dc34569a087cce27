"""What a source stores beside its parameters: optimizer slots, buffers and flags, by role or by name."""

import re
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
    text, shape = tensor.path.replace("/", ".").removesuffix(":0"), tensor.shape
    # GPT-2 and its relatives keep a causal mask as a `bias` of shape (1, 1, n, n).
    mask = text.endswith(".bias") and len(shape) == 4 and shape[:2] == (1, 1) and shape[2] == shape[3]
    if role := _role(_BLOCK.sub(".0", text)) or ("buffer" if mask else None):
        # Keras' own layers may be called so: what a model trains is a parameter.
        return None if tensor.trainable else role
    return _role(text, tuple(dialect.beside.items())) if dialect and dialect.beside else None


@lru_cache(maxsize=2**12)
def _role(text: str, names: tuple[tuple[str, tuple[str, ...]], ...] = ()) -> str | None:
    """The first role that has a pattern for a name, among those that any library may give or those of a dialect."""
    every = names or ((role, tuple(patterns)) for role, patterns in packaged("beside", "names").items())
    return next((role for role, patterns in every if _expression(patterns).fullmatch(text)), None)


@cache
def _expression(names: tuple[str, ...]) -> re.Pattern[str]:
    """Patterns as one regular expression: `**` is any number of parts, `*` anything within one."""
    texts = (re.escape(name).replace(r"\*\*\.", r"(?:.*\.)?").replace(r"\.\*\*", r"(?:\..*)?") for name in names)
    return re.compile("|".join(text.replace(r"\*", r"[^.]*") for text in texts))
