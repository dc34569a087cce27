"""What comes out of derivations that people have published, told again in forms of our own: verdicts and figures."""

from dataclasses import dataclass

import pytest

from reconcile.claims.claim import Claim, findings
from reconcile.pipeline.check import check


@dataclass(frozen=True)
class Case:
    """A text, the claim that begins with `at`, its verdict and figures, and what its explanation must say."""

    text: str
    at: str
    verdict: str
    value: int | None
    expected: int | None
    says: tuple[str, ...] = ()
    model: str | None = None


HEADS = """BERT base has 12 heads.
One attention layer: 12 heads × (768·768·3 + 768·3) = 21,261,312 parameters,
and the output projection 12 x 768 x 768 + 768 = 7,078,656 more.
"""
LATEX_HEADS = r"""For one attention layer of $\mathrm{BERT}_{base}$ with its 12 heads
\begin{align}
N &= 12 \times (768 \times 768 \times 3 + 768 \times 3) \\
  &= 21{,}261{,}312 \\
M &= 12 \cdot 768 \cdot 768 + 768 = 7{,}078{,}656
\end{align}
"""
CODE_HEADS = """# BERT base, attention: every head has W_q, W_k, W_v
assert (768*768*3 + 768*3)*12 == 21261312  # 12 heads
assert 12*768*768 + 768 == 7078656  # output projection of the heads
"""
BASE = """BERT base, uncased

word embeddings [30522,768] = 23,440,896
position embeddings [512,768] = 393,216
segment embeddings [2,768] = 1,536
layer norm [768] + [768] = 1,536

23,837,184 + 7,087,872·12 + 590,592 = 109,482,240
"""
LARGE_ROWS = "".join(
    f"  {name} [{shape.replace('x', ', ')}] = {count:,}\n"
    for name, shape, count in (
        ("query kernel", "1024x1024", 1024 * 1024),
        ("query bias", "1024", 1024),
        ("key kernel", "1024x1024", 1024 * 1024),
        ("key bias", "1024", 1024),
        ("value kernel", "1024x1024", 1024 * 1024),
        ("value bias", "1024", 1024),
        ("attention output kernel", "1024x1024", 1024 * 1024),
        ("attention output bias", "1024", 1024),
        ("first norm gamma", "1024", 1024),
        ("first norm beta", "1024", 1024),
        ("intermediate kernel", "1024x4096", 1024 * 4096),
        ("intermediate bias", "4096", 4096),
        ("second kernel", "4096x1024", 4096 * 1024),
        ("second bias", "1024", 1024),
        ("second norm gamma", "1024", 1024),
        ("second norm beta", "1024", 1024),
    )
)
LARGE = f"""BERT large, uncased
Embeddings: 31,782,912
Encoder layer: 12,592,128 * 24 = 302,211,072
{LARGE_ROWS}Pooler: 1,049,600
Total: 335,043,584
"""
WITHOUT = """Without biases, norms and pooler BERT base has 23,835,648 + 84,934,656 = 108,770,304 parameters,
plus a small number to 110M. The feed-forward makes 4,718,592·12 = 56.6M of it, half of 110M.
"""

CASES = [
    # (768·768·3 + 768·3)·12: 18,898,944 more than 4·(768² + 768) = 2,362,368
    *(
        Case(text, at, "mismatch", 21_261_312, 2_362_368, ("full width", "18,898,944 too many"))
        for text, at in ((HEADS, "12 heads"), (LATEX_HEADS, "12 \\times"), (CODE_HEADS, "(768*768*3"))
    ),
    # 12·768·768 + 768 against 768² + 768 = 590,592
    *(
        Case(text, at, "mismatch", 7_078_656, 590_592, ("output projection", "6,488,064 too many"))
        for text, at in ((HEADS, "12 x 768"), (LATEX_HEADS, "12 \\cdot"), (CODE_HEADS, "12*768*768"))
    ),
    # worked out with 768, printed with 786
    Case(
        "12 heads, d_model of BERT base: (786*786*3 + 786*3)*12 = 21,261,312",
        "(786", "arithmetic wrong", 21_261_312, 22_268_952, ("comes to 22,268,952",),
    ),
    Case(BASE, "23,837,184 +", "holds", 109_482_240, 109_482_240, ("backbone+pooler",)),
    Case(BASE, "[30522,768]", "holds", 23_440_896, 23_440_896, ("token embedding",)),
    # 12,596,224 is what the rows come to; the bias of 4,096 is listed and not in 12,592,128
    Case(LARGE, "12,592,128", "does not add up", 12_592_128, 12_596_224, ("4,096 too few", "intermediate bias")),
    # 302,309,376 − 24·4,096, and the total with it
    Case(LARGE, "12,592,128 *", "mismatch", 302_211_072, 302_309_376, ("carries on 12,592,128",)),
    Case(LARGE, "335,043,584", "mismatch", 335_043_584, 335_141_888, ("carries on 12,592,128",)),
    Case(WITHOUT, "23,835,648", "holds", 108_770_304, 108_770_304, ("without biases and layer norms",)),
    # 2·12·768·3072 = 56,623,104, which rounds to 56.6M
    Case(WITHOUT, "4,718,592", "holds as", 56_600_000, 56_600_000, ("without biases",)),
    # 110,592
    Case(
        "12 * 768 * 12 = 110M, that is BERT base", "12 *", "arithmetic wrong", 110_000_000, 110_592,
        ("110,592", "a thousand times too large"),
    ),
    # operations are not judged, their arithmetic is
    Case("128 tokens × 768 values × 2 FLOPs = 196,608 FLOPs", "128", "holds", 196_608, 196_608, ("not judged here",)),
    Case("128 tokens × 768 embeddings × 2 FLOPs = 196,680", "128", "arithmetic wrong", 196_680, 196_608, ("places",)),
    Case("BERT base needs 22.5 GFLOPs a sentence", "22.5", "cannot say", 22_500_000_000, None),
    # stated totals
    Case("BERT-Base has 109,482,240 parameters", "109", "holds", 109_482_240, 109_482_240, ("backbone+pooler",)),
    Case("BERT-Base, cased: 108,310,272 parameters", "108", "holds", 108_310_272, 108_310_272, ("cased",)),
    Case("BERT-Large has 340M parameters", "340M", "holds as", 340_000_000, 336_226_108, ("pretraining",)),
    Case("BERT base multilingual cased has 110M parameters", "110M", "mismatch", 110_000_000, 177_853_440),
    Case("Parameters in total: 109,482,240", "109", "mismatch", 109_482_240, 108_310_272, (), "bert-base-cased"),
    Case("pooler: 590,593 parameters", "590,593", "mismatch", 590_593, 590_592, ("one digit",), "bert-base-uncased"),
    Case("tables: [30522, 768] = 23440895", "[30522", "arithmetic wrong", 23_440_895, 23_440_896, ("one digit",)),
]  # fmt: skip


def claim_at(text: str, at: str, model: str | None = None) -> Claim:
    """The claim of a text that begins as `at` does and where `at` stands: the shorter of two that begin together."""
    claims = check(text, "text", model=model).claims
    lines = text.split("\n")
    there = [claim for claim in claims if lines[claim.line - 1][claim.column - 1 :].startswith(at)]
    found = [claim for claim in there if claim.text.startswith(at)]
    assert found, [(claim.line, claim.column, claim.text, claim.verdict) for claim in claims]
    return min(found, key=lambda claim: len(claim.text))


@pytest.mark.parametrize("case", CASES, ids=[f"{place}: {case.at}" for place, case in enumerate(CASES)])
def test_a_published_derivation(case: Case) -> None:
    claim = claim_at(case.text, case.at, case.model)
    assert claim.verdict == case.verdict, claim
    assert claim.value == case.value
    if case.expected is not None or case.verdict == "cannot say":
        assert claim.expected == case.expected
    for words in case.says:
        assert words in claim.explanation


RIGHT = [
    "BERT base: with the pooler this makes 23,837,184 + 85,054,464 + 590,592 = 109,482,240.",
    "BERT base: adding the embeddings, 85,054,464 + 23,837,184 = 108,891,648 parameters.",
    "BERT base cased has 108,310,272 parameters, that is 1,171,968 fewer than 109,482,240.",
    "BERT-large: 31,782,912 + 302,309,376 + 1,049,600 = 335,141,888 ≈ 340M.",
    "In BERT base 12 x 7.1M = 85M are in the encoder.",
    "For $H=768$ of BERT base: $$4\\left(H^2 + H\\right) = 4 \\left(768^2 + 768\\right) = 2{,}362{,}368$$",
    "RoBERTa base: 50,265 × 768 = 38,603,520 in the word table, 124,645,632 parameters in all.",
    "bert-base-chinese: 21128*768 = 16,226,304; total 102,267,648 (about 102M, not the usual figure).",
    "d=256, 4 layers, F=1024, vocabulary of 1,000, 64 positions: 272,384 + 4 × 789,760 = 3,431,424 parameters.",
    "BERT base: 110M ≈ 109,482,240, of which 56.6M are 12 × 2 × 768 × 3072 in the feed-forward kernels.",
]


@pytest.mark.parametrize("text", RIGHT)
def test_a_right_sentence_has_no_findings(text: str) -> None:
    checked = check(text, "text")
    assert checked.claims
    assert list(findings(checked)) == []


def test_a_right_derivation_has_no_findings() -> None:
    assert {claim.verdict for claim in check(BASE, "text").claims} == {"holds"}


NOISE = """On 11 October 2018 (arXiv:1810.04805v2) it was 88.5% on MNLI; see section 3.2, pages 4171-4186 and line 1234.
Training took 4 days on 16 TPU chips, 1,000,000 steps with batch size 256, lr = 1e-4, beta1 = 0.9, 10,000 warmup steps.
Version 2.11.0, commit 3f2a9bc81d, issue #656, port 8080, 192.168.0.1, phone +49 30 1234567, ISBN 978-3-16-148410-0.
It cost $1,200,000 or €3.5M; the corpus has 3,300M words, 16GB of text; see https://example.org/123456789/7,087,872.
2018-10-11 12:30:45 INFO step 100000 loss = 1.234 lr = 0.00001, epoch 3 = best, Q1 2019 = 4, 24/7, 9-5, 1/2 of it.
| year | users |
|---|---|
| 2018 | 1,234 |
| 2019 | 5,678 |
"""


def test_prose_without_figures_of_a_model_has_no_claims() -> None:
    checked = check(NOISE, "text")
    assert checked.claims == ()


@pytest.mark.parametrize("line", NOISE.splitlines())
def test_no_line_of_it_makes_a_claim(line: str) -> None:
    assert check(line, "text").claims == ()


def test_what_counts_something_else_is_said_so_beside_a_claim() -> None:
    claims = check("BERT base has 110M parameters and saw 3,300M words.", "text").claims
    assert [claim.verdict for claim in claims] == ["holds as", "not a model figure"]


def test_each_model_has_its_own_figures() -> None:
    text = "BERT base (L=12, H=768, A=12, Total Parameters={}) and BERT large (L=24, H=1024, A=16, Total Parameters={})"
    models = ("BERT base, uncased", "BERT large, uncased")
    claims = check(text.format("110M", "340M"), "text").claims
    assert [(claim.verdict, claim.model) for claim in claims] == [("holds as", model) for model in models]
