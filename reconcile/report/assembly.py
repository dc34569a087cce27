"""A ledger and its findings become a report: sentences, rows and answers."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from reconcile.evidence.words import why as balance_of
from reconcile.finding import SEVERITIES, Finding
from reconcile.inventory import UNPRINTED
from reconcile.mapping.ledger import Assignment, Ledger, Placed
from reconcile.mapping.verdicts import Verdicts
from reconcile.report.answers import answers
from reconcile.report.opening import bound, opening
from reconcile.report.rounded import rounded_rows
from reconcile.report.rows import table_rows
from reconcile.report.types import LayerLine, Passage, Report, Subject

if TYPE_CHECKING:
    from reconcile.finding.references import Judgement


def assemble(
    command: str,
    subject: Subject,
    ledger: Ledger,
    findings: Iterable[Finding],
    depth: str,
    judgements: "tuple[Judgement, ...]" = (),
    defaulted: Mapping[str, Any] | None = None,
    passages: tuple[Passage, ...] = (),
    why: bool = False,
    text: str = "",
) -> Report:
    """One report of a ledger and its findings, the gravest first, each with its sentence; rows to `depth`.

    `passages` are answers beside those that every ledger gives; with `why` the balance of each reading is one too.
    `text` is what the source says in words, miscounts among it.
    """
    rows = table_rows(ledger, depth)
    verdicts = Verdicts(ledger)
    found = tuple(findings)
    errors = sum(finding.severity == "error" for finding in found)
    return Report(
        command=command,
        subject=subject,
        dimensions=ledger.dimensions,
        defaulted=defaulted or {},
        total=ledger.total,
        accounted=ledger.accounted,
        residual=ledger.residual,
        trainable=ledger.trainable,
        non_trainable=ledger.non_trainable,
        totals=ledger.totals,
        rows=rows,
        components=ledger.assignments,
        layers=_layer_lines(ledger),
        unmapped=ledger.unmapped,
        judgements=judgements,
        excluded=ledger.excluded,
        findings=gravest_first(found),
        answers=(*answers(ledger, rows, text), *rounded_rows(ledger), *passages, *(_why(ledger) if why else ())),
        opening=opening(ledger, verdicts.standing, errors),
        standing=verdicts.standing,
        verdicts=tuple(map(verdicts.of, ledger.assignments)),
        models=ledger.models,
        bounds=ledger.inventory.bounds,
        partial=ledger.inventory.partial or any(remark.kind == UNPRINTED for remark in ledger.inventory.remarks),
        bound=bound(ledger),
    )


def gravest_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings in the order in which they are told."""
    return tuple(sorted(findings, key=lambda finding: -SEVERITIES.index(finding.severity)))


def _why(ledger: Ledger) -> Iterator[Passage]:
    """Why each model of the source is read as it is, bit by bit."""
    for model in ledger.models:
        if model.judged is not None:
            where = f" {model.name}" if model.name else ""
            yield Passage(f"Why the model{where} is read so", tuple(balance_of(model.judged)))


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
    if any(ledger.dimensions.get(name) is None for name in formula.dimensions):
        return ()
    return ((str(formula), formula.evaluate(ledger.dimensions)),)


def _layer_lines(ledger: Ledger) -> tuple[LayerLine, ...]:
    held = {name: part for part in ledger.stored for name in part.items}
    return tuple(
        LayerLine(placed, _node_parts(placed, ledger) if placed.layer.tensors is not None else _parts(placed, held))
        for placed in ledger.placed
    )
