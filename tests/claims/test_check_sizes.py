"""Sizes that texts state for dimensions, and how much of a long text is looked at how closely."""

import pytest

from reconcile.claims.checking import MOST_TOTALS
from reconcile.claims.structure.dimensions import sizes
from reconcile.expression.normalise import normalise
from reconcile.pipeline.check import check
from reconcile.taxonomy import load_architecture


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("hidden_size: 768", {("H", 768)}),
        ("$d_{model}=512$, \\(n_{head}=32\\)", {("H", 512), ("A", 32)}),
        ("Hidden size is 768, and the vocabulary has 30,522 entries", {("H", 768), ("V", 30522)}),
        ("12 layers with 12 attention heads", {("L", 12), ("A", 12)}),
        ("uncased_L-12_H-768_A-12", {("L", 12), ("H", 768)}),
        ("词表大小为21128, 12层", {("V", 21128), ("L", 12)}),
        ("a hidden size of 768 × 4", set()),
        ("V = 30,522 × 768", set()),
        ("the width 110M", set()),
        ("n_layers = 1000", set()),  # more than any model has
    ],
)
def test_sizes_are_told_by_what_precedes_or_follows(text: str, found: set[tuple[str, int]]) -> None:
    assert {(size.letter, size.size) for size in sizes(normalise(text).text)} == found


@pytest.mark.parametrize("name", load_architecture("bert").lexicon.settings["L"])
def test_settings_are_called_as_the_architectures_have_them(name: str) -> None:
    assert [(size.letter, size.size) for size in sizes(f"{name}=24")] == [("L", 24)]


def test_what_is_too_much_is_looked_at_less_closely_or_not_read_and_said_so() -> None:
    counts = "".join(f"part {place}: {place} × 768 = {768 * place}\n" for place in range(1, MOST_TOTALS + 11))
    assert check(counts, "long").notes == (
        "10 figures were only looked up, and not held against the rows around them as the first 2,000 were",
    )
    assert not check(counts[: len(counts) // 2], "shorter").notes
    cut = check("BERT base: 12 × 768 = 9,216\n" * 6_000 + "12 × 768 = 9,217\n", "longer")
    assert cut.unread
    assert {claim.verdict for claim in cut.claims} == {"holds"}
