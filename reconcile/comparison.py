"""Ledger, spec and references -> findings: facts without prose, one at a time. No input or output happens here."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reconcile.dialect import load_dialect
from reconcile.finding import Finding
from reconcile.formula import Formula
from reconcile.mapping import Ledger, expected_components
from reconcile.reference import Reference
from reconcile.selection import value
from reconcile.spec import Spec
from reconcile.taxonomy import Architecture


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of one published figure: the verdict, and the totals that it holds as at each precision.

    `fits` lists (significant figures, how, names of totals), most precise first; "how" is rounded or truncated.
    """

    reference: Reference
    verdict: str
    definition: str | None
    total: int | None
    fits: tuple[tuple[int, str, tuple[str, ...]], ...]

    @property
    def difference(self) -> int | None:
        """The total that was compared, less the stated value."""
        figure = self.reference.figure
        return None if self.total is None or figure is None else self.total - figure.value


def compare_counts(ledger: Ledger) -> Iterator[Finding]:
    """Every component against its formula, what is missing, what is unmapped, and what the total has beyond them."""
    for part in ledger.assignments:
        facts = {"formula": part.formula_text, "shape": part.shape, "expected_shape": part.expected_shape}
        if part.expected is not None and part.actual != part.expected:
            yield Finding("count", "error", part.path, part.expected, part.actual, facts)
        elif part.shape != part.expected_shape and part.shape is not None:
            yield Finding("shape", "error", part.path, part.expected, part.actual, facts)
        elif part.tied_to is not None:
            yield Finding("tied", "note", part.path, facts=facts | {"tied_to": part.tied_to, "size": part.actual})
    there = {part.path for part in ledger.assignments}
    for path, component in expected_components(ledger.architecture, ledger.options, ledger.dimensions):
        if path not in there:
            size = component.size.evaluate(ledger.dimensions)
            yield Finding("missing", "error", path, size, 0, {"formula": component.shape_text})
    for item in ledger.unmapped:
        facts = {"class_name": item.class_name, "why": item.why}
        yield Finding("unmapped", "warning", item.name, None, item.params, facts)
    if ledger.residual:
        yield Finding("residual", "error", "total", ledger.accounted, ledger.total)


def compare_spec(spec: Spec) -> Iterator[Finding]:
    """What the spec itself gives reason to say: what the builder cannot be told, and blocks that are left out."""
    for name, size in load_dialect(spec.builder).constants.items():
        if (claimed := spec.claimed.get(name, size)) != size:
            yield Finding("constant", "note", name, facts={"claimed": claimed, "built": size, "builder": spec.builder})
    if spec.blocks_reached < spec.blocks:
        facts = {"asked": spec.blocks, "reached": spec.blocks_reached, "outputs": spec.arguments["output_layer_num"]}
        yield Finding("extraction", "note", "encoder", facts=facts)


def compare_setting(spec: Spec, reference: Reference, architecture: Architecture) -> Iterator[Finding]:
    """Where a spec differs from a published setting, and what each difference does to every quoted total."""
    own = spec.dimensions
    for name, published in reference.dimensions.items():
        here = own.get(name)
        if here is None or not isinstance(published, int) or here == published:
            continue
        changes = setting_changes(architecture, name, published, here, own)
        facts = {"dimension": name, "here": here, "published": published, "reference": reference, "changes": changes}
        yield Finding("setting-count" if changes else "setting", "note", name, facts=facts)
    for argument, published in reference.settings.items():
        here = spec.arguments.get(argument)
        if here is not None and here != published:
            facts = {"argument": argument, "here": here, "published": published, "reference": reference}
            yield Finding("setting", "note", argument, facts=facts | {"positions": own.get("P")})


def setting_changes(
    architecture: Architecture, name: str, published: int, here: int, dimensions: Mapping[str, int | None]
) -> dict[tuple[Formula, int], tuple[str, ...]]:
    """What one dimension's other size changes: the formula and its value, with the quoted totals that it applies to."""
    components = architecture.active(frozenset(architecture.options) - {"task"})
    changes: dict[tuple[Formula, int], tuple[str, ...]] = {}
    for total in architecture.quoted:
        account = architecture.totals[total].account(components, architecture.totals)
        if account is None:
            continue
        whole = value(account)
        change = whole.substitute({name: here}) - whole.substitute({name: published})
        if change:
            at = (change, change.evaluate(dimensions))
            changes[at] = (*changes.get(at, ()), total)
    return changes


def judge(reference: Reference, ledger: Ledger) -> Judgement:
    """Whether a stated total holds for this model, at which precision and under which definition."""
    figure = reference.figure
    totals = ledger.totals
    candidates = {name: count for name in ledger.architecture.quoted if (count := totals.get(name)) is not None}
    if figure is None or not candidates:
        return Judgement(reference, "cannot say", None, None, ())
    fits = []
    for precision in figure.precisions:
        for how in ("rounded", "truncated"):
            names = tuple(name for name, count in candidates.items() if figure.holds(count, precision) == how)
            if names:
                fits.append((precision, how, names))
    stated = reference.definition
    if stated in candidates:
        verdict = "holds" if figure.holds(candidates[stated], figure.precisions[0]) == "rounded" else "does not hold"
        return Judgement(reference, verdict, stated, candidates[stated], tuple(fits))
    if fits:
        chosen = fits[0][2][0]
        return Judgement(reference, "holds as", chosen, candidates[chosen], tuple(fits))
    nearest = min(candidates, key=lambda name: abs(candidates[name] - figure.value))
    return Judgement(reference, "does not hold", nearest, candidates[nearest], ())


def compare_references(judgements: Iterator[Judgement] | tuple[Judgement, ...]) -> Iterator[Finding]:
    """A finding for each stated total that was judged: a warning for one that does not hold."""
    for judgement in judgements:
        facts: dict[str, Any] = {"judgement": judgement}
        figure = judgement.reference.figure
        stated = figure.value if figure else None
        severity = "warning" if judgement.verdict == "does not hold" else "note"
        kind = "reference-" + judgement.verdict.replace(" ", "-")
        yield Finding(kind, severity, judgement.reference.id, stated, judgement.total, facts)  # type: ignore[arg-type]
