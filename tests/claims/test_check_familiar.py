"""What is known of figures that no count of a model explains: usual miscounts, tied matrices, published figures."""

import pytest

from reconcile.claims.claim import Claim
from reconcile.pipeline.check import check

SMALL = 124_439_808  # V = 50,257 · 768 + 1,024 · 768 + 12 blocks of 7,087,872 + 1,536
TABLE = 50_257 * 768


def claims(text: str) -> dict[str, Claim]:
    return {claim.text: claim for claim in check(text, "text").claims}


MISCOUNTS = (
    ("GPT-2 small: I count {}.", SMALL - 1_024 * 768, "786,432 fewer than `whole` of GPT-2 small"),
    # 32 blocks · 2 · 4,096 · (4,096 − 1,024)
    ("Llama 3 8B: I count {}.", 8_030_261_248 + 805_306_368, "U = 1,024 is taken as 4,096"),
    # 32 blocks · 4,096 · 14,336
    ("Llama 3 8B: I count {}.", 8_030_261_248 - 32 * 4096 * 14336, "two matrices in each feed-forward"),
    ("BERT base, uncased: I count {}.", 109_482_240 + 12 * 11 * 768 * 768, "once for each head in every layer"),
)


@pytest.mark.parametrize(("text", "count", "says"), MISCOUNTS)
def test_a_usual_miscount_of_a_total_is_named(text: str, count: int, says: str) -> None:
    """The mistake, how far it leads from the total, and why."""
    claim = claims(text.format(f"{count:,} parameters"))[f"{count:,} parameters"]
    assert (claim.verdict, claim.expected) == ("cannot say", None)
    assert says in claim.explanation


@pytest.mark.parametrize("count", [SMALL + TABLE + 1, SMALL + TABLE - 1, SMALL + 2 * TABLE])
def test_other_counts_are_no_miscount(count: int) -> None:
    assert "it fits" not in claims(f"GPT-2 small: I count {count:,} parameters.")[f"{count:,} parameters"].explanation


@pytest.mark.parametrize(("figure", "found"), [("163M", True), ("164M", False), ("160M", False), ("0.2B", False)])
def test_a_rounded_miscount_needs_three_figures(figure: str, found: bool) -> None:
    """163,037,184 is 163M; fewer figures are those of many counts."""
    told = claims(f"GPT-2 small has 124M parameters, and not {figure}.")
    assert ("it fits the output matrix counted" in getattr(told.get(figure), "explanation", "")) is found


def test_the_matrix_of_a_tied_head_is_the_token_table() -> None:
    """A head's matrix of a model that ties it counts once; a label that speaks of no head says nothing of it."""
    told = claims(f"GPT-2\n\nlm.transformer  {SMALL}\nlm.lm_head  {TABLE}\n")
    assert "the same matrix under a second name, which `whole` counts once" in told[str(TABLE)].explanation
    for text in (f"GPT-2\n\nlm.lm_head  {TABLE + 1}\n", f"GPT-2\n\nthe rest  {TABLE}\n"):
        assert all("second name" not in claim.explanation for claim in claims(text).values())


PUBLISHED = (
    (
        "How large is DeBERTaV3-base? Its makers say 86 million.",
        "86 million",
        "which has `backbone` 183,831,552",
    ),
)


@pytest.mark.parametrize(("text", "at", "says"), PUBLISHED)
def test_a_published_figure_is_told_with_what_the_model_has(text: str, at: str, says: str) -> None:
    claim = claims(text)[at]
    assert claim.verdict == "cannot say"
    assert says in claim.explanation


WITHDRAWN = (
    ("GPT-2 was said to have 117M parameters.", "117M parameters", 124_439_808, "= 116,929,536"),
    ("Mixtral 8x7B has 56B parameters.", "56B parameters", 46_702_792_704, "what the experts share"),
    ("Mixtral 8x7B is not 8 × 7B = 56B.", "8 × 7B = 56B", 46_702_792_704, "what the experts share"),
    ("Sizes of GPT-2:\nMEDIUM: 345M (README)\n", "345M", 354_823_168, "published for GPT-2 medium, and counts"),
)


@pytest.mark.parametrize(("text", "at", "expected", "says"), WITHDRAWN)
def test_a_published_figure_that_counts_something_else_is_wrong(text: str, at: str, expected: int, says: str) -> None:
    claim = claims(text)[at]
    assert (claim.verdict, claim.expected) == ("mismatch", expected)
    assert says in claim.explanation


@pytest.mark.parametrize("text", ["GPT-2 on JFT-117M.", "GPT-2 saw 117M words.", "BERT: 345M", "GPT-2: 346M"])
def test_what_is_no_figure_of_the_model_was_not_published_for_it(text: str) -> None:
    assert all("published" not in claim.explanation for claim in claims(text).values())


TABLES = (
    ("the token embedding of Gemma 2B has {} parameters", 256_000 * 2048, "holds"),
    ("mT5-small: its word embedding has {} parameters", 250_112 * 512, "holds"),
    ("OPT-350M: its word embedding has {} parameters", 50_272 * 512, "holds"),  # its words are narrower than its blocks
)


@pytest.mark.parametrize(("text", "count", "verdict"), TABLES)
def test_token_embeddings_of_counted_models(text: str, count: int, verdict: str) -> None:
    """A model of which only totals are known has a token embedding of the vocabulary and width of its settings."""
    claim = claims(text.format(f"{count:,}"))[f"{count:,} parameters"]
    assert (claim.verdict, claim.path) == (verdict, "embeddings.token")


def test_a_token_embedding_that_is_another_is_told() -> None:
    """The rest of DeBERTa is 97 million only if both figures are taken as they were published."""
    claim = claims("DeBERTaV3-base has 183 million parameters. The other 97 million must be the word embedding.")
    assert claim["97 million"].explanation == "`embeddings.token` of DeBERTa v3 base is 98,380,800"  # 128,100 · 768
