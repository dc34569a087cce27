"""PyTorch's printed modules, `print(model)`: a tree whose leaves tell their arguments, and with them their tensors."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite, prod
from typing import Any

from reconcile.inventory import BUFFER, PARAMETER, UNPRINTED, Bounds, Layer, Remark, Tensor
from reconcile.sources.listings.entry import Listing
from reconcile.sources.listings.lines import LONGEST, bare
from reconcile.sources.listings.module_tensors import (
    ACTIVATIONS,
    BUFFERS,
    CONTAINERS,
    attention_inputs,
    holds_nothing,
    of_library,
    tensors_of,
    unprinted,
)
from reconcile.sources.listings.rounded import ROUNDED, bounds_of
from reconcile.sources.listings.shapes import dtype_of

_LINE = re.compile(r"\((?P<name>[\w.\-]{1,100})\): (?:(?P<times>\d{1,5}) x )?(?P<class>[\w.]{1,80})\((?P<rest>.*)$")
_ROOT = re.compile(r"(?:\w{1,40} ?= ?)?(?P<class>[A-Za-z_][\w.]{0,80})\((?P<rest>)$")
_UNKNOWN = re.compile(r"\((?P<name>[\w.\-]{1,100})\): \W{0,3}(?P<class>[\w.]{1,80})?")
_PARAMETER = re.compile(
    r"\((?P<name>[\w.\-]{1,100})\): (?:\w{1,40} containing: )?\[?(?:Parameter containing: )?\[?"
    r"(?P<dtype>torch\.[\w.]{1,40}) of size (?P<shape>[\dx]{0,60})"
)
_RANGE = re.compile(r"(\d{1,5})-(\d{1,5})$")
_FIRST = re.compile(r"\s{0,20}\([\w.\-]{1,100}\): ")
# What profilers print into a module: fvcore a line `#params: 9.31K, #flops: 0.15M`, DeepSpeed its figures before the
# arguments, pytorch-model-summary a count behind the bracket.
_PROFILE = re.compile(
    rf"#params: (?P<fvcore>{ROUNDED}|\d+)[^)]{{0,60}}$"
    rf"|(?P<deepspeed>{ROUNDED}|\d+) = [\d.]{{1,10}}% Params, "
    r"(?:[^,]{1,60}, ){1,6}?[\d.]{1,12} ?[KMGTP]?FLOPS(?:, )?"
)
_BEHIND = re.compile(r"\), ?(?P<count>[\d,]{1,20}) params\s*$")
_MOST = 4_000
"""Modules that repeated blocks are written out to; blocks within blocks beyond it stand together."""

_LARGEST = 10**18
"""Copies of a block from which on it is no model's."""


@dataclass(slots=True)
class _Module:
    """One printed module: `arguments` as they stand, `inner` modules, and parameters that are shown by themselves."""

    name: str
    class_name: str
    arguments: str = ""
    times: int = 1
    inner: list["_Module"] = field(default_factory=list)
    parameters: list[tuple[str, tuple[int, ...], str]] = field(default_factory=list)
    stated: Bounds | None = None

    @property
    def short(self) -> str:
        """The class without the packages that it is in."""
        return self.class_name.rpartition(".")[2]

    @property
    def shapes(self) -> dict[str, tuple[int, ...]] | None:
        """The tensors of a module without others, by its class and arguments; None where these do not tell."""
        try:
            return tensors_of(self.short, arguments_of(self.arguments)) if not self.inner else {}
        except (KeyError, TypeError, ValueError, ZeroDivisionError):
            return None

    @property
    def unprinted(self) -> tuple[str, ...]:
        """What the parameters are called that its class is known to hold and its text does not show."""
        told = self.parameters or (not self.inner and self.shapes is not None)
        return () if told else unprinted(self.short, [inner.name for inner in self.inner])


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
    signs = (_LINE, _PARAMETER, _PROFILE)
    if len(following) > LONGEST or not any(sign.match(bare(following)) for sign in signs):
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
        if counted := _BEHIND.search(text):
            text = text[: counted.start() + 1]
        found = _LINE.match(text)
        if profile := _PROFILE.match(text):
            stack[-1].stated = _stated(profile)
        elif shown := _PARAMETER.search(text):
            if text.startswith("(") and found and "Parameter containing" in found["rest"]:
                stack[-1].inner.append(module := _Module(found["name"], found["class"]))
                _take_parameter(module, shown)
            else:
                _take_parameter(stack[-1], shown)
        elif found:
            place = _take_module(found, text, lines, place, stack)
        elif text.startswith(")"):
            for _ in range(len(text) - len(text.lstrip(")"))):
                stack.pop()
                if not stack:
                    return place + 1, False
        elif _is_arguments(text, stack[-1]):
            stack[-1].arguments = text
        elif unknown := _UNKNOWN.match(text):
            stack[-1].inner.append(_Module(unknown["name"], unknown["class"] or "?", arguments=text))
        elif text and not text.startswith("..."):
            return place, True
        place += 1
    return place, True


def _stated(profile: re.Match[str]) -> Bounds | None:
    """The parameters that a profiler gives a module."""
    text = profile["fvcore"] or profile["deepspeed"]
    return (int(text), int(text)) if text.isdigit() else bounds_of(text)


def _is_arguments(text: str, module: _Module) -> bool:
    """Whether a line by itself is the arguments of the module above it, as fvcore writes them."""
    return bool(text) and not (module.inner or module.arguments) and bool(re.match(r"[\w(]+ ?[=,(]|\d|\(", text))


def _take_parameter(module: _Module, shown: re.Match[str]) -> None:
    shape = tuple(int(axis) for axis in shown["shape"].split("x") if axis)
    module.parameters.append((shown["name"], shape, dtype_of(shown["dtype"])))


def _take_module(found: re.Match[str], text: str, lines: list[str], place: int, stack: list[_Module]) -> int:
    """Put a module where it belongs, its arguments over as many lines as they take; the last line that it takes."""
    rest = found["rest"]
    module = _Module(found["name"], found["class"], times=int(found["times"] or 1))
    stack[-1].inner.append(module)
    if profile := _PROFILE.match(rest):
        module.stated, rest = _stated(profile), rest[profile.end() :]
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
    listing = Listing(start, end, "a printed PyTorch module", placed=set(range(start, end)), once=False)
    listing.stated = root.stated
    if cut:
        listing.remarks.append(Remark("cut-module", root.class_name, ""))
    for path, module, copies in _walk(root, _written_out(root)):
        layer, remark = _layer(path, module, copies)
        if layer is not None:
            listing.layers.append(layer)
        if remark is not None:
            listing.remarks.append(remark)
    listing.remarks = list(_together([*listing.remarks, *_bare(root)]))
    return listing


def _written_out(root: _Module) -> int:
    """How many levels of repeats within repeats are written out, so that not too many modules come of it."""
    sums = [0]
    waiting: list[tuple[_Module, tuple[int, ...]]] = [(root, (1,))]
    while waiting:
        module, products = waiting.pop()
        if module.times > 1 and products[-1] < _LARGEST:
            products = (*products, products[-1] * module.times)
        sums += [sums[-1]] * (len(products) - len(sums))
        for level in range(len(sums)):
            sums[level] += products[min(level, len(products) - 1)]
        waiting += [(inner, products) for inner in module.inner]
    return max(level for level, size in enumerate(sums) if size <= _MOST or not level)


def _walk(root: _Module, levels: int) -> Iterator[tuple[str, _Module, tuple[int, ...]]]:
    """Every module with its path, those that are printed once for many (`(0-11): 12 x BertLayer(`) each at its own.

    Of repeats deeper than `levels` the copies stand together, and how many they are is told with the module.
    """
    waiting: list[tuple[str, _Module, tuple[int, ...], int]] = [("", root, (), levels)]
    while waiting:
        path, module, copies, left = waiting.pop()
        yield path, module, copies
        for inner in reversed(module.inner):
            if inner.times > 1 and not left:
                waiting.append((_path(path, inner.name), inner, (*copies, inner.times), 0))
                continue
            for name in reversed(_names(inner)):
                waiting.append((_path(path, name), inner, copies, left - (inner.times > 1)))


def _together(remarks: Iterable[Remark]) -> Iterator[Remark]:
    """The remarks with those on equal modules as one."""
    groups: dict[tuple[str, str], list[Remark]] = {}
    for remark in remarks:
        groups.setdefault((remark.kind, remark.shown), []).append(remark)
    for (kind, shown), alike in groups.items():
        more = f" and {len(alike) - 1:,} more" if len(alike) > 1 else ""
        yield Remark(kind, alike[0].where + more, shown, None)


def _bare(root: _Module) -> Iterator[Remark]:
    """A remark on the classes that may hold parameters by themselves, which `print` shows for none."""
    names: dict[str, None] = {}
    waiting = [(root, False)]
    while waiting:
        module, inside = waiting.pop()
        short = module.short
        known = of_library(short, inside)
        if held := module.unprinted:
            yield Remark("no-count", module.name or short, f"{short}: {', '.join(held)}")
        elif module.inner and short not in CONTAINERS and not known:
            names[short] = None
        waiting += [(inner, known or (inside and short in CONTAINERS)) for inner in reversed(module.inner)]
    if names:
        yield Remark(UNPRINTED, ", ".join(list(names)[:4]) + (" and others" if len(names) > 4 else ""), "`print`")


def _names(module: _Module) -> list[str]:
    found = _RANGE.match(module.name)
    if not found or module.times == 1:
        return [module.name]
    first = int(found[1])
    return [str(number) for number in range(first, first + module.times)]


def _layer(path: str, module: _Module, copies: tuple[int, ...]) -> tuple[Layer | None, Remark | None]:
    """The row of one module, if it holds something or says how it works, and what is to be said of it.

    Of `copies` that stand together a tensor has an axis for each number of them.
    """
    given, short, shapes = arguments_of(module.arguments), module.short, module.shapes
    shown = [Tensor(inner := _path(path, name), shape, dtype, None, inner) for name, shape, dtype in module.parameters]
    try:
        hidden = _hidden(module) if short == "MultiheadAttention" else {}
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        shapes, hidden = None, {}
    if prod(copies) > _LARGEST:
        shapes, hidden = (None if shapes else shapes), {}
    remark = Remark("hidden-parameters", path, ", ".join(hidden)) if hidden else None
    if shapes is None and not module.inner and not shown:
        if module.unprinted:
            return None, None  # said of its class
        return _untold(path, short, module, given)
    held = [*shown, *_tensors(path, {**(shapes or {}), **hidden})]
    held = [replace(tensor, shape=(*copies, *tensor.shape)) for tensor in held] if copies else held
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
    if holds_nothing(short):
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
    if len(text) < 20 and text.lstrip("-").isdigit():
        return int(text)
    try:
        number = float(text)
    except ValueError:
        return text.strip("'\"")
    return number if isfinite(number) else text
