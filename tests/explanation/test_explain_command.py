"""`reconcile explain`: what it prints in each format, its exit status, and what it refuses."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result
from support import ROOT

from reconcile.cli.main import main, reconcile
from reconcile.render.explanation import SCHEMA
from reconcile.render.json import SCHEMA as REPORTS_SCHEMA


def run(*arguments: str) -> Result:
    return CliRunner().invoke(reconcile, ["explain", *arguments])


def test_text() -> None:
    done = run("2362368", "--model", "bert-base-uncased")
    assert done.exit_code == 0
    assert done.output.splitlines()[0] == "2,362,368 can be several things, and the count alone does not say which"
    assert "1. 2,362,368 = the query, key, value and output projections of one attention layer" in done.output
    assert "2. 2,362,368 = the intermediate layer of one feed-forward" in done.output


def test_ascii() -> None:
    done = run("2362368", "--ascii")
    assert done.output.isascii()
    assert "4*(H^2 + H) = 4*(768^2 + 768) = 2,362,368" in done.output


def test_json_has_the_keys_that_are_fixed() -> None:
    done = run("109445376", "--model", "bert-base-uncased", "--format", "json")
    answer = json.loads(done.output)
    assert (answer["schema"], answer["command"], answer["figure"], answer["unit"]) == (
        2,
        "explain",
        109445376,
        "params",
    )
    assert answer["explained"] is True
    best = answer["explanations"][0]
    assert {"text", "terms", "value", "difference", "kind", "model", "dimensions", "rank", "warning"} <= best.keys()
    assert (best["kind"], best["rank"], best["warning"], best["difference"]) == ("mistake", 1, None, 0)
    assert sum(term["value"] for term in best["terms"]) == best["value"] == 109445376
    assert best["right"] + sum(term["value"] for term in best["bridge"]) == 109445376
    assert {"text", "value", "component"} <= best["terms"][0].keys()


def test_several_figures_are_reports() -> None:
    done = run("2362368", "123456789", "--format", "json")
    whole = json.loads(done.output)
    assert whole["command"] == "explain"
    assert [report["explained"] for report in whole["reports"]] == [True, False]
    assert SCHEMA == REPORTS_SCHEMA == whole["schema"]


def test_markdown_shows_names_as_they_are() -> None:
    done = run("4198400", "--dims", "H=1024", "--format", "markdown")
    assert done.output.startswith("## 4,198,400 can be several things")
    assert "1. 4,198,400 = the query, key, value and output projections" in done.output


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("2362368",), 0),
        (("110M",), 0),
        (("123456789",), 1),
        (("22.5 GFLOPs",), 1),
        (("335043584 - 335141888",), 0),
        (("--from", "335141888", "--to", "335043584"), 0),
        (("-36864", "--model", "bert-base-uncased"), 0),
        (("2362368", "--dims", "H=768,L=12,V=30522"), 0),
        (("2362368", "--unit", "flops"), 1),
        (("438 MB",), 0),
    ],
)
def test_exit_status(arguments: tuple[str, ...], status: int) -> None:
    assert run(*arguments).exit_code == status


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("garbage",), "FIGURE: got 'garbage', in which there is no figure"),
        (("5", "--dims", "H=seven"), "--dims: H: got 'seven', takes a whole number below 2³¹"),
        (("5", "--dims", "Q=7"), "--dims: got 'Q=7', takes sizes such as H=768,L=12"),
        (("5", "--dims", "H=768,H=512"), "--dims: H: got two sizes, takes one"),
        (("5", "--dims", "H=0"), "--dims: H: got 0, takes a whole number of at least 1"),
        (("5", "--dims", "H=768,A=7"), "--dims: A: got 7, takes a divisor of H, which is 768"),
        (("5", "--dims", ""), "--dims: got ''"),
        (("5", "--model", "no-such"), "no-such: got no such file"),
        ((), "takes a FIGURE, or --from A --to B"),
        (("--from", "5"), "takes a FIGURE, or --from A --to B"),
        (("--from", "110M", "--to", "5"), "a rounded figure"),
        (("5", "--frm", "3"), "No such option"),
        (("5", "--model", "tiny", "--dims", "H=4"), "not both"),
    ],
)
def test_what_cannot_run_is_one_line_and_status_2(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["explain", *arguments])
    assert end.value.code == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error


def test_no_framework_and_no_report_is_imported() -> None:
    program = (
        "import sys; from reconcile.cli.main import main\n"
        "try: main(['explain', '2362368'])\n"
        "except SystemExit: pass\n"
        "print([name for name in ('tensorflow', 'keras', 'h5py', 'numpy', 'tabulate', 'reconcile.report') "
        "if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
