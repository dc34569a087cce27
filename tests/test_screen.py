"""What a screen of 80 × 24 shows: the verdict, the answer, and the table without a split for a BERT."""

import json
from pathlib import Path

import pytest
from shown import SUMMARY
from support import ROOT, banks, integer, printed_rows, run

LINES, COLUMNS = 24, 80
DATA = ROOT / "tests" / "data"
LLAMA = {
    "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192,
    "tie_word_embeddings": False,
}  # fmt: skip
ATTENTION = "{} counts the query, key, value and output projections of one attention layer"

SCREENS = {
    "base, pasted": (
        ("read", ROOT / "docs" / "examples" / "bert-base-summary.txt"),
        "Agrees: all 109,705,010 parameters of a BERT are verified.",
        ATTENTION.format("2,362,368"),
    ),
    "base, with a question": (
        ("read", ROOT / "docs" / "examples" / "bert-base-question.txt"),
        "Agrees: all 109,705,010 parameters",
        "21,261,312 counts query, key and value A = 12 times (+19,489,536) and output not at all (−590,592)",
    ),
    "GPT-2": (
        ("read", DATA / "printed_summaries" / "72_hub_gpt2_w120.txt"),
        "Nothing is explained: several models fit the count, and none is shown for any of the 124,439,808 parameters",
        "124,439,808 in the row gpt2_backbone fits `backbone` of GPT-2 small",
    ),
    "GPT-2, a printed module": (
        ("read", DATA / "listings" / "gpt2.txt"),
        "of the 41,888 parameters of a GPT-2, 38,176 are verified, 3,712 are only read.",
        "8,352 counts the two dense layers of one feed-forward (3 times): 2·H·F + F + H = 2·32·128 + 128 + 32 = 8,352.",
    ),
    "RoBERTa": (
        ("read", DATA / "printed_summaries" / "31_hub_roberta.txt"),
        "Agrees: all 124,052,736 parameters",
        "7,087,872 counts one block (12 times): 4·H² + 2·H·F + F + 9·H = 4·768² + 2·768·3072 + 3072 + 9·768 = 7,087,872.",
    ),
    "LLaMA": (
        ("read", "llama.json"),
        "these settings make 8,030,261,248 parameters of a LLaMA",
        "176,160,768 counts the gate, up and down projections of one feed-forward (32 times): 3·H·F",
    ),
    "a checkpoint": (
        ("read", DATA / "pytorch" / "state_dict.pt"),
        "parameters of",
        " counts ",
    ),
    "no BERT": (
        ("read", DATA / "printed_summaries" / "41_hub_whisper.txt"),
        "of the 37,760,640 parameters of this model, 1,536 are verified",
        "20,088,192 counts the layer decoder_token_and_: o·r = 384·52313 = 20,088,192: a token table and a position table",
    ),
    "a number": (
        ("explain", "2,362,368"),
        "2,362,368 can be several things, and the count alone does not say which",
        "2. 2,362,368 = the intermediate layer of one feed-forward",
    ),
    "a number of one meaning": (
        ("explain", "8,030,261,248"),
        "8,030,261,248 is explained",
        "8,030,261,248 = `whole`, for Llama 3 8B",
    ),
    "a summary with an error": (
        ("read", "wrong.txt"),
        "Does not agree: ",
        "ERROR: ",
    ),
}


@pytest.fixture(autouse=True)
def _screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "llama.json").write_text(json.dumps(LLAMA), "utf-8")
    (tmp_path / "wrong.txt").write_text(SUMMARY.replace("2362368", "2362369", 1), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    monkeypatch.setenv("LINES", str(LINES))


@pytest.mark.parametrize("case", SCREENS)
def test_a_screen_shows_the_verdict_and_the_answer(case: str) -> None:
    command, verdict, answer = SCREENS[case]
    lines = run(*command).out.splitlines()
    assert max(map(len, lines)) <= COLUMNS
    screen = " ".join(" ".join(lines[:LINES]).split())
    assert verdict in screen
    assert answer in screen
    assert screen.index(verdict) < screen.index(answer) or case == "a checkpoint"


@pytest.mark.parametrize("name", ["stackexchange-bert-base", "bert-large-uncased"])
@pytest.mark.slow
@pytest.mark.usefixtures("released")
def test_a_build_is_on_one_screen(name: str) -> None:
    out = run("build", name).out
    assert " counts the query, key, value and output projections of one attention" in "".join(
        out.splitlines(True)[:LINES]
    )
    assert len(banks(out)) == 1


@pytest.mark.parametrize(
    "case", ["base, pasted", "GPT-2, a printed module", "RoBERTa", "LLaMA", "a summary with an error"]
)
def test_a_table_is_not_split(case: str) -> None:
    (columns, rows), *more = banks(run(*SCREENS[case][0]).out)
    assert not more
    assert {"each", "total", "share"} <= set(columns)
    assert rows


def test_long_names_stand_above_their_rows_and_all_of_them_add_up() -> None:
    out = run("read", DATA / "printed_counts" / "qwen3-moe.txt", "--fail-on", "never").out
    rows = printed_rows(out)
    assert len(banks(out)) == 1
    assert rows[7]["component"] == "task.model.layers[0..47].mlp.experts.0-127.up_proj.weight"
    assert rows[7]["formula"] == "i·k·o (i = 768, k = 2048, o = 128)"
    assert sum(integer(row["total"]) for row in rows[:-1]) == integer(rows[-1]["total"]) == 30_531_911_680


def test_notes_are_one_line_unless_they_are_asked_for() -> None:
    command, _, _ = SCREENS["base, pasted"]
    short, long = run(*command).out, run(*command, "--verbose").out
    assert short.rstrip().splitlines()[-1] == "6 notes; --verbose shows them"
    assert "note: " not in short
    assert long.count("- note: ") == 6
    assert "--verbose" not in long
