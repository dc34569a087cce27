"""What is printed as one document: one model or several, side by side, with what differs between them."""

import re
from collections.abc import Iterator, Sequence

from reconcile.frozen import dataclass
from reconcile.report.difference import DifferenceReport
from reconcile.report.heads import Heads, heads_of
from reconcile.report.side_by_side import SideBySide, side_by_side
from reconcile.report.tree import Branch, tree
from reconcile.report.types import Report

_UNSAFE = re.compile(r"[^\w.\[\],-]+")
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Shown:
    """One model as it is shown: its report, the tree of it, and one attention layer cut into heads if it has one.

    `verdict` is the sentence that it opens with, and `look` says how that looks: as agreeing, contradicted or open.
    `anchors` name the branches of the tree in the order in which it is walked, each name once in a document; all of
    them, and every other name on the page, start with `prefix`.
    """

    report: Report
    verdict: str
    look: str
    tree: Branch
    heads: Heads | None
    anchors: tuple[str, ...]
    number: int
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """One or several models, in one table where there are several, and what each has other than the first."""

    title: str
    models: tuple[Shown, ...]
    table: SideBySide | None = None
    differences: tuple[DifferenceReport, ...] = ()


def document(
    reports: Sequence[Report], title: str = "", differences: Sequence[DifferenceReport] = (), prefix: str = ""
) -> Document:
    """A document of these reports; its title is the only model's unless one is given.

    A `prefix` keeps its anchors apart from those of other documents on the same page.
    """
    many = len(reports) > 1
    shown = tuple(
        _shown(report, number, f"{prefix}{number}-" if many else prefix) for number, report in enumerate(reports, 1)
    )
    several = side_by_side([(one.report, one.tree) for one in shown]) if len(shown) > 1 else None
    title = title or (reports[0].subject.title if len(reports) == 1 else f"{len(reports)} models")
    return Document(title, shown, several, tuple(differences))


def _shown(report: Report, number: int, prefix: str) -> Shown:
    parts = tree(report)
    return Shown(
        report,
        report.opening[:1].upper() + report.opening[1:],
        report.look,
        parts,
        heads_of(report),
        tuple(_anchors(parts, prefix)),
        number,
        prefix,
    )


def _anchors(parts: Branch, prefix: str) -> Iterator[str]:
    """A name for each branch that an address can end with: its path, with a number where that was taken already."""
    taken: dict[str, int] = {}
    for branch in parts.walk():
        plain = prefix + (_UNSAFE.sub("-", branch.path)[:_LONGEST] or "total")
        taken[plain] = taken.get(plain, 0) + 1
        yield plain if taken[plain] == 1 else f"{plain}~{taken[plain]}"
