"""Several models in one table: a row to each kind of component, a column to each model."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from reconcile.frozen import dataclass
from reconcile.report.tree import Branch
from reconcile.report.types import Report, Subject


@dataclass(frozen=True, slots=True)
class SideRow:
    """One kind of component: its parameters in each model, all equal ones together; None where a model has none."""

    path: str
    formula: str
    counts: tuple[int | None, ...]

    @property
    def differs(self) -> bool:
        """Whether the models do not all have the same here."""
        return len(set(self.counts)) > 1


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The rows in the order of the models; each column adds up to the model's total."""

    names: tuple[str, ...]
    rows: tuple[SideRow, ...]
    totals: tuple[int, ...]


def side_by_side(models: Sequence[tuple[Report, Branch]]) -> SideBySide:
    """The table of several models; what is no component of an architecture stands under its own name."""
    columns = [_counts(branch) for _, branch in models]
    formulas: dict[str, str] = {}
    for _, branch in models:
        for row in _tops(branch, ""):
            formulas.setdefault(row.row, row.formula)
    rows = tuple(SideRow(row, formulas[row], tuple(column.get(row) for column in columns)) for row in formulas)
    return SideBySide(
        model_names([report.subject for report, _ in models]), rows, tuple(branch.total for _, branch in models)
    )


def model_names(subjects: Sequence[Subject]) -> tuple[str, ...]:
    """What several models are called: a path by its last part where that will do, with a number where two are alike."""
    names = [subject.name for subject in subjects]
    short = [PurePath(name).name or name for name in names]
    names = short if len(set(short)) == len(set(names)) else names
    return tuple(name if names.count(name) == 1 else f"{name} ({number})" for number, name in enumerate(names, 1))


def _counts(branch: Branch) -> dict[str, int]:
    counts: dict[str, int] = {}
    for top in _tops(branch, ""):
        counts[top.row] = counts.get(top.row, 0) + top.total
    return counts


def _tops(branch: Branch, above: str) -> Iterator[Branch]:
    """The highest branches of each row of the default table, in order."""
    if branch.row and branch.row != above:
        yield branch
    elif not branch.row:
        for child in branch.children:
            yield from _tops(child, branch.row)
