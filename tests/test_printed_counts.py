"""What other libraries print of models, held against the number of parameters that they count on the models themselves.

The samples in `tests/data/printed_counts` come from fvcore, torchinfo, Lightning, JAX, Flax, Keras 3 and PyTorch with
transformers; Paddle's, GGUF's, accelerate's and the profiler's are laid out by their documentation.
"""

from pathlib import Path

import pytest
from support import run

from reconcile.errors import InputError
from reconcile.pipeline.read import read_stored
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


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("accelerate.txt", "accelerate's estimate of memory, which has bytes and no counts"),
        ("num_params_only.txt", "a total of 344,137 parameters and no row"),
        ("lightning_d3.txt", "a table with rounded counts only, 343,500 to 344,999 in all"),
    ],
)
def test_what_is_not_read_is_declined_by_its_name(name: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read(name)
    assert message in str(raised.value)


def test_a_table_whose_rows_are_no_counts_is_not_said_to_have_no_row(tmp_path: Path) -> None:
    rows = "  | Name  | Type      | Params\n0 | model | BertModel | 109 M\n1 | head  | Linear    | 1.5 K\n"
    file = tmp_path / "lightning.txt"
    file.write_text(f"{rows}109 M     Trainable params\n0         Non-trainable params\n109 M     Total params\n")
    ran = run("read", file)
    assert (ran.status, ran.out) == (2, "")
    assert "got Lightning's table, whose counts are rounded, takes names with shapes or counts" in ran.err
