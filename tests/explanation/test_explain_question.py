"""What is asked: figures as people write them, expressions that are never run as code, differences, and nonsense."""

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.errors import InputError
from reconcile.explanation.question import difference, read_question

EXACT = [
    ("2,362,368", 2_362_368),
    ("2362368", 2_362_368),
    ("2_362_368", 2_362_368),
    ("2 362 368", 2_362_368),
    ("2\u202f362\u202f368", 2_362_368),  # narrow spaces, as Unicode would have them
    ("2'362'368", 2_362_368),
    ("2.362.368", 2_362_368),
    ("𝟏𝟎𝟗𝟕𝟖𝟔𝟑𝟔𝟖", 109_786_368),
    ("１２３", 123),
    ("2362368 parameters", 2_362_368),
    ("= 2,362,368", 2_362_368),
    ("(768*768*3 + 768*3) * 12", 21_261_312),
    ("(768×768×3 + 768∗3)·12", 21_261_312),
    ("(768x768x3 + 768x3) x 12", 21_261_312),
    ("𝟕𝟔𝟖 × 𝟕𝟔𝟖", 589_824),
    ("768^2 + 768", 590_592),
    ("768² + 768", 590_592),  # the power stays a power
    ("768**2", 589_824),
    ("30,522 * 768", 23_440_896),
    (r"12 \times 768 \times 768", 7_077_888),
    ("4*(H^2 + H)", 2_362_368),
    ("-36864", -36_864),
]
ROUNDED = [
    ("110M", 110, 6),
    ("110 million", 110, 6),
    ("109.48M", 10_948, 4),
    ("7.09e6", 709, 4),
    ("22.5G", 225, 8),
    ("1.5B", 15, 8),
    ("11000万", 11_000, 4),
    ("1.1亿", 11, 7),
    ("≈110M", 110, 6),
]
UNITS = [
    ("440473133 bytes", "bytes", (440_473_133,)),
    ("438 MB", "bytes", (438_000_000, 438 * 2**20)),
    ("438 mb", "bytes", (438_000_000, 438 * 2**20)),
    ("420 MiB", "bytes", (420 * 2**20,)),
    ("1.3 GB", "bytes", (1_300_000_000, Fraction(13 * 2**30, 10))),
    ("22.5 GFLOPs", "flops", (22_500_000_000,)),
    ("22.5 gflops", "flops", (22_500_000_000,)),
    ("11.2 GMACs", "macs", (11_200_000_000,)),
    ("340B", "params", (340_000_000_000,)),  # billions, not bytes
    ("110M", "params", (110_000_000,)),
]
NONSENSE = [
    ("", "takes a figure"),
    ("garbage", "got 'garbage', in which there is no figure"),
    ("((((", "a number, a dimension or a bracket belongs"),
    ("2 +", "a number, a dimension or a bracket belongs"),
    ("12 / 5", "cannot read '/'"),
    ("12 * 7.5", "cannot read '.'"),
    ("__import__('os')", "cannot read '_'"),
    ("1e999", "at most 60 digits"),
    ("9" * 61, "at most 60 digits"),
    ("1+" * 400 + "1", "takes at most 500"),
    ("2**64**64", "an operator belongs"),
    ("(((2**64)**64)**64)**64", "bits"),
    ("4*(Q + 1)", "needs a value for Q"),
]


@pytest.mark.parametrize(("text", "value"), EXACT)
def test_exact_figures_and_expressions(text: str, value: int) -> None:
    assert read_question(text, dimensions={"H": 768}).value == value


@pytest.mark.parametrize(("text", "digits", "power"), ROUNDED)
def test_rounded_figures_keep_their_precision(text: str, digits: int, power: int) -> None:
    figure = read_question(text).figure
    assert figure is not None
    assert (figure.digits, figure.step, figure.exact) == (digits, 10**power, False)


ASKED = [
    ("GPT-2 124,439,808", 124_439_808, ""),  # the 2 is none
    ("what are 11000万参数", 110_000_000, "万"),
    ("110 млн", 110_000_000, "млн"),
    ("how much is 413.18 MiB", 433_250_631, "MiB"),
]


@pytest.mark.parametrize(("text", "count", "scale"), ASKED)
def test_a_figure_in_words_is_the_one_that_is_asked_about(text: str, count: int, scale: str) -> None:
    figure = read_question(text).figure
    assert figure is not None
    assert (figure.count, figure.scale) == (count, scale)


@pytest.mark.parametrize(("text", "unit", "values"), UNITS)
def test_units(text: str, unit: str, values: tuple[int | Fraction, ...]) -> None:
    question = read_question(text)
    assert question.figure is not None
    assert (question.unit, question.figure.values) == (unit, values)


@pytest.mark.parametrize("text", ["335043584 - 335141888", "335,043,584−335,141,888", "335043584 – 335141888"])
def test_a_difference_keeps_its_sides(text: str) -> None:
    question = read_question(text)
    assert (question.value, question.sides) == (-98_304, (335_141_888, 335_043_584))


def test_a_difference_from_one_figure_to_another() -> None:
    assert difference("335,141,888", "335,043,584").value == -98_304
    with pytest.raises(InputError, match="a rounded figure, takes exact figures"):
        difference("110M", "109482240")


@pytest.mark.parametrize(("text", "said"), NONSENSE)
def test_nonsense_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        read_question(text)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 500


_NUMBERS = st.integers(0, 10**6).map(str)
_EXPRESSIONS = st.recursive(
    _NUMBERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(" ".join),
        inner.map("({})".format),
        st.tuples(st.integers(0, 99).map(str), st.integers(0, 4).map(str)).map("**".join),
    ),
    max_leaves=8,
)


@given(_EXPRESSIONS)
def test_an_expression_is_what_python_makes_of_it(text: str) -> None:
    assert read_question(f"({text})").value == eval(text)  # the text is built above, of digits and signs only


@given(st.text(max_size=600))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(InputError):
        question = read_question(text, dimensions={"H": 768})
        assert question.value is not None or question.figure is not None


@pytest.mark.parametrize("sign", ["(", "-", "9", "2**", "1,", " ", "𝟏", "*", "((1)+", "768 "])
def test_hostile_repetition_stays_bounded(sign: str) -> None:
    for length in (500, 100_000):
        with pytest.raises(InputError):
            read_question(sign * length)
