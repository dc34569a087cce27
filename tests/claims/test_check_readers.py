"""What texts of new readers showed: each mistake with how it is told, and each right statement that looks like one."""

import pytest

from reconcile.claims.claim import FINDINGS, Claim
from reconcile.pipeline.check import check

TORCHINFO = """```
=================================================================================
Layer (type:depth-idx)                    Output Shape              Param #
=================================================================================
Classifier                                [64, 5]                   --
├─Embedding: 1-1                          [64, 256, 256]            5,120,000
├─Embedding: 1-2                          [256, 256]                65,536
├─TransformerEncoder: 1-3                 [64, 256, 256]            --
│    └─TransformerEncoderLayer: 2-1       [64, 256, 256]            789,760
│    └─TransformerEncoderLayer: 2-2       [64, 256, 256]            789,760
├─LayerNorm: 1-4                          [64, 256]                 512
├─Linear: 1-5                             [64, 5]                   1,285
=================================================================================
Total params: {total}
Trainable params: {total}
Non-trainable params: 0
=================================================================================
```
"""
PROJECTION_FORGOTTEN = """bert-base-cased: L = 12, d = 768, d_ff = 3072.

The complete attention of a layer has 1,771,776 parameters.
The feed-forward has 4,722,432.
A layer: 1,771,776 + 4,722,432 + 3,072 = 6,497,280
Twelve layers: 12 × 6,497,280 = 77,967,360
"""
CARRIED = """BERT-base, LoRA of rank 8 on query and value.

    2 × 768 × 8 = 12,228 parameters

Both of them in 12 layers: 12 × 24,456 = 293,472.
"""
DIGIT = """GPT-2 small: 12 · 7,087,872 = 84,054,464, and a last norm of 1,536.

Together 38,597,376 + 786,432 + 84,054,464 + 1,536 = 123,439,808
parameters or roughly 123\\,M. With four bytes each they take 493.8\\,MB.
"""
SHARES = """| model | parameters | vs. BERT-base |
|---|--:|--:|
| BERT-base-uncased | 109,482,240 | 100% |
| BERT-large-uncased | 335,141,888 | 306% |
| DistilBERT | 66,362,880 | {share} |
| ALBERT-base-v2 | 11,683,584 | 10.7% |
"""


def accused(text: str) -> list[Claim]:
    """The claims of a text that are accused."""
    return [claim for claim in check(text, "text").claims if claim.verdict in FINDINGS]


def test_two_digits_exchanged_in_the_total_of_a_printed_table() -> None:
    assert not accused(TORCHINFO.format(total="6,766,853"))
    claims = check(TORCHINFO.format(total="6,676,853"), "text").claims
    total, trained = (claim for claim in claims if claim.value == 6_676_853)
    assert {(claim.verdict, claim.expected) for claim in (total, trained)} == {("does not add up", 6_766_853)}


def test_shapes_of_outputs_are_no_counts() -> None:
    claims = check(TORCHINFO.format(total="6,766,853"), "text").claims
    assert not [claim for claim in claims if claim.text.startswith("[")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PROJECTION_FORGOTTEN, [2_362_368, 7_087_872, 85_054_464]),
        (CARRIED, [12_288, 294_912]),
        (DIGIT, [85_054_464, 124_439_808, 124_439_808, 497_759_232]),
    ],
    ids=["a component", "a multiple", "bytes and a rounded count"],
)
def test_a_mistake_is_carried_on_to_the_end(text: str, expected: list[int]) -> None:
    first, *others = accused(text)
    assert [claim.expected for claim in (first, *others)] == expected
    assert first.carried_from is None
    assert all(claim.carried_from is not None for claim in others)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("BERT-base: 768 + 768 = 1536 so embeddings = 23440896 + 1536 = 23442432", 23_837_184),
        ("GPT-2 small\n\n| one attention, 4*768*768, with biases | 2,359,296 |", 2_362_368),
        ("GPT-2 small: one attention with all of its biases: 4 * 768 * 768 = 2,359,296", 2_362_368),
        ("BERT-base FFN: 2 × 768 × 3072 = 4,718,592 + biases 3072 + 768 = 3,480", 3_840),
        (SHARES.format(share="50%"), None),
    ],
)
def test_what_is_left_out_or_belongs_to_something_else(text: str, expected: int | None) -> None:
    (claim,) = accused(text)
    assert claim.expected == expected


@pytest.mark.parametrize(
    "text",
    [
        SHARES.format(share="61%"),
        # a dense layer with its bias, which says what it counts
        "BERT-base: the word table is there two times, 30522*768 + 30522 = 23471418 is the tied one.",
        "BERT-base feed-forward, first half: 768 × 3072 + 3072 = 2,362,368",
        "BERT-base: embeddings = 23,440,896 + 393,216 = 23,834,112 if we leave out what is small.",
        "BERT-base attention with biases left out: 2,359,296",
        "We dropped the biases; BERT-base attention with bias=False: 2,359,296",
        # what is no table of models
        "| run | a | b |\n|---|---|---|\n| x1 | 1,000 | 5,000 |\n| x2 | 2,000 | 6,000 |\n| x3 | 3,000 | 7,000 |\n"
        "| x4 | 4,000 | 8,500 |",
        # norms are in it, biases are not said to be
        "BERT-base: the matrices of all blocks, layer norms included: 84,971,520",
        # without biases of query, key and value
        "A GPT-2 small without them: attention module: 2,360,064 (it would be 2,362,368 with the qkv biases)",
        # a label that is a sum
        "BERT-base, two classes: pooler + linear layer = 590,592 + 768 × 2 + 2 = 592,130",
        "A tagger: the CRF has $9 \\times 9 = 81$ transitions plus 9 for the start and 9 for the end.",
        "GPT-2 small: A is 8 x 768 with 6,144 numbers and B is 2304 x 8 with 18,432.",
        # heads of any width
        "vocab_size=20000, maxlen=200, embed_dim=32, num_heads=2, ff_dim=32, key_dim=embed_dim: the heads multiply.\n"
        "- query, key, value: 3 * (32 * 2*32 + 2*32) = 6,336\n- attention output: 2*32 * 32 + 32 = 2,080\n",
        # a vocabulary of its own in the row
        "| model | vocab | token embedding |\n|---|---|---|\n| BERT-base | 30,522 | 23,440,896 |\n"
        "| bert-base-klue | 32,000 | 24,576,000 |",
        "| Checkpoint | Type | Pieces | Params |\n|---|---|---|---|\n| `bert-base-arabertv02` | BERT | 64000 | 135M |",
        "(MB are 10^6 bytes; `ls -lh` shows MiB: for BERT-base 418M instead of 438.)",
        "Two copies of bert-large-uncased in fp32 need 2.7 GB.",
        # each layer and all of them
        "| cada camada | 12.596.224 |\n| todas as camadas | 302.309.376 |\n| resto | 32.832.512 |\n"
        "| total | 335.141.888 |",
        "c_attn: w 是 768*2304，b 是 2304，768*2304 + 2304 = 1771776",
        "$ 768 dot 768 + 768 = 590592 $ numbers of a dense layer in BERT-base",
    ],
)
def test_what_is_right_is_accused_of_nothing(text: str) -> None:
    assert accused(text) == []


def test_a_total_beside_its_own_trainable_parameters_does_not_add_up() -> None:
    text = "Total params: 8,364,373\nTrainable params: 8,364,373\nNon-trainable params: 0\n"
    assert not [claim for claim in check(text, "text").claims if "rows come" in (claim.explanation or "")]


def test_a_total_of_a_printed_table_makes_no_other_model_right() -> None:
    head = "=" * 65
    text = (
        f"Layer (type)                 Output Shape              Param #\n{head}\n"
        f" bert (TFBertModel)          multiple                  109482240\n{head}\n"
        "Total params: 109,482,240\nTrainable params: 109,482,240\nNon-trainable params: 0\n\n"
        "BERT-large has 109,482,240 parameters.\n"
    )
    (claim,) = accused(text)
    assert (claim.line, claim.expected) == (9, 335_141_888)


@pytest.mark.parametrize("between", [" ", "\n\n"])
def test_bytes_that_are_said_of_another_model_carry_nothing_on(between: str) -> None:
    (claim,) = accused(f"DistilBERT has 109,482,240 parameters.{between}BERT-base takes 438 MB in fp32.")
    assert claim.expected == 66_362_880


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("BERT-base.\n\nLayer norm. Two per layer: 2 * 768 = 1,536", 3_072),
        ("BERT-large.\n\n2 × 1024 = 2,048 for both layer norms together", 4_096),
        ("BERT-base: 每层两个 LayerNorm：2×768=1536", 3_072),
        ("BERT-base: LayerNorm (two per layer): 2 × 768 = 1,536 each", None),
        ("BERT-base: LayerNorm: 2 × 768 = 1,536 (two per layer)", None),
    ],
)
def test_two_norms_have_twice_as_many_as_one(text: str, right: int | None) -> None:
    wrong = [claim.expected for claim in check(text, "text").claims if claim.verdict == "mismatch"]
    assert wrong == ([] if right is None else [right])


def test_an_equation_in_brackets_is_held_to_its_arithmetic() -> None:
    (claim,) = check("Three of them (3 × 82.1M = 264.3M) cost a point.", "text").claims
    assert (claim.verdict, claim.expected) == ("arithmetic wrong", 246_300_000)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (
            "BERT-base: 12 heads, the attention has 2,359,296 weights per layer, in all 2,359,296 * 12 = 28,311,552.",
            0,
        ),
        ("BERT-base: there are 12 heads, so the attention is (1,769,472 + 589,824) * 12 = 28,311,552.", 1),
        ("BERT-base: 因为是 12 头注意力，所以一层的注意力一共 (1769472 + 589824) * 12 = 28311552", 1),
    ],
)
def test_as_many_heads_as_blocks(text: str, wrong: int) -> None:
    assert sum(claim.verdict in FINDINGS for claim in check(text, "text").claims) == wrong


def test_bytes_of_a_component_are_its_own() -> None:
    (attention,) = check("All the attention weights of BERT-base are 113.4 MB in fp32.", "text").claims
    (whole,) = check("BERT-base takes 437.9 KB in fp32.", "text").claims
    assert (attention.verdict, whole.verdict, whole.expected) == ("holds as", "mismatch", 437_928_960)
    cache = check("In BERT-base the attention cache takes 9.4 MB.", "text").claims
    assert not any(claim.verdict.startswith("holds") for claim in cache)


LEVELS = """our model

  embeddings         23,837,184
  one layer           7,087,872
  twelve layers      85,054,464
  head                  123,456   <- of our own
  ---------------------------------
  sum               {total}
"""


@pytest.mark.parametrize(("total", "verdict"), [("109,051,104", "does not add up"), ("109,015,104", "holds")])
def test_one_block_is_no_part_of_a_sum_that_has_all_of_them(total: str, verdict: str) -> None:
    claim = check(LEVELS.format(total=total), "text").claims[-1]
    assert claim.verdict == verdict


def test_a_total_with_a_matrix_twice_that_is_said_to_be_shared_is_left_open() -> None:
    rows = (
        "GPT-2 small, tied LM head.\n\nwte 38,597,376, wpe 786,432, blocks 85,054,464, ln_f 1,536.\n\nParameters: {}\n"
    )
    assert [one.verdict for one in check(rows.format("163,037,184"), "text").claims][-1] == "cannot say"


@pytest.mark.parametrize(
    "text", ["The square of 4/3 is 1.778, for 24 layers.", "Half of 109,482,240 = 54,741,120 parameters."]
)
def test_a_function_of_a_figure_is_not_the_figure(text: str) -> None:
    assert not [claim for claim in check(text, "text").claims if claim.verdict in FINDINGS]


@pytest.mark.parametrize("before", ["12层Encoder小计：", "all 12 layers together: ", "12 layers in total: "])
def test_one_block_that_is_called_all_of_them(before: str) -> None:
    text = f"BERT-base-uncased\n\n{before}2362368 + 4722432 + 3072 = 7087872\n\n1層: 7087872\n"
    found = check(text, "text").claims
    assert [(claim.verdict, claim.expected) for claim in found if claim.verdict in FINDINGS] == [
        ("mismatch", 85_054_464)
    ]


def test_what_each_layer_has_is_no_number_of_layers() -> None:
    text = (
        "BERT-large.\n\n- FFN up: 1024 x 4096 + 4096 = 4,198,400\n- FFN down: 4096 x 1024 + 4096 = 4,198,400\n\n"
        "That makes 12,599,296 per layer and 302,383,104 for 24 of them.\n"
    )
    assert [claim.expected for claim in accused(text)] == [4_195_328, 12_596_224, 302_309_376]


def test_a_block_of_whole_parts_has_both_of_its_norms() -> None:
    text = "bert-base-uncased\n\n**1層の合計**\n\n2,362,368 + 4,722,432 + {} = {}\n"
    (claim,) = accused(text.format("1,536", "7,086,336"))
    assert claim.expected == 7_087_872
    assert "`encoder.block[*].attention_norm` is left out" in (claim.explanation or "")
    assert not accused(text.format("3,072", "7,087,872"))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        # the decimal point of a share elsewhere: 294,912 of 109,482,240 are 0.27 %
        ("BERT-base with LoRA: we train 12 * 2 * 12288 = 294912 numbers, 2.7% of the model.", "0.2694 %"),
        ("Mixtral 8x7B. Over 32 layers the attention has 1.34B, a mere 0.29% of the model.", "2.869 %"),
        ("The pooler makes up 5.4% of BERT-base's 109.5M parameters.", "0.5394 %"),
        ("So it is 396 / 110,000,000 = **0.000036%** of BERT-base.", "0.00036 %"),
        ("BERT-base with LoRA: we train 12 * 2 * 12288 = 294912 numbers, 0.27% of the model.", None),
        ("BERT-base: a dropout of 10% of the model's 110M parameters in the pooler.", None),
    ],
)
def test_a_share_of_a_model_with_its_decimal_point_elsewhere(text: str, right: str | None) -> None:
    wrong = [claim.explanation or "" for claim in accused(text)]
    assert [right in one for one in wrong if right is not None] == ([] if right is None else [True])


PARTS = """| Component | Part | Parameters |
|---|---|---:|
| **Embeddings** | Words | 11,720,448 |
| | Positions | 196,608 |
| **Encoder** (6 layers) | Attention | 3,548,160 |
| | Feed-forward | 7,089,408 |
| **Intent head** | Dense | 6,168 |
| **Slot head** | Dense | 21,945 |
| | CRF transitions | 3,249 |
| **Total** | | **{}** |
"""


@pytest.mark.parametrize(("total", "expected"), [("22,585,986", []), ("22,560,792", [22_585_986])])
def test_a_total_of_a_table_with_groups_of_rows(total: str, expected: list[int]) -> None:
    """The second total lacks the 25,194 of the slot head."""
    assert [claim.expected for claim in accused(PARTS.format(total))] == expected


FROZEN = """BERT base, cased:

```
=====================================================================================
Layer (type:depth-idx)                                       Param #
=====================================================================================
BertModel                                                    --
├─BertEmbeddings: 1-1                                        --
│    └─Embedding: 2-1                                        (22,268,928)
│    └─Embedding: 2-2                                        (393,216)
├─BertPooler: 1-2                                            --
│    └─Linear: 2-3                                           590,592
=====================================================================================
```
"""


def test_the_counts_of_frozen_rows_stand_in_brackets() -> None:
    found = {claim.value: claim.verdict for claim in check(FROZEN, "text").claims}
    assert found == {22_268_928: "holds", 393_216: "holds", 590_592: "holds"}


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("每个head的维度 1024 / 16 = 64,16个head拼起来", {"holds"}),
        ("$4 \\cdot 197 \\cdot 384^2 \\approx 116.2\\,\\text{M}$", {"holds as"}),
        ("Трансформер — это 2 301 552 / 29 193 768 ≈ 0,79 % модели, остальное — таблица слов.", {"arithmetic wrong"}),
        ("A layer of the 70m is 12 × 512² + 13 × 512 = 3,152,384.", {"holds"}),
        ("| `deepset/gbert-large` | 335.735.808 | 1.342,9 MB | 671,5 MB |", {"holds", "holds as"}),
        ("c_attn 384 * 1152 = 442,368\ntwo norms 2 * 384 = 768\n= 1,770,240, times 6 = 10,621,440", {"holds"}),
        ("Mistral 7B\n| module | in → out | rank |\n|---|---|---|\n| q_proj | 4096 → 4096 | 16 |", set()),
    ],
)
def test_figures_of_other_scripts_and_widths_that_arrows_keep(text: str, verdicts: set[str]) -> None:
    assert {claim.verdict for claim in check(text, "text").claims} == verdicts


def test_a_text_without_biases_has_a_model_without_them() -> None:
    """12 · 384² and two norms of 384 that only scale."""
    text = "n_embd = 384, n_layer = 6, n_head = 6, bias = {}, GPT\n\none block 1,770,240\nall blocks 10,621,440\n"
    found = {claim.value: claim.path for claim in check(text.format("False"), "text").claims}
    assert (found[1_770_240], found[10_621_440]) == ("decoder.block[*]", "decoder")
    assert not any(claim.path for claim in check(text.format("True"), "text").claims)


def test_bytes_of_a_total_that_is_not_its_models_are_open() -> None:
    """DeBERTa v3 large has 434M parameters with its words, and in one column with others no 304M."""
    rows = "| model | parameters | fp16 |\n|---|---|---|\n| bert-base-uncased | 109,482,240 | 219.0 MB |\n"
    text = rows + "| deberta-v3-large | 304,000,000 | 608.0 MB |\n"
    found = {claim.text: claim.verdict for claim in check(text, "text").claims}
    assert (found["219.0 MB"], found["608.0 MB"]) == ("holds as", "cannot say")


@pytest.mark.parametrize("layers", ["12 Schichten", "12 couches", "12 capas", "12段", "12개 층", "12 слоёв"])
def test_layers_in_more_languages(layers: str) -> None:
    found = check(f"H = 768, F = 3072, {layers}, V = 30000\n\n85,054,464", "text")
    assert [(claim.value, claim.path) for claim in found.claims][-1] == (85_054_464, "encoder")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("head 64, 6 of them: 2 * 384 = 768 = 1,770,240 parameters", False),
        ("with the width ($4{,}096$) the whole model is $$1{,}050 + 8{,}030{,}261{,}248$$", False),
        ("12 × 768 × 768 = 7,087,8720 parameters", True),
        ("12 × 768 × 768 = 589,824 parameters", True),
        ("12 × 768 × 768 = 3,539,000 parameters", True),
        ("5.36 + 3.2 + 0.4 = 9.96 GB", True),
    ],
)
def test_sides_that_no_slip_brings_so_far_apart_are_not_what_the_text_says(text: str, told: bool) -> None:
    assert bool(accused(text)) is told
