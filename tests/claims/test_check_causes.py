"""Causes of mistakes that several texts share: each as it is told, and what looks like one and is right."""

import pytest

from reconcile.claims.claim import FINDINGS, Claim
from reconcile.pipeline.check import check


def accused(text: str) -> list[Claim]:
    """The claims of a text that are accused."""
    return [claim for claim in check(text, "text").claims if claim.verdict in FINDINGS]


BLOCK = "BERT-base.\n\nThe attention has 2,362,368, the feed-forward 4,722,432.\n"
GERMAN = """deepset/gbert-base, len(tokenizer) ist 31102.

Wörter: 30.000 × 768 = 23.040.000
Positionen: 512 × 768 = 393.216
Segmente: 2 × 768 = 1.536
LayerNorm: 2 × 768 = 1.536
Zusammen 23.436.288 Parameter.
"""
T5 = """T5-small: no biases.

An encoder block has 3,146,752 parameters and six of them have 18,880,512.

The decoder is a stack of six blocks as well and needs 6 × 3,146,752 = 18,880,512 parameters.
{more}"""
OPT = """## OPT-125M

|  | OPT-125M | Pythia-160M |
|---|---|---|
| tokens | 38,608,896 | 38,633,472 |
| positions | 1,574,400 | rotary |
| 12 layers | 85,054,464 | 85,054,464 |
| last norm | 1,536 | 1,536 |
| output | tied | 38,633,472 |
| **total** | **{total}** | **162,322,944** |
"""
HEADS = "BERT-base has 12 attention heads, and each head has its Q, K and V of 768 × 768.\n\nThat makes {sum}.\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BLOCK + "A layer: 2,362,368 + 4,722,432 = 7,084,800", [7_087_872]),
        (
            BLOCK + "A layer: 2,362,368 + 4,722,432 = 7,084,800\n\nTwelve: 12 × 7,084,800 = 85,017,600",
            [7_087_872, 85_054_464],
        ),
        (BLOCK + "A layer without its layer norms: 2,362,368 + 4,722,432 = 7,084,800", []),
        (BLOCK + "2,362,368 + 4,722,432 = 7,084,800, with the norms 7,087,872", []),
    ],
)
def test_a_block_with_all_of_its_biases_and_none_of_its_norms(text: str, expected: list[int]) -> None:
    assert [claim.expected for claim in accused(text)] == expected


def test_a_vocabulary_of_another_release_carries_on_to_what_has_it() -> None:
    table, embeddings = accused(GERMAN)
    assert (table.expected, embeddings.expected) == (23_886_336, 24_282_624)
    assert embeddings.carried_from == "30.000 × 768 = 23.040.000"
    assert not accused(GERMAN.replace("31102", "30000"))


@pytest.mark.parametrize(("more", "wrong"), [("", [25_175_040]), ("\nIt is 25,175,040 with cross-attention.", [])])
def test_a_decoder_that_is_counted_like_its_encoder(more: str, wrong: list[int]) -> None:
    assert [claim.expected for claim in accused(T5.format(more=more))] == wrong


@pytest.mark.parametrize(("total", "wrong"), [("123,664,896", [125_239_296]), ("125,239,296", [])])
def test_a_row_that_its_total_leaves_out(total: str, wrong: list[int]) -> None:
    assert [claim.expected for claim in accused(OPT.format(total=total))] == wrong


@pytest.mark.parametrize(
    ("written", "wrong"),
    [
        ("(768 × 768 × 3 + 768 × 3) × 12", [1_771_776]),
        ("12 × 3 × 768 × 768 + 768 × 768 = 21,823,488", [2_359_296]),
        ("3 × 768 × 768 = 1,769,472", []),
    ],
)
def test_heads_that_multiply_what_they_share(written: str, wrong: list[int]) -> None:
    assert [claim.expected for claim in accused(HEADS.format(sum=written))] == wrong


def test_blocks_that_are_as_many_as_heads_multiply() -> None:
    assert not accused("BERT-base\n\nmulti head attention  12*768*(768*3+768)  28311552")


def test_a_count_said_again_in_brackets_is_told_once() -> None:
    text = "A GPT of n_embd = 768, n_layer = 16, bias = False\n\nLayer norms of a layer: 6,144 (6.14K)\n"
    assert [(claim.value, claim.expected) for claim in accused(text)] == [(6_144, 3_072)]


@pytest.mark.parametrize(
    ("share", "wrong"), [("0.58%", False), ("0.576%", False), ("5.76%", True), ("57.6%", True), ("4.2%", False)]
)
def test_a_share_with_its_decimal_point_elsewhere(share: str, wrong: bool) -> None:
    text = f"trainable params: 41,943,040 || all params: 7,283,675,136\n\nSo we touch {share} of the model.\n"
    assert bool(accused(text)) == wrong


@pytest.mark.parametrize(
    "text",
    [
        # factors with words between them, and values that are counted as bytes
        "2 (K and V) x 32 layers x 8 heads x 128 x 2 bytes = 131,072 bytes",
        "16 heads x 512 x 512 x 4 bytes = 16.8 MB",
        "16 Köpfe · 512 · 512 · 4 Byte = 16,8 MB",
        "6 x 1024 x 1024 floats = 25,165,824 bytes",
        "512 * 768 * 4 bytes = 1.57 megabytes",
        "batch_size = 64       # 64*256 = 16,384 tokens per step\nmax_iters = 5000",
        # columns of sizes are no figure
        "Model L H E F Published\nBERT-Medium 8 512 512 2048 41.4M\nBERT-Tiny 2 128 128 512 4.4M",
        # other models than the one whose name is in theirs
        "KoBERT has 92,186,880 parameters, the three layers of DistilKoBERT come to 28M.",
        "| KoELECTRA-small | 14,056,192 |\n|---|---|\n| ELECTRA-small | 13,483,008 |",
        # releases that a name may stand for
        "klue/bert-base: 32,000 × 768 = 24,576,000 token embeddings",
        "cl-tohoku/bert-base-japanese-v3 の単語埋め込み：32768×768=25,165,824",
        # a remark behind a count is no row of its list
        "Llama 3 8B\n\nper layer = 218,112,000\n  q_proj 4096 × 4096 = 16,777,216\n"
        "  k_proj 4096 × 1024 = 4,194,304 (8 × 128 = 1024)\n  v_proj 4096 × 1024 = 4,194,304\n"
        "  o_proj 4096 × 4096 = 16,777,216\n  gate 4096 × 14336 = 58,720,256\n  up 4096 × 14336 = 58,720,256\n"
        "  down 14336 × 4096 = 58,720,256\n  2 norms 2 × 4096 = 8,192\n",
        # what the text leaves out itself, of all blocks, and norms that there are four of
        "BERT-base. We count dense layers only.\n\nA layer: 2,362,368 + 4,722,432 = 7,084,800",
        "No normalisation layers at all, H = 512, F = 2048, 6 layers.\n\nBlock: 1,050,624 + 2,099,712 = 3,150,336",
        "T5-small: a decoder block has, counting self-attention and feed-forward only, 3,146,752 parameters.",
        "In BERT-base each head sees 64 of 768 columns.\n\n"
        "12 × 3 × 768 × 768 = 21,233,664 for query, key and value of the encoder",
        "GPT with sandwich norms, n_embd = 768, n_layer = 12.\n\nLayer norms of a layer: 6,144",
        "A classifier on RoBERTa-large: a dense layer of 1,049,600 and the output 1024 * 2 + 2 = 2,050.",
    ],
)
def test_what_is_right_is_accused_of_nothing(text: str) -> None:
    assert accused(text) == []


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("rubert-tiny2: эмбеддинги 83828 × 312 = 26 154 336", ["embeddings.token"]),
        ("BERT-base-uncased: 109,5М, 438 МБ или 418 МиБ", ["backbone+pooler"] * 3),
        ("TinyLlama-1.1B: q_proj 2048 × 2048 = 4,194,304", ["decoder.block[*].attention.query.kernel"]),
        ("KoGPT2: 51200 × 768 = 39,321,600 토큰 임베딩", ["embeddings.token"]),
    ],
)
def test_models_and_units_that_are_known(text: str, paths: list[str | None]) -> None:
    every = check(text, "text").claims
    assert [claim.path for claim in every] == paths
    assert all(claim.verdict.startswith("holds") for claim in every)


@pytest.mark.parametrize(
    ("head", "figure", "verdict"),
    [
        ("Params (M)", "109.5", "holds as"),
        ("Parameters (in millions)", "109.5", "holds as"),
        ("Params (M)", "335.1", "mismatch"),
        ("Size (MB)", "438", "holds as"),
        ("Sentences (M)", "109.5", None),
    ],
)
def test_scales_over_columns(head: str, figure: str, verdict: str | None) -> None:
    text = (
        f"| model | {head} |\n|---|---|\n| bert-base-uncased | {figure} |\n| distilbert-base-uncased | 66.4 |\n"
        "| bert-large-uncased | 335.1 |\n\nbert-base-uncased has 109,482,240 parameters."
    )
    found = [claim.verdict for claim in check(text, "text").claims if claim.line == 3]
    assert found == ([] if verdict is None else [verdict])


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("12 × 768 × 12 = 110M", True),  # a power of ten, and near
        ("12 × 768 × 768 + 768 = 590,592", True),  # without a factor that is written
        ("41,943,040 × 2 bytes ≈ 168 MB", True),  # 4 for 2
        ("5.36 + 3.2 + 0.4 = 9.96 GB", True),
        ("28,560,384 + 23,835,648 = 108,853,248", True),  # nothing can be missing
        ("16 heads, each with 512 × 512 × 4 bytes = 16.8 MB", False),  # the factor stands in words
        ("Bidirectional: 4 × (384·384 + 384·384 + 2·384) = 2,365,440", False),
        ("steps of 64 * 256 = 5000", False),  # nobody slips like that
        ("a map (224×224) → (112×112)", False),
        ("h = 4096 * 2.68 ≈ 11008", False),  # cut off
        ("2 Ã— (65536 Ã— 768) + 144 Ã— 768Â² = 185,597,952", False),
        ("2 Ã— (65536 Ã— 768) + 144 Ã— 768Â² = 185,579,952", True),
        ("activations [1,197,3072] in fp32 ≈ 2.42 MB", False),  # a shape, and no figure with commas
        ("scores [1,12,128,128] of one byte ≈ 192 KB", False),
        ("3,37632,000 * 4,096 + 12 = 138,149,376", False),  # torn out of a figure before it
    ],
)
def test_arithmetic_is_wrong_where_the_slip_is_one_that_people_make(text: str, wrong: bool) -> None:
    assert bool(accused(text)) is wrong


def test_a_share_of_a_part_and_the_other_part() -> None:
    text = "Total: 560,988,160 parameters\n\n{}"
    rows = "Blocks: 393,216,000 (70.1%)\n- Attention, each: 6,553,600 (33.3%)\n- MLP, each: 13,107,200 (66.7%)\n"
    assert not accused(text.format(rows))
    assert len(accused(text.format(rows.replace("70.1", "71.0")))) == 1


NAMES = "bert-base-uncased\n\n| variable | shape | count |\n|---|---|---:|\n{}"
NESTED = "BERT base.\n\nfeed forward:\n  {}"
LISTED = """Width 512, F = 2048.

Feed-Forward Network:
- Linear 1: 512 × 2048 = 1,048,576 params (2.1 MB)
- Linear 2: 2048 × 512 = 1,048,576 params (2.1 MB)
- Biases: 2048 + 512 = 2,560 params (5 KB)
Together: {}
"""
VIT = """| Name | Per block | Stack of 12 blocks |
|---|---:|---:|
| `vit_tiny` | 444,864 | 5,338,368 |
| `vit_small` | 1,774,464 | 21,293,568 |
| `vit_base` | {} | 85,054,464 |
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (NAMES.format("| bert/encoder/layer_0/attention/self/value/bias | (768,) | 589824 |"), "another part"),
        ("BERT base.\n\nfeed forward:\n  linear1: w(768*3072) + b(768) = 2,360,064", "another part"),
        ("T5-small.\n\n- Query/Key/Value: 786,432 params each", "all three"),
        (VIT.format("7,057,872"), "one digit"),
        (NESTED.format("linear2: w(3072*768) + b(768*4=3072) = 2,362,368"), "another part"),
        (LISTED.format("2,097,152 params = 4.2 MB"), "biases"),
        ("LLaMA 7B.\n\n所有层的 FFN: 32 * 2 * 4096 * 11008 ≈ 28.9 亿", "two matrices"),
        ("Llama 3 70B.\n\n- K projection: 8192 × 8192 = 67,108,864", "another part"),
    ],
)
def test_mistakes_of_one_tensor_or_block(text: str, said: str) -> None:
    (claim,) = accused(text)
    assert said in (claim.explanation or "")


@pytest.mark.parametrize(
    "text",
    [
        NAMES.format("| bert/encoder/layer_0/attention/self/value/kernel | (768, 768) | 589824 |"),
        VIT.format("7,087,872"),
        NESTED.format("linear2: w(768*4*768) + b(3072/4=768) = 2,360,064"),
        NESTED.format("linear1: w(768*3072) + b(768*4=3072) = 2,362,368"),
        LISTED.format("2,099,712 params = 4.2 MB"),
        "Width 512, 50,257 words, attention of 4 × (512 × 512 + 512).\n\n"
        "Output Projection: 512 × 50,257 = 25,731,584\n\nToken Embeddings: 25,731,584\nOutput Projection: 25,731,584",
        "A block of mine with SwiGLU: FFN: 2 × 384 × 1536 = 1,179,648",
        "Qwen3, H = 1024.\n\n| model.layers.0.self_attn.q_proj.weight | (2048, 1024) | 2,097,152 |",
        "LLaMA 2 13B.\n\nThe token embedding and the output layer: 2 × 32000 × 5120 = 327.7M",
        "One token, forward only, LLaMA-2 7B:\n  FFN: 2 × 4096 × 11008 × 3 = 270M\n  One layer: ~404M FLOPs",
        "| Model | Parameters | Training in FP32 |\n|---|---|---|\n| GPT-2 small | 124M | 2.0 GB |\n"
        "| GPT-2 large | 774M | 12.4 GB |",
        "GPT-2 124M has 12 layers.\n\n| Part | as usual | keys tied |\n|---|---|---|\n| Whole model | 124M | 117M |",
        "| Geotrend/bert-base-15lang-cased | 141 million parameters |",
        "| Code Llama | 7B, 13B, 34B, 70B |\n| Mistral | 7B, 123B |",
        "microsoft/deberta-xlarge 757804032",
        "The smallest of the GPT-3 models has 125M parameters, the largest 175B.",
        "Our 15M model is 32000*288 larger",
        "T5-small.\n\nDECODER ×6 → lm_head\n\n"
        "De ese total, 16,4 M son los embeddings, 18,9 M el encoder y 25,2 M el decoder.",
    ],
)
def test_what_only_looks_like_one_of_them(text: str) -> None:
    assert not accused(text)


@pytest.mark.parametrize(
    ("text", "path", "model"),
    [
        # a part of the model that is named at it, and not of another with these sizes
        (
            "bert-large and Llama 2. K and V in Llama 3 8B are 4096 × 1024 = 4,194,304",
            ".attention.key.kernel",
            "Llama 3 8B",
        ),
        # a name that begins its row, and not the words of the row
        (
            NAMES.format("| bert/encoder/layer_0/attention/self/key/kernel | (768, 768), like query | 589824 |"),
            ".key.kernel",
            "BERT base, uncased",
        ),
        ("BERT-base has 85,645,056 non-embedding parameters", "backbone+pooler - embeddings", "BERT base, uncased"),
        ("GPT-3 Large has 760,300,032 parameters", "whole", "GPT-3 large"),
        ("L'encoder di bert-base ha 85 milioni di parametri", "encoder", "BERT base, uncased"),
    ],
)
def test_what_a_count_is_of(text: str, path: str, model: str) -> None:
    claim = check(text, "text").claims[-1]
    assert (claim.path or "").endswith(path)
    assert claim.model == model


def test_a_shape_confirms_the_count_of_a_tensor_of_which_nothing_is_known() -> None:
    row = "| decoder.block.5.layer.1.EncDecAttention.q.weight | (512, 640) | {} |"
    (*_, claim) = check(row.format("327680"), "text").claims
    assert (claim.verdict, claim.model) == ("holds", None)
    assert "327680" not in [
        claim.text for claim in check(row.format("327681"), "text").claims if claim.verdict == "holds"
    ]
    prose = "BERT-base. The pooler of shape (768, 768) and its bias: 590,593"
    assert "holds" not in [claim.verdict for claim in check(prose, "text").claims if claim.value == 590_593]


@pytest.mark.parametrize(
    "text",
    [
        "228M params × 4 bytes = ~900MB",  # rounded to its first digit
        "| part | count | share |\n|---|---|---|\n| embeddings of BERT-base | 23,837,184 | 21.8 % |\n"
        "| 12 layers | 85,054,464 | 77.7 % |\n| pooler | 590,592 | 0.5 % |\n| total | 109,482,240 | 100 % |",
    ],
)
def test_what_is_about_right_holds(text: str) -> None:
    assert not accused(text)


def test_a_wrong_summand_that_changes_no_digit_of_the_result_is_not_carried_on() -> None:
    text = "30522 × 768 = 23,440,986\n\n(23,440,986 + 85,054,464) / (1024³) = 0.10 GB\n\n23,440,986 + 85,054,464 = {}"
    assert [claim.text for claim in accused(text.format("108,495,450"))] == [
        "30522 × 768 = 23,440,986",
        "23,440,986 + 85,054,464 = 108,495,450",
    ]


def test_what_is_left_without_the_embeddings_is_not_the_blocks() -> None:
    verdicts = [
        check(f"xlm-roberta-base\n\n- {said}: 86,042,112", "text").claims[-1].verdict for said in ("rest", "12 layers")
    ]
    assert verdicts == ["holds", "cannot say"]


@pytest.mark.parametrize(
    "text",
    [
        # one digit makes a million any other million
        "- weights: 1,000,000,000\n- moments: 1,000,000,000\n- in all: 3,000,000,000 values",
        # a sum that goes on from each result
        "One block: 1536+1536=3072 +1769472=1772544 +768=1773312",
        # the positions that the text gives its model
        "GPT-2 tokenizer.\nThe model has D = 768 and positions up to 512.\n\n| | count |\n|---|---|\n"
        "| Tokens V·D | 50,257×768 = 38,597,376 |\n| Positions L·D | 512×768 = 393,216 |",
    ],
)
def test_what_looks_like_a_slip(text: str) -> None:
    assert not accused(text)


def test_a_sum_that_goes_on_from_a_result_is_worked_out_from_there() -> None:
    (wrong,) = accused("One block: 1536+1536=3072 +1769472=1772554")
    assert (wrong.verdict, wrong.expected) == ("arithmetic wrong", 1_772_544)
    wrong, *_ = accused("12 * 768^2 + 13 * 768 = 7,087,872 + 9,984 = 7,097,856")
    assert wrong.text.endswith("+ 9,984")  # which stands apart, and is said to be the same


def test_what_is_trained_and_a_size_in_a_name_are_of_no_component() -> None:
    """4,194,304 are both LoRA of rank 8 and the keys of a Llama 3 8B; 135,266,304 one feed-forward of a LLaMA 7B."""
    trained, plain = (
        {claim.path for claim in check(f"Llama 3 8B.\n\n{said}: 4,194,304", "text").claims}
        for said in ("trainable params", "key projection")
    )
    assert trained <= {None}
    assert plain == {"decoder.block[*].attention.key.kernel"}
    text = "LLaMA 7B.\n\nThe FFN: 3 × 4096 × 11008 = 135,266,304\n\nOtherLM2{}135M is another model."
    found = [claim.path for claim in check(text.format("-"), "text").claims if claim.text == "135M"]
    assert found in ([], [None])
