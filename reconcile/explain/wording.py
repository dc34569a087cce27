"""Puts a finding's facts into one plain sentence: finds the family of its kind, and in it the words."""

from importlib import import_module

from reconcile.finding import Finding

# A family's words are read when the first finding of it is told: most commands need one or two of them.
_FAMILIES = {
    "count": "counts",
    "shape": "counts",
    "tied": "counts",
    "missing": "counts",
    "unexpected": "counts",
    "unmapped": "counts",
    "residual": "counts",
    "extraction": "settings",
    "constant": "settings",
    "setting": "settings",
    "setting-count": "settings",
    "setting-agrees": "settings",
    "reference-holds": "references",
    "reference-holds-as": "references",
    "reference-does-not-hold": "references",
    "reference-cannot-say": "references",
}


def sentence(finding: Finding) -> str:
    """What a finding says, in full: the numbers, and why they are as they are."""
    sentences = import_module(f"reconcile.explain.words.{_FAMILIES.get(finding.kind, 'summary')}").SENTENCES
    kind = finding.kind if finding.kind in sentences else finding.kind.split("-")[0]
    return str(sentences[kind](finding))
