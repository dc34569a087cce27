"""Right texts whose tables, names and units say other than they seem to, and wrong figures that seem to hold."""

import pytest

from reconcile.claims.claim import FINDINGS
from reconcile.pipeline.check import check

RIGHT = (
    # a column of values is none of the value projection
    "| Parameter | Value |\n|---|---|\n| Base model | BERT-base |\n| Trainable parameters | 14,175,744 |",
    "| Field | Value |\n|---|---|\n| Model | GPT-2 small |\n| Parameters | 124M |\n| Trainable | 294,912 |",
    "| Key | Value |\n|---|---|\n| Backbone | ViT-B/16 |\n| Head parameters | 76,900 |",
    # a total that is written twice is as exact as it is written first
    "Total: 1,235,814,400 ≈ 1.24B parameters. The embedding has 262,668,288 (21.3%).",
    "总计 6,738,415,616 ≈ 6.7B。所有块 6,476,267,520，占 96.1%。",
    "| part | params | share |\n|---|---|---|\n| blocks | 6,476M | 96.1% |\n| rest | 262M | 3.9% |\n"
    "| **total** | **6,738M ≈ 7B** | 100% |",
    # tables of positions of another width or length, under the tokenizer's name
    "GPT-2 BPE, d=384.\n\n| Component | Formula | Params |\n|---|---|---|\n"
    "| Position embedding | 1,024 x 384 | 393,216 |",
    "We use the GPT-2 tokenizer with d_model = 384. The position embedding has 393,216 parameters (1,024 x 384).",
    "We train a GPT-2 with a context of 512.\n\n| Layer | Shape | Params |\n|---|---|---|\n"
    "| wte | 50,257 x 768 | 38,597,376 |\n| wpe | 512 x 768 | 393,216 |",
    "GPT-2 layout, block size 2048: wpe has 1,572,864 parameters.",
    "| Tokenizer | GPT-2 |\n| Parameters | 50,928,640 |",
    "| Teacher | BERT-base |\n| Parameters | 22,713,216 |",
    # a factor whose unit stands before the expression
    "A token takes 160 KiB, so 160 * 4096 = 640 MiB.",
    "One layer takes 4 KB per token: 4 * 80 * 32768 = 10 GB.",
    "Activations take 34 MB per layer, 34 * 32 = 1.06 GB",
    # kernels without the biases that are counted with them
    "├─LSTM: 1-2  --  [1, 100, 512]  3,768,320\n|    └─weight_ih_l0  [2048, 300]\n|    └─weight_hh_l0  [2048, 512]\n"
    "|    └─weight_ih_l1  [2048, 512]\n|    └─weight_hh_l1  [2048, 512]",
    # stars and exponents that are lost
    "weights + bias = 9611113+96 = 34944",
    "2(128485*5+128)=307456",
    "7×109 × 2 / 230 = 13.04 GB",
    # columns, cells and labels in one line, and terms that are left out
    "                   dense 46.7B          MoE 46.7B\n  FLOPs per token  2 × 46.7B            2 × 12.9B\n"
    "                   = 93.4 GFLOP         = 25.8 GFLOP",
    "Vector storage = 50,000 x 1536 x 4 = 292 MB Text storage = 50,000 x 512 x 4 = 98 MB",
    "FP16/BF16 250MB ~125MB",
    "(3*3*64+64)*2+... (512*7*7*4096+4096)+(4096*4096+4096)+(4096*1000+1000)= 123697896",
    "| Item | Size | How |\n|---|---|---|\n| BERT-base (110M) | 440 MB | 110M × 4 bytes |\n"
    "| GPT-2 (1.5B) | 6 GB | 1.5B × 4 bytes |\n| 1M of these vectors | 1 GB | 1M × 1 KB |",
    "BERT-Large has 330M parameters.\n\n| Model size | INT4 | GPTQ 4bit |\n|---|---|---|\n| 6.7B | 3.3GB | 4.0GB |",
    # names that go on with a number, a width or a size of their own
    "DistilBERT4 has 52.2M parameters.",
    "TinyBERT4 has only 28% of the parameters of BERT4-PKD.",
    "MiniLM-L6-H768: 66M parameters",
    "facebook/xlm-roberta-xl: 3.5B parameters",
    "BERT-xlarge is 3.8x larger than BERT-large.",
    "ELECTRA-1.75M has 335M parameters.",
    "GPT-2 (8.3B parameters) is 24 times as large as BERT-large (340M).",
    "GPT-2 8B has 8.3 billion parameters and is 24x larger than BERT.",
    "BART-large is 12% larger than BERT of the same size.",
    "110M -> 66M params (-40%)",
    # what is trained of a model itself, or beside a matrix
    "with peft: trainable params: 38,597,376 || all params: 124,439,808 || trainable%: 31.02",
    "| layer | shape | count |\n|---|---|---|\n| a | 768 × 768 | 589,824 |\n| b | 768 × 3072 | 2,359,296 |\n"
    "| lora on b | 768 × 3072 | 30,720 |",
)


@pytest.mark.parametrize("text", RIGHT)
def test_nothing_that_is_right_is_accused(text: str) -> None:
    assert [claim.explanation for claim in check(text + "\n", "text").claims if claim.verdict in FINDINGS] == []


@pytest.mark.parametrize(
    ("text", "at", "right"),
    [
        ("110M -> 66M params (-60%)", "60%", None),
        ("Mixtral-8x7B activates 46.7B parameters for each token.", "46.7B parameters", 12_879_925_248),
        ("BERT-large имеет 110 млн параметров.", "110 млн параметров", 335_141_888),
        ("O BERT-base tem 340 milhões de parâmetros.", "340 milhões de parâmetros", 109_482_240),
        (
            "LoRA with peft on query and value, r=8, of bert-base-uncased:\n"
            "trainable params: 294,912 || all params: 109,482,240 || trainable%: 0.27",
            "109,482,240",
            109_777_152,
        ),
        ("| Model | Parameters |\n|---|---|\n| gpt-j | 614,432,000 |", "614,432,000", 6_050_882_784),
        ("| Model | Parameters |\n|---|---|\n| distilbert-base-uncased | 66,343,232 |", "66,343,232", 66_362_880),
    ],
)
def test_what_is_plainly_wrong_is_accused(text: str, at: str, right: int | None) -> None:
    accused = {claim.text: claim.expected for claim in check(text + "\n", "text").claims if claim.verdict in FINDINGS}
    assert accused.get(at, 0) == right
    assert len(accused) == 1


def test_a_cache_is_held_against_the_model_far_above_it() -> None:
    """2 · 80 · 1,024 · 32,768 values of two bytes are 10.7 GB; with 64 heads for the keys it would be 85.9 GB."""
    lines = "\n".join(f"- remark {number}" for number in "abcdefghijk")
    text = f"A KV cache of fp16, worked out.\n{lines}\nLlama-3-70B (L=80, H=8 KV heads, d=128)\n32K tokens {{}} GB\n"
    verdicts = {size: check(text.format(size), "text").claims[-1].verdict for size in ("10", "40")}
    assert verdicts == {"10": "holds as", "40": "mismatch"}


def test_what_stands_far_below_a_word_of_the_cache_is_not_taken_for_it() -> None:
    lines = "\n".join(f"- remark {number}" for number in "abcdefghijk")
    text = f"We speak of the KV cache elsewhere.\n{lines}\nLlama-3-8B peak memory\n4K tokens 19 GB\n"
    assert not [claim for claim in check(text, "text").claims if claim.verdict in FINDINGS]


@pytest.mark.parametrize(
    "text",
    [
        "| GPT-2 small | 150,000,000 (150M) |",
        "| Total | 12,345,678 (99M) |",
        "T5 large has 1B parameters.",
        "GPT-2 XL has 2B parameters",
        "2 x 80 x 8 x 128 x 2 = 655,360 bytes",
        "7e9 × 2 = 28 GB",
        "30522 * 768 * 4 = 187.5 MB",
        "Here we keep some 1M of these vectors for a GPT-2.",
    ],
)
def test_what_is_wrong_or_unknown_does_not_hold(text: str) -> None:
    """A bracket that says a count again proves nothing; nor do digits too few, or bytes that are weighed twice."""
    assert [claim.text for claim in check(text + "\n", "text").claims if claim.verdict in ("holds", "holds as")] == []


def test_what_a_share_rests_on_has_to_hold_itself() -> None:
    """1,234,000 is nothing that the text or its model has; a share of it is open, and one of the layers holds."""
    text = "BERT-base has 109,482,240 parameters. {} of them, {}, are trained."
    assert check(text.format("1,234,000", "1.13 %"), "text").claims[-1].verdict == "cannot say"
    assert check(text.format("7,087,872", "6.47 %"), "text").claims[-1].verdict == "holds as"
