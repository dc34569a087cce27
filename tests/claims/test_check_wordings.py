"""The same claim in many words and languages: sizes, parts, totals, bytes, shares, adapters, right ones and wrong."""

import pytest

from reconcile.claims.claim import FINDINGS, Claim
from reconcile.claims.structure.dimensions import sizes
from reconcile.claims.structure.lexicon import concepts_in
from reconcile.claims.structure.mentions import mentions
from reconcile.expression.normalise import normalise
from reconcile.pipeline.check import check
from reconcile.quantity import quantities

SIZES = {
    "V": (
        "a vocabulary of size 30522|vocab 30522|its vocabulary contains 30,522 tokens|词汇表大小为 30522|"
        "字典大小为 30522|"
        "語彙サイズは 30522|어휘 크기는 30522|vocab 크기 30522|taille du vocabulaire 30522|tamaño del vocabulario 30522"
    ),
    "H": (
        "a hidden size of 768|hidden states of dimension 768|model dimension 768|d_model 768|(width 768|"
        "隐藏层大小为768|"
        "隐藏维度 768|隠れ層の次元は768|은닉 크기 768|히든 사이즈 768|Hidden Size von 768|dimension cachée de 768|"
        "tamaño oculto 768"
    ),
    "L": "number of layers 12|depth 12|12 identical layers|层数为12|層数は12|층 수 12|12 Encoder-Schichten|12 blocs",
    "A": "number of heads 12|头数为12|ヘッド数は12|헤드 수 12|12 Aufmerksamkeitsköpfe|nombre de têtes 12",
    "F": (
        "an intermediate size of 3072|feed-forward layers of dimension 3072|FFN hidden size 3072|inner dimension 3072|"
        "中间层大小为3072|前馈网络维度 3072|FFNの次元は3072|중간 크기 3072|innere Breite 3072|"
        "dimension intermédiaire 3072|"
        "tamaño intermedio 3072"
    ),
    "P": "maximum length 512|context length of 512|最大长度为512|最大長 512|최대 길이 512|longueur maximale 512",
}
LABELS = {
    "token": "字向量|語彙埋め込み|Worteinbettung|plongement lexical",
    "position": "포지션 임베딩|embedding posicional|embeddings de posición",
    "query": "查询矩阵|クエリ射影|쿼리 행렬",
    "norm": "层标准化|レイヤーノルム|Schichtnormierung",
    "attention": "Selbstaufmerksamkeit|autoatención",
    "up": "中间层|中間層|Zwischenschicht|couche intermédiaire",
    "block": "Encoder-Schicht|couche d encodeur|capa del codificador",
}
TOTALS = (
    "{m} has {n} parameters.",
    "The total number of parameters in {m} is {n}.",
    "{m} ({n} parameters) is a good start.",
    "The {n}-parameter {m} is widely used.",
    "{m} comes with {n} params.",
    "{m} weighs in at {n} params.",
    "{m}'s parameter count is {n}.",
    "{m} 参数量约为 {n}。",
    "{m}模型参数总数为{n}",
    "整个{m}共{n}个参数",
    "{m} のパラメータ数は {n} です。",
    "{m}의 파라미터 수는 {n}이다.",
    "{m} kommt auf insgesamt {n} Parameter.",
    "Die Anzahl der Parameter von {m} beträgt {n}.",
    "Le nombre de paramètres de {m} est de {n}.",
    "El número de parámetros de {m} es {n}.",
)
PARTS = (
    (23_440_896, "the word embedding matrix|词嵌入矩阵|トークン埋め込み|토큰 임베딩"),
    (393_216, "the positional embedding table|位置编码|位置埋め込み|위치 임베딩"),
    (590_592, "the pooler|池化层|プーラー|풀러"),
    (7_087_872, "a single layer|每个编码器层"),
)
SENTENCES = (
    "In BERT-base {p} takes {n} parameters.",
    "BERT-base 的{p}参数量为{n}。",
    "BERT-baseの{p}は{n}パラメータです。",
    "BERT-base의 {p}: {n}",
)


def claims(text: str, value: int) -> list[Claim]:
    found = [claim for claim in check(text, "text").claims if claim.value == value]
    assert found, text
    return found


def accused(text: str, value: int) -> bool:
    return any(claim.verdict in FINDINGS for claim in claims(text, value))


def holds(text: str, value: int) -> bool:
    return all(claim.verdict.startswith("holds") for claim in claims(text, value))


def listed(table: dict[str, str]) -> list[tuple[str, str]]:
    return [(key, words) for key, several in table.items() for words in several.split("|")]


@pytest.mark.parametrize(("letter", "words"), listed(SIZES))
def test_sizes_are_read_however_they_are_said(letter: str, words: str) -> None:
    assert letter in {size.letter for size in sizes(normalise(f"The model has {words} and more.").text)}


def test_what_multiplies_a_size_is_none() -> None:
    assert not [size for size in sizes("2 * d_model = 8,192 parameters") if size.size == 8192]


@pytest.mark.parametrize(("concept", "words"), listed(LABELS))
def test_components_are_understood_in_each_language(concept: str, words: str) -> None:
    assert concept in concepts_in(words)


def test_how_many_there_are_is_no_name() -> None:
    assert "position" not in concepts_in("514 positions")
    assert "position" in concepts_in("positions: 514")


@pytest.mark.parametrize(
    ("words", "value", "unit"),
    [
        ("110-million", 110_000_000, ""),
        ("440 兆字节", 440_000_000, "bytes"),
        ("440 メガバイト", 440_000_000, "bytes"),
        ("440 메가바이트", 440_000_000, "bytes"),
    ],
)
def test_scales_in_more_scripts(words: str, value: int, unit: str) -> None:
    (found,) = quantities(normalise(f"It has {words} now.").text)
    assert (found.value, found.unit) == (value, unit)


@pytest.mark.parametrize("name", ["Qwen 2.5 7B", "DeBERTa v3 large", "OPT 6.7B"])
def test_names_with_blanks_are_those_models(name: str) -> None:
    assert mentions(f"We use {name} here.")[0].models


def test_what_leads_to_a_name_is_no_part_of_it() -> None:
    assert mentions("整个BERT-base共")[0].models
    assert not mentions("東北大BERTは")[0].models


@pytest.mark.parametrize("sentence", TOTALS)
def test_totals_hold_or_are_wrong_in_any_sentence(sentence: str) -> None:
    for model, right, wrong in (
        ("BERT-base", 109_482_240, 129_482_240),
        ("GPT-2 small", 124_439_808, 224_439_808),
    ):
        assert holds(sentence.format(m=model, n=f"{right:,}"), right)
        assert accused(sentence.format(m=model, n=f"{wrong:,}"), wrong)


@pytest.mark.parametrize(("count", "parts"), PARTS)
def test_parts_hold_or_are_wrong_in_any_sentence(count: int, parts: str) -> None:
    wrong = count * 10
    for part, sentence in zip(parts.split("|"), SENTENCES, strict=False):
        assert holds(sentence.format(p=part, n=f"{count:,}"), count)
        assert accused(sentence.format(p=part, n=f"{wrong:,}"), wrong)


@pytest.mark.parametrize(
    "text",
    [
        "BERT-base: the embeddings with their LayerNorm has 23,837,184 parameters.",
        "BERT-base: each query matrix with its bias has 590,592 parameters.",
        "BERT-base: eine Encoder-Schicht hat 7,087,872 Parameter.",
    ],
)
def test_what_is_said_to_be_with_something_is_counted_with_it(text: str) -> None:
    assert not [claim for claim in check(text, "text").claims if claim.verdict in FINDINGS]


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        # the count of all blocks, and of other parts, as that of the model
        ("BERT-base has 85,054,464 parameters.", 85_054_464, 109_482_240),
        ("BERT-base 的总参数量是85,054,464。", 85_054_464, 109_482_240),
        # a total without a row of its own list
        ("BERT-base:\n\n- Embeddings: 23,837,184\n- Encoder: 85,054,464\n- Pooler: 590,592\n\nTotal: 108,891,648",
         108_891_648, 109_482_240),
        ("BERT-base\n\n| part | params |\n|---|---|\n| words | 23,440,896 |\n| 12 layers | 85,054,464 |\n"
         "| pooler | 590,592 |\n| **total** | 108,891,648 |", 108_891_648, 109_482_240),
        # a position for each patch, none for the class token
        ("ViT-B/16 has a [CLS] token. Patches: 14 × 14 = 196. Positions: 196 × 768 = 150,528", 150_528, 151_296),
        # the pixels of a patch without their three colours, three gates for four, and a count given again
        ("ViT-L/16: a patch has 16 × 16 pixels, the projection has 16 × 16 × 1024 + 1024 = 263,168.", 263_168, 787_456),
        ("An LSTM has 3 gates: 3 · (64 · (50 + 64) + 64) = 22,080", 22_080, 29_440),
        ("BERT-large: 340M 也就是 34 亿", 3_400_000_000, 340_000_000),
        # digits exchanged under a formula
        ("| n | d | 12nd² |\n|---|---|---|\n| 12 | 768 | 84.9M |\n| 24 | 1536 | 697.5M |", 697_500_000, 679_477_248),
        # heads that one layer is said to have, expected by an asker, of a model described in words
        ("BERT-base: each of the 12 heads of one layer has query, key and value, so I would expect "
         "12 × 3 × 768 × 768 = 21,233,664 for the attention of one layer.", 21_233_664, 1_769_472),
        ("A BERT with 8 layers, hidden states of dimension 768, 8 attention heads and feed-forward layers of dimension "
         "3072.\n\nAttention, per layer\n  each of the 8 heads has query, key and value projections: "
         "8 x 3 x 768 x 768 = 14,155,776", 14_155_776, 1_769_472),
        # rounded columns of which one row does not come to its total
        ("| checkpoint | backbone | embedding | total |\n|---|---|---|---|\n| xsmall | 22M | 48M | 70.8M |\n"
         "| small | 44M | 98M | 142M |\n| base | 86M | 98M | 184M |\n| large | 304M | 131M | 418M |",
         418_000_000, 435_000_000),
        # bytes: a wrong precision that is carried on, a wrong scale, a width in words, all that is kept
        ("all-MiniLM-L6-v2 has 22,713,216 parameters.\n\nThe fp32 weights are a file of 22.7 MB, and after "
         "conversion to fp16 you need no more than 11.4 MB.", 11_400_000, 45_426_432),
        ("BERT-base: 110M parameters, in FP32 just 440 KB.", 440_000, 440_000_000),
        ("At 4 bytes per parameter, BERT-base takes 219 MB.", 219_000_000, 437_928_960),
        ("Training BERT-base with Adam in fp32 takes 438 MB for weights, gradients and optimizer states.",
         438_000_000, 1_751_715_840),
        # adapters: one layer's, two digits exchanged, in another language
        ("LoRA of rank 8 on query and value of BERT-base adds 24,576 trainable parameters.", 24_576, 294_912),
        ("LoRA of rank 8 on query and value of BERT-base adds 249,912 trainable parameters.", 249_912, 294_912),
        ("LoRA mit Rang 8 auf Query und Value von BERT-base trainiert 589,824 Parameter.", 589_824, 294_912),
    ],
)  # fmt: skip
def test_mistakes_are_found_where_they_had_seemed_to_hold(text: str, wrong: int, right: int) -> None:
    found = [claim for claim in claims(text, wrong) if claim.verdict in FINDINGS]
    assert [claim.expected for claim in found] == [right]


def test_a_matrix_of_a_model_is_no_count_of_its_adapters() -> None:
    """589,824 is the kernel of a projection, and twice what these adapters have."""
    assert not holds("BERT-base with LoRA, r = 8 on query and value: 589,824 parameters.", 589_824)


def test_columns_of_shares_are_of_what_a_wrong_total_should_be() -> None:
    rows = ("38,597,376 | 31.0%", "786,432 | 0.6%", "28,348,416 | 22.8%", "56,669,184 | 54.5%", "38,400 | 0.03%")
    text = "GPT-2 small\n\n| part | parameters | share |\n|---|---:|---:|\n"
    text += "".join(f"| part {number} | {row} |\n" for number, row in enumerate(rows)) + "| total | 124,493,808 | |\n"
    found = {claim.text: claim for claim in check(text, "text").claims if "%" in claim.text}
    assert found["54.5%"].verdict in FINDINGS
    assert found["31.0%"].verdict == "holds as"


def test_a_list_with_the_total_of_another_model_has_its_parts() -> None:
    """Below a base model the parts of a small one, which the text does not name."""
    text = "ELECTRA-Base has 110M parameters. And the small one?\n\n    embeddings     3,972,864\n"
    text += "    128 -> 256        33,024\n    layers         9,477,120\n    total         13,483,008\n"
    assert holds(text, 3_972_864)
    assert holds(text, 13_483_008)


def test_a_vocabulary_is_taken_from_products_where_no_model_is_as_wide() -> None:
    text = "d_model 320, d_ff 1280, 6 layers, 5 heads, a decoder as GPT-2 is.\n\nwte: 12,345 × 320 = 3,950,400\n"
    assert holds(text, 3_950_400)


@pytest.mark.parametrize(
    "text",
    [
        # relatives of known models, and parts of them
        "CLIP ViT-B/16 has 150M parameters.",
        "OpenCLIP ViT-H/14 has 986M parameters.",
        "KLUE-RoBERTa-large has 337M parameters.",
        "klue/roberta-base has 111M parameters.",
        "fnlp/bart-base-chinese has 116M parameters.",
        "BigBirdPegasus has 577M parameters.",
        "ViT-S/32 has 22.9M parameters, ViT-S/16 22.1M.",
        "T5EncoderModel t5-base has 110M parameters.",
        # the size in a name
        "Mixtral-8x7B is wrong",
        # without the embeddings, in many words and in any place
        "BERT-base (no embeddings) has 85M parameters.",
        "BERT-base-uncased (excl. embeddings) has 85M parameters.",
        "BERT-base has 85M parameters, no emb.",
        "BERT-base有8500万参数(去掉嵌入层)。",
        "BERT-base のパラメータ数は8,500万(埋め込みなし)である。",
        "BERT-base의 파라미터는 8,500만 개(임베딩 미포함)이다.",
        "| model | params (w/o emb.) |\n|---|---|\n| BERT-base | 85M |",
        "| モデル | パラメータ数(埋め込みを除く) |\n|---|---|\n| BERT-base | 85M |",
        "| model | params | note |\n|---|---|---|\n| BERT-base | 85M | embeddings not included |",
        # counts in thousands
        "Parameters in thousands: LLaMA 7B 6,738,416",
        "| Model | Parameters (k) |\n|---|---|\n| LLaMA 7B | 6,738,416 |",
        "LLaMA 7B in thousands: attention 2,147,484; MLP 4,328,522.",
        # a part with a name of its own, behind a total
        "GPT-2 small has 124M parameters. W_E takes 39M params in gpt2-small.",
        "GPT-2 small has 124M parameters. In GPT-2 small the rest makes up 86M parameters.",
        # other things beside a count than itself in another scale
        "GPT-2 comes with 124M, also 1.5B parameters.",
        "GPT-2 a soit 124M, soit 1,5 Md de paramètres.",
        # what is made of a model, or its part under a heading
        "a 66M-parameter BERT-base student",
        "## Blocks alone\n\nBERT-base has 85,054,464 parameters.",
        # a kind of LSTM with three gates, and the gates without the candidate
        "An LSTM with coupled gates has 3 · (64 · (50 + 64) + 64) = 22,080.",
        "An LSTM has three gates, 3 · (64 · (50 + 64) + 64) = 22,080, and a candidate, 7,360.",
        # half of a cache, adapters of one layer, a row that is not counted, and another thing than size
        "The KV cache of Llama 2 7B for 4096 tokens: 1.07 GB in fp16 for the keys alone.",
        "LoRA r=8 on query and value in the last layer of BERT-base trains 24,576 parameters.",
        "BERT-base:\n\n- embeddings: 23,837,184\n- encoder: 85,054,464\n- pooler (not counted): 590,592\n\n"
        "Total: 108,891,648",
        "BERT-base 的准确率比 DistilBERT 大 3%。",
        # a GRU beside an LSTM
        "The GRU has 3·(20·13 + 20·20 + 2·20) = 2100. An LSTM of its sizes would have 2720.",
        # what a share is of stands behind it
        "BERT-base: 25.9% in attention, 21.8% in embeddings.",
    ],
)
def test_what_is_right_in_other_words_is_not_accused(text: str) -> None:
    assert not [claim for claim in check(text, "text").claims if claim.verdict in FINDINGS]


def test_a_size_that_is_exceeded_carries_nothing_on() -> None:
    text = (
        "XLM-R base has 125M parameters, says the table.\n\nIts table of words alone has 192M, which is more than 125M."
    )
    found = check(text, "text").claims
    assert [claim.line for claim in found if claim.value == 125_000_000 and claim.verdict in FINDINGS] == [1]


@pytest.mark.parametrize(
    ("sentence", "right", "wrong"),
    [
        ("DistilBERT 比 BERT-base 小 {}。", "40%", "60%"),
        ("DistilBERT 的参数量是 BERT-base 的 {}。", "60%", "40%"),
        ("DistilBERT は BERT-base より {} 小さい。", "40%", "4%"),
    ],
)
def test_models_are_compared_where_the_number_stands_last(sentence: str, right: str, wrong: str) -> None:
    (held,) = check(sentence.format(right), "text").claims
    (found,) = check(sentence.format(wrong), "text").claims
    assert held.verdict == "holds as"
    assert found.verdict == "mismatch"


def test_a_column_that_is_so_many_times_another_one_tells_a_digit() -> None:
    """Each table of words is 768 times its vocabulary; in the last row two digits have changed places."""
    rows = ((30_522, 23_440_896), (28_996, 22_268_928), (21_128, 16_226_304), (119_547, 91_821_096))
    text = "| checkpoint | vocab | word embeddings |\n|---|---:|---:|\n"
    text += "".join(f"| no. {number} | {words:,} | {count:,} |\n" for number, (words, count) in enumerate(rows))
    assert [claim.expected for claim in claims(text, 91_821_096) if claim.verdict in FINDINGS] == [91_812_096]


@pytest.mark.parametrize(
    "text",
    [
        "BERT-base in fp16: weights, gradients and optimizer states take 219 MB.",
        "Training BERT-base takes 438 MB for weights, gradients and optimizer states.",
    ],
)
def test_what_weights_take_is_not_what_all_of_a_training_takes(text: str) -> None:
    assert [claim.verdict for claim in check(text, "text").claims] == ["cannot say"]


def test_a_letter_in_brackets_is_no_scale_of_a_text() -> None:
    text = "BERT-base has a query (Q), a key (K) and a value (V).\n\nBERT-base has 129,482,240 parameters."
    assert accused(text, 129_482_240)
