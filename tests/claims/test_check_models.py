"""A text that speaks of several models: each figure is held against the model that stands nearest to it."""

import pytest

from reconcile.claims.claim import Claim
from reconcile.pipeline.check import check

BASE, LARGE = "BERT base, uncased", "BERT large, uncased"
COLUMNS = """
| component | BERT base | BERT large |
|---|---:|---:|
| embeddings | 23,837,184 | 31,782,912 |
| one layer | 7,087,872 | {layer} |
| all layers | 85,054,464 | 302,309,376 |
| pooler | 590,592 | 1,049,600 |
| total | 109,482,240 | 335,141,888 |
"""
SECTIONS = """
## BERT base
Twelve layers of 768. The whole model has 109,482,240 parameters.

## BERT large
Twenty-four layers of 1024. The whole model has {large} parameters.
"""
TRANSFORMER = """
A Transformer with one encoder and one decoder layer, d_model = 512, d_ff = 2048, vocabulary 5,395, 33 positions
source embedding         [5395, 512]   2,762,240
source positions         [33, 512]        16,896
encoder self-attention                 1,050,624
encoder layer norm 1                       1,024
encoder feed-forward                   2,099,712
encoder layer norm 2                       1,024
target embedding         [5395, 512]   2,762,240
target positions         [33, 512]        16,896
decoder self-attention                 1,050,624
decoder layer norm 1                       1,024
decoder cross-attention                1,050,624
decoder layer norm 2                       1,024
decoder feed-forward                   2,099,712
decoder layer norm 3                       1,024
output projection        [512, 5395]   2,762,240
total                                 10,152,448
"""


def claims(text: str) -> list[Claim]:
    return list(check(text, "text").claims)


def judged(text: str) -> list[tuple[str, str | None]]:
    return [(claim.verdict.split()[0], claim.model) for claim in claims(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # In the order of the models and of the figures.
        (
            "BERT base and BERT large have 110M and 340M parameters, respectively.",
            [("holds", BASE), ("holds", LARGE)],
        ),
        (
            "There are 109,482,240 and 335,141,888 parameters in BERT base and BERT large.",
            [("holds", BASE), ("holds", LARGE)],
        ),
        # The name behind the figure.
        (
            "We count 109,482,240 parameters for BERT base and 335,141,888 for BERT large.",
            [("holds", BASE), ("holds", LARGE)],
        ),
        # By its sizes, and as "the large model".
        (
            "BERT base has 109,482,240 parameters. The large model has 335,141,888 parameters.",
            [("holds", BASE), ("holds", LARGE)],
        ),
        (
            "L=12, H=768: 109,482,240 parameters\n\nL=24, H=1024: 335,141,888 parameters\n",
            [("holds", BASE), ("holds", LARGE)],
        ),
        # The name in a row.
        (
            "| model | parameters |\n|---|---|\n| BERT base | 335,141,888 |\n| BERT large | 335,141,888 |\n",
            [("mismatch", BASE), ("holds", LARGE)],
        ),
        # In LaTeX.
        (
            "BERT$_{\\mathrm{BASE}}$ & 12 & 110M \\\\\nBERT$_{\\mathrm{LARGE}}$ & 24 & 340M \\\\\n",
            [("holds", BASE), ("holds", LARGE)],
        ),
        # ALBERT is of an architecture of its own: 11,683,584 = 30000·128 + … with one block for all layers.
        ("ALBERT base has 11,683,584 parameters.", [("holds", "ALBERT base")]),
        ("ALBERT xxlarge has 223M parameters.", [("holds", "ALBERT xxlarge")]),
        ("ALBERT xlarge has 223M parameters.", [("mismatch", "ALBERT xlarge")]),
    ],
)
def test_the_model_in_the_sentence(text: str, expected: list[tuple[str, str]]) -> None:
    assert judged(text) == expected


def test_the_model_over_a_column() -> None:
    found = claims(COLUMNS.format(layer="12,596,224"))
    assert {claim.verdict for claim in found} <= {"holds", "holds as"}
    assert sum("the 4 rows" in claim.explanation for claim in found) == 0  # 'one layer' is in 'all layers'
    assert [claim.value for claim in found if "come to it" in claim.explanation] == [109_482_240, 335_141_888]


def test_a_wrong_figure_in_a_column() -> None:
    # 12,592,128 is one layer of BERT large without 4,096, the bias of its intermediate layer
    (wrong,) = [claim for claim in claims(COLUMNS.format(layer="12,592,128")) if claim.verdict == "mismatch"]
    assert (wrong.value, wrong.expected, wrong.model) == (12_592_128, 12_596_224, LARGE)


@pytest.mark.parametrize(("large", "verdict"), [("335,141,888", "holds as"), ("340,000,123", "mismatch")])
def test_the_model_in_the_heading(large: str, verdict: str) -> None:
    found = claims(SECTIONS.format(large=large))
    assert [(claim.verdict, claim.model) for claim in found] == [("holds as", BASE), (verdict, LARGE)]


def test_a_figure_before_which_only_another_model_is_named_holds_for_the_one_that_has_it() -> None:
    text = (
        "BERT base and BERT large differ in size.\n\nBERT large is slow. There are 85,054,464 parameters in 12 layers."
    )
    (claim,) = claims(text)
    assert (claim.verdict, claim.model) == ("holds", BASE)


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ("d_model = 786 and there are 12 heads of 64, so that d_model = 768", 786, 768),
        ("BERT base has hidden size 786 and 12 layers", 786, 768),
        ("BERT base: vocab_size = 35022", 35022, 30522),
        ("BERT base and BERT large: hidden size 768, hidden size 1024", None, None),
        ("max_position_embeddings = 512, in RoBERTa max_position_embeddings = 514", None, None),
    ],
)
def test_a_size_with_two_digits_exchanged(text: str, wrong: int | None, right: int | None) -> None:
    found = [(claim.value, claim.expected) for claim in claims(text) if claim.unit == "size"]
    assert found == ([(wrong, right)] if wrong else [])


def test_sizes_in_one_assignment() -> None:
    checked = check(
        "V, H, L, F, P, T = 30522, 768, 12, 3072, 512, 2\nemb = (V + P + T) * H + 2 * H  # 23,837,184", "text"
    )
    assert (checked.dimensions["T"], checked.dimensions["P"]) == (2, 512)
    assert [claim.verdict for claim in checked.claims] == ["holds as"]


def test_an_encoder_and_a_decoder() -> None:
    # 15,676,928 − 10,152,448 = 5,524,480 = 2 · 5,395 · 512
    found = claims(TRANSFORMER)
    assert {claim.verdict for claim in found[:-1]} <= {"holds", "holds as"}
    total = found[-1]
    assert (total.verdict, total.value, total.expected) == ("does not add up", 10_152_448, 15_676_928)
    assert "2 × 5,395 × 512" in total.explanation
    assert "one matrix shared by all of them" in total.explanation
    assert next(claim for claim in found if claim.line == 13).explanation.startswith("the attention") or any(
        "decoder block" in claim.explanation for claim in found
    )


@pytest.mark.parametrize(
    ("text", "definition"),
    [
        # 4 · 110,106,428 = 440,425,712 bytes, and 440,425,712 / 1024² = 420.0
        ("BERT base: the file has 440 MB.", "pretraining"),
        ("BERT base: 440,473,133 bytes on disk", "pretraining"),
        ("BERT large takes 1.34 GB.", "backbone+pooler"),
        ("BERT base in fp16 takes 220 MB.", "fp16"),
    ],
)
def test_sizes_of_files(text: str, definition: str) -> None:
    (claim,) = claims(text)
    assert (claim.verdict, claim.unit) == ("holds as", "bytes")
    assert definition in claim.explanation


def test_a_size_of_a_file_that_nothing_has() -> None:
    assert claims("BERT base takes 300 MB.") == []


def test_an_arrow_behind_a_result_is_a_step_further() -> None:
    text = "BERT base: plus LayerNorm 2 × 768 = 1,536 → 23,837,184"
    assert "arithmetic wrong" not in {claim.verdict for claim in claims(text)}
    (claim,) = claims("12 × 768 × 12 → 110M")
    assert claim.verdict == "arithmetic wrong"


def test_figures_that_were_only_looked_up_are_announced() -> None:
    text = "BERT base\n\n" + "".join(
        f"The part has {7_000_001 + 1_003 * place:,} parameters.\n\n" for place in range(60)
    )
    checked = check(text, "text")
    (note,) = checked.notes
    assert note.endswith("figures were only looked up, and not searched for among sums as the first 40 were")
    assert checked.unread == ()


def test_a_right_total_over_rows_that_are_not_all_there() -> None:
    # 23,440,896 + 393,216 + 85,054,464 + 590,592: the segments and the layer norm, 2 · 1,536, have no row
    text = "BERT base\nword embeddings 23,440,896\nposition embeddings 393,216\nlayers 85,054,464\npooler 590,592\n"
    (total,) = [claim for claim in claims(text + "total 109,482,240\n") if claim.value == 109_482_240]
    assert (total.verdict, total.difference) == ("does not add up", 3_072)
    assert total.explanation.endswith("all the same, so that rows of 3,072 are not listed")
