"""Printed objects: Python's and JSON's dicts and lists, trees of JAX and Flax, nested or flat, over as many lines as
they take."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from reconcile.sources.listings.blocks import plausible
from reconcile.sources.listings.entry import Entry, Listing
from reconcile.sources.listings.lines import bare
from reconcile.sources.listings.rounded import bounds_of
from reconcile.sources.listings.shapes import NAME, dtype_of, is_leaf

_TOKEN = re.compile(
    r"\s+|#[^\n]*|(?P<string>'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")|(?P<number>-?\d[\d_]*(?:\.\d*)?(?:[eE][-+]?\d+)?L?)"
    r"|(?P<word>[A-Za-z_][\w.\-/]*)|(?P<mark>[{}\[\](),:=<>.…*]+?)"
)
_OPENS = re.compile(r"\s*(?:\w{1,40} ?[:=] ?)?(?:[\w.]{1,40}\()?[{\[(]")
_HOLDERS = ("parameters", "state_dict", "tensors", "params", "variables", "model")
_NAMES = ("name", "parameter", "path", "tensor", "key", "variable")
_SHAPES = ("shape", "size", "dims", "shapes")
_COUNTS = ("count", "numel", "params", "num_params", "parameters", "num_parameters", "elements")
_FLAGS = ("requires_grad", "trainable")
_DEEPEST, _FAILURES = 60, 20
"""Levels of the deepest object, and objects of many lines that are none after which no further one is looked for."""


@dataclass(slots=True)
class Node:
    """One printed value: what calls it (`OrderedDict`, `Array`), its items, each with its key or None."""

    call: str = ""
    mark: str = ""
    items: list[tuple[object, object]] = field(default_factory=list)
    place: int = 0


def find_literals(lines: list[str]) -> list[Listing]:
    """The objects printed in lines that name at least two shapes or counts."""
    text = "\n".join(lines)
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    found, place, failures = [], 0, 0
    while place < len(lines) and failures < _FAILURES:
        line = lines[place]
        if not line or not _OPENS.match(line[:200]):
            place += 1
            continue
        begin = starts[place] + _skipped(line)
        node, end = _read(text, begin)
        last = bisect_right(starts, max(end - 1, begin)) - 1
        failures += last - place > 2
        if node is None or text[end : starts[last + 1]].strip(" \n,;)"):
            place += 1
            continue
        if listing := _listing(node, place, last + 1, starts):
            found.append(listing)
            place, failures = last + 1, 0
        else:
            place += 1
    return found


def _skipped(line: str) -> int:
    """Where an object begins: behind a prompt, and behind the name it is given."""
    rest = bare(line)
    named = re.match(r"\w{1,40} ?[:=] ?(?=[\w.]{0,40}[({\[])", rest)
    return line.find(rest) + (named.end() if named else 0)


def _listing(node: Node, start: int, end: int, starts: Sequence[int]) -> Listing | None:
    entries = list(_entries(node, "", starts))
    parted = sum(entry.strong for entry in entries)
    listing = Listing(start, end, "a printed object", entries, placed=set(range(start, end)))
    if len(entries) < 2 or 2 * parted < len(entries) or not plausible(listing):
        return None
    return listing


def _read(text: str, place: int) -> tuple[Node | None, int]:
    """The object that begins at a place, and where it ends, or where it turns out to be none."""
    root = Node()
    stack, key, word = [root], None, ""
    while found := _TOKEN.match(text, place):
        place = found.end()
        value: object
        if found["string"]:
            value = found["string"][1:-1]
        elif found["number"]:
            value = _number(found["number"])
        elif found["word"]:
            word = found["word"]
            value = Node(word)
        elif mark := found["mark"]:
            if mark in "({[":
                node = Node(word if mark == "(" or word else "", mark, place=found.start())
                if word and stack[-1].items and _is_word(stack[-1].items[-1][1]):
                    key = stack[-1].items.pop()[0]
                stack[-1].items.append((key, node))
                stack.append(node)
                key, word = None, ""
                if len(stack) > _DEEPEST:
                    return None, place
            elif mark in ")}]":
                stack.pop()
                if len(stack) == 1:
                    return root.items[0][1], place  # type: ignore[return-value]
                key, word = None, ""
            elif mark in ":=" and stack[-1].items:
                key = stack[-1].items.pop()[1]
                key, word = (key.call if isinstance(key, Node) and not key.mark else key), ""
            elif mark == ",":
                key, word = None, ""
            continue
        else:
            continue
        if len(stack) == 1 and not isinstance(value, Node):
            return None, place
        stack[-1].items.append((key, value))
        key = None
        if not isinstance(value, Node):
            word = ""
    return None, place


def _is_word(value: object) -> bool:
    return isinstance(value, Node) and not value.mark


def _number(text: str) -> int | None:
    digits = text.rstrip("L").replace("_", "")
    return int(digits) if digits.isdigit() and len(digits) < 20 else None


def _entries(node: Node, path: str, starts: Sequence[int]) -> Iterator[Entry]:
    """The entries below an object, the paths of nested ones with `/` between."""
    keys = [key for key, value in node.items if isinstance(key, str) and isinstance(value, int)]
    counts = 2 * sum("." in key or "/" in key for key in keys) > len(keys) > 1
    beside = not path and any(isinstance(value, Node) and _holds_arrays(value) for _, value in node.items)
    for key, value in node.items:
        if isinstance(key, int):
            key = str(key)
        if isinstance(key, Node) and key.items and all(isinstance(part, str) for _, part in key.items):
            key = "/".join(str(part) for _, part in key.items)
        if isinstance(key, str):
            inner = f"{path}/{key}" if path else key
            line = bisect_right(starts, node.place) - 1
            if counts and isinstance(value, int):
                yield Entry(inner, None, value, strong="." in inner or "/" in inner, line=line)
            elif beside and isinstance(value, int):  # a parameter of the model itself, beside its modules
                yield Entry(inner, None, value, strong=True, line=line)
            elif entry := _entry(inner, value, line):
                yield entry
            elif isinstance(value, Node) and value.items:
                yield from _entries(value, "" if key in _HOLDERS and not path else inner, starts)
        elif isinstance(value, Node):
            yield from _of_pair(value, path, starts)


def _holds_arrays(node: Node) -> bool:
    """Whether a tree has counts under names that parameters usually have."""
    return any(
        _holds_arrays(value)
        if isinstance(value, Node)
        else isinstance(key, str) and isinstance(value, int) and is_leaf(key)
        for key, value in node.items
    )


def _of_pair(node: Node, path: str, starts: Sequence[int]) -> Iterator[Entry]:
    """The entry of `('name', shape)` or of a row that names itself; otherwise what is below."""
    values = [value for key, value in node.items if key is None]
    line = bisect_right(starts, node.place) - 1
    if len(values) in (2, 3) and isinstance(values[0], str):
        if entry := _entry(values[0], values[1], line):
            yield entry
        elif isinstance(values[1], Node):
            yield from _entries(values[1], f"{path}/{values[0]}" if path else values[0], starts)
        return
    name = _first(node, _NAMES)
    if isinstance(name, str) and (entry := _entry(name, node, line)):
        yield entry
    else:
        yield from _entries(node, path, starts)


def _entry(name: str, value: object, line: int) -> Entry | None:
    """The entry of a name with a shape, a count, or a table of either."""
    if not (NAME.match(name) or not name):
        return None
    shape, count, bounds, dtype, trainable = _shape(value), None, None, "", None
    if isinstance(value, int) and value >= 0:
        count = value
    elif isinstance(value, str):
        bounds = bounds_of(value)
    elif isinstance(value, Node) and shape is None:
        shape = _shape(_first(value, _SHAPES))
        given = _first(value, _COUNTS)
        count = given if isinstance(given, int) and given >= 0 else None
        dtype = dtype_of(str(_plain(_first(value, ("dtype", "type"))))[:40])
        flag = _plain(_first(value, _FLAGS))
        trainable = {"true": True, "false": False}.get(str(flag).lower())
        if shape is None and (inner := _held(value)) is not None:
            return _entry(name, inner, line)
    if (
        shape is None
        and bounds is None
        and (count is None or not ("." in name or "/" in name or not name or is_leaf(name)))
    ):
        return None
    return Entry(name, shape, count, dtype, trainable, "." in name or "/" in name, bounds, line=line)


def _held(value: Node) -> Node | None:
    """What `Param(value=...)` and its like hold."""
    if not value.call:
        return None
    inner = [
        item for key, item in value.items if isinstance(item, Node) and key in (None, "value", "_value", "raw_value")
    ]
    return inner[0] if len(inner) == 1 and inner[0].call else None


def _plain(value: object) -> object:
    return value.call if isinstance(value, Node) and not value.mark else value


def _first(node: object, names: Iterable[str]) -> object:
    if not isinstance(node, Node):
        return None
    held = {key: value for key, value in node.items if isinstance(key, str)}
    return next((held[name] for name in names if name in held), None)


def _shape(value: object) -> tuple[int, ...] | None:
    """The shape that a value is: `(2, 3)`, `torch.Size([2, 3])`."""
    if not isinstance(value, Node) or value.mark not in ("(", "["):
        return None
    if value.call:
        inside = value.items[0][1] if len(value.items) == 1 and value.items[0][0] is None else None
        return _shape(inside) if value.call.rpartition(".")[2] in ("Size", "TensorShape") else None
    axes = [item for _, item in value.items]
    whole = len(axes) <= 8 and all(type(axis) is int and axis >= 0 for axis in axes)
    return tuple(axes) if whole else None  # type: ignore[arg-type]
