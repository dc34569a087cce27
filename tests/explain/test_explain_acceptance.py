"""When an account is believed: what it earns, the margins, and what is shown of a figure that is not."""

import math

import pytest

from reconcile.evidence import codes
from reconcile.evidence.judge import FIGURE
from reconcile.explain.acceptance import earned, named_near
from reconcile.explain.answer import FITS, OPEN, SHOWN
from reconcile.explain.contexts import anything, of_spec
from reconcile.explain.dispatch import ask_anything
from reconcile.explain.engine import explain_figure
from reconcile.explain.nearest import nearest
from reconcile.explain.question import read_question
from reconcile.spec import load_spec

BASE = of_spec(load_spec("bert-base-uncased"))
FREE = anything()


@pytest.mark.parametrize(
    ("figure", "width", "own", "named", "bits"),
    [
        (1024, 1, 0, (), 10.0),  # log2 1,024
        (768 * 5, 768, 3, (), 3 + math.log2(5)),  # 768 in three bits, five times
        (768 * 5 + 1, 768, 3, (), math.log2(3841)),  # no multiple
        (10**6, 1, 0, ((10**6 - 3, 4),), 4 + math.log2(7)),  # 3 more than a named figure, or fewer
        (10**6 + 768 * 2, 768, 0, ((10**6, 4),), 4 + math.log2(5)),  # two widths more or fewer
        (10**6, 768, 0, ((10**6, 4),), math.log2(10**6)),  # the named figure itself is no way around it
    ],
)
def test_what_an_account_earns(
    figure: int, width: int, own: int, named: tuple[tuple[int, int], ...], bits: float
) -> None:
    assert earned(figure, width, own, named).bits == pytest.approx(bits)


def gains(figures: list[int], context: object) -> list[tuple[str, float]]:
    """The verdict on each figure and the balance of its best account."""
    found = []
    for figure in figures:
        answer = explain_figure(figure, context)  # type: ignore[arg-type]
        balance = answer.judged.best.balance if answer.judged else -sum(0.0 for _ in ())
        found.append((answer.verdict, balance))
    return found


def test_the_margins_are_what_the_benchmark_needs() -> None:
    assert (codes.MARGIN_GIVEN, codes.MARGIN_FREE, codes.ALIKE) == (3, 3, 3)
    assert (FIGURE.gain, FIGURE.lead) == (6.0, 4.0)


# Sums of a total and one further term, whose account gains between one bit and the margin: they may be chance.
DOUBTED = [
    (BASE, 109_481_472),  # 109,482,240 − 768
    (BASE, 108_892_416),  # 108,891,648 + 768
]


@pytest.mark.parametrize(("context", "figure"), DOUBTED)
def test_an_account_within_the_margin_is_not_believed(context: object, figure: int) -> None:
    answer = explain_figure(figure, context)  # type: ignore[arg-type]
    assert answer.verdict == OPEN
    assert answer.explanations
    assert all(one.warning for one in answer.explanations)


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
    near = nearest(figure, (FREE,))
    assert near is not None
    assert (near.name, near.value + near.left, near.left) == (f"{name} of BERT base, uncased", figure, left)


@pytest.mark.parametrize("figure", [7_000_000_000, 149_000_000, 123_456_789, 50_000_000, 768 * 100_001, 1_000])
def test_nothing_is_near(figure: int) -> None:
    assert nearest(figure, (FREE,)) is None
    assert nearest(figure, (BASE,)) is None


def test_the_named_figures_of_a_given_model_are_all_of_it() -> None:
    values = {value for value, _ in named_near(109_482_240, BASE)}
    assert {109_482_240, 7_087_872, 590_592} <= values
    assert len(named_near(109_482_240, FREE)) == 24
