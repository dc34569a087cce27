"""Numbers, signs and equations in every form people paste them in; and the laws that hold for any of them."""

import random

import pytest
from derivations import BOLD, FORMS, SIZES, derivation, planted
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from reconcile.claims.claim import FINDINGS, Claim, findings
from reconcile.expression.normalise import normalise
from reconcile.pipeline.check import check

# One equation, 30,522 × 768 = 23,440,896, in the signs of many hands.
SAME = [
    "30522 * 768 = 23440896",
    "30,522 × 768 = 23,440,896",
    "30 522 × 768 = 23 440 896",
    "30\u202f522 × 768 = 23\u202f440\u202f896",
    "30\u00a0522 ∗ 768 = 23\u00a0440\u00a0896",
    "30_522 * 768 == 23_440_896",
    "30'522 · 768 = 23'440'896",
    "30.522 × 768 = 23.440.896",
    "30522 x 768 = 23440896",
    "30522x768=23440896",
    "30,522 ⋅ 768 ≈ 23,440,896",
    "30,522 tokens × 768 dimensions = 23,440,896 weights",
    "[30522, 768] = 23440896",
    "[30522, 768] -> 23,440,896",
    "(30522, 768) → 23,440,896",
    "$30{,}522 \\times 768 = 23{,}440{,}896$",
    "\\(30\\,522 \\cdot 768 = 23\\,440\\,896\\)",
    "30,522 &times; 768 = 23,440,896",
    "<b>30,522</b> × <i>768</i> = <b>23,440,896</b>",
    "**30,522** × 768 = **23,440,896**",
    "30,522 × 768 = 23,440,896".translate(BOLD),
    "３０５２２ × ７６８ = ２３４４０８９６",
    "30,522 times 768 is 23,440,896",
    "30,522 × 768 gives a total of 23,440,896",
    "30,522 × 768\n= 23,440,896",
    "30,522 ×\n768 = 23,440,896",
    "30,522 (tokens) × 768 (hidden) = 23,440,896",
    "\\frac{30522}{1} \\times 768 = 23440896",
    "(30,522) × (768) = 23,440,896",
    "30.522K × 768 = 23.440896M",
    "23,440,896 = 30,522 × 768",
    "30,522 × 768 = 23,440,896 = 23.4M",
]


@pytest.mark.parametrize("text", SAME)
def test_one_equation_in_many_forms(text: str) -> None:
    (claim,) = [claim for claim in check(text, "text").claims if "=" in claim.text or claim.value]
    assert claim.verdict in ("holds", "holds as"), claim
    assert claim.value in (23_440_896, 23_400_000)
    assert (claim.line, claim.column) == (1, 1 + min(text.find(sign) for sign in plain_starts(text)))


def plain_starts(text: str) -> list[str]:
    """What an equation can begin with in a text: the first digit, bracket or fraction of it."""
    same = normalise(text).text
    first = next(
        place
        for place, letter in enumerate(same)
        if letter.isdigit() or letter == "[" or (letter == "(" and same[place - 1 : place] != "\\")
    )
    return [text[first:]]


# (text, what it comes to, what it says)
WRONG = [
    ("12 × 768 × 12 = 110M", 110_592, 110_000_000),
    ("3 · (768 · 64 + 64) = 147,684", 147_648, 147_684),
    ("1,000 + 2,000 = 3,000 + 1", 3_000, 3_001),
    ("5 × 5 = 25 = 26", 25, 26),
    ("768² = 589,842", 589_824, 589_842),
    ("2^10 = 1,025", 1_024, 1_025),
    ("768 / 12 = 65", 64, 65),
    ("7,000 − 1,000 = 5,000", 6_000, 5_000),
    ("1.5 million + 2.5 million = 5 million", None, 5_000_000),
    ("\\frac{768}{12} = 65", 64, 65),
    ("335,043,584 − 335,141,888 = 98,304", -98_304, 98_304),
    ("12 × (3 × (768·64 + 64)) = 1,771,767", 1_771_776, 1_771_767),
]


@pytest.mark.parametrize(("text", "expected", "value"), WRONG)
def test_wrong_arithmetic(text: str, expected: int | None, value: int) -> None:
    (claim,) = [claim for claim in check(text, "text").claims if claim.verdict == "arithmetic wrong"]
    assert claim.value == value
    if expected is not None:
        assert claim.expected == expected
        assert claim.difference == value - expected


# At their own precision: 4,722,432 is 4.72M, 4.7M and 5M, and cut off at four figures 4.722M.
ROUNDED = [
    ("2·768·3072 + 3072 + 768 = 4.72M", True),
    ("2·768·3072 + 3072 + 768 = 4.7M", True),
    ("2·768·3072 + 3072 + 768 ≈ 4,720,000", True),
    ("2·768·3072 + 3072 + 768 = 4,720,000", False),
    ("2·768·3072 + 3072 + 768 = 4.73M", False),
    ("12 × 7,087,872 = 85M", True),
    ("12 × 7,087,872 = 85.2M", False),
    ("12 × 7,087,872 = 85.1M", True),
    ("335,141,888 ≈ 340M", True),
    ("335,141,888 ≈ 345M", False),
    ("24M + 85M + 0.6M = 109M", True),
    ("24M + 85M + 0.6M = 120M", False),
    ("10 / 3 = 3.33", True),
    ("10 / 3 = 3.34", False),
    ("109,482,240 × 4 bytes = 438 MB", True),
    ("100 × 1,000 = 10 万", True),
]


@pytest.mark.parametrize(("text", "right"), ROUNDED)
def test_rounded_sides_are_judged_at_their_own_precision(text: str, right: bool) -> None:
    wrong = [claim for claim in check(text, "text").claims if claim.verdict == "arithmetic wrong"]
    assert bool(wrong) is not right


def test_a_negative_result() -> None:
    (claim,) = check("335,043,584 - 335,141,888 = -98,304", "text").claims
    assert (claim.verdict, claim.value) == ("holds", -98_304)


# What is no equation, though it has its signs.
NEITHER = [
    "lr = 5e-5", "L = 12", "x = y", "a = b = c", "5 ≠ 6", "if n != 12 and m >= 768:", "1.2.3 = 4", "2019-2020",
    "12%+3% = 20%", "3 epochs = 5 hours", "H = 768, A = 12", "def f(x=12, y=768): ...", "100% = 1", "12 → 24",
    "layer_12 = layer_24", "0x1F = 32", "- 5\n- 6 = six", "a1 = 3", "{12: 768}", "12 ± 3 = 20",
]  # fmt: skip


@pytest.mark.parametrize("text", NEITHER)
def test_what_is_no_equation(text: str) -> None:
    assert [claim for claim in check(text, "text").claims if claim.verdict == "arithmetic wrong"] == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sizes", SIZES, ids=lambda sizes: f"{sizes['V']}-{sizes['H']}-{sizes['L']}")
def test_a_right_derivation_holds_in_every_form(form: str, sizes: dict[str, int]) -> None:
    right = derivation(sizes)
    checked = check(FORMS[form](right), "text")
    assert list(findings(checked)) == []
    assert right.total in [claim.value for claim in checked.claims]


@pytest.mark.parametrize("seed", range(4))
def test_a_changed_number_is_found_in_every_form(seed: int) -> None:
    # A total over rows of which one is no known component's stays open.
    missed = []
    for place, (form, changed, text) in zip(range(25), planted(seed), strict=False):
        if not list(findings(check(text, "text"))):
            missed.append((place, form, changed.changed))
    assert {changed for _, _, changed in missed} <= {"total"}
    assert len(missed) <= 6


numbers = st.integers(1, 99_999)
sums = st.lists(st.lists(numbers, min_size=1, max_size=3), min_size=1, max_size=4).filter(
    lambda terms: len(terms) > 1 or len(terms[0]) > 1
)


def written(terms: list[list[int]], times: str, number: str = "{:,}") -> str:
    return " + ".join(times.join(number.format(factor) for factor in factors) for factors in terms)


def value_of(terms: list[list[int]]) -> int:
    total = 0
    for factors in terms:
        product = 1
        for factor in factors:
            product *= factor
        total += product
    return total


@given(sums, st.integers(0, 10**6), st.booleans())
@settings(max_examples=200)
def test_true_equations_hold_and_a_wrong_digit_makes_them_wrong(terms: list[list[int]], seed: int, more: bool) -> None:
    """A digit too many, or of a number of three and more another one."""
    total = value_of(terms)
    (claim,) = check(f"{written(terms, ' × ')} = {total:,}", "text").claims
    assert claim.verdict in ("holds", "holds as")
    assert claim.value == claim.expected == total
    rng = random.Random(seed)
    place = rng.randrange(len(terms))
    other = [list(factors) for factors in terms]
    which = rng.randrange(len(other[place]))
    digits = str(other[place][which])
    at = rng.randrange(len(digits) + 1) if more or len(digits) < 3 else rng.randrange(len(digits))
    rest = digits[at:] if more or len(digits) < 3 else digits[at + 1 :]
    other[place][which] = int(digits[:at] + rng.choice(sorted({*"123456789"} - {*digits})) + rest)
    # What is small and some times too much may lack a factor; five zeros at an end are rounded.
    assume(total % value_of(other) and total % 100_000)
    (claim,) = check(f"{written(other, ' × ')} = {total:,}", "text").claims
    assert claim.verdict == "arithmetic wrong"
    assert (claim.value, claim.expected) == (total, value_of(other))


@given(sums)
@settings(max_examples=60)
def test_one_equation_in_prose_latex_markdown_and_bold_makes_the_same_claim(terms: list[list[int]]) -> None:
    total = value_of(terms)
    plain_text = f"{written(terms, ' × ')} = {total:,}"
    times = r" \times "
    latex = f"${written(terms, times)} = {total:,}$".replace(",", "{,}")
    forms = [plain_text, latex, f"| {plain_text} |", f"- {plain_text}", plain_text.translate(BOLD), f"So {plain_text}."]
    claims = [facts(check(text, "text").claims) for text in forms]
    assert all(one == claims[0] for one in claims), claims


def facts(claims: tuple[Claim, ...]) -> list[tuple[int | None, str, int | None]]:
    return [(claim.value, claim.verdict, claim.expected) for claim in claims]


@given(st.lists(sums, min_size=1, max_size=4), st.sampled_from(["", "  ", "## ", "Since ", "\u00b2\U0001d7ce: "]))
@settings(max_examples=60)
def test_places_point_at_the_text(several: list[list[list[int]]], before: str) -> None:
    text = "\r\n".join(f"{before}{written(terms, '·')} = {value_of(terms)}" for terms in several)
    claims = check(text, "text").claims
    lines = text.split("\r\n")
    assert [claim.line for claim in claims] == list(range(1, len(several) + 1))
    for claim in claims:
        assert lines[claim.line - 1][claim.column - 1 :].startswith(claim.text)


@given(st.text(max_size=200))
@settings(max_examples=300)
def test_plain_text_is_as_long_as_the_text(text: str) -> None:
    assert len(normalise(text).text) == len(text.replace("\r\n", "\n"))


@given(st.text(alphabet="0123456789 ,.=+-*/×^()[]{}$|\\<>&abM%~≈→\n\t", max_size=120))
@example("0-0→-1")  # a right side that begins with a sign
@example("0-0 K")  # a range of nothing
@settings(max_examples=300)
def test_any_text_is_read(text: str) -> None:
    for claim in check(text, "text").claims:
        assert claim.line >= 1
        assert claim.column >= 1


@pytest.mark.parametrize(
    "text",
    [
        "conv2 = 32 filters of 5x5 = 32*5*5 + 32 = 832",
        "112*112*64 = 800K",
        "335M × 4 bytes = 1.340 MB",
        'what they call "30B" is 32.5B',
        "The paper says 'params=110M' and 'params=340M'.",
    ],
)
def test_what_is_no_equation_or_is_rounded_accuses_nobody(text: str) -> None:
    assert not {claim.verdict for claim in check(text, "text").claims} & set(FINDINGS)


@pytest.mark.parametrize("text", ["5x5*32 = 832", "112*112*64 = 700K", "335M × 4 bytes = 1.350 MB", "5 * 5 = 32"])
def test_what_is_one_and_wrong_is_accused(text: str) -> None:
    assert {claim.verdict for claim in check(text, "text").claims} == {"arithmetic wrong"}


def test_rounded_sides_with_nothing_but_a_sign_between_them_are_held_against_each_other() -> None:
    assert [claim.verdict for claim in check("474.3 MB ≈ 496 MB", "text").claims] == ["arithmetic wrong"]
    assert [claim.verdict for claim in check("474.3 MB ≈ 474 MB", "text").claims] == ["holds as"]


def test_a_brace_behind_a_line_break_keeps_its_line() -> None:
    assert check("\\\n{", "text").claims == ()
