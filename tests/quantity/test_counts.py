"""Counts as tables print them, digits of all scripts, counts in brief, and intervals."""

from fractions import Fraction

import pytest

from reconcile.quantity import Interval, brief, distance, lowered, plain_digits, shown_number, whole, whole_number


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("109482240", 109_482_240),
        ("109,482,240", 109_482_240),
        ("109_482_240", 109_482_240),
        ("109'482'240", 109_482_240),
        ("109 482 240", 109_482_240),
        ("109.482.240", 109_482_240),
        ("7.087", None),  # a fraction, or a thousand times as much
        ("7,087", 7_087),
        ("109,482.240", None),
        ("1,0948", None),
        ("0948,240", None),
        ("", None),
        ("-5", None),
        ("9" * 30, 10**30 - 1),
        ("9" * 31, None),
        (",".join(["999"] * 10), 10**30 - 1),
        (",".join(["9", *["999"] * 10]), None),
    ],
)
def test_a_count_is_digits_alone_or_in_groups_of_three(text: str, count: int | None) -> None:
    assert whole_number(text) == count


@pytest.mark.parametrize(
    ("text", "count", "shown"),
    [
        (": 109,482,240 (417.64 MB)", 109_482_240, "109,482,240"),
        (" | **109482240** |", 109_482_240, "109482240"),
        ("109,482,240.", 109_482_240, "109,482,240"),
        (": 109,48…", None, "109,48…"),
        ("**109,48..", None, "109,48.."),
        ("10948...", None, "10948..."),
        (" 1,0948", None, "1,0948"),
        (" unknown ", None, "unknown"),
    ],
)
def test_what_a_label_shows_is_a_count_unless_it_is_cut_off(text: str, count: int | None, shown: str) -> None:
    assert shown_number(text) == (count, shown)


@pytest.mark.parametrize(("text", "plain"), [("２３x٤", "23x4"), ("a½²1", "a½²1"), ("23", "23"), ("β", "β")])
def test_digits_of_every_script_are_read(text: str, plain: str) -> None:
    assert plain_digits(text) == plain


@pytest.mark.parametrize(("raised", "number"), [("⁸", 8), ("⁻⁶", -6), ("¹²³", 123)])
def test_raised_digits_are_a_number(raised: str, number: int) -> None:
    assert lowered(raised) == number


@pytest.mark.parametrize(
    ("count", "precision", "text"),
    [
        (109_081_344, 3, "109M"),
        (108_490_752, 3, "108M"),
        (109_482_240, 2, "110M"),
        (999, 3, "999"),
        (1_000, 3, "1.00K"),
        (12_345, 3, "12.3K"),
        (999_999, 3, "1.00M"),
        (1_005_000, 4, "1.005M"),  # zeros behind the point are kept
        (2_362_368, 3, "2.36M"),
        (174_887_523_411, 3, "175B"),
        (999_499_999_999, 3, "999B"),
        (999_500_000_000, 3, "1.00T"),
        (1_571_000_000_000, 2, "1.6T"),
        (768, 3, "768"),
    ],
)
def test_a_count_in_brief(count: int, precision: int, text: str) -> None:
    assert brief(count, precision) == text


@pytest.mark.parametrize(
    ("number", "same", "kind"), [(Fraction(4, 2), 2, int), (Fraction(1, 2), Fraction(1, 2), Fraction), (3, 3, int)]
)
def test_a_number_is_an_integer_wherever_it_is_one(number: int | Fraction, same: int | Fraction, kind: type) -> None:
    assert (whole(number), type(whole(number))) == (same, kind)


@pytest.mark.parametrize(("one", "other", "apart"), [(5, 2, 3), (2, 5, 3), (2, 2, 0), (-1, 1, 2)])
def test_two_numbers_are_apart(one: int, other: int, apart: int) -> None:
    assert distance(one, other) == apart


def test_an_interval_has_its_ends() -> None:
    two, three = Interval(2, 2), Interval(3, 6)
    assert (two.exact, three.exact) == (True, False)
    assert [number for number in range(9) if three.holds(number)] == [3, 4, 5, 6]
    assert [at for at in range(9) if three.meets(Interval(at, at + 1))] == [2, 3, 4, 5, 6]
    assert (three.times(2), three.wider(1)) == (Interval(6, 12), Interval(2, 7))
