"""What other libraries print of models, held against the number of parameters that they count on the models themselves.

The samples in `tests/data/printed_counts` come from fvcore, torchinfo, Lightning, JAX, Flax, Keras 3 and PyTorch with
transformers and accelerate; Paddle's, GGUF's and the profiler's are laid out by their documentation.
"""

from pathlib import Path

import pytest
from support import run

from reconcile.errors import InputError
from reconcile.pipeline.read import read as read_text
from reconcile.pipeline.read import read_stored
from reconcile.report.reply import reply
from reconcile.report.types import Report

DATA = Path(__file__).resolve().parent / "data" / "printed_counts"

# V 1,009, P 77, T 2, H 96, F 200, L 3: (1,009 + 77 + 2)·96 + 192 = 104,640 in the embeddings, 3·76,328 = 228,984 in the
# blocks, 9,312 in the pooler; a head of 9,312 + 192 + 1,009 = 10,513.
BACKBONE = 104_640 + 228_984
POOLED, MASKED = BACKBONE + 9_312, BACKBONE + 10_513  # 342,936 and 344,137


def read(name: str) -> Report:
    (report,) = read_stored(str(DATA / name))
    return report


def warned(report: Report) -> set[str]:
    return {finding.kind for finding in report.findings if finding.severity != "note"}


WHOLE = {
    "fvcore-flop_count_table.txt": MASKED,  # 76.328K is exact, 0.344M bounds the sum
    "fvcore_str.txt": MASKED,
    "one-axis.txt": BACKBONE,
    "keras3-weights.txt": BACKBONE - 2 * 96,  # no segments; `kernel` stands there eighteen times
    "keras3-t5-same-path-twice.txt": 776_256,
    "jax-tree-shapes.txt": POOLED,
    "jax-keystr.txt": POOLED,
    "flax-tuple-keys.txt": POOLED,
    "flax-tabulate.txt": 224 + 16 + 45,  # the moving mean and variance, 16, have a column of their own
    "gguf_dump.txt": BACKBONE,
    "gguf-reversed-shapes.txt": BACKBONE,
    "keras-layer-counts.txt": 353_643,
    "paddle_summary.txt": 326_139,
    "torchinfo-verbose.txt": 108_551,
    "named-modules.txt": 448 + 32 + 4_608 + 64 + 330,  # each module's row stands for those below it
    "tensorflow-profiler.txt": 30_522 * 768 + 2 * 768,
    "named_parameters-untied.txt": 791_789,
    "torchinfo-frozen.txt": 266_608,  # counts of what is frozen stand in brackets
    "torchinfo-narrow.txt": 77_281,  # cells stand elsewhere than their headings
    "markdown-layers.txt": 24_816,  # `Layer | Shape | Params`, as no summary of Keras has it
    "flax-counts.txt": 86_880,  # `pos` is a parameter of the model itself
    "nnx-tabulate.txt": 27_352,  # the first row is the whole model; `BatchStat` has a column of its own
    "children.txt": 190_912,  # a module called `model` beside `lm_head`
    "qwen3-moe.txt": 30_531_911_680,  # 48 blocks of 128 experts: 31,000 modules
}


@pytest.mark.parametrize("name", WHOLE)
def test_the_total_is_that_of_the_library(name: str) -> None:
    report = read(name)
    assert report.total == WHOLE[name]
    assert not report.residual
    assert "file-not-read" not in warned(report)


@pytest.mark.parametrize(
    ("name", "true", "warning"),
    [
        ("ViT.txt", 396_504, "file-no-count"),  # cls_token and position_embeddings
        ("Mixtral.txt", 969_696, "file-no-count"),  # the experts and the router
        ("MobileBERT.txt", 248_833, "file-no-count"),  # NoNorm() shows no sizes
        ("fvcore-table-mlm.txt", MASKED, "file-rounded-rows"),
    ],
)
def test_of_a_part_no_whole_is_claimed(name: str, true: int, warning: str) -> None:
    report = read(name)
    assert report.partial
    assert report.total < true
    assert warning in warned(report)


@pytest.mark.parametrize(
    ("name", "both", "one"), [("torchinfo-default.txt", 441_001, MASKED), ("GPTNeo.txt", 429_432, 332_568)]
)
def test_a_matrix_that_may_be_tied_is_told_with_both_totals(name: str, both: int, one: int) -> None:
    report = read(name)
    assert report.total == both == one + 1_009 * 96
    (finding,) = [finding for finding in report.findings if finding.kind == "file-maybe-shared"]
    assert finding.actual == one


PROMPTED = """PromptedBert(
  (bert): BertModel(
    (embeddings): BertEmbeddings(
      (word_embeddings): Embedding(1000, 64, padding_idx=0)
      (position_embeddings): Embedding(128, 64)
      (token_type_embeddings): Embedding(2, 64)
      (LayerNorm): LayerNorm((64,), eps=1e-12, elementwise_affine=True)
    )
    (pooler): BertPooler(
      (dense): Linear(in_features=64, out_features=64, bias=True)
    )
  )
)
"""
"""(1,000 + 128 + 2)·64 + 2·64 + 64² + 64 = 76,608, and whatever the class itself holds."""


def test_what_a_class_of_nobody_s_may_hold_makes_its_sum_the_least() -> None:
    (report,) = read_text(PROMPTED, "pasted")
    assert "of the at least 76,608 parameters" in report.opening
    said = reply(report)
    assert said.startswith("Your text shows at least 76,608 parameters of this ")
    assert "a parameter that a module holds by itself and not in a layer is not in the text" in said.lower()
    (whole,) = read_text(PROMPTED.replace("PromptedBert", "BertForMaskedLM"), "pasted")
    assert "of the 76,608 parameters" in whole.opening or "all 76,608 parameters" in whole.opening


def test_where_two_arrays_may_be_one_the_total_is_the_most() -> None:
    # GPT-Neo's output matrix of 1,009·96 may be its token table.
    report = read("GPTNeo.txt")
    assert "at most 429,432 parameters" in report.opening
    assert reply(report).startswith("Your text shows at most 429,432 parameters of this ")


def test_what_the_names_tie_is_told_with_what_two_arrays_would_make() -> None:
    (report,) = read_stored(str(DATA.parent / "listings" / "module.txt"))
    (told,) = [finding for finding in report.findings if finding.kind == "file-taken-as-shared"]
    # 100 words of 32 values
    assert told.actual == report.total + 100 * 32
    assert "the total counts one; if they are two the model has" in told.explanation


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("num_params_only.txt", "a total of 344,137 parameters and no row"),
    ],
)
def test_what_is_not_read_is_declined_by_its_name(name: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read(name)
    assert message in str(raised.value)


# Printed by `ModelSummary` of Lightning 2.6 (the second 2.0's `RichModelSummary`, whose size has no decimals); the totals
# are those of `parameters()`.
LIGHTNING = {
    "lightning_d3.txt": (MASKED, (344_125, 344_375)),  # 1.377 MB are 1,376,500 to 1,377,500 bytes of 4 a parameter
    "lightning-bert-base.txt": (109_482_240, (109_482_125, 109_482_375)),
    "lightning-rich.txt": (102_106, (101_500, 102_999)),
    "lightning-other-params.txt": (102_106, (101_875, 102_125)),
    "lightning-gpt2-tied.txt": (124_439_808, (124_439_625, 124_439_875)),
}


@pytest.mark.parametrize("name", LIGHTNING)
def test_rounded_counts_are_bounds(name: str) -> None:
    true, bounds = LIGHTNING[name]
    report = read(name)
    assert report.bounds == bounds
    assert bounds[0] <= true <= bounds[1]
    assert report.partial
    assert report.opening.startswith(f"rounded: the counts in the text make {bounds[0]:,} to {bounds[1]:,} parameters")


def test_a_row_has_no_more_than_the_one_above_it() -> None:
    (rows,) = [answer for answer in read("lightning_d3.txt").answers if answer.title.startswith("Rows")]
    # 107 K is 106,500 to 107,999; nothing here makes it closer.
    assert "model.cls.predictions (BertLMPredictionHead): 106,500 to 107,999" in rows.lines


def test_a_module_that_is_called_model_is_not_the_whole_model() -> None:
    report = read("lightning-bert-base.txt")
    (rows,) = [answer for answer in report.answers if answer.title.startswith("Rows")]
    assert rows.lines == ("model (BertModel): 108,500,000 to 109,999,999",)
    (known,) = [answer for answer in report.answers if answer.title.startswith("Known")]
    assert known.lines == ("BERT base, uncased, `backbone+pooler`: 109,482,240",)


@pytest.mark.parametrize(
    ("old", "new", "warning"),
    [
        ("437.929   Total", "437.929   Total", None),
        ("437.929   Total", "218.964   Total", None),  # 16 bits each
        ("437.929   Total", "700.000   Total", "file-bytes-differ"),
        ("109 M     Total", "200 M     Total", "file-less-than-stated"),
        ("109 M     Total", "50.0 M    Total", "file-more-than-stated"),
    ],
)
def test_rounded_rows_and_totals_are_held_against_each_other(
    old: str, new: str, warning: str | None, tmp_path: Path
) -> None:
    text = (DATA / "lightning-bert-base.txt").read_text()
    assert old in text
    file = tmp_path / "lightning.txt"
    file.write_text(text.replace(old, new))
    (report,) = read_stored(str(file))
    assert warned(report) >= {"file-rounded-rows"} | ({warning} if warning else set())
    if warning is None:
        assert warned(report) == {"file-rounded-rows"}


def test_rounded_counts_are_not_compared(tmp_path: Path) -> None:
    file = DATA / "lightning-bert-base.txt"
    ran = run("diff", file, file)
    assert (ran.status, ran.out) == (2, "")
    assert "got rounded counts, 109,482,125 to 109,482,375 in all, takes exact counts" in ran.err


# Bytes of parameters and buffers: 108,310,272 and two buffers of 512 integers of 8 bytes are 433,249,280 bytes, and a
# configuration that says float16 has half of them in the row of float32.
@pytest.mark.parametrize(
    ("name", "true", "most", "values"),
    [
        ("accelerate.txt", 108_310_272, 216_625_315, "108,311,348 to 108,312,657"),
        ("accelerate-float16.txt", 940_609_536, 940_619_857, "470,304,687 to 470,309,928"),
    ],
)
def test_an_estimate_of_memory_bounds_the_count_from_above(name: str, true: int, most: int, values: str) -> None:
    report = read(name)
    assert report.bounds == (0, most)
    assert true <= most
    assert report.opening == f"nothing is counted: by its bytes this model has at most {most:,} parameters."
    (finding,) = [one for one in report.findings if one.kind == "file-bytes-only"]
    assert f"{values} values of 4 bytes, parameters and buffers together" in finding.explanation


def test_rows_of_an_estimate_that_contradict_each_other_are_told(tmp_path: Path) -> None:
    file = tmp_path / "estimate.txt"
    file.write_text((DATA / "accelerate.txt").read_text().replace("206.59 MB", "306.59 MB"))
    (report,) = read_stored(str(file))
    assert warned(report) == {"file-sizes-differ"}


def test_a_first_level_of_modules_bounds_the_sum() -> None:
    report = read("fvcore-depth-1.txt")  # 1,760, of which a parameter of 7 stands with its shape
    assert report.bounds is not None
    assert report.bounds[0] <= 1_760 <= report.bounds[1]
    assert report.total == 7


def test_a_row_that_a_tree_hides_makes_nothing_missing() -> None:
    report = read("torchinfo-hidden-rows.txt")
    assert report.total == 70_496
    assert warned(report) == {"file-elided"}


@pytest.mark.parametrize(
    ("rows", "total", "warning"),
    [
        (
            "bert: 300 parameters\nhead: 150 parameters\nTotal parameters: 350",
            350,
            "file-more-than-stated",
        ),  # 100 of both are one array
        (
            "features: 300 parameters\nhead: 150 parameters\nTotal parameters: 457",
            457,
            "file-less-than-stated",
        ),  # 7 of the model itself
    ],
)
def test_modules_that_do_not_come_to_the_total_are_no_error(
    rows: str, total: int, warning: str, tmp_path: Path
) -> None:
    file = tmp_path / "children.txt"
    file.write_text(rows)
    (report,) = read_stored(str(file))
    assert report.total == total
    assert warning in warned(report)
    assert all(finding.severity != "error" for finding in report.findings)


def test_of_a_list_of_what_is_trained_nothing_is_missing(tmp_path: Path) -> None:
    lines = (DATA / "named_parameters-untied.txt").read_text().splitlines()
    sizes = {(parts := line.split())[0]: int(parts[-1]) for line in lines if line.startswith("bert.encoder")}
    file = tmp_path / "trained.txt"
    table = "".join(f"| {name} | {size} |\n" for name, size in sizes.items())
    file.write_text(f"| Modules | Parameters |\n|---|---|\n{table}Total Trainable Params: {sum(sizes.values())}\n")
    (report,) = read_stored(str(file))
    assert report.total == sum(sizes.values())
    assert all(finding.severity != "error" for finding in report.findings)


MODULE = """Net(
  (fc1): Linear(in_features=784, out_features=128, bias=True)
  (fc2): Linear(in_features=128, out_features=128, bias=True)
  (fc3): Linear(in_features=128, out_features=10, bias=True)
)

{}
"""


@pytest.mark.parametrize(
    ("total", "kinds"),
    [
        ("Total parameters: 118,282", set()),
        ("Total parameters: 118,026", {"file-more-than-shared"}),
        ("総パラメータ数: 118,026", {"file-more-than-shared"}),
        ("총 파라미터 수: 118,026", {"file-more-than-shared"}),
        ("总参数量：118,026", {"file-more-than-shared"}),
        ("Total parameters: 118,154", {"file-more-than-stated"}),  # the biases of two layers may be one
        ("Total parameters: 118,300", {"file-less-than-stated"}),  # what the module holds by itself
        ("Total non-embedding parameters: 17,802", {"file-more-than-stated"}),  # totals of something else
        ("Total parameters of the head: 1,290", {"file-more-than-stated"}),
        ("Total params of the baseline: 61,706", {"file-more-than-stated"}),
        ("Total Parameters (pruned): 59,141", {"file-more-than-stated"}),
        ("总参数量（不含偏置）：118,016", {"file-more-than-stated"}),
        ("Here is another one.\n\n\n\nTotal parameters: 61,706", {"file-more-than-stated"}),
    ],
)
def test_printed_layers_that_come_to_more_than_their_total_are_an_error_where_none_can_be_shared(
    total: str, kinds: set[str], tmp_path: Path
) -> None:
    file = tmp_path / "module.txt"
    file.write_text("Total parameters of the convolution before: 1,792\n\n" + MODULE.format(total), "utf-8")
    (report,) = read_stored(str(file))
    told = {one.kind for one in report.findings if one.kind.startswith(("file-more", "file-less"))}
    assert told == kinds
    assert report.opening.startswith("does not agree") == (kinds == {"file-more-than-shared"})
    assert report.opening.startswith("does not add up") == (kinds == {"file-more-than-stated"})


def test_a_sum_of_products_is_no_shape(tmp_path: Path) -> None:
    file = tmp_path / "table.txt"
    file.write_text(
        "| module | shape | #params |\n|---|---|---|\n| emb.weight | 30522 x 768 | 23,440,896 |\n"
        "| attention.output.dense | 768 x 768 + 768 | 590,592 |\n| pooler.dense | 768 x 768 + 768 | 590,592 |\n"
    )
    (report,) = read_stored(str(file))
    assert not [one for one in report.findings if one.kind == "file-count-contradicts-shape"]
