"""Weights that did not load."""

from dataclasses import dataclass

from reconcile.finding import Finding, Severity

KIND = "weights that did not load"
"""What an error is about that names no layer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadError(Finding):
    """One error of a load: what it is in a few words, and what is behind it, a sentence to a line."""

    severity: Severity = "error"
    title: str
    lines: tuple[str, ...] = ()
    form = "{0.where}: {0.title}."
