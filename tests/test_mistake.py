"""The mistakes: what each counts, and that the formula it is written as is what its selection counts."""

import pytest

from reconcile.formula import Formula
from reconcile.mistake import Mistake, load_mistakes
from reconcile.selection import value
from reconcile.taxonomy import load_architecture

BASE = {"V": 30000, "P": 512, "T": 2, "H": 768, "A": 12, "D": 64, "F": 3072, "L": 12}
BY_ID = {mistake.id: mistake for mistake in load_mistakes()}

COUNTS = [
    ("full-width-heads", 21_261_312, 2_362_368),  # (768·768·3 + 768·3)·12, for 4·(768² + 768)
    ("output-per-head", 7_078_656, 590_592),  # 12·768·768 + 768, for 768² + 768
]


def counted(mistake: Mistake) -> tuple[Formula, Formula]:
    architecture = load_architecture(mistake.architecture)
    parts = architecture.active(frozenset(architecture.options))
    wrong, right = (selection.account(parts, architecture.totals) for selection in (mistake.count, mistake.right))
    assert wrong
    assert right
    return value(wrong), value(right)


@pytest.mark.parametrize(("name", "wrong", "right"), COUNTS)
def test_what_a_mistake_counts(name: str, wrong: int, right: int) -> None:
    assert [formula.evaluate(BASE) for formula in counted(BY_ID[name])] == [wrong, right]


@pytest.mark.parametrize("name", sorted(BY_ID))
def test_a_mistake_counts_what_its_author_wrote(name: str) -> None:
    mistake = BY_ID[name]
    wrong, right = counted(mistake)
    assert Formula.parse(mistake.written) == wrong
    assert wrong != right
    architecture = load_architecture(mistake.architecture)
    assert architecture.below(mistake.about, frozenset(architecture.options))
