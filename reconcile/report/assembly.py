"""A ledger and its findings become a report: sentences, rows and answers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reconcile.comparison.stored import UNPRINTED, is_partial
from reconcile.evidence.words import why as balance_of
from reconcile.explanation.derivation import derive, derived_nodes
from reconcile.finding import SEVERITIES, Finding
from reconcile.formula import with_numbers
from reconcile.mapping.ledger import Assignment, Ledger, Placed, Whole
from reconcile.mapping.verdicts import Verdicts
from reconcile.phrases import number
from reconcile.report.opening import opening
from reconcile.report.rounded import rounded_rows
from reconcile.report.rows import table_rows
from reconcile.report.types import LayerLine, Passage, Report, Subject
from reconcile.taxonomy import template

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
) -> Report:
    """One report of a ledger and its findings, the gravest first, each with its sentence; rows to `depth`.

    `passages` are answers beside those that every ledger gives; with `why` the balance of each reading is one too.
    """
    answers = _answers(ledger)
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
        rows=table_rows(ledger, depth),
        components=ledger.assignments,
        layers=_layer_lines(ledger),
        unmapped=ledger.unmapped,
        judgements=judgements,
        excluded=ledger.excluded,
        findings=gravest_first(found),
        answers=(*answers, *rounded_rows(ledger), *passages, *(_why(ledger) if why else ())),
        opening=opening(ledger, verdicts.standing, errors),
        standing=verdicts.standing,
        verdicts=tuple(map(verdicts.of, ledger.assignments)),
        models=ledger.models,
        bounds=ledger.inventory.bounds,
        partial=is_partial(ledger) or any(one.kind == f"file-{UNPRINTED}" for one in found),
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


def _answers(ledger: Ledger) -> tuple[Passage, ...]:
    """Where the counts come from that people ask about: wrapped digits, whole models, and nodes with more to say."""
    if ledger.architecture is None:
        return ()
    held = {name: part for part in ledger.stored for name in part.items}
    puzzling = [r.where for r in ledger.inventory.remarks if r.kind in ("wrapped-digits", "recovered-count")]
    # Of the counts whose digits are wrapped or cut, the largest is the one that puzzles.
    asked = sorted((held[name] for name in puzzling if name in held), key=lambda part: -part.actual)[:1]
    answers = [_whole_answer(ledger, whole) for whole in ledger.wholes[:1]]
    for node in dict.fromkeys([*derived_nodes(ledger.architecture), *(template(part.path) for part in asked)]):
        holders = [placed for placed in ledger.placed if placed.node and template(placed.node) == node]
        if passage := _node_answer(ledger, node, holders, held):
            answers.append(passage)
    return tuple(answers)


def _node_answer(
    ledger: Ledger, node: str, holders: Sequence[Placed], held: Mapping[str, Assignment]
) -> Passage | None:
    """The derivation of a node that layers of the source hold, in the form that they have it."""
    architecture = ledger.architecture
    if architecture is None or not holders or not architecture.below(node, ledger.options):
        return None
    formula = architecture.size(node, ledger.options)
    if any(ledger.dimensions.get(name) is None for name in formula.dimensions):
        return None
    layer = holders[0].layer
    rows = f"{len(holders)} × {layer.class_name}" if layer.class_name else f"{len(holders)} rows"
    where = f"({rows}, from {layer.name} on)" if len(holders) > 1 else f"({layer.name})"
    words = architecture.say(node)
    part = held.get(layer.name)
    if part is not None and part.path == holders[0].node and part.formula != formula:
        line = f"{part.formula} = {with_numbers(str(part.formula), ledger.dimensions)} = {number(part.actual)}"
        return Passage(f"Where {number(part.actual)} comes from: {words}, {part.says} {where}", (line,))
    derivation = derive(architecture, node, ledger.dimensions, ledger.options)
    return Passage(f"Where {number(derivation.size)} comes from: {words} {where}", derivation.lines)


def _whole_answer(ledger: Ledger, whole: Whole) -> Passage:
    """What a row that is a whole model consists of, node by node."""
    part = next(part for part in ledger.stored if part.items == (whole.row,))
    sizes = {**whole.dimensions, **dict(whole.extra)}
    lines = [f"{part.formula} = {with_numbers(str(part.formula), sizes)} = {number(part.actual)}"]
    counts: dict[str, int] = {}
    for path, count in part.parts:
        node = ledger.architecture.row_of(path) if ledger.architecture else path
        counts[node] = counts.get(node, 0) + count
    blocks = whole.dimensions["L"]
    for node, count in counts.items():
        each = f"{blocks} × {number(count // blocks)} = " if "[*]" in node else ""
        formula = ledger.architecture.size(node, ledger.options) if ledger.architecture else ""
        lines.append(f"{node}: {each}{number(count)}" + (f", each {formula}" if each else f", {formula or 'adapters'}"))
    return Passage(f"Where {number(whole.count)} comes from: the row {whole.row}, `{whole.total}`", tuple(lines))
