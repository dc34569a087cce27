"""`reconcile diff`: its formats, what it exits with, and the sources that it takes."""

import json
from pathlib import Path

import pytest
from ledgers import EVERYTHING, configured, ledger
from support import ROOT, integer, printed_rows, run

from reconcile.render.snapshot import render


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Models of all kinds, as snapshots."""
    activated = {"encoder.block[*].feed_forward.intermediate.bias": {"activation": "relu"}}
    models = {
        "base": ledger(),
        "again": ledger(),
        "other heads": ledger(A=16, D=48),
        "shorter": ledger(S=128),
        "more words": ledger(V=119547),
        "large": ledger(V=28996, H=1024, A=16, D=64, F=4096, L=24),
        "frozen": ledger(frozen=("embeddings",)),
        "relu": configured(ledger(), activated),
        "gelu": configured(
            ledger(), {key: dict.fromkeys(value, "gelu") for key, value in activated.items()}
        ),
        "slots": ledger(EVERYTHING, slots=7),
        "wrapped": ledger(V=119547, rows=True),
    }  # fmt: skip
    for name, one in models.items():
        (tmp_path / f"{name}.txt").write_text(render(one), "utf-8")
    return {name: tmp_path / f"{name}.txt" for name in models}


# Two models, and the exit status with --fail-on error, warning (the default) and note.
STATUSES: dict[tuple[str, str], tuple[int, int, int]] = {
    ("base", "again"): (0, 0, 0),
    ("base", "more words"): (1, 1, 1),
    ("base", "wrapped"): (1, 1, 1),
    ("more words", "wrapped"): (0, 0, 0),
    ("base", "frozen"): (0, 1, 1),
    ("base", "other heads"): (0, 1, 1),
    ("gelu", "relu"): (0, 1, 1),
    ("base", "shorter"): (0, 0, 1),
    ("base", "slots"): (0, 0, 0),
}


@pytest.mark.parametrize(("pair", "statuses"), STATUSES.items(), ids=[" and ".join(pair) for pair in STATUSES])
def test_a_difference_is_the_exit_status(
    files: dict[str, Path], pair: tuple[str, str], statuses: tuple[int, int, int]
) -> None:
    left, right = (files[name] for name in pair)
    found = [run("diff", left, right, "--fail-on", least).status for least in ("error", "warning", "note")]
    assert tuple(found) == statuses
    assert run("diff", left, right).status == statuses[1]
    assert run("diff", left, right, "--fail-on", "never").status == 0


# 5 of the embeddings, 16 of a block, what only one has of the blocks, 2 of the pooler, 5 of the heads for pre-training
# and all that is alike; and as `read` folds them.
@pytest.mark.parametrize(
    ("depth", "least"), [(("--depth",), 21), ((), 14), (("--depth", "2"), 8), (("--depth", "1"), 4)]
)
@pytest.mark.parametrize("width", [None, "80"])
@pytest.mark.parametrize("pair", [("base", "large"), ("large", "more words")])
def test_the_printed_rows_add_up(
    files: dict[str, Path],
    pair: tuple[str, str],
    width: str | None,
    depth: tuple[str, ...],
    least: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if width:
        monkeypatch.setenv("COLUMNS", width)
    done = run("diff", *(files[name] for name in pair), *depth)
    *rows, total = printed_rows(done.out)
    assert len(rows) >= least
    for column in ("A", "B", "difference"):
        assert sum(integer(row[column] or "0") for row in rows) == integer(total[column])
    for row in rows:
        assert integer(row["A"] or "0") + integer(row["difference"]) == integer(row["B"] or "0")
    conclusion, _, _ = done.out.partition("\n\n")
    assert conclusion.endswith("; everything else agrees."), "the conclusion stands first"


def test_markdown_holds_no_paths(files: dict[str, Path]) -> None:
    out = run("diff", files["base"], files["more words"], "--format", "markdown").out
    assert str(files["base"].parent) not in out
    assert "A: base.txt" in out
    rows = [[cell.strip() for cell in line.split("|")] for line in out.splitlines()]
    assert ["", "embeddings.token", "23,440,896", "91,812,096", "+68,371,200", ""] in rows
    assert "- embeddings.token: +68,371,200 = 89,025 more words × 768" in out


def test_json_has_the_keys_that_are_promised(files: dict[str, Path]) -> None:
    done = run("diff", files["base"], files["more words"], "--format", "json")
    report = json.loads(done.out)
    assert (report["schema"], report["command"]) == (1, "diff")
    assert report["left"]["total"] + report["difference"] == report["right"]["total"]
    assert report["same"] + sum(part["left"] or 0 for part in report["components"]) == report["left"]["total"]
    assert report["components"][0] == {
        "path": "embeddings.token",
        "kind": "count",
        "left": 23_440_896,
        "right": 91_812_096,
        "difference": 68_371_200,
        "explanation": "+68,371,200 = 89,025 more words × 768",
    }
    assert [finding["severity"] for finding in report["findings"]] == ["error", "error"]
    assert report["reason"] == "B has 89,025 more words; everything else agrees"


def test_ascii_is_ascii(files: dict[str, Path]) -> None:
    for form in ("text", "markdown", "json"):
        out = run("diff", files["base"], files["large"], "--ascii", "--format", form).out
        assert out.isascii(), form


def test_what_is_beside_the_parameters_is_told_apart(files: dict[str, Path]) -> None:
    out = run("diff", files["base"], files["slots"]).out
    assert "beside them, and not compared: optimizer 7 (adam)" in out
    assert "A and B agree in every component." in out


BERT = {
    "model_type": "bert", "vocab_size": 30522, "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
    "intermediate_size": 3072, "max_position_embeddings": 512, "type_vocab_size": 2, "hidden_act": "gelu",
}  # fmt: skip
ALBERT = BERT | {"model_type": "albert", "embedding_size": 128, "vocab_size": 30000}


def test_other_architectures_are_compared_by_the_components_that_they_share(tmp_path: Path) -> None:
    for name, table in {"bert": BERT, "albert": ALBERT}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(table), "utf-8")
    done = run("diff", tmp_path / "bert.json", tmp_path / "albert.json")
    assert done.status == 1
    rows = {row["component"]: integer(row["difference"]) for row in printed_rows(done.out)}
    assert rows["embeddings.mapping"] == 128 * 768 + 768
    assert rows["encoder.block[2..12]"] == -11 * 7_087_872  # the first block is the one that every layer uses
    assert rows["embeddings.norm"] == 2 * (128 - 768)
    assert "an embedding size of 128 in place of the hidden size of 768 in embeddings.token, " in done.out
    assert "11 fewer blocks" in done.out


T5 = {
    "model_type": "t5", "vocab_size": 32128, "d_model": 512, "d_kv": 64, "d_ff": 2048, "num_layers": 6, "num_heads": 8,
}  # fmt: skip


def test_heads_that_make_a_count_differ_are_told_once(tmp_path: Path) -> None:
    larger = T5 | {"d_model": 768, "d_ff": 3072, "num_layers": 12, "num_heads": 12}
    for name, table in {"small": T5, "base": larger}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(table), "utf-8")
    done = run("diff", tmp_path / "small.json", tmp_path / "base.json")
    first = " ".join(done.out.partition("\n\n")[0].split())
    assert first == (
        "B has a hidden size of 768 instead of 512, 12 attention heads instead of 8, a size of all heads together of 768 "
        "instead of 512, a feed-forward size of 3,072 instead of 2,048, 6 more encoder blocks and 6 more decoder blocks."
    )


def test_a_configuration_says_nothing_of_how_matrices_are_stored(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(BERT), "utf-8")
    kernel = "bert.encoder.layer.{}.intermediate.dense.weight torch.Size([3072, 768])"
    (tmp_path / "listing.txt").write_text("\n".join(map(kernel.format, range(12))) + "\n", "utf-8")
    assert "laid out" not in run("diff", tmp_path / "config.json", tmp_path / "listing.txt").out


def test_the_documents_name_every_key(files: dict[str, Path]) -> None:
    report = json.loads(run("diff", files["base"], files["large"], "--format", "json").out)
    text = (ROOT / "docs" / "json.md").read_text("utf-8").partition("## `reconcile diff`")[2].partition("\n## ")[0]
    keys = {*report, *report["left"], *report["components"][0], *report["settings"][0], *report["findings"][0]}
    assert [key for key in sorted(keys) if f"`{key}`" not in text] == []


WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "no file": (("base", "none.txt"), "none.txt: got no such file"),
    "one model alone": (("base",), "got one model, takes a second source to compare it with"),
    "a second model that is not there": (("base", "large", "--right", "2"), "--right: got 2, takes 1 to 1"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_compared(files: dict[str, Path], arguments: tuple[str, ...], said: str) -> None:
    done = run("diff", *(files.get(name, name) for name in arguments))
    assert (done.status, done.out) == (2, "")
    assert said in done.err


@pytest.mark.usefixtures("tiny")
def test_two_models_of_one_text(tmp_path: Path, files: dict[str, Path]) -> None:
    reports = [json.loads(run("read", files[name], "--format", "json").out) for name in ("base", "more words")]
    file = tmp_path / "both.json"
    file.write_text(json.dumps({"schema": 1, "command": "read", "reports": reports}), "utf-8")
    assert "B has 89,025 more words" in run("diff", file).out
    assert "B has 89,025 fewer words" in run("diff", file, "--left", "2", "--right", "1").out
    done = run("diff", file, files["base"])
    assert (done.status, "got 2 models, takes --left N" in done.err) == (2, True)
    assert run("diff", file, files["base"], "--left", "1").status == 0
