"""The ledger as the rows of a table that add up to its total."""

import re
from collections.abc import Iterator, Sequence

from reconcile.comparison.folding import folded
from reconcile.formula import Formula, dimension
from reconcile.mapping.ledger import TASK, Assignment, Excluded, Ledger, Unmapped, alike, with_sizes
from reconcile.mapping.standing import AGREES, CONTRADICTS, FITS, GIVES, READ, UNMAPPED
from reconcile.mapping.verdicts import Verdicts
from reconcile.report.standing import RESIDUAL
from reconcile.report.types import Row
from reconcile.taxonomy import template

_PLACE = re.compile(r"\.(\d+)(?=\.)")


def table_rows(ledger: Ledger, depth: str) -> tuple[Row, ...]:
    """The ledger as rows that add up to its total.

    `depth` is "group" for the rows that the architecture names, a number for so many levels of the tree, or "tensor"
    for every assignment by itself. Equal blocks stand in one row; blocks that differ stand apart.
    """
    verdicts = Verdicts(ledger)
    if depth == "tensor":
        rows = [_row(_address(part.model, part.path), [part], verdicts) for part in ledger.stored]
    else:
        rows = list(_collapsed(ledger, depth, verdicts))
    left = [item for item in ledger.unmapped if item.params]
    rows += [_unmapped(items) for items in (alike(left) if depth != "tensor" else ([item] for item in left))]
    rows += [Row(f"no parameter: {_called(item)}", "", item.count, 1, "") for item in ledger.excluded if item.inside]
    if ledger.residual:
        rows.append(Row("residual", "", ledger.residual, 1, RESIDUAL))
    return tuple(rows)


def _called(item: Excluded) -> str:
    return item.what if item.what == item.name else f"{item.what} in {item.name}"


def _unmapped(items: Sequence[Unmapped]) -> Row:
    verdict = FITS if items[0].fits else UNMAPPED
    return Row(f"{verdict}: {called(items)}", "", items[0].params, len(items), verdict)


def called(items: Sequence[Unmapped]) -> str:
    """The name of the first of equal items, and how many more there are."""
    return items[0].name if len(items) == 1 else f"{items[0].name} and {len(items) - 1} more"


def _address(model: str, node: str) -> str:
    """A node with the model that it is in, where a source has several."""
    return f"{model}: {node}" if model else node


def _collapsed(ledger: Ledger, depth: str, verdicts: Verdicts) -> Iterator[Row]:
    nodes: dict[tuple[str, str], list[Assignment]] = {}
    heads = _heads(ledger) if depth == "group" else {}
    for part in ledger.stored:
        node = heads.get(part.path) or _node(part, ledger, depth)
        nodes.setdefault((part.model, node), []).append(part)
    kinds: dict[tuple[str, str, int, str, str], list[str]] = {}
    for (model, node), parts in nodes.items():
        row = _row(node, parts, verdicts)
        kinds.setdefault((model, template(_numbered(node)), row.each, row.formula, row.verdict), []).append(node)
    for (model, _, each, formula, verdict), equal in kinds.items():
        name = equal[0] if len(equal) == 1 else folded([_numbered(node) for node in equal])
        yield Row(_address(model, name), formula, each, len(equal), verdict)


def _numbered(node: str) -> str:
    """A node with its block's number in brackets, also where a head's own name has one between dots."""
    return _PLACE.sub(r"[\1]", node, count=1) if node.startswith(TASK) and "[" not in node else node


def _node(part: Assignment, ledger: Ledger, depth: str) -> str:
    if depth == "group":
        own = next((model.architecture for model in ledger.models if model.name == part.model), ledger.architecture)
        return part.path if own is None else own.row_of(part.path)
    return ".".join(part.path.split(".")[: int(depth)])


def _heads(ledger: Ledger) -> dict[str, str]:
    """The layer that each part of a task head is shown under, where one set of sizes does for the whole layer."""
    layers = {placed.node for placed in ledger.placed if placed.node and placed.node.startswith(TASK)}
    parts: dict[str, list[Assignment]] = {}
    for part in ledger.stored:
        head, _, _ = part.path.rpartition(".")
        while head and head not in layers:
            head, _, _ = head.rpartition(".")
        if head:
            parts.setdefault(head, []).append(part)
    return {part.path: head for head, alike in parts.items() if _sizes(alike) is not None for part in alike}


def _sizes(parts: list[Assignment]) -> dict[str, int] | None:
    """What the names in all these formulas stand for; None where one stands for two sizes."""
    sizes: dict[str, int] = {}
    for part in parts:
        if any(sizes.setdefault(name, size) != size for name, size in part.sizes.items()):
            return None
    return sizes


def _row(node: str, parts: list[Assignment], verdicts: Verdicts) -> Row:
    each = sum(part.actual for part in parts)
    verdict = _verdict(parts, verdicts)
    if len(parts) == 1:
        return Row(node, parts[0].formula_text, each, 1, verdict)
    sizes = _sizes(parts)
    # One letter cannot stand for two sizes, and what has no formula is in no sum of them.
    told = sizes is not None and all(part.formula.terms for part in parts)
    return Row(node, with_sizes(_formula(node, parts), sizes or {}) if told else "", each, 1, verdict)


def _verdict(parts: list[Assignment], verdicts: Verdicts) -> str:
    """The verdict on several assignments together: that of all of them, or the one that says least for them."""
    said = {verdicts.of(part) for part in parts}
    if CONTRADICTS in said:
        off = sum(part.actual - part.expected for part in parts if part.expected is not None)
        return f"{CONTRADICTS} ({f'{off:+,}'.replace('-', '−')})"
    for word in (UNMAPPED, READ):
        if word in said:
            return word
    given = sorted(word for word in said if word != AGREES)
    return given[0] if len(given) == 1 else f"{GIVES} {' and '.join(_names(given))}" if given else AGREES


def _names(given: list[str]) -> list[str]:
    """The dimensions that several verdicts name, each once."""
    return sorted({name for word in given for name in word.removeprefix(f"{GIVES} ").split(" and ")})


def _formula(node: str, parts: list[Assignment]) -> Formula:
    """The sum of the parts' formulas, as L times one block's where the node holds all blocks of an architecture."""
    kinds: dict[str, list[Assignment]] = {}
    for part in parts:
        kinds.setdefault(template(part.path), []).append(part)
    whole = "[" not in node
    return sum(
        (
            dimension("L") * alike[0].formula
            if whole and "[*]" in path and not alike[0].sizes
            else sum((part.formula for part in alike), Formula.of(0))
            for path, alike in kinds.items()
        ),
        Formula.of(0),
    )
