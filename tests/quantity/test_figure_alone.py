"""Figures as people write them: what they stand for, and which counts they hold for at which precision."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.quantity import Quantity, brief, figure_of
from reconcile.quantity.shown import rounded

# text, value, digits written, exact
READ = [
    ("110M", 110_000_000, (3, 2), False),
    ("109.48M", 109_480_000, (5,), False),
    ("7.09e6", 7_090_000, (3,), False),
    ("22.5G", 22_500_000_000, (3,), False),
    ("340 m", 340_000_000, (3, 2), False),
    ("1.5B", 1_500_000_000, (2,), False),
    ("1.5 t", 1_500_000_000_000, (2,), False),
    ("22.5 g", 22_500_000_000, (3,), False),
    ("1,5 Mio", 1_500_000, (2,), False),
    (" 110 000 000 ", 110_000_000, tuple(range(9, 1, -1)), True),
    ("17.5万", 175_000, (3,), False),
    ("30,522", 30_522, (5,), True),
    ("109482240", 109_482_240, (9, 8), True),
    ("109_482_240", 109_482_240, (9, 8), True),
    ("100", 100, (3, 2, 1), True),
    ("0", 0, (1,), True),
    ("0.5K", 500, (1,), False),
]


@pytest.mark.parametrize(
    ("text", "values"),
    [("54 MB", (54 * 10**6, 54 * 2**20)), ("54 MiB", (54 * 2**20,)), ("54M", (54 * 10**6,))],
)
def test_a_unit_may_leave_open_what_it_stands_for(text: str, values: tuple[int, ...]) -> None:
    figure = figure_of(text)
    assert figure is not None
    assert tuple(one.value for one in figure.meanings) == figure.values == values
    assert all(one.values == (one.value,) for one in figure.meanings)


@pytest.mark.parametrize("text", ["109,482,240", "109482240"])
def test_a_figure_with_every_digit_may_be_stated_as_rounded(text: str) -> None:
    exact, rounded_ = figure_of(text), figure_of(text, exact=False)
    assert exact is not None
    assert rounded_ is not None
    assert (exact.exact, exact.holds(109_482_244, 8)) == (True, None)
    assert (rounded_.exact, rounded_.holds(109_482_244, 8)) == (False, "rounded")


@pytest.mark.parametrize(("text", "value", "precisions", "exact"), READ)
def test_a_figure_is_read_with_its_precision(text: str, value: int, precisions: tuple[int, ...], exact: bool) -> None:
    figure = figure_of(text)
    assert figure is not None
    assert (figure.value, figure.precisions, figure.exact) == (value, precisions, exact)
    assert (figure.text, figure.about) == (text.strip(), False)


@pytest.mark.parametrize("text", ["", "M", "about 110M", "110MM", "1.2.3", "-5", "1e", "0x10", "110M and", "½"])
def test_other_text_is_no_figure(text: str) -> None:
    assert figure_of(text) is None


# A figure, a count, a precision, and how it holds: the boundaries of rounding and of cutting off.
HOLDS = [
    ("110M", 110_106_428, 3, "rounded"),
    ("110M", 109_500_000, 3, "rounded"),  # halves go up
    ("110M", 109_499_999, 3, None),
    ("110M", 110_499_999, 3, "rounded"),
    ("110M", 110_500_000, 3, "rounded"),  # or down
    ("110M", 110_500_001, 3, "cut off"),
    ("110M", 110_999_999, 3, "cut off"),
    ("110M", 111_000_000, 3, None),
    ("110M", 109_482_240, 3, None),  # rounds to 109M
    ("110M", 109_482_240, 2, "rounded"),
    ("110M", 119_999_999, 2, "cut off"),
    ("110M", 104_999_999, 2, None),
    ("110M", 105_000_000, 2, "rounded"),
    ("100M", 99_500_000, 2, "rounded"),  # below a power of ten the next figure is ten times as fine
    ("100M", 99_499_999, 2, None),
    ("100M", 95_000_000, 1, "rounded"),
    ("100M", 94_999_999, 1, None),
    ("100M", 149_999_999, 1, "rounded"),
    ("100M", 150_000_001, 1, None),  # cut off after one figure it would be, which nobody means
    ("109.48M", 109_482_240, 5, "rounded"),
    ("7.09e6", 7_087_872, 3, "rounded"),
    ("30,522", 30_522, 5, "rounded"),
    ("30,522", 30_523, 5, None),  # every digit is written
]


@pytest.mark.parametrize(("text", "count", "precision", "how"), HOLDS)
def test_a_figure_holds_at_its_own_precision(text: str, count: int, precision: int, how: str | None) -> None:
    figure = figure_of(text)
    assert figure is not None
    assert figure.holds(count, precision) == how


@given(st.integers(1, 10**6), st.integers(-6, 9), st.integers(1, 7), st.integers(0, 10**16))
def test_holding_agrees_with_the_same_in_fractions(digits: int, power: int, precision: int, count: int) -> None:
    precision = min(precision, len(str(digits)))
    stated = digits * Fraction(10) ** power
    unit = Fraction(10) ** (power + len(str(digits)) - precision)
    near = [count, int(stated), int(stated + unit / 2), int(stated - unit / 2), int(stated + unit)]
    for value in (other + step for other in near for step in (-1, 0, 1)):
        # Below a power of ten that trailing zeros make, the next figure shorter is ten times as fine.
        below = unit / 10 if precision < len(str(digits)) and str(digits).strip("0") == "1" else unit
        inside = stated - below / 2 <= value <= stated + unit / 2
        how = "rounded" if inside else "cut off" if precision > 1 and stated <= value < stated + unit else None
        assert Quantity(0, 0, 0, digits, power, 1, 1, "", "", about=True).holds(value, precision) == how


@given(st.integers(1, 10**15), st.integers(1, 6))
def test_a_count_in_brief_is_a_figure_that_holds_for_it(count: int, precision: int) -> None:
    figure = figure_of(brief(count, precision), exact=False)
    assert figure is not None
    if len(str(rounded(count, precision))) > precision:
        assert figure.holds(count, precision if precision in figure.precisions else figure.precisions[0]) == "rounded"
