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
    "meant-other": "meant",
    "meant-dimension": "meant",
    "meant-option": "meant",
    "meant-heads": "meant",
    "meant-same": "meant",
    "meant-total": "meant",
    "reference-holds": "references",
    "reference-holds-as": "references",
    "reference-does-not-hold": "references",
    "reference-cannot-say": "references",
    "heads-unstated": "stored",
    "layout": "stored",
    "one-array": "stored",
    "beside": "stored",
    "no-known-model": "stored",
    "no-parameters": "stored",
    "dimensions": "stored",
    "frozen-parts": "stored",
    "heads-beside": "stored",
    "bytes": "stored",
    "load-error": "stored",
    "vocabulary-agrees": "vocabulary",
    "vocabulary-alone": "vocabulary",
    "vocabulary-padded": "vocabulary",
    "vocabulary-differs": "vocabulary",
    "vocabulary-duplicates": "vocabulary",
}


def sentence(finding: Finding) -> str:
    """What a finding says, in full: the numbers, and why they are as they are."""
    family = "stored" if finding.kind.startswith("file-") else _FAMILIES.get(finding.kind, "summary")
    sentences = import_module(f"reconcile.explanation.words.{family}").SENTENCES
    kind = finding.kind if finding.kind in sentences else finding.kind.split("-")[0]
    return str(sentences[kind](finding))
