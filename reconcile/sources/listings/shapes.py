"""Shapes, dtypes and names as text shows them."""

import re

# Blanks are counted, so that no line makes a search go back and forth. `30 522` is how a web page groups digits.
_AXIS = r"\d{1,3}(?: \d{3}){1,3}|\d{1,10}L?"
_AXES = rf" {{0,4}}(?:{_AXIS})(?: {{0,4}}, {{0,4}}(?:{_AXIS})){{0,7}} {{0,4}},? {{0,4}}"
_TORCH = rf"\b(?:torch\.|tf\.)?(?:Size|TensorShape)\( {{0,4}}(?:[\[(](?:{_AXES})?[\])])? {{0,4}}\)"
_BRACKETS = rf"(?<![\w\])])(?:\((?:{_AXES})?\)|\[(?:{_AXES})?\])"
_TIMES = r"(?<![\w.×])(?<!\+ )\d{1,10}(?: ?[x×*] ?\d{1,10}){1,7}(?![\w.])(?! ?\+ ?\d)"  # and no `768 x 768 + 768`

SHAPE = rf"(?:{_TORCH}|{_BRACKETS}|{_TIMES})"
"""A shape: `torch.Size([2, 3])`, `(2, 3)`, `[2,3]`, `()`, `2x3`."""

STRONG = re.compile(r"Size\(|TensorShape|shape ?[=:]|DT_[A-Z]")
"""What stands beside a shape in a listing only."""

NAME = re.compile(r"[A-Za-z_][\w./:\-\[\]~+@$]{0,299}\Z|\d+\.[\w./:\-]{1,299}\Z")
"""A tensor's or a module's name (`0.weight` is one of an `nn.Sequential`)."""

_SEARCHED = re.compile(SHAPE)
_NUMBER = re.compile(r"\d[\d ]*")

_DTYPES = {
    "f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "i64": "int64", "i32": "int32",
    "i16": "int16", "i8": "int8", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "bool": "bool",
    "float": "float32", "half": "float16", "double": "float64", "long": "int64", "int": "int32",
    "f8_e4m3": "float8_e4m3fn", "f8_e5m2": "float8_e5m2",
}  # fmt: skip
_DTYPE = re.compile(r"(?:bfloat16|float(?:16|32|64)|float8_\w{4,8}|u?int(?:8|16|32|64)|bool|complex(?:64|128))\Z")


def shapes_in(text: str) -> list[re.Match[str]]:
    """Every shape that a line shows."""
    return list(_SEARCHED.finditer(text))


def shape_of(text: str) -> tuple[int, ...]:
    """The sizes in a shape's text; none for a scalar's."""
    return tuple(int(axis.replace(" ", "")) for axis in _NUMBER.findall(text))


def dtype_of(text: str) -> str:
    """numpy's name of a dtype, however it is shown (`torch.float32`, `DT_FLOAT`, `F32`); empty for anything else."""
    word = text.strip("()[]<>'\", ").lower().removeprefix("torch.").removeprefix("tf.").removeprefix("dt_")
    word = word.removesuffix("_ref").removesuffix("tensor").removeprefix("cuda.")
    if _DTYPE.match(word):
        return word
    return _DTYPES.get(word, "") if word else ""


def leaf(name: str) -> str:
    """The last part of a name, without `:0`."""
    return re.split(r"[./]", name.split(":")[0])[-1]


_LEAF = re.compile(
    r"(?:^|_)(?:weights?|bias(?:es)?|kernel|gamma|beta|embeddings?|scale|alpha|table|moving_mean|moving_variance)"
    r"(?:_[ih][hr]_l\d{1,3}(?:_reverse)?|_?\d{1,3})?\Z|^[Wb][a-z0-9]{0,2}\Z"
)


def is_leaf(name: str) -> bool:
    """Whether the last part of a name is what a parameter is usually called: `weight`, `in_proj_bias`, `kernel`."""
    return bool(_LEAF.search(leaf(name)))
