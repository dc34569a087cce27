"""Stated totals judged at their own precision: whether one holds for a model, and under which definition."""

from collections.abc import Iterator, Mapping, Sequence

from reconcile.finding import Severity
from reconcile.finding.references import Judgement, Referred
from reconcile.mapping.ledger import Ledger
from reconcile.reference import Reference


def judge(reference: Reference, ledger: Ledger) -> Judgement:
    """Whether a stated total holds for this model, at which precision and under which definition."""
    return judge_totals(reference, ledger.totals, ledger.architecture.quoted if ledger.architecture else ())


def judge_totals(reference: Reference, totals: Mapping[str, int | None], quoted: Sequence[str]) -> Judgement:
    """The same for the named totals of a model, of which the `quoted` ones are what people state."""
    figure = reference.figure
    candidates = {name: count for name in quoted if (count := totals.get(name)) is not None}
    if figure is None or not candidates:
        return Judgement(reference, "cannot say", None, None, ())
    fits = []
    # Of an exact figure zeros at the end count.
    for precision in figure.precisions[: 1 if figure.exact else None]:
        for how in ("rounded", "cut off"):
            names = tuple(name for name, count in candidates.items() if figure.holds(count, precision) == how)
            if names:
                fits.append((precision, how, names))
    stated = reference.definition
    if stated in candidates:
        verdict = "holds" if figure.holds(candidates[stated], figure.precisions[0]) == "rounded" else "does not hold"
        return Judgement(reference, verdict, stated, candidates[stated], tuple(fits), candidates)
    if fits:
        chosen = fits[0][2][0]
        return Judgement(reference, "holds as", chosen, candidates[chosen], tuple(fits), candidates)
    nearest = min(candidates, key=lambda name: abs(candidates[name] - figure.count))
    return Judgement(reference, "does not hold", nearest, candidates[nearest], ())


def compare_references(judgements: Iterator[Judgement] | tuple[Judgement, ...]) -> Iterator[Referred]:
    """A finding for each stated total that was judged: a warning for one that does not hold."""
    for judgement in judgements:
        figure = judgement.reference.figure
        stated = figure.count if figure else None
        severity: Severity = "warning" if judgement.verdict == "does not hold" else "note"
        at = judgement.reference.id, stated, judgement.total
        yield Referred(*at, judgement=judgement, severity=severity)
