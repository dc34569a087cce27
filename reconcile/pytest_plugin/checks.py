"""A model in a test against its formulas, a spec or another model; what fails is told as a table."""

from typing import Any, NoReturn

import pytest

from reconcile.errors import ReconcileError
from reconcile.finding import SEVERITIES, at_or_above
from reconcile.pipeline.diff import compare_opened
from reconcile.pipeline.given import open_one
from reconcile.pipeline.opened import Opened
from reconcile.render.findings import findings_table
from reconcile.render.neutral import neutral, printable
from reconcile.render.registry import rendered
from reconcile.report.types import Report

THIS, OTHER = "this model", "the other"


def fail(message: str) -> NoReturn:
    """Fail a test with a message alone; names in it may hold what would steer a terminal."""
    __tracebackhide__ = True
    pytest.fail(printable(message), pytrace=False)


def opened(model_or_source: Any, spec: str | None = None, index: int | None = None) -> Opened:
    """A model or source, reconciled; the test fails with one line for one that cannot be read."""
    __tracebackhide__ = True
    if isinstance(model_or_source, Opened) and spec is None and index is None:
        return model_or_source
    try:
        return open_one(model_or_source, spec=spec, index=index)
    except ReconcileError as error:
        fail(f"reconcile: {error}")


def check(
    model_or_source: Any,
    *,
    spec: str | None = None,
    against: Any = None,
    fail_on: str = "error",
    index: int | None = None,
    against_index: int | None = None,
) -> Report:
    """Fail unless a model or source reconciles; the report of it."""
    __tracebackhide__ = True
    if fail_on not in (*SEVERITIES, "never"):
        raise ValueError(f"fail_on: {fail_on!r}, takes error, warning, note or never")
    one = opened(model_or_source, spec, index)
    report = one.report("read")
    if any(at_or_above(finding.severity, fail_on) for finding in report.findings):
        fail(findings_table(neutral(report), fail_on))
    if against is not None:
        difference = compare_opened(opened(against, index=against_index), one, (OTHER, THIS))
        if any(at_or_above(line.severity, fail_on) for line in difference.lines):
            fail(rendered(difference, "text"))
    return report
