"""The sentences for a vocabulary file beside a model."""

from collections.abc import Callable

from reconcile.explanation.phrases import listed, number
from reconcile.finding import Finding


def _agrees(finding: Finding) -> str:
    return f"{_file(finding)}, as many as the token embedding has rows{_kinds(finding)}."


def _alone(finding: Finding) -> str:
    return f"{_file(finding)}; how many rows the token embedding has is not known{_kinds(finding)}."


def _padded(finding: Finding) -> str:
    rest = (finding.expected or 0) - (finding.actual or 0)
    return (
        f"{_file(finding)}; the token embedding has {number(finding.expected or 0)} rows, that number rounded up to a "
        f"multiple of {finding.facts['multiple']}: {number(rest)} rows stand for no word{_kinds(finding)}."
    )


def _differs(finding: Finding) -> str:
    size, entries = finding.expected or 0, finding.actual or 0
    known = finding.facts["model_known"]
    of = f", as in {_models(known)}" if known else ""
    if finding.facts["needs_rows"]:
        what = f"{number(entries - size)} entries have no row: the file is another model's, or tokens were added to it"
    else:
        what = f"{number(size - entries)} rows have no entry: the file is another model's, or the table was resized"
    return f"{_file(finding)}, and the token embedding {number(size)} rows{of}: {what}{_kinds(finding)}."


def _duplicates(finding: Finding) -> str:
    names, count = finding.facts["names"], finding.actual or 0
    more = " and others" if count > len(names) else ""
    return (
        f"{number(count)} entries of the vocabulary occur more than once ({', '.join(map(repr, names))}{more}): "
        f"the table has a row for each, and only one is used."
    )


def _file(finding: Finding) -> str:
    vocabulary, known = finding.facts["vocabulary"], finding.facts["known"]
    of = f" ({_models(known)})" if known else ""
    return f"{vocabulary.file} has {number(finding.actual or 0)} entries{of}"


def _models(names: tuple[str, ...]) -> str:
    return listed(names[:2]) + (f" and {len(names) - 2} more" if len(names) > 2 else "")


def _kinds(finding: Finding) -> str:
    """What else the entries show: case, places kept free, blank lines, added tokens."""
    vocabulary = finding.facts["vocabulary"]
    cased = {True: "cased", False: "lower case only", None: ""}[vocabulary.cased]
    said = [cased] if cased else []
    said += [f"{number(vocabulary.unused)} kept free"] if vocabulary.unused else []
    said += [f"{number(vocabulary.added)} added behind the others"] if vocabulary.added else []
    said += [f"{number(vocabulary.blank)} blank lines at the end, not counted"] if vocabulary.blank else []
    return f" ({'; '.join(said)})" if said else ""


SENTENCES: dict[str, Callable[[Finding], str]] = {
    "vocabulary-agrees": _agrees,
    "vocabulary-alone": _alone,
    "vocabulary-padded": _padded,
    "vocabulary-differs": _differs,
    "vocabulary-duplicates": _duplicates,
}
