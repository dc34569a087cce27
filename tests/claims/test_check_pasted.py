"""A summary in a text: its rows are judged as the readers of summaries read them."""

from pathlib import Path

import pytest

from reconcile.claims.claim import Checked
from reconcile.pipeline.check import check

SUMMARY = (Path(__file__).parents[2] / "docs" / "examples" / "bert-base-summary.txt").read_text(encoding="utf-8")
AROUND = "Our model is a BERT base:\n\n{}\n\nIt has 109,705,010 parameters.\n"


def verdicts(checked: Checked, text: str) -> set[tuple[str, str | None]]:
    return {(claim.verdict, claim.path) for claim in checked.claims if claim.text == text}


@pytest.mark.parametrize("text", [SUMMARY, AROUND.format(SUMMARY)])
def test_rows_have_the_components_that_read_gives_them(text: str) -> None:
    """The rows with 2,362,368 are attention layers by their names; the sizes are those of the rows, V = 30,000."""
    checked = check(text, "text")
    assert verdicts(checked, "2362368") == {("holds", "encoder.block[*].attention")}
    assert verdicts(checked, "4722432") == {("holds", "encoder.block[*].feed_forward")}
    assert verdicts(checked, "590592") == {("holds", "mlm.transform"), ("holds", "pooler")}
    assert not [claim for claim in checked.claims if claim.verdict not in ("holds", "holds as")]


def test_a_row_with_another_count_is_wrong() -> None:
    checked = check(SUMMARY.replace("2362368", "2362386", 1), "text")
    (wrong,) = (claim for claim in checked.claims if claim.verdict == "mismatch")
    assert (wrong.text, wrong.expected) == ("2362386", 2_362_368)


def test_what_only_looks_like_a_summary_is_prose() -> None:
    text = "The header is Layer (type) and Param #. BERT base has 109,482,240 parameters."
    assert verdicts(check(text, "text"), "109,482,240 parameters") == {("holds", "backbone+pooler")}


LISTING = """The first layers of bert-base-uncased:

bert.embeddings.word_embeddings.weight torch.Size([30522, 768]) 23440896
bert.encoder.layer.0.attention.self.query.weight torch.Size([768, 768]) 589824
bert.encoder.layer.0.intermediate.dense.weight torch.Size([3072, 768]) 2359926
"""


def test_rows_of_a_part_of_a_model_are_known_by_their_labels() -> None:
    """What is read layer by layer names no component; the words in its names do."""
    checked = check(LISTING, "text")
    assert verdicts(checked, "23440896") == {("holds", "embeddings.token")}
    assert verdicts(checked, "589824") == {("holds", "encoder.block[*].attention.query.kernel")}
    assert {claim.text for claim in checked.claims if claim.verdict in ("arithmetic wrong", "mismatch")} == {"2359926"}


def test_prose_that_begins_like_a_row_is_prose() -> None:
    text = f"{SUMMARY}\nE is not a size of BERT base, which has 109,482,240 parameters.\n"
    assert verdicts(check(text, "text"), "109,482,240 parameters") == {("holds", "backbone+pooler")}


CUT = """    Layer (type)                Output Shape              Param #
    =================================================================
     embedding (Embedding)       (None, 250, 100)          2000000
     bidirectional (Bidirectiona (None, 128)               84480
     dense (Dense)               (None, 32)                4128
     dense_1 (Dense)             (None, 1)                 33
    =================================================================
    Total params: {total}
    Trainable params: {total}
    Non-trainable params: 0
"""


def test_a_total_that_its_rows_come_to_holds_and_another_one_does_not() -> None:
    """The second line of the class that is cut is lost, and the row below is one of its own."""
    right = check(CUT.format(total=2088641), "text").claims
    assert [claim.verdict for claim in right if claim.value == 2088641] == ["holds", "holds"]
    wrong = check(CUT.format(total=2088461), "text").claims
    assert {claim.verdict for claim in wrong if claim.value == 2088461} <= {"does not add up", "cannot say"}
    assert "holds" not in {claim.verdict for claim in wrong if claim.value == 2088461}


@pytest.mark.parametrize("total", ["Total parameters: {}", "総パラメータ数: {}", "총 파라미터 수: {}"])
def test_the_total_of_a_printed_module_is_held_against_its_layers(total: str) -> None:
    module = (
        "Net(\n  (fc1): Linear(in_features=784, out_features=128, bias=True)\n"
        "  (fc2): Linear(in_features=128, out_features=10, bias=True)\n)\n\n"
    )
    right, wrong = (
        {claim.verdict for claim in check(module + total.format(count), "text").claims}
        for count in ("101,770", "101,514")
    )
    assert "does not add up" not in right
    assert "does not add up" in wrong


def test_a_row_with_the_shape_of_its_tensor_has_the_count_of_that_shape() -> None:
    rows = "fc.weight: torch.Size([64, 128]) = 8,192\nfc.bias: torch.Size([64]) = 64\n"
    rows += "out.weight: torch.Size([2, 64]) = 128\n"
    wrong = check(rows + "out.bias: torch.Size([2]) = 128\n", "text").claims
    assert [(claim.line, claim.expected) for claim in wrong if claim.verdict == "arithmetic wrong"] == [(4, 2)]
    assert not any(
        claim.verdict == "arithmetic wrong" for claim in check(rows + "out.bias: torch.Size([2]) = 2\n", "x").claims
    )
