"""What a figure is called where several components have its count, and checkpoints with counts that they have not."""

from pathlib import Path

import pytest

from reconcile.claims.claim import Claim
from reconcile.claims.structure.document import read
from reconcile.pipeline.check import check


def _claims(text: str) -> dict[str, Claim]:
    return {claim.text: claim for claim in check(text, "text").claims}


def _lines(text: str) -> dict[int, Claim]:
    return {claim.line: claim for claim in check(text, "text").claims}


def test_of_components_alike_a_figure_is_of_the_next_one_in_the_order_of_the_model() -> None:
    text = """BERT base, uncased.
Word embeddings: 30522 * 768 = 23,440,896
Positions: 512 * 768 = 393,216
Segments: 2 * 768 = 1,536
LayerNorm: 2 * 768 = 1,536

One layer:
Attention: 4 * (768 * 768 + 768) = 2,362,368
LayerNorm: 2 * 768 = 1,536
Feed-forward: 768 * 3072 + 3072 + 3072 * 768 + 768 = 4,722,432
LayerNorm: 2 * 768 = 1,536
"""
    paths = {line: claim.path for line, claim in _lines(text).items()}
    assert (paths[5], paths[9], paths[11]) == (
        "embeddings.norm",
        "encoder.block[*].attention_norm",
        "encoder.block[*].feed_forward_norm",
    )


def test_one_norm_that_is_said_of_both_is_the_first() -> None:
    """Behind the feed-forward, with no norm before it, nothing tells which is meant; a rival is named."""
    text = """BERT base, uncased. One layer:
Attention: 4 * (768 * 768 + 768) = 2,362,368
Feed-forward: 768 * 3072 + 3072 + 3072 * 768 + 768 = 4,722,432
LayerNorm: 2 * 768 = 1,536 each
"""
    claim = _lines(text)[4]
    assert claim.path == "encoder.block[*].attention_norm"
    assert "encoder.block[*].feed_forward_norm" in claim.also


def test_what_a_label_says_is_not_overruled_by_the_order() -> None:
    text = """BERT base, uncased.
Attention of one layer: 4 * (768 * 768 + 768) = 2,362,368
LayerNorm of the feed-forward: 2 * 768 = 1,536
"""
    assert _lines(text)[3].path == "encoder.block[*].feed_forward_norm"


def test_a_norm_that_only_scales_and_a_table_that_is_all_embeddings_have_one_name() -> None:
    claims = _claims(
        "LLaMA 7B: the embedding has 32000 * 4096 = 131,072,000 parameters.\nThe final norm: 4,096 parameters.\n"
    )
    assert [claim.path for claim in claims.values()] == ["embeddings.token", "decoder.norm"]
    assert all(not claim.also for claim in claims.values())


def test_a_sum_is_of_what_its_words_name_where_its_arithmetic_is_all_that_holds() -> None:
    text = "Embedding: 5000 * 300 = 1,500,000\nLSTM: 4 * (300 + 200 + 1) * 200 = 400,800\nTotal: 1,900,800 parameters\n"
    total = _lines(text)[3]
    assert (total.verdict, total.path, total.definition) == ("holds", "whole", None)


def test_a_mistake_that_is_carried_on_is_of_the_component_that_its_count_should_be() -> None:
    text = """BERT base, Chinese: V = 21128, H = 768.
attention: 4 * (768 * 768 + 768) = 2,326,368
feed-forward: 768 * 3072 + 3072 + 3072 * 768 + 768 = 4,722,432
one layer: 2,326,368 + 4,722,432 + 2 * 2 * 768 = 7,051,872
"""
    layer = _lines(text)[4]
    assert (layer.verdict, layer.expected, layer.carried_from) == (
        "mismatch",
        7_087_872,
        "4 * (768 * 768 + 768) = 2,326,368",
    )
    assert layer.path == "encoder.block[*]"


_TABLE = "| Model | Layers | {} |\n|---|---|---|\n| {} | 24 | {} |\n"


@pytest.mark.parametrize(
    ("name", "stated", "right"),
    [
        ("bert-base-uncased", "109,482,268", 109_482_240),
        ("bert-large-uncased", "340,103,232", 335_141_888),
        ("gpt2", "117,509,920", 124_439_808),
        ("Llama-3.1-405B", "410143424512", 405_853_388_800),
    ],
)
def test_the_row_of_one_checkpoint_with_a_count_that_it_has_not(name: str, stated: str, right: int) -> None:
    claim = _claims(_TABLE.format("Parameters", name, stated))[stated]
    assert (claim.verdict, claim.expected) == ("mismatch", right)


@pytest.mark.parametrize(
    ("header", "name", "stated"),
    [
        ("Parameters", "bert-base-uncased", "109,482,240"),
        ("Parameters", "bert-base-uncased", "109,483,778"),  # a classifier of two classes
        ("Parameters", "klue/roberta-base", "110,618,112"),
        ("Parameters", "distilbert-base-german-cased", "66,808,320"),
        ("Parameters", "ResNet50V2", "25,613,800"),
        ("Parameters", "bert-large-uncased, pruned", "240,103,232"),
        ("Size (bytes)", "Llama-3-8B", "16060522496"),
        ("Tokens", "gpt2", "117,509,920"),
        ("Trainable parameters", "bert-base-uncased", "85,648,130"),
        ("Frozen params", "gpt2", "100,439,001"),
        ("Non-embedding parameters", "roberta-large", "302,310,999"),
        ("Parameters", "bert-base-uncased", "109,541,453"),  # 77 classes
        ("Parameters", "bert-base-cased", "107,726,700"),  # nine classes and a CRF, without the pooler
        ("Parameters", "roberta-base", "125,029,632"),  # 500 more words
    ],
)
def test_counts_of_what_may_be_another_one_accuse_nothing(header: str, name: str, stated: str) -> None:
    claims = _claims(_TABLE.format(header, name, stated)).values()
    assert not [claim for claim in claims if claim.verdict in ("mismatch", "does not add up")]


@pytest.mark.parametrize(
    "above", ["My own re-implementation, after some changes:", "With LoRA adapters:", "Fine-tuned on our classes:"]
)
def test_a_table_of_models_that_are_made_of_checkpoints_accuses_nothing(above: str) -> None:
    text = above + "\n\n" + _TABLE.format("Parameters", "gpt2", "130,439,808")
    assert not [claim for claim in check(text, "text").claims if claim.verdict == "mismatch"]


@pytest.mark.parametrize("label", ["all 12 blocks", "weights of all 12 blocks", "GEMM parameters of all 12 blocks"])
def test_what_is_counted_without_biases_and_norms_says_so_itself(label: str) -> None:
    rows = f"| attention | 2,362,368 |\n| {label} | 84,934,656 |\n"
    claim = _claims(f"BERT base, uncased.\n\n| part | parameters |\n|---|---|\n{rows}")["84,934,656"]
    assert (claim.verdict, claim.path) == ("holds", "encoder without biases and layer norms")


def test_biases_and_norms_that_are_said_to_be_left_out_are_no_norm() -> None:
    text = (
        "BERT base, uncased.\n\n| part | parameters |\n|---|---|\n| all 12 blocks, ohne Bias und Norm | 84,934,656 |\n"
    )
    assert _claims(text)["84,934,656"].verdict == "holds"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("40 x (4 x 5120 x 5120 + 3 x 5120 x 13824) ~ 11.7B", 12_687_769_600),
        ("(768乘以64)乘以3乘以12，即1,179,648个参数", 1_769_472),
        ("6.7B × 2 bytes = 14.4 GB", 13_400_000_000),
        ("589,824 / 12,288 = 58x fewer", 48),
        ("335,141,888 / 109,482,240 = 4.06 times", 3),
    ],
)
def test_relations_and_results_as_people_write_them(text: str, right: int) -> None:
    claims = [claim for claim in check(text + "\n", "text").claims if claim.verdict == "arithmetic wrong"]
    assert [claim.expected for claim in claims] == [right]


@pytest.mark.parametrize(
    "text",
    [
        "from 110M ~ 340M parameters",
        "12 ~ 24 layers and 110M parameters",
        "2048 x 14336 x 4 = 117MB / layer = 8.2GB total",
        "589,824 / 12,288 = 48x fewer",
        "28 + 28 + 56 + 8 + 4 = ~124 GB",
        "7B × 2B = 14 GB",
    ],
)
def test_ranges_and_what_goes_on_per_layer_accuse_nothing(text: str) -> None:
    accused = ("arithmetic wrong", "mismatch", "does not add up")
    assert not [claim for claim in check(text + "\n", "text").claims if claim.verdict in accused]


def test_projections_whose_number_an_expression_shows_hold_under_the_attention_with_their_biases() -> None:
    text = "GPT-2 small, d = 768.\nattention weights with bias: 768 * 768 * 3 + 768 * 3 = 1771776\n"
    claim = _lines(text)[2]
    assert (claim.verdict, claim.path) == ("holds", "decoder.block[*].attention - decoder.block[*].attention.output")


def test_sums_of_adapters_are_no_sums_of_the_model() -> None:
    text = """* The 4 projections of a layer = `4 * 65,536 = 262,144`
    * Params per layer = `r * (d + i) = 16 * (2048 + 16384) = 16 * 18432 = 294,912`
    * Params per layer = `r * (i + d) = 16 * (16384 + 2048) = 16 * 18432 = 294,912`
* MLP LoRA params per layer, total = `294,912 + 294,912 + 294,912 = 884,736`
"""
    claim = _claims(text)["294,912 + 294,912 + 294,912 = 884,736"]
    assert claim.verdict == "holds"


def test_rows_of_tensors_with_small_counts_behind_their_names() -> None:
    text = """ViT base: dim 768, depth 12, mlp_dim 3072
transformer.layers.0.0.fn.norm.weight 768
transformer.layers.0.0.fn.fn.to_qkv.weight 1769472
transformer.layers.0.0.fn.fn.to_out.0.weight 589824
transformer.layers.0.0.fn.fn.to_out.0.bias 768
"""
    paths = {line: claim.path for line, claim in _lines(text).items()}
    assert paths[4] == "encoder.block[*].attention.output.kernel"
    assert paths[5] == "encoder.block[*].attention.output.bias"


def test_quotients_over_one_divisor_are_an_equation() -> None:
    text = "(2 * 8192 * 8192 * 80 * 2) / 1,073,741,824 = 20,401,094,656 bytes / 1,073,741,824\n"
    claim = check(text, "text").claims[0]
    assert (claim.verdict, claim.expected) == ("arithmetic wrong", 20)


def test_a_result_that_reaches_the_next_digit_is_not_cut_off() -> None:
    """21,474,836,480 bytes are 20 GB of 1,024³, and no 19 that is cut off."""
    verdicts = {
        digits: check(f"2 * 8192 * 8192 * 80 * 2 bytes = {digits} GB\n", "text").claims for digits in ("20", "19")
    }
    assert [claims[0].verdict for claims in verdicts.values()] == ["holds as", "arithmetic wrong"]


@pytest.mark.parametrize("header", ["Trainable parameters", "Frozen params"])
def test_a_column_of_what_is_trained_is_of_no_whole_model(header: str) -> None:
    text = f"| Model | {header} |\n|---|---|\n| bert-base-uncased | 60,123,456 |\n"
    assert not [claim for claim in check(text, "text").claims if claim.verdict == "mismatch"]


def test_what_agrees_before_a_remark_per_layer_holds() -> None:
    claims = _claims("fp32: 2048 x 14336 x 4 = 117MB / layer = 8.2GB total\n")
    assert [(claim.text, claim.verdict) for claim in claims.values()] == [("2048 x 14336 x 4 = 117MB", "holds as")]


def test_a_share_behind_an_arrow() -> None:
    claim = check("294,912 / 109,482,240 → 2.7%\n", "text").claims[0]
    assert claim.verdict == "arithmetic wrong"


def test_shares_of_a_total_some_lines_below_in_a_tree() -> None:
    """The larger count behind it is another model's."""
    text = """  ├─ Attention (12層)               28,320,768個（22.8%）
Step 4: 出力                 1,536個（0.001%）
  └─ 最後のLayerNorm（投影の重みは共有）
Step 5: 予測                    0個（0%）
────────────────────────────────
総計：                 124,412,160個
（共有をやめれば163,009,536個）
"""
    assert [claim.verdict for claim in check(text, "text").claims if claim.text == "22.8%"] == ["holds as"]


def test_a_column_under_a_formula_with_a_raised_digit() -> None:
    rows = "| 4096 | 32 | 6,442,450,944 |\n| 5120 | 40 | 12,582,912,000 |\n"
    text = f"| Hidden Dimension h | Layer Count l | 12lh² |\n|---|---|---|\n{rows}"
    assert {claim.verdict for line, claim in _lines(text).items()} == {"holds"}


def test_an_encoder_with_the_only_table_is_no_wrong_total_of_both_stacks() -> None:
    text = "The encoder of T5 alone, with the shared embedding:\n\nt5-small: 35330816\nt5-base: 109628544\n"
    assert not [claim for claim in check(text, "text").claims if claim.verdict == "mismatch"]


_CODE = """if i < 52:
    return base[i]
get_symbol(20000)
elif i >= 55296:
    # Skip chr(57343) - chr(55296)
    pass
"""
_SIZES = """hidden size 1024, max position 1024, 16 heads, type vocab size 16

with raises(ValueError):
    size=1024
"""


@pytest.mark.parametrize("text", [_CODE, _SIZES])
def test_round_rows_and_sizes_in_code_accuse_nothing(text: str) -> None:
    accused = ("arithmetic wrong", "mismatch", "does not add up")
    assert not [claim for claim in check(text, "text").claims if claim.verdict in accused]


def _verdicts(text: str) -> dict[str, str]:
    return {claim.text: claim.verdict for claim in check(text, "text").claims}


def test_a_ratio_of_the_sizes_before_it_is_none_of_the_models() -> None:
    """768 → 3,072 is four times, whatever BERT large has of BERT base."""
    text = (
        "In BERT-base the layer widens 768 → 3072 (4 times the size), in BERT-large 1024 → 4096 (4 times the size).\n"
    )
    assert "mismatch" not in _verdicts(text).values()
    assert "mismatch" in _verdicts("BERT-large has 110M before and is 5 times the size of BERT-base.\n").values()


_TRAINED = """| Model | Trainable | Total | Share |
|---|---|---|---|
| RoBERTa base, all of it | 124,645,632 | 124,645,632 | 100% |
| RoBERTa base, frozen | ~1,538 | ~124.6M | {share} |
"""


def test_a_rounded_total_is_no_part_of_itself() -> None:
    assert "mismatch" not in _verdicts(_TRAINED.format(share="~0.001%")).values()


_LAYERS = """Model: "sequential"
_________________________________________________________________
 Layer (type)                Output Shape              Param #
=================================================================
 dense (Dense)               (None, 512)               {dense}
 dense_1 (Dense)             (None, 10)                5130
=================================================================
Total params: {total}
Trainable params: {total}
Non-trainable params: 0
_________________________________________________________________

dense: 784*512 + 512 = {dense}
dense_1: 512*10 + 10 = 5130
"""


def test_a_row_that_works_out_the_count_of_a_layer_holds() -> None:
    found = _verdicts(_LAYERS.format(dense=401_920, total=407_050))
    assert found["784*512 + 512 = 401920"] == found["512*10 + 10 = 5130"] == "holds"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Our ViT: width 768, 1000 classes.\n\nThe last layer: 769,000 parameters\n", "holds"),  # 768·1,000 + 1,000
        ("Our ViT: 12 blocks of width 768.\n\nThe rest: 9,984 parameters\n", None),  # 13·768 is no layer from 12
    ],
)
def test_a_dense_layer_between_two_sizes_needs_no_word_where_both_are_wide(text: str, verdict: str | None) -> None:
    found = [claim for claim in check(text, "text").claims if "a dense layer from" in claim.explanation]
    assert [claim.verdict for claim in found] == ([verdict] if verdict else [])


def test_with_biases_behind_a_count_is_said_of_the_next_one() -> None:
    text = "GPT-2 small: 38,597,376 + 786,432 + 84,934,656 = 124,318,464{}\n"
    assert "mismatch" not in _verdicts(text.format(", and with biases and layer norms 124,439,808")).values()
    assert "mismatch" in _verdicts(text.format(", all of it with biases")).values()


_TALLY = """A block has 768 × 3072 + 3072 = 2,362,368 and 3072 × 768 + 768 = 2,360,064 in its feed-forward.

| Part | Parameters |
|---|---|
| Token embedding | 38,597,376 |
| Position embedding | 786,432 |
| Twelve blocks | 85,054,464 |
| Last norm | 1,536 |
| Total | {total:,} |
"""


def test_a_total_to_the_last_digit_tells_the_model() -> None:
    """Sizes in the text are those of GPT-2 small, and 124,439,808 is its total: 786,432 = 1,024 × 768 positions."""
    found = {claim.text: (claim.verdict, claim.path) for claim in check(_TALLY.format(total=124_439_808), "t").claims}
    assert found["786,432"] == ("holds", "embeddings.position")
    assert _verdicts(_TALLY.format(total=124_439_809)).get("786,432") != "holds"


def test_a_right_equation_holds_with_a_figure_that_is_in_doubt() -> None:
    """What one head has is said of the attention, which nobody can decide: what is worked out with it still holds."""
    text = Path(__file__).with_name("texts").joinpath("102-zh-heads-one-by-one.txt").read_text("utf-8")
    assert _verdicts(text)["147648 * 12 = 1771776"] == "holds"


@pytest.mark.parametrize(("said", "verdict"), [("All 12 heads", "holds"), ("The sum", "mismatch")])
def test_all_heads_are_the_attention_without_its_output(said: str, verdict: str) -> None:
    text = f"BERT base: one of the attention has (768 * 64 + 64) * 3 = 147648\n{said} of the attention: "
    assert _verdicts(text + "147648 * 12 = 1771776\n")["147648 * 12 = 1771776"] == verdict


_FORMULA = """The matrices of a decoder, with an output matrix of its own:

- Altogether: `12 * d^2 * L + 2 * V * d`

Example: GPT-2 small (`d=768, L=12, V=50257`) gives {} parameters.
"""


@pytest.mark.parametrize(("said", "verdict"), [("~162M", "holds as"), ("162,129,408", "holds"), ("~124M", "mismatch")])
def test_an_example_is_held_against_the_formula_above_it(said: str, verdict: str) -> None:
    """12·768²·12 + 2·50,257·768 = 162,129,408; 124M is the model whose output matrix is the token embedding."""
    number = said.strip("~")
    found = {claim.line: claim for claim in check(_FORMULA.format(said), "text").claims if number in claim.text}
    assert found[5].verdict == verdict
    assert found[5].expected == 162_129_408 or verdict == "holds as"


@pytest.mark.parametrize("part", ["FFN: `8*L*d^2`", "Blocks: `12*L*d^2`"])
def test_a_formula_of_a_part_accuses_no_total_that_does_not_come_from_it(part: str) -> None:
    text = f"{part}\n\nGPT-2 small (d=768, L=12) has 124M parameters.\n"
    assert "mismatch" not in _verdicts(text).values()
    assert "mismatch" in _verdicts(text.replace("has", "gives by this formula")).values()


def test_a_letter_of_an_example_is_given_no_part_of_a_figure() -> None:
    text = "Altogether: `2 * N * d`\n\nGPT-2 small (d=768, N=109,482,240 in all) gives 124M parameters.\n"
    assert "mismatch" not in _verdicts(text).values()
    text = "Altogether: `2 * N * d`\n\nGPT-2 small (d=768, N=109,482 pieces) gives 124M parameters.\n"
    assert "mismatch" not in _verdicts(text).values()


def test_an_example_without_all_the_letters_of_the_formula_is_not_held_against_it() -> None:
    text = _FORMULA.format("~124M").replace(", V=50257", "")
    assert "mismatch" not in _verdicts(text).values()


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("8 × E^2 + 5× E = 4,718,592", "arithmetic wrong"),  # 4,722,432 with E = 768
        ("8 × E^2 + 5× E = 4,722,432", "holds"),
        ("8 × E^2 + 5× E = 9,718,592", None),  # of another width, or of something else
    ],
)
def test_a_formula_of_one_letter_is_worked_out_with_the_width_of_the_model(formula: str, verdict: str | None) -> None:
    found = set(_verdicts(f"GPT-2 small. With both biases the MLP has {formula}.\n").values())
    assert (verdict in found) if verdict else "arithmetic wrong" not in found


_TWO_HEADS = """| | A (`num_labels=1`) | B (`num_labels=2`) |
|---|---|---|
| body | 66,362,880 | 66,362,880 |
| pre_classifier | 590,592 | 590,592 |
| classifier | 769 (=768+1) | 1,538 (=768·2+2) |
| Total | {one:,} | {two:,} |
"""


def test_small_counts_below_large_ones_are_rows_of_their_own_column() -> None:
    """66,362,880 + 590,592 + 769 = 66,954,241: 66,955,010 is the total of the other column."""
    right = check(_TWO_HEADS.format(one=66_954_241, two=66_955_010), "text").claims
    assert {claim.verdict for claim in right if claim.line == 6} == {"holds"}
    wrong = check(_TWO_HEADS.format(one=66_955_010, two=66_955_778), "text").claims
    assert [(claim.verdict, claim.expected) for claim in wrong if claim.line == 6] == [
        ("does not add up", 66_954_241),
        ("does not add up", 66_955_010),
    ]


def test_korean_counters_end_the_rows_of_a_listing() -> None:
    rows = "a.weight: 65,536개\na.bias: 256개\nb.ffn.weight: 262,144개\nb.ffn.bias: 1,024개\n"
    total = 65_536 + 256 + 262_144 + 1_024
    assert _verdicts(f"전체 파라미터 수: {total:,}\n{rows}")[f"{total:,}"] == "holds"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("512 × 256 + 256 + 512 × 256 + 256 ≈ 262,000", "holds as"),  # 262,656, cut off
        ("512 × 256 + 256 + 512 × 256 + 256 ≈ 261,000", "arithmetic wrong"),
        ("512 × 256 + 256 + 512 × 256 + 256 = 262,000", "arithmetic wrong"),
    ],
)
def test_what_is_about_right_may_be_cut_off(text: str, verdict: str) -> None:
    assert list(_verdicts(text + "\n").values()) == [verdict]


@pytest.mark.parametrize("text", ["The bias: (13,) -> 13\n", "In BERT base a bias [3072] → 3,072\n"])
def test_the_shape_of_a_vector_is_its_count(text: str) -> None:
    assert "holds" in _verdicts(text).values()
    assert "holds" not in _verdicts(text.replace("(13,)", "13").replace("[3072]", "3072")).values()


def test_a_letter_stands_for_a_count_that_it_is_given_and_for_no_result() -> None:
    assert read("dm = 768, heads = 12\n").symbols == {"dm": 768, "heads": 12, "A": 12}
    assert read("N = 109,482,240\n").symbols == {"N": 109_482_240}
    assert read("N = 109,482,240 parameters\n").symbols == {}  # and no part of its digits
    assert read("The sum is 8 × Q + 5× Q = 4,718,590\n").symbols == {}
