"""Slips of the pen: two digits exchanged or one wrong digit, offered and never shown."""

import pytest

from reconcile.explanation.answer import FITS, OPEN, Answer
from reconcile.explanation.contexts import of_spec
from reconcile.explanation.engine import ask, ask_anything, slips
from reconcile.explanation.question import read_question
from reconcile.spec import load_spec


def asked(figure: int) -> Answer:
    return ask_anything(read_question(str(figure)))


OFFERED = [
    (2_363_268, 2_362_368, "two digits exchanged"),  # 4·(768² + 768)
    (109_842_240, 109_482_240, "two digits exchanged"),
    (109_482_340, 109_482_240, "one digit wrong"),
    (335_141_988, 335_141_888, "one digit wrong"),
    (142_439_808, 124_439_808, "two digits exchanged"),
]


@pytest.mark.parametrize(("figure", "meant", "says"), OFFERED)
def test_a_slip_is_offered_and_not_shown(figure: int, meant: int, says: str) -> None:
    answer = asked(figure)
    best = answer.explanations[0]
    assert answer.verdict == FITS
    assert (best.kind, best.value, best.value + best.difference) == ("slip", meant, figure)
    assert f"may be {meant:,} with {says}" in best.text
    assert sum(item.value for item in best.items) == meant


@pytest.mark.parametrize("figure", [109_482_242, 66_955_011, 123_456_789, 31_415_926])
def test_what_is_off_by_one_or_two_or_by_far_is_no_slip(figure: int) -> None:
    assert asked(figure).verdict == OPEN


def test_a_given_model_is_asked_as_well() -> None:
    answer = ask(read_question("2363268"), of_spec(load_spec("bert-base-uncased")))
    assert (answer.verdict, answer.explanations[0].value) == (FITS, 2_362_368)


def test_every_slip_is_one_digit_or_an_exchange() -> None:
    found = {meant: (says, bits) for meant, says, bits in slips(1204)}
    assert found[1024][0] == "two digits exchanged"
    assert found[1294][0] == "one digit wrong"
    assert found[1024][1] < found[1294][1]  # neighbours change places more often than a digit changes
    assert not [meant for meant in found if meant < 1000 or abs(meant - 1204) < 3]
    assert {1201, 1207} <= found.keys()
    assert 1204 not in found
