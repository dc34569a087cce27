"""Real keras-bert models, built without weights: every parameter assigned, every formula kept, every total exact."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import RELEASED, VARIANTS
from support import TINY, integer, printed_rows, run

from reconcile.environments.packages import build_versions, settings
from reconcile.finding import Finding
from reconcile.pipeline import build as pipeline
from reconcile.report.types import Report

pytestmark = pytest.mark.slow

# The tiny model's parts. V = 100, P = 32, T = 2, H = 64, F = 128.
EMBEDDINGS = 8_704  # (100 + 32 + 2) · 64 + 2 · 64
BLOCK = 33_472  # 4 · (64² + 64) + 2 · 64 + (2 · 64 · 128 + 128 + 64) + 2 · 64
POOLER = 4_160  # 64² + 64
HEADS = 8_678  # pooler 4,160, transform 4,160, norm 128, bias 100, nsp 2 · 65

# Each variant's total, and how much of it is trainable.
COUNTS = {
    "tiny": (EMBEDDINGS + 2 * BLOCK + HEADS, 84_326),
    "one block, one head": (EMBEDDINGS + BLOCK + HEADS, 50_854),
    "heads do not count": (84_326, 84_326),
    "any length": (84_326, 84_326),
    "shorter than the table": (84_326, 84_326),
    "no dropout": (84_326, 84_326),
    "nearly all dropped": (84_326, 84_326),
    "relu": (84_326, 84_326),
    "gelu twice": (84_326, 84_326),
    "no activation": (84_326, 84_326),
    "tasks": (84_326 + 3 * 64, 84_518),
    "tasks not used": (84_326, 84_326),
    "inference": (EMBEDDINGS + 2 * BLOCK, 0),  # keras-bert trains nothing of what is not for training
    "inference, tasks": (EMBEDDINGS + 2 * BLOCK + 10 * 64, 0),
    "inference, any length": (EMBEDDINGS + 2 * BLOCK, 0),
    "two outputs": (EMBEDDINGS + 2 * BLOCK, 0),
    "first of three": (EMBEDDINGS + BLOCK, 0),
    "first two of four": (EMBEDDINGS + 2 * BLOCK, 0),
    "last and first": (EMBEDDINGS + 4 * BLOCK, 0),
    "second, from the end": (EMBEDDINGS + 2 * BLOCK, 0),
    "one block twice": (EMBEDDINGS + 2 * BLOCK, 0),
    "outputs while training": (EMBEDDINGS + 3 * BLOCK + HEADS, 117_798),
    "all frozen": (84_326, 0),
    "inference, all free": (EMBEDDINGS + 2 * BLOCK, 75_648),
    "free by prefix": (EMBEDDINGS + 11 * BLOCK + HEADS, 3 * BLOCK + POOLER + 130),  # blocks 1, 10 and 11
    "no prefix": (84_326, 0),
}

# What each released model is built to, all told.
TOTALS = {
    "stackexchange-bert-base": 109_705_010,
    "bert-base-uncased": 110_106_428,
    "bert-base-cased": 108_932_934,
    "bert-chinese": 102_882_442,
    "bert-multilingual-cased": 178_566_653,
    "bert-multilingual-uncased": 168_055_961,
    "bert-large-uncased": 336_226_108,
    "bert-large-cased": 334_661_958,
    "bert-base-inference": 108_891_648,
    "bert-base-task": 110_114_108,
    "bert-uncased-L-2-H-128": 4_433_468,
    "bert-uncased-L-4-H-256": 11_267_900,
    "bert-uncased-L-8-H-512": 41_668_412,
}

# Backbone with pooler: the sizes of the released checkpoints without their pre-training heads.
WITH_POOLER = {
    "bert-base-uncased": 109_482_240,
    "bert-base-cased": 108_310_272,
    "bert-chinese": 102_267_648,
    "bert-multilingual-cased": 177_853_440,
    "bert-large-uncased": 335_141_888,
    "bert-large-cased": 333_579_264,
}


def findings(report: Report, *severities: str) -> list[Finding]:
    return [finding for finding in report.findings if finding.severity in severities]


def assert_whole(report: Report) -> None:
    """Nothing is unmapped, nothing is left over, and every component is what its formula makes, shape by shape."""
    assert report.unmapped == ()
    assert report.residual == 0
    assert report.accounted == report.total
    assert all(part.actual == part.expected and part.shape == part.expected_shape for part in report.components)
    assert sum(part.actual for part in report.components if part.tied_to is None) == report.total
    assert sum(row.total for row in report.rows) == report.total
    assert sum(line.placed.layer.params or 0 for line in report.layers) == report.total
    assert (report.trainable or 0) + (report.non_trainable or 0) == report.total
    items = [item for part in report.components for item in part.items]
    assert len(items) == len(set(items)) == len([part for part in report.components if part.tied_to is None])


def test_there_is_a_count_for_every_variant() -> None:
    assert set(COUNTS) == set(VARIANTS)
    assert set(TOTALS) == set(RELEASED)


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("name", VARIANTS)
def test_every_argument_of_get_model_is_reconciled(name: str, variant: Callable[[str], Path]) -> None:
    report = pipeline.build(str(variant(name)))
    assert_whole(report)
    assert findings(report, "error", "warning") == []
    assert (report.total, report.trainable) == COUNTS[name]


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("depth", ["group", "1", "2", "3", "4", "9", "tensor"])
def test_the_rows_add_up_at_every_depth(name: str, depth: str, variant: Callable[[str], Path]) -> None:
    report = pipeline.build(str(variant(name)), depth=depth)
    assert sum(row.each * row.times for row in report.rows) == report.total
    assert all(row.verdict == "agrees" for row in report.rows)
    assert len({row.node for row in report.rows}) == len(report.rows)


@pytest.mark.usefixtures("built")
def test_blocks_that_an_extraction_leaves_out_are_not_missing(variant: Callable[[str], Path]) -> None:
    report = pipeline.build(str(variant("first of three")))
    assert report.dimensions["L"] == 1
    assert [finding.asked for finding in findings(report, "note") if finding.kind == "extraction"] == [3]
    assert not [finding for finding in report.findings if finding.kind == "missing"]


@pytest.mark.usefixtures("built")
def test_layers_that_hold_nothing_are_known_for_what_they_are(variant: Callable[[str], Path]) -> None:
    seen = set()
    for name in VARIANTS:
        for line in pipeline.build(str(variant(name))).layers:
            if not line.placed.layer.params:
                assert line.placed.node is None
                assert line.placed.what, f"{line.placed.layer.name} of {name} is not recognised"
                seen.add(line.placed.layer.class_name)
    assert seen == {"InputLayer", "Dropout", "Add", "Masked", "Extract", "Concatenate"}


@pytest.mark.usefixtures("released")
@pytest.mark.parametrize("name", RELEASED)
def test_the_models_that_come_with_the_project_are_reconciled(name: str) -> None:
    report = pipeline.build(name)
    assert_whole(report)
    assert findings(report, "error") == []
    assert report.total == TOTALS[name]
    assert name not in WITH_POOLER or report.totals["backbone+pooler"] == WITH_POOLER[name]


# Every layer of the model that was asked about, with what Keras counts for it.
ASKED = [
    ("Embedding-Token", 23_040_000),  # 30,000 · 768
    ("Embedding-Segment", 1_536),  # 2 · 768
    ("Embedding-Position", 393_216),  # 512 · 768: the table's length, not the sequence's 500
    ("Embedding-Norm", 1_536),
    *(
        (f"Encoder-{block}-{layer}", count)
        for block in range(1, 13)
        for layer, count in [
            ("MultiHeadSelfAttention", 2_362_368),  # 4 · (768² + 768)
            ("MultiHeadSelfAttention-Norm", 1_536),
            ("FeedForward", 4_722_432),  # 2 · 768 · 3,072 + 3,072 + 768
            ("FeedForward-Norm", 1_536),
        ]
    ),
    ("MLM-Dense", 590_592),  # 768² + 768
    ("MLM-Norm", 1_536),
    ("MLM-Sim", 30_000),
    ("NSP-Dense", 590_592),
    ("NSP", 1_538),  # 768 · 2 + 2
]


@pytest.mark.usefixtures("released")
def test_every_layer_of_the_model_that_was_asked_about() -> None:
    report = pipeline.build("stackexchange-bert-base")
    counts = {line.placed.layer.name: line.placed.layer.params for line in report.layers}
    assert {name: count for name, count in counts.items() if count} == dict(ASKED)
    assert sum(count for _, count in ASKED) == report.total == 109_705_010
    for line in report.layers:
        assert sum(value for _, value in line.parts) == line.placed.layer.params


@pytest.mark.usefixtures("built")
def test_a_configuration_whose_token_types_keras_bert_cannot_build(tmp_path: Path) -> None:
    config = {"vocab_size": 100, "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    config |= {"intermediate_size": 128, "max_position_embeddings": 32, "type_vocab_size": 16}
    file = tmp_path / "bert_config.json"
    file.write_text(json.dumps(config))
    report = pipeline.build(str(file))
    assert report.total == report.accounted == 84_326
    (wrong,) = findings(report, "error")
    assert (wrong.kind, wrong.where) == ("count", "embeddings.segment")
    assert (wrong.expected, wrong.actual, wrong.difference) == (1_024, 128, -896)  # 16 · 64, 2 · 64
    assert [finding.where for finding in findings(report, "note") if finding.kind == "constant"] == ["T"]
    assert sum(row.total for row in report.rows) == report.total
    assert {row.verdict for row in report.rows if row.node == "embeddings.segment"} == {"contradicts (−896)"}


PLAIN = """
import json, sys
from keras_bert import get_model
model = get_model(**json.load(sys.stdin))
print(json.dumps([[layer.name, layer.count_params()] for layer in model.layers]))
"""


@pytest.mark.usefixtures("built")
def test_a_model_without_weights_has_the_counts_of_one_with_them(variant: Callable[[str], Path]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAIN],
        input=json.dumps(TINY | {"use_task_embed": True, "task_num": 3}),
        env=os.environ | settings(build_versions()),
        capture_output=True,
        text=True,
        check=True,
    )
    theirs = [tuple(row) for row in json.loads(done.stdout.splitlines()[-1])]
    layers = [line.placed.layer for line in pipeline.build(str(variant("tasks"))).layers]
    assert [(layer.name, layer.params) for layer in layers] == theirs


def test_a_model_of_the_size_of_gpt_3_is_built_in_less_than_a_gigabyte() -> None:
    older = int(build_versions()["tensorflow"].split(".")[1]) < 20  # 2.15 takes 1.15 GB, 2.16 a hair over a gigabyte
    ran = run("build", "gpt3-size", "--no-cache", "--memory-limit", "1.2G" if older else "953M")  # 953 · 2²⁰ < 10⁹
    assert ran.err == ""
    assert ran.status == 0
    total = printed_rows(ran.out)[-1]
    assert integer(total["total"]) == 174_887_523_411
