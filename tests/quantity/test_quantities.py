"""Figures as people write them: what they come to, in which unit, and which numbers they hold for."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.quantity import JOINT, Quantity, plain_digits, quantities

MILLION = 10**6
FIGURES = [
    ("23,440,896", 23_440_896, ""),
    ("23_440_896", 23_440_896, ""),
    ("23'440'896", 23_440_896, ""),
    ("23.440.896", 23_440_896, ""),
    ("23 440 896", 23_440_896, ""),
    ("23\u202f440\u202f896", 23_440_896, ""),
    ("23 , 440 , 896", 23_440_896, ""),
    (f"23{JOINT},{JOINT}440{JOINT},{JOINT}896", 23_440_896, ""),
    ("２３４４", 2_344, ""),
    ("110M parameters", 110 * MILLION, "params"),
    ("110M trainable parameters", 110 * MILLION, "params"),
    ("7.09 Million", 7_090_000, ""),
    ("7.09e6", 7_090_000, ""),
    ("7b params", 7 * 10**9, "params"),
    ("1,5 Mio. Parameter", 1_500_000, "params"),
    ("1.1亿", 110 * MILLION, ""),
    ("3.3万个参数", 33_000, "params"),
    ("1.1억", 110 * MILLION, ""),
    ("110 млн параметров", 110 * MILLION, "params"),
    ("440 MB", 440 * MILLION, "bytes"),
    ("0,5 Go", 500 * MILLION, "bytes"),
    ("438 mb", 438 * MILLION, "bytes"),
    ("1 GiB", 2**30, "bytes"),
    ("109482240 B", 109_482_240, "bytes"),
    ("542.913B", 542_913 * MILLION, ""),  # billions, whatever its digits come to without the point
    ("22.5 gflops", 22_500 * MILLION, "operations"),
    ("22.5 G FLOPs", 22_500 * MILLION, "operations"),
    ("22.5 GFLOPs", 22_500 * MILLION, "operations"),
    ("11.2 GMACs", 11_200 * MILLION, "operations"),
    ("19.5 TFLOP/s", 19_500_000 * MILLION, "rate"),
    ("99.8%", Fraction(499, 500), "share"),
    ("4-bit", 4, "bits"),
    ("4.5 ms", Fraction(9, 2), "time"),
    ("800 million words", 800 * MILLION, "items"),
    ("66,4 Mio. Parameter", 66_400_000, "params"),
    ("100000 B", 100_000, "bytes"),  # no model has so many billions
    ("99999 B", 99_999 * 10**9, ""),
    ("1e5 B", 100_000, "bytes"),
    ("9e4 B", 90_000 * 10**9, ""),
    ("100000 K", 100 * MILLION, ""),
    ("4 Mbit", 4 * MILLION, "bits"),
    ("900 GB/s", 900 * 10**9, "rate"),
    ("5 tokens/s", 5, "rate"),
    ("1E6", MILLION, ""),
    ("1.1 × 10^8", 110 * MILLION, ""),
    ("1.1·10⁸", 110 * MILLION, ""),
    ("5 × 10^-3", Fraction(1, 200), ""),
    ("3 thousand", 3_000, ""),
    ("2 mil millones", 2 * 10**9, ""),  # and not two million of something
    ("50\u2009%", Fraction(1, 2), "share"),
    ("2千万", 20 * MILLION, ""),  # and not two thousand
    ("1억 1천만", 110 * MILLION, ""),
    ("1亿2千万", 120 * MILLION, ""),
    ("3만5천", 35_000, ""),
    ("9" * 60, 10**60 - 1, ""),
    ("1e60", 10**60, ""),
    ("1e-60", Fraction(1, 10**60), ""),
]


# What may stand for 1,024s as well as for thousands.
BINARY = {"440 MB": 440 * 2**20, "0,5 Go": 2**29, "438 mb": 438 * 2**20, "900 GB/s": 900 * 2**30}


@pytest.mark.parametrize(("text", "value", "unit"), FIGURES, ids=[case[0] for case in FIGURES])
def test_a_figure_has_a_value_and_a_unit(text: str, value: int | Fraction, unit: str) -> None:
    (quantity,) = quantities(text)
    assert (quantity.value, quantity.unit) == (value, unit)
    assert (quantity.start, text[: quantity.end]) == (0, text)
    assert quantity.values == tuple(dict.fromkeys((value, BINARY.get(text, value))))


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("~90 MB", True),
        ("90 MB approximately.", True),
        (f"90 MB{JOINT * 7} aproximadamente", True),
        ("110M左右", True),
        ("약 1.1억", True),
        ("1.1亿个参数左右", True),
        ("90 MB.", False),
        ("7 MB roughly as large as 8 MB", False),
        ("12 approximately 85M", False),
    ],
)
def test_words_before_and_behind_a_figure_say_that_it_is_about_right(text: str, about: bool) -> None:
    assert next(quantities(text)).about is about


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("= 263 168", 263_168),
        (f"= {JOINT}{JOINT}263 168{JOINT}{JOINT} |", 263_168),
        ("| 2 570 |", 2_570),
        ("| 2 570 params", 2_570),
        ("| 768 512 rows |", 768),
        ("= 768 512, 64", 768),
        ("of 768 512", 768),
    ],
)
def test_a_blank_groups_the_digits_of_a_result_or_of_a_cell(text: str, value: int) -> None:
    assert next(quantities(text)).value == value


@pytest.mark.parametrize("text", ["9" * 61, "1e61", "1e-61"])
def test_a_figure_that_is_too_long_is_not_read(text: str) -> None:
    assert list(quantities(text)) == []


# (figure, number, how it is written like it)
FITS = [
    ("110M", 109_482_240, None),
    ("110M", 110_106_428, "rounded"),  # 109.5M to 110.5M
    ("109M", 109_482_240, "rounded"),
    ("109M", 109_900_000, "cut off"),
    ("109.5M", 109_482_240, "rounded"),
    ("7B", 6_738_415_616, "rounded"),
    ("109,482,240", 109_482_240, "exact"),
    ("109,482,240", 109_482_241, None),
    ("440 MB", 438_000_000, None),
    ("54 MB", 56_623_104, "exact"),  # 54 · 1,024²
    ("54 MB", 57_000_000, "rounded"),  # 54.4 · 1,024²
    ("54 MB", 57_500_000, "cut off"),  # 54.8 · 1,024²
    ("54 MB", 57_671_680, None),  # 55 · 1,024²
    ("54 MiB", 54_000_000, None),
    ("30,522", Fraction(305_224, 10), None),  # every digit is written
    ("1.5 ms", Fraction(158, 100), "cut off"),
    ("99.8%", Fraction(9_982, 10_000), "rounded"),
    ("99.8%", Fraction(9_988, 10_000), "cut off"),
    ("99.8%", Fraction(9_990, 10_000), None),
    ("0", 0, "exact"),
    ("0", 1, None),
]


@pytest.mark.parametrize(("text", "number", "how"), FITS)
def test_a_figure_holds_for_the_numbers_that_are_written_like_it(text: str, number: int, how: str | None) -> None:
    (quantity,) = quantities(text)
    assert quantity.fits(number) == how


@pytest.mark.parametrize(
    ("text", "number", "coarse"),
    [
        ("340M", 336_226_108, True),
        ("340M", 349_000_000, False),  # what is cut off fills up nothing
        ("110,000,000", 109_482_240, True),
        ("110,500,000", 110_540_000, True),
        ("110,500,000", 110_600_000, False),
        ("800K", 795_000, True),
        ("800K", 835_000, False),  # two figures have to agree
        ("7B", 8_100_000_000, False),
        ("124M", 117, False),
    ],
)
def test_zeros_at_the_end_may_only_fill_up(text: str, number: int, coarse: bool) -> None:
    (quantity,) = quantities(text)
    assert quantity.fits(number) is None
    assert quantity.fits(number, coarse=True) == ("coarse" if coarse else None)


# (figure, half a unit of its last digit, the count that it comes to)
HALVES = [
    ("110M", 500_000, 110_000_000),
    ("1.5K", 50, 1_500),
    ("1.5", Fraction(1, 20), 1),
    ("99%", Fraction(1, 200), 0),
    ("1.99", Fraction(1, 200), 1),
    ("3e2", 50, 300),
    ("30,522", 0, 30_522),
    ("100", 0, 100),
]


@pytest.mark.parametrize(("text", "half", "count"), HALVES)
def test_what_rounds_to_a_figure_is_half_a_unit_of_its_last_digit_around_it(
    text: str, half: int | Fraction, count: int
) -> None:
    (quantity,) = quantities(text)
    assert (quantity.half, quantity.count, quantity.exact) == (half, count, half == 0)
    assert quantity.interval == (quantity.value - half, quantity.value + half)
    assert all(type(one) is int or one.denominator > 1 for one in (quantity.half, quantity.value, quantity.step))


@pytest.mark.parametrize(("text", "zeros"), [("0", 0), ("110M", 1), ("1,000", 3), ("105", 0), ("0.50", 1)])
def test_zeros_at_the_end_may_count_or_not(text: str, zeros: int) -> None:
    (quantity,) = quantities(text)
    assert quantity.zeros == zeros
    assert quantity.precisions == tuple(range(quantity.figures, quantity.figures - zeros - 1, -1))


@pytest.mark.parametrize("text", ["v1.2", "layer_12", "0x1F", "x768", "BERT1276812110M"])
def test_what_belongs_to_a_name_is_no_figure(text: str) -> None:
    assert list(quantities(text)) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("25-30GB", "range"),
        ("25–30 %", "range"),
        ("25GB-30GB", "range"),
        ("110M–340M", "range"),
        ("1-2.5B", "range"),
        ("2018-10-11", "version"),
        ("2018-10-11-5M", "version"),
        ("2.11.0", "version"),
        ("2.11.0 million", "version"),
    ],
)
def test_a_range_or_a_version_is_what_it_is(text: str, kind: str) -> None:
    figure = next(quantities(text))
    assert figure.kind == kind
    assert not (kind == "version" and figure.scale)


def test_a_range_has_both_ends_and_a_version_its_digits() -> None:
    (figure,) = quantities("25-30GB")
    assert (figure.value, figure.upper) == (25 * 10**9, 30)
    (figure,) = quantities("2018-10-11")
    assert (figure.values, figure.unit) == ((20_181_011,), "")


@given(st.integers(0, 10**15))
def test_every_integer_is_read_back_with_and_without_separators(number: int) -> None:
    for text in (str(number), f"{number:,}", f"{number:_}", f"x = {number:,} y"):
        (quantity,) = quantities(text)
        assert (quantity.value, quantity.exact) == (number, True)


@given(st.integers(1, 999_999), st.integers(0, 5))
def test_a_rounded_number_holds_for_the_number(digits: int, places: int) -> None:
    number = digits * 10**places
    for decimals in (0, 1, 2):
        (quantity,) = quantities(f"{round(number / 10 ** (6 - decimals)) / 10**decimals:.{decimals}f}M")
        assert quantity.fits(number) is not None


@given(st.text(max_size=80))
def test_figures_of_any_text_follow_each_other_inside_it(text: str) -> None:
    end = 0
    assert len(plain_digits(text)) == len(text)
    for quantity in quantities(text):
        assert isinstance(quantity, Quantity)
        assert end <= quantity.start < quantity.number_end <= quantity.end <= len(text)
        end = quantity.end


@pytest.mark.parametrize("text", ["590,592. Many people use it", "590,592 - shared layers", "590,592 without heads"])
def test_words_of_another_phrase_are_no_unit(text: str) -> None:
    (quantity,) = quantities(text)
    assert (quantity.value, quantity.unit, text[: quantity.end]) == (590_592, "", "590,592")
