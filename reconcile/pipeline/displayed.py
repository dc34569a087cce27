"""Reports as Python and notebooks show them."""

from dataclasses import fields

from reconcile.render.registry import rendered
from reconcile.report.types import Report


class Displayed(Report):
    """A report that prints as `reconcile read` prints it, and unfolds in a cell of a notebook."""

    def __repr__(self) -> str:
        """One line: what it is of, how many parameters, and the verdict."""
        return f"<Report of {self.subject.name}: {self.total:,} parameters; {self.opening}>"

    def __str__(self) -> str:
        return rendered(self, "text")

    def _repr_markdown_(self) -> str:
        return rendered(self, "markdown")

    def _repr_html_(self) -> str:
        return rendered(self, "cell")


def displayed(report: Report) -> Displayed:
    """The same report, for somebody who looks at it."""
    return Displayed(**{field.name: getattr(report, field.name) for field in fields(report)})
