"""A model's cost as text, Markdown and JSON. Nothing is counted here."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from reconcile.costing.counting import Cost, OperationRow
from reconcile.costing.report import (
    CostReport,
    crossings,
    feed_forward,
    heading,
    memory_total,
    percent,
    sized,
    summary,
    usual_part,
)
from reconcile.formula import to_ascii
from reconcile.render.curve import drawn
from reconcile.render.flow import flowing
from reconcile.render.objects import dumped
from reconcile.render.registry import Look

SCHEMA = 1

Cells = list[list[str]]


def render_text(several: Sequence[CostReport], look: Look) -> str:
    """The reports for a terminal."""
    return "\n".join(_text(report, look.width, look.ascii_only) for report in several)


def _text(report: CostReport, width: int | None, ascii_only: bool) -> str:
    """The report for a terminal."""
    flow = flowing(width, ascii_only)
    lines = [flow(line, "", "  ") for line in heading(report)]
    for title, cells in tables(report):
        lines += ["", *([title, ""] if title else []), _tabulated(cells, "simple", ascii_only), ""]
        lines += [flow(line, "", "  ") for line in under(report, title)]
    if report.curve and report.curve.points:
        lines += ["", *(to_ascii(line) if ascii_only else line for line in drawn(report.curve))]
        lines += [flow(line, "", "  ") for line in crossings(report)]
    return "\n".join(lines).rstrip("\n") + "\n"


def render_line(reports: Sequence[CostReport], look: Look) -> str:
    """Each cost in one line: the model and its total."""
    return "\n".join(heading(report)[0] for report in reports)


def render_markdown(several: Sequence[CostReport], look: Look) -> str:
    """The reports as Markdown."""
    return "\n".join(_markdown(report, look.ascii_only) for report in several)


def _markdown(report: CostReport, ascii_only: bool) -> str:
    """The report as Markdown."""
    from reconcile.render.markdown import plain_text

    def plain(text: str) -> str:
        return plain_text(to_ascii(text) if ascii_only else text)

    first, *rest = heading(report)
    lines = [f"# {plain(first)}", "", *(f"{plain(line)}\n" for line in rest)]
    for title, cells in tables(report):
        lines += [f"## {plain(title)}", ""] if title else []
        lines += [_tabulated([[plain(cell) for cell in row] for row in cells], "pipe", False), ""]
        lines += [f"{plain(line)}\n" for line in under(report, title)]
    lines += [f"{plain(line)}\n" for line in crossings(report)]
    return "\n".join(lines).rstrip("\n") + "\n"


def render_json(several: Sequence[CostReport], look: Look) -> str:
    """The report as one JSON object; every count is an integer."""
    return dumped([as_object(report) for report in several], look.ascii_only)


def as_object(report: CostReport) -> dict[str, Any]:
    """The report as plain data."""
    cost = report.cost
    return {
        "schema": SCHEMA,
        "command": "cost",
        "subject": {"name": cost.model.name, "architecture": cost.model.architecture.name},
        "dimensions": dict(cost.model.dimensions),
        "parameters": cost.model.parameters,
        "assumed": list(cost.model.assumed),
        **_counted(cost),
        "S": cost.workload.length,
        "B": cost.workload.batch,
        "training": cost.training,
        "rows": [_row(row) for row in cost.rows],
        "memory": [
            {"what": row.what, "bytes": row.bytes, "formula": row.formula, "part_of": row.part_of}
            for row in report.memory
        ],
        "bytes": memory_total(report),
        "dtype": report.store.precision.name,
        "optimizer": report.store.optimizer.name,
        "feed-forward": _feed_forward(report),
        "decoding": None if report.decoding is None else {
            "S": report.decoding.length, "prompt": report.decoding.prompt, "token": report.decoding.token,
        },
        "experts": None if report.experts is None else {
            "total": report.experts.total, "active": report.experts.active,
        },
        "curve": None if report.curve is None else {
            "points": [
                {"S": at.length, "projections": at.projections, "scores": at.scores, "inner": at.inner}
                for at in report.curve.points
            ],
            "crossings": [{"what": at.what, "S": at.length, "formula": at.formula} for at in report.curve.crossings],
        },
        "compared": [_counted(one) for one in report.compared],
    }  # fmt: skip


def _counted(cost: Cost) -> dict[str, Any]:
    convention = cost.convention
    return {
        "convention": convention.name,
        "counter": convention.counter,
        "unit": convention.unit,
        "attention": cost.workload.attention if convention.paths else None,
        "version": cost.path.version or None,
        "total": cost.total,
        "forward": cost.forward,
        "totals": cost.totals,
        "left_out": [{"kind": one.kind, "amount": one.amount, "unit": one.unit} for one in cost.left_out],
        "remarks": list(convention.remarks),
    }


def _row(row: OperationRow) -> dict[str, Any]:
    return {
        "path": row.path,
        "operation": row.operation,
        "kind": row.kind,
        "times": row.times,
        "formula": str(row.formula),
        "count": row.count,
        "forward": row.forward,
        "backward": row.backward,
    }


def _feed_forward(report: CostReport) -> dict[str, Any] | None:
    share, active = report.share, report.active
    if share is None:
        return None
    found: dict[str, Any] = {
        "kernels": share.kernels, "parameters": share.parameters, "totals": dict(share.totals),
        "operations": share.operations, "products": share.products,
    }  # fmt: skip
    if active:
        found["active"] = {
            "neurons": active.neurons, "width": active.width, "touched": active.touched, "operations": active.left,
        }  # fmt: skip
    return found


def tables(report: CostReport) -> Iterator[tuple[str, Cells]]:
    """The tables of a report with their titles: the names of the columns, the rows, the total."""
    yield "", _operations(report.cost)
    if report.compared:
        yield _COMPARED, _conventions(report.compared)
    if report.memory:
        yield f"{_MEMORY} in {report.store.precision.name}", _memory(report)


_COMPARED = "Conventions"
_MEMORY = "Memory"


def under(report: CostReport, title: str) -> Iterator[str]:
    """What is said under a table."""
    if not title:
        yield from summary(report)
        yield from feed_forward(report)


def _operations(cost: Cost) -> Cells:
    heads = ["operation", "formula", "times", *(["forward", "backward"] if cost.training else []), "total", "share"]
    rows = [
        [
            row.path.removesuffix(".kernel"), str(row.formula), f"{row.times:,}",
            *([f"{row.forward:,}", f"{row.backward:,}"] if cost.training else []),
            f"{row.count:,}", percent(row.count, cost.total),
        ]
        for row in cost.rows
    ]  # fmt: skip
    passes = [f"{cost.forward:,}", f"{cost.total - cost.forward:,}"] if cost.training else []
    return [heads, *rows, ["total", "", "", *passes, f"{cost.total:,}", percent(cost.total, cost.total)]]


def _conventions(costs: Sequence[Cost]) -> Cells:
    part = usual_part(costs[0])
    rows = [["convention", "attention", "version", "total", *([part] if part else []), "unit", "not counted"]]
    for cost in costs:
        left = ", ".join(dict.fromkeys(one.short for one in cost.left_out))
        of_part = cost.totals.get(part, 0)
        rows.append([
            cost.convention.name, cost.path.attention if cost.convention.paths else "", cost.path.version,
            f"{cost.total:,}", *([f"{of_part:,}"] if part else []), cost.convention.unit, left,
        ])  # fmt: skip
    return rows


def _memory(report: CostReport) -> Cells:
    rows = [
        [("  " if row.part_of else "") + row.what, row.formula, f"{row.bytes:,}", sized(row.bytes)]
        for row in report.memory
    ]
    whole = memory_total(report)
    return [["what", "formula", "bytes", ""], *rows, ["total", "", f"{whole:,}", sized(whole)]]


def _tabulated(cells: Cells, form: str, ascii_only: bool) -> str:
    from tabulate import tabulate

    shown: Callable[[str], str] = to_ascii if ascii_only else str
    text: str = tabulate(
        [[shown(cell) for cell in row] for row in cells],
        "firstrow",
        tablefmt=form,
        colalign=["right" if number else "left" for number in numeric(cells)],
        disable_numparse=True,
        preserve_whitespace=True,
    )
    return text


def numeric(cells: Cells) -> list[bool]:
    """Of each column of a table whether it holds numbers."""
    return [cell[:1].isdigit() and "·" not in cell for cell in cells[1]]
