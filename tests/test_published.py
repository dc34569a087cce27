"""Published figures judged by their own dimensions: the program says what a reader who worked them out says."""

import pytest
from support import written_by

from reconcile.reference import all_references
from reconcile.render.markdown import plain_text
from reconcile.taxonomy import architecture_names

published = written_by("published")
judge_published = published.judge_published
ALL = all_references()
COUNTED = [name for name, one in ALL.items() if one.counts_parameters and one.architecture in architecture_names()]
OPEN = {name for name in COUNTED if judge_published(ALL[name]).verdict == "cannot say"}


@pytest.mark.parametrize("name", COUNTED)
def test_the_verdict_is_the_readers(name: str) -> None:
    if name not in OPEN:
        assert judge_published(ALL[name]).verdict == ALL[name].verdict


def test_few_are_left_open() -> None:
    assert len(OPEN) <= 3
    assert len(COUNTED) - len(OPEN) > 60


def test_the_papers_figure_holds_as_several_totals() -> None:
    judged = judge_published(ALL["bert-paper-base"])
    assert (judged.verdict, judged.definition, judged.total) == ("holds as", "pretraining", 109_705_010)


def test_a_figure_that_no_named_total_makes_holds_as_its_own_selection() -> None:
    judged = judge_published(ALL["tfhub-base"])
    assert (judged.verdict, judged.definition, judged.total) == ("holds as", published.ACCOUNT, 109_482_241)


def test_every_reference_is_listed_with_a_verdict() -> None:
    text = published.render(judge_published(one) for one in ALL.values())
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    for name, reference in ALL.items():
        (row,) = [row for row in rows if row.startswith(f"| {plain_text(name)} ")]
        assert plain_text(reference.subject) in row
        assert any(verdict in row for verdict in ("holds", "does not hold", "cannot say"))
