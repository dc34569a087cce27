"""Weights that did not load."""

from reconcile.finding import Fault
from reconcile.frozen import dataclass

KIND = "weights that did not load"
"""What an error is about that names no layer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadError(Fault):
    title: str
    lines: tuple[str, ...] = ()
    form = "{0.where}: {0.title}."
