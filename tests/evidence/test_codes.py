"""The cost of an explanation: prefix codes, and figures that are said in fewer bits than they take."""

from fractions import Fraction

import pytest

from reconcile.datafile import packaged
from reconcile.evidence import codes
from reconcile.explanation.contexts import of_spec
from reconcile.explanation.settings import Setting, alike, other_models
from reconcile.explanation.terms import load_terms, model_of
from reconcile.known_model import known_models
from reconcile.spec import load_spec
from reconcile.taxonomy import load_architecture
from reconcile.unification.usual import usual_sizes

BERT = load_architecture("bert")
BASE = of_spec(load_spec("bert-base-uncased"))


def at_most_one(lengths: list[int]) -> bool:
    """Kraft's inequality."""
    return sum(Fraction(1, 1 << length) for length in lengths) <= 1


@pytest.mark.parametrize("sizes", [{"K": 2}, {}])
def test_the_terms_have_a_prefix_code(sizes: dict[str, int]) -> None:
    assert at_most_one([term.bits for term in load_terms(model_of(BERT, sizes))])


def test_what_comes_behind_a_term_has_a_prefix_code() -> None:
    assert at_most_one([codes.END, codes.SIGN, codes.SIGN])


def _alike(own: int) -> set[int]:
    return {size for size in range(1, 2**18) if alike(size, own)}


@pytest.mark.parametrize("model", ["bert-base-uncased", "tiny"])
def test_the_dimensions_have_a_prefix_code(model: str) -> None:
    sizes = load_spec(model).dimensions
    lengths = [codes.SAME, codes.SOLVED, *[setting.bits for setting in other_models("bert", sizes)]]
    known = {name: size for name, size in sizes.items() if size}
    for name in packaged("usual", "resized")["dimensions"]:
        usual = usual_sizes(BERT, name, known)
        lengths += [Setting(sizes).resized(name, size, BERT).bits for size in {*usual, *_alike(known[name])}]
    assert at_most_one(lengths)


def test_the_known_models_have_a_prefix_code() -> None:
    lengths = [model.bits for model in known_models()]
    assert at_most_one(lengths)
    assert max(lengths) <= 9


def test_a_code_can_fail() -> None:
    assert not at_most_one([1, 1, 1])


def test_integers_have_a_prefix_code() -> None:
    assert [codes.integer_bits(number) for number in (1, 2, 3, 4, 30522)] == [1, 3, 3, 5, 29]
    assert at_most_one([codes.integer_bits(number) for number in range(1, 2000)])


def test_a_total_is_cheaper_than_a_part_and_a_part_than_a_mistake() -> None:
    bits = {term.readings[0].node: term.bits for term in BASE.terms}
    assert bits["backbone+pooler"] <= 3
    assert bits["backbone+pooler"] < bits["encoder.block[*].attention"] < bits["paper-vocabulary"]
