"""One attention layer cut into its heads, as the architecture says that each of its matrices is cut."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.selection import matches
from reconcile.taxonomy import load_architecture, template

if TYPE_CHECKING:
    from reconcile.report.types import Report


@dataclass(frozen=True, slots=True)
class Matrix:
    """One matrix of the layer: `rows` × `columns` values, its columns (or else its rows) cut among `heads`."""

    name: str
    rows: int
    columns: int
    heads: int
    by_columns: bool

    @property
    def size(self) -> int:
        """The parameters of the whole matrix, which no number of heads changes."""
        return self.rows * self.columns

    @property
    def width(self) -> int:
        """How many columns (or rows) one head has."""
        return (self.columns if self.by_columns else self.rows) // self.heads


@dataclass(frozen=True, slots=True)
class Heads:
    """The matrices of one attention layer. `assumed`: the number of heads is the usual one, and not known."""

    node: str
    words: str
    matrices: tuple[Matrix, ...]
    assumed: bool


def heads_of(report: "Report") -> Heads | None:
    """The attention layers of a report cut into heads; None where there are none, or their sizes are not known."""
    architecture = load_architecture(report.subject.architecture) if report.subject.architecture else None
    if architecture is None or architecture.heads is None:
        return None
    cut = architecture.heads
    if not any(matches(cut.of, template(part.path)) for part in report.components):
        return None
    sizes = architecture.with_usual(report.dimensions)
    shapes = {part.path: part.shape for part in architecture.components}
    matrices = [
        _matrix(name, shapes.get(f"{cut.of}.{name}", ()), sizes, heads, by_columns)
        for names, by_columns in ((cut.columns, True), (cut.rows, False))
        for name, heads in names.items()
    ]
    whole = tuple(matrix for matrix in matrices if matrix is not None)
    if len(whole) < len(matrices):
        return None
    counts = {*cut.columns.values(), *cut.rows.values()}
    return Heads(cut.of, architecture.say(cut.of), whole, any(report.dimensions.get(name) is None for name in counts))


def _matrix(
    name: str, shape: tuple[Formula, ...], sizes: Mapping[str, int | None], count: str, by_columns: bool
) -> Matrix | None:
    """One matrix in numbers; None where its shape is not known, or the heads do not divide it."""
    needed = {letter for axis in shape for letter in axis.dimensions} | {count}
    if len(shape) != 2 or any(not sizes.get(letter) for letter in needed):
        return None
    rows, columns = (axis.evaluate(sizes) for axis in shape)
    heads = sizes[count] or 1
    return None if (columns if by_columns else rows) % heads else Matrix(name, rows, columns, heads, by_columns)
