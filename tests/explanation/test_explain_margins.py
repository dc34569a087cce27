"""The thresholds of the search and of belief, each with what lies on both sides of it."""

from dataclasses import replace

import pytest

from reconcile.evidence import codes
from reconcile.evidence.judge import Item
from reconcile.explanation.acceptance import chance, container, is_curated, nearest, settled
from reconcile.explanation.answer import FITS, OPEN, SHOWN, Answer, Explanation
from reconcile.explanation.contexts import Setting, alike, anything, in_part, of_spec, valued
from reconcile.explanation.derivation import equation
from reconcile.explanation.engine import ask, ask_anything, explain_figure
from reconcile.explanation.nodes import Term
from reconcile.explanation.question import read_question
from reconcile.explanation.search import Hit, resized, widths
from reconcile.explanation.terms import head_of
from reconcile.formula import Formula
from reconcile.spec import load_spec

BASE = of_spec(load_spec("bert-base-uncased"))
FREE = anything()
SOME = explain_figure(109_482_240, FREE).explanations[0]
ASKED = Answer("1,000", 1_000, "params", OPEN, ())


def component(node: str) -> Term:
    return next(term for term in BASE.terms if term.readings[0].node == node)


def mistake(name: str) -> Term:
    return next(term for term in BASE.terms if term.mistake is not None and term.mistake.id == name)


def named(bits: int, difference: int = 0, account: int = 0, **more: object) -> Explanation:
    explanation = replace(
        SOME, bits=bits, difference=difference, formula=Formula.of(account), paid=(Item("", -bits),), named=False
    )
    return replace(explanation, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("bits", "curated"), [(8, True), (9, False)])
def test_sizes_that_the_figure_suggests_are_believed_outright_as_far_as_they_are_usual(
    bits: int, curated: bool
) -> None:
    assert is_curated(Hit(Setting({"H": 768}, bits, assumed=True), component("pooler"))) is curated
    assert is_curated(Hit(Setting({"H": 768}, bits, model="a model", assumed=True), component("pooler")))
    assert not is_curated(Hit(Setting({"H": 768}, 1, ("H",)), component("pooler")))


@pytest.mark.parametrize(("sign", "outputs", "curated"), [(1, 2, True), (1, 20, True), (1, 21, False), (-1, 2, False)])
def test_a_quoted_total_with_a_usual_head_on_top_is_believed_outright(sign: int, outputs: int, curated: bool) -> None:
    head = head_of(outputs * 769, 768)
    assert head is not None
    assert is_curated(Hit(Setting(BASE.dimensions), component("backbone"), ((sign, head),))) is curated
    assert not is_curated(Hit(Setting(BASE.dimensions), component("backbone"), ((1, head), (1, head))))
    assert not is_curated(Hit(Setting(BASE.dimensions), component("pooler"), ((1, head),)))


@pytest.mark.parametrize(
    ("outputs", "node"),
    [
        (0, ""),
        (1_000, "task.classifier[1000]"),
        (1_001, ""),
        (768 + 20, "task.dense-classifier[20]"),  # 768·769 + 20·769
    ],
)
def test_the_outputs_of_the_largest_head(outputs: int, node: str) -> None:
    head = head_of(outputs * 769, 768)
    assert (head.readings[0].node if head else "") == node


@pytest.mark.parametrize(("over", "notes"), [(0, 0), (1, 1), (22_020, 1), (22_021, 0)])
def test_what_a_file_holds_beside_the_values_is_less_than_a_part_in_five_thousand(over: int, notes: int) -> None:
    said = [note for note in container(110_106_428 + over, BASE) if f"{4 * over:,} bytes beside" in note]
    assert len(said) == notes


def test_what_may_be_chance_is_told_up_to_twelve_bits_beyond_the_shortest() -> None:
    doubted = [named(bits, account=bits).earning(Item("", 12.0)) for bits in (23, 22, 10, 11)]
    assert [one.bits for one in chance(doubted, 5)] == [10, 11, 22]
    assert [one.bits for one in chance(doubted, 1)] == [10]
    assert chance([], 5) == ()


@pytest.mark.parametrize(
    ("best", "verdict"),
    [
        (named(10), SHOWN),
        (named(10, difference=1), FITS),  # what is not the very figure
        (named(10, items=(replace(SOME.items[0], also=("another",)),)), FITS),
    ],
)
def test_what_is_never_shown(best: Explanation, verdict: str) -> None:
    answer = settled(ASKED, [best.earning(Item("", 30.0))], 5)
    assert answer is not None
    assert answer.verdict == verdict


def test_named_things_are_listed_however_long_they_are() -> None:
    readings = [named(5), named(9, account=1), named(9, account=2, named=True)]
    answer = settled(ASKED, [one.earning(Item("", 20.0)) for one in readings], 5)
    assert answer is not None
    assert [one.formula for one in answer.explanations] == [Formula.of(0), Formula.of(2)]


@pytest.mark.parametrize(
    ("width", "found"), [(15, False), (16, True), (768, False), (2**14 - 1, True), (2**14 + 1, False)]
)
def test_the_hidden_sizes_that_are_solved_for(width: int, found: bool) -> None:
    hits = [hit for hit in widths(width**2 + width, FREE.terms) if hit.setting.dimensions["H"] == width]
    assert bool(hits) is found


def test_a_round_hidden_size_is_said_in_fewer_bits() -> None:
    bits = {size: min(hit.setting.bits for hit in widths(size**2 + size, FREE.terms)) for size in (1_472, 1_473)}
    assert bits == {1_472: codes.OTHER_WIDTH, 1_473: codes.OTHER_WIDTH + 21}


def test_no_hidden_size_is_solved_from_a_multiple_of_it() -> None:
    assert not list(widths(2 * 1_537, FREE.terms))  # a layer norm


@pytest.mark.parametrize(("size", "other", "yes"), [(8, 1, True), (9, 1, False), (1, 8, True), (1, 9, False)])
def test_sizes_of_models_of_one_kind(size: int, other: int, yes: bool) -> None:
    assert alike(size, other) is yes


@pytest.mark.parametrize(("words", "found"), [(30_523, True), (8 * 30_522, True), (8 * 30_522 + 1, False)])
def test_a_total_with_another_vocabulary(words: int, found: bool) -> None:
    totals = [item for item in BASE.totals if item.term.readings[0].node == "backbone+pooler"]
    figure = 109_482_240 + (words - 30_522) * 768
    hits = [hit for hit in resized(figure, totals, BASE.architecture, ["V"]) if hit.setting.dimensions["V"] == words]
    assert bool(hits) is found


def test_sizes_that_were_given_are_kept_and_not_said_to_be_shown() -> None:
    part = in_part("H=768,V=21128")
    for figure in (2_362_368, 123_553_928, 124_146_058):
        answer = ask(read_question(str(figure)), part)
        assert all(one.dimensions.get("V", 21_128) == 21_128 for one in answer.explanations)
        assert all(one.dimensions.get("H", 768) == 768 for one in answer.explanations)
        assert not any("H = 768" in note or "V = " in note for note in answer.notes)
    assert not ask(read_question("21261312"), BASE).notes


def test_a_term_that_comes_to_nothing_is_no_term() -> None:
    segments = component("embeddings.segment")
    assert not list(valued([segments], [Setting({"H": 768, "T": 0}, 1)]))
    assert [one.value for one in valued([segments], [Setting({"H": 768, "T": 1}, 1)])] == [768]


def test_a_mistake_is_one_only_where_it_counts_otherwise() -> None:
    heads = mistake("full-width-heads-kernels")
    assert heads.can_be({"H": 768, "A": 12})
    assert not heads.can_be({"H": 768, "A": 1})
    assert not mistake("misprinted-width").can_be({**BASE.dimensions, "H": 512, "A": 8})


@pytest.mark.parametrize(("figure", "verdict"), [(109_480_000, FITS), (109_482_000, OPEN)])
def test_four_zeros_may_fill_up_a_rounded_figure(figure: int, verdict: str) -> None:
    assert ask(read_question(str(figure)), BASE).verdict == verdict


@pytest.mark.parametrize(("terms", "filled"), [(6, True), (7, False)])
def test_numbers_are_put_into_a_formula_that_is_short(terms: int, filled: bool) -> None:
    formula = Formula.parse(" + ".join(f"H^{power}" for power in range(1, terms + 1)))
    assert ("2²" in equation(formula, {"H": 2}, formula.evaluate({"H": 2}))) is filled


def test_a_total_says_which_of_its_sizes_nobody_gave() -> None:
    answer = ask_anything(read_question(str(109_482_240 + 10 * 7_087_872)))  # 22 blocks
    assert any(", for BERT base, uncased with L = 22" in one.text for one in answer.explanations)


@pytest.mark.parametrize(("less", "near"), [(53_001, True), (54_001, False)])
def test_what_is_near_takes_fewer_bits_than_the_figure(less: int, near: bool) -> None:
    # 10 + log2(2·53,001 + 1) = 26.69 and 10 + log2(2·54,001 + 1) = 26.72, against log2 109,429,239 = 26.71
    found, _ = nearest(109_482_240 - less, (FREE,))
    assert (found is not None) is near


def test_a_mistake_is_no_named_figure() -> None:
    found, _ = nearest(109_445_376 + 1, (BASE,))  # the intermediate biases left out, and one more
    assert found is not None
    assert found.value == 109_482_240


def test_nobody_is_mistaken_of_what_is_a_known_models_total() -> None:
    answer = ask_anything(read_question("109705010"))  # 30,000 words and the pre-training heads
    assert answer.verdict == SHOWN
    assert not [one for one in answer.explanations if one.mistake]
