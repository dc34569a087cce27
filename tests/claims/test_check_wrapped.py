"""Text that a width has broken into lines says the same, and every claim is where it stands."""

import textwrap

import pytest

from reconcile.claims.claim import Claim
from reconcile.expression.wrapping import unwrapped
from reconcile.pipeline.check import check

PROSE = (
    "BERT base has an embedding of 30,522 words, which takes 30,522 × 768 = 23,440,896 parameters, and one of 512 "
    "positions with 512 × 768 = 393,215 more. Each of its twelve blocks has an attention of 2,362,368 parameters and "
    "a feed-forward of 4,722,432, so that a block with both of its layer norms comes to 7,087,872 and all twelve to "
    "12 × 7,087,872 = 85,054,464. With the pooler the model has 109,482,240 parameters in all, and not 110,482,240."
)
LISTING = """encoder.layer.0.intermediate.dense.weight torch.Size([3072, 768])   2,359,296
encoder.layer.0.output.dense.weight has the shape [768, 3072] and 2,359,296
encoder.layer.1.output.dense.weight has the shape [768, 3072] and 2,359,296
"""


def found(text: str) -> list[tuple[str, str, str | None]]:
    return [(" ".join(claim.text.split()), claim.verdict, claim.path) for claim in claims(text)]


def claims(text: str) -> tuple[Claim, ...]:
    return check(text, "text").claims


@pytest.mark.parametrize("width", range(64, 110, 3))
def test_prose_at_any_width_is_judged_as_in_one_line(width: int) -> None:
    assert "arithmetic wrong" in {verdict for _, verdict, _ in found(PROSE)}
    assert found(textwrap.fill(PROSE, width)) == found(PROSE)


@pytest.mark.parametrize("margin", ["    ", "# ", "> "])
def test_prose_in_a_comment_or_indented(margin: str) -> None:
    assert found(textwrap.indent(textwrap.fill(PROSE, 72), margin)) == found(PROSE)


def test_an_item_of_a_list_goes_on_below_its_text() -> None:
    item = textwrap.fill(PROSE, 72, initial_indent="- ", subsequent_indent="  ")
    assert found(f"{item}\n- pooler: 590,592\n")[:-1] == found(PROSE)


def test_each_claim_is_in_the_line_that_it_stands_in() -> None:
    lines = textwrap.wrap(PROSE, 72)
    for claim in claims("\n".join(lines)):
        assert lines[claim.line - 1][claim.column - 1 :].startswith(claim.text.split()[0])


@pytest.mark.parametrize(
    "text",
    [
        LISTING,
        "BERT base comes to 109,482,240 parameters with its pooler and uncased.\nBERT large to 335,141,888.\n",
        "- one attention layer of the model with its biases: 2,362,368\n- one feed-forward of the model: 4,722,432\n",
        "| one attention layer of the model with its biases | 2,362,368 |\n| one feed-forward | 4,722,432 |\n",
        "short lines\nare left\nas they are\n",
    ],
)
def test_what_stands_in_lines_of_its_own_stays_there(text: str) -> None:
    assert unwrapped(text) == text
