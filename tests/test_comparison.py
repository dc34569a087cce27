"""A model against the paper and the released checkpoints: what differs, what it changes, and which figures hold."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import build_all
from support import ROOT, TINY, run

from reconcile.pipeline import build as pipeline

pytestmark = pytest.mark.slow


def sentences(name: str) -> list[str]:
    return [f"{finding.severity}: {finding.explanation}" for finding in pipeline.build(name).findings]


BASE = "BERT_BASE (bert-paper-base)"
RELEASED = "uncased_L-12_H-768_A-12 (config-base-uncased)"
LENGTH = "it changes no count, because the position table keeps its P = 512 rows whatever the sequence length."

# All that is said of the model that was asked about: settings that change a count and settings that do not.
ASKED = [
    "note: mlm.decoder.kernel (V·H = 23,040,000) is embeddings.token: one matrix under two names, counted once.",
    f"note: V, P, T, H, A, F and L are those of {BASE}.",
    f"note: dropout_rate is 0.05 where {BASE} has 0.1: it changes no count.",
    f"note: seq_len is 500 where {BASE} has 512: {LENGTH}",
    f"note: P, T, H, A, F and L are those of {RELEASED}.",
    # 522 words less: (30,000 − 30,522) · (768 + 1) with the output bias, · 768 without
    f"note: V is 30,000 where {RELEASED} has 30,522: −522·(H + 1) = −401,418 for `pretraining`, `backbone+pooler+mlm` "
    "and `backbone+mlm`; −522·H = −400,896 for `backbone+pooler` and `backbone`.",
    f"note: dropout_rate is 0.05 where {RELEASED} has 0.1: it changes no count.",
    f"note: seq_len is 500 where {RELEASED} has 512: {LENGTH}",
    "note: 110M (BERT_BASE, bert-paper-base) holds at three figures for `pretraining` (109,705,010) and "
    "`backbone+pooler+mlm` (109,703,472); `backbone+pooler` (109,081,344) and `backbone+mlm` (109,112,880) would round "
    "to 109M; `backbone` (108,490,752) would round to 108M; at two figures for every total that people quote for a "
    "whole model.",
]


@pytest.mark.usefixtures("released")
def test_all_that_is_said_of_the_model_that_was_asked_about() -> None:
    assert sentences("stackexchange-bert-base") == ASKED


# A released model, and one thing that is said of it.
SAID = [
    ("bert-base-uncased", "note: 110M (BERT_BASE, bert-paper-base) holds at three figures for `pretraining` (110,106,428)"),
    ("bert-large-uncased", "note: 340M (BERT_LARGE, bert-paper-large) holds at two figures"),
    ("bert-base-cased", "note: V is 28,996 where BERT_BASE (bert-paper-base) has 30,000: −1004·(H + 1) = −772,076 for "),
    ("bert-base-task", "note: mlm.decoder.kernel (V·H = 23,440,896) is embeddings.token"),
]  # fmt: skip


@pytest.mark.usefixtures("released")
@pytest.mark.parametrize(("name", "beginning"), SAID)
def test_what_is_said_of_a_released_model(name: str, beginning: str) -> None:
    found = sentences(name)
    assert any(said.startswith(beginning) for said in found), "\n".join(found)


@pytest.mark.usefixtures("released")
@pytest.mark.parametrize("name", ["bert-base-inference", "bert-base-task", "bert-multilingual-uncased", "bert-chinese"])
def test_no_model_that_comes_with_the_project_contradicts_its_own_figures(name: str) -> None:
    assert not [said for said in sentences(name) if not said.startswith(("note: ", "warning: "))]


@pytest.mark.usefixtures("built")
def test_a_figure_that_does_not_hold(spec_file: Callable[..., Path]) -> None:
    report = pipeline.build(str(spec_file(TINY, references=["bert-paper-base"])))
    (judgement,) = report.judgements
    assert (judgement.verdict, judgement.definition, judgement.total) == ("does not hold", "pretraining", 84_326)
    assert judgement.difference == 84_326 - 110_000_000
    (warning,) = [finding.explanation for finding in report.findings if finding.severity == "warning"]
    assert warning == (
        "110M (BERT_BASE, bert-paper-base) does not hold: the nearest is `pretraining`, 84,326, −109,915,674 from it."
    )


@pytest.mark.usefixtures("built")
def test_settings_of_another_size_are_told_with_their_formula(spec_file: Callable[..., Path]) -> None:
    found = sentences(str(spec_file(TINY, references=["bert-paper-base"])))
    one = "L is 2 where BERT_BASE (bert-paper-base) has 12: "
    # 10 blocks less: −10 · (4·64² + 2·64·128 + 128 + 9·64) = −10 · 33,472
    assert [said for said in found if said.startswith(f"note: {one}")] == [
        f"note: {one}−10·(4·H² + 2·H·F + F + 9·H) = −334,720 for `pretraining`, `backbone+pooler`, `backbone`, "
        "`backbone+pooler+mlm` and `backbone+mlm`."
    ]
    heads = [said for said in found if said.startswith("note: A is 4 where BERT_BASE ")]
    assert heads == ["note: A is 4 where BERT_BASE (bert-paper-base) has 12: the number of heads changes no count."]


def test_the_answer_to_the_question_that_was_asked() -> None:
    build_all([ROOT / "models" / "stackexchange-bert-base.toml"])
    text = run("build", "stackexchange-bert-base").out
    for line in (
        # where it comes from, the same per head, and why heads do not multiply it
        "4·(H² + H) = 4·(768² + 768) = 2,362,368",
        "each a kernel H·H = 589,824 and a bias H = 768, together 590,592; 4 × 590,592 = 2,362,368",
        "A·3·(H·D + D) + H·H + H = 12·3·(768·64 + 64) + 768·768 + 768 = 2,362,368",
        "the heads do not multiply it: they share the 768 columns of each kernel, 64 for each of 12",
        # what the asker's formula counts, and by how much it is off: 21,261,312 − 2,362,368 = 18,898,944
        "not (H·H·3 + H·3)·A = (768·768·3 + 768·3)·12 = 21,261,312, which is 18,898,944 too many for 2,362,368",
        "query, key and value A = 12 times (+19,489,536) and output not at all (−590,592)",
        "the layer norm behind the attention is a layer of its own, 2·H = 1,536",
    ):
        assert line in text


@pytest.mark.usefixtures("built")
def test_with_one_head_what_is_counted_once_a_head_is_no_mistake(variant: Callable[[str], Path]) -> None:
    text = run("build", variant("one block, one head"), "--mistakes").out
    assert "too many" not in text
    assert " 0 too few" not in text
    # (64·64·3 + 64·3)·1 still leaves the output projection out: 64² + 64
    assert "12,480, which is 4,160 too few for 16,640: it counts output not at all (−4,160)" in text
