"""A vocabulary file beside a model."""

from reconcile.finding import Doubt, Finding
from reconcile.frozen import dataclass
from reconcile.phrases import listed, number
from reconcile.sources.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries(Finding):
    """A vocabulary against the rows of a table, where they are known; `multiple` is what these are rounded up to.

    `known` and `model_known` are the published models with so many entries, and with so many rows.
    """

    vocabulary: Vocabulary
    known: tuple[str, ...]
    model_known: tuple[str, ...] = ()
    multiple: int | None = None

    @property
    def kind(self) -> str:
        if self.difference is None:
            return "vocabulary-alone"
        return f"vocabulary-{'padded' if self.multiple else 'differs' if self.difference else 'agrees'}"

    def say(self) -> str:
        file = f"{self.vocabulary.file} has {number(self.vocabulary.entries)} entries{_models(' ({})', self.known)}"
        return f"{file}{self._compared}{_shown(self.vocabulary)}."

    @property
    def _compared(self) -> str:
        rows, more = number(self.expected or 0), self.difference
        if more is None:
            return "; how many rows the token embedding has is not known"
        if more == 0:
            return ", as many as the token embedding has rows"
        if self.multiple:
            up = f"that number rounded up to a multiple of {self.multiple}: {number(-more)} rows stand for no word"
            return f"; the token embedding has {rows} rows, {up}"
        what = f"{number(-more)} rows have no entry: the file is another model's, or the table was resized"
        if more > 0:
            what = f"{number(more)} entries have no row: the file is another model's, or tokens were added to it"
        return f", and the token embedding {rows} rows{_models(', as in {}', self.model_known)}: {what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class VocabularyDuplicates(Doubt):
    names: tuple[str, ...]

    def say(self) -> str:
        more = " and others" if (self.actual or 0) > len(self.names) else ""
        return (
            f"{number(self.actual or 0)} entries of the vocabulary occur more than once "
            f"({', '.join(map(repr, self.names))}{more}): the table has a row for each, and only one is used."
        )


def _shown(one: Vocabulary) -> str:
    """What else the entries show: case, places kept free, blank lines, added tokens."""
    said = [] if one.cased is None else ["cased" if one.cased else "lower case only"]
    said += [f"{number(one.unused)} kept free"] if one.unused else []
    said += [f"{number(one.added)} added behind the others"] if one.added else []
    said += [f"{number(one.blank)} blank lines at the end, not counted"] if one.blank else []
    return f" ({'; '.join(said)})" if said else ""


def _models(form: str, names: tuple[str, ...]) -> str:
    more = f" and {len(names) - 2} more" if len(names) > 2 else ""
    return form.format(listed(names[:2]) + more) if names else ""
