"""Results as Python and notebooks show them: one line in a list, a text when printed, a tree or table in a cell."""

from dataclasses import fields
from typing import Any, TypeVar

import reconcile.claims.claim as claims
import reconcile.costing.report as costing
import reconcile.costing.verbalise as counting
import reconcile.explanation.answer as explanation
import reconcile.report.difference as differences
import reconcile.report.types as reports
from reconcile.render.neutral import one_line
from reconcile.render.registry import rendered


class Displayed:
    """A result that shows itself, in the words of the command that gives it."""

    __slots__ = ()

    def __repr__(self) -> str:
        """One line: what it is of, and what came of it."""
        return f"<{type(self).__name__} of {one_line(rendered(self, 'line'))}>"

    def __str__(self) -> str:
        return rendered(self, "text")

    def _repr_markdown_(self) -> str:
        return rendered(self, "markdown")

    def _repr_html_(self) -> str:
        """A cell of a notebook, whose look it leaves alone; it needs no script."""
        from reconcile.render.html import cell

        return cell(rendered(self, "body"))


class Report(Displayed, reports.Report):
    """What `read` and `build` give: one model, every parameter in its place; printed as the table, shown as a tree."""


class Answer(Displayed, explanation.Answer):
    """What `explain` gives for a count: its explanations, the likeliest first."""

    __slots__ = ()


class OperationsAnswer(Displayed, counting.OperationsAnswer):
    """What `explain` gives for a figure of operations: whose count of what it is."""

    __slots__ = ()


class Checked(Displayed, claims.Checked):
    """What `check` gives: every figure and equation of a text with its verdict."""

    __slots__ = ()


class Difference(Displayed, differences.DifferenceReport):
    """What `diff` gives: what the second model has other than the first, by component."""

    __slots__ = ()


class Cost(Displayed, costing.CostReport):
    """What `cost` gives: operations by component, and the bytes of what is kept."""

    __slots__ = ()


class Reports(Displayed, tuple[Report, ...]):
    """What `read_all` gives: the report of each model in a source, in its order."""

    __slots__ = ()

    def __repr__(self) -> str:
        """One line for all of them."""
        many = f"{len(self)} report{'s' if len(self) > 1 else ''}"
        return f"<{many}: {one_line('; '.join(f'{one.subject.name}, {one.total:,}' for one in self))}>"


Shown = TypeVar("Shown", bound=Displayed)


def displayed(kind: type[Shown], result: Any) -> Shown:
    """A result as one of a kind that shows itself."""
    return kind(**{field.name: getattr(result, field.name) for field in fields(result)})
