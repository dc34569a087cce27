"""What is stored and is not the model's own: adapters, packed matrices, an optimizer's slots, alone and together."""

import pytest

from reconcile.explanation.answer import FITS, OPEN, SHOWN, Answer, Explanation
from reconcile.explanation.contexts import of_spec
from reconcile.explanation.engine import ask, ask_anything
from reconcile.explanation.question import read_question
from reconcile.explanation.stored import Ranks, rank_bits, targets
from reconcile.spec import load_spec
from reconcile.taxonomy import architecture_names, load_architecture

BASE = of_spec(load_spec("bert-base-uncased"))


def asked(figure: int) -> Answer:
    return ask_anything(read_question(str(figure)), 20)


def found(answer: Answer, *words: str) -> Explanation | None:
    """The first explanation that has all these words."""
    return next((one for one in answer.explanations if all(word in one.text for word in words)), None)


# LoRA adds r·(in + out) for each matrix: 8·(768 + 768) = 12,288 beside each of query and value of BERT base.
ADAPTERS = [
    (294_912, ["rank 8", "query and value", "L = 12"]),  # 12·2·12,288
    (589_824 * 2, ["rank 32", "query and value", "L = 12"]),  # 12·2·32·1,536
    (786_432, ["rank 8", "query and value", "H = 1,024", "L = 24"]),  # 24·2·8·2,048
    (2_654_208, ["rank 16", "all 6 matrices", "H = 768", "L = 12"]),  # 12·16·(4·1,536 + 2·3,840)
    (589_824, ["rank 8", "all 4 projections", "L = 12"]),  # 12·4·12,288
    (3_407_872, ["rank 8", "query and value", "Llama 3 8B"]),
    (294_912 + 1_538, ["rank 8", "query and value", "a classifier of 2 outputs"]),
    (294_912 + 592_130, ["rank 8", "query and value", "a dense layer and a classifier of 2 outputs"]),
]


@pytest.mark.parametrize(("figure", "words"), ADAPTERS)
def test_adapters_alone_fit_and_are_not_shown(figure: int, words: list[str]) -> None:
    answer = asked(figure)
    assert answer.verdict == FITS
    one = found(answer, "LoRA", *words)
    assert one is not None
    assert sum(item.value for item in one.items) == figure


def test_lora_of_rank_8_on_query_and_value_comes_first() -> None:
    answer = asked(294_912)
    assert "LoRA of rank 8 on query and value" in answer.explanations[0].text
    assert "as in BERT base" in answer.explanations[0].text
    assert "r·(in + out) = 8·(768 + 768) = 12,288" in "\n".join(answer.explanations[0].lines)
    # no size that no model has, and none beside another that it never stands beside
    assert not [one for one in answer.explanations if one.dimensions.get("H") in (192, 12_288)]


# Packed two to a byte: 84,934,656 weights in the matrices of BERT base's blocks are 42,467,328 stored numbers.
WHOLE = [
    (109_482_240 - 42_467_328, SHOWN, ["packed two to a byte", "BERT base, uncased"]),
    (335_141_888 - 301_989_888 // 2, SHOWN, ["packed two to a byte", "BERT large, uncased"]),
    (124_439_808 - 42_467_328, SHOWN, ["packed two to a byte", "GPT-2 small"]),
    (109_482_240 - 84_934_656 * 7 // 8, FITS, ["packed eight to an integer", "BERT base, uncased"]),
    (335_141_888 - 301_989_888 // 2 + 7_077_888, FITS, ["packed two to a byte", "rank 16", "all 6 matrices"]),
    (109_482_240 + 294_912, FITS, ["`backbone+pooler`", "rank 8", "query and value"]),
    (124_055_040 + 592_130 + 294_912 + 592_130, FITS, ["RoBERTa base", "rank 8", "dense layer", "keep a copy"]),
    # 6,476,005,376/2 + 262,410,240 + 32·16·(4·8,192 + 3·15,104)
    (3_540_389_888, FITS, ["LLaMA 7B", "packed two to a byte", "rank 16", "all 7 matrices"]),
    # 8,030,261,248 − 6,979,321,856/2 + 32·8·(8,192 + 5,120)
    (4_544_008_192, FITS, ["Llama 3 8B", "packed two to a byte", "rank 8", "query and value"]),
    (3 * 110_106_428, SHOWN, ["`pretraining`", "Adam's two moments", "BERT base, uncased"]),
    (3 * 124_439_808, SHOWN, ["Adam's two moments", "GPT-2 small"]),
    (2 * 335_141_888, SHOWN, ["the momentum", "BERT large, uncased"]),
]


@pytest.mark.parametrize(("figure", "verdict", "words"), WHOLE)
def test_a_model_as_it_is_stored(figure: int, verdict: str, words: list[str]) -> None:
    answer = asked(figure)
    assert answer.verdict == verdict
    one = found(answer, *words)
    assert one is answer.explanations[0]
    assert sum(item.value for item in one.items) == figure


@pytest.mark.parametrize("off", [7, 13, 768, -768])
def test_what_is_nearly_stored_so_is_not_said_to_be(off: int) -> None:
    assert not found(asked(109_482_240 - 42_467_328 + off), "packed") or asked(67_014_912 + off).verdict == OPEN


def test_a_given_model_needs_no_name() -> None:
    answer = ask(read_question("67014912"), BASE)
    assert answer.verdict == SHOWN
    assert "packed two to a byte" in answer.explanations[0].text


FILES = [
    ("1321277136 bytes", "Adam's two moments"),  # 12·110,106,428
    ("1.32 GB", "with Adam's two moments"),
    # half a byte each of 84,934,656, two of the other 24,547,584
    (f"{42_467_328 + 49_095_168} bytes", "half a byte each"),
]


@pytest.mark.parametrize(("text", "words"), FILES)
def test_a_file_with_slots_or_packed(text: str, words: str) -> None:
    answer = ask(read_question(text), BASE, 20)
    assert answer.explained
    assert found(answer, words)


@pytest.mark.parametrize("name", architecture_names())
def test_adapters_of_rank_1_are_the_sum_of_both_axes(name: str) -> None:
    architecture = load_architecture(name)
    matrices, choices = targets(architecture)
    sizes = {dimension: 10 + place for place, dimension in enumerate(architecture.dimensions)}
    ranks = Ranks(architecture, sizes)
    assert matrices
    for target in choices[:9]:
        chosen = [matrices[place] for place in target.matrices]
        one = sum(((into + out) * times).evaluate(sizes) for into, out, times in (m.axes for m in chosen))
        assert ("lora[3]", 3 * one) in {(a.readings[0].node, a.formula.evaluate({})) for a in ranks.of(3 * one)}
        assert not [a for a in ranks.of(3 * one + 1) if a.readings[0].node == "lora[3]"]


def test_a_rank_that_people_use_is_said_in_fewer_bits() -> None:
    assert rank_bits(8) < rank_bits(4) < rank_bits(24)
