"""A spec -> the model it builds -> a report."""

from collections.abc import Callable, Iterator
from pathlib import Path

from reconcile.comparison.counts import compare_counts
from reconcile.comparison.stated import compare_references, compare_setting, compare_spec, judge
from reconcile.dialect import load_dialect
from reconcile.environments.build import TIMEOUT, build_inventory
from reconcile.finding import Finding
from reconcile.finding.settings import SettingAgrees
from reconcile.mapping.tensors import map_tensors
from reconcile.pipeline.opened import Opened
from reconcile.reference import Reference, load_reference
from reconcile.report.types import Report, Subject
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
    opened = open_spec(name, timeout=timeout, memory_limit=memory_limit, use_cache=use_cache, announce=announce)
    return opened.report("build", depth)


def open_spec(
    name: str,
    *,
    timeout: float = TIMEOUT,
    memory_limit: int | None = None,
    use_cache: bool = True,
    announce: Callable[[str], None] = lambda line: None,
) -> Opened:
    """The model of a spec, built and reconciled with the spec and its references. Raises ReconcileError."""
    spec = load_spec(name)
    references = spec_references(spec)
    inventory = build_inventory(
        spec.arguments, timeout=timeout, memory_limit=memory_limit, use_cache=use_cache, announce=announce
    )
    architecture = load_architecture(spec.architecture)
    ledger = map_tensors(inventory, load_dialect(spec.builder), architecture, spec.dimensions, spec.options)
    judgements = tuple(judge(reference, ledger) for reference in references if reference.counts_parameters)
    findings = (
        *compare_counts(ledger),
        *compare_spec(spec),
        *_settings(spec, references),
        *compare_references(judgements),
    )
    if Path(name).is_file():
        from reconcile.pipeline.beside import compare_vocabulary_beside

        findings += tuple(compare_vocabulary_beside(Path(name).parent, spec.dimensions["V"]))
    subject = Subject(
        spec.name, spec.title, spec.source, spec.builder, spec.architecture, inventory.made, inventory.versions
    )
    defaulted = {name: value for name, value in spec.arguments.items() if name in spec.defaulted}
    return Opened(subject, ledger, findings, judgements, defaulted, text=spec.question)


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
            yield SettingAgrees(reference.id, names=same, reference=reference)
        yield from differing
