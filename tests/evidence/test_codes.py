"""The cost of an explanation: prefix codes, and figures that are said in fewer bits than they take."""

from fractions import Fraction

import pytest

from reconcile.evidence import codes
from reconcile.explanation.contexts import of_spec
from reconcile.explanation.settings import changeable, changes, other_models
from reconcile.explanation.terms import load_terms
from reconcile.known_model import known_models
from reconcile.spec import load_spec
from reconcile.taxonomy import load_architecture

BERT = load_architecture("bert")
BASE = of_spec(load_spec("bert-base-uncased"))


def at_most_one(lengths: list[int]) -> bool:
    """Kraft's inequality."""
    return sum(Fraction(1, 1 << length) for length in lengths) <= 1


@pytest.mark.parametrize("options", [frozenset(BERT.options), frozenset(BERT.options) - {"task"}])
def test_the_terms_have_a_prefix_code(options: frozenset[str]) -> None:
    assert at_most_one([term.bits for term in load_terms(BERT, options)])


def test_what_comes_behind_a_term_has_a_prefix_code() -> None:
    assert at_most_one([codes.END, codes.SIGN, codes.SIGN])


@pytest.mark.parametrize("model", ["bert-base-uncased", "bert-large-cased", "bert-chinese", "tiny"])
def test_the_dimensions_have_a_prefix_code(model: str) -> None:
    sizes = load_spec(model).dimensions
    lengths = [codes.SAME, codes.SOLVED, *[setting.bits for setting in other_models("bert", sizes)]]
    lengths += [setting.bits for setting in changes(sizes)]
    assert at_most_one(lengths)


def test_the_known_models_have_a_prefix_code() -> None:
    lengths = [model.bits for model in known_models()]
    assert at_most_one(lengths)
    assert max(lengths) <= codes.KNOWN_REST


def test_a_code_can_fail() -> None:
    assert not at_most_one([1, 1, 1])


def test_integers_have_a_prefix_code() -> None:
    assert [codes.integer_bits(number) for number in (1, 2, 3, 4, 30522)] == [1, 3, 3, 5, 29]
    assert at_most_one([codes.integer_bits(number) for number in range(1, 2000)])


def test_a_total_is_cheaper_than_a_part_and_a_part_than_a_mistake() -> None:
    bits = {term.readings[0].node: term.bits for term in BASE.terms}
    assert bits["backbone+pooler"] <= 3
    assert bits["backbone+pooler"] < bits["encoder.block[*].attention"] < bits["paper-vocabulary"]


def test_no_size_is_a_change_to_itself() -> None:
    sizes = load_spec("bert-base-uncased").dimensions
    assert next(changeable()["T"].sizes("T", sizes)) == 2 == sizes["T"]
    assert all(setting.dimensions[setting.changed[0]] != sizes[setting.changed[0]] for setting in changes(sizes))
    assert [*dict.fromkeys(changeable()["V"].sizes("V", sizes))][-2:] == [
        30528,
        30592,
    ]  # 30,522 padded to 8, to 64 and to 128
    assert [*changeable()["V"].sizes("V", sizes)][-3:] == [30528, 30528, 30592]
