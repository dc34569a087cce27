"""Digits that a text groups by points or blanks, as German, Spanish, French or Russian do."""

import pytest

from reconcile.claims.claim import Claim
from reconcile.expression.grouping import as_english
from reconcile.pipeline.check import check


def claims(text: str) -> list[tuple[str, Claim]]:
    return [(claim.verdict, claim) for claim in check(text, "text").claims]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("3.072 und 4.722.432.", "3,072 und 4,722,432."),
        ("4 096 et 12 599 296.", "4,096 et 12,599,296."),
        ("3·3·64·128 = 73.728 Parameter", "3·3·64·128 = 73,728 Parameter"),
        ("156 + 2.416 = 2.572 parámetros", "156 + 2,416 = 2,572 parámetros"),
        ("24 × 12 596 224 = 302 309 376 et 4 096", "24 × 12,596,224 = 302,309,376 et 4,096"),
    ],
)
def test_what_a_sure_figure_shows_holds_for_all(text: str, read: str) -> None:
    assert as_english(text, text) == read


@pytest.mark.parametrize(
    "text",
    [
        "3.072 is a fraction",
        "12 768 are two figures",
        "4,722,432 and 3.072",
        "4.722.432 and 3,072",
        "release 2.15.100 of 3.072",
        "0.768 of it",
        "12 768 3072 12",
        "rows 12 768 512 64 and 1 024",
    ],
)
def test_what_is_not_sure_stays(text: str) -> None:
    assert as_english(text, text) == text


@pytest.mark.parametrize("separator", [".", " "])
def test_a_text_is_worked_out_in_its_own_grouping(separator: str) -> None:
    text = "768 × 3,072 + 3,072 + 3,072 × 768 + 768 = 4,722,432.\n768 × 2,304 + 2,304 = 1,771,766.\n"
    (right, _), (wrong, claim) = claims(text.replace(",", separator))
    assert (right, wrong, claim.expected) == ("holds", "arithmetic wrong", 768 * 2304 + 2304)
