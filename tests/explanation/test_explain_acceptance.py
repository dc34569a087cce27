"""When an account is believed: what it earns, the margins, and what is shown of a figure that is not."""

import math
from dataclasses import replace

import pytest

from reconcile.evidence.judge import FIGURE, Item, Judged, Reading, judge
from reconcile.explanation.acceptance import earned, nearest, ranked
from reconcile.explanation.answer import FITS, OPEN, SHOWN, Explanation
from reconcile.explanation.contexts import anything, of_spec
from reconcile.explanation.engine import ask_anything, explain_figure
from reconcile.explanation.question import read_question
from reconcile.formula import Formula
from reconcile.spec import load_spec

SOME = explain_figure(109_482_240, anything()).explanations[0]
BASE = of_spec(load_spec("bert-base-uncased"))
FREE = anything()


LEFT = Item("said as another and what is left over", 12.0)


@pytest.mark.parametrize(
    ("figure", "width", "own", "near", "bits"),
    [
        (1024, 1, 0, None, 10.0),  # log2 1,024
        (768 * 5, 768, 3, None, 3 + math.log2(5)),  # 768 in three bits, five times
        (768 * 5 + 1, 768, 3, None, math.log2(3841)),  # no multiple
        (10**6, 1, 0, LEFT, 12.0),  # a named figure and what is left over
        (1024, 1, 0, LEFT, 10.0),  # which takes more than the figure
    ],
)
def test_what_an_account_earns(figure: int, width: int, own: int, near: Item | None, bits: float) -> None:
    assert earned(figure, width, own, near).bits == pytest.approx(bits)


@pytest.mark.parametrize(
    ("left", "steps"),
    [
        (3, 3),  # three more than a named figure, or fewer
        (-3, 3),
        (768 * 2, 2),  # two widths more or fewer
        (-768 * 2, 2),
    ],
)
def test_what_a_named_figure_and_what_is_left_over_take(left: int, steps: int) -> None:
    _, said = nearest(109_482_240 + left, (FREE,))
    assert said is not None
    # `backbone+pooler`, BERT base, that something is left over, more or fewer of so many
    assert said.bits == 3 + 4 + 3 + math.log2(2 * steps + 1)


def judged(*balances: float) -> Judged[Explanation]:
    """Accounts of one figure of these balances, the best first."""
    readings = [
        Reading(str(place), (Item("", balance),), replace(SOME, formula=Formula.of(place), named=False))
        for place, balance in enumerate(balances)
    ]
    found = judge(readings, lambda reading: reading.name, FIGURE)
    assert found is not None
    return found


def test_accounts_within_three_bits_of_the_best_are_listed_with_it() -> None:
    assert [one.formula for one in ranked(judged(9.0, 6.0, 5.9))] == [Formula.of(0), Formula.of(1)]


@pytest.mark.parametrize(
    ("balances", "verdict"),
    [((6.0,), "shown"), ((5.9,), "fits"), ((9.0, 5.0), "shown"), ((9.0, 5.1), "fits"), ((0.0,), "open")],
)
def test_what_is_shown_gains_six_bits_and_leads_by_four(balances: tuple[float, ...], verdict: str) -> None:
    assert judged(*balances).verdict == verdict


# Sums of a total and one further term, whose account gains between one bit and the margin: they may be chance.
DOUBTED = [
    (BASE, 109_481_472),  # 109,482,240 − 768
    (BASE, 81_170_688),  # 109,482,240 − 12·4·768²: 1.7 bits
    (BASE, 137_793_792),  # 109,482,240 + 12·4·768²: 2.4 bits
    (FREE, 102_397_440),  # 109,482,240 − (7,087,872 − 2·1,536): 1.4 bits
    (FREE, 107_122_944),  # 109,482,240 − 4·768²: 2.1 bits
    (FREE, 80_524_800),  # 108,891,648 − 12·2,363,904: 2.7 bits
]


@pytest.mark.parametrize(("context", "figure"), DOUBTED)
def test_an_account_within_the_margin_is_not_believed(context: object, figure: int) -> None:
    answer = explain_figure(figure, context)  # type: ignore[arg-type]
    assert answer.verdict == OPEN
    assert answer.explanations
    assert all(one.warning for one in answer.explanations)
    assert [one.bits for one in answer.explanations] == sorted(one.bits for one in answer.explanations)


def test_what_may_be_chance_is_listed_by_its_shortest_account() -> None:
    # 110,106,428 + 4·768² + 2·768: an attention layer with its norm and without biases, and the same in three terms
    best = explain_figure(112_467_260, BASE).explanations[0]
    assert [item.component for item in best.items][1:] == [
        "one attention layer with the layer norm behind it without biases"
    ]


@pytest.mark.parametrize(
    ("figure", "verdict", "sizes"),
    [
        (2_362_368, FITS, "H = 768 is shown"),  # attention or intermediate layer, both at H = 768
        (7_087_872, FITS, "H = 768 and F = 3,072 are shown"),
        (294_912, FITS, ""),  # LoRA, and other widths
        (109_482_240, SHOWN, ""),
    ],
)
def test_what_all_accounts_share_is_shown(figure: int, verdict: str, sizes: str) -> None:
    answer = ask_anything(read_question(str(figure)))
    assert answer.verdict == verdict
    assert [note for note in answer.notes if "shown" in note] == (
        [] if not sizes else [note for note in answer.notes if note.startswith(sizes)]
    )
    assert not sizes or any(note.startswith(sizes) for note in answer.notes)


@pytest.mark.parametrize(
    ("figure", "name", "left"),
    [
        (109_482_240 - 768, "`backbone+pooler`", -768),
        (109_482_240 + 1_000, "`backbone+pooler`", 1_000),
        (110_106_428 + 47, "`pretraining`", 47),
        (109_482_240 + 768 * 300, "`backbone+pooler`", 768 * 300),  # three hundred widths are said in fewer bits
    ],
)
def test_what_is_nearest(figure: int, name: str, left: int) -> None:
    near, _ = nearest(figure, (FREE,))
    assert near is not None
    assert (near.name, near.value + near.left, near.left) == (f"{name} of BERT base, uncased", figure, left)


@pytest.mark.parametrize("figure", [7_000_000_000, 149_000_000, 123_456_789, 50_000_000, 768 * 100_001, 1_000])
def test_nothing_is_near(figure: int) -> None:
    assert nearest(figure, (FREE,))[0] is None
    assert nearest(figure, (BASE,))[0] is None


def test_the_parts_of_a_given_model_are_named_too() -> None:
    near, _ = nearest(7_087_872 + 5, (BASE,))
    assert near is not None
    assert (near.value, near.left) == (7_087_872, 5)
    assert nearest(7_087_872 + 5, (FREE,))[0] is None
