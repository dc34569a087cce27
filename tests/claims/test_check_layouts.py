"""What the layout of a text says of a figure: lists in lists, headers, remarks, the order in which parts stand."""

import pytest

from reconcile.claims.claim import FINDINGS, Claim
from reconcile.pipeline.check import check


def claims(text: str) -> dict[str, Claim]:
    """The claims of a text by the line that each stands in and what it says."""
    return {f"{claim.line}: {claim.text}": claim for claim in check(text, "text").claims}


BLOCK = """GPT-2 small, 12 layers of 768.

// 4. transformer block:
//  - layer-norm: 1536
//  - MHA:
//    - Q: 768 * 768 = 589824
//    - K: 768 * 768 = 589824
//    - V: 768 * 768 = 589824
//    - output: (768+1)*768 = 590592
//  - dropout: 0
//  - layer-norm: 1536
//  - feed-forward:
//    - linear1: (768+1)*3072 = 2362368
//    - linear2: (3072+1)*768 = 2360064
//  - dropout: 0
// 5. layer-norm: 1536
"""


def test_an_item_is_over_those_that_are_indented_below_it_alone() -> None:
    """Norms beside the attention are none of it, and follow on each other in front of what they are of."""
    found = claims(BLOCK)
    assert [claim.path for name, claim in found.items() if name.endswith(": 1536")] == [
        "decoder.block[*].attention_norm",
        "decoder.block[*].feed_forward_norm",
        "decoder.norm",
    ]


TENSORS = """ViT base printed:

transformer.layers.0.1.fn.norm.weight 768
transformer.layers.0.1.fn.fn.net.0.weight 2359296
transformer.layers.0.1.fn.fn.net.0.bias 3072
transformer.layers.0.1.fn.fn.net.3.weight 2359296
"""


def test_the_name_of_one_tensor_is_of_one_tensor() -> None:
    """Four matrices of an attention have as many weights as one of the feed-forward."""
    found = claims(TENSORS)
    paths = [claim.path for name, claim in found.items() if name.endswith("2359296")]
    assert paths == ["encoder.block[*].feed_forward.intermediate.kernel", "encoder.block[*].feed_forward.output.kernel"]


MEMORY = """BERT base in training.

| State | bytes | 11M (MB) | 125M (MB) |
|---|---:|---:|---:|
| weights | 4 | 44 | 500 |
| Adam | 8 | 88 | 1000 |
| total | 12 | 132 | 1500 |
"""


def test_a_header_with_figures_is_one_where_a_rule_stands_below_it() -> None:
    found = claims(MEMORY)
    assert {claim.unit for name, claim in found.items() if name.endswith(("1500", "1000", "500"))} <= {"bytes"}
    assert not any("dense" in (claim.explanation or "") for claim in found.values())


@pytest.mark.parametrize(
    ("text", "accused"),
    [
        ("32 · 512 · 320 · 6 · 14 · 2 bytes = 881,000,000 bytes", False),  # rounded to millions
        ("32 · 512 · 320 · 6 · 14 · 2 bytes = 891,000,000 bytes", True),
        ("768 × 768 = 590,000 (rounded)", False),
        ("768 × 768 = 560,000 (rounded)", True),
        ("trained ≈ (1024+4096)×16×2 = 163,840", False),
        ("trained ≈ (1024+4096)×16×2 = 164,864", True),
        ("about 110M × 4 bytes = 437,928,960 bytes", False),  # of which the count is rounded
        ("12 × (1.77 + 0.59 + 2.36 + 2.36)M ≈ 84.96M", False),
        ("12 × (1.77 + 0.59 + 2.36 + 2.36)M ≈ 79.7M", True),
        ("6 * 1558e6 * 32e9 = 2.991e20 ~= 3e20", False),
        ("6 * 1558e6 * 32e9 = 6.966e20 ~= 3e20", True),
        ("512 × 256 + 256 × 256 = 196,600", True),  # two zeros may be the last digits
        ("18,944,000 (embeddings) + 18,886,656 (encoder) + 0 (output, as it is shared)\n≈ 37,830,656", False),
        ("18,944,000 (embeddings) + 18,886,656 (encoder) + 0 (output, as it is shared)\n≈ 37,803,656", True),
    ],
)
def test_sides_of_equations(text: str, accused: bool) -> None:
    first, *_ = check(text, "text").claims
    assert (first.verdict in FINDINGS) is accused
    assert (first.verdict in ("holds", "holds as")) is not accused


@pytest.mark.parametrize(("stated", "verdict"), [("85,054,464", "holds"), ("85,100,000", "holds as")])
def test_a_rounded_result_holds_as_one(stated: str, verdict: str) -> None:
    (claim,) = check(f"12 × 7,087,872 = {stated}", "text").claims
    assert claim.verdict == verdict


SETTINGS = """| Setting | Value |
|---|---|
| Embedding width | `384` |
| Attention heads | `6` |
| Transformer blocks | `6` |
| Context length | `256` |

A GPT of ours. Position embedding: 98,304
"""


def test_a_table_of_settings_states_sizes() -> None:
    assert claims(SETTINGS)["8: 98,304"].path == "embeddings.position"


COMPARED = """| | BERT base | BERT large |
|---|---|---|
| Layers | 12 | 24 |
| Hidden size | 768 | 1024 |
| Token embedding | 23,440,896 | 31,254,528 |
"""


def test_a_table_of_several_models_states_the_sizes_of_none() -> None:
    found = claims(COMPARED)
    assert found["5: 23,440,896"].model == "BERT base, uncased"
    assert found["5: 31,254,528"].model == "BERT large, uncased"


CARRIED = """The base model: N = 6, dmodel = 512, dff = 2048.

One encoder layer: (3 × 512 × 512) + (512 × 512) + (512 × 2048) + (2048 × 512) + (2 × 2 × 512) = 3,147,776

One decoder layer, with the attention on top:
3,147,776 + 786,432 + 262,144 + 2,048 (one further layer norm) = 4,198,400

6 decoder layers: 6 × 4,198,400 = 25,190,400 parameters

The big model: dmodel = 1024 with 16 heads.
"""


def test_what_stands_right_above_is_carried_on_whatever_else_has_the_count() -> None:
    """4,198,400 is what an attention of 1,024 has with its biases, too."""
    found = [claim for claim in check(CARRIED, "text").claims if claim.verdict in FINDINGS]
    assert [claim.expected for claim in found] == [4_197_376, 25_184_256]
    assert found[1].carried_from


SECTIONS = """A small GPT with SwiGLU and RMSNorm.

## Sizes

vocabulary = 8000, layers = 6, D = 256, no biases

## In all

embed:   8000 · 256       = 2,048,000
layers:  6 · 12 · 256²    = 4,718,592
total                     ≈ 6.77 M  (about 7M)
"""


def test_a_section_goes_on_with_the_architecture_of_those_before_it() -> None:
    """An encoder of that width with heads for pretraining would have 7,059,266."""
    assert all(claim.path != "pretraining" for claim in claims(SECTIONS).values())


WORDS = """A decoder after LLaMA: V = 32000, H = 4096.

gate_proj: 4096 * 32000 = 131,072,000
gigabytes = n / 1e9
"""


def test_no_part_of_a_block_is_a_table() -> None:
    """Whatever else has its count; and a power of ten in code is no model's."""
    found = claims(WORDS)
    assert found["3: 4096 * 32000 = 131,072,000"].path not in ("embeddings.token", "head.kernel")
    assert not any(name.endswith("1e9") for name in found)
