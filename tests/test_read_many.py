"""`reconcile read` of several files and of directories: a line each, the worst status, and none that stops another."""

import json
from collections.abc import Callable
from math import prod
from pathlib import Path

import pytest
from stored_files import CONFIG, shapes_of, stored
from support import run

from reconcile.sources.recognise import models_below

BERT = shapes_of("huggingface.BertModel")
TOTAL = sum(map(prod, BERT.values()))


def folder(path: Path) -> Path:
    path.mkdir(parents=True)
    return path


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Three trained models, one of them damaged and one of another width than its configuration says."""
    stored(folder(tmp_path / "runs" / "1"), BERT, CONFIG)
    stored(folder(tmp_path / "runs" / "2"), BERT, CONFIG | {"hidden_size": 48})
    damaged = stored(folder(tmp_path / "runs" / "deep" / "3"), BERT) / "model.safetensors"
    damaged.write_bytes(damaged.read_bytes()[:-1])
    return tmp_path / "runs"


def test_each_is_told_in_a_line_and_all_in_the_last(runs: Path) -> None:
    ran = run("read", runs)
    one, two, three, summary = ran.out.splitlines()
    assert one.startswith(f"{runs}/1: agrees")
    assert two.startswith(f"{runs}/2: ")
    assert two.partition(": ")[2].startswith("does not agree: 1 error in "), (
        "it was read with the configuration beside it"
    )
    assert f"{TOTAL:,} parameters" in one
    assert three.startswith(f"{runs}/deep/3: cannot be read: ")
    assert summary == f"3 models: 1 agree, 1 with errors, 1 not readable; {2 * TOTAL:,} parameters"
    assert ran.err == ""


STATUSES: dict[str, tuple[Callable[[Path], list[Path]], tuple[int, int]]] = {
    "two that agree": (lambda runs: [runs / "1", runs / "1"], (0, 0)),
    "one with an error": (lambda runs: [runs / "1", runs / "2"], (1, 1)),
    "one that cannot be read": (lambda runs: [runs / "1", runs / "deep" / "3"], (2, 2)),
    "all": (lambda runs: [runs], (2, 2)),
    "one that is not there": (lambda runs: [runs / "1", runs / "gone"], (2, 2)),
}


@pytest.mark.parametrize("case", STATUSES)
def test_the_status_is_the_worst_of_all(runs: Path, case: str) -> None:
    names, statuses = STATUSES[case]
    found = [run("read", *names(runs), "--fail-on", least).status for least in ("error", "warning")]
    assert tuple(found) == statuses


def test_json_lines(runs: Path) -> None:
    one, two, three, last = map(json.loads, run("read", runs, "--format", "json").out.splitlines())
    assert (one["outcome"], one["total"], one["accounted"], one["architecture"]) == ("agrees", TOTAL, TOTAL, "bert")
    assert (two["outcome"], {found["severity"] for found in two["findings"]}) == ("errors", {"error"})
    assert (three["outcome"], "total" in three) == ("unreadable", False)
    assert three["error"]
    assert last["summary"] == {
        "agrees": 1, "unknown": 0, "warnings": 0, "errors": 1, "unreadable": 1, "models": 3, "parameters": 2 * TOTAL,
    }  # fmt: skip


def test_the_other_formats(runs: Path) -> None:
    markdown = run("read", runs, "--format", "markdown").out.splitlines()
    assert markdown[0] == "| model | parameters | what | verdict |"
    assert len(markdown) == 2 + 3 + 2
    github = run("read", runs, "--format", "github").out.splitlines()
    assert github
    assert all(line.startswith(("::error title=reconcile%3A ", "::warning title=reconcile%3A ")) for line in github)


def test_a_file_gets_all_lines(runs: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.md"
    assert run("read", runs, "-o", file).out == ""
    assert file.read_text("utf-8") == run("read", runs, "--format", "markdown").out


def test_a_page_is_of_one_source(runs: Path) -> None:
    ran = run("read", runs, "--format", "html")
    assert ran.status == 2
    assert "takes --format html for one FILE only" in ran.err


def test_a_listing_among_checkpoints_is_a_line_too(tmp_path: Path, runs: Path) -> None:
    (tmp_path / "listing.txt").write_text("a.weight (2, 3)\na.bias (2,)\n")
    lines = run("read", runs / "1", tmp_path / "listing.txt").out.splitlines()
    assert lines[1].startswith(f"{tmp_path}/listing.txt: ")
    assert lines[-1] == f"2 models: 1 agree, 1 of no model that is known here; {TOTAL + 8:,} parameters"


def test_one_file_is_told_at_length(runs: Path) -> None:
    assert "component" in run("read", runs / "1").out
    assert "component" in run("read", runs / "1" / "model.safetensors").out


# The files of a directory, and the models that it has.
SHARDS = ("m-00001-of-00002.safetensors", "m-00002-of-00002.safetensors")
DIRECTORIES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "one model in two forms": (("model.safetensors", "pytorch_model.bin", "config.json"), (".",)),
    "steps of one training": (("1.safetensors", "2.safetensors", "config.json"), ("1.safetensors", "2.safetensors")),
    "one below the other": (("a/model.safetensors", "b/c/model.safetensors"), ("a", "b/c")),
    "a model has no models in it": (("saved_model.pb", "variables/variables.index"), (".",)),
    "shards are one": ((*SHARDS, "m.safetensors.index.json"), ("m.safetensors.index.json",)),
    "shards without an index": ((f"a/{SHARDS[0]}", "b/x.h5"), ("a", "b/x.h5")),
    "what is no model": (("a.txt", "optimizer.pt", "config.json"), ()),
}


@pytest.mark.parametrize("case", DIRECTORIES)
def test_the_models_of_a_directory(tmp_path: Path, case: str) -> None:
    files, models = DIRECTORIES[case]
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(b"x")
    assert [Path(name) for name in models_below(tmp_path)] == [tmp_path / name for name in models]


def test_one_reply_is_for_one_source(runs: Path) -> None:
    for option in (("--answer",), ("--why",), ("--index", "1")):
        ran = run("read", runs, *option)
        assert (ran.status, ran.out) == (2, "")
        assert "takes --index, --why and --answer for one FILE only" in ran.err


def test_checkpoints_of_one_training_are_mapped_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from reconcile.pipeline import checkpoint

    mapped = []

    def counting(inventory: object, real: Callable[..., object] = checkpoint.map_source) -> object:
        mapped.append(inventory)
        return real(inventory)

    monkeypatch.setattr(checkpoint, "map_source", counting)
    checkpoint._of_structure.cache_clear()
    for step in range(5):
        stored(tmp_path, {**BERT, "odd.weight": (7, 11)}, name=f"step-{step}.safetensors")
    out = run("read", tmp_path).out.splitlines()
    assert len(mapped) == 1
    assert len({line.partition(": ")[2] for line in out[:-1]}) == 1
    assert out[-1] == f"5 models: 5 agree; {5 * (TOTAL + 77):,} parameters"
    checkpoint._of_structure.cache_clear()
