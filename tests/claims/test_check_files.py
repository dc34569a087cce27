"""Sizes of files: what a file holds for each weight."""

from pathlib import Path

import pytest

from reconcile.claims.claim import FINDINGS, Claim
from reconcile.pipeline.check import check


def claim_at(text: str, at: str) -> Claim:
    return next(claim for claim in check(text, "text").claims if claim.text.startswith(at))


def test_a_file_that_grew_by_training() -> None:
    text = "The file has 810 MB after saving, and after training with Adam 2.4 GB."
    said = claim_at(text, "2.4 GB").explanation
    assert "Adam's two moments" in said
    assert "202,500,000 of them" in said  # 810,000,000/4
    assert "= 2,430,000,000 bytes" in said  # 3 · 810,000,000


def test_nothing_is_said_of_a_file_that_grew_by_no_known_multiple() -> None:
    text = "The file has 810 MB after saving, and after training with Adam 1.2 GB."
    assert all("fits" not in claim.explanation for claim in check(text, "text").claims)


def test_a_checkpoint_of_a_stated_count() -> None:
    text = "The checkpoint file model.pt is 2.5G.\nThe model has 213M parameters."
    said = claim_at(text, "2.5G").explanation
    assert "213M parameters with weights of four bytes and Adam's two moments" in said
    assert "12 bytes each, 2,556,000,000 bytes" in said  # 12 · 213,000,000


@pytest.mark.parametrize("size", ["9.9G", "1.9 GB"])
def test_a_size_that_no_kind_of_file_has(size: str) -> None:
    text = f"The checkpoint file model.pt is {size}.\nThe model has 213M parameters."
    assert all("it fits" not in claim.explanation for claim in check(text, "text").claims)


REPORTS = sorted((Path(__file__).parents[2] / "reports").glob("bert-*.md"))


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.stem)
def test_nothing_in_a_report_is_accused(report: Path) -> None:
    """What `report` prints is worked out by formulas, whatever the number of heads and layers is."""
    claims = check(report.read_text("utf-8"), report.name).claims
    assert [claim.text for claim in claims if claim.verdict in FINDINGS] == []
    assert sum(claim.verdict in ("holds", "holds as") for claim in claims) > 20
