"""Tables of PyTorch layers with a count each: torchinfo's tree, and torchsummary's kind, which has no tree."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from reconcile.inventory import UNCOUNTED, Layer, Remark, Tensor
from reconcile.quantity.counts import whole_number
from reconcile.sources.listings.entry import Listing
from reconcile.sources.listings.module_tensors import holds_nothing, of_library
from reconcile.sources.listings.recursion import Branch, counted_once

TORCHINFO, TORCHSUMMARY = "torchinfo's table", "torchsummary's table"
"""What their tables are called; they are laid out so alike that they would pass for summaries of Keras."""

_HEADER = re.compile(r"Layer \(type(?: \(var_name\))?(?P<depth>:depth-idx)?\)")
_COLUMNS = ("Input Shape", "Output Shape", "Param #", "Param %", "Kernel Shape", "Mult-Adds", "Trainable")
_TREE = re.compile(r"[\s\u2502|]*(?:[\u251c\u2514]\u2500|[+]|[|][_-]|\\-)?\s*")
_IN_TREE = re.compile(r"[\s\u2502|]*(?:[\u251c\u2514]\u2500|[+] |[|][_-]|\\-)")
_LABEL = re.compile(r"(?P<class>[\w.]{1,80})(?: \((?P<name>[^\s()]{1,100})\))?(?:: (?P<place>\d+-\d+))?(?=\s|$)")
_HELD = re.compile(
    r"[\u251c\u2514|+\\]\s?[\u2500_-]\s?[\d,]{1,20}(?=\s|$)"
)  # a tensor of a module whose count its row has
_FOREIGN = re.compile(
    r"\s*(?P<name>[\w.-]{1,80}-\w{1,5})\s{1,80}(?P<shapes>\[[^\]]{0,200}\]+(?:\s{1,80}\[[^\]]{0,200}\]+)*)\s{1,80}"
    r"(?P<count>[\d,]{1,20})(?:\s{1,80}(?P<learnt>[\d,]{1,20}))?\s*$"
)
_COUNT = re.compile(r"[\d,]{1,25}$|\([\d,]{1,25}\)$")
"""A count; that of a module of which nothing is trained stands in brackets."""
_CELL = re.compile(r"\[[^\]\n]*\]+(?:, ?\[[^\]\n]*\]+)*|\S+")
_TRAINABLE = {"True": True, "False": False}
RECURSIVE = "(recursive)"
_HELD_BACK = ("--", RECURSIVE, "(unused)")


def find_trees(lines: list[str]) -> list[Listing]:
    """The tables of torchinfo, torchsummary and their like in lines."""
    found = []
    for place, line in enumerate(lines):
        if "Layer (type" in line[:400] and "Param #" in line[:1000] and (header := _HEADER.search(line)):
            listing = _flat(lines, place)
            if listing is None and _is_tree(lines, place):
                listing = _tree(lines, place, header.start())
            if listing:
                found.append(listing)
    return found


def _is_tree(lines: list[str], place: int) -> bool:
    """Whether a header, or the branches of the rows below it, are torchinfo's."""
    header = lines[place]
    if ":depth-idx" in header or "(var_name)" in header:
        return True
    return any(_IN_TREE.match(line) or line.rstrip().endswith("  --") for line in lines[place + 1 : place + 6])


def _tree(lines: list[str], place: int, indent: int) -> Listing | None:
    header = lines[place][indent:]
    starts = {name: start for name in _COLUMNS if (start := header.find(name)) > 0}
    listing = Listing(place, place + 1, TORCHINFO, once=False, placed={place})
    path: list[tuple[int, str]] = []
    branch = Branch()
    for number in range(place + 1, len(lines)):
        line = lines[number][indent:]
        if line.startswith("====") or not line.strip():
            if listing.layers and line.strip():
                break
            continue
        label = _LABEL.match(line, _TREE.match(line).end())  # type: ignore[union-attr]
        cells = _cells(line, label.end(), starts) if label else None
        if cells is None or label is None:
            if not _HELD.search(line) and not _IN_TREE.match(line):
                break
            if _HELD.search(line):
                listing.placed.add(number)
            listing.end = number + 1
            continue
        level = _level(line, label)
        path = [(depth, name) for depth, name in path if depth < level]
        if path and level > path[-1][0] + 1:
            listing.remarks.append(Remark("elided", f"above {label['name'] or label['class']}", "a row of the tree"))
        path.append((level, label["name"] or ""))
        before = len(listing.layers)
        _take(listing, cells, label, ".".join(name for depth, name in path if depth and name))
        own = before if len(listing.layers) > before else None
        branch.enter(level, own, label["class"], cells["Param #"] == RECURSIVE)
        listing.placed.add(number)
        listing.end = number + 1
    listing.layers, remarks, listing.again = counted_once(listing.layers, branch)
    listing.remarks += remarks
    widths = {width for layer in listing.layers if (width := _width(layer.output_shape))}
    listing.layers = [_with_tensors(layer, widths) for layer in listing.layers]
    return listing if listing.layers else None


def _with_tensors(layer: Layer, widths: Iterable[int]) -> Layer:
    """A row that is named by its path with its tensors, where count and shapes leave one possibility."""
    named = layer.name != layer.class_name and ("." in layer.name or layer.name.isidentifier())
    shapes = dict(_shapes(layer, widths)) if named else {}
    if not shapes:
        return layer
    names = ((f"{layer.name}.{part}", shape) for part, shape in shapes.items())
    return replace(layer, tensors=tuple(Tensor(name, shape, "", layer.trainable, name) for name, shape in names))


def _shapes(layer: Layer, widths: Iterable[int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The tensors of the commonest modules. A dense layer's input is as wide as some other row's output."""
    size, count = _width(layer.output_shape), layer.params
    if not size or not count or count % size:
        return
    each = count // size
    if layer.class_name == "Embedding":
        yield "weight", (each, size)
    elif layer.class_name == "LayerNorm" and each <= 2:
        yield from (("weight", (size,)), ("bias", (size,)))[:each]
    elif layer.class_name == "Linear" and ((each - 1 in widths) != (each in widths)):
        yield "weight", (size, each - 1 if each - 1 in widths else each)
        if each - 1 in widths:
            yield "bias", (size,)


def _width(shape: str) -> int | None:
    """The last axis of a printed shape."""
    found = re.search(r"(\d{1,10})\]$", shape)
    return int(found[1]) if found else None


def _level(line: str, label: re.Match[str]) -> int:
    """How deep a row stands in the tree: as its place says, or as far as it is set in."""
    return int(label["place"].split("-")[0]) if label["place"] else (label.start() + 3) // 5


def _cells(line: str, place: int, starts: dict[str, int]) -> dict[str, str] | None:
    """The cells of a row behind its label, which ends at a place; None where the line has no count.

    Cells are told by their order, as narrow columns stand elsewhere than their headings, or else by their columns.
    """
    order = sorted(starts.items(), key=lambda item: item[1])
    chunks = _CELL.findall(line, place)
    if len(chunks) == len(order):
        cells = dict(zip((name for name, _ in order), chunks, strict=True))
    else:
        ends = [start for _, start in order[1:]] + [None]
        cells = {name: line[start:end].strip() for (name, start), end in zip(order, ends, strict=True)}
    return cells if _is_count(cells.get("Param #", "")) else None


def _is_count(text: str) -> bool:
    return text in _HELD_BACK or bool(_COUNT.match(text))


def _take(listing: Listing, cells: dict[str, str], label: re.Match[str], path: str) -> None:
    """Add a row that has a count of its own; modules above such rows have none, so that all rows add up."""
    printed = f"{label['class']}: {label['place']}" if label["place"] else label["class"]
    name = path if label["name"] and path else printed
    if cells["Param #"] == RECURSIVE:
        listing.remarks.append(Remark("repeated-module", name, RECURSIVE))
    count = whole_number(cells["Param #"].strip("()"))
    if count is None:
        return
    frozen = cells["Param #"].startswith("(")
    trainable = False if frozen else _TRAINABLE.get(cells.get("Trainable", ""))
    shape = cells.get("Output Shape", "")
    listing.layers.append(Layer(name, label["class"], "" if shape == "--" else shape, count, trainable=trainable))


def _flat(lines: list[str], place: int) -> Listing | None:
    """torchsummary's table and its like (Paddle's, pytorch-model-summary's): `Linear-1`, shapes, a count."""
    listing = Listing(place, place + 1, TORCHSUMMARY, once=False, placed={place})
    for number in range(place + 1, len(lines)):
        line = lines[number]
        found = _FOREIGN.match(line[:600])
        if found:
            count = whole_number(found["count"])
            kind, shape = found["name"].rpartition("-")[0], found["shapes"].rsplit("  ", 1)[-1].strip()
            trainable = None if not count or found["learnt"] is None else found["learnt"] == found["count"]
            listing.layers.append(Layer(found["name"], kind, shape, count, trainable=trainable))
            listing.placed.add(number)
            listing.end = number + 1
        elif line.strip() and not line.startswith("====") and number > place + 1:
            break
    own = dict.fromkeys(
        layer.class_name for layer in listing.layers if not layer.params and _may_hold(layer.class_name)
    )
    if own:
        listing.remarks.append(Remark(UNCOUNTED, ", ".join(own), TORCHSUMMARY))
    return listing if listing.layers else None


def _may_hold(class_name: str) -> bool:
    """Whether a module without a count may hold parameters: torchsummary counts those called weight and bias alone."""
    return not holds_nothing(class_name) and not of_library(class_name, inside=False)
