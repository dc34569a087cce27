"""What a renderer is given: everything decided, nothing left to count or to word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from reconcile.frozen import dataclass
from reconcile.inventory import Bounds
from reconcile.mapping.standing import AGREES, CONTRADICTS, FITS, Standing

if TYPE_CHECKING:
    from reconcile.finding import Finding
    from reconcile.finding.references import Judgement
    from reconcile.mapping.ledger import Assignment, Excluded, Placed, Recognised, Unmapped


@dataclass(frozen=True, slots=True)
class Subject:
    """What is reconciled: its name and title, where it comes from, and how it was made."""

    name: str
    title: str
    source: str
    dialect: str | None
    architecture: str | None
    made: str = "-"
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: `times` equal nodes of `each` parameters. `each` × `times` is `total`."""

    node: str
    formula: str
    each: int
    times: int
    verdict: str

    @property
    def total(self) -> int:
        """The parameters of the whole line."""
        return self.each * self.times


@dataclass(frozen=True, slots=True)
class Passage:
    """An answer under a heading, one sentence or equation to a line, and `brief`ly in a sentence or two.

    `miscounts` are how people count it wrongly, those that the source itself states in `made`.
    """

    title: str
    lines: tuple[str, ...]
    brief: str = ""
    miscounts: tuple[str, ...] = ()
    made: tuple[str, ...] = ()


SUMMARY = "Keras summary"
"""The title of what `model.summary()` printed."""


@dataclass(frozen=True, slots=True)
class LayerLine:
    """One layer of the source: the nodes it holds and the terms that its count is the sum of."""

    placed: Placed
    parts: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Report:
    """One reconciliation. `rows` add up to `total`, which is that of what was read where this is `partial`.

    `opening` is the verdict in one sentence and `standing` how much is verified; `verdicts` are those on `components`,
    `models` all that the source holds; `bounds` are the least and the most of a model whose counts are rounded;
    `bound` says before the total whether it is the least or the most that the model has.
    """

    command: str
    subject: Subject
    dimensions: Mapping[str, int | None]
    defaulted: Mapping[str, Any]
    total: int
    accounted: int
    residual: int
    trainable: int | None
    non_trainable: int | None
    totals: Mapping[str, int | None]
    rows: tuple[Row, ...]
    components: tuple[Assignment, ...]
    layers: tuple[LayerLine, ...]
    unmapped: tuple[Unmapped, ...]
    excluded: tuple[Excluded, ...]
    judgements: tuple[Judgement, ...]
    findings: tuple[Finding, ...]
    answers: tuple[Passage, ...]
    opening: str = ""
    standing: Standing = field(default_factory=Standing)
    verdicts: tuple[str, ...] = ()
    models: tuple[Recognised, ...] = ()
    partial: bool = False
    bound: str = ""
    bounds: Bounds | None = None

    @property
    def look(self) -> str:
        """Whether it agrees wholly, is contradicted, or leaves something open."""
        if any(finding.severity == "error" for finding in self.findings):
            return CONTRADICTS
        return AGREES if self.standing.verified == self.standing.total and not self.residual else FITS
