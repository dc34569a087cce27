"""Published figures of BERT's form: exact ones are explained and add up, rounded ones hold as their source says."""

import pytest

from reconcile.explain.answer import HOLDS_AS
from reconcile.explain.contexts import given
from reconcile.explain.engine import explain_figure
from reconcile.explain.rounding import explain_rounded
from reconcile.explain.settings import completed
from reconcile.reference import Reference, all_references

NEEDED = ("V", "P", "T", "H", "F", "L")
BERT = [
    one
    for one in all_references().values()
    if one.architecture == "bert" and one.counts_parameters and all(name in one.dimensions for name in NEEDED)
]
EXACT = [one for one in BERT if one.figure and one.figure.exact]
ROUNDED = [one for one in BERT if one.figure and not one.figure.exact]

# Right and too long to be believed: the blocks, the token table twice, and the output bias.
UNBELIEVED = {"keras16302-base"}

# No total of the model that the source names rounds to its figure, as the sources' own readers have found out.
HONESTLY_NONE = {
    "readme-large-cased",  # 333.6M: the uncased model's figure repeated
    "readme-large-cased-wwm",
    "readme-multi-cased",  # 177.9M
    "readme-multi-uncased",  # 167.4M
    "readme-chinese",  # 102.3M; two figures make 100M
    "tinybert-small",  # 28.8M and 29.1M for 29.2M
}


def sizes(reference: Reference) -> dict[str, int | None]:
    return completed({name: size for name, size in reference.dimensions.items() if isinstance(size, int)})


@pytest.mark.parametrize("reference", EXACT, ids=lambda one: one.id)
def test_exact_figures(reference: Reference) -> None:
    assert reference.figure is not None
    answer = explain_figure(reference.figure.value, given(sizes(reference)))
    assert answer.explained is (reference.id not in UNBELIEVED)
    best = answer.explanations[0]
    assert sum(item.value for item in best.items) == reference.figure.value
    if reference.definition:
        assert reference.definition in [one.items[0].component for one in answer.explanations]


def test_what_is_not_believed_is_still_found() -> None:
    reference = all_references()["keras16302-base"]
    best = explain_figure(131_164_464, given(sizes(reference))).explanations[0]
    # 12·7,087,872 + 2·30000·768 + 30000
    assert sorted(item.value for item in best.items) == [30_000, 46_080_000, 85_054_464]
    assert best.warning


@pytest.mark.parametrize("reference", ROUNDED, ids=lambda one: one.id)
def test_rounded_figures(reference: Reference) -> None:
    assert reference.figure is not None
    answer = explain_rounded(reference.figure, given(sizes(reference)), limit=30)
    assert (answer.verdict == HOLDS_AS) is (reference.id not in HONESTLY_NONE), answer
    if reference.definition:
        assert reference.definition in [one.items[0].component for one in answer.explanations]
