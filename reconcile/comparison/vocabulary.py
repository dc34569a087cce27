"""A vocabulary file against the rows of the token embedding: the same, padded, resized, or another model's."""

from collections.abc import Iterator

from reconcile.finding import Finding, Severity
from reconcile.known_model import known_models
from reconcile.sources.vocabulary import Vocabulary

MULTIPLES = (8, 16, 32, 64, 128, 256, 512, 1024)
"""What a table's rows are rounded up to, so that they divide well among processors and tensor cores."""


def compare_vocabulary(vocabulary: Vocabulary, size: int | None) -> Iterator[Finding]:
    """Whether a token embedding of `size` rows is the vocabulary's; `size` is None where the model's is not known."""
    facts = {"vocabulary": vocabulary, "known": known_vocabularies(vocabulary.entries)}
    if size is None:
        yield Finding("vocabulary-alone", "note", "V", None, vocabulary.entries, facts)
    elif vocabulary.entries == size:
        yield Finding("vocabulary-agrees", "note", "V", size, vocabulary.entries, facts)
    elif multiple := padded_to(vocabulary.entries, size):
        yield Finding("vocabulary-padded", "note", "V", size, vocabulary.entries, {**facts, "multiple": multiple})
    else:
        more = {"model_known": known_vocabularies(size), "needs_rows": vocabulary.entries > size}
        severity: Severity = "error" if vocabulary.entries > size else "warning"
        yield Finding("vocabulary-differs", severity, "V", size, vocabulary.entries, {**facts, **more})
    if vocabulary.duplicates:
        names = vocabulary.duplicates
        yield Finding("vocabulary-duplicates", "warning", "V", None, len(names), {**facts, "names": names[:5]})


def padded_to(entries: int, size: int) -> int | None:
    """The largest usual multiple that `entries` rounded up to makes `size`; None where none does."""
    return next((each for each in reversed(MULTIPLES) if size > entries and -(-entries // each) * each == size), None)


def known_vocabularies(size: int) -> tuple[str, ...]:
    """The published models whose vocabulary has so many entries, BERT's own first."""
    found = [model for model in known_models() if model.dimensions.get("V") == size]
    return tuple(model.name for model in sorted(found, key=lambda model: model.architecture != "bert"))
