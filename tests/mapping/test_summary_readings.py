"""Summaries that libraries printed of models that were built, against their real weights; faults, and other models.

The texts of `data/printed_summaries` were printed by keras-bert, Keras Hub, Keras 3 and Hugging Face's TensorFlow
models; `truth.json` has what the models really hold, by kind of component.
"""

import json
import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from support import run

from benchmarks import judging
from reconcile.comparison.summary import compare_summary
from reconcile.inventory import Inventory, Layer
from reconcile.mapping.ledger import Ledger
from reconcile.mapping.standing import Standing
from reconcile.mapping.summary.mapping import map_rows
from reconcile.mapping.verdicts import Verdicts
from reconcile.pipeline.read import read
from reconcile.sources.summary import read_text

DATA = Path(__file__).parent.parent / "data" / "printed_summaries"
TRUTH = json.loads((DATA / "truth.json").read_text("utf-8"))
KINDS = {
    "pooler": r"^pooler",
    "blocks": r"^(encoder|decoder)\.block|^(encoder|decoder)$",
    "segment": r"^embeddings\.segment",
    "position": r"^embeddings\.\w*position",
    "embed_norm": r"^embeddings\.norm",
    "token": r"^embeddings\.(token|source|target)$",
}
# What no reading finds, and why.
LEFT_OPEN = {
    "06_kb_siamese_nested.txt": "one row of a size that many settings make, of a class that says nothing",
    "11_kb_two_berts.txt": "the same, for the first of its two models",
    "41_hub_whisper.txt": "two tables in one row, whose sizes their sum does not tell",
    "48_hub_gemma_lora.txt": "a table that may hold an output matrix",
    "67_hf_t5.txt": "an encoder and a decoder of an architecture that is not here, a row each",
}
# A whole model in one row, or in a total alone: the components that it fits are told, and are not stated of it.
FITTED = {
    "36_hub_gpt2_lm.txt": ("backbone", 1_044_992),
    "44_hub_bert_cls.txt": ("backbone+pooler", 52_779_264),
    "46_hub_bert_mlm.txt": ("backbone+pooler", 52_779_264),
    "53_hub_frozen_head.txt": ("backbone+pooler", 52_779_264),
    "60_hf_bert_cls.txt": ("backbone+pooler", 52_779_264),
    "62_hf_functional_head.txt": ("backbone+pooler", 52_779_264),
    "64_hf_gpt2_lm.txt": ("backbone", 67_736_832),
    "65_hf_frozen.txt": ("backbone+pooler", 52_779_264),
    "69_hf_xlmr.txt": ("backbone+pooler", 278_043_648),
    "70_hub_bert_w160.txt": ("backbone+pooler", 109_482_240),
    "72_hub_gpt2_w120.txt": ("backbone", 124_439_808),
}


def ledger_of(name: str) -> Ledger:
    (inventory,) = read_text((DATA / name).read_text("utf-8"), name)
    return map_rows(inventory)


def stated(ledger: Ledger) -> Counter[str]:
    """What a ledger states, by kind of component."""
    found: Counter[str] = Counter()
    for part in ledger.stored:
        for path, count in part.components:
            kind = next((kind for kind, pattern in KINDS.items() if re.search(pattern, path)), "rest")
            found[kind] += count
    return found


@pytest.mark.parametrize("name", TRUTH)
def test_nothing_is_stated_that_the_model_does_not_have(name: str) -> None:
    ledger, truth = ledger_of(name), TRUTH[name]
    assert ledger.total in (truth["total"], truth["printed_total"])
    found = stated(ledger)
    for kind in KINDS:
        assert found[kind] <= truth["groups"].get(kind, 0), f"{kind} invented"
    for letter, kind in {"V": "token", "P": "position", "T": "segment"}.items():
        size = ledger.dimensions.get(letter)
        assert size in (None, 0) or size in truth["tables"].get(kind, [size]), letter
    assert ledger.dimensions.get("L") in (
        None,
        truth["blocks"] or None,
        ledger.dimensions.get("L") if not truth["blocks"] else None,
    )


@pytest.mark.parametrize("name", sorted(TRUTH.keys() - LEFT_OPEN.keys() - FITTED.keys()))
def test_every_component_is_found(name: str) -> None:
    found, groups = stated(ledger_of(name)), TRUTH[name]["groups"]
    assert {kind: found[kind] for kind in KINDS} == {kind: groups.get(kind, 0) for kind in KINDS}


@pytest.mark.parametrize("name", LEFT_OPEN)
def test_what_is_left_open_is_still_needed_here(name: str) -> None:
    found, groups = stated(ledger_of(name)), TRUTH[name]["groups"]
    assert any(found[kind] < groups.get(kind, 0) for kind in KINDS), LEFT_OPEN[name]


def test_names_cut_at_the_column_s_edge_are_numbered_by_their_order() -> None:
    ledger = ledger_of("31_hub_roberta.txt")  # transformer_layer_0 to _9, then transformer_laye… twice
    blocks = [part.path for part in ledger.stored if "block" in part.path]
    assert blocks == [f"encoder.block[{number}]" for number in range(1, 13)]


def test_several_models_have_names_of_their_own() -> None:
    ledger = ledger_of("12_kb_two_berts_expand.txt")
    assert [(model.name, model.dimensions["V"], model.dimensions["L"]) for model in ledger.models] == [
        ("bert_zh", 21128, 4),
        ("bert_en", 30522, 2),
    ]
    assert {part.model for part in ledger.stored if part.path == "embeddings.token"} == {"bert_zh", "bert_en"}
    assert (ledger.dimensions["H"], ledger.dimensions["V"], ledger.dimensions["L"]) == (768, None, None)


def test_a_whole_model_that_is_not_shown_is_told_with_what_fits() -> None:
    ledger = ledger_of("06_kb_siamese_nested.txt")
    (item,) = ledger.unmapped
    assert item.fits
    assert item.why.startswith("a whole model of which this count is all that the text shows; it fits BERT: `backbone`")
    assert Verdicts(ledger).standing == Standing(verified=6_915, fitted=44_974_080)


ALBERT_HEAD = """Model: "albert_masked_lm"
___________________________________________________________________________________
 Layer (type)                      Output Shape                      Param #
===================================================================================
 albert_backbone (AlbertBackbone)  [(None, 384), (None, None, 384)]  5877888
 mask_positions (InputLayer)       (None, None)                      0
 mlm_head (MaskedLMHead)           (None, None, 30000)               3919536
===================================================================================
Total params: {total:,}
Trainable params: {total:,}
Non-trainable params: 0
"""


@pytest.mark.parametrize(("total", "errors"), [(5_957_424, 0), (5_957_425, 1)])
def test_a_head_as_wide_as_a_factorised_table_shares_it(total: int, errors: int) -> None:
    """384·128 + 128 + 2·128 + 30,000 = 79,536, and the table of 30,000·128 = 3,840,000 stands in both rows."""
    (inventory,) = read_text(ALBERT_HEAD.format(total=total), "albert")
    ledger = map_rows(inventory)
    found = [finding for finding in compare_summary(ledger) if finding.severity == "error"]
    assert len(found) == errors
    if not errors:
        assert {part.path: part.actual for part in ledger.assignments} == {
            "task.mlm_head": 79_536,
            "task.mlm_head.tied": 3_840_000,
        }


CUT_ROWS = """Model: "m"
_________________________________________________________________
 Layer (type)                Output Shape              Param #   
=================================================================
 embedding (Embedding)       (None, None, 64)          {words}
 dense (Dense)               (None, None, 10)          650
=================================================================
Total params: {total:,}
Trainable params: {total:,}
Non-trainable params: 0
_________________________________________________________________
"""  # noqa: W291


@pytest.mark.parametrize(
    ("words", "total", "says", "severity"),
    [
        ("12,8…", 128_650, "128,000 more: for embedding, whose counts cannot be read", None),
        ("128,000   ", 128_650, "", None),
        ("128,000   ", 128_750, "128,650 and the total is 128,750, 100 more: weights that no row holds", "error"),
        ("12,8…", 600, "50 less: some weights stand in two rows", "error"),
    ],
)
def test_what_cut_rows_hold_is_no_error_and_a_whole_count_is_not_cut(
    words: str, total: int, says: str, severity: str | None
) -> None:
    """64·10 + 10 = 650 is all that the dense layer can have, though no blanks follow it as they follow the others."""
    (inventory,) = read_text(CUT_ROWS.format(words=words, total=total), "cut")
    ledger = map_rows(inventory)
    assert [part.actual for part in ledger.stored if part.path == "task.dense"] == [650]
    found = {finding.explanation: finding.severity for finding in compare_summary(ledger) if finding.kind == "row-sum"}
    assert [text for text in found if says in text] == list(found)
    assert severity in (None, *found.values())
    if severity is None:
        assert "error" not in found.values()


def layer(name: str, class_name: str, width: int, count: int, length: str = "None") -> Layer:
    return Layer(name, class_name, f"(None, {length}, {width})", count)


BLOCK = 4 * (128 * 128 + 128) + 2 * 128 * 512 + 512 + 128 + 4 * 128


def rows_of(*layers: Layer, title: str = "functional") -> dict[str, int]:
    """What a summary of these rows says of each, by path."""
    total = sum(one.params or 0 for one in layers)
    ledger = map_rows(Inventory("drawn", layers, total, title=title))
    assert ledger.architecture is None
    return {part.path: part.actual for part in ledger.stored} | {one.name: one.params for one in ledger.unmapped}


def test_two_tables_in_one_row_are_no_vocabulary() -> None:
    """8,000 words and 256 positions, and a decoder's blocks: not V = 8,256 of an architecture without positions."""
    found = rows_of(
        layer("embeddings", "TokenAndPositionEmbedding", 128, 8_256 * 128),
        layer("transformer_layer_0", "TransformerDecoder", 128, BLOCK),
        layer("transformer_layer_1", "TransformerDecoder", 128, BLOCK),
        layer("layer_norm", "LayerNormalization", 128, 2 * 128),
        title="opt_backbone",
    )
    assert found["task.embeddings"] == 8_256 * 128


@pytest.mark.parametrize(
    ("name", "class_name", "path"),
    [
        ("rel_embedding", "RelativeEmbedding", "rel_embedding"),
        ("position_embedding", "PositionEmbedding", "embeddings.position"),
    ],
)
def test_relative_embeddings_are_no_table_of_positions(name: str, class_name: str, path: str) -> None:
    """512·384 and a norm of 2·384 = 197,376 = 514·384."""
    block = 4 * (384 * 384 + 384) + 2 * 384 * 1_536 + 1_536 + 384 + 4 * 384
    found = rows_of(
        layer("token_embedding", "ReversibleEmbedding", 384, 12_000 * 384),
        layer("embeddings_layer_norm", "LayerNormalization", 384, 2 * 384),
        layer(name, class_name, 384, 512 * 384 + 2 * 384, "512"),
        layer("disentangled_attention_encoder", "DisentangledAttentionEncoder", 384, block),
        layer("disentangled_attention_encoder_1", "DisentangledAttentionEncoder", 384, block),
        title="deberta_v3_backbone",
    )
    assert found[path] == 197_376


def test_blocks_that_are_there_twice_are_none_that_all_layers_share() -> None:
    """A BERT of 2 blocks beside convolutions, which Keras prints between them: no ALBERT, which has one block."""
    found = rows_of(
        layer("token_embedding", "ReversibleEmbedding", 128, 30_522 * 128),
        layer("position_embedding", "PositionEmbedding", 128, 512 * 128),
        layer("segment_embedding", "Embedding", 128, 2 * 128),
        layer("embeddings_layer_norm", "LayerNormalization", 128, 2 * 128),
        layer("transformer_laye", "TransformerEncoder", 128, BLOCK),
        Layer("conv2d_2", "Conv2D", "(None, 62, 62, 32)", 896, ("image",)),
        layer("transformer_laye", "TransformerEncoder", 128, BLOCK),
        Layer("conv2d_1", "Conv2D", "(None, 60, 60, 64)", 18_496, ("conv2d_2",)),
        layer("pooled_dense", "Dense", 128, 128 * 128 + 128),
    )
    assert found["task.token_embedding"] == 30_522 * 128


QUANTIZED = """Model: "bert_backbone"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┓
┃ Layer (type)                             ┃ Output Shape      ┃    Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━┩
│ token_embedding (ReversibleEmbedding)    │ (None, None, 128) │    387,000 │
│ position_embedding (PositionEmbedding)   │ (None, None, 128) │     65,536 │
│ segment_embedding (Embedding)            │ (None, None, 128) │        258 │
│ embeddings_layer_norm (LayerNormalizati… │ (None, None, 128) │        256 │
│ transformer_layer_0 (TransformerEncoder) │ (None, None, 128) │    199,424 │
│ transformer_layer_1 (TransformerEncoder) │ (None, None, 128) │    199,424 │
│ pooled_dense (Dense)                     │ (None, 128)       │     16,640 │
└──────────────────────────────────────────┴───────────────────┴────────────┘
 Total params: {total:,} ({size})
"""


@pytest.mark.parametrize(
    ("size", "total", "quantized"),
    [
        ("1.04 MB", 868_538, True),
        ("1.65 MB", 868_538, True),  # 1.65 MB are 1,730,150 bytes, and 2·868,538 = 1,737,076
        ("1.66 MB", 868_538, False),
        ("3.31 MB", 868_538, False),
        ("0.80 MB", 868_538, False),  # less than a byte for each: no size of this model
        ("1.04 MB", 868_539, False),  # of another model, or a slip: its rows are read as ever
    ],
)
def test_scales_of_quantized_weights_are_no_sizes_and_no_faults(size: str, total: int, quantized: bool) -> None:
    """3,000·(128 + 1) = 387,000 and 128·128 + 2·128 = 16,640: a scale for each row, and for each output."""
    (inventory,) = read_text(QUANTIZED.format(total=total, size=size), "quantized")
    ledger = map_rows(inventory)
    assert {remark.kind for remark in inventory.remarks} >= ({"quantized"} if quantized else set())
    assert (ledger.architecture is None) is quantized
    errors = [finding for finding in compare_summary(ledger) if finding.severity == "error"]
    assert bool(errors) is not quantized
    if quantized:
        assert {part.path: part.actual for part in ledger.stored} == {"task.embeddings_layer_norm": 256}


def test_a_healthy_model_of_another_kind_is_not_sick() -> None:
    # T5's first block holds the table of relative positions, 32 buckets of 8 heads; its blocks have a gate.
    ledger = ledger_of("39_hub_t5.txt")
    assert ledger.architecture is None
    assert [part.expected for part in ledger.stored if part.path == "encoder.block[6]"] == [4_195_328]
    assert not [finding for finding in compare_summary(ledger) if finding.severity == "error"]
    assert Counter(part.actual for part in ledger.stored if part.path.endswith(".rest")) == {32 * 8: 2}


@pytest.mark.parametrize("name", FITTED)
def test_one_count_of_a_whole_model_fits_it_and_verifies_nothing(name: str) -> None:
    ledger, (path, count) = ledger_of(name), FITTED[name]
    assert (path, count) in [(part.path, part.actual) for part in ledger.stored]
    assert ledger.architecture is None
    assert set(ledger.dimensions.values()) <= {None}
    assert Verdicts(ledger).standing.fitted == count


NESTED_BERT = """Model: "model_2"
Layer (type)                    Output Shape          Param #     Connected to
input_1 (InputLayer)            [(None, 32)]          0           []
bert (Functional)               (None, 32, 768)       38012928    ['input_1[0][0]']
lambda (Lambda)                 (None, 768)           0           ['bert[0][0]']
dense (Dense)                   (None, 2)             1538        ['lambda[0][0]']
Total params: 38014466
Trainable params: 38014466
Non-trainable params: 0
"""


def test_a_released_model_s_count_may_be_another_model_s(tmp_path: Path) -> None:
    """30,522 words and 2 blocks, as released: it has 21,293 words and 3 blocks, since 9,229·768 = 7,087,872."""
    file = tmp_path / "nested.txt"
    file.write_text(NESTED_BERT, "utf-8")
    data = json.loads(run("read", file, "--format", "json").out)
    assert data["dimensions"] == {}
    assert data["subject"]["architecture"] is None
    assert [(part["path"], part["verdict"]) for part in data["components"]] == [
        ("backbone", "fits"),
        ("task.dense", "agrees"),
    ]
    assert [model["verdict"] for model in data["models"]] == ["fits"]
    first, *rest = run("read", file, "--verbose").out.splitlines()
    assert first == (
        "Agrees as far as it can be checked: of the 38,014,466 parameters of this model, 1,538 are verified, "
        "38,012,928 are fitted."
    )
    said = " ".join(rest)
    assert "38,012,928 fits `backbone` at V = 30,522 and 512 positions" in said
    assert "which other sizes make too, so it may be another model" in said


def test_what_is_fitted_stays_fitted_in_a_report_that_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "nested.txt").write_text(NESTED_BERT, "utf-8")
    (tmp_path / "report.json").write_text(run("read", tmp_path / "nested.txt", "--format", "json").out, "utf-8")
    again = json.loads(run("read", tmp_path / "report.json", "--format", "json").out)
    assert again["standing"]["fitted"] == 38_012_928


# --- other architectures, and faults ---


@pytest.mark.parametrize("block", judging.OTHERS)
def test_random_other_architectures_are_not_named(block: judging.Block) -> None:
    rng = random.Random(1)
    for _ in range(12):
        inventory = judging.random_summary(rng, block)
        assert map_rows(inventory).architecture is None


@pytest.mark.parametrize("drawn", [judging.bert_summary, judging.hub_summary])
def test_a_healthy_model_has_no_error_and_one_with_a_fault_has(drawn: "type[judging.bert_summary]") -> None:
    rng = random.Random(2)
    for _ in range(15):
        healthy = drawn(rng)
        ledger = map_rows(healthy)
        assert ledger.architecture is not None
        assert not [finding for finding in compare_summary(ledger) if finding.severity == "error"]
        faulty = judging.planted(rng, healthy)
        if faulty is not None:
            assert any(finding.severity == "error" for finding in compare_summary(map_rows(faulty)))


# --- blocks that several sizes give ---


def llama(words: int, width: int, inner: int, keys: int, depth: int) -> Inventory:
    """A LLaMA as Keras Hub prints it: a block in one row, and the output matrix in the row of the embedding."""
    block = 2 * width + 2 * width * width + 2 * width * keys + 3 * width * inner
    rows = [("token_embedding", "ReversibleEmbedding", 2 * words * width, width)]
    rows += [(f"transformer_layer_{number}", "LlamaTransformerDecoder", block, width) for number in range(depth)]
    rows.append(("sequence_output_layernorm", "LlamaLayerNorm", width, width))
    return replace(summary(*rows), title="llama_backbone")


def test_a_block_is_told_whose_sizes_its_count_leaves_open() -> None:
    ledger = map_rows(llama(words=1_000, width=96, inner=256, keys=48, depth=2))
    assert ledger.architecture is not None
    assert ledger.architecture.name == "llama"
    # 3·F + 2·U + 2·N = 1,056 has many solutions; 192,000 is two tables of 1,000 words or one of 2,000.
    assert {name: ledger.dimensions[name] for name in "HLFUNV"} == {"H": 96, "L": 2} | dict.fromkeys("FUNV")
    blocks = [part for part in ledger.stored if part.path.startswith("decoder.block")]
    assert [(part.path, part.actual, part.expected) for part in blocks] == [
        ("decoder.block[1]", 101_568, None),
        ("decoder.block[2]", 101_568, None),
    ]
    assert Verdicts(ledger).standing == Standing(verified=96, read=2 * 101_568 + 192_000)


def test_usual_sizes_tell_a_block_where_no_others_are_as_likely() -> None:
    ledger = map_rows(llama(words=128_256, width=4096, inner=14_336, keys=1024, depth=32))
    assert {name: ledger.dimensions[name] for name in "FUNV"} == {"F": 14_336, "U": 1_024, "N": 4_096, "V": 128_256}
    assert Verdicts(ledger).standing == Standing(verified=8_030_261_248)
    # F = 5,120 with U = 1,024 is too near to F = 5,632 with U = 256, which it is; the tables are told all the same.
    ledger = map_rows(llama(words=32_000, width=2048, inner=5_632, keys=256, depth=22))
    assert {name: ledger.dimensions[name] for name in "FUNV"} == {"F": None, "U": None, "N": 2_048, "V": 32_000}


def test_a_block_of_another_count_than_all_the_others_is_a_fault_whatever_its_sizes() -> None:
    rows = list(llama(words=1_000, width=96, inner=256, keys=48, depth=6).layers)
    rows[3] = replace(rows[3], params=(rows[3].params or 0) + 7 * 96)
    ledger = map_rows(Inventory("drawn", tuple(rows), sum(row.params or 0 for row in rows), title="llama_backbone"))
    (error,) = (finding for finding in compare_summary(ledger) if finding.severity == "error")
    assert error.where == "decoder.block[3]"
    assert (error.facts["actual"], error.facts["expected"]) == (102_240, 101_568)


# --- how far it is checked ---


def summary(*rows: tuple[str, str, int, int]) -> Inventory:
    layers = tuple(Layer(name, kind, f"(None, None, {out})", count) for name, kind, count, out in rows)
    return Inventory("drawn", layers, sum(layer.params or 0 for layer in layers))


def bert(words: int, positions: int = 512, inner: int = 3072) -> Inventory:
    block = [
        ("MultiHeadSelfAttention", "MultiHeadAttention", 2_362_368),
        ("MultiHeadSelfAttention-Norm", "LayerNormalization", 1536),
        ("FeedForward", "FeedForward", 2 * 768 * inner + inner + 768),
        ("FeedForward-Norm", "LayerNormalization", 1536),
    ]
    return summary(
        ("Embedding-Token", "TokenEmbedding", 768 * words, 768),
        ("Embedding-Segment", "Embedding", 768 * 2, 768),
        ("Embedding-Position", "PositionEmbedding", 768 * positions, 768),
        ("Embedding-Norm", "LayerNormalization", 1536, 768),
        *((f"Encoder-{number}-{name}", kind, count, 768) for number in range(1, 5) for name, kind, count in block),
    )


@pytest.mark.parametrize(
    ("inventory", "path", "verdict"),
    [
        (bert(30_522), "embeddings.token", "agrees"),  # a usual vocabulary
        (bert(31_337), "embeddings.token", "gives V"),  # nothing else says V
        (bert(30_522, positions=77), "embeddings.position", "gives P"),
        (bert(30_522), "encoder.block[1].feed_forward", "agrees"),  # F = 4·H
        (bert(30_522, inner=2000), "encoder.block[1].feed_forward", "gives F"),  # equal rows leave together
        (bert(30_522), "encoder.block[1].attention", "agrees"),  # H from norms and widths
    ],
)
def test_a_kind_of_rows_is_checked_by_what_is_left_without_it(inventory: Inventory, path: str, verdict: str) -> None:
    ledger = map_rows(inventory)
    (part,) = (part for part in ledger.stored if part.path == path)
    assert Verdicts(ledger).of(part) == verdict


def test_the_standing_adds_up_to_what_is_accounted_for() -> None:
    for name in TRUTH:
        ledger = ledger_of(name)
        assert Verdicts(ledger).standing.total == ledger.accounted, name


def test_a_report_opens_with_its_verdict_and_why_tells_the_balance() -> None:
    ran = run("read", DATA / "31_hub_roberta.txt", "--why")
    lines = ran.out.splitlines()
    assert lines[0] == "Agrees: all 124,052,736 parameters of a BERT are verified."
    assert "Why the model is read so" in lines
    assert any(re.match(r"- BERT: \+\d+\.\d bits; shown: ", line) for line in lines)
    assert any(line.startswith("- rival: 12 equal blocks: ") for line in lines)
    nothing = run("read", DATA / "64_hf_gpt2_lm.txt", "--format", "json")
    assert json.loads(nothing.out)["standing"]["fitted"] == 67_736_832


def test_json_has_every_model_and_a_verdict_for_each_component() -> None:
    data = json.loads(run("read", DATA / "12_kb_two_berts_expand.txt", "--format", "json").out)
    assert [(model["name"], model["architecture"], model["verdict"]) for model in data["models"]] == [
        ("bert_zh", "bert", "shown"),
        ("bert_en", "bert", "shown"),
    ]
    assert {part["verdict"] for part in data["components"]} == {"agrees"}
    assert {part["model"] for part in data["components"]} == {"bert_zh", "bert_en", None}


ONE_BLOCK = """Model: "masked_bert_model"
Layer (type)                     Output Shape         Param #
input_1 (InputLayer)             [(None, 256)]        0
word_embedding (Embedding)       (None, 256, 128)     3840000
encoder_0/multiheadattention (M  (None, 256, 128)     66048
encoder_0/att_layernormalizatio  (None, 256, 128)     256
encoder_0/ffn (Sequential)       (None, 256, 128)     33024
encoder_0/ffn_layernormalizatio  (None, 256, 128)     256
mlm_cls (Dense)                  (None, 256, 30000)   3870000
Total params: 7,809,584
Trainable params: 7,809,584
Non-trainable params: 0
"""


def test_layers_that_begin_with_attention_are_one_block_by_themselves() -> None:
    """Attention, norm, feed-forward, norm: with a row more or fewer it would be no block."""
    (inventory,) = read_text(ONE_BLOCK, "one block")
    ledger = map_rows(inventory)
    parts = ("attention", "attention_norm", "feed_forward", "feed_forward_norm")
    blocks = [f"encoder.block.{part}" for part in parts]
    assert [part.path for part in ledger.stored] == ["embeddings.token", *blocks, "task.mlm_cls"]


ENCODER = """
==========================================================================================
Layer (type:depth-idx)                        Output Shape              Param #
==========================================================================================
Tagger                                        [2, 20, 9]                --
├─Embedding: 1-1                              [2, 20, 64]               192,000
├─TransformerEncoder: 1-2                     [2, 20, 64]               --
│    └─ModuleList: 2-1                        --                        --
│    │    └─TransformerEncoderLayer: 3-1      [2, 20, 64]               --
│    │    │    └─MultiheadAttention: 4-1      [2, 20, 64]               16,640
│    │    │    └─LayerNorm: 4-2               [2, 20, 64]               128
│    │    │    └─Linear: 4-3                  [2, 20, 256]              16,640
│    │    │    └─Linear: 4-4                  [2, 20, 64]               16,448
│    │    │    └─LayerNorm: 4-5               [2, 20, 64]               128
│    │    └─TransformerEncoderLayer: 3-2      [2, 20, 64]               --
│    │    │    └─MultiheadAttention: 4-6      [2, 20, 64]               16,640
│    │    │    └─LayerNorm: 4-7               [2, 20, 64]               128
│    │    │    └─Linear: 4-8                  [2, 20, 256]              16,640
│    │    │    └─Linear: 4-9                  [2, 20, 64]               16,448
│    │    │    └─LayerNorm: 4-10              [2, 20, 64]               128
├─Linear: 1-3                                 [2, 20, 9]                585
==========================================================================================
Total params: 292,553
==========================================================================================
"""


@pytest.mark.parametrize(
    ("depth", "rows"),
    [
        (
            "group",
            [
                ("encoder.block[1..2].MultiheadAttention", "4·(o² + o) (o = 64)", 16_640, 2),
                ("encoder.block[1..2].LayerNorm", "2·o (o = 64)", 128, 2),
                ("encoder.block[1..2].Linear", "i·o + o (i = 64, o = 256)", 16_640, 2),
                ("encoder.block[1..2].Linear#2", "i·o + o (i = 256, o = 64)", 16_448, 2),
                ("encoder.block[1..2].LayerNorm#2", "2·o (o = 64)", 128, 2),
            ],
        ),
        # o is 64 and 256 in it, so no formula in letters makes the sum: 16,640 + 128 + 16,640 + 16,448 + 128 = 49,984.
        ("2", [("encoder.block[1..2]", "", 49_984, 2)]),
        ("1", [("encoder", "", 99_968, 1)]),
    ],
)
def test_each_layer_of_a_block_without_a_name_has_a_formula_of_its_own(depth, rows) -> None:
    (report,) = read(ENCODER, "encoder.txt", depth=depth)
    shown = [(row.node, row.formula, row.each, row.times) for row in report.rows if row.node.startswith("encoder")]
    assert shown == rows


BART = """
Model: "bart_seq2_seq_lm"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                      ┃ Output Shape          ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ bart_backbone (BartBackbone)      │ (None, None, 128)     │     1,956,352 │
├───────────────────────────────────┼───────────────────────┼───────────────┤
│  └ token_embedding                │ (None, None, 6000)    │       768,000 │
│ (ReversibleEmbedding)             │                       │               │
├───────────────────────────────────┼───────────────────────┼───────────────┤
│  └ encoder_positions              │ (None, None, 128)     │       131,072 │
│ (PositionEmbedding)               │                       │               │
├───────────────────────────────────┼───────────────────────┼───────────────┤
│  └ decoder_positions              │ (None, None, 128)     │       131,072 │
│ (PositionEmbedding)               │                       │               │
├───────────────────────────────────┼───────────────────────┼───────────────┤
│  └ encoder_norm                   │ (None, None, 128)     │           256 │
│ (LayerNormalization)              │                       │               │
├───────────────────────────────────┼───────────────────────┼───────────────┤
│  └ decoder_norm                   │ (None, None, 128)     │           256 │
│ (LayerNormalization)              │                       │               │
├───────────────────────────────────┼───────────────────────┼───────────────┤
│  └ transformer_encoder_layer_0    │ (None, None, 128)     │       198,272 │
│ (TransformerEncoder)              │                       │               │
├───────────────────────────────────┼───────────────────────┼───────────────┤
│  └ transformer_encoder_layer_1    │ (None, None, 128)     │       198,272 │
│ (TransformerEncoder)              │                       │               │
├───────────────────────────────────┼───────────────────────┼───────────────┤
│  └ transformer_decoder_layer_0    │ (None, None, 128)     │       264,576 │
│ (TransformerDecoder)              │                       │               │
├───────────────────────────────────┼───────────────────────┼───────────────┤
│  └ transformer_decoder_layer_1    │ (None, None, 128)     │       264,576 │
│ (TransformerDecoder)              │                       │               │
├───────────────────────────────────┼───────────────────────┼───────────────┤
│ token_embedding                   │ (None, None, 6000)    │       768,000 │
│ (ReversibleEmbedding)             │                       │               │
└───────────────────────────────────┴───────────────────────┴───────────────┘
 Total params: 1,956,352 (7.46 MB)
 Trainable params: 1,956,352 (7.46 MB)
 Non-trainable params: 0 (0.00 B)
"""
"""Two tables of 1,024 positions, 131,072 each, and a token table that stands in the backbone and behind it."""


def test_what_two_stacks_have_alike_has_a_row_for_each() -> None:
    (report,) = read(BART, "bart.txt")
    rows = [row for row in report.rows if row.node.startswith("embeddings.position")]
    assert [(row.node, row.formula, row.each) for row in rows] == [
        ("embeddings.position", "P·H (H = 128, P = 1024)", 1024 * 128),
        ("embeddings.position#2", "P·H (H = 128, P = 1024)", 1024 * 128),
    ]


def test_a_layer_inside_of_a_nested_model_and_behind_it_is_told_as_one() -> None:
    (report,) = read(BART, "bart.txt")
    (told,) = [finding.explanation for finding in report.findings if finding.kind == "tied-row"]
    assert told == "token_embedding stands in two rows of 768,000: it is one layer, which the total counts once."


PARTS = """
=====================================================================================
Layer (type (var_name))                                      Param #
=====================================================================================
BertForSequenceClassification (BertForSequenceClassification)  --
├─BertModel (bert)                                           --
│    └─BertEmbeddings (embeddings)                           23,837,184
│    └─BertEncoder (encoder)                                 14,175,744
│    └─BertPooler (pooler)                                   590,592
├─Linear (classifier)                                        2,307
=====================================================================================
Total params: 38,605,827
=====================================================================================
"""


def test_parts_of_a_model_fit_no_whole_one() -> None:
    # 23,837,184 and 14,175,744 are the totals of smaller BERTs, too.
    (report,) = read(PARTS, "parts.txt")
    assert [(item.params, item.fits, item.why) for item in report.unmapped] == [
        (23_837_184, False, "no formula is known for the class BertEmbeddings"),
        (14_175_744, False, "no formula is known for the class BertEncoder"),
        (590_592, False, "no formula is known for the class BertPooler"),
        (2_307, False, "no formula of Linear makes 2,307 without a shape, and the text shows none"),
    ]
