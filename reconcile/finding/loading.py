"""Weights that did not load."""

from dataclasses import dataclass

from reconcile.finding import Finding, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadError(Finding):
    """What an error of a load is about."""

    severity: Severity = "error"
    title: str
    form = "{0.where}: {0.title}."
