"""A ledger and its findings become a report: sentences, rows, answers, and the reply to paste."""

from collections.abc import Iterable, Mapping
from typing import Any

from reconcile.comparison import Judgement
from reconcile.explain.derivation import derive, derived_nodes
from reconcile.explain.phrases import number
from reconcile.explain.wording import sentence
from reconcile.finding import SEVERITIES, Finding
from reconcile.mapping import Assignment, Ledger, Placed
from reconcile.report.reply import reply
from reconcile.report.rows import table_rows
from reconcile.report.types import LayerLine, Passage, Report, Said, Subject
from reconcile.taxonomy import template


def assemble(
    command: str,
    subject: Subject,
    ledger: Ledger,
    findings: Iterable[Finding],
    depth: str,
    judgements: tuple[Judgement, ...] = (),
    defaulted: Mapping[str, Any] | None = None,
) -> Report:
    """One report of a ledger and its findings, the gravest first, each with its sentence; rows to `depth`."""
    inventory, totals, architecture = ledger.inventory, ledger.totals, ledger.architecture
    quoted = {
        name: count for name in (architecture.quoted if architecture else ()) if (count := totals[name]) is not None
    }
    in_order = sorted(findings, key=lambda finding: -SEVERITIES.index(finding.severity))
    said = tuple(Said(finding, sentence(_with_totals(finding, quoted))) for finding in in_order)
    answers = _answers(ledger)
    return Report(
        command=command,
        subject=subject,
        dimensions=ledger.dimensions,
        defaulted=defaulted or {},
        total=ledger.total,
        accounted=ledger.accounted,
        residual=ledger.residual,
        trainable=inventory.trainable,
        non_trainable=inventory.non_trainable,
        totals=totals,
        rows=table_rows(ledger, depth),
        components=ledger.assignments,
        layers=_layer_lines(ledger),
        unmapped=ledger.unmapped,
        judgements=judgements,
        excluded=ledger.excluded,
        findings=said,
        answers=answers,
        reply=reply(ledger, said, answers),
    )


def _with_totals(finding: Finding, totals: dict[str, int]) -> Finding:
    return Finding(
        finding.kind,
        finding.severity,
        finding.where,
        finding.expected,
        finding.actual,
        {**finding.facts, "totals": totals},
    )


def _parts(placed: Placed, held: Mapping[str, Assignment]) -> tuple[tuple[str, int], ...]:
    """The terms of a layer's count: its node's formula, for a task head with what its names stand for."""
    part = held.get(placed.layer.name)
    if part is not None and part.path == placed.node and part.expected is not None:
        return ((part.formula_text, part.expected),)
    return ()


def _node_parts(placed: Placed, ledger: Ledger) -> tuple[tuple[str, int], ...]:
    """The terms of a layer that knows its tensors: the formula of the node they make up."""
    if placed.node is None or ledger.architecture is None:
        return ()
    formula = ledger.architecture.size(placed.node, ledger.options)
    return ((str(formula), formula.evaluate(ledger.dimensions)),)


def _layer_lines(ledger: Ledger) -> tuple[LayerLine, ...]:
    held = {name: part for part in ledger.stored for name in part.items}
    return tuple(
        LayerLine(placed, _node_parts(placed, ledger) if placed.layer.tensors is not None else _parts(placed, held))
        for placed in ledger.placed
    )


def _answers(ledger: Ledger) -> tuple[Passage, ...]:
    """The derivation of every node that there is more to say of, once for all blocks."""
    if ledger.architecture is None:
        return ()
    answers = []
    for node in derived_nodes(ledger.architecture):
        holders = [placed for placed in ledger.placed if placed.node and template(placed.node) == node]
        formula = ledger.architecture.size(node, ledger.options)
        if not holders or any(ledger.dimensions.get(name) is None for name in formula.dimensions):
            continue
        derivation = derive(ledger.architecture, node, ledger.dimensions, ledger.options)
        layer = holders[0].layer
        rows = f"{len(holders)} × {layer.class_name}" if layer.class_name else f"{len(holders)} rows"
        title = f"Where {number(derivation.size)} comes from: {derivation.words} ({rows}, from {layer.name} on)"
        answers.append(Passage(title, derivation.lines))
    return tuple(answers)
