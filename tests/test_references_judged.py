"""A stated total is judged at its own precision: rounded, cut off, or the nearest total where none holds."""

from types import SimpleNamespace
from typing import Any

import pytest

from reconcile.comparison.stated import compare_references, judge, judge_totals
from reconcile.quantity import figure_of

TOTALS = {"pretraining": 110_106_428, "backbone+pooler": 109_482_240, "backbone": 108_891_648}
LEDGER: Any = SimpleNamespace(totals=TOTALS, architecture=SimpleNamespace(quoted=tuple(TOTALS)))


def judged(text: str, definition: str | None = None) -> Any:
    reference: Any = SimpleNamespace(figure=figure_of(text), definition=definition)
    return judge(reference, LEDGER)


@pytest.mark.parametrize(
    ("text", "definition", "verdict", "fits"),
    [
        # 110,106,428 rounds to 110M at three figures; at two all three do
        ("110M", None, "holds as", ((3, "rounded", ("pretraining",)), (2, "rounded", tuple(TOTALS)))),
        # 109,482,240 rounds to 109M, 108,891,648 too
        ("109M", None, "holds as", ((3, "rounded", ("backbone+pooler", "backbone")),)),
        # 108,891,648 cut off after three figures
        ("108M", None, "holds as", ((3, "cut off", ("backbone",)),)),
        ("109.4M", None, "holds as", ((4, "cut off", ("backbone+pooler",)),)),
        ("109.48M", "backbone+pooler", "holds", ((5, "rounded", ("backbone+pooler",)),)),
        # said of one total it is judged at all figures that are written
        ("110M", "backbone", "does not hold", ((3, "rounded", ("pretraining",)), (2, "rounded", tuple(TOTALS)))),
        ("108M", "backbone", "does not hold", ((3, "cut off", ("backbone",)),)),  # said of it, and rounds to 109M
    ],
)
def test_a_figure_holds_as_what_it_rounds_or_is_cut_to(text: str, definition: str, verdict: str, fits: object) -> None:
    found = judged(text, definition)
    assert (found.verdict, found.fits) == (verdict, fits)


@pytest.mark.parametrize(
    ("text", "nearest", "difference"),
    [
        ("109.1M", "backbone", 108_891_648 - 109_100_000),
        ("109.7M", "backbone+pooler", 109_482_240 - 109_700_000),
        ("125M", "pretraining", 110_106_428 - 125_000_000),
    ],
)
def test_what_does_not_hold_is_compared_with_the_nearest_total(text: str, nearest: str, difference: int) -> None:
    found = judged(text)
    assert (found.verdict, found.definition, found.difference) == ("does not hold", nearest, difference)


def test_what_rounds_comes_before_what_is_cut_off() -> None:
    """109M is 108.8 million rounded, and 109.6 million only if it is cut off."""
    reference: Any = SimpleNamespace(figure=figure_of("109M"), definition=None)
    found = judge_totals(reference, {"more": 109_600_000, "less": 108_800_000}, ("more", "less"))
    assert (found.verdict, found.definition) == ("holds as", "less")
    assert found.fits[:2] == ((3, "rounded", ("less",)), (3, "cut off", ("more",)))


def test_without_a_total_nothing_can_be_said() -> None:
    empty: Any = SimpleNamespace(totals={"backbone": None}, architecture=SimpleNamespace(quoted=("backbone",)))
    unnamed: Any = SimpleNamespace(totals=TOTALS, architecture=None)
    reference: Any = SimpleNamespace(figure=figure_of("110M"), definition=None)
    assert {judge(reference, ledger).verdict for ledger in (empty, unnamed)} == {"cannot say"}
    assert judged("no figure").verdict == "cannot say"


def test_of_several_totals_that_hold_the_first_that_people_quote_is_named() -> None:
    assert judged("109M").definition == "backbone+pooler"


@pytest.mark.parametrize(
    ("text", "severity", "stated"),
    [("109M", "note", 109_000_000), ("125M", "warning", 125_000_000), ("no figure", "note", None)],
)
def test_only_what_does_not_hold_is_a_warning(text: str, severity: str, stated: int | None) -> None:
    judgement = judged(text)
    judgement.reference.id = "one"
    (finding,) = compare_references((judgement,))
    assert (finding.severity, finding.where, finding.expected) == (severity, "one", stated)


@pytest.mark.parametrize(
    ("text", "definition", "kind", "sentence"),
    [
        ("109.48M", "backbone+pooler", "reference-holds", "holds: it is `backbone+pooler`, 109,482,240."),
        (
            *("125M", None, "reference-does-not-hold"),
            "does not hold: the nearest is `pretraining`, 110,106,428, −14,893,572 from it.",
        ),
        (
            *("110M", None, "reference-holds-as"),
            "holds at three figures for `pretraining` (110,106,428); `backbone+pooler` (109,482,240) and `backbone` "
            "(108,891,648) would round to 109M; at two figures for every total that people quote for a whole model.",
        ),
        ("109,482,240", None, "reference-holds-as", "holds for `backbone+pooler` (109,482,240)."),
        ("no", None, "reference-cannot-say", "cannot be judged: no quoted total of this model is complete."),
    ],
)
def test_a_stated_total_is_told_with_what_it_is(text: str, definition: str | None, kind: str, sentence: str) -> None:
    judgement = judged(text, definition)
    judgement.reference.id, judgement.reference.subject = "one", "a model"
    (finding,) = compare_references((judgement,))
    assert (finding.kind, finding.say().partition("(a model, one) ")[2]) == (kind, sentence)
