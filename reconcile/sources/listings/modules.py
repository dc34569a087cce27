"""PyTorch's printed modules, `print(model)`: a tree whose leaves tell their arguments, and with them their tensors."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from reconcile.inventory import BUFFER, PARAMETER, Layer, Remark, Tensor
from reconcile.sources.listings.entry import Listing
from reconcile.sources.listings.lines import LONGEST, bare
from reconcile.sources.listings.module_tensors import (
    ACTIVATIONS,
    BUFFERS,
    HOLD_NOTHING,
    HOLD_NOTHING_ENDS,
    attention_inputs,
    tensors_of,
)
from reconcile.sources.listings.shapes import dtype_of

_LINE = re.compile(r"\((?P<name>[\w.\-]{1,100})\): (?:(?P<times>\d{1,4}) x )?(?P<class>[\w.]{1,80})\((?P<rest>.*)$")
_ROOT = re.compile(r"(?:\w{1,40} ?= ?)?(?P<class>[A-Za-z_][\w.]{0,80})\((?P<rest>)$")
_PARAMETER = re.compile(
    r"\((?P<name>[\w.\-]{1,100})\): (?:\w{1,40} containing: )?\[?(?:Parameter containing: )?\[?"
    r"(?P<dtype>torch\.[\w.]{1,40}) of size (?P<shape>[\dx]{0,60})"
)
_RANGE = re.compile(r"(\d{1,4})-(\d{1,4})$")
_FIRST = re.compile(r"\s{0,20}\([\w.\-]{1,100}\): ")
_MOST = 20_000
"""Modules that repeated blocks may be written out to."""


@dataclass(slots=True)
class _Module:
    """One printed module: `arguments` as they stand, `inner` modules, and parameters that are shown by themselves."""

    name: str
    class_name: str
    arguments: str = ""
    times: int = 1
    inner: list["_Module"] = field(default_factory=list)
    parameters: list[tuple[str, tuple[int, ...], str]] = field(default_factory=list)


def find_modules(lines: list[str]) -> list[Listing]:
    """The modules printed in lines, each a listing."""
    found, place = [], 0
    while place < len(lines):
        root = _opened(lines, place)
        if root is None:
            place += 1
            continue
        end, cut = _read(lines, place + 1, root)
        listing = _listing(root, place, end, cut)
        if listing.layers:
            found.append(listing)
        place = end
    return found


def _opened(lines: list[str], place: int) -> _Module | None:
    """The module that begins at a line, whose first inner one stands in the next."""
    line = lines[place]
    if len(line) > LONGEST or not line.rstrip().endswith("("):
        return None
    following = next((other for other in lines[place + 1 : place + 3] if other.strip()), "")
    if len(following) > LONGEST or not (_LINE.match(bare(following)) or _PARAMETER.match(bare(following))):
        return None
    text = bare(line)
    found = _LINE.match(text)
    if found and not found["rest"]:
        return _Module(found["name"], found["class"], times=int(found["times"] or 1))
    found = _ROOT.match(text)
    return _Module("", found["class"]) if found else None


def _read(lines: list[str], place: int, root: _Module) -> tuple[int, bool]:
    """Read what a module holds, and give the line behind it and whether the text ends within it."""
    stack = [root]
    while place < len(lines):
        text = bare(lines[place]) if len(lines[place]) <= LONGEST else ""
        found = _LINE.match(text)
        if shown := _PARAMETER.search(text):
            if text.startswith("(") and found and "Parameter containing" in found["rest"]:
                stack[-1].inner.append(module := _Module(found["name"], found["class"]))
                _take_parameter(module, shown)
            else:
                _take_parameter(stack[-1], shown)
        elif found:
            place = _take_module(found, lines, place, stack)
        elif text.startswith(")"):
            for _ in range(len(text) - len(text.lstrip(")"))):
                stack.pop()
                if not stack:
                    return place + 1, False
        elif text and not text.startswith("..."):
            return place, True
        place += 1
    return place, True


def _take_parameter(module: _Module, shown: re.Match[str]) -> None:
    shape = tuple(int(axis) for axis in shown["shape"].split("x") if axis)
    module.parameters.append((shown["name"], shape, dtype_of(shown["dtype"])))


def _take_module(found: re.Match[str], lines: list[str], place: int, stack: list[_Module]) -> int:
    """Put a module where it belongs, its arguments over as many lines as they take; the last line that it takes."""
    rest = found["rest"]
    module = _Module(found["name"], found["class"], times=int(found["times"] or 1))
    stack[-1].inner.append(module)
    if not rest.strip():
        stack.append(module)
        return place
    if _FIRST.match(rest):  # `ParameterList(  (0): ...` keeps its first entry on its own line
        return place
    for more in range(4):
        if rest.count("(") < rest.count(")"):
            break
        following = lines[place + 1] if place + 1 < len(lines) else ""
        if more == 3 or not following.strip() or len(following) > LONGEST or _LINE.match(bare(following)):
            break
        rest, place = f"{rest} {bare(following)}", place + 1
    module.arguments = rest.rstrip().removesuffix(")")
    return place


def _listing(root: _Module, start: int, end: int, cut: bool) -> Listing:
    listing = Listing(start, end, "a printed PyTorch module")
    if cut:
        listing.remarks.append(Remark("cut-module", root.class_name, ""))
    for path, module in _walk(root, "", _MOST):
        layer, remark = _layer(path, module)
        if layer is not None:
            listing.layers.append(layer)
        if remark is not None:
            listing.remarks.append(remark)
    return listing


def _walk(module: _Module, path: str, left: int) -> Iterator[tuple[str, _Module]]:
    """Every module with its path, those that are printed once for many (`(0-11): 12 x BertLayer(`) each at its own."""
    waiting = [(path, module)]
    while waiting and left > 0:
        path, module = waiting.pop()
        left -= 1
        yield path, module
        for inner in reversed(module.inner):
            for name in reversed(_names(inner)[:left]):
                waiting.append((f"{path}.{name}" if path else name, inner))


def _names(module: _Module) -> list[str]:
    found = _RANGE.match(module.name)
    if not found or module.times == 1:
        return [module.name]
    first = int(found[1])
    return [str(number) for number in range(first, first + module.times)]


def _layer(path: str, module: _Module) -> tuple[Layer | None, Remark | None]:
    """The row of one module, if it holds something or says how it works, and what is to be said of it."""
    given = arguments_of(module.arguments)
    short = module.class_name.rpartition(".")[2]
    shown = [Tensor(inner := _path(path, name), shape, dtype, None, inner) for name, shape, dtype in module.parameters]
    try:
        shapes = tensors_of(short, given) if not module.inner else {}
        hidden = _hidden(module) if short == "MultiheadAttention" else {}
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        shapes, hidden = None, {}
    remark = Remark("hidden-parameters", path, ", ".join(hidden)) if hidden else None
    if shapes is None and not module.inner and not shown:
        return _untold(path, short, module, given)
    held = [*shown, *_tensors(path, {**(shapes or {}), **hidden})]
    if not held and not (shapes is not None and not module.inner):
        return None, remark
    count = sum(tensor.size for tensor in held if tensor.role == PARAMETER)
    config = {"epsilon": given["eps"]} if given.get("eps") is not None else {}
    return Layer(path or module.class_name, short, "", count, tensors=tuple(held), config=config), remark


def _tensors(path: str, shapes: Mapping[str, tuple[int, ...]]) -> Iterator[Tensor]:
    for name, shape in shapes.items():
        role = BUFFER if name in BUFFERS else PARAMETER
        yield Tensor(_path(path, name), shape, "", None, _path(path, name), role=role)


def _hidden(module: _Module) -> dict[str, tuple[int, ...]]:
    """The tensors of attention that PyTorch does not print; they follow from its output projection."""
    output = next((inner for inner in module.inner if inner.name == "out_proj"), None)
    return attention_inputs(arguments_of(output.arguments)) if output else {}


def _untold(path: str, short: str, module: _Module, given: Mapping[str, Any]) -> tuple[Layer | None, Remark | None]:
    """A module of a class whose tensors are not known: one that has none, or one that cannot be counted."""
    if short in ACTIVATIONS:
        return Layer(path, short, "", 0, tensors=(), config={"activation": ACTIVATIONS[short]}), None
    if short in HOLD_NOTHING or short.endswith(HOLD_NOTHING_ENDS):
        config = {"rate": given["p"]} if "p" in given else {}
        return Layer(path, short, "", 0, tensors=(), config=config), None
    return Layer(path, short, "", None), Remark("no-count", path, f"{short}({module.arguments})"[:80])


def _path(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def arguments_of(text: str) -> dict[str, Any]:
    """Printed arguments by name, or by place from "0" on: numbers, truth values, tuples of numbers; others as text."""
    found: dict[str, Any] = {}
    for place, part in enumerate(_parts(text)):
        name, equals, value = part.partition("=")
        if equals and name.strip().isidentifier():
            found[name.strip()] = _value(value.strip())
        else:
            found[str(place)] = _value(part.strip())
    return found


def _parts(text: str) -> list[str]:
    """What commas outside brackets part."""
    parts, level, begun = [], 0, 0
    for place, char in enumerate(text):
        level += (char in "([{") - (char in ")]}")
        if char == "," and level == 0:
            parts.append(text[begun:place])
            begun = place + 1
    return [part for part in [*parts, text[begun:]] if part.strip()]


def _value(text: str) -> Any:
    if text in ("True", "False", "None"):
        return {"True": True, "False": False}.get(text)
    if text[:1] == "(" and text[-1:] == ")":
        return tuple(_value(part.strip()) for part in text[1:-1].split(",") if part.strip())
    try:
        return int(text) if len(text) < 20 and text.lstrip("-").isdigit() else float(text)
    except ValueError:
        return text.strip("'\"")
