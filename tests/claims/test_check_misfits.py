"""Counts that are no one's: of a table its width alone, of a stack what comes near to it, of a total other blocks."""

import pytest

from reconcile.claims.claim import FINDINGS, Claim
from reconcile.pipeline.check import check

HALVES = """GPT-2 small
block['attn']['c_attn']['w']  # 768 * 2304 = 1,769,472
block['attn']['c_attn']['b']  # 2304
block['ln_1']['g'].size       # 768
block['ln_1']['b'].size       # 768
block['mlp']['c_fc']['w']     # 768 * 3072 = 2,359,296
all of the MLP                # 4,722,432
"""
TREE = """T5 small

Total: 60,506,624
├── Shared table: 16,449,536
├── Encoder (6 layers)
│   ├── Output projection, each layer: 262,144
│   ├── Feed-forward, layer 1: 1,048,576
│   ├── Feed-forward, layer 2: 1,048,576
│   └── Encoder in total: {encoder}
"""
PARTS = """BERT base, part by part
Total: 110 million

- Token embeddings: {token}
- Segment embeddings: {segment}
- Position embeddings: {position}
- Query: 768 x 768 = 589,824
- Key: 768 x 768 = 589,824
- Input layer: 768 x 3072 = 2,359,296
"""
XLM_R = """XLM-R base

├── encoder (XLMRobertaModel):  278,043,648 params
│   ├── embeddings:             192,001,536 params
│   └── 12 x encoder layers:     {blocks} params
"""
DEPTHS = """Two reports of a GPT-2 medium with another vocabulary.{mistaken}

total parameters: **{first}**
layers: **20** layers

total parameters: **324426752**
layers: **24** layers

The vocabulary of the model has 20573 words, 324426752 + (50257-20573)*1024 = 354823168.
"""


def claim_at(text: str, at: str) -> Claim:
    return next(claim for claim in check(text, "text").claims if at in claim.text)


def accused(text: str) -> list[str]:
    return [claim.text for claim in check(text, "text").claims if claim.verdict in FINDINGS]


def test_what_is_called_the_total_of_a_stack_is_that() -> None:
    wrong = claim_at(TREE.format(encoder="23,970,816"), "23,970,816")
    assert (wrong.verdict, wrong.path, wrong.expected) == ("mismatch", "encoder", 18_880_512)
    assert accused(TREE.format(encoder="18,880,512")) == []
    assert accused(TREE.format(encoder="18,881,280")) == []  # with its relative positions and the last norm


def test_a_table_has_more_than_its_width_and_less_than_the_blocks() -> None:
    text = PARTS.format(token="84 million", segment="768", position="768")
    assert accused(text) == ["84 million", "768", "768"]
    assert [claim_at(text, at).expected for at in ("84 million", "768")] == [23_440_896, 1_536]
    assert accused(PARTS.format(token="23.4 million", segment="1,536", position="393,216")) == []
    assert accused(PARTS.format(token="23.4 million", segment="d = 768", position="393,216")) == []
    right = PARTS.format(token="23.4 million", segment="1,536", position="768")
    assert accused(right.replace("Position embeddings:", "Position embeddings, dimension:")) == []


def test_the_scale_of_a_norm_and_its_shift_are_as_wide_each() -> None:
    assert accused(HALVES) == []
    assert accused(HALVES.replace("block['ln_1']['b'].size       # 768\n", "").replace("['g']", "")) == ["768"]


def test_what_the_tables_leave_of_a_total_is_not_the_stack() -> None:
    text = XLM_R.format(blocks="86,042,112")
    assert [claim_at(text, at).expected for at in ("192,001,536", "86,042,112")] == [192_398_592, 85_054_464]
    assert accused(XLM_R.format(blocks="85,054,464")) == []
    assert accused(XLM_R.format(blocks="86,042,112").replace("12 x encoder layers", "all but the embeddings")) == []


def test_a_count_filled_up_with_zeros_is_near_to_a_stack_only() -> None:
    text = "ViT-B/16 has 86.57M parameters.\n\n| part | params |\n|---|---|\n| Transformer encoder (12 layers) | {} |\n"
    text += "| patch embedding | 590,592 |\n| head | 769,000 |\n"
    assert accused(text.format("84,957,000")) == ["84,957,000"]
    assert accused(text.format("85,054,464")) == []
    assert accused(text.format("85,056,000")) == []  # with the norm behind it


@pytest.mark.parametrize(("mistaken", "wrong"), [(" One of them is wrong.", ["274041856"]), ("", [])])
def test_the_total_of_another_number_of_blocks(mistaken: str, wrong: list[str]) -> None:
    """Where a text says that something in it is wrong; else both may be meant."""
    text = DEPTHS.format(mistaken=mistaken, first="274041856")
    assert accused(text) == wrong
    assert not wrong or "20 blocks" in claim_at(text, "274041856").explanation


def test_a_total_with_many_digits_is_no_rounding() -> None:
    text = "GPT-2 small: 50257*768 = 38597376 for the words, 1024*768 = 786432 for the positions.\n\nThe total is {}."
    wrong = claim_at(text.format("0.12365184B parameters"), "0.12365184B")
    assert (wrong.verdict, wrong.expected) == ("mismatch", 124_439_808)
    assert accused(text.format("0.12443981B parameters")) == []
    assert accused(text.format("0.124440576B parameters")) == []  # with one more token
    assert accused(text.format("0.12365184B parameters without the positions")) == []


BOX = """### Mixtral 8×7B by Numbers

```
HOW MIXTRAL 8×7B IS BUILT:
  Layers: 32
  d = 4096
  h = 32 heads of attention
  d_k = 128
  Experts: E = 8 in each MoE layer
  Top-K: K = 2
  FFN intermediate: 14,336 in each expert

PARAMETERS COUNTED:
  ┌───────────────────────────────────────────────────────────┐
  │  Component               Per layer    × 32 layers         │
  │  ─────────────────────────────────────────────────────    │
  │  Attention (shared):     {one}        {all}               │
  │  Whole model:            ~46.7B parameters                │
  └───────────────────────────────────────────────────────────┘
```
"""


def test_a_rounded_part_of_the_model_whose_sizes_a_text_has() -> None:
    assert accused(BOX.format(one="33.6M", all="1.07B")) == ["33.6M", "1.07B"]
    assert accused(BOX.format(one="41.9M", all="1.34B")) == []
    assert accused(BOX.format(one="33.6M", all="1.07B").replace("(shared)", "without values")) == []


LEFT = """GPT-2 small
Component                    Parameters
Token Embeddings             38,597,376
Position Embeddings             786,432
Embeddings Total             39,383,808
12 blocks                    85,054,464
Final norm                        1,536
Total Parameters            124,439,808
Non-embedding Parameters     {left}
"""


def test_what_is_left_without_the_embeddings() -> None:
    wrong = claim_at(LEFT.format(left="85,065,000"), "85,065,000")
    assert (wrong.verdict, wrong.expected) == ("does not add up", 85_056_000)
    assert accused(LEFT.format(left="85,056,000")) == []
    assert accused(LEFT.format(left="85,842,432")) == []  # with the positions


ROUNDED = "1. Encoder stack: about 18 million\n2. Decoder stack: about {} million\n3. Output: about 19 million\n----\n"


def test_rounded_rows_come_to_the_total_below_them() -> None:
    wrong = claim_at(ROUNDED.format(24) + "In total about 65 million.", "65 million")
    assert (wrong.verdict, wrong.expected) == ("does not add up", 61_000_000)
    assert accused(ROUNDED.format(24) + "In total about 61 million.") == []
    assert accused(ROUNDED.format(24) + "In total about 63 million.") == []  # each row cut off
    assert accused(ROUNDED.format("24 in each layer of 0.5") + "In total about 65 million.") == []
