"""Everything a renderer needs, already decided: the ledger as rows, the findings with their words, the answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from reconcile.comparison import Judgement
from reconcile.finding import Finding
from reconcile.formula import Formula, dimension
from reconcile.mapping import Assignment, Ledger, Placed, Unmapped
from reconcile.taxonomy import template

AGREES = "agrees"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is reconciled: its name and title, where it comes from, and how it was made."""

    name: str
    title: str
    source: str
    dialect: str | None
    architecture: str | None
    made: str = "-"
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: `times` equal nodes of `each` parameters. `each` × `times` is `total`."""

    node: str
    formula: str
    each: int
    times: int
    verdict: str

    @property
    def total(self) -> int:
        """The parameters of the whole line."""
        return self.each * self.times


@dataclass(frozen=True, slots=True)
class Said:
    """A finding with its sentence."""

    finding: Finding
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """An answer under a heading, one sentence or equation to a line."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayerLine:
    """One layer of the source: the nodes it holds and the terms that its count is the sum of."""

    placed: Placed
    parts: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Report:
    """One reconciliation. `rows` add up to `total`."""

    command: str
    subject: Subject
    dimensions: Mapping[str, int | None]
    defaulted: Mapping[str, Any]
    total: int
    accounted: int
    residual: int
    trainable: int | None
    non_trainable: int | None
    totals: Mapping[str, int | None]
    rows: tuple[Row, ...]
    components: tuple[Assignment, ...]
    layers: tuple[LayerLine, ...]
    unmapped: tuple[Unmapped, ...]
    judgements: tuple[Judgement, ...]
    findings: tuple[Said, ...]
    answers: tuple[Passage, ...]


def table_rows(ledger: Ledger, depth: str) -> tuple[Row, ...]:
    """The ledger as rows that add up to its total.

    `depth` is "group" for the rows that the architecture names, a number for so many levels of the tree, or "tensor"
    for every assignment by itself. Equal blocks stand in one row; blocks that differ stand apart.
    """
    if depth == "tensor":
        rows = [_row(part.path, [part], 1, ledger) for part in ledger.stored]
    else:
        rows = list(_collapsed(ledger, depth))
    rows += [Row(f"unmapped: {item.name}", "", item.params, 1, "unmapped") for item in ledger.unmapped if item.params]
    if ledger.residual:
        rows.append(Row("residual", "", ledger.residual, 1, "unexplained"))
    return tuple(rows)


def _collapsed(ledger: Ledger, depth: str) -> Iterator[Row]:
    nodes: dict[str, list[Assignment]] = {}
    for part in ledger.stored:
        nodes.setdefault(_node(part.path, ledger, depth), []).append(part)
    kinds: dict[tuple[str, int, str, str], list[str]] = {}
    for node, parts in nodes.items():
        row = _row(node, parts, 1, ledger)
        kinds.setdefault((template(node), row.each, row.formula, row.verdict), []).append(node)
    for (_, each, formula, verdict), alike in kinds.items():
        yield Row(_range(alike), formula, each, len(alike), verdict)


def _node(path: str, ledger: Ledger, depth: str) -> str:
    if depth == "group":
        return ledger.architecture.row_of(path)
    return ".".join(path.split(".")[: int(depth)])


def _row(node: str, parts: list[Assignment], times: int, ledger: Ledger) -> Row:
    each = sum(part.actual for part in parts)
    off = sum((part.actual - part.expected) for part in parts if part.expected is not None)
    verdict = AGREES if all(part.expected == part.actual for part in parts) else f"{off:+,}".replace("-", "−")
    if len(parts) == 1 and parts[0].path == node:
        return Row(node, parts[0].formula_text, each, times, verdict)
    return Row(node, str(_formula(node, parts)), each, times, verdict)


def _formula(node: str, parts: list[Assignment]) -> Formula:
    """The sum of the parts' formulas, as L times one block's where the node holds all blocks."""
    kinds: dict[str, list[Formula]] = {}
    for part in parts:
        kinds.setdefault(template(part.path), []).append(part.formula)
    whole = "[" not in node
    return sum(
        (dimension("L") * alike[0] if whole and "[*]" in path else alike[0] for path, alike in kinds.items()),
        Formula.of(0),
    )


def _range(nodes: list[str]) -> str:
    """`encoder.block[1..12].attention` for twelve nodes that differ in the block's number only."""
    if len(nodes) == 1:
        return nodes[0]
    numbers = [int(node.split("[")[1].split("]")[0]) for node in nodes]
    runs = []
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        together = [number for _, number in run]
        runs.append(f"{together[0]}..{together[-1]}" if len(together) > 1 else str(together[0]))
    head, _, tail = nodes[0].partition("[")
    return f"{head}[{', '.join(runs)}]{tail.partition(']')[2]}"
