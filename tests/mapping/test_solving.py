"""Dimensions from the counts of rows: the majority decides, and of equals the smaller, whatever their order."""

from itertools import permutations

import pytest

from reconcile.mapping.solving import Counted, solve_dimensions
from reconcile.taxonomy import load_architecture

BERT = load_architecture("bert")
NORM = "encoder.block[{}].attention_norm"


def norms(*widths: int) -> list[Counted]:
    """The norms of a block each, 2·H parameters."""
    return [Counted(f"norm-{place}", NORM.format(place), 2 * width) for place, width in enumerate(widths, 1)]


@pytest.mark.parametrize(
    ("widths", "hidden"),
    [((768, 768, 512), 768), ((512, 768), 512), ((768, 512, 768, 512), 512), ((1024, 768, 512), 512)],
)
def test_most_rows_give_a_dimension_and_of_as_many_the_smaller(widths: tuple[int, ...], hidden: int) -> None:
    for order in permutations(widths):
        sizes, (evidence,) = solve_dimensions(norms(*order), BERT, frozenset())
        assert sizes == {"H": hidden}
        assert sorted(size for _, size in evidence.against) == sorted(width for width in widths if width != hidden)
