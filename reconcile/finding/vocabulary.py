"""A vocabulary file beside a model."""

from dataclasses import dataclass

from reconcile.finding import Finding
from reconcile.phrases import listed, number
from reconcile.sources.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class VocabularyAlone(Finding):
    """A vocabulary beside a model that does not show its own; `known` are the published models of such a one."""

    vocabulary: Vocabulary
    known: tuple[str, ...]

    @property
    def explanation(self) -> str:
        return f"{self._file}; {self._compared}{self._kinds}."

    @property
    def _compared(self) -> str:
        return "how many rows the token embedding has is not known"

    @property
    def _file(self) -> str:
        return f"{self.vocabulary.file} has {number(self.vocabulary.entries)} entries{_models(' ({})', self.known)}"

    @property
    def _kinds(self) -> str:
        """What else the entries show: case, places kept free, blank lines, added tokens."""
        one = self.vocabulary
        said = [] if one.cased is None else ["cased" if one.cased else "lower case only"]
        said += [f"{number(one.unused)} kept free"] if one.unused else []
        said += [f"{number(one.added)} added behind the others"] if one.added else []
        said += [f"{number(one.blank)} blank lines at the end, not counted"] if one.blank else []
        return f" ({'; '.join(said)})" if said else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VocabularyAgrees(VocabularyAlone):
    """A vocabulary of as many entries as the table has rows."""

    @property
    def explanation(self) -> str:
        return f"{self._file}, as many as the token embedding has rows{self._kinds}."


@dataclass(frozen=True, slots=True, kw_only=True)
class VocabularyPadded(VocabularyAlone):
    """A table whose rows are the entries rounded up."""

    multiple: int

    @property
    def _compared(self) -> str:
        rows = number(self.expected or 0)
        up = f"rounded up to a multiple of {self.multiple}: {number(-(self.difference or 0))} rows stand for no word"
        return f"the token embedding has {rows} rows, that number {up}"


@dataclass(frozen=True, slots=True, kw_only=True)
class VocabularyDiffers(VocabularyAlone):
    """A table of other rows; `model_known` are the published models with so many."""

    model_known: tuple[str, ...]

    @property
    def explanation(self) -> str:
        more, of = self.difference or 0, _models(", as in {}", self.model_known)
        if more > 0:
            what = f"{number(more)} entries have no row: the file is another model's, or tokens were added to it"
        else:
            what = f"{number(-more)} rows have no entry: the file is another model's, or the table was resized"
        return f"{self._file}, and the token embedding {number(self.expected or 0)} rows{of}: {what}{self._kinds}."


@dataclass(frozen=True, slots=True, kw_only=True)
class VocabularyDuplicates(Finding):
    """Entries that occur more than once, `names` the first of them."""

    names: tuple[str, ...]

    @property
    def explanation(self) -> str:
        more = " and others" if (self.actual or 0) > len(self.names) else ""
        return (
            f"{number(self.actual or 0)} entries of the vocabulary occur more than once "
            f"({', '.join(map(repr, self.names))}{more}): the table has a row for each, and only one is used."
        )


def _models(form: str, names: tuple[str, ...]) -> str:
    more = f" and {len(names) - 2} more" if len(names) > 2 else ""
    return form.format(listed(names[:2]) + more) if names else ""
