"""A report in Python: one line in a list, the text when printed, a tree that unfolds in a notebook."""

import re

import pytest
from shown import SUMMARY
from support import ROOT, run

import reconcile
from reconcile.report.types import Report


@pytest.fixture(scope="module")
def report() -> Report:
    (read,) = reconcile.read(SUMMARY, "docs/examples/bert-base-summary.txt")
    return read


def test_in_a_list_it_is_one_line(report: Report) -> None:
    assert "\n" not in repr(report)
    assert repr(report).startswith("<Report of docs/examples/bert-base-summary.txt: 109,705,010 parameters; ")


def test_printed_it_is_what_the_command_prints(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    file = "docs/examples/bert-base-summary.txt"
    assert str(report) == run("read", file).out
    assert report._repr_markdown_() == run("read", file, "--format", "markdown").out  # type: ignore[attr-defined]


def test_in_a_notebook_it_unfolds_and_leaves_the_notebook_alone(report: Report) -> None:
    cell = report._repr_html_()  # type: ignore[attr-defined]
    assert "<details" in cell
    assert "<script" not in cell
    (style,) = re.findall(r"<style>(.*?)</style>", cell, re.DOTALL)
    selectors = re.findall(r"^([^@{}\n]+)\{", style, re.MULTILINE)
    assert len(selectors) > 60
    for selector in ", ".join(selectors).split(","):
        assert re.match(r"\.(reconcile|icicle|heads)\b", selector.strip()), selector


def test_a_model_in_memory_is_displayed_too() -> None:
    read = reconcile.reconcile(str(ROOT / "docs" / "examples" / "bert-base-summary.txt"))
    assert "109,705,010" in repr(read)
    assert read == reconcile.reconcile(str(ROOT / "docs" / "examples" / "bert-base-summary.txt"))
