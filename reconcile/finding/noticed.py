"""Findings that differ by their words alone: a severity and a sentence for each kind, from `noticed.toml`."""

from collections.abc import Mapping, Sequence
from functools import cache

from reconcile.datafile import packaged
from reconcile.finding import SEVERITIES, Doubt, Finding, Severity
from reconcile.frozen import dataclass
from reconcile.inventory import Remark
from reconcile.phrases import at_most, listed, number


@dataclass(frozen=True, slots=True, kw_only=True)
class Worded(Finding):
    """A kind of the table, with what is `shown` where it is."""

    what: str
    shown: str = ""

    @property
    def kind(self) -> str:
        return self.what

    def say(self) -> str:
        value, expected = ("" if count is None else number(count) for count in (self.actual, self.expected))
        _, form = _known().get(self.kind, ("note", "{where}: {shown}"))
        texts = {"where": self.where, "shown": self.shown or "nothing", "value": value, "expected": expected}
        return form.format(**texts, off=self.off) + "."


@dataclass(frozen=True, slots=True, kw_only=True)
class TextForeignLine(Finding):
    shown: str

    def say(self) -> str:
        lines = self.actual or 1
        what = "1 line that is" if lines == 1 else f"{lines} lines that are"
        return f"{what} no part of the table left out, from {self.shown!r} on."


@dataclass(frozen=True, slots=True, kw_only=True)
class FileNotExecuted(Doubt):
    names: Sequence[str]

    def say(self) -> str:
        what = "it was" if len(self.names) == 1 else "they were"
        return f"the file asks for {listed(at_most(self.names))}: {what} neither imported nor called."


def worded(kind: str, where: str, expected: int | None = None, actual: int | None = None, shown: str = "") -> Worded:
    """A finding of a kind that the table words; one that it does not know is a note."""
    severity, _ = _known().get(kind, ("note", ""))
    return Worded(where, expected, actual, severity=severity, what=kind, shown=shown)


def noticed(remark: Remark, prefix: str = "file") -> Finding:
    """What a reader noticed; of a `text`, what every source may have is told as of a file."""
    if remark.kind == "foreign-line":
        return TextForeignLine(remark.where, None, remark.value, shown=remark.shown)
    kind = f"{prefix}-{remark.kind}"
    return worded(kind if kind in _known() else f"file-{remark.kind}", remark.where, None, remark.value, remark.shown)


@cache
def _known() -> Mapping[str, tuple[Severity, str]]:
    table = packaged("finding", "noticed")
    return {kind: (severity, form) for severity in SEVERITIES for kind, form in table[severity].items()}
