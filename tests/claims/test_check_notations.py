"""Statements that are right, in the notations of many authors: none is accused; and the mistakes that they resemble."""

import pytest

from reconcile.claims.claim import FINDINGS
from reconcile.expression.doubled import without_copies
from reconcile.pipeline.check import check

RIGHT = {
    "raised digits": (
        "8.4e22 / 10¹⁵ / 3600 ≈ 23333 hours",
        "2³⁰ = 1,073,741,824",
        "12 × 96 × 12288² ≈ 1.74×10¹¹",
        "lr = 3×10⁻⁴ = 0.0003",
        "10<sup>-3</sup> × 2000 = 2",
        "10^{-3} × 2000 = 2",
    ),
    "powers of ten": (
        "3.14×10²³ / 312×10¹² ≈ 1.0×10⁹ s",  # the power binds more tightly than the division before it
        "1.75×10¹¹ × 4 bytes = 7×10¹¹ bytes = 700 GB",
        "$1.75 \\times 10^{11} \\times 2 = 3.5 \\times 10^{11}$ bytes",
        "1.2 x 10**8 params x 4 bytes = 480 MB",
    ),
    "bytes behind a power of ten": ("7 × 10⁹ params × 2 B/param = 14 × 10⁹ B = 14 GB",),
    "a formula that is about right": ("one block: 7,087,872 ≈ 12 × 768²", "12 × 32 × 4096² ≈ 12 × 32 × 16.7M ≈ 6.4B"),
    "a model's total in a sum": ("GPT-2 Small has 124,439,808 parameters (tied) + 50,257 + 7 = 124,490,072 gates.",),
    "two feed-forward sizes": (
        "LLaMA, hidden_size=768, intermediate_size=3072 before and intermediate_size=1536 after:\n"
        "gate_proj: 768 * 3072 = 2,359,296\ngate_proj: 768 * 1536 = 1,179,648",
    ),
    "about": ("~ 4 (bytes/FP32) * 30522 * 768 = 90 MB", "~12 × 7.1M = 85M"),
    "divided by the size of a unit": (
        "$$VRAM \\approx \\frac{14 \\times 10^9}{1024^3} \\approx 13.04 \\text{ GB}$$",
        "(70B * 2) / 1e9 = 140 GB",
        "175e9 * 2 / 1e12 = 0.35 TB",
        "175B × 2 bytes / 1024³ = 326 GiB",
        "7B params / 1e9 * 2 = 14 GB",
    ),
    "a share or a number of what the text has before": (
        "in use at a time is 1/16 = ~200M",
        "活跃的 2/8 = 11B",
        "27,000,000 = 1/4 of it",
        "每层 8 个专家 × 8 = 1,409,286,144",
    ),
    "decimal commas": (
        "14,7 Milliarden × 4,89 ÷ 8 = 8,99 GB",
        "9,0 + 0,8 + 1 = 10,8 GB (4K), 9,0 + 3,2 + 1 = 13,2 GB (16K)",
        "0,125 × 8 = 1",
        "8,4e22 / 3,12e14 = 2,69e8",
        "1,75 T × 2 = 3,5 TB",
        "2 × 196.608 = 0,393 M",
        "reshape(1,12*64) = 768",
        "共 12，3 × 4 = 12",
    ),
    "bytes and billions": (
        "7B × 2B = 14 GB",
        "7B×(2B+2B+8B+4B) = 112 GB",
        "16B × 7B = 112GB",
        "6 × 1.3 B × 26 B = 2.03e20",
    ),
    "items of a list": (
        "**位置の表：786,432個**\n* 1,024位置 × 768次元 = 786,432個",
        "Embeddings: 23,837,184\n+ 12 × 7,087,872 = 85,054,464",
        "30,522 × 768\n+ 512 × 768 = 23,834,112",
    ),
    "functions": (
        "math.ceil(50257 / 64) * 64 = 50304",
        "⌈50257/64⌉ × 64 = 50304",
        "$\\lceil 50257/128 \\rceil \\times 128 = 50304$",
        "1/√64 = 0.125",
    ),
    "lists, ranges and names": ("7B/13B × 2 = 14/26 GB", "3-4 × 110M ≈ 400M", "Mixtral 8x7B = 46.7B parameters"),
    "units that are converted": (
        "1 GB = 1024 MB = 1,048,576 KB",
        "1.4T tokens / 380 tokens/s / 2048 GPUs = 21 days",
        "100 ms × 1,000 = 100 s",
        "trainable%: 294,912 / 109,777,152 = 0.2686",
    ),
    "a sum with what the row states": ("权重 1000×2000 = 2,000,000 个，加上 2000 个偏置一共 2,002,000 个。",),
    "any size of a family": ("GPT-3 is more than 100 times the size of GPT-2.",),
    "a name with its value is no side": (
        "With $V = 37000$ it gives 60M.",
        "vocab = 50257 gives 124M",
        "V=30522 → 110M",
        "取 V = 50257 得到 124M",
    ),
}
WRONG = [
    ("6 × 7.00×10⁹ × 2.00×10¹² = 9.4×10²²", 84 * 10**21),
    ("$1.75 \\times 10^{11} \\times 2 = 4.5 \\times 10^{11}$", 35 * 10**10),
    ("28e9 / 1024**3 = 18.1 GB", 26_077_032_089),
    ("768² × 4 = 2,359,269", 2_359_296),
    ("768·64 gives 49,125", 49_152),
    ("110M / 2 = 65M", 55_000_000),
    ("3.15 × 10^23 / (125 × 10^12) = 2.52 million seconds", 2_520_000_000),
    ("14,7 Milliarden × 4,89 ÷ 8 = 9,89 GB", 8_985_375_000),
    ("7.0B × 4B = 35 GB", 28_000_000_000),
    ("Embeddings: 23,837,184\n* 12 × 7,087,872 = 85,054,646", 85_054_464),
    ("8x7.1M = 54M", 56_800_000),
]


@pytest.mark.parametrize("text", [text for texts in RIGHT.values() for text in texts])
def test_what_is_right_is_accused_in_no_notation(text: str) -> None:
    assert [claim for claim in check(text, "text").claims if claim.verdict in FINDINGS] == []


def test_a_rounded_figure_that_holds_for_the_right_count_carries_no_mistake_on() -> None:
    claims = check(
        "A token takes 2 * 20 * 128 * 2 * 47 = 483,328 bytes ≈ 0.46 MB, and 481,280 bytes ≈ 0.48 MB.", "text"
    ).claims
    assert [claim.value for claim in claims if claim.verdict in FINDINGS] == [483_328]


@pytest.mark.parametrize(("text", "right"), WRONG)
def test_mistakes_in_the_same_notations_are_found(text: str, right: int) -> None:
    (claim,) = (claim for claim in check(text, "text").claims if claim.verdict in FINDINGS)
    assert claim.expected == right


@pytest.mark.parametrize("sign", ["#", "//", ">", "--", ";", "%"])
def test_a_comment_or_a_quotation_is_read_like_what_it_comments(sign: str) -> None:
    plain = "BERT base\n- embeddings: 23,837,184\n  - positions: 512 × 768 = 393,215\n- one layer: 7,087,872"
    found = [(claim.line, claim.verdict, claim.path) for claim in check(plain, "text").claims]
    marked = "\n".join(f"{sign} {line}" for line in plain.split("\n"))
    assert [(claim.line, claim.verdict, claim.path) for claim in check(marked, "text").claims] == found
    assert [verdict for _, verdict, _ in found] == ["holds", "arithmetic wrong", "holds"]


COPIED = "768×768=589,824"


@pytest.mark.parametrize(
    "copied",
    [
        f"{COPIED}{COPIED}",
        f"{COPIED}768 \\times 768=589,824{COPIED}",
        f"{COPIED}$768 \\times 768=589,824$",
    ],
)
def test_a_formula_that_is_copied_without_a_gap_is_read_once(copied: str) -> None:
    claims = check(f"BERT-base\n\n一个 Q 矩阵：{copied}，偏置另算。\n", "text").claims
    assert [(claim.value, claim.verdict) for claim in claims] == [(589_824, "holds")]


def test_a_wrong_formula_that_is_copied_without_a_gap_is_accused_once() -> None:
    wrong = "21128×768=16,248,064"
    claims = check(f"BERT-base，中文\n\n词嵌入：{wrong}{wrong}\n", "text").claims
    assert [(claim.text, claim.verdict, claim.expected) for claim in claims] == [
        (wrong, "arithmetic wrong", 21_128 * 768)
    ]


@pytest.mark.parametrize("text", ["2×22×2", "768×768 768×768", "110M+110M=220M", "1×2=2 1×2=2", "BERT BERT"])
def test_what_is_said_again_behind_a_blank_or_is_another_formula_stays(text: str) -> None:
    assert without_copies(text) == text
