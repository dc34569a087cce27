"""The judge: what is stated, what is only said to fit, and what stays open, at the margins and on either side."""

import pytest

from reconcile.evidence import lengths
from reconcile.evidence.judge import SUMMARY, WHOLE, Item, Margins, Reading, Verdict, judge, verdict
from reconcile.evidence.words import why

MARGINS = Margins(gain=6.0, lead=4.0)


@pytest.mark.parametrize(
    ("balance", "rivals", "expected"),
    [
        (6.0, [], Verdict.SHOWN),
        (5.9, [], Verdict.FITS),
        (6.0, [2.0], Verdict.SHOWN),
        (6.0, [2.1], Verdict.FITS),
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


def reading(name, *bits):
    return Reading(name, tuple(Item(f"entry {place}", one) for place, one in enumerate(bits)), name[0])


def test_readings_that_say_the_same_are_no_rivals():
    judged = judge([reading("a1", 9.0, -1.0), reading("a2", 7.9), reading("b", 3.0)], lambda r: r.meaning, MARGINS)
    assert (judged.best.name, judged.verdict, [r.name for r in judged.rivals]) == ("a1", Verdict.SHOWN, ["b"])
    assert judged.lead == 5.0
    assert judge([], lambda r: r.meaning, MARGINS) is None


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
    assert ("1 more rivals are further behind" in said) is (rivals > told)


def test_why_leaves_out_what_is_no_tenth_of_a_bit_and_begins_with_what_is_earned():
    said = list(why(judge([reading("a", -0.05, 0.049, 9.0, -0.6)], lambda r: r.meaning, MARGINS)))
    assert [line.partition("  entry")[2].strip() for line in said if "entry" in line] == ["2", "0", "3"]


def test_a_usual_size_is_shorter_than_another_and_no_code_is_free():
    known = lengths.ranked([768, 1024, 768, 312])
    assert list(known) == [768, 1024, 312]
    assert known[768] < known[1024] < known[312]
    assert lengths.size(768, known) == known[768]
    assert lengths.size(769, known) > lengths.size(704, known) > lengths.size(768, known)
    assert lengths.size(512, {}) == lengths.POWER
    assert sum(2.0**-length for length in known.values()) < 1


def test_a_count_in_units_is_shorter_only_where_they_divide_it():
    assert lengths.in_units(768 * 100, 768) == lengths.outright(100)
    assert lengths.in_units(768 * 100 + 1, 768) == lengths.outright(76_801)
    assert lengths.in_units(100, None) == lengths.outright(100)
