"""A vocabulary file against the rows of the token embedding: the same, padded, resized, or another model's."""

from collections.abc import Iterator

from reconcile.finding import Finding, Severity
from reconcile.finding import vocabulary as found
from reconcile.known_model import known_models
from reconcile.sources.vocabulary import Vocabulary
from reconcile.taxonomy import usual_architecture

MULTIPLES = tuple(2**power for power in range(3, 11))
"""What a table's rows are rounded up to, so that they divide well among processors and tensor cores."""


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
