"""A difference as text, as Markdown, or as one JSON object."""

from collections.abc import Sequence
from typing import Any

from reconcile.comparison.axes import SettingDifference
from reconcile.formula import to_ascii
from reconcile.mapping.ledger import Excluded
from reconcile.phrases import listed, number, signed
from reconcile.render.flow import flowing
from reconcile.render.objects import dumped
from reconcile.render.registry import Look
from reconcile.report.difference import DifferenceReport, Line, Side

SCHEMA = 1
_ALIGN = ("left", "right", "right", "right")


def render_text(several: Sequence[DifferenceReport], look: Look) -> str:
    """The differences for a terminal."""
    return "\n".join(_text(report, look.width, look.ascii_only) for report in several)


def _text(report: DifferenceReport, width: int | None, ascii_only: bool) -> str:
    """The conclusion in one line, both sides, and the table of what differs with the reason of each row.

    Where the reasons do not fit beside the counts they stand under the table.
    """
    flow = flowing(width, ascii_only)
    parts = [flow(report.reason + ".", "", "  "), "", *(flow(line, "", "  ") for line in heading(report))]
    if report.rows:
        table = _table(report, True, ascii_only)
        fits = width is None or max(map(len, table.splitlines())) <= width
        parts += ["", table if fits else _table(report, False, ascii_only)]
        if not fits:
            parts += ["", *(flow(f"{line.path}: {line.explanation}", "- ", "  ") for line in report.rows)]
    if report.changes:
        parts += ["", "Without a change in counts" if report.rows else "The counts agree, other things do not"]
        parts += [flow(told(line), "- ", "  ") for line in report.changes]
    return "\n".join(parts) + "\n"


def _table(report: DifferenceReport, with_reasons: bool, ascii_only: bool) -> str:
    from tabulate import tabulate

    reasons = [line.explanation for line in report.rows] + [""] * 2
    rows = [[*_columns(report), "because"], *([*row, why] for row, why in zip(cells(report), reasons, strict=False))]
    rows = [row if with_reasons else row[:-1] for row in rows]
    shown = [list(map(to_ascii, row)) for row in rows] if ascii_only else rows
    columns = (*_ALIGN, "left")[: len(rows[0])]
    text: str = tabulate(shown, "firstrow", tablefmt="simple", colalign=columns, disable_numparse=True)
    return "\n".join(line.rstrip() for line in text.splitlines())


def render_line(reports: Sequence[DifferenceReport], look: Look) -> str:
    """Each difference in one line: both sides, what the second has beyond the first, and the conclusion."""
    return "\n".join(
        f"{one.left.subject.name} and {one.right.subject.name}: {signed(one.difference)} parameters; {one.reason}"
        for one in reports
    )


def heading(report: DifferenceReport, paths: bool = True) -> list[str]:
    """One line for each side, and what each has beside its parameters; files by their names where not by `paths`."""
    lines = []
    for name, side in zip(report.names, (report.left, report.right), strict=True):
        subject = side.subject
        shown = subject.name if paths else subject.name.replace("\\", "/").rpartition("/")[2]
        title = f"{shown}, {subject.title}" if subject.title and subject.title != subject.name else shown
        lines.append(f"{name}: {title}: {number(side.total)} parameters{_stored_as(side)}")
        if side.excluded:
            lines.append(f"   beside them, and not compared: {_beside(side)}")
        if side.wrong:
            errors = "1 error" if side.wrong == 1 else f"{side.wrong} errors"
            lines.append(f"   {errors} of its own, which `reconcile read` shows")
    return lines


def _stored_as(side: Side) -> str:
    """The types of a side's parameters and the bytes that they take, where its source says."""
    taken = f", {number(side.nbytes)} bytes" if side.nbytes is not None else ""
    return f", {listed(side.dtypes)}{taken}" if side.dtypes else ""


def _beside(side: Side) -> str:
    """What a side has beside its parameters, each kind with its values and the arrays that they are in."""
    kinds: dict[str, list[Excluded]] = {}
    for item in side.excluded:
        kinds.setdefault(item.what, []).append(item)
    texts = []
    for what, items in kinds.items():
        more = f" and {number(len(items) - 1)} more" if len(items) > 1 else ""
        texts.append(f"{what} {number(sum(item.count for item in items))} ({items[0].name}{more})")
    return ", ".join(texts)


def _columns(report: DifferenceReport) -> list[str]:
    return ["component", *report.names, "difference"]


def cells(report: DifferenceReport) -> list[list[str]]:
    """Every row that differs, all that does not in one, and the totals that they add up to."""
    rows = [[line.path, _count(line.left), _count(line.right), signed(line.difference)] for line in report.rows]
    if report.other:
        rows.append(["everything else", number(report.other), number(report.other), "0"])
    return [*rows, ["total", number(report.left.total), number(report.right.total), signed(report.difference)]]


def told(line: Line) -> str:
    """A difference that changes no count: where it is, unless its words say so."""
    return line.explanation if line.kind == "setting" else f"{line.path}: {line.explanation}"


def _count(count: int | None) -> str:
    return "" if count is None else number(count)


def render_markdown(several: Sequence[DifferenceReport], look: Look) -> str:
    """The differences as Markdown."""
    return "\n".join(_markdown(report, look.ascii_only) for report in several)


def _markdown(report: DifferenceReport, ascii_only: bool) -> str:
    """The same as Markdown, without paths of files."""
    from tabulate import tabulate

    from reconcile.render.markdown import plain_text

    def plain(text: str) -> str:
        return plain_text(to_ascii(text) if ascii_only else text)

    lines = [f"{plain(report.reason + '.')}\n", *(f"{plain(line.strip())}\n" for line in heading(report, paths=False))]
    if report.rows:
        rows = [[plain(cell) for cell in row] for row in cells(report)]
        lines += [tabulate(rows, _columns(report), tablefmt="pipe", colalign=_ALIGN, disable_numparse=True), ""]
        lines += [f"- {plain(f'{line.path}: {line.explanation}')}" for line in report.rows] + [""]
    if report.changes:
        lines += ["Without a change in counts:", "", *(f"- {plain(told(line))}" for line in report.changes), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def render_json(several: Sequence[DifferenceReport], look: Look) -> str:
    """The object that `docs/json.md` fixes; counts are integers."""
    return dumped([as_object(report) for report in several], look.ascii_only)


def as_object(report: DifferenceReport) -> dict[str, Any]:
    """The difference as plain data."""
    return {
        "schema": SCHEMA,
        "command": "diff",
        "left": _side(report.left),
        "right": _side(report.right),
        "difference": report.difference,
        "same": report.left.total - sum(line.left or 0 for line in report.parts),
        "components": [_component(line) for line in report.lines if line.kind != "setting"],
        "settings": [_setting(line.setting, line.explanation) for line in report.changes if line.setting],
        "findings": [_finding(line) for line in report.lines],
        "reason": report.reason,
    }


def _side(side: Side) -> dict[str, Any]:
    subject = side.subject
    return {
        "name": subject.name,
        "title": subject.title,
        "source": subject.source,
        "dialect": subject.dialect,
        "architecture": subject.architecture,
        "dimensions": dict(side.dimensions),
        "total": side.total,
        "dtypes": list(side.dtypes),
        "bytes": side.nbytes,
        "excluded": [{"what": item.what, "name": item.name, "count": item.count} for item in side.excluded],
    }


def _component(line: Line) -> dict[str, Any]:
    return {
        "path": line.path,
        "kind": line.kind,
        "left": line.left,
        "right": line.right,
        "difference": line.difference,
        "explanation": line.explanation,
    }


def _setting(setting: SettingDifference, explanation: str) -> dict[str, Any]:
    return {
        "name": setting.name,
        "where": list(setting.where),
        "left": setting.left,
        "right": setting.right,
        "explanation": explanation,
    }


def _finding(line: Line) -> dict[str, Any]:
    return {
        "kind": line.kind,
        "severity": line.severity,
        "where": line.path,
        "expected": line.left,
        "actual": line.right,
        "difference": line.difference,
        "explanation": line.explanation,
    }
