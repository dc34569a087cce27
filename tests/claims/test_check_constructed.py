"""Figures in comments on code that makes layers."""

import pytest

from reconcile.pipeline.check import check

HEAD = "# bert.py, bert-base-uncased\ndef __init__(self, d=768, f=3072):\n"


@pytest.mark.parametrize(
    ("line", "verdict", "expected"),
    [
        ("self.norm = nn.LayerNorm(d)         # 768", "mismatch", 1536),
        ("self.norm = nn.LayerNorm(d)         # 1,536", "holds", 1536),
        ("self.norm = nn.LayerNorm(d, bias=False)  # 768", "holds", 768),
        ("self.norm = nn.RMSNorm(self.d)      # 768", "holds", 768),
        ("self.up = nn.Linear(d, f)           # 2,362,638", "mismatch", 2_362_368),
        ("self.up = nn.Linear(d, 3 * d)       # 1,771,776", "holds", 1_771_776),
        ("self.out = nn.Linear(d, 5)          # 3,854", "mismatch", 3845),
        ("self.rnn = nn.LSTM(d, 256)          # 1,050,624", "holds", 1_050_624),
        ("self.table = nn.Embedding(9000, d)  // 6,912,000", "holds", 6_912_000),
    ],
)
def test_what_a_constructor_makes(line: str, verdict: str, expected: int) -> None:
    (claim,) = [one for one in check(HEAD + line, "x").claims if one.verdict != "not a model figure"]
    assert (claim.verdict, claim.expected) == (verdict, expected)


@pytest.mark.parametrize(
    "line",
    [
        "self.norm = nn.LayerNorm(width)      # 768",
        "self.pool = Pooling(d)               # 768",
        "self.up = nn.Linear(d, f)            # 12 of them, 28,348,416",
        "print(n, n - 109_463_040)",
    ],
)
def test_what_it_cannot_know_is_not_accused(line: str) -> None:
    assert not [one for one in check(HEAD + line, "x").claims if one.verdict in ("mismatch", "arithmetic wrong")]
