"""Joins the rooms: a spec or a source goes in, a report comes out. It parses no arguments and prints nothing."""

from collections.abc import Callable, Iterator

from reconcile.comparison import (
    Judgement,
    compare_counts,
    compare_references,
    compare_setting,
    compare_spec,
    judge,
)
from reconcile.dialect import load_dialect
from reconcile.environments.build import TIMEOUT, build_inventory
from reconcile.explain.derivation import derive, derived_nodes
from reconcile.explain.wording import number, sentence
from reconcile.finding import SEVERITIES, Finding
from reconcile.mapping import Ledger, Placed, map_tensors
from reconcile.reference import Reference, load_reference
from reconcile.report import LayerLine, Passage, Report, Said, Subject, table_rows
from reconcile.spec import Spec, load_spec
from reconcile.taxonomy import load_architecture, template


def build(
    name: str,
    *,
    depth: str = "group",
    timeout: float = TIMEOUT,
    memory_limit: int | None = None,
    use_cache: bool = True,
    announce: Callable[[str], None] = lambda line: None,
) -> Report:
    """Build the model of a spec and reconcile it. Raises ReconcileError for what cannot be read or built."""
    spec = load_spec(name)
    references = spec_references(spec)
    inventory = build_inventory(
        spec.arguments, timeout=timeout, memory_limit=memory_limit, use_cache=use_cache, announce=announce
    )
    architecture = load_architecture(spec.architecture)
    ledger = map_tensors(inventory, load_dialect(spec.builder), architecture, spec.dimensions, spec.options)
    judgements = tuple(judge(reference, ledger) for reference in references if reference.counts_parameters)
    findings = [*compare_counts(ledger), *compare_spec(spec), *_settings(spec, references)]
    findings += compare_references(judgements)
    return _report("build", spec, ledger, judgements, findings, depth)


def spec_references(spec: Spec) -> tuple[Reference, ...]:
    """The references that a spec names, and for a paper the released checkpoint where the spec names none."""
    named = [load_reference(name, spec.file, "references") for name in spec.references]
    if not any(reference.settings and not reference.counts_parameters for reference in named):
        named += [load_reference(name) for reference in named for name in reference.released]
    return tuple({reference.id: reference for reference in named}.values())


def _settings(spec: Spec, references: tuple[Reference, ...]) -> Iterator[Finding]:
    """The spec against each published setting, what agrees named before what differs."""
    architecture = load_architecture(spec.architecture)
    for reference in references:
        if not reference.settings:
            continue
        differing = list(compare_setting(spec, reference, architecture))
        named = [name for name in architecture.dimensions if name in reference.dimensions]
        same = [name for name in (*named, *reference.settings) if name not in {finding.where for finding in differing}]
        if same:
            yield Finding("setting-agrees", "note", reference.id, facts={"names": same, "reference": reference})
        yield from differing


def _report(
    command: str,
    spec: Spec,
    ledger: Ledger,
    judgements: tuple[Judgement, ...],
    findings: list[Finding],
    depth: str,
) -> Report:
    inventory = ledger.inventory
    totals = ledger.totals
    quoted = {name: count for name in ledger.architecture.quoted if (count := totals[name]) is not None}
    findings.sort(key=lambda finding: -SEVERITIES.index(finding.severity))
    return Report(
        command=command,
        subject=Subject(
            spec.name, spec.title, spec.source, spec.builder, spec.architecture, inventory.made, inventory.versions
        ),
        dimensions=ledger.dimensions,
        defaulted={name: value for name, value in spec.arguments.items() if name in spec.defaulted},
        total=ledger.total,
        accounted=ledger.accounted,
        residual=ledger.residual,
        trainable=inventory.trainable,
        non_trainable=inventory.non_trainable,
        totals=totals,
        rows=table_rows(ledger, depth),
        components=ledger.assignments,
        layers=tuple(LayerLine(placed, _parts(placed, ledger)) for placed in ledger.placed),
        unmapped=ledger.unmapped,
        judgements=judgements,
        findings=tuple(Said(finding, sentence(_with_totals(finding, quoted))) for finding in findings),
        answers=_answers(ledger),
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


def _parts(placed: Placed, ledger: Ledger) -> tuple[tuple[str, int], ...]:
    if placed.node is None:
        return ()
    formula = ledger.architecture.size(placed.node, ledger.options)
    return ((str(formula), formula.evaluate(ledger.dimensions)),)


def _answers(ledger: Ledger) -> tuple[Passage, ...]:
    """The derivation of every node that there is more to say of, once for all blocks."""
    answers = []
    for node in derived_nodes(ledger.architecture):
        holders = [placed for placed in ledger.placed if placed.node and template(placed.node) == node]
        if not holders:
            continue
        derivation = derive(ledger.architecture, node, ledger.dimensions, ledger.options)
        layer = holders[0].layer
        title = (
            f"Where {number(derivation.size)} comes from: {derivation.words} "
            f"({len(holders)} × {layer.class_name}, from {layer.name} on)"
        )
        answers.append(Passage(title, derivation.lines))
    return tuple(answers)
