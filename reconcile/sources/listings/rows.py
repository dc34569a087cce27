"""One line read as a row of a listing: a name, and a shape or a count or both, in any order."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import prod

from reconcile.quantity.counts import whole_number
from reconcile.sources.listings.entry import Entry
from reconcile.sources.listings.lines import LONGEST, bare
from reconcile.sources.listings.rounded import ROUNDED, bounds_of
from reconcile.sources.listings.shapes import NAME, SHAPE, STRONG, dtype_of, is_leaf, leaf, shape_of, shapes_in

_BLOCK = re.compile(r"(?<=[A-Za-z_]\.)\d+(?=\.[A-Za-z_])")
_VALUES = re.compile(r"\b(?:[Vv]alues? ?[:=]|tensor\(|array\(|numpy ?=|value ?=|Parameter containing|data ?[:=])")
_CLASS = re.compile(r"<class '[\w.]{1,80}'>")
_GROUPED = re.compile(r"(?<![\w.,])\d{1,3}(?:[,_]\d{3}){1,5}(?![\w.])(?!,\d)")
_TOKEN = re.compile(r"[^\s,;|\u2502\u2503'\"`]+")
_PAIR = re.compile(rf"['\"]([^'\"\n]{{1,300}})['\"] {{0,4}}[:,] {{0,4}}({SHAPE})")
_LABELS = {
    "name", "names", "shape", "size", "numel", "param", "params", "parameter", "parameters", "count", "dtype", "type",
    "trainable", "requires_grad", "requires", "grad", "frozen", "layer", "tensor", "variable", "weight", "weights",
    "elements", "num", "number", "of", "n", "p", "total", "dim", "dims", "device", "key", "module", "num_params", "#",
    "shapes", "nelement", "init", "mean", "std", "norm", "sharding", "bytes", "with", "has", "is", "torch.size",
    "dt", "stats", "min", "max", "=>", "->", "-->", "var", "num_elements", "param_count", "numparams", "size:",
    "buffer", "optimizer", "flag", "mb", "kb", "gb", "mib", "kib", "gib", "b", "share", "memory", "device:", "role",
}  # fmt: skip
_ORDINAL = re.compile(
    r"\A(?:\[ {0,6}\d{1,6}\]|#? ?\d{1,6}[:.)](?=\s)|\(\d{1,6}\)(?=\s)|\d{1,6} {0,3}\|)\s*(?=[A-Za-z_'\"(])"
)
_COUNT = re.compile(r"[\[(] ?([\d,]{1,20}) ?[\])]")
_LABELLED = re.compile(r"([A-Za-z_ ]{1,20})[=:](.+)")
_FLAGS = {"true": True, "false": False, "yes": True, "no": False, "trainable": True, "frozen": False}
_MARKED = re.compile(r"\*\w{1,40}\*|\[[A-Z_]{2,20}\]|cuda(?::\d+)?|cpu|gpu|mps|[-+]?\d*\.\d+(?:e[-+]?\d+)?%?|\d+%|nan")
_ASSIGNED = re.compile(r"(?!name|shape|size)[\w.]{1,100}(?: ?:[^=]{1,100})? {0,4}= ", re.IGNORECASE)
_ROUNDED = re.compile(rf"(?<![\w.,]){ROUNDED}(?![\w/])")
_WHOLE = re.compile(r": {1,4}([\d,]{1,20})")
_NAMED = re.compile(r"\A['\"]?[A-Za-z_][\w./\-]{0,200}")
_NUMBERS = re.compile(rf"{ROUNDED}|\d[\d,]*")
_FIGURES = re.compile("param|total|numel|count")
_COUNTED = {"params", "param", "parameters", "numel", "num_params", "count", "elements", "nelement", "weights"}


def read_row(line: str) -> Entry | None:
    """The entry on a line that holds nothing else; None for any other line.

    Rows that differ in the numbers of their blocks only are read once.
    """
    if len(line) > LONGEST or not any(map(str.isalpha, line)):
        return None
    blocks = _BLOCK.findall(line)
    if not blocks:
        return _read(line)
    entry = _read(_BLOCK.sub("0", line))
    if entry is None or len(_BLOCK.findall(entry.name)) != len(blocks):
        return _read.__wrapped__(line)
    return entry.called(_BLOCK.sub(lambda _: blocks.pop(0), entry.name))


@lru_cache(maxsize=2**12)
def _read(line: str) -> Entry | None:
    line = _ORDINAL.sub("", bare(line), count=1)
    values = _VALUES.search(line)
    text = _CLASS.sub(" ", line[: values.start()] if values else line)
    shapes = shapes_in(text)
    if len(shapes) == 2 and (product := _product(shapes[0][0], shapes[1][0])):
        shapes, text = shapes[:1], f"{text[: shapes[1].start()]}{product}{text[shapes[1].end() :]}"
    if len(shapes) > 1:
        return None
    if not shapes:
        return None if values else _counted(text)
    found = shapes[0]
    shape, strong = shape_of(found[0]), bool(STRONG.search(text))
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    parts = _parts(rest)
    if parts is None:
        return None
    name, numbers, dtype, trainable, first = parts
    quoted = f"'{name}'" in text or f'"{name}"' in text
    count = _count_of(numbers, prod(shape), first)
    if not strong and count != prod(shape) and not is_leaf(name) and _ASSIGNED.match(text[: found.start()]):
        return None  # a line of a program
    return Entry(name, shape, count, dtype, trainable, strong or quoted)


def read_pairs(line: str) -> Iterator[Entry]:
    """The entries of a line that holds many: a printed dict or list of names with shapes."""
    for found in _PAIR.finditer(line):
        if NAME.match(found[1]) and found[1].lower() not in _LABELS:
            yield Entry(found[1], shape_of(found[2]), strong=is_parted(found[1]))


def _product(shape: str, other: str) -> int | None:
    """The count that stands in brackets behind a shape, `[2, 3] (6)`."""
    found = _COUNT.fullmatch(other)
    count = whole_number(found[1].replace(",", "")) if found else None
    return count if count == prod(shape_of(shape)) else None


def is_parted(name: str) -> bool:
    """Whether a name has several parts, or is what a part of a model is usually called."""
    return "." in name or "/" in name or is_leaf(name)


def is_counted_label(line: str) -> bool:
    """Whether a line says itself that its figure is a number of parameters."""
    return any(word.strip("():=#").lower() in _COUNTED for word in line.split())


def lone_name(line: str) -> str | None:
    """The name that a line holds and nothing else, if it has parts as a tensor's has."""
    text = bare(line).strip("'\"`,:")
    return text if NAME.match(text) and ("." in text or "/" in text) and is_leaf(text) else None


def lone_shape(line: str) -> tuple[int, ...] | None:
    """The shape that a line holds and nothing else."""
    text = bare(line)
    shapes = shapes_in(text) if len(text) < 100 else []
    if len(shapes) != 1:
        return None
    rest = text.replace(shapes[0][0], " ", 1).strip(" ,;:")
    return shape_of(shapes[0][0]) if not rest or dtype_of(rest) else None


def loose_row(line: str) -> Entry | None:
    """A row of one word and a count, which only rows around it can tell from prose; the whole model's has no word."""
    text = _ORDINAL.sub("", bare(line), count=1)
    if len(text) > 200:
        return None
    if found := _WHOLE.fullmatch(text):
        return Entry("", None, whole_number(found[1]))
    return _counted(text, loose=True)


def pattern_of(line: str) -> str:
    """How a row is laid out: its name as N, its numbers as #, blanks as one."""
    text = _NUMBERS.sub("#", _NAMED.sub("N", _ORDINAL.sub("", bare(line), count=1), count=1))
    return re.sub(r"[\s.]+", " ", text.removeprefix("N"))


def _counted(text: str, loose: bool = False) -> Entry | None:
    """A name and a count on a line without a shape; a name of several parts unless any will do."""
    bounds = None
    if rounded := _ROUNDED.search(text):
        bounds = bounds_of(rounded[0])
        text = f"{text[: rounded.start()]} 1 {text[rounded.end() :]}"
    entry = _whole_count(text, loose)
    return replace(entry, count=None, bounds=bounds) if entry and bounds else entry


def _whole_count(text: str, loose: bool) -> Entry | None:
    parts = _parts(text)
    if parts is None or not parts[1] or parts[4]:
        return None
    name, numbers, dtype, trainable, _ = parts
    numbers = [number for number in numbers if number > 1] or numbers[:1]  # 0 and 1 are flags
    if numbers[0] != numbers[-1] or len(numbers) > 2:
        return None
    if len(numbers) == 2:  # a shape of one axis, and its product
        return Entry(name, (numbers[0],), numbers[0], dtype, trainable, is_leaf(name))
    if not (loose or "." in name or "/" in name) or (_FIGURES.search(leaf(name)) and not is_leaf(name)):
        return None
    return Entry(name, None, numbers[0], dtype, trainable, is_leaf(name) or is_counted_label(text))


def _count_of(numbers: list[int], product: int, first: bool) -> int | None:
    """The number beside a shape that is its count: the product, or else one that is no row number."""
    if product in numbers:
        return product
    left = numbers[1:] if first and numbers[0] < 10_000 else numbers
    left = [number for number in left if number > 1]  # 0 and 1 are flags
    return left[-1] if len(left) == 1 else None


def _parts(text: str) -> tuple[str, list[int], str, bool | None, bool] | None:
    """The name, the numbers, the dtype and the flag of a row; None where words are left over.

    The last of the five says that a number stands before the name.
    """
    names: list[str] = []
    numbers: list[int] = []
    dtype, trainable, first, label = "", None, False, ""
    for token in _tokens(text):
        word = token.lower().strip(":=#()[]{}<>")
        if not any(map(str.isalnum, token)) or _MARKED.fullmatch(token.strip("(){}[]:")):
            continue
        number = whole_number(token.strip("()[]{}:=#."))
        if number is not None:
            numbers.append(number)
            first = first or not names
        elif word in _FLAGS and (word not in _LABELS or names):
            trainable = _FLAGS[word] != (label == "frozen")
        elif found := dtype_of(token.removeprefix("dtype")):
            dtype = found
        elif word in _LABELS:
            label = word
        else:
            names.append(_name(token))
    named = [name for name in names if "." in name or "/" in name] if len(names) == 2 else names
    if len(named) != 1 or (len(names) == 2 and not _is_class(names, named[0])) or not NAME.match(named[0]):
        return None
    return named[0], numbers, dtype, trainable, first


def _tokens(text: str) -> Iterator[str]:
    """What blanks, commas, bars and quotes part; `key=value` as two, the value of a name's label whole."""
    plain = _GROUPED.sub(lambda found: re.sub("[,_]", "", found[0]), text)
    for token in _TOKEN.findall(plain):
        labelled = _LABELLED.fullmatch(token)
        if labelled and labelled[1].strip("([{").lower() in _LABELS:
            yield labelled[1].strip("([{")
            yield labelled[2]
        else:
            yield token


def _name(token: str) -> str:
    token = token.strip("(){}<>=").removesuffix("->").rstrip(":")
    return token.removeprefix("[") if token.count("[") > token.count("]") else token


def _is_class(names: list[str], name: str) -> bool:
    """Whether the other of two words is a class's name (`Parameter`, `Linear`)."""
    other = names[0] if names[1] == name else names[1]
    return other.isidentifier() and other[:1].isupper()
