"""Names that every PyTorch file asks for: those of tensors, their types plain containers, and PyTorch's own modules.

They are told from the names that deserve a remark. No name is looked up, this one or that.
"""

import re

from reconcile.sources.checkpoints.bounded import told
from reconcile.sources.checkpoints.dtypes import BITS
from reconcile.sources.checkpoints.pickled import DICTS

_NAMES = DICTS | {
    "torch.Size", "torch.device", "torch.Tensor", "torch.Generator", "torch.nn.parameter.Parameter",
    "torch.nn.parameter.Buffer", "torch._tensor._rebuild_from_type_v2", "torch._tensor._rebuild_from_type",
    "torch.tensor._rebuild_from_type", "torch.serialization._get_layout", "_codecs.encode",
}  # fmt: skip
_PATTERN = re.compile(
    r"torch\.(?:\w+\.)*\w+(?:Storage|Tensor)|torch\._utils\._rebuild_\w+|torch\.per_(?:tensor|channel)_\w+"
    r"|__torch__\.[\w.]+|torch\.nn\.(?:modules|parameter|functional)\.\w+(?:\.\w+)*"
    r"|(?:builtins|__builtin__)\.(?:set|frozenset|list|tuple|int|float|bool|str|bytes|bytearray|complex|slice|range)"
)


def plainly(name: str) -> str:
    """A name as a message may repeat it: as it is where it could be one of Python's, else with all signs escaped."""
    return name if re.fullmatch(r"[\w.]{1,200}", name) else told(name)


def is_inert(name: str) -> bool:
    """Whether a name is that of a tensor, a type of one, or a plain value."""
    return name in _NAMES or name.removeprefix("torch.") in BITS or _PATTERN.fullmatch(name) is not None
