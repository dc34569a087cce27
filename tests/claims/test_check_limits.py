"""Time and memory grow with the text, however hostile; nothing but a report comes out, and nothing is evaluated."""

import time

import pytest
from fuzz_check import run

from reconcile.expression.normalise import LONGEST_LINE
from reconcile.pipeline.check import check

UNITS = (
    "Llama 3 70B KV cache at 8K tokens 21 GB, ",
    "280 GB in fp32, 70 GB in int8, ",
    "from 440 MB to 110 MB, 4x smaller, ",
    "671B total, 37B active (5.5%), ",
    "235,500 and 3,010, altogether 238,150, ",
    "1.1 MB + 20% = 1.3 MB, ",
    "GPT-2 small | vocab 32k | 124M | ",
    "- weights: 14 GB × 2 - moments: ",
    "20M of the 1.1B parameters is 2%, ",
    "1.1亿(110M)参数 ",
    "110M (24M + 86M) ",
    "DistilBERT is 2x larger than BERT-base, ",
    "7", "7,", "1 ", "1+", "1*", "1=", "=", "(", "((", "[", "{", "()", "(1)", "[1,", "[1] = 1 ", "× ", "**", "-", "|",
    "| 1 ", "^", "1^", "2**2**", "\\times ", "\\frac{1}{2}", "\\frac", "<td>", "<tr>", "<tr", "<a ", "&times;", "&",
    "$", "$1", "*1*", "`", "1,234 ", "1.234.", "1.2.3.", "12 345 ", "word ", "H ", "4H", "a=1 ", "is 1 plus ",
    "half of ", "\U0001d7cf", "²", "1e9", "1e999 ", "9" * 50+" ", "BERT base ", "BERT base 110M ", "bert-",
    "_L-12_H-768", "d=512 ", "vocabulary ", "12 heads ", "110M parameters. ", "://a ", "a-", "-> ", "→", "\0",
    "\u2009", "1\u2009", "{,}", "1{,}", "0x1F ", "(((1)))+", "1 (a) + ", "total: ", "≈", "≈ 5 ", "!",
    "4B × 3 = 12 MB ", "5 ≈ 3 GB ≈ 4 GB (M) ", "Adam moments in fp32 3 GB ", "1 × 2 = 3 (million) ", "12 × 7682 = 5 ",
    "23.4% of 110M ", "BERT-Base, Multilingual Cased 110M ", "46.7B active ",
)  # fmt: skip
LINES = (
    "", "1", "= 1", "+ 1", "total 5", "total 5\nrow 5", "  row 1", " a 5\n  b 5", "| a | 5 |", "| total | 5 |",
    "row 1 x12", "1\n=", "30522 × 768 = 23,440,896", "30522 * 768 = 23,440,897", "12345678 parameters",
    "[768, 768] = 589824", "- a: 5\n  - b: 3\n    - c: 2", "<tr><td>a</td><td>5</td></tr>",
    "BERT base has 110M parameters", "N &= 12 \\times 5 \\\\",
)  # fmt: skip


def seconds(text: str) -> float:
    begun = time.process_time()
    check(text, "hostile")
    return time.process_time() - begun


@pytest.mark.parametrize("unit", UNITS)
def test_long_lines_of_one_thing_take_time_in_proportion(unit: str) -> None:
    # Eight times the letters: a quadratic reading of them takes 64 times as long. Longer lines are not read.
    small, large = (seconds(unit * (LONGEST_LINE // share // len(unit))) for share in (8, 1))
    assert large < 24 * max(small, 0.03)
    assert seconds(unit * (2 * LONGEST_LINE // len(unit))) < 24 * max(small, 0.03)


@pytest.mark.parametrize("line", LINES)
def test_eight_times_the_lines_take_about_eight_times_as_long(line: str) -> None:
    small, large = (seconds((line + "\n") * (size // (len(line) + 1))) for size in (2**14, 2**17))
    assert large < 24 * max(small, 0.03)


def test_a_table_of_models_takes_time_in_proportion() -> None:
    small, large = (
        seconds(
            "| model | params |\n|---|---|\n"
            + "".join(f"| bert-base-uncased | {10**8 + 7919 * at:,} |\n" for at in range(rows))
        )
        for rows in (250, 2000)
    )
    assert large < 24 * max(small, 0.03)


@pytest.mark.parametrize("depth", [39, 41, 5000])
def test_brackets_of_any_depth(depth: int) -> None:
    checked = check("(" * depth + "5 + 5" + ")" * depth + " = 10", "deep")
    assert {claim.verdict for claim in checked.claims} <= {"holds"}
    assert len(checked.claims) == (depth < 41)


@pytest.mark.parametrize(
    "text",
    [
        "9^9^9^9 = 5",
        "10**10**10 = 7",
        "2^64^64 = 3",
        f"{'9' * 4000} × 2 = 5",
        f"1{'0' * 39}^64 × 1{'0' * 39}^64 = 5",
        "1e999 = 1e998",
        "5 / 0 = 7",
        "5 / (3 - 3) = 7",
        "(0)^(0) = 2 / 0",
        "1/3^64 + 1/7^64 = 5",
        "__import__('os').system('false') = 5",
    ],
)
def test_what_grows_without_bound_or_has_no_value_is_not_worked_out(text: str) -> None:
    assert seconds(text) < 24 * max(seconds("5 × 2 = 10"), 0.03)


def test_a_long_sum_is_worked_out() -> None:
    text = " + ".join(["1"] * 5000)
    (claim,) = check(f"{text} = 5,000", "text").claims
    assert claim.verdict == "holds"
    (claim,) = check(f"{text} = 5,001", "text").claims
    assert (claim.verdict, claim.expected) == ("arithmetic wrong", 5000)


def test_what_is_too_long_is_said_not_to_be_read() -> None:
    checked = check("x" * LONGEST_LINE + "x\n1 + 1 = 3", "text")
    assert [claim.line for claim in checked.claims] == [2]
    assert checked.unread == (
        f"line 1 has {LONGEST_LINE + 1:,} letters and was not read; at most {LONGEST_LINE:,} are",
    )


def test_what_is_too_much_is_said_not_to_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reconcile.claims.structure.document.MOST", 48)
    checked = check("1 + 1 = 2\n" * 20, "text")
    assert len(checked.claims) == 8  # five figures and signs to a line, and its end
    assert checked.unread == ("too many lines, figures and signs for a text; what stands behind line 8 was not read",)


@pytest.mark.parametrize("seed", range(3))
def test_damaged_texts(seed: int) -> None:
    assert run(0, 250, seed) == 250
