"""Rows made into layers, with what must be said about their counts."""

import re
from dataclasses import dataclass

from reconcile.inventory import Layer, Remark
from reconcile.sources.summary.footer import whole_number
from reconcile.sources.summary.rows import Row
from reconcile.sources.summary.tables import Table

CUT = ("\u2026", "...", "\u22ef")
_NOTE = re.compile(r"([0-9][0-9,_]*) *\(([a-z]*)(\u2026|\)|$)")
_NOTES = {"unused": "unused", "unbuilt": "unbuilt"}
_FLAGS = {"Y": True, "N": False}
_QUOTED = re.compile(r"'([^',]+)")
_ITEMS = re.compile(r",\s*|(?<=\u2026)\s+")
_TIGHT = re.compile(r"([,:=])\s+")
_LOOSE = re.compile(r",(?=[^\s)\]}])|(?<=['\"]):(?=\S)")


@dataclass(frozen=True, slots=True)
class Count:
    """A count as read: None where it cannot be. Not `sure` where it holds only if the rows add up to the total."""

    value: int | None
    shown: str
    kind: str = ""
    sure: bool = True
