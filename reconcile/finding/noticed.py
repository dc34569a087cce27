"""What a reader noticed of its source: a severity and a sentence for each kind of remark, from `noticed.toml`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from reconcile.datafile import PACKAGE, read_toml
from reconcile.finding import SEVERITIES, Finding, Severity
from reconcile.inventory import Remark
from reconcile.phrases import at_most, listed, number


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed(Finding):
    """Something at `where`, with what is `shown` there."""

    what: str
    shown: str

    @property
    def kind(self) -> str:
        return self.what

    @property
    def explanation(self) -> str:
        value = "" if self.actual is None else number(self.actual)
        _, form = _known().get(self.kind, ("note", "{where}: {shown}"))
        return form.format(where=self.where, shown=self.shown or "nothing", value=value) + "."


@dataclass(frozen=True, slots=True, kw_only=True)
class TextForeignLine(Finding):
    """Lines that are no part of a table."""

    shown: str

    @property
    def explanation(self) -> str:
        lines = self.actual or 1
        what = "1 line that is" if lines == 1 else f"{lines} lines that are"
        return f"{what} no part of the table left out, from {self.shown!r} on."


@dataclass(frozen=True, slots=True, kw_only=True)
class FileNotExecuted(Finding):
    """All that a file asks to be called."""

    severity: Severity = "warning"
    names: Sequence[str]

    @property
    def explanation(self) -> str:
        what = "it was" if len(self.names) == 1 else "they were"
        return f"the file asks for {listed(at_most(self.names))}: {what} neither imported nor called."


def noticed(remark: Remark, prefix: str = "file") -> Finding:
    """A remark as a finding; one on a `form` that other sources get too is one on a file."""
    if remark.kind == "foreign-line":
        return TextForeignLine(remark.where, None, remark.value, shown=remark.shown)
    kind = f"{prefix}-{remark.kind}"
    kind = kind if kind in _known() else f"file-{remark.kind}"
    severity, _ = _known().get(kind, ("note", ""))
    return Noticed(remark.where, None, remark.value, severity=severity, what=kind, shown=remark.shown)


@cache
def _known() -> Mapping[str, tuple[Severity, str]]:
    """Each kind that has words of its own, with its severity."""
    table = read_toml(PACKAGE / "finding" / "noticed.toml")
    return {kind: (severity, form) for severity in SEVERITIES for kind, form in table[severity].items()}
