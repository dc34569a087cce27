"""Published figures are explained as their readers say: exact ones add up, rounded ones hold as said or not at all."""

import sys

import pytest
from support import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks.published import answered, counted, disagreement, outside
from reconcile.explanation.contexts import as_usual, given
from reconcile.explanation.engine import explain_figure
from reconcile.formula import Formula
from reconcile.reference import VERDICTS, all_references
from reconcile.taxonomy import architecture_names, load_architecture

ALL = all_references()
JUDGED = [name for name, reference in ALL.items() if not outside(reference)]

UNEXPLAINED = {
    "keras16302-base": "right and too long to be believed: the blocks, the token table twice, and the output bias",
    "roberta-paper-bpe-base": "a rounded difference between two vocabularies, and no model's figure",
}


@pytest.mark.parametrize("name", JUDGED)
def test_a_figure_is_explained_as_its_reader_says(name: str) -> None:
    assert bool(disagreement(ALL[name])) is (name in UNEXPLAINED)


def test_most_figures_are_explained() -> None:
    assert len(UNEXPLAINED) < 0.05 * len(JUDGED)
    assert len(JUDGED) > 55


def test_a_wrong_verdict_is_a_disagreement() -> None:
    wrong = {"turc-L4-H256": "readme-chinese", "exact-base-BertModel-80": "exact-base-BertModel-81"}
    for name, other in wrong.items():
        one, two = ALL[name], ALL[other]
        mixed = type(one)(**{key: getattr(one, key) for key in one.__slots__} | {"figure": two.figure})
        assert disagreement(mixed)


def test_every_row_is_judged_or_stands_apart_by_name() -> None:
    apart = {name: outside(reference) for name, reference in ALL.items() if name not in JUDGED}
    assert {why.split(" arch")[0] for why in apart.values()} <= {
        "a setting and no count",
        "it states no figure",
        "no operations are derived",
        "no",
    }
    assert all(reference.verdict in VERDICTS for reference in ALL.values())


def test_every_definition_is_a_total_or_a_node_of_the_architecture() -> None:
    for reference in ALL.values():
        if reference.architecture not in architecture_names():
            continue
        architecture = load_architecture(reference.architecture)
        for name in reference.holds_as:
            assert name in architecture.totals or architecture.size(name, frozenset(architecture.options)), reference.id


@pytest.mark.parametrize(
    ("name", "account"),
    [
        ("tfhub-base", "109,482,240 + 1"),
        ("issue656-large", "335,141,888 − 24·4,096"),
        ("hub-roberta-base", "124,697,433 + 514"),
        ("exact-large-BertForTokenClassification-94", "334,092,288 + 2·1,024 + 2"),
        ("keras16302-base", "12·7,087,872 + 2·30,000·768 + 30,000"),
    ],
)
def test_an_account_is_the_figure(name: str, account: str) -> None:
    reference = ALL[name]
    formula = counted(reference)
    assert reference.figure is not None
    assert formula is not None
    sizes = {key: size for key, size in reference.dimensions.items() if isinstance(size, int)}
    worked_out = Formula.parse(account.replace(",", "").replace("−", "-")).evaluate({})
    assert formula.evaluate(sizes) == reference.figure.value == worked_out


def test_what_is_not_believed_is_still_found() -> None:
    answer = answered(ALL["keras16302-base"])
    best = answer.explanations[0]
    # 12·7,087,872 + 2·30000·768 + 30000
    assert sorted(item.value for item in best.items) == [30_000, 46_080_000, 85_054_464]
    assert best.warning


@pytest.mark.parametrize(
    ("architecture", "sizes", "figure", "total"),
    [
        # 30000·128 + 512·128 + 2·128 + 2·128 + 128·768 + 768 + 7,087,872 + 590,592
        ("albert", {"V": 30000, "E": 128, "H": 768, "L": 12, "F": 3072}, 11_683_584, "backbone+pooler"),
        ("albert", {"V": 30000, "E": 128, "H": 4096, "L": 12, "F": 16384}, 222_595_584, "backbone+pooler"),
        ("bert", {"V": 30522, "H": 768, "L": 6, "T": 0}, 66_362_880, "backbone"),
        # 50257·768 + 1024·768 + 12·7,087,872 + 2·768
        ("gpt2", {"V": 50257, "H": 768, "L": 12, "P": 1024}, 124_439_808, "whole"),
    ],
)
def test_models_of_every_architecture(architecture: str, sizes: dict[str, int], figure: int, total: str) -> None:
    answer = explain_figure(figure, given(as_usual(sizes, load_architecture(architecture)), architecture))
    assert answer.explanations[0].items[0].component == total
