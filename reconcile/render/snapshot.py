"""A ledger as a snapshot: a text to keep beside a test, that changes only where the model does.

One line for each component, equal blocks folded; no versions, no paths of files, no columns that move.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator

from reconcile.comparison.axes import AXES, settings_of
from reconcile.comparison.folding import block, fold_key, folded
from reconcile.mapping.ledger import Assignment, Ledger
from reconcile.sources.snapshot import FORMAT, MARK

_NUMBERS = re.compile(r"(\d+)")
# What would break a line or a field apart, could pass for a run of blocks, or shows otherwise than it is.
_UNSAFE = re.compile(
    r"[\\\x00-\x1f\x7f-\xa0\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff]|\[(?!\d+\])|^ | $| (?= )|(?<= ) "
)
_STATES = {True: "trainable", False: "frozen", None: ""}


def render(ledger: Ledger) -> str:
    """The snapshot of a ledger; `sources/snapshot.py` reads it back, and the same text comes of that."""
    architecture = ledger.architecture.name if ledger.architecture else "no BERT"
    sizes = " · ".join(f"{name} = {size:,}" for name, size in ledger.dimensions.items() if size is not None)
    lines = [f"{MARK}{FORMAT}: {ledger.total:,} parameters, {architecture}", *([f"# {sizes}"] if sizes else [])]
    lines += [*_components(ledger), *_beside(ledger), *_settings(ledger)]
    return "\n".join(lines) + "\n"


def _components(ledger: Ledger) -> Iterator[str]:
    dtypes = {tensor.path: tensor.dtype for tensor in ledger.inventory.tensors}
    groups: dict[tuple[str, tuple[str, ...], int], list[str]] = {}
    for part in ledger.assignments:
        fields = _fields(part, dtypes.get(part.items[0], "") if part.items else "", ledger)
        path = _escaped(ledger.address(part))
        groups.setdefault((fold_key(path), fields, part.actual), []).append(path)
    for (_, fields, count), paths in sorted(groups.items(), key=lambda item: _order(item[1][0])):
        times = f"{len(paths)} × " if len(paths) > 1 else ""
        formula, shape, *said = fields
        yield "  ".join((folded(paths), *map(_escaped, (formula, shape, f"{times}{count:,}", *said))))


def _fields(part: Assignment, dtype: str, ledger: Ledger) -> tuple[str, ...]:
    """The formula, the shape, and what else is said of a component; its type where it is not the usual one."""
    formula = part.formula_text or "-"
    own = {name: size for name, size in part.sizes.items() if ledger.dimensions.get(name) != size}
    used = ", ".join(f"{name} = {own[name]}" for name in sorted(part.formula.dimensions & own.keys()))
    formula += f" ({used})" if used and f"({used})" not in formula else ""
    shape = "-" if part.shape is None else f"({', '.join(map(str, part.shape))})"
    state = _STATES[part.trainable] + (f" {dtype}" if dtype not in ("", "float32") else "")
    said = [state] if state else []
    return (formula, shape, *said, *([f"tied to {part.tied_to}"] if part.tied_to else []))


def _order(path: str) -> tuple[object, ...]:
    """Reading order of paths: names by letters, blocks of one name together, numbers as numbers."""
    parts = _NUMBERS.split(fold_key(path))
    return tuple((part.isdecimal(), int(part) if part.isdecimal() else part) for part in parts), block(path)


def _beside(ledger: Ledger) -> Iterator[str]:
    for item in sorted(ledger.unmapped, key=lambda item: item.name):
        yield "  ".join(("unmapped", _escaped(item.name), _escaped(item.class_name) or "-", f"{item.params:,}"))
    for other in sorted((item for item in ledger.excluded if item.inside), key=lambda other: (other.what, other.name)):
        yield "  ".join(("beside", _escaped(other.name), other.what, f"{other.count:,}"))
    if ledger.residual:
        yield f"residual  {ledger.residual:,}".replace("-", "−")


def _settings(ledger: Ledger) -> Iterator[str]:
    """How the model computes, as far as its source says: by node, for layers at no node by class, and as a whole."""
    nodes: dict[tuple[str, str, str], list[str]] = {}
    classes: Counter[tuple[str, str, str]] = Counter()
    for placed in ledger.placed:
        for name, value in settings_of(placed.layer.config).items():
            text = json.dumps(_rounded(value), ensure_ascii=False)
            if placed.node:
                node = _escaped(placed.node)
                paths = nodes.setdefault((fold_key(node), name, text), [])
                paths += [node] if node not in paths else []
            else:
                classes[placed.layer.class_name, name, text] += 1
    for (_, name, text), paths in sorted(nodes.items(), key=lambda item: (_order(item[1][0]), item[0])):
        yield "  ".join(("setting", folded(paths), _escaped(name), _escaped(text)))
    for class_name, name, text in sorted(classes):
        yield "  ".join(("setting", *map(_escaped, (f"every {class_name}", name, text))))
    for axis in AXES:
        if (value := ledger.inventory.settings.get(axis.setting)) is not None:
            yield "  ".join(("setting", "model", axis.setting, _escaped(json.dumps(_rounded(value)))))


def _rounded(value: object) -> object:
    """A fraction without the digits that one library's arithmetic has and another's has not."""
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _escaped(field: str) -> str:
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", field)
