"""Snapshots and reports in JSON: written, read back, compared, and told by their line when they are damaged."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledgers import EVERYTHING, configured, ledger
from support import ROOT, run

from reconcile.comparison.ledgers import compare_ledgers
from reconcile.errors import InputError
from reconcile.mapping.ledger import TASK, Ledger
from reconcile.mapping.tensors import map_source
from reconcile.render.snapshot import render
from reconcile.sources.report_json import read_reports
from reconcile.sources.snapshot import is_snapshot, read_snapshot

SMALL = {"V": 30, "P": 8, "T": 2, "H": 4, "A": 2, "D": 2, "F": 16, "L": 2, "S": 8}


def again(text: str) -> Ledger:
    return map_source(read_snapshot(text, "s.txt"))


MODELS: dict[str, Ledger] = {
    "base": ledger(),
    "as a summary shows it": ledger(rows=True),
    "one block": ledger(L=1),
    "no BERT": replace(ledger((), L=0, heads={"dense": (3, 4)}), architecture=None, assignments=(), dimensions={}),
    "heads": ledger(heads={"dense": (768, 3), "dense_1": (3, 2)}),
    "partly frozen": ledger(frozen=("embeddings", "encoder.block[2].")),
    "without a bias in one block": ledger(without=("block[3].attention.query.bias",)),
    "beside it": ledger(unmapped={"odd/w": 7, "a  b": 0}, slots=5, residual=-3),
    "of a configuration": ledger(settings={"hidden_act": "gelu", "layer_norm_eps": 1e-12}),
    "settings": configured(
        ledger(), {"encoder.block[*].feed_forward.output.bias": {"activation": "gelu", "axis": -1, "rate": 0.1}}
    ),
    "untied": ledger(untied=True),
}


@pytest.mark.parametrize("one", MODELS.values(), ids=MODELS)
def test_what_is_read_back_is_the_same_model(one: Ledger) -> None:
    text = render(one)
    assert is_snapshot(text)
    read = again(text)
    found = compare_ledgers(one, read)
    assert (found.differences, found.settings) == ((), ())
    assert (read.total, read.residual, read.accounted) == (one.total, one.residual, one.accounted)
    assert render(read) == text


# Letters, what names of layers really hold, and what breaks a line or a field apart.
NAMES = st.text(st.sampled_from("ab[]1.2/:·é \t\n\\\u2028\x85\xa0\u202e#"), min_size=1, max_size=8)


@given(NAMES, NAMES, st.sets(st.sampled_from(sorted(EVERYTHING))), st.booleans(), st.integers(0, 3))
@settings(max_examples=120)
def test_any_name_comes_back(name: str, other: str, options: set[str], rows: bool, blocks: int) -> None:
    one = ledger(options, rows=rows, heads={name: (2, 3)}, unmapped={other: 1}, **{**SMALL, "L": blocks})
    text = render(one)
    read = again(text)
    assert [part.path for part in read.assignments if part.path.startswith(TASK)] == [TASK + name]
    assert [item.name for item in read.unmapped] == [other]
    assert render(read) == text
    assert len(text.splitlines()) == text.count("\n")


def test_a_snapshot_is_one_line_for_each_component_with_equal_blocks_folded() -> None:
    lines = render(ledger(("mlm",), frozen=("embeddings.p",), **SMALL)).splitlines()
    assert lines[:6] == [
        # 30·4 + 8·4 + 2·4 + 2·4 = 168; 2·(4·16 + 2·64 + 16 + 9·4) = 488; 4·4 + 4 + 2·4 + 30 = 58
        "# reconcile snapshot 1: 714 parameters, bert",
        "# V = 30 · P = 8 · T = 2 · H = 4 · A = 2 · D = 2 · F = 16 · L = 2 · S = 8",
        "embeddings.norm.beta  H  (4)  4  trainable",
        "embeddings.norm.gamma  H  (4)  4  trainable",
        "embeddings.position  P·H  (8, 4)  32  frozen",
        "embeddings.segment  T·H  (2, 4)  8  trainable",
    ]
    assert "encoder.block[1..2].feed_forward.output.kernel  F·H  (16, 4)  2 × 64  trainable" in lines
    assert "mlm.decoder.kernel  V·H  (30, 4)  120  trainable  tied to embeddings.token" in lines


def test_a_change_in_one_block_changes_the_lines_of_that_component_only() -> None:
    before = render(ledger(L=12)).splitlines()
    after = render(ledger(L=12, without=("block[5].attention.query.bias",))).splitlines()
    changed = sorted(set(before) ^ set(after))
    assert [line.split("  ")[0] for line in changed] == [
        "# reconcile snapshot 1: 110,105,660 parameters, bert",
        "# reconcile snapshot 1: 110,106,428 parameters, bert",
        "encoder.block[1..12].attention.query.bias",
        "encoder.block[1..4, 6..12].attention.query.bias",
    ]


TEXT = render(ledger(("mlm",), **SMALL))
# A change to a snapshot's text, and the place and the words of the error.
DAMAGED: dict[str, tuple[str, str, str]] = {
    "a later format": ("snapshot 1:", "snapshot 2:", "line 1: got format 2, takes format 1"),
    "no total": ("714 parameters", "many parameters", "line 1"),
    "another total": ("714 parameters", "715 parameters", "line 1: got 715 parameters, while the lines below add up to 714"),
    "another count": ("(8, 4)  32", "(8, 4)  33", "line 5: got shape (8, 4) with 33 parameters, takes 32"),
    "another shape": ("(8, 4)  32", "(8, x)  32", "line 5: got '(8, x)', takes a shape"),
    "a conflict": ("embeddings.position  P·H", "<<<<<<< HEAD\nembeddings.position  P·H", "line 5: got 1 fields"),
    "twice": (
        "embeddings.segment  T·H  (2, 4)  8",
        "embeddings.position  P·H  (8, 4)  32  trainable\nembeddings.segment  T·H  (2, 4)  8",
        "line 6: got embeddings.position again, as on line 5",
    ),
    "blocks backwards": ("block[1..2].attention.key.bias", "block[2..1].attention.key.bias", "line 8: got blocks 2..1"),
    "too many blocks": ("block[1..2].attention.key.bias", "block[1..99999999999].attention.key.bias", "line 8: got blocks"),
    "a bomb": (
        "block[1..2].attention.key.bias",
        "block[1..9000, 1..9000].attention.key.bias",
        "line 8: got too many blocks",
    ),
    "a line that does not end": ("32  trainable", f"32  {'x' * 20_000}", "line 5: got more than any model has"),
    "another number of blocks": ("2 × 4  trainable", "3 × 4  trainable", "got 3 × for 2 paths, takes a count for each"),
    "no state": ("32  trainable", "32  training", "line 5: got 'training', takes trainable or frozen"),
    "no formula": ("P·H  (8, 4)", "P·(H  (8, 4)", "embeddings.position"),
    "no architecture": ("parameters, bert", "parameters, vert", "architecture: got 'vert'"),
    "no dimensions": ("# V = 30", "# v: 30", "line 2: got 'v: 30', takes dimensions"),
    "a huge number": ("(8, 4)  32", f"(8, 4)  {'9' * 40}", "line 5: got"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "said"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_snapshot_is_told_by_its_line(tmp_path: Path, before: str, after: str, said: str) -> None:
    assert before in TEXT
    file = tmp_path / "s.txt"
    file.write_text(TEXT.replace(before, after, 1), "utf-8")
    done = run("read", file)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"reconcile: {file}: ")
    assert said in done.err


@given(st.data())
@settings(max_examples=150)
def test_a_torn_snapshot_is_read_or_refused(data: st.DataObject) -> None:
    place, length = data.draw(st.integers(0, len(TEXT))), data.draw(st.integers(0, 40))
    text = TEXT[:place] + data.draw(st.text(max_size=6)) + TEXT[place + length :]
    if not is_snapshot(text):
        return
    with suppress(InputError):
        again(text)


@pytest.mark.usefixtures("tiny")
def test_both_kinds_of_reports_are_sources(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_text(run("build", ROOT / "models" / "tiny.toml", "--format", "json").out, "utf-8")
    done = run("diff", report, ROOT / "models" / "tiny.toml")
    assert (done.status, "agree in every component" in done.out) == (0, True), done.out
    again = json.loads(run("read", report, "--format", "json").out)
    first = json.loads(report.read_text("utf-8"))
    assert [row["path"] for row in again["components"]] == [row["path"] for row in first["components"]]
    assert (again["total"], again["dimensions"]) == (first["total"], first["dimensions"])


WHOLE: dict[str, Any] = {
    "schema": 1,
    "command": "build",
    "subject": {"architecture": "bert"},
    "dimensions": {"H": 2},
    "total": 2,
    "components": [
        {"path": "pooler.bias", "formula": "H", "actual": 2, "shape": [2], "trainable": True, "tied_to": None}
    ],
}
PART = WHOLE["components"][0]
BROKEN: dict[str, tuple[Mapping[str, Any], str]] = {
    "a later schema": (WHOLE | {"schema": 3}, "schema: got 3"),
    "another command": (WHOLE | {"command": "diff"}, "command: got 'diff'"),
    "no total": ({key: value for key, value in WHOLE.items() if key != "total"}, "total: got nothing"),
    "a total that is no number": (WHOLE | {"total": "2"}, "total: got '2'"),
    "a count that is none": (WHOLE | {"components": [PART | {"actual": 2.5}]}, "components.pooler.bias: got 2.5"),
    "a count beside its shape": (WHOLE | {"components": [PART | {"shape": [3]}]}, "got shape [3] with 2 parameters"),
    "twice": (WHOLE | {"components": [PART, PART]}, "components.pooler.bias"),
    "no list": (WHOLE | {"components": 3}, "a report that was changed"),
    "no reports": ({"schema": 1, "command": "read", "reports": [1]}, "reports: got no list of reports"),
}


@pytest.mark.parametrize(("table", "said"), BROKEN.values(), ids=BROKEN)
def test_a_broken_report_is_told_by_its_key(table: Mapping[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_reports(table, "r.json")
    assert str(caught.value).startswith("r.json: ")
    assert said in str(caught.value)


def test_that_a_whole_report_is_read() -> None:
    (inventory,) = read_reports(WHOLE, "r.json")
    assert map_source(inventory).assignments[0].actual == 2
