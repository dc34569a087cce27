"""Rounded figures hold as definitions; bytes and operations are told from counts, or said not to be."""

import pytest

from reconcile.explanation.answer import CANNOT_SAY, FITS, OPEN, SHOWN, Answer
from reconcile.explanation.contexts import Context, of_spec
from reconcile.explanation.engine import ask, ask_anything
from reconcile.explanation.question import read_question
from reconcile.quantity import figure_of
from reconcile.spec import load_spec

BASE = of_spec(load_spec("bert-base-uncased"))
LARGE = of_spec(load_spec("bert-large-uncased"))
MULTILINGUAL = of_spec(load_spec("bert-multilingual-cased"))


def named(answer: Answer) -> list[str]:
    return [one.items[0].component for one in answer.explanations]


HELD = [
    (BASE, "110M", ["pretraining", "backbone+mlm", "backbone+pooler+mlm", "backbone+pooler", "backbone"]),
    (BASE, "109.48M", ["backbone+pooler"]),
    (BASE, "109M", ["backbone+pooler", "backbone", "backbone+mlm"]),  # 109.514M is cut off, not rounded
    (LARGE, "340M", ["pretraining", "backbone+pooler", "backbone+mlm", "backbone+pooler+mlm"]),  # at two figures
    (LARGE, "335M", ["backbone+pooler", "backbone+mlm"]),
    (BASE, "7.09e6", ["encoder.block[*]"]),  # 7,087,872
    (BASE, "56.6M", ["encoder.block[*].feed_forward × L without biases"]),  # 4,718,592·12 = 56,623,104
]


@pytest.mark.parametrize(("context", "text", "definitions"), HELD)
def test_a_rounded_figure_holds_as_every_definition_that_fits(
    context: Context, text: str, definitions: list[str]
) -> None:
    answer = ask(read_question(text), context, limit=20)
    assert answer.verdict == FITS
    assert answer.explained  # it fits, and is never shown
    assert [name for name in definitions if name not in named(answer)] == []
    assert named(answer)[0] == definitions[0]


@pytest.mark.parametrize("text", ["110,000,000", "110000000", "335,000,000"])
def test_a_figure_that_ends_in_zeros_may_be_rounded(text: str) -> None:
    answer = ask(read_question(text), LARGE if text.startswith("335") else BASE)
    assert answer.verdict == FITS


def test_three_figures_come_before_two() -> None:
    answer = ask(read_question("110M"), BASE, limit=20)
    assert "three figures" in answer.explanations[0].text
    assert "two figures" in answer.explanations[-1].text


def test_what_rounds_to_nothing_is_not_explained() -> None:
    answer = ask(read_question("110M"), MULTILINGUAL)
    assert answer.verdict == OPEN
    assert any("English uncased" in note for note in answer.notes)
    assert not answer.explained


def test_a_rounded_figure_without_a_model_names_who_stated_it() -> None:
    answer = ask_anything(read_question("110M"))
    assert answer.verdict == FITS
    assert len(answer.explanations) == 5
    assert answer.further > 5
    assert any("1810.04805" in note for note in answer.notes)


BYTES = [
    ("437928960 bytes", SHOWN, "4 bytes each (fp32)"),  # 4·109,482,240
    ("218964480 bytes", SHOWN, "2 bytes each (fp16)"),
    ("440473133 bytes", FITS, "4 bytes each (fp32)"),  # 4·110,106,428 + 47,421
    ("438 MB", FITS, "fp32"),  # 437.9 million bytes
    ("417.64 MiB", FITS, "MiB"),  # 437,928,960 / 2²⁰ = 417.641
    ("417.64 MB", FITS, "counted in 1024s"),  # MiB that are called MB
    ("123456789 bytes", OPEN, ""),
]


@pytest.mark.parametrize(("text", "verdict", "words"), BYTES)
def test_bytes(text: str, verdict: str, words: str) -> None:
    answer = ask(read_question(text), BASE)
    assert answer.verdict.replace("ambiguous", SHOWN) == verdict
    assert words in "\n".join([*answer.notes, *(f"{one.text} {one.items[0].text}" for one in answer.explanations)])


def test_the_file_around_a_checkpoint() -> None:
    best = ask(read_question("440473133", "bytes"), BASE).explanations[0]
    assert [item.value for item in best.items] == [440_425_712, 47_421]
    assert best.items[0].component == "pretraining"
    assert "a file holds names, shapes and padding" in best.lines[0]


@pytest.mark.parametrize("text", ["22.5 GFLOPs", "12345 FLOPs", "11.2 GMACs"])
def test_operations_cannot_be_said(text: str) -> None:
    answer = ask(read_question(text), BASE)
    assert answer.verdict == CANNOT_SAY
    assert not answer.explained
    assert "ask for them alone" in answer.notes[0]


@pytest.mark.parametrize(
    ("text", "number", "precision", "how"),
    [
        ("110M", 110_106_428, 3, "rounded"),
        ("110M", 109_482_240, 3, None),
        ("110M", 109_482_240, 2, "rounded"),
        ("109M", 109_999_999, 3, "cut off"),
        ("417.64 MiB", 437_928_960, 5, "rounded"),  # 417.6416
        ("417.65 MiB", 437_928_960, 5, None),
    ],
)
def test_fractions_at_a_precision(text: str, number: int, precision: int, how: str | None) -> None:
    figure = figure_of(text)
    assert figure is not None
    assert figure.holds(number, precision) == how


@pytest.mark.parametrize(
    ("stated", "count", "precision", "how"),
    [
        ("100M", 99_600_000, 3, "rounded"),
        ("100M", 95_000_000, 1, "rounded"),
        ("100M", 75_577_344, 1, None),  # 80M at one figure
        ("100M", 176_357_376, 1, None),  # 200M, and nobody cuts all but one figure off
        ("60M", 58_724_864, 1, "rounded"),
        ("58M", 58_724_864, 2, "cut off"),
    ],
)
def test_one_figure_of_a_power_of_ten(stated: str, count: int, precision: int, how: str | None) -> None:
    figure = figure_of(stated)
    assert figure is not None
    assert figure.holds(count, precision) == how


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("420 MiB", "pretraining"),  # 4·110,106,428 / 1024² = 420.02
        ("417.6 MiB", "backbone+pooler"),  # 4·109,482,240 / 1024² = 417.64
        ("440 MB", "pretraining"),
        ("219 MB", "backbone+pooler"),  # fp16
        ("438 MB", "backbone+pooler"),
    ],
)
def test_megabytes_of_both_kinds(text: str, total: str) -> None:
    answer = ask(read_question(text), BASE)
    assert answer.verdict == FITS
    assert named(answer)[0] == total
