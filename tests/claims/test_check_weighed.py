"""Bytes and shares at the edges of what holds: one step on each side of every threshold."""

import pytest

from reconcile.pipeline.check import check

HOLDS, WRONG, OPEN = "holds as", "mismatch", None


def verdict(text: str, of: str) -> str | None:
    """What is said of a figure of bytes or of a share in a text."""
    claims = [claim for claim in check(text, "text").claims if claim.text.startswith(of)]
    return claims[-1].verdict if claims else None


TEN = "A model of 10,000,000 parameters takes {}."
OTHER = "A model of 10,400,000 parameters takes {}."
WEIGHTS = "A model of 10,000,000 parameters: its weights take {}."
HALF = "A model of 10,000,000 parameters in fp16: weights take {}."
BERT = "BERT base: {}"  # 109,482,240 parameters, 437,928,960 bytes

BYTES = [
    # 4 and 2 bytes of weights, 1 and 0.5 where something is packed, and 8, 12, 16 and 6 with what training keeps
    *((TEN, f"{10 * each:g} MB", HOLDS) for each in (4, 2)),
    *((TEN, f"{10 * each:g} MB", OPEN) for each in (1, 0.5, 8, 12, 16, 6, 7)),
    *((TEN + " It is quantised.", f"{10 * each:g} MB", HOLDS) for each in (4, 2, 1, 0.5)),
    *((TEN + " With Adam.", f"{10 * each:g} MB", HOLDS) for each in (4, 2, 8, 12, 16, 6)),
    *((TEN + " With Adam.", f"{10 * each:g} MB", OPEN) for each in (1, 0.5, 7)),
    # 41.6 million bytes are 39.7 MiB: 41 and 42 rounded or cut off, 39 and 40 in units of 1,024
    *((OTHER, f"{size} MB", HOLDS) for size in (39, 40, 41, 42)),
    *((OTHER, f"{size} MB", OPEN) for size in (38, 43)),
    # 42,004,000 bytes rounded up
    ("A model of 10,501,000 parameters takes {}.", "42.1 MB", HOLDS),
    ("A model of 10,501,000 parameters takes {}.", "42.2 MB", OPEN),
    # 438 MB at 4 bytes is not meant where two are said
    ("BERT base in fp16: {}", "219 MB", HOLDS),
    ("BERT base in fp16: {}", "438 MB", WRONG),
    ("BERT base in int8: {}", "109 MB", HOLDS),
    ("BERT base in 4-bit: {}", "55 MB", HOLDS),
    ("BERT base in fp32: {}", "438 MB", HOLDS),
    ("BERT base in fp32: {}", "219 MB", WRONG),
    ("BERT base in fp32: {}", "43.8 MB", WRONG),  # a tenth
    ("BERT base in fp32: {}", "4.38 GB", WRONG),  # ten times
    # a file holds some buffers more, 70,000 bytes of them at most, and never less
    (BERT, "437,928,960 bytes", HOLDS),
    (BERT, "437,928,959 bytes", OPEN),
    (BERT, "437,998,960 bytes", HOLDS),
    (BERT, "437,998,961 bytes", OPEN),
    (TEN, "40.070 MB", HOLDS),
    (TEN, "40.07 MB", OPEN),  # they show in five figures
    # no fewer bytes than a hundred thousand
    ("A model of 25,000 parameters takes {}.", "100 KB", HOLDS),
    ("A model of 24,900 parameters takes {}.", "99.6 KB", OPEN),
    # weights alone take 0.5 to 4 bytes each; from three quarters to one and a half of these nothing is wrong
    (WEIGHTS, "3.7 MB", WRONG),
    (WEIGHTS, "3.8 MB", OPEN),
    (WEIGHTS, "60 MB", OPEN),
    (WEIGHTS, "61 MB", WRONG),
    (HALF, "14 MB", WRONG),
    (HALF, "15 MB", OPEN),
    (HALF, "30 MB", OPEN),
    (HALF, "31 MB", WRONG),
    ("A model of 10,000,000 parameters: its weights and gradients take {}.", "80 MB", HOLDS),
    # of a smaller count nothing is wrong
    ("A model of 1,000,000 parameters: its weights take {}.", "80 MB", WRONG),
    ("A model of 999,999 parameters: its weights take {}.", "80 MB", OPEN),
    # another scale: a thousand times, 1,024 for 1,000 in three figures
    ("The model file of BERT base has {}.", "438 GB", WRONG),
    ("The model file of BERT base has {}.", "438 KB", WRONG),
    ("The model file of BERT base has {}.", "438 MiB", WRONG),
    ("The model file of BERT base has {}.", "418 MiB", HOLDS),
    ("The model file of BERT base has {}.", "4.38 GB", OPEN),
    (TEN, "40 MiB", OPEN),
    ("A model file of 10,000,000 parameters has {}.", "40 GB", WRONG),
    ("A model file of 1,000,000 parameters has {}.", "4 GB", OPEN),
    # a precision binds a figure within 24 letters
    ("BERT base in fp16 " + 18 * "x" + " {}", "438 MB", WRONG),
    ("BERT base in fp16 " + 19 * "x" + " {}", "438 MB", OPEN),
]


@pytest.mark.parametrize(("text", "size", "expected"), BYTES)
def test_bytes_of_a_count(text: str, size: str, expected: str | None) -> None:
    assert verdict(text.format(size), size) == expected


COLUMN = """| model | params | size |
|---|---|---|
| a | 10,000,000 | 40 MB |
| b | 20,000,000 | {} |
| c | 30,000,000 | {} |
"""


@pytest.mark.parametrize(
    ("second", "third", "expected"),
    [
        ("80 MB", "120 MB", HOLDS),
        # 6 % off at most, as units of 1,024 and rounding leave it: 112.8 to 127.2 of 120
        ("80 MB", "127 MB", OPEN),
        # and three times as many at most, where a file has more than the weights that are counted
        ("80 MB", "359 MB", OPEN),
        ("80 MB", "360 MB", WRONG),
        ("80 MB", "113 MB", OPEN),
        ("80 MB", "112 MB", WRONG),
        ("40 MB", "140 MB", OPEN),  # the rows above have different precisions
    ],
)
def test_bytes_by_the_others_of_their_column(second: str, third: str, expected: str | None) -> None:
    assert verdict(COLUMN.format(second, third), third) == expected


def test_one_row_is_no_column() -> None:
    text = COLUMN.format("80 MB", "140 MB").replace("| b | 20,000,000 | 80 MB |\n", "")
    assert verdict(text, "140 MB") is None


PART = "Of 10,000,000 parameters {} ({}) are new."
NAMED = "BERT base has 109,482,240 parameters; its token embedding has {}, {} of the 109,482,240."
SHARES = [
    # half of the last digit and a tenth of that: 25.0 % is 24.945 to 25.055 %
    (PART, "2,505,500", "25.0 %", HOLDS),
    (PART, "2,505,501", "25.0 %", OPEN),
    (PART, "2,494,500", "25.0 %", HOLDS),
    (PART, "2,494,499", "25.0 %", OPEN),
    (PART, "2,500,000", "75.0 %", HOLDS),  # the rest
    # a point elsewhere, by ten or a hundred, in three figures
    (PART, "2,500,000", "2.50 %", WRONG),
    (PART, "2,500,000", "250 %", WRONG),
    (PART, "2,500,000", "2500 %", WRONG),
    (PART, "2,500,000", "0.250 %", OPEN),
    (PART, "2,500,000", "2.5 %", OPEN),
    # two counts one over the other are what is meant
    ("{} / 10,000,000 ({})", "2,500,000", "25.0%", HOLDS),
    ("{} / 10,000,000 ({})", "2,500,000", "35.0%", WRONG),
    ("{} of 10,000,000: {}", "2,500,000", "35 %", WRONG),
    ("{} || all params: 10,000,000 || trainable: {}", "2,500,000", "35.0%", WRONG),
    # counts that are named with it
    (NAMED, "23,440,896", "21.4 %", HOLDS),
    (NAMED, "23,440,896", "31.4 %", WRONG),
]


@pytest.mark.parametrize(("text", "part", "figure", "expected"), SHARES)
def test_shares_of_two_counts(text: str, part: str, figure: str, expected: str | None) -> None:
    assert verdict(text.format(part, figure), figure) == expected


NEAR = """The encoder has 85,054,464 parameters.
The decoder has 42,527,232 parameters.
A has 11,111,111 parameters{}.
The new part is {}."""
WHOLE = "Total: {} parameters.\n{}The new part has 23,456,789 (35.5 %)."


@pytest.mark.parametrize(
    ("text", "figure", "expected"),
    [
        # 42,527,232 of 85,054,464 is half; of four counts near by some share of two figures comes out by chance
        (NEAR.format("", "50 %"), "50 %", HOLDS),
        (NEAR.format(" and B 23,456,789 parameters", "50 %"), "50 %", OPEN),
        (NEAR.format(" and B 23,456,789 parameters", "50.0 %"), "50.0 %", HOLDS),
        # a part right before it, of the only whole near by that is larger
        (WHOLE.format("100,000,000", ""), "35.5 %", WRONG),
        (WHOLE.format("100,000,000", "Total: 80,000,000 parameters.\n"), "35.5 %", OPEN),
        (WHOLE.format("23,456,789", ""), "35.5 %", OPEN),
        (WHOLE.format("10,000,000", ""), "35.5 %", OPEN),
    ],
)
def test_shares_of_counts_near_by(text: str, figure: str, expected: str | None) -> None:
    assert verdict(text, figure) == expected


MOMENTS = [
    ("Adam's two moments for BERT-base take {} in fp32.", "438 MB", 875_857_920),
    ("Adam's two moments for BERT-base take {} in fp32.", "876 MB", None),
    ("Adam's two moments for BERT-base take {} in bf16.", "438 MB", None),
    ("BERT-base: each of Adam's two moments takes {} in fp32.", "438 MB", None),
    ("BERT-base with LoRA: the Adam states of the adapters take {} in fp32.", "438 MB", None),
    ("BERT-base: the optimizer states of SGD take {} in fp32.", "438 MB", None),
    ("BERT-base, 110M.\n\nAdam states (fp32 copy + two moments = 4x = {}) come on top.", "440 MB", 1_320_000_000),
    ("| | weights | Adam states |\n|---|---|---|\n| Llama 3 8B | 16 GB | {} (fp32) |", "32 GB", 64_242_089_984),
]


@pytest.mark.parametrize(("text", "size", "right"), MOMENTS)
def test_both_moments_of_an_optimizer(text: str, size: str, right: int | None) -> None:
    claim = next(claim for claim in check(text.format(size), "text").claims if claim.text.startswith(size))
    assert (claim.verdict == "mismatch", claim.expected if right else None) == (right is not None, right)


def test_bytes_of_the_weights_are_those_of_no_moments() -> None:
    text = "GPT-2 XL in fp32: 6.2 GB of weights, and 6.2 GB for Adam's two moments, also fp32."
    weights, moments = (claim for claim in check(text, "text").claims if claim.text == "6.2 GB")
    assert (weights.verdict, moments.verdict) == ("holds as", "mismatch")


def test_bytes_are_called_by_the_count_that_they_follow_from() -> None:
    text = "GPT-2 XL has 1,557,611,200 parameters, 6.2 GB in fp32."
    assert next(claim for claim in check(text, "text").claims if claim.unit == "bytes").path == "whole"


@pytest.mark.parametrize(
    ("share", "verdict"), [("0.560%", "holds as"), ("0.550%", "mismatch"), ("0.5600%", "mismatch")]
)
def test_zeros_fill_a_column_of_shares_up(share: str, verdict: str) -> None:
    """694,274 of 124,647,170 are 0.55699 %."""
    text = f"""| method | trained | share |
|---|---|---|
| all | 124,647,170 | 100.000% |
| biases | 694,274 | {share} |
| low rank | 887,042 | 0.712% |
"""
    found = {claim.text: claim.verdict for claim in check(text, "text").claims}
    assert found[share] == verdict
