"""What figures are explained as, with the arithmetic beside each, and what the count alone cannot tell apart."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.explanation.answer import FITS, OPEN, SHOWN, Answer
from reconcile.explanation.contexts import Context, anything, as_usual, in_part, of_spec
from reconcile.explanation.contexts import given as of_sizes
from reconcile.explanation.differences import explain_difference
from reconcile.explanation.engine import ask, ask_anything, explain_figure
from reconcile.explanation.question import read_question
from reconcile.explanation.search import widths
from reconcile.spec import load_spec
from reconcile.taxonomy import load_architecture

BASE = of_spec(load_spec("bert-base-uncased"))
LARGE = of_spec(load_spec("bert-large-uncased"))
FREE = anything()
ROBERTA = of_sizes(as_usual({"V": 50265, "P": 514, "T": 1, "H": 768, "L": 12}, load_architecture("bert")))


def said(answer: Answer) -> str:
    """All that an answer says its figure is, other readings included."""
    texts = [one.text for one in answer.explanations]
    texts += [words for one in answer.explanations for item in one.items for words in item.also]
    return "\n".join(texts)


# What cannot be told apart at F = 4·H: every reading must be there.
TRUE_TOGETHER = [
    (BASE, 2_362_368, ["query, key, value and output projections of one attention", "intermediate layer"]),  # 4(H² + H)
    (BASE, 36_864, ["intermediate layer of one feed-forward, in each of 12", "layer norms of all blocks",
                    "biases of the query, key, value and output projections"]),  # 12·3072 = 12·4·768
    (LARGE, 98_304, ["intermediate layer of one feed-forward, in each of 24", "layer norms of all blocks",
                     "biases of the query, key, value and output projections"]),  # 24·4096 = 24·4·1024
    (BASE, 21_261_312, ["projections of one attention layer, in each of 12 blocks", "every head given"]),
    (BASE, 590_592, ["pooler", "masked language model head", "query projection", "output projection"]),  # H² + H
    (BASE, 1_536, ["layer norm of the embeddings", "segment embedding"]),  # 2·H = T·H
    (BASE, 23_440_896, ["the token embedding", "where it is not tied"]),  # V·H
    (FREE, 2_362_368, ["query, key, value and output projections of one attention", "intermediate layer", "H = 768"]),
    (FREE, 36_864, ["intermediate layer of one feed-forward, in each of 12", "layer norms of all blocks"]),
    (FREE, 590_592, ["pooler", "masked language model head", "query projection"]),
    (BASE, 109_445_376, ["F-long bias", "biases of the four attention projections"]),
]  # fmt: skip


@pytest.mark.parametrize(("context", "figure", "readings"), TRUE_TOGETHER)
def test_what_the_count_cannot_tell_apart(context: Context, figure: int, readings: list[str]) -> None:
    answer = explain_figure(figure, context)
    assert answer.verdict == FITS
    assert [words for words in readings if words not in said(answer)] == []


ONE = [
    (BASE, 109_482_240, "total", "`backbone+pooler`"),
    (BASE, 108_891_648, "total", "`backbone`"),
    (BASE, 110_106_428, "total", "`pretraining`"),
    (BASE, 109_514_298, "total", "`backbone+mlm`"),
    (BASE, 85_054_464, "component", "all blocks"),
    (BASE, 7_087_872, "component", "one block"),
    (BASE, 4_722_432, "component", "the two dense layers of one feed-forward"),
    (BASE, 23_837_184, "component", "the embeddings with their layer norm"),
    (BASE, 56_623_104, "component", "without biases, in each of 12 blocks"),  # 2·768·3072·12
    (BASE, 108_310_272, "total", "for BERT base, cased"),  # −1,526·768
    (LARGE, 334_094_338, "combination", "classifier"),  # 334,092,288 + 2·1024 + 2
    (ROBERTA, 124_697_947, "mistake", "position numbers"),  # 124,697,433 + 514
    (FREE, 109_482_240, "total", "`backbone+pooler`, for BERT base, uncased"),
    (FREE, 102_267_648, "total", "`backbone+pooler`, for BERT base, Chinese"),
    (FREE, 4_198_400, "component", "H = 1,024"),  # 4·(1024² + 1024)
    (FREE, 393_216, "component", "the position embedding"),  # 512·768
]


@pytest.mark.parametrize(("context", "figure", "kind", "words"), ONE)
def test_what_a_figure_is(context: Context, figure: int, kind: str, words: str) -> None:
    answer = explain_figure(figure, context)
    assert answer.explained
    assert answer.explanations[0].kind == kind
    assert words in answer.explanations[0].text


def test_the_figure_asked_about() -> None:
    answer = ask_anything(read_question("2362368"))
    best = answer.explanations[0]
    assert best.items[0].text.startswith("4·(H² + H) = 4·(768² + 768) = 2,362,368: ")
    lines = "\n".join(best.lines)
    assert "each a kernel H·H = 589,824 and a bias H = 768" in lines
    assert "per head: A·3·(H·D + D) + H·H + H" in lines
    assert "not (H·H·3 + H·3)·A = (768·768·3 + 768·3)·12 = 21,261,312" in "\n".join(best.miscounts)


FIGURES = [123_456_789, 76_800_768, 31_415_926, 10**9 + 7]


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("context", [BASE, LARGE, FREE], ids=["base", "large", "any"])
def test_what_has_no_meaning_is_not_explained(figure: int, context: Context) -> None:
    answer = explain_figure(figure, context)
    assert answer.verdict == OPEN
    assert all(one.warning for one in answer.explanations)
    assert answer.nearest is None  # what is nearest takes as many bits to say as the figure


def test_a_near_miss_is_not_explained() -> None:
    # a bias more or less: T plus a remainder of one H says as much
    answer = explain_figure(109_482_240 - 768, BASE)
    assert answer.verdict == OPEN
    assert any("the bias of the pooler" in one.text for one in answer.explanations)
    assert answer.nearest is not None
    assert (answer.nearest.name, answer.nearest.left) == ("`backbone+pooler`", -768)


DIFFERENCES = [
    (LARGE, 335_141_888, 335_043_584, [-98_304]),  # 24·4,096
    (FREE, 335_141_888, 335_043_584, [-98_304]),
    (BASE, 109_482_240, 110_106_428, [622_650, 1_538]),  # 768² + 30522 + 3·768, and 2·769
    (FREE, 109_482_240, 109_081_344, [-400_896]),  # 522·768
    (FREE, 108_310_272, 109_482_240, [1_171_968]),  # 1,526·768
    (BASE, 109_482_240, 108_891_648, [-590_592]),
]


@pytest.mark.parametrize(("context", "left", "right", "values"), DIFFERENCES)
def test_differences(context: Context, left: int, right: int, values: list[int]) -> None:
    answer = explain_difference(left, right, context)
    assert answer.explained
    assert [item.value for item in answer.explanations[0].items] == values
    assert sum(values) == right - left == answer.value


def test_a_difference_alone() -> None:
    answer = ask(read_question("-36,864"), BASE)
    assert answer.verdict == FITS
    assert "intermediate layer of one feed-forward, in each of 12" in said(answer)
    assert "layer norms of all blocks" in said(answer)


def test_the_rows_of_another_vocabulary() -> None:
    answer = explain_difference(109_482_240, 109_081_344, FREE)
    assert answer.explanations[0].items[0].text == "522 fewer words × 768 = 400,896: the token embedding"


def test_no_difference() -> None:
    assert explain_difference(5, 5, BASE).notes == ("there is no difference",)


def test_dimensions_in_part() -> None:
    answer = explain_figure(4_198_400, in_part("H=1024"))
    assert answer.explained
    assert answer.explanations[0].dimensions == {"H": 1024}
    assert not explain_figure(2_362_368, in_part("H=512,L=4")).explained
    assert not any(one.dimensions.get("H") != 512 for one in explain_figure(1_050_624, in_part("H=512")).explanations)


def test_what_is_taken_as_usual_is_said() -> None:
    answer = ask(read_question("109482240"), in_part("H=768,L=12,V=30522"))
    assert answer.notes == ("taken as usual: P = 512, T = 2 and F = 3,072",)
    assert ask(read_question("109482240"), BASE).notes == ()


def test_a_matrix_that_is_shared_by_three() -> None:
    # the source embedding, the target embedding and the output projection of 5,395 words at 512
    answer = explain_figure(5_524_480, in_part("V=5395,H=512"))
    assert "2 × the token embedding" in said(answer)


@pytest.mark.parametrize("figure", [4 * (1536**2 + 1536), 2**24, 768 * 12345, 7])
def test_a_hidden_size_that_is_solved_for_makes_the_figure(figure: int) -> None:
    for hit in widths(figure, FREE.terms):
        assert hit.first is not None
        assert hit.first.formula.evaluate(hit.setting.dimensions) == figure


def adds_up(answer: Answer) -> None:
    for one in answer.explanations:
        assert sum(item.value for item in one.items) == one.value
        if answer.verdict != "holds as":
            assert one.value + one.difference == answer.value
            assert one.difference == 0 or one.kind == "slip"
        if one.bridge and one.right is not None:
            assert one.right + sum(item.value for item in one.bridge) == one.value
        if one.kind not in ("difference",):
            assert all(count >= 0 for count in one.counts.values())


@settings(max_examples=60)
@given(st.one_of(
    st.integers(1, 4 * 10**8),
    st.integers(1, 400_000).map(lambda times: 768 * times),
    st.integers(-10**5, 10**5).map(lambda off: 109_482_240 + off),
    st.sampled_from([term.formula.evaluate(BASE.dimensions) for term in BASE.terms
                     if all(BASE.dimensions.get(name) for name in term.formula.dimensions)]),
))  # fmt: skip
def test_every_explanation_adds_up_and_no_inventory_is_negative(figure: int) -> None:
    for context in (BASE, FREE):
        adds_up(explain_figure(figure, context, limit=9))


@settings(max_examples=30)
@given(st.integers(1, 2 * 10**8), st.integers(1, 2 * 10**8))
def test_every_account_of_a_difference_adds_up(left: int, right: int) -> None:
    adds_up(explain_difference(left, right, BASE))


@settings(max_examples=40)
@given(st.sampled_from([term for term in BASE.terms if term.plain and term.bits <= 8 and term.kind != "mistake"]))
def test_every_named_thing_is_explained_as_itself(term: object) -> None:
    figure = term.formula.evaluate(BASE.dimensions)  # type: ignore[attr-defined]
    answer = explain_figure(figure, BASE, limit=20)
    assert answer.verdict in (SHOWN, FITS)
    assert term.formula in [one.formula for one in answer.explanations]  # type: ignore[attr-defined]


def test_an_expression_is_answered_under_its_own_text() -> None:
    answer = ask(read_question("(768*768*3 + 768*3) * 12"), BASE)
    assert answer.text == "(768*768*3 + 768*3) * 12 = 21,261,312"
    assert answer.explained
