"""Findings: each kind a class, whose sentence needs no other facts than its own."""

from string import Formatter

import pytest

from reconcile.comparison import against_checkpoint, counts, stated, summary
from reconcile.datafile import packaged
from reconcile.finding import KEYS, Doubt, Fault, Finding
from reconcile.finding.counts import Count, Tied, Unmapped
from reconcile.finding.noticed import noticed, worded
from reconcile.finding.rows import RowSum
from reconcile.inventory import Remark

COMPARED = (against_checkpoint, counts, stated, summary)
"""The modules that make findings; importing them makes every class known."""


def every(kind: type[Finding] = Finding) -> list[type[Finding]]:
    return [one for below in kind.__subclasses__() if "__slots__" in vars(below) for one in (below, *every(below))]


@pytest.mark.parametrize("kind", every(), ids=lambda kind: kind.__name__)
def test_a_form_names_only_what_its_class_has(kind: type[Finding]) -> None:
    fields = [name for _, name, _, _ in Formatter().parse(kind.form) if name]
    assert all(name.startswith("0.") and hasattr(kind, name.removeprefix("0.")) for name in fields)
    assert kind.form or kind.say is not Finding.say or kind in (Fault, Doubt)


TABLE = [(severity, kind) for severity, forms in packaged("finding", "noticed").items() for kind in forms]


@pytest.mark.parametrize(("severity", "kind"), TABLE, ids=[kind for _, kind in TABLE])
def test_a_form_of_the_table_is_filled(severity: str, kind: str) -> None:
    found = worded(kind, "embeddings", 30_522, 30_528, "shown")
    assert (found.kind, found.severity) == (kind, severity)
    assert found.explanation.endswith(".")
    assert "{" not in found.explanation
    assert "{off}" not in packaged("finding", "noticed")[severity][kind] or "+6" in found.explanation


def test_every_kind_is_found() -> None:
    assert len(every()) > 35


@pytest.mark.parametrize(
    ("finding", "kind", "severity", "difference", "says"),
    [
        (Count("a", 6, 4, formula="H·F"), "count", "error", -2, "a has 4 parameters where H·F makes 6: −2."),
        (
            Count("a", 6, 4, formula="H·F", shapes=((2, 2), (2, 3))),
            *("count", "error", -2, "a has 4 parameters where H·F makes 6: −2 (shape (2, 2), expected (2, 3))."),
        ),
        (
            Count("a", 6, 8, formula="H·F", needs=("F", 4, 3)),
            *("count", "error", 2, "a has 8 parameters, which is H·F for F = 4, while the rest has F = 3 (6): +2."),
        ),
        (
            Tied("a", formula="V·H", tied_to="b", size=23_440_896),
            *("tied", "note", None, "a (V·H = 23,440,896) is b: one matrix under two names, counted once."),
        ),
        (
            worded("residual", "total", 5, 7),
            *("residual", "error", 2, "The total of 7 differs by +2 from the 5 that the components add up to."),
        ),
        (
            Unmapped("a", None, 5, class_name="", why="no rule", more=1),
            *("unmapped", "warning", None, "a and one more (5 parameters each) are not assigned: no rule."),
        ),
        (
            RowSum("total", 5, 7, without=["a", "b"], cut=True, lacking=[]),
            *("row-sum", "error", 2),
            "the rows add up to 5 and the total is 7, 2 more: for a and b, whose counts cannot be read; the text looks "
            "cut off, so rows may be missing.",
        ),
        (
            noticed(Remark("link", "a", "b"), "text"),
            *("file-link", "note", None, "a is a link to b: it counts once."),
        ),
        (
            noticed(Remark("no-count", "a", ""), "text"),
            *("text-no-count", "warning", None),
            "where the count of a belongs the text shows nothing: it is unknown.",
        ),
        (noticed(Remark("unheard-of", "a", "b", 3)), "file-unheard-of", "note", None, "a: b."),
    ],
)  # fmt: skip
def test_a_finding_says_what_it_has(finding: Finding, kind: str, severity: str, difference: int, says: str) -> None:
    assert (finding.kind, finding.severity, finding.difference, finding.explanation) == (
        kind,
        severity,
        difference,
        says,
    )
    assert tuple(finding.facts) == KEYS
