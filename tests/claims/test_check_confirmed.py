"""Figures that nothing but their text, or the rest of their table, shows to be right: these hold, and no others do."""

import pytest

from reconcile.claims.structure.accounts import accounts
from reconcile.pipeline.check import check


def said(text: str) -> dict[str, tuple[str, str | None]]:
    """The verdict and the component of each claim."""
    return {claim.text: (claim.verdict, claim.path) for claim in check(text, "text").claims}


TABLE = """Cada token toma 2 × 28 × 4 × 128 × 2 = 57,344 bytes.

| {} | {} | {} |
|---|---|---|
| {} | {} | {} |
| {} | {} | {} |
| {} | {} | {} |
"""
COLUMNS = [
    # 16 · 50,257 = 804,112 and so on: a product
    ("a b c 16 50257 804112 64 50257 3216448 256 50257 12865792", "804112", "holds"),
    # 57,344 · 16,384 bytes = 896 · 2^20
    ("cache of memory x 4,096 224MB y 16,384 896MB z 32,768 1792MB", "896MB", "holds as"),
    # 809,481,240 / 110M = 7.36 and so on: a ratio
    ("a b c 809,481,240 110M 7.36 235,141,880 340M 0.69 81,144,096 12M 6.76", "7.36", "holds as"),
    # 4 bytes of each
    ("n bytes of 9,340,691,968 37,362,767,872 x 10,494,798,336 41,979,193,344 y 12,803,011,072 51,212,044,288 z",
     "41,979,193,344", "holds"),
]  # fmt: skip


@pytest.mark.parametrize(("cells", "figure", "verdict"), COLUMNS)
def test_a_column_that_follows_from_the_others(cells: str, figure: str, verdict: str) -> None:
    table = TABLE.format(*cells.split())
    assert said(table)[figure][0] == verdict
    row = next(line for line in table.splitlines()[4:] if figure not in line and "---" not in line)
    last = next(cell for cell in reversed(row.split()) if cell[0].isdigit())
    changed = last.replace(last[0], str(int(last[0]) % 9 + 1))
    found = said(table.replace(last, changed))  # of exact counts the one that has another digit
    assert figure not in found or found[changed][0] == "mismatch"


@pytest.mark.parametrize(
    ("cells", "figure"),
    [
        ("a b c 804112 50257 16 3216448 50257 64 12865792 50257 256", "50257"),  # a count is no ratio
        ("m params bytes a 123.3M 246.6MB b 43.1M 86.2MB c 18.8M 37.6MB", "123.3M"),  # counts do not follow from bytes
        ("a ratio b 109.9M 0.9953 110.4M 335.9M 0.9857 340.8M 81.3M 0.6757 120.3M", "110.4M"),
    ],
)
def test_what_others_follow_from_does_not_follow_from_them(cells: str, figure: str) -> None:
    assert said(TABLE.format(*cells.split())).get(figure, ("cannot say",))[0] not in ("holds", "holds as")


def test_words_that_are_not_read_leave_the_count_to_tell_what_it_is() -> None:
    """50,257 · 768 and 1,024 · 768; with a word that is read, the count does not choose."""
    text = "GPT-2 small. Bảng từ vựng {} 38,597,376 và bảng vị trí {} 786,432."
    assert said(text.format("", ""))["38,597,376"] == ("holds", "embeddings.token")
    assert said(text.format("", ""))["786,432"] == ("holds", "embeddings.position")
    assert "38,597,376" not in said(text.format("attention", ""))


def test_a_part_of_which_something_is_unknown_has_no_count() -> None:
    """Without a vocabulary all embeddings are not the position table."""
    paths = {account.path for account in accounts("gpt2", frozenset({("H", 768), ("P", 1024)}))}
    assert "embeddings.position" in paths
    assert "embeddings" not in paths


LARGE = "BERT large, hidden size 1024: D is the width.\n\n{}"


@pytest.mark.parametrize(
    ("text", "figure", "path"),
    [
        # 2·1,024: the letter of a dimension is a factor there, and 2,048 not its size
        (LARGE.format(r"- LayerNorm 1 of the attention: $2 \times D = 2,048$"), "2,048", "attention_norm"),
        # 4·768 is as much as F, and the row says which it is
        ("BERT base, F = 3072.\n\n| part | count | total |\n|---|---|---|\n| two norms | 2 x 1,536 | 3,072 |",
         "3,072", "norm"),
        # [512,768] is a shape, and no figure that groups its digits by commas
        ("BERT base\n\n| tensor | shape | n |\n|---|---|---|\n| pos | [512,768] | 393.216 |\n| wte | | 23.440.896 |",
         "393.216", "embeddings.position"),
        ("GPT-2 small: 85,1 triệu cho 12 khối, embedding 39,4 triệu.", "39,4 triệu", "embeddings"),
    ],
)  # fmt: skip
def test_small_and_foreign_figures(text: str, figure: str, path: str) -> None:
    verdict, found = said(text)[figure]
    assert verdict in ("holds", "holds as")
    assert path in (found or "")


SHARES = """| part | count | share |
|---|---|---|
| tokens | 38,597,376 | {} |
{}
| total | 124,439,808 | 100% |
"""


@pytest.mark.parametrize(("share", "holds"), [("31.0%", True), ("32.0%", False)])
def test_a_share_of_the_largest_count_around(share: str, holds: bool) -> None:
    """38,597,376 / 124,439,808 = 31.0 %, however far below the total stands."""
    between = "\n".join(f"| block {number} | 7,087,872 | 5.7% |" for number in range(12))
    assert (said(SHARES.format(share, between)).get(share, ("",))[0] == "holds as") is holds


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        # 294,912 / 109,777,152 as Python prints it
        ("trainable params: 294912 || all params: 109777152 || trainable%: {}", "0.2686460658042941"),
        ("| part | count | all | in % |\n|---|---|---|---|\n| LoRA | 294,912 | 109,777,152 | {} |", "0.2686"),
    ],
)
def test_a_share_may_have_its_sign_before_it(text: str, figure: str) -> None:
    assert said(text.format(figure))[figure][0] == "holds as"
    assert said(text.format(figure.replace("0.2", "0.3"))).get(figure.replace("0.2", "0.3"), ("",))[0] != "holds as"


def test_a_share_that_is_rounded_carries_on_no_wrong_digit() -> None:
    """294,912 / 125,534,208 is 0.2349 %, and so 0.235 %."""
    text = "trainable params: 294,912 || all params: 125,534,208 || trainable%: 0.2350\n\nSo 0.235% of it can learn."
    assert said(text)["0.2350"][0] == "mismatch"
    assert said(text).get("0.235%", ("",))[0] != "mismatch"


def test_an_expression_of_something_else_than_the_usual_block_holds() -> None:
    text = "H = 512, F = 2048, 8 heads.\n\nResBlock, three blocks: (96 * 96 * 3 * 3 * 2) * 3 ≈ {}"
    assert [claim.verdict for claim in check(text.format("497,664"), "text").claims] == ["holds"]
    assert [claim.verdict for claim in check(text.format("497,654"), "text").claims] == ["arithmetic wrong"]


def test_the_size_in_a_name_is_no_rounding_of_what_is_left_of_a_model() -> None:
    """7,504,924,672 without the token embedding is 8B as well as 8,030,261,248 is."""
    text = "N ≈ vocab · d_model + n_layers · d_model²\n\nLlama 3 8B's blocks:\n\n- FFN: 3 · 4096 · 14336 = 176,160,768"
    assert all(" - " not in (claim.path or "") for claim in check(text, "text").claims)


def test_a_count_that_is_called_something_else_is_not_of_the_component_that_the_text_has_it_for() -> None:
    text = "BERT, d_model=768, d_ff=3072.\n\n{}(2,360,064)\n\nFFN\n- Linear(3072, 768): 2,360,064"
    called, plain = (check(text.format(name), "text").claims[0] for name in ("MultiHeadAttention", "ProjectionOfFfn"))
    assert (called.verdict, called.path) == ("holds", None)
    assert (plain.verdict, plain.path) == ("holds", "encoder.block[*].feed_forward.output")


def test_a_count_of_two_components_is_of_the_one_that_its_label_names() -> None:
    """4 · 768² + 768 are the attention without biases of query, key and value, and a dense layer from 3072 to 768."""
    text = "GPT, d_model=768, d_ff=3072.\n\nMultiHeadAttention(2,360,064)\n\nFFN\n- Linear(3072, 768): 2,360,064"
    paths = [claim.path for claim in check(text, "text").claims if claim.text == "2,360,064"]
    assert paths == ["decoder.block[*].attention", "decoder.block[*].feed_forward.output"]


def test_a_bias_that_is_not_there_is_no_label() -> None:
    rows = "GPT-2 small\n\n* Query: nn.Linear(768, 768, bias=False) → 589,824\n* Key: Linear without bias, 589,824\n"
    paths = [claim.path for claim in check(rows, "text").claims if claim.text == "589,824"]
    assert paths == [f"decoder.block[*].attention.{name}.kernel" for name in ("query", "key")]


SPARSE = """Layers with experts, each:
- Router: 768 × 8 = 6.1K
- Experts: 8 × (768 × 3072 × 2) = 37.7M
- Total MoE (12 layers): 452M

Effective:
- Active per forward: ~175M ({} sparsity)
"""


def test_a_round_share_accuses_nothing() -> None:
    """175M are half of another total; 51 % is no rough figure."""
    verdicts = [
        {claim.text: claim.verdict for claim in check(SPARSE.format(share), "text").claims}.get(share)
        for share in ("50%", "51%")
    ]
    assert verdicts == [None, "mismatch"]


def test_a_rounded_total_is_of_no_component() -> None:
    """A block of 49,984 parameters is 50K, and so is the total, which it says it is."""
    text = "A small GPT: d_model = 64, d_ff = 256, vocab_size = 512.\n\n## A block\n\n{}: ~50K\n"
    paths = {
        said: [claim.path for claim in check(text.format(said), "text").claims if claim.path]
        for said in ("Total", "Block")
    }
    assert paths == {"Total": [], "Block": ["decoder.block[*]"]}


TREE = """Another network

├─ 入力層   312,345個（{}）
├─ 位置          12,654個（1.0%）
├─ 中間        620,001個（49.7%）
│   ├─ 前   155,432個（12.4%）
│   ├─ 次   232,100個（18.6%）
│   └─ 後   232,469個（18.6%）
└─ 出力     303,456個（24.3%）
────────────────────────────────
合計：                 1,248,456個

出力を別に持てば 1,654,321個
"""


def test_a_share_is_of_the_total_of_its_list() -> None:
    found = said(TREE.format("25.0%"))
    assert [found[share][0] for share in ("25.0%", "1.0%", "49.7%")] == ["holds as"] * 3
    assert said(TREE.format("27.1%")).get("27.1%", ("",))[0] != "holds as"


def test_the_size_of_the_parameters_is_that_of_their_count() -> None:
    text = "BERT base\n\nTotal params: 109,482,240\nParams size (MB): {}\n"
    assert said(text.format("437.93"))["437.93"][0] == "holds as"
    assert said(text.format("537.93")).get("537.93", ("",))[0] != "holds as"


def test_a_share_of_what_nothing_is_known_of_carries_nothing_on() -> None:
    rows = ("| `microsoft/deberta-v3-small` | 44,100,000 | 4.41% |", "| `roberta-base` | 124,645,632 | 12.46% |")
    text = "\n".join(("| Name | Parameters | % of 1B |", "|---|---|---|", *rows))
    verdicts = {claim.text: claim.verdict for claim in check(text, "text").claims}
    assert verdicts["44,100,000"] == "mismatch"
    assert "4.41%" not in verdicts


def test_a_letter_that_begins_a_row_is_a_projection() -> None:
    """Four tensors have this count; the labels alone tell them apart."""
    rows = "\n".join(f"  {letter}: w(768*768) + b(768) = 590,592" for letter in ("Q", "K:", "**V**", "O"))
    paths = [claim.path for claim in check(f"BERT base, attention:\n\n{rows}", "text").claims]
    assert paths[:3] == [f"encoder.block[*].attention.{name}" for name in ("query", "key", "value")]


def test_a_rounded_figure_is_that_of_the_usual_total_if_something_is_left_out() -> None:
    """`backbone+mlm without layer norms` of DistilBERT, 66,964,026, is 66.96M, and nobody counts that."""
    claim = check("DistilBERT, 66.96M parameters", "text").claims[-1]
    assert "without" not in (claim.path or "")
    claim = check("GPT-2 medium, 354.5M parameters", "text").claims[-1]
    assert claim.path == "whole without biases and layer norms"


def test_embeddings_without_their_norm_are_called_so() -> None:
    claim = check("BERT base. The embeddings: (30522 + 512 + 2) * 768 = 23,835,648", "text").claims[-1]
    assert claim.path == "embeddings without layer norms"
    assert "the embeddings without layer norms" in claim.explanation


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('The paper of BERT-base says "110M", others 109.5M.', "holds as"),
        ("GPT-2 XL\n\nThe first line prints 1.56B.", "holds as"),
        ("GPT-2 XL\n\nThe attention: 1.56B.", None),  # of a component, which it is not
        ("GPT-2 XL\n\nSmolLM2-1.56B is another one.", None),  # of a name
        ("GPT-2 XL\n\nIt was read on 1.56B pages.", None),  # of something else
    ],
)
def test_millions_at_which_no_component_is_named_are_a_total(text: str, verdict: str | None) -> None:
    held = {claim.verdict for claim in check(text, "text").claims if claim.path}
    assert held == ({verdict} if verdict else set())


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("BERT base. One head's query, key and value: 768 * 64 * 3 = 147456", "holds"),
        ("BERT base. Biases of the feed-forward: 3072 + 768 = 3,840", "holds"),
        ("BERT base. One layer: 2,362,804 + 4,723,968 = 7,086,772", None),  # of counts, of which one is wrong
    ],
)
def test_an_expression_of_sizes_alone_comes_out_whatever_it_is_called(text: str, verdict: str | None) -> None:
    assert [claim.verdict for claim in check(text, "text").claims] == ([verdict] if verdict else [])


@pytest.mark.parametrize(
    ("row", "path"),
    [
        ("decoder self attention 1,048,576", "decoder.block[*].attention"),
        ("decoder.block.0.layer.1.EncDecAttention 1,048,576", "decoder.block[*].cross_attention"),
        ("the encoder with its embedding: 35,330,816", "embeddings.token + encoder + encoder.distances + encoder.norm"),
        ("the decoder with its embedding: 41,625,344", "embeddings.token + decoder + decoder.distances + decoder.norm"),
    ],
)
def test_what_both_stacks_have_is_that_of_the_one_that_is_named(row: str, path: str) -> None:
    claim = check(f"T5 small\n\n{row}\n", "text").claims[-1]
    assert (claim.verdict, claim.path) == ("holds", path)


@pytest.mark.parametrize(
    ("name", "count", "path"),
    [
        ("stories15M", 15_191_712, "whole"),
        ("stories42M", 58_073_600, "whole + head.kernel"),
        ("pythia-19m", 44_670_976, "backbone"),
        ("pythia-800m", 805_736_448, "without embeddings"),
    ],
)
def test_small_models_of_others_are_known(name: str, count: int, path: str) -> None:
    (claim,) = check(f"{name}: {count}", "text").claims
    assert (claim.verdict, claim.path) == ("holds", path)


@pytest.mark.parametrize("text", ["GPT-2 small: {}", "stories15M: {}"])
def test_a_matrix_that_is_counted_twice_is_told(text: str) -> None:
    sums = {"GPT-2": "163,037,184 - 38,597,376 = 124,439,808", "stories": "24,407,712 - 9,216,000 = 15,191,712"}
    worked = next(worked for name, worked in sums.items() if text.startswith(name))
    (claim,) = check(text.format(worked.partition(" ")[0]), "text").claims
    assert claim.verdict == "holds"
    assert worked in claim.explanation


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("I loaded the 7B model into llama2.c, 6,738,415,616 parameters.", "holds"),  # a program, and no model
        ("stories15M has 109,529,856 parameters.", "mismatch"),  # which are those of another one of its series
    ],
)
def test_a_series_of_models_is_none_of_its_members(text: str, verdict: str) -> None:
    assert check(text, "text").claims[-1].verdict == verdict


@pytest.mark.parametrize(
    ("layers", "table", "both", "verdict"),
    [
        ("96 * 3,728,105 = 357,898,080", "151,936 * 896 = 136,134,656", "494,032,736", "holds"),
        ("96 * 3,750,000 = 360,000,000", "150,000 * 1,000 = 150,000,000", "510,000,000", "cannot say"),
    ],
)
def test_the_sum_of_two_counts_holds_whatever_they_are(layers: str, table: str, both: str, verdict: str) -> None:
    """Nothing says of a layer's count that it is right; that three counts of eight digits add up is no chance.

    Of round ones it may be.
    """
    found = said(f"GPT-2 small\n\nA tower: {layers} in its layers, {table} in its table.\nBoth have {both}.\n")
    assert found[layers][0] == "cannot say"
    assert found[both][0] == verdict
