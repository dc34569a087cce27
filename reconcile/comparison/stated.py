"""What is stated of a model, held against it: settings, by its builder and what is published, totals, a vocabulary."""

from collections.abc import Iterator, Mapping, Sequence

from reconcile.dialect import load_dialect
from reconcile.finding import Finding, Severity
from reconcile.finding import vocabulary as found
from reconcile.finding.references import Judgement, Referred
from reconcile.finding.settings import Constant, Extraction, Setting
from reconcile.formula import Formula
from reconcile.known_model import known_models
from reconcile.mapping.ledger import Ledger
from reconcile.reference import Reference
from reconcile.selection import value
from reconcile.sources.vocabulary import Vocabulary
from reconcile.spec import Spec
from reconcile.taxonomy import Architecture, usual_architecture

MULTIPLES = tuple(2**power for power in range(3, 11))
"""What a table's rows are rounded up to, so that they divide well among processors and tensor cores."""


def compare_spec(spec: Spec) -> Iterator[Constant | Extraction]:
    """What the spec itself gives reason to say: what the builder cannot be told, and blocks that are left out."""
    for name, size in load_dialect(spec.builder).constants.items():
        if (claimed := spec.claimed.get(name, size)) != size:
            yield Constant(name, claimed=claimed, built=size, builder=spec.builder)
    if spec.blocks_reached < spec.blocks:
        outputs = spec.arguments["output_layer_num"]
        yield Extraction("encoder", asked=spec.blocks, reached=spec.blocks_reached, outputs=outputs)


def compare_setting(spec: Spec, reference: Reference, architecture: Architecture) -> Iterator[Setting]:
    """Where a spec differs from a published setting, and what each difference does to every quoted total."""
    wanted = {name: size for name, size in reference.dimensions.items() if isinstance(size, int)}
    known = {**wanted, **{name: size for name, size in spec.dimensions.items() if size is not None}}
    for name, published in wanted.items():
        here = spec.dimensions.get(name)
        if here is not None and here != published:
            # What it changes: a formula and its value, with the quoted totals that it applies to.
            changes: dict[tuple[Formula, int], tuple[str, ...]] = {}
            for total in architecture.quoted:
                whole = value(architecture.total(total, architecture.bare))
                if change := whole.substitute({name: here}) - whole.substitute({name: published}):
                    at = change, change.evaluate(known)
                    changes[at] = (*changes.get(at, ()), total)
            yield Setting(name, here=here, published=published, reference=reference, changes=changes)
    for argument, stated in reference.settings.items():
        said = spec.arguments.get(argument)
        if said is not None and said != stated:
            positions = spec.dimensions.get("P")
            yield Setting(argument, here=said, published=stated, reference=reference, positions=positions)


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


def compare_vocabulary(vocabulary: Vocabulary, size: int | None) -> Iterator[Finding]:
    """Whether a token embedding of `size` rows is the vocabulary's; `size` is None where the model's is not known."""
    at, known = ("V", size, vocabulary.entries), known_vocabularies(vocabulary.entries)
    multiple = padded_to(vocabulary.entries, size) if size else None
    severity: Severity = "note"
    if size is not None and size != vocabulary.entries and not multiple:
        severity = "error" if vocabulary.entries > size else "warning"
    model = known_vocabularies(size or 0)
    yield found.Entries(
        *at, vocabulary=vocabulary, known=known, model_known=model, multiple=multiple, severity=severity
    )
    if names := vocabulary.duplicates:
        yield found.VocabularyDuplicates("V", None, len(names), names=names[:5])


def padded_to(entries: int, size: int) -> int | None:
    """The largest usual multiple that `entries` rounded up to makes `size`; None where none does."""
    return next((each for each in reversed(MULTIPLES) if size > entries and -(-entries // each) * each == size), None)


def known_vocabularies(size: int) -> tuple[str, ...]:
    """The published models whose vocabulary has so many entries, those of the usual architecture first."""
    found = [model for model in known_models() if model.dimensions.get("V") == size]
    return tuple(model.name for model in sorted(found, key=lambda model: model.architecture != usual_architecture()))
