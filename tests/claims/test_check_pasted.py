"""A summary in a text: its rows are judged as the readers of summaries read them."""

from pathlib import Path

import pytest

from reconcile.claims.claim import Checked
from reconcile.pipeline.check import check

SUMMARY = (Path(__file__).parents[2] / "docs" / "examples" / "bert-base-summary.txt").read_text(encoding="utf-8")
AROUND = "Our model is a BERT base:\n\n{}\n\nIt has 109,705,010 parameters.\n"


def verdicts(checked: Checked, text: str) -> set[tuple[str, str | None]]:
    return {(claim.verdict, claim.path) for claim in checked.claims if claim.text == text}


@pytest.mark.parametrize("text", [SUMMARY, AROUND.format(SUMMARY)])
def test_rows_have_the_components_that_read_gives_them(text: str) -> None:
    """The rows with 2,362,368 are attention layers by their names; the sizes are those of the rows, V = 30,000."""
    checked = check(text, "text")
    assert verdicts(checked, "2362368") == {("holds", "encoder.block[*].attention")}
    assert verdicts(checked, "4722432") == {("holds", "encoder.block[*].feed_forward")}
    assert verdicts(checked, "590592") == {("holds", "mlm.transform"), ("holds", "pooler")}
    assert not [claim for claim in checked.claims if claim.verdict not in ("holds", "holds as")]


def test_a_row_with_another_count_is_wrong() -> None:
    checked = check(SUMMARY.replace("2362368", "2362386", 1), "text")
    (wrong,) = (claim for claim in checked.claims if claim.verdict == "mismatch")
    assert (wrong.text, wrong.expected) == ("2362386", 2_362_368)


def test_what_only_looks_like_a_summary_is_prose() -> None:
    text = "The header is Layer (type) and Param #. BERT base has 109,482,240 parameters."
    assert verdicts(check(text, "text"), "109,482,240 parameters") == {("holds", "backbone+pooler")}
