"""What is printed: the table re-added from the text, nothing cut, the same figures in every format."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import VARIANTS
from support import ROOT, banks, integer, printed_rows, run

from reconcile.pipeline import build as pipeline
from reconcile.render import markdown, text
from reconcile.render.registry import Look

GOLDENS = Path(__file__).with_name("goldens")
DEPTHS = ("group", "1", "2", "3", "4", "tensor")
WIDTHS = (None, 40, 41, 47, 54, 55, 63, 72, 80, 93, 94, 95, 100, 120, 160, 200)


pytestmark = pytest.mark.usefixtures("tiny")


def without_versions(printed: str) -> str:
    """What is printed, with the versions and where it was built as they may be."""
    return re.sub(
        r"^keras-bert \S+ on TensorFlow \S+, .*$", "keras-bert … on TensorFlow …", printed, flags=re.MULTILINE
    )


@pytest.mark.parametrize(
    ("golden", "options"),
    [
        ("tiny.txt", ()),
        ("tiny-ascii.txt", ("--ascii",)),
        ("tiny-tensors.txt", ("--depth",)),
        ("tiny.md", ("--format", "markdown")),
    ],
)
def test_the_tiny_model_is_printed_as_ever(golden: str, options: tuple[str, ...]) -> None:
    """To change a golden: RENEW_GOLDENS=1 make test, and read the difference."""
    import os

    ran = run("build", "tiny", *options)
    file = GOLDENS / golden
    if os.environ.get("RENEW_GOLDENS"):
        file.write_text(without_versions(ran.out), "utf-8")
    assert ran.status == 0
    assert without_versions(ran.out) == file.read_text("utf-8")


def test_every_golden_is_used() -> None:
    assert sorted(path.name for path in GOLDENS.iterdir()) == [
        "tiny-ascii.txt",
        "tiny-tensors.txt",
        "tiny.md",
        "tiny.txt",
    ]


@pytest.mark.parametrize("ascii_only", [False, True], ids=["", "ascii"])
@pytest.mark.parametrize("depth", DEPTHS)
def test_the_printed_column_adds_up_to_the_printed_total_at_every_width(depth: str, ascii_only: bool) -> None:
    report = pipeline.build("tiny", depth=depth)
    for width in WIDTHS:
        rows = printed_rows(text.render(report, Look(width, ascii_only)))
        assert rows[-1]["component"] == "total"
        assert sum(integer(row["total"]) for row in rows[:-1]) == integer(rows[-1]["total"]) == 84_326
        times = "x" if ascii_only else "×"
        assert all(integer(row["each"]) * integer(row[times]) == integer(row["total"]) for row in rows[:-1])
        assert len(rows) == len(report.rows) + 1


@pytest.mark.parametrize("depth", DEPTHS)
def test_no_width_loses_anything(depth: str) -> None:
    report = pipeline.build("tiny", depth=depth)
    wide = text.render(report)
    prose = wide.partition("\n\nTotals")[2].split()
    cells = printed_rows(wide)
    assert [row["component"] for row in cells[:-1]] == [row.node for row in report.rows]
    assert [row["verdict"] for row in cells[:-1]] == [row.verdict for row in report.rows]
    for width in WIDTHS:
        narrow = text.render(report, Look(width))
        assert "…" not in narrow
        assert printed_rows(narrow) == cells
        assert narrow.partition("\n\nTotals")[2].split() == prose


@pytest.mark.parametrize("width", [width for width in WIDTHS if width])
def test_lines_are_no_longer_than_they_have_to_be(width: int) -> None:
    printed = text.render(pipeline.build("tiny"), Look(width))
    narrowest = max(max(map(len, [heads[0], *(row[0] for row in rows)])) for heads, rows in banks(printed))
    widest_cell = max(len(cell) for heads, rows in banks(printed) for row in [heads, *rows] for cell in row[1:])
    assert max(map(len, printed.splitlines())) <= max(width, narrowest + 2 + widest_cell)


def test_ascii_is_ascii_and_stands_in_columns() -> None:
    report = pipeline.build("tiny")
    for printed in (text.render(report, Look(None, True)), markdown.render(report, Look(ascii_only=True))):
        assert printed.isascii()
        assert "4*(H^2 + H)" in printed.replace("\\", "")
    plain, ascii_ = (banks(text.render(report, Look(None, only)))[0][1] for only in (False, True))
    assert [row[2:] for row in ascii_] == [[cell.replace("×", "x") for cell in row[2:]] for row in plain]
    table = [line for line in markdown.render(report, Look(ascii_only=True)).splitlines() if line.startswith("|")]
    assert len({len(line) for line in table}) == 1


def test_what_markdown_would_take_for_markup_is_escaped() -> None:
    printed = markdown.render(pipeline.build("tiny"), Look(ascii_only=True))
    without = printed.replace("\\*", "").replace("\\_", "").replace("\\[", "").replace("\\]", "")
    assert not set("*[]") & set(without)
    assert "_" not in without


def test_markdown_leaves_out_what_varies() -> None:
    report = pipeline.build("tiny")
    printed = markdown.render(report)
    assert "cache" not in printed
    assert report.subject.versions["tensorflow"] not in printed
    assert str(ROOT) not in printed


# --- JSON: docs/json.md is its contract ---

KEYS = {
    "": "schema command subject dimensions defaulted total accounted excluded residual trainable non_trainable totals standing models components layers unmapped references findings",
    "standing": "verdict verified fitted read contradicted not_assigned",
    "subject": "name source dialect architecture built",
    "components": "model verdict path formula expected actual difference shape trainable tied_to from",
    "layers": "name class params components parts",
    "references": "id figure value verdict definition difference",
    "findings": "kind severity where expected actual difference explanation",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("name", VARIANTS)
def test_json_has_every_key_and_adds_up(name: str, variant: Callable[[str], Path]) -> None:
    ran = run("build", variant(name), "--format", "json")
    data = json.loads(ran.out, parse_float=lambda text: text)
    for place, keys in KEYS.items():
        for entry in [data] if not place else [data[place]] if place in ("subject", "standing") else data[place]:
            assert set(keys.split()) <= set(entry)
    assert (data["schema"], data["command"]) == (2, "build")
    own = [part for part in data["components"] if part["tied_to"] is None]
    assert sum(part["actual"] for part in own) + sum(item["params"] for item in data["unmapped"]) == data["accounted"]
    assert data["residual"] == data["total"] - data["accounted"] - sum(item["count"] for item in data["excluded"]) == 0
    assert data["trainable"] + data["non_trainable"] == data["total"]
    assert sum(layer["params"] for layer in data["layers"]) == data["total"]
    for layer in data["layers"]:
        assert sum(part["value"] for part in layer["parts"]) == layer["params"]
    for part in data["components"]:
        assert part["difference"] == part["actual"] - part["expected"] == 0
        assert bool(part["from"]) is (part["tied_to"] is None)
    for total in data["totals"].values():
        assert total is None or type(total) is int


def test_every_key_and_kind_is_in_the_contract() -> None:
    contract = (ROOT / "docs" / "json.md").read_text("utf-8")
    named = set(re.findall(r"`([\w-]+)`", contract))
    assert {key for keys in KEYS.values() for key in keys.split()} <= named
    data = json.loads(run("build", "tiny", "--format", "json").out)
    assert set(data) <= named
    for place in ("components", "layers", "findings", "references", "unmapped"):
        assert {key for entry in data[place] for key in entry} <= named
    assert {finding["kind"] for finding in data["findings"]} <= named


def test_json_says_what_is_tied_and_where_from() -> None:
    data = json.loads(run("build", "tiny", "--format", "json").out)
    parts = {part["path"]: part for part in data["components"]}
    kernel = parts["encoder.block[1].attention.query.kernel"]
    name = "Encoder-1-MultiHeadSelfAttention"
    assert kernel == {
        "model": None, "verdict": "agrees",
        "path": "encoder.block[1].attention.query.kernel", "formula": "H·H", "expected": 4096, "actual": 4096,
        "difference": 0, "shape": [64, 64], "trainable": True, "tied_to": None, "from": [f"{name}/{name}_Wq:0"],
    }  # fmt: skip
    decoder = parts["mlm.decoder.kernel"]
    assert (decoder["tied_to"], decoder["from"], decoder["actual"]) == ("embeddings.token", [], 6400)
    assert data["dimensions"] == {
        "V": 100, "P": 32, "T": 2, "K": None, "H": 64, "A": 4, "D": 16, "F": 128, "L": 2, "S": 32,
    }  # fmt: skip


def test_json_in_ascii_is_the_same_data() -> None:
    plain, escaped = (run("build", "tiny", "--format", "json", *more).out for more in ((), ("--ascii",)))
    assert escaped.isascii()
    assert json.loads(plain) == json.loads(escaped)
    assert "4·(H² + H)" in plain
