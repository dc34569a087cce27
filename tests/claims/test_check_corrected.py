"""What a text puts right itself, what it adds up in a line or below one, and totals that no model has."""

import pytest

from reconcile.claims.claim import FINDINGS
from reconcile.pipeline.check import check

STATES = (
    "LLaMA-7B 有 6.7B 参数,FP16 权重 6.7B x 2 Bytes = ~13.4 GB。再加 Adam 优化器状态"
    "(FP32 参数副本 + 一阶动量 + 二阶动量 = 4x 参数量 = ~{} GB)以及梯度(~13.4 GB),静态显存合计 ~{} GB。"
)
TABLE = r"""\begin{{tabular}}{{l c c r r r}}
Model & $L$ & $h$ & Input & Layers & Total \\
\hline
tiny  & 2  & 128 & 4\,162\,176  & 396\,544    & 4\,558\,720 \\
mini  & 4  & 256 & 8\,324\,352  & 3\,159\,040 & 11\,483\,392 \\
small & 6  & 512 & 16\,648\,704 & 18\,914\,304 & {} \\
\hline
\end{{tabular}}
"""
LAYER = """10 layers, width 640, 10 heads of 64, inner width 2560, 384 positions.

```
layer
    attention    4 x (640 x 640 + 640)               =   1,640,960
    layer norm   2 x 640                             =       1,280
    ffn          640 x 2560 + 2560 + 2560 x 640 + 640 =  3,280,000
    layer norm   2 x 640                             =       1,280
                                                       -----------
    per layer                                            {}
```
"""
SERIES = """bert-base-chinese with a CNN on top

Layer                  Shape                      Param #
---------------------------------------------------------
bert                   [B, 32, 768]           102,267,648
{0}.0  Conv2d        [256, 1, 2, 768]           393,472
{1}.1  Conv2d        [256, 1, 3, 768]           590,080
{2}.2  Conv2d        [256, 1, 4, 768]           786,688
fc_cnn   Linear        [768, 10]                    7,690
---------------------------------------------------------
Total                                         103,258,890
"""
ASKED = """Q: My BERT-base is too small. What did I forget?

- attention per layer: 4 * (768 * 768 + 768) = 2,362,368
- so one layer has {}

A: The feed-forward is wrong, 768 is what goes in. One layer has 7,087,872.
"""
GRU = """I get ((16+32)*32 + 32) * 3 * 2 = 9,408 for a bidirectional GRU, why does Keras print 9600?

{}

It has a second bias: ((16+32)*32 + 32 + 32) * 3 * 2 = 9,600.
"""
LISTED = """```
embeddings.word.weight            [1200, 256]     307,200
layer.0.attn.query.weight         [256, 256]       65,536
layer.1 total                                      65,536
layer.2 total                                      65,536
layer.3 total                                      65,536
mlm.dense.weight                  [256, 256]       65,536
---------------------------------------------------------
total                                           {}
```
"""


def wrong(text: str) -> dict[str, object]:
    """What is accused, with what is right."""
    return {claim.text: claim.expected for claim in check(text, "x").claims if claim.verdict in FINDINGS}


@pytest.mark.parametrize("then", [",每个参数4字节,显存占用为:", ", at four bytes 0.6 GB of them", "; leicht zu merken"])
def test_a_total_right_behind_a_name_is_that_of_the_model_whatever_follows(then: str) -> None:
    assert wrong(f"BERT-Base有1.5亿个参数{then}")["1.5亿个参数"] == 109_482_240
    assert not wrong(f"BERT-Base有1.1亿个参数{then}")


def test_a_part_right_behind_a_name_is_no_total() -> None:
    assert not wrong("BERT-Base has 86M, not counting its embeddings")


def test_bytes_that_a_line_adds_up_carry_on_what_is_wrong_in_it() -> None:
    assert wrong(STATES.format("26.8", "54")) == {"26.8 GB": 80_400_000_000, "54 GB": 107_200_000_000}
    assert not wrong(STATES.format("80.4", "107"))


def test_a_sum_of_bytes_far_below_carries_on_all_that_is_wrong_in_it() -> None:
    text = "BERT-Base有1.5亿个参数,每个4字节:\n1.5亿 × 4字节 = 600MB\n\n梯度一样大:\n1.5亿 × 4字节 = 600MB\n\n合计 {}"
    assert wrong(text.format("600MB + 600MB = 1.2GB"))["600MB + 600MB = 1.2GB"] == 2 * 4 * 109_482_240


@pytest.mark.parametrize("put", ["「{} GB」改成「{} GB」", "{} GB should be {} GB.", "„{} GB“ müsste „{} GB“ heißen"])
def test_what_a_text_says_should_be_another_figure_is_wrong(put: str) -> None:
    states = "LLaMA-7B has 6.7B parameters: 6.7B × 16 bytes = 107.2 GB in all.\n\n"
    assert wrong(states + put.format("54", "107.2")) == {"54 GB": 107_200_000_000}
    assert not wrong(states + put.format("107.2", "107.2"))
    assert not wrong(states + put.format("54", "93"))  # of which nothing tells that it is right


@pytest.mark.parametrize(
    "text",
    [
        "BERT-base takes 438 MB. These 438 MB should be 219 MB in fp16.",
        "109,482,240 should be 108,310,272 for the cased BERT-base.",
        "BERT-base has 109,482,240. That 109,482,240 should be 110,106,428 with all heads of pre-training.",
    ],
)
def test_what_a_figure_should_be_of_something_else_puts_nothing_right(text: str) -> None:
    assert not wrong(text)


def test_bytes_that_happen_to_be_a_sum_are_not_said_to_be_one() -> None:
    claims = check("BERT-base and its relatives take 1 GB, 2 GB, 3 GB and 6 GB.", "x").claims
    assert [claim for claim in claims if "comes to it" in claim.explanation] == []


def test_what_a_question_gives_a_block_is_held_against_its_answer() -> None:
    assert wrong(ASKED.format("3,546,624")) == {"3,546,624": 7_087_872}
    assert not wrong(ASKED.format("3,546,624").replace("A: ", "B: "))
    assert not wrong(ASKED.format("7,087,872"))


def test_a_gru_with_one_bias_is_wrong_where_an_answer_has_both() -> None:
    assert wrong(GRU.format("**Answer**")) == {"((16+32)*32 + 32) * 3 * 2 = 9,408": 9_600}
    assert not wrong(GRU.format("With reset_after=False that was right."))


@pytest.mark.parametrize(
    ("model", "count", "right"),
    [
        ("BERT-base", 165_588_480, 109_482_240),  # the feed-forward twice
        ("Llama 3 70B", 79_948_947_456, 70_553_706_496),  # keys and values as wide as queries
    ],
)
def test_a_total_that_no_model_has_is_wrong(model: str, count: int, right: int) -> None:
    assert wrong(f"{model}, counted by hand.\n\nSum: {count:,}. Hm.") == {f"{count:,}": right}


def test_a_total_that_a_way_to_count_makes_is_none_of_these() -> None:
    assert not wrong("BERT-base, counted by hand.\n\nSum: 108,768,768. Hm.")  # without segments, biases and norms


def test_the_cells_of_a_latex_table_are_columns() -> None:
    assert wrong(TABLE.format(r"35\,536\,008")) == {r"35\,536\,008": 35_563_008}
    assert not wrong(TABLE.format(r"35\,563\,008"))


def test_lined_up_equations_are_no_table() -> None:
    text = "\\begin{align}\n a &= 12 \\times 768 = 9216 \\\\\n b &= 2 \\times 768 = 1537 \\\\\n\\end{align}"
    assert [*wrong(text).values()] == [1_536]


def test_a_count_under_a_drawn_line_has_the_norms_above_it() -> None:
    assert wrong(LAYER.format("4,920,960")) == {"4,920,960": 4_923_520}
    assert not wrong(LAYER.format("4,923,520"))
    assert not wrong(LAYER.replace("-----------", "").format("4,920,960"))
    assert not wrong(LAYER.replace("per layer", "per layer, its dense layers alone").format("4,920,960"))


def test_a_total_lacks_one_of_a_series_of_rows() -> None:
    assert wrong(SERIES.format("convs", "convs", "convs")) == {"103,258,890": 104_045_578}
    assert not wrong(SERIES.format("convs", "convs", "other"))
    assert not wrong(SERIES.format("convs", "convs", "convs").replace("Total  ", "Total without convs.2"))


def test_a_listing_lacks_one_of_its_layers() -> None:
    assert wrong(LISTED.format("569,344")) == {"569,344": 634_880}
    assert not wrong(LISTED.format("634,880"))


def test_one_block_is_put_down_for_all_blocks_of_the_texts_own_model() -> None:
    text = (
        "A decoder in the style of GPT-2, n_layer = 8, n_embd = 256, n_head = 4, one block has 789,760.\n\n"
        "| All 8 transformer blocks | {} |\n|---|---|\n| Final layer norm | 512 |\n"
    )
    assert wrong(text.format("789,760")) == {"789,760": 6_318_080}
    assert not wrong(text.format("6,318,080"))


@pytest.mark.parametrize("head", ["語彙", "词表", "어휘", "Vokabular", "vocabulaire", "vocabulario", "словарь"])
def test_vocabularies_stand_over_columns_in_many_languages(head: str) -> None:
    table = f"| | {head} | params |\n|---|---|---|\n| DistilBERT | 40,000 | {{}} |\n"
    assert wrong(table.format("66M")) == {"66M": 73_641_984}
    assert not wrong(table.format("74M"))


def test_bytes_are_less_than_the_precision_over_their_column_takes() -> None:
    table = "| Model | Parameters | Weights in float32 |\n|---|---|---|\n| own | 11 million | {} |\n"
    assert wrong(table.format("30 MB")) == {"30 MB": 44_000_000}
    assert not wrong(table.format("44 MB"))
    assert not wrong(table.format("52 MB"))


def test_a_vocabulary_of_the_text_is_no_other_releases() -> None:
    text = "bert/embeddings/word_embeddings:0, shape = (21154, 768)  16246272\n\nembeddings 合计 16642560\n"
    assert not wrong(text)


def test_further_norms_are_not_those_of_a_block() -> None:
    text = "A BERT of d_model = 1024 and 24 layers: a block has two norms, 2 × 2 × 1024 = 4,096.\n\n- {} norms: 8,192\n"
    assert not wrong(text.format("four more"))
    assert wrong(text.format("the layer"))


def test_a_result_that_is_right_with_a_count_above_is_not_carried_on() -> None:
    text = (
        "encoder layer of width 1024: 4 × (1024² + 1024) + (2 × 1024 × 4096 + 4096 + 1024) + 4 × 1024 = 12,596,224\n"
        "decoder layer: that plus a cross attention with its norm, 4,198,400 + 2,048 = 16,796,672\n\n"
        "12 of each: 12 × 16,796,672 = 201,560,064\n"
    )
    assert [*wrong(text)] == ["4,198,400 + 2,048 = 16,796,672"]


MODELS = {
    "HerBERT base": 124_442_880,
    "herbert-large-cased": 355_089_408,
    "bert-base-greek-uncased-v1": 112_921_344,
    "bert-base-finnish-cased-v1": 124_521_984,
    "bert-base-swedish-cased": 124_690_944,
    "ParsBERT": 162_841_344,
    "MuRIL": 237_556_224,
    "CAMeLBERT": 109_081_344,
    "MARBERT": 162_841_344,
    "RobBERT": 116_762_112,
    "klue/roberta-base": 110_618_112,
    "klue/roberta-large": 336_656_384,
    "distilcamembert-base": 68_094_720,
    "distilbert-base-german-cased": 66_808_320,
    "LINE DistilBERT": 68_087_808,
}


@pytest.mark.parametrize("name", MODELS)
def test_models_of_one_language_have_their_own_totals(name: str) -> None:
    right = MODELS[name]
    (claim,) = check(f"{name} has {right:,} parameters.", "x").claims
    assert claim.verdict == "holds"
    assert claim.path in ("backbone+pooler", "backbone")


def test_a_feed_forward_of_both_layers_is_not_there_twice() -> None:
    text = "bert-base-chinese: V, H, L, F = 21128, 768, 12, 3072\n\nffn = fc * 2    # {}\nlayer = 12 * ffn  # {}\n"
    assert wrong(text.format(9_444_864, 113_338_368))["9444864"] == 4_722_432
    assert not wrong(text.format(4_722_432, 56_669_184))
    assert not wrong("BERT-base: the feed-forward of two layers has 9,444,864.")


def test_query_key_and_value_carry_on_heads_that_are_multiplied() -> None:
    text = "BERT large\n\nquery kernel (1024, 16, 64): 1,048,576 x 16 heads = 16,777,216\nquery, key and value: {}\n"
    assert wrong(text.format("50,331,648")) == {
        "1,048,576 x 16 heads = 16,777,216": 1_048_576,
        "50,331,648": 3_145_728,
    }
