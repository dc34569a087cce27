"""The judge: what is stated, what is only said to fit, and what stays open, at the margins and on either side."""

from math import log2

import pytest

from reconcile.evidence import lengths
from reconcile.evidence.judge import FIGURE, SUMMARY, WHOLE, Item, Margins, Reading, Verdict, judge, settled, verdict
from reconcile.evidence.words import why

MARGINS = Margins(gain=6.0, lead=4.0)


@pytest.mark.parametrize(
    ("balance", "rivals", "expected"),
    [
        (6.0, [], Verdict.SHOWN),
        (5.9, [], Verdict.FITS),
        (6.0, [2.0], Verdict.SHOWN),
        (6.0, [2.1], Verdict.FITS),
        (6.0, [1.0, 2.1], Verdict.FITS),
        (0.1, [-9.0], Verdict.FITS),
        (0.0, [], Verdict.OPEN),
        (-3.0, [-9.0], Verdict.OPEN),
    ],
)
def test_a_statement_needs_both_margins(balance, rivals, expected):
    assert verdict(balance, rivals, MARGINS) is expected


def test_the_margins_in_use():
    # A margin that moves has to be measured again, and this list with it.
    assert (SUMMARY.gain, SUMMARY.lead) == (6.0, 4.0)
    assert (WHOLE.gain, WHOLE.lead) == (6.0, 8.0)
    assert (FIGURE.gain, FIGURE.lead) == (6.0, 4.0)


def reading(name, *bits):
    return Reading(name, tuple(Item(f"entry {place}", one) for place, one in enumerate(bits)), name[0])


def test_readings_that_say_the_same_are_no_rivals():
    judged = judge([reading("a1", 9.0, -1.0), reading("a2", 7.9), reading("b", 3.0)], lambda r: r.meaning, MARGINS)
    assert (judged.best.name, judged.verdict, [r.name for r in judged.rivals]) == ("a1", Verdict.SHOWN, ["b"])
    assert judged.lead == 5.0
    assert judge([], lambda r: r.meaning, MARGINS) is None


def test_the_best_comes_first_and_of_equals_the_one_that_was_read_first():
    drawn = [("c", 1.0), ("a0", 4.0), ("a1", 5.0), ("a2", 5.0), ("b", 5.0)]
    judged = judge([reading(name, bits) for name, bits in drawn], lambda r: r.meaning, MARGINS)
    assert (judged.best.name, [r.name for r in judged.rivals], judged.lead) == ("a1", ["b", "c"], 0.0)
    assert not judged.shown
    alone = judge([reading("a", 5.0)], lambda r: r.meaning, Margins(gain=5.0, lead=4.0))
    assert (alone.shown, alone.lead) == (True, None)


@pytest.mark.parametrize(("behind", "kept"), [(3.9, {"H": 768}), (4.0, {"H": 768, "V": 30_522})])
def test_a_value_is_settled_that_nothing_within_the_margin_has_otherwise(behind, kept):
    best = Reading("best", (Item("counts", 20.0),), {"H": 768, "V": 30_522})
    near = Reading("near", (Item("counts", 20.0 - behind),), {"H": 768, "V": 30_000})
    assert settled([best, near], best, lambda sizes: sizes, MARGINS) == kept


def test_why_names_every_entry_the_rivals_and_what_it_takes():
    judged = judge([reading("a", 9.0, -1.5), reading("b", 5.0)], lambda r: r.meaning, MARGINS)
    assert list(why(judged)) == [
        "a: +7.5 bits; fits: it is one of several accounts, and nothing is built on it",
        "  +9.0 bits  entry 0",
        "  −1.5 bits  entry 1",
        "rival: b: +5.0 bits, 2.5 behind",
        "to be stated it takes 6 bits earned, and 4 more than any rival",
    ]


@pytest.mark.parametrize(("rivals", "told"), [(3, 3), (4, 3)])
def test_why_names_three_rivals_and_counts_the_others(rivals, told):
    several = [reading(name, 9.0 - place) for place, name in enumerate("abcdef"[: rivals + 1])]
    said = list(why(judge(several, lambda r: r.meaning, MARGINS)))
    assert sum(line.startswith("rival: ") for line in said) == told
    assert [line for line in said if "more rivals" in line] == ["1 more rivals are further behind"] * (rivals - told)


def test_why_says_of_what_earns_nothing_that_it_is_open():
    (said, *_) = why(judge([reading("a", -1.0)], lambda r: r.meaning, MARGINS))
    assert said == "a: −1.0 bits; open: it says no count in fewer bits than the count itself"


def test_why_leaves_out_what_is_no_tenth_of_a_bit_and_begins_with_what_is_earned():
    said = list(why(judge([reading("a", -0.05, 0.049, 9.0, -0.6)], lambda r: r.meaning, MARGINS)))
    assert [line.partition("  entry")[2].strip() for line in said if "entry" in line] == ["2", "0", "3"]


@pytest.mark.parametrize(
    ("size", "bits"),
    [
        (768, 1.0),  # usual
        (64, 2.0),  # usual, though it is one step of 64 too
        (512, 4.5),  # a power of two
        (1, 3.0),  # a power of two that is shorter as it is
        (128, 4.5),
        (192, 4 + log2(3)),  # 64 · 3
        (64 * 11, 4 + log2(11)),
        (64 * 11 + 1, 3 + log2(64 * 11 + 1)),
        (32 * 11, 3 + log2(32 * 11)),
        (0, 3.0),
    ],
)
def test_a_size_is_as_long_as_its_shortest_code(size, bits):
    assert lengths.size(size, {768: 1.0, 64: 2.0}) == bits


def test_the_likelier_a_usual_size_the_shorter_and_no_code_is_free():
    known = lengths.ranked([768, 1024, 768, 312])
    assert list(known) == [768, 1024, 312]
    # As likely as 1 : 1/2 : 1/3, and 0.4 for all others
    shares = [2.0**-length * (1 + 1 / 2 + 1 / 3 + 0.4) for length in known.values()]
    assert shares == pytest.approx([1, 1 / 2, 1 / 3])


@pytest.mark.parametrize(
    ("length", "number", "bits"),
    [
        (lengths.outright, 1, 0.0),
        (lengths.outright, 0, 0.0),
        (lengths.outright, -8, 3.0),
        (lengths.outright, 1024, 10.0),
        (lengths.choice, 0, 0.0),
        (lengths.choice, 1, 0.0),
        (lengths.choice, 8, 3.0),
    ],
)
def test_numbers_and_choices_take_the_bits_that_they_have(length, number, bits):
    assert length(number) == bits


@pytest.mark.parametrize(
    ("count", "unit", "said"),
    [(768 * 100, 768, 100), (768 * 100 + 1, 768, 76_801), (100, None, 100), (0, 768, 0), (100, 1, 100)],
)
def test_a_count_in_units_is_shorter_only_where_they_divide_it(count, unit, said):
    assert lengths.units(count, unit) == said
    assert lengths.in_units(count, unit) == lengths.outright(said)
