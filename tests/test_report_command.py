"""`reconcile report`: one document in every form, and nothing half-written."""

import json
from pathlib import Path

import pytest
from support import ROOT, run

SUMMARY = ROOT / "docs" / "examples" / "bert-base-summary.txt"
LISTING = ROOT / "tests" / "data" / "listings" / "named.txt"
FORMS = {
    "html": "<!doctype html>",
    "md": "# Keras summary",
    "json": "{",
    "csv": "component,formula,each",
    "tex": "\\begin{tabular}",
    "svg": "<svg ",
}


@pytest.mark.parametrize("ending", FORMS)
def test_a_file_gets_the_form_of_its_ending(tmp_path: Path, ending: str) -> None:
    file = tmp_path / "new" / f"report.{ending}"
    ran = run("report", SUMMARY, "-o", file)
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    assert file.read_text("utf-8").startswith(FORMS[ending])
    assert "23,040,000" in file.read_text("utf-8") or "23040000" in file.read_text("utf-8")
    assert [one.name for one in file.parent.iterdir()] == [file.name]


def test_a_folder_gets_all_of_them(tmp_path: Path) -> None:
    assert run("report", SUMMARY, LISTING, "-o", tmp_path / "out").status == 0
    names = {file.name for file in (tmp_path / "out").iterdir()}
    assert names == {
        *("report.html", "report.md", "report.json", "table.csv", "table.md", "table.tex"),
        *("picture-1.svg", "picture-2.svg"),
    }
    text = (tmp_path / "out" / "report.md").read_text("utf-8")
    assert "](picture-1.svg)" in text
    assert "](picture-2.svg)" in text


def test_two_models_are_compared_in_every_form(tmp_path: Path) -> None:
    ran = run("report", SUMMARY, LISTING, "--format", "json", "--fail-on", "never")
    printed = json.loads(ran.out)
    assert printed["command"] == "report"
    totals = [one["total"] for one in printed["reports"]]
    assert totals[0] == 109_705_010
    assert [one["difference"] for one in printed["differences"]] == [totals[1] - totals[0]]
    for form in ("markdown", "html"):
        text = run("report", SUMMARY, LISTING, "--format", form, "--title", "Two of them", "--fail-on", "never").out
        assert "Two of them" in text
        assert f"{totals[1]:,}" in text


def test_the_form_may_be_said(tmp_path: Path) -> None:
    assert run("report", SUMMARY, "-o", tmp_path / "report.txt", "--format", "csv").status == 0
    assert (tmp_path / "report.txt").read_text("utf-8").startswith("component,")
    assert "all 109,705,010 parameters" in run("report", SUMMARY).out.splitlines()[0]


def test_a_folder_that_is_there_is_filled(tmp_path: Path) -> None:
    assert run("report", SUMMARY, "-o", tmp_path).status == 0
    assert (tmp_path / "picture.svg").is_file()


CANNOT_RUN = [
    (("nowhere.txt", "-o", "OUT/r.html"), "nowhere.txt: got no such file"),
    (
        (SUMMARY, "-o", "OUT/r.pdf"),
        "got the ending .pdf, takes one of .html, .md, .json, .csv, .tex, .svg, or --format",
    ),
    ((SUMMARY, "-o", "OUT/taken/r.html"), "takes a place that can be written to"),
    ((SUMMARY, "--format", "pdf"), "'pdf' is not one of"),
    ((), "Missing argument 'SOURCE...'"),
]


@pytest.mark.parametrize(("arguments", "said"), CANNOT_RUN)
def test_what_cannot_run_writes_nothing(tmp_path: Path, arguments: tuple[object, ...], said: str) -> None:
    (tmp_path / "taken").write_text("a file")
    ran = run("report", *(str(argument).replace("OUT", str(tmp_path)) for argument in arguments))
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert [file.name for file in tmp_path.iterdir()] == ["taken"]


def test_the_exit_status_says_whether_something_is_wrong(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text(SUMMARY.read_text("utf-8").replace("4722432", "4722433", 1), "utf-8")
    assert run("report", wrong, "-o", tmp_path / "r.html").status == 1
    assert (tmp_path / "r.html").is_file(), "what is wrong is what people want to see"
    assert run("report", wrong, "-o", tmp_path / "r.html", "--fail-on", "never").status == 0


def test_the_json_of_a_report_is_read_again(tmp_path: Path) -> None:
    run("report", SUMMARY, "-o", tmp_path / "one.json")
    ran = run("read", tmp_path / "one.json")
    assert (ran.status, ran.err) == (0, "")
    first, _, answer, *_ = ran.out.splitlines()
    assert first == "Agrees: all 109,705,010 parameters of a BERT are verified."
    assert answer.startswith(
        "2,362,368 counts the query, key, value and output projections of one attention layer (12 rows): 4·(H² + H)"
    )
    assert run("diff", tmp_path / "one.json", SUMMARY).out.startswith("A and B agree in every component.")


def test_a_report_of_several_is_read_as_several(tmp_path: Path) -> None:
    run("report", SUMMARY, LISTING, "-o", tmp_path / "two.json", "--fail-on", "never")
    assert run("read", tmp_path / "two.json", "--fail-on", "never").out.startswith(
        "2 models\n1. Agrees: all 109,705,010"
    )


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("explain", "2,362,368"), "'explain', takes a report of build, read or report, which holds a model"),
        (("check", ROOT / "docs" / "examples" / "bert-notes.md"), "'check', takes a report of build, read or report"),
        (("cost", "GPT-2 small"), "'cost', takes a report of build, read or report"),
        (("diff", SUMMARY, LISTING), "'diff', takes a report of build, read or report"),
    ],
)
def test_other_json_of_this_program_is_refused_by_its_command(
    tmp_path: Path, command: tuple[object, ...], said: str
) -> None:
    file = tmp_path / "printed.json"
    run(*command, "-o", file)
    ran = run("read", file)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
