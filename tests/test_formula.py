"""Formulas: what they print, what they read, and the laws that hold for every one of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.errors import FormulaError
from reconcile.formula import Formula, dimension, integer_roots, product, to_ascii, with_numbers

BASE = {"V": 30000, "P": 512, "T": 2, "H": 768, "A": 12, "D": 64, "F": 3072, "L": 12}

# As it is written, as it prints, in ASCII, and its value for BERT base with 30,000 words.
PRINTED = [
    ("0", "0", "0", 0),
    ("2*3", "6", "6", 6),
    ("H*V", "V·H", "V*H", 23_040_000),  # 30,000 · 768
    ("H+H", "2·H", "2*H", 1_536),
    ("4*H**2 + 4*H", "4·(H² + H)", "4*(H^2 + H)", 2_362_368),  # 4 · (589,824 + 768)
    ("H·F + F + F·H + H", "2·H·F + F + H", "2*H*F + F + H", 4_722_432),  # 2 · 2,359,296 + 3,072 + 768
    ("H×H + H", "H² + H", "H^2 + H", 590_592),
    ("2·H + 2", "2·(H + 1)", "2*(H + 1)", 1_538),
    ("L·(4·H²+2·H·F+F+9·H)", "L·(4·H² + 2·H·F + F + 9·H)", "L*(4*H^2 + 2*H*F + F + 9*H)", 85_054_464),
    ("A·3·(H·D + D) + H·H + H", "3·A·H·D + H² + 3·A·D + H", "3*A*H*D + H^2 + 3*A*D + H", 2_362_368),
    ("−522·(H + 1)", "−522·(H + 1)", "-522*(H + 1)", -401_418),  # 30,000 − 30,522 words: 522 · 769
    ("-H - 1", "−H − 1", "-H - 1", -769),
    ("(H + 1)^2 - (H - 1)^2", "4·H", "4*H", 3_072),
    ("H^3", "H³", "H^3", 452_984_832),
    ("H^12 * 0 + 1,000", "1000", "1000", 1_000),
    ("V·H + L·H - L·H", "V·H", "V*H", 23_040_000),
]


@pytest.mark.parametrize(("written", "printed", "ascii_", "value"), PRINTED)
def test_a_formula_prints_as_people_write_it(written: str, printed: str, ascii_: str, value: int) -> None:
    formula = Formula.parse(written)
    assert str(formula) == printed
    assert formula.text(ascii_only=True) == ascii_
    assert formula.evaluate(BASE) == value


NAMES = [*"VPTKSADFHLB", "E", "Width2", "x_1"]
monomials = st.dictionaries(st.sampled_from(NAMES), st.integers(1, 5), max_size=4).map(
    lambda powers: tuple(sorted(powers.items()))
)
formulas = st.lists(st.tuples(monomials, st.integers(-(10**9), 10**9)), max_size=6).map(Formula.collect)
sizes = st.fixed_dictionaries({name: st.integers(1, 10**6) for name in NAMES})


@given(formulas)
def test_what_is_printed_reads_back_as_the_same_formula(formula: Formula) -> None:
    assert Formula.parse(str(formula)) == formula
    assert Formula.parse(formula.text(ascii_only=True)) == formula
    assert formula.text(ascii_only=True).isascii()


@given(formulas, formulas, formulas)
def test_formulas_are_a_ring(a: Formula, b: Formula, c: Formula) -> None:
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert a * b == b * a
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c
    assert a + 0 == a == a * 1
    assert a - a == a * 0 == Formula.of(0)
    assert -1 * -a == a


@given(formulas, formulas, sizes)
def test_evaluating_keeps_sums_and_products(a: Formula, b: Formula, at: dict[str, int]) -> None:
    assert (a + b).evaluate(at) == a.evaluate(at) + b.evaluate(at)
    assert (a - b).evaluate(at) == a.evaluate(at) - b.evaluate(at)
    assert (a * b).evaluate(at) == a.evaluate(at) * b.evaluate(at)
    assert (a**3).evaluate(at) == a.evaluate(at) ** 3


@given(formulas, formulas, sizes)
def test_substituting_is_evaluating_with_the_other_value(a: Formula, b: Formula, at: dict[str, int]) -> None:
    assert a.substitute({"H": b}).evaluate(at) == a.evaluate(at | {"H": b.evaluate(at)})
    assert a.substitute(at) == Formula.of(a.evaluate(at))
    assert "H" not in a.substitute({"H": 3}).dimensions


@given(st.lists(st.integers(-60, 60), max_size=4), st.integers(-9, 9).filter(bool), st.booleans())
def test_integer_roots_are_exactly_the_integers_where_a_polynomial_is_zero(
    roots: list[int], scale: int, extra: bool
) -> None:
    x = dimension("x")
    polynomial = product([x - root for root in roots] + ([x * x + 1] if extra else [])) * scale
    coefficients = [0] * (len(roots) + 3)
    for monomial, coefficient in polynomial.terms:
        coefficients[monomial[0][1] if monomial else 0] = coefficient
    assert integer_roots(coefficients) == sorted(set(roots))


def test_two_turning_points_between_the_same_integers_hide_no_root() -> None:
    assert integer_roots([-48, -98, 253, 58, -139, -32, 6]) == [1, 8]
    assert integer_roots([-1, 0, 1]) == [-1, 1]
    assert integer_roots([4, -4, 1]) == [2]  # twice
    assert integer_roots([1, 0, 1]) == []


@given(formulas, st.sampled_from(NAMES), st.integers(1, 50), sizes)
def test_solving_finds_every_positive_integer_and_no_other(
    formula: Formula, unknown: str, answer: int, at: dict[str, int]
) -> None:
    value = formula.evaluate(at | {unknown: answer})
    found = formula.solve(unknown, value, at)
    if unknown in formula.substitute({name: size for name, size in at.items() if name != unknown}).dimensions:
        tried = tuple(size for size in range(1, 200) if formula.evaluate(at | {unknown: size}) == value)
        assert tuple(root for root in found if root < 200) == tried
        assert answer in found
        assert all(formula.evaluate(at | {unknown: root}) == value for root in found)
    else:
        assert found == ()


@pytest.mark.parametrize(
    ("formula", "unknown", "value", "found"),
    [
        ("4·(H² + H)", "H", 2_362_368, (768,)),
        ("4·(H² + H)", "H", 2_362_369, ()),  # nothing near it is taken for it
        ("2·H·F + F + H", "F", 4_722_432, (3072,)),
        ("V·H", "V", 23_040_000, (30000,)),
        ("H² − 5·H", "H", -6, (2, 3)),
        ("A·D", "A", 768, (12,)),
        ("H² + H", "L", 590_592, ()),  # does not depend on L: there is nothing to solve
        ("H^3 − H^3 + H", "H", 7, (7,)),
        ("V·H", "V", 0, ()),  # a table of no rows is no table
        ("H² − H", "H", 0, (1,)),
    ],
)
def test_solving_for_one_dimension(formula: str, unknown: str, value: int, found: tuple[int, ...]) -> None:
    assert Formula.parse(formula).solve(unknown, value, BASE) == found


def test_solving_takes_no_hint_from_the_size_it_is_to_find() -> None:
    assert Formula.parse("4·(H² + H)").solve("H", 4 * (1024**2 + 1024), {"H": 768}) == (1024,)


def test_what_is_not_known_is_named() -> None:
    with pytest.raises(FormulaError, match=r"^V·H needs a value for H$"):
        Formula.parse("V·H").evaluate({"V": 3, "H": None})
    with pytest.raises(FormulaError, match=r"^V·H·F needs a value for F, V$"):
        Formula.parse("V·H·F").solve("H", 3, {})


UNREADABLE = [
    ("", r"'': the end at position 1 where a number, a dimension or a bracket belongs"),
    ("H +", r"'H \+': the end at position 4 where a number, a dimension or a bracket belongs"),
    ("2H", r"'2H': H at position 2 where an operator belongs"),
    ("(H", r"'\(H': the end at position 3 where a closing bracket belongs"),
    ("H)", r"'H\)': \) at position 2 where an operator belongs"),
    ("H ** F", r"'H \*\* F': F at position 6 where a whole number as power belongs"),
    ("H / 2", r"'H / 2': cannot read '/' at position 3"),
    ("1.5·H", r"'1.5·H': cannot read '.' at position 2"),
    ("__import__", r"'__import__': cannot read '_' at position 1"),
    ("H^65", r"a power of 65; 0 to 64 are read"),
    ("(H^64)^64", r"a power of more than 64"),
    ("(" * 51 + "H" + ")" * 51, r"brackets deeper than 50"),
    ("H" * 2001, r"a formula of 2,001 characters; at most 2,000 are read"),
    ("9" * 1000 + "^64", r"a number of more than 4,096 bits"),
    ("*".join("(A+B+D+E+F+H+K+L+P+S+T+V)^3" for _ in range(9)), r"a product of more than 10,000 terms"),
]


@pytest.mark.parametrize(("text", "message"), UNREADABLE)
def test_what_is_no_formula_is_refused_by_its_place(text: str, message: str) -> None:
    with pytest.raises(FormulaError, match=f"^{message}$"):
        Formula.parse(text)


@given(st.text(alphabet="HFL0123456789+-−*·×^()² ,_", max_size=60))
def test_any_text_is_a_formula_or_refused(text: str) -> None:
    try:
        formula = Formula.parse(text)
    except FormulaError:
        return
    assert Formula.parse(str(formula)) == formula


def test_a_row_of_signs_is_read_without_recursion() -> None:
    assert Formula.parse("-" * 1998 + "H") == dimension("H")
    assert Formula.parse("-" * 1997 + "H") == -dimension("H")


def test_a_formula_with_its_sizes_put_in() -> None:
    assert with_numbers("4·(H² + H) + x", {"H": 768, "A": None}) == "4·(768² + 768) + x"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("12 × H³ − 4·H … ≠ → –", "12 x H^3 - 4*H ... != -> -"),
        ("V = 30,000 · P = 512", "V = 30,000; P = 512"),  # a list, and no product
        ("Bärt", r"B\xe4rt"),  # nothing is lost
    ],
)
def test_ascii_keeps_everything_in_other_signs(text: str, plain: str) -> None:
    assert to_ascii(text) == plain
