"""The cost of an explanation: prefix codes, and figures that are said in fewer bits than they take."""

from fractions import Fraction
from math import ceil

import pytest

from reconcile.datafile import packaged
from reconcile.evidence import codes
from reconcile.evidence.lengths import ranked
from reconcile.explanation.contexts import Setting, alike, of_spec, other_models
from reconcile.explanation.search import Hit, widths
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


# What naming a term takes; figures that it says in fewer bits than they have are believed to be it.
TERMS = [
    ("pretraining", 3),
    ("backbone+pooler", 3),
    ("backbone", 4),
    ("backbone+pooler+mlm", 5),
    ("backbone+mlm", 5),
    ("without embeddings", 8),
    ("encoder", 6),
    ("pooler", 6),
    ("pooler.kernel", 6 + 1),  # a level below
    ("encoder.block[*].attention", 6 + 1),  # in one block or in all
    ("the pre-training heads", 8),
    ("biases of encoder", 6 + 2),
    ("pretraining without biases", 3 + 6),
    ("task.classifier[4]", 12),
    ("task.classifier[1]", 12 - 5),  # as many outputs as tasks usually have
    ("embeddings.norm × 3", 6 + 1 + 5),
    ("paper-vocabulary", 9),
]


@pytest.mark.parametrize(("node", "bits"), TERMS)
def test_a_total_is_cheaper_than_a_part_and_a_part_than_a_mistake(node: str, bits: int) -> None:
    assert {term.bits for term in BASE.terms if node in [reading.node for reading in term.readings]} == {bits}


def test_a_total_that_is_quoted_later_takes_a_bit_more_each() -> None:
    assert [codes.quoted_bits(place) for place in range(8)] == [3, 3, 4, 5, 5, 6, 7, 8]


def test_an_explanation_has_settings_terms_signs_and_an_end() -> None:
    setting, (first, second) = Setting(BASE.dimensions), BASE.terms[:2]
    assert Hit(setting, first).bits == 1 + first.bits + 1
    assert Hit(setting, first, ((-1, second),)).bits == 1 + first.bits + 2 + second.bits + 1
    usual = ceil(ranked(usual_sizes(BERT, "V", {}))[21128])
    assert setting.resized("V", 21128, BERT).bits == 6 + usual
    assert {other.bits for other in other_models("bert", BASE.dimensions)} == {9}
    bits = [min(hit.setting.bits for hit in widths(size**2 + size, BASE.terms)) for size in (23 * 64, 23 * 64 + 1)]
    assert bits == [9, 9 + codes.integer_bits(23 * 64 + 1)]


def test_the_margins_in_use() -> None:
    # A margin that moves has to be measured again, and this list with it.
    assert (codes.MARGIN, codes.ALIKE, codes.WELL_KNOWN, codes.SOLVED) == (3, 3, 6, 5)
