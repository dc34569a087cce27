"""Joins the rooms: a spec or a source goes in, a report comes out. It parses no arguments and prints nothing."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from reconcile.comparison import (
    compare_counts,
    compare_meant,
    compare_references,
    compare_setting,
    compare_spec,
    compare_summary,
    judge,
)
from reconcile.dialect import load_dialect
from reconcile.environments.build import TIMEOUT, build_inventory
from reconcile.finding import Finding
from reconcile.inventory import Inventory
from reconcile.mapping import Ledger, map_rows, map_tensors
from reconcile.reference import Reference, load_reference
from reconcile.report import Report, Subject, assemble
from reconcile.spec import Spec, load_spec
from reconcile.taxonomy import load_architecture


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
    subject = Subject(
        spec.name, spec.title, spec.source, spec.builder, spec.architecture, inventory.made, inventory.versions
    )
    defaulted = {name: value for name, value in spec.arguments.items() if name in spec.defaulted}
    return assemble("build", subject, ledger, findings, depth, judgements, defaulted)


def read(text: str, source: str, *, depth: str = "group", meant: str | None = None) -> tuple[Report, ...]:
    """Reconcile every summary in a text, in order; `meant` names the spec of the model that each should be.

    Raises InputError when there is no summary, or the spec cannot be read.
    """
    from reconcile.sources.summary import read_text
    from reconcile.sources.text import heads_in

    spec = load_spec(meant) if meant else None
    heads = heads_in(text)
    return tuple(_read(inventory, heads, depth, spec) for inventory in read_text(text, source))


def _read(inventory: Inventory, heads: int | None, depth: str, spec: Spec | None) -> Report:
    ledger = with_heads(map_rows(inventory), heads)
    findings = [*compare_summary(ledger), *(compare_meant(ledger, spec) if spec else ())]
    architecture = ledger.architecture.name if ledger.architecture else None
    dialect = ledger.dialect.name if ledger.dialect else None
    subject = Subject(inventory.source, "Keras summary", inventory.source, dialect, architecture)
    return assemble("read", subject, ledger, findings, depth)


def with_heads(ledger: Ledger, heads: int | None) -> Ledger:
    """The ledger with the number of heads that a text states, where it divides the hidden size that the counts give."""
    hidden = ledger.dimensions.get("H")
    if ledger.architecture is None or heads is None or not hidden or hidden % heads:
        return ledger
    return replace(ledger, dimensions=ledger.architecture.complete({**ledger.dimensions, "A": heads}))


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
