"""A snapshot -> inventory: the text that `render/snapshot.py` writes, one line for each component.

    # reconcile snapshot 1: 84,326 parameters, bert
    # V = 100 · P = 32 · T = 2 · H = 64 · A = 4 · F = 128 · L = 2 · S = 32
    encoder.block[1..2].attention.key.bias  H  (64)  2 × 64  trainable

Fields stand apart by two spaces. What a component is called is its path in the inventory.
"""

import re
from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

from reconcile.errors import InputError
from reconcile.frozen import dataclass
from reconcile.inventory import BUFFER, FLAG, OPTIMIZER, PARAMETER, Inventory, Layer, Tensor

KIND = "reconcile's snapshot"
MARK = "# reconcile snapshot "
FORMAT = 1
STATES = {"trainable": True, "frozen": False, "": None}
"""How a line says whether a component is trained; nothing where its source did not."""

MOST_BLOCKS, MOST_COMPONENTS, LONGEST = 10_000, 1_000_000, 10_000
"""Blocks that one line folds, components of a whole snapshot, and characters of a line."""

_HEAD = re.compile(r"# reconcile snapshot (\d+): ([\d,]+) parameters, (.+)")
_COUNT = re.compile(r"(?:(\d+) × )?([\d,]+)")
_SHAPE = re.compile(r"\((?:\d+(?:, \d+)*)?\)")
_RUNS = re.compile(r"\[(\d+(?:\.\.\d+)?(?:, \d+(?:\.\.\d+)?)*)\]")
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})")
_ROLES = {role: role for role in (OPTIMIZER, BUFFER, FLAG)}


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of a file, to name in an error; `fields` as they stand, escapes taken back."""

    source: str
    number: int
    fields: tuple[str, ...]

    def wrong(self, got: object, takes: str) -> InputError:
        return InputError(self.source, f"line {self.number}", got, takes)


def is_snapshot(text: str) -> bool:
    """Whether a text begins as a snapshot does."""
    return text.lstrip("\ufeff \r\n").startswith(MARK)


def read_snapshot(text: str, source: str) -> Inventory:
    """What a snapshot holds. Raises InputError, naming the line, for one that is damaged or was edited by hand."""
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").split("\n")
    if len(lines) > MOST_COMPONENTS:
        raise InputError(source, got=f"{len(lines):,} lines", takes=f"at most {MOST_COMPONENTS:,}")
    start = next((place for place, line in enumerate(lines) if line.strip()), 0)
    total, architecture = _head(source, start + 1, lines[start])
    dimensions: dict[str, int] = {}
    layers: list[Layer] = []
    settings: dict[str, Any] = {}
    added = 0
    seen: dict[str, int] = {}
    for number, line in enumerate(lines[start + 1 :], start + 2):
        if len(line) > LONGEST or len(layers) > MOST_COMPONENTS:
            raise InputError(source, f"line {number}", "more than any model has", "a snapshot as it was written")
        if line.startswith("# "):
            dimensions.update(_dimensions(_Line(source, number, (line,)), line[2:]))
        elif line.strip():
            one = _Line(source, number, tuple(map(_unescaped, line.split("  "))))
            if one.fields[0] == "setting":
                _setting(one, layers, settings)
                continue
            for layer, count in _layers(one):
                if layer.name in seen and "formula" in layer.config:
                    raise one.wrong(f"{layer.name} again, as on line {seen[layer.name]}", "each component once")
                seen[layer.name] = number
                layers.append(layer)
                added += count
    if added != total:
        said = f"{total:,} parameters, while the lines below add up to {added:,}"
        raise InputError(source, f"line {start + 1}", said, "their sum; write the snapshot anew instead of editing it")
    meant = {"architecture": architecture, "dimensions": dimensions}
    return Inventory(source, tuple(layers), total, kind=KIND, settings=meant | settings)


def _head(source: str, number: int, line: str) -> tuple[int, str | None]:
    found = _HEAD.fullmatch(line.strip())
    if found is None:
        raise InputError(source, f"line {number}", repr(line[:80]), f"{MARK}{FORMAT}: N parameters, ARCHITECTURE")
    if int(found[1][:9]) != FORMAT:
        raise InputError(source, f"line {number}", f"format {found[1]}", f"format {FORMAT}, which this version reads")
    return _integer(_Line(source, number, ()), found[2]), None if found[3] == "no BERT" else found[3]


def _dimensions(line: _Line, text: str) -> Mapping[str, int]:
    found = {}
    for part in text.split(" · "):
        name, equals, size = part.partition(" = ")
        if not equals or not re.fullmatch("[A-Z]", name):
            raise line.wrong(repr(part[:80]), "dimensions such as H = 768 · L = 12")
        found[name] = _integer(line, size)
    return found


def _integer(line: _Line, text: str) -> int:
    digits = text.replace(",", "")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 30:
        raise line.wrong(repr(text[:80]), "a count such as 589,824")
    return int(digits)


def _layers(line: _Line) -> Iterator[tuple[Layer, int]]:
    """The components of one line, each with what it adds to the total."""
    if line.fields[0] in ("unmapped", "beside", "residual"):
        yield _beside(line)
        return
    if len(line.fields) not in (4, 5, 6):
        takes = "path, formula, shape, count and what is said of it, two spaces between them"
        raise line.wrong(f"{len(line.fields)} fields", takes)
    path, formula, shape_text, count_text, *said = line.fields
    paths = _unfolded(line, path)
    times, each = _counts(line, count_text)
    shape = _shape(line, shape_text, each)
    tied = next((text.removeprefix("tied to ") for text in said if text.startswith("tied to ")), None)
    states = [text for text in said if not text.startswith("tied to ")]
    dtype = states[0].partition(" ")[2] if states else ""
    state = states[0].partition(" ")[0] if states else ""
    if times != len(paths):
        raise line.wrong(f"{times} × for {len(paths)} paths", "a count for each")
    if len(states) > 1 or state not in STATES:
        raise line.wrong(repr("  ".join(said)), "trainable or frozen, and tied to what")
    config = {"formula": formula} | ({"tied_to": tied} if tied else {})
    for one in paths:
        tensor = Tensor(one, shape, dtype or "float32", STATES[state], tied or one) if shape is not None else None
        tensors = (tensor,) if tensor else None
        yield Layer(one, "", "", each, trainable=STATES[state], tensors=tensors, config=config), 0 if tied else each


def _beside(line: _Line) -> tuple[Layer, int]:
    """What has no component: an item that was not mapped, or one that is no parameter."""
    what, *fields = line.fields
    if len(fields) != {"unmapped": 3, "beside": 3, "residual": 1}[what]:
        raise line.wrong(f"{len(fields) + 1} fields", f"what follows {what}: name, class or kind, and count")
    count = fields[-1]
    negative = count.startswith("−")
    size = _integer(line, count.removeprefix("−")) * (-1 if negative else 1)
    if what == "residual":
        return Layer("residual", "", "", None, config={"residual": size}), size
    name, class_name = fields[:2]
    if what == "beside":
        tensor = Tensor(name, (size,), "", None, name, role=_ROLES.get(class_name, PARAMETER))
        return Layer(f"beside {name}", "", "", 0, tensors=(tensor,), config={"excluded": class_name}), size
    return Layer(name, class_name if class_name != "-" else "", "", size, config={"unmapped": True}), size


def _counts(line: _Line, text: str) -> tuple[int, int]:
    found = _COUNT.fullmatch(text)
    if found is None:
        raise line.wrong(repr(text[:80]), "a count such as 589,824 or 12 × 589,824")
    return int((found[1] or "1")[:9]), _integer(line, found[2])


def _shape(line: _Line, text: str, count: int) -> tuple[int, ...] | None:
    if text == "-":
        return None
    if not _SHAPE.fullmatch(text):
        raise line.wrong(repr(text[:80]), "a shape such as (768, 768), or -")
    shape = tuple(_integer(line, axis) for axis in text[1:-1].split(", ") if axis)
    if prod(shape) != count:
        raise line.wrong(f"shape {text} with {count:,} parameters", f"{prod(shape):,}, what the shape holds")
    return shape


def _unfolded(line: _Line, path: str) -> list[str]:
    """The paths that `encoder.block[1..4, 6].attention` stands for."""
    found = _RUNS.search(path)
    if found is None:
        return [path]
    numbers: list[int] = []
    for run in found[1].split(", "):
        first, _, last = run.partition("..")
        begin, end = _integer(line, first), _integer(line, last or first)
        if not begin <= end < begin + MOST_BLOCKS:
            raise line.wrong(f"blocks {run}", "numbers that run upwards")
        numbers += range(begin, end + 1)
        if len(numbers) > MOST_BLOCKS:
            raise line.wrong("too many blocks", f"at most {MOST_BLOCKS:,}")
    return [f"{path[: found.start()]}[{number}]{path[found.end() :]}" for number in numbers]


def _setting(line: _Line, layers: list[Layer], settings: dict[str, Any]) -> None:
    """A setting of the model (at `model`), of every layer of a class, or of nodes."""
    import json

    if len(line.fields) != 4:
        raise line.wrong(f"{len(line.fields)} fields", "setting, where, name and value, two spaces between them")
    _, where, name, text = line.fields
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise line.wrong(repr(text[:80]), "a value as JSON has it") from None
    if where == "model":
        settings[name] = value
    elif where.startswith("every "):
        class_name = where.removeprefix("every ")
        layers.append(Layer(f"{where} {name} {len(layers)}", class_name, "", 0, config={name: value}))
    else:
        for node in _unfolded(line, where):
            layers.append(Layer(node, "", "", 0, config={"node": node, "settings": {name: value}}))


def _unescaped(field: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), field)
