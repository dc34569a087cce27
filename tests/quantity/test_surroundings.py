"""What stands before and behind a figure: a smaller scale, a factor, a sign of percent, that it is about right."""

from fractions import Fraction

import pytest

from reconcile.quantity import quantities

MILLION = 10**6

# A text and the values of its figures: those of ideographs are one where they go on in a smaller scale at once.
SEVERAL = [
    ("12 layers, 768 wide", [12, 768]),
    ("1억 2억", [10**8, 2 * 10**8]),
    ("1억 1억", [10**8, 10**8]),
    ("1천 1만", [1_000, 10_000]),
    ("1억, 5천만", [10**8, 50 * MILLION]),
    ("1억,5천만", [10**8, 50 * MILLION]),
    ("1억 1천만 12", [110 * MILLION, 12]),
    ("1억 " + "9" * 61, [10**8]),  # too long to be read
    ("1억  5천만", [10**8, 50 * MILLION]),
    ("1.1억 5천만", [110 * MILLION, 50 * MILLION]),
    ("1억 5.5만", [10**8, 55_000]),
    ("3万个参数 5千", [30_000, 5_000]),
    ("1억 5", [10**8, 5]),
    ("1B 5천만", [10**9, 50 * MILLION]),
    ("1억 5K", [10**8, 5_000]),
    ("110M × 4 B", [110 * MILLION, 4]),  # bytes that each value takes
    ("110M x 32 B", [110 * MILLION, 32]),
    ("110M * 4 B", [110 * MILLION, 4]),
    ("110M · (4 B)", [110 * MILLION, 4]),
    ("110M × 33 B", [110 * MILLION, 33 * 10**9]),
    ("110M × 0.5 B", [110 * MILLION, 500 * MILLION]),
    ("8 × 7B", [8, 7 * 10**9]),
    ("max 7 B", [7 * 10**9]),
    ("* 7 B", [7 * 10**9]),  # an item of a list
    ("2 and 7 B", [2, 7 * 10**9]),
    ("110M × 4 K", [110 * MILLION, 4_000]),
]


@pytest.mark.parametrize(("text", "values"), SEVERAL)
def test_a_text_has_its_figures_in_order(text: str, values: list[int]) -> None:
    assert [one.value for one in quantities(text)] == values


def test_a_figure_of_two_scales_is_as_precise_as_the_smaller() -> None:
    (figure,) = quantities("약 1억 1천만")
    assert (figure.step, figure.about, figure.start) == (10 * MILLION, True, 2)


# A label with a sign of percent before a figure, and what of it is a share
SHARES = [
    ("%: 5", Fraction(1, 20)),
    ("trainable%: 0.2364", Fraction(2_364, 10**6)),
    ("trainable (percent) = 12", Fraction(12, 100)),
    ("pct: 100", 1),
    ("pct: 100.00", 1),
    ("pct: 1e1", Fraction(1, 10)),
    ("pct: 101", None),
    ("pct: 100.01", None),
    ("pct: 1e3", None),
    ("pct: 5M", None),
    ("pct: 5 MB", None),
    ("pct: 5 bytes", None),
    ("pct 5", None),
    ("percent:" + " " * 8 + "5", Fraction(1, 20)),
    ("percent:" + " " * 9 + "5", None),  # what says it is near
]


@pytest.mark.parametrize(("text", "share"), SHARES)
def test_a_label_may_have_the_sign_of_percent(text: str, share: int | Fraction | None) -> None:
    (figure,) = quantities(text)
    assert (figure.value if figure.unit == "share" else None) == share


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("Params size (MB): 438.25", 438_250_000),
        ("**Size (MiB)** = 2", 2 * 1024**2),
        ("Size (GB): 1.5", 1_500_000_000),
        ("Size (GB): 1.5M", None),
        ("Size (MB) 438", None),
        ("Total mult-adds (M): 569", None),
    ],
)
def test_a_label_may_have_the_unit_of_bytes(text: str, size: int | None) -> None:
    (figure,) = quantities(text)
    assert (figure.value if figure.unit == "bytes" else None) == size


@pytest.mark.parametrize(
    "text",
    [
        "~340M",
        "~= 340M",
        "about\n340M",
        "aproximadamente 340M",
        "about (340M",
        "about" + " " * 11 + "340M",
        "≈ 340M",
        "about 340M",
        "rund 340 Mio",
        "约 3.4亿",
        "약 340M",
    ],
)
def test_a_figure_may_say_that_it_is_about_right(text: str) -> None:
    (quantity,) = quantities(text)
    assert quantity.about
    assert quantity.value == 340 * MILLION


@pytest.mark.parametrize("text", ["340M", "gabout 340M", "about it: 340M", "about" + " " * 12 + "340M"])
def test_what_is_not_said_to_be_about_right(text: str) -> None:
    (quantity,) = quantities(text)
    assert not quantity.about
