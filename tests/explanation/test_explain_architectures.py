"""Figures of other architectures: a Transformer with a decoder, ALBERT, ELECTRA, GPT-2."""

import pytest

from reconcile.explanation.answer import FITS, SHOWN
from reconcile.explanation.contexts import Context, in_part
from reconcile.explanation.differences import explain_difference
from reconcile.explanation.engine import explain_figure

SMALL = in_part("V=5395,W=5395,H=512,F=2048,L=1,M=1,P=33")
PAPER = in_part("V=37000,W=37000,H=512,L=6")


@pytest.mark.parametrize(
    ("context", "figure", "node"),
    [
        # 2,762,240 + 2·16,896 + 3,152,384 + 4,204,032
        (SMALL, 10_152_448, "whole"),
        (SMALL, 3_152_384, "encoder"),  # 1,050,624 + 2,099,712 + 2·1,024
        (SMALL, 4_204_032, "decoder"),  # 2·1,050,624 + 2,099,712 + 3·1,024
        (SMALL, 15_676_928, "tied counted three times"),
        (SMALL, 5_524_480, "the tables that are one with the source embedding"),  # 2·5,395·512
        # 37,000·512 + 6·(3,152,384 + 4,204,032): no table of positions
        (PAPER, 63_082_496, "whole"),
    ],
)
def test_figures(context: Context, figure: int, node: str) -> None:
    answer = explain_figure(figure, context)
    assert answer.verdict in (SHOWN, FITS)
    assert answer.explanations[0].items[0].component == node


def test_the_shared_tables_are_the_difference() -> None:
    best = explain_difference(15_676_928, 10_152_448, SMALL).explanations[0]
    assert [(item.value, item.component) for item in best.items] == [
        (-2_762_240, "embeddings.target"),
        (-2_762_240, "projection.kernel"),
    ]


def test_the_shared_tables_counted_apart_are_a_mistake() -> None:
    mistakes = [one for one in explain_figure(15_676_928, SMALL).explanations if one.mistake is not None]
    assert [(one.mistake.id if one.mistake else "", one.right) for one in mistakes] == [
        ("shared-tables-apart", 10_152_448)
    ]
