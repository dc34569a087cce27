"""Documents: models side by side, addresses of components, and an attention layer cut into its heads."""

import pytest
from shown import made_up, pasted

from reconcile.report.document import document

SMALL = {"L": 2, "H": 64, "V": 100, "P": 32, "F": 128, "A": 4, "D": 16}


def test_every_branch_has_an_address_of_its_own() -> None:
    both = document([made_up(**SMALL), made_up(**SMALL)])
    every = [anchor for shown in both.models for anchor in shown.anchors]
    assert len(set(every)) == len(every) == 2 * sum(1 for _ in both.models[0].tree.walk())
    assert "2-encoder.block[1..2].attention" in every
    assert "encoder.block[1..12].attention" in document([pasted()]).models[0].anchors


def test_addresses_hold_no_markup() -> None:
    (shown,) = document([made_up(heads={'"><script> x': (4, 2)}, **SMALL)]).models
    assert not {sign for anchor in shown.anchors for sign in anchor} & set("<>\"' &#")


def test_a_column_adds_up_to_its_total() -> None:
    models = [made_up("one", **SMALL), made_up("two", options=["pooler"], **{**SMALL, "L": 3})]
    table = document(models).table
    assert table is not None
    assert table.names == ("one", "two")
    for column, report in enumerate(models):
        assert sum(row.counts[column] or 0 for row in table.rows) == table.totals[column] == report.total
    attention = next(row for row in table.rows if row.path == "encoder.block[*].attention")
    assert attention.counts == (2 * 4 * (64 * 64 + 64), 3 * 4 * (64 * 64 + 64))
    assert attention.differs
    assert next(row for row in table.rows if row.path == "nsp").counts == (2 * (64 + 1), None)
    assert not next(row for row in table.rows if row.path == "embeddings.token").differs


def test_models_of_one_name_are_numbered() -> None:
    table = document([made_up(**SMALL), made_up(**SMALL)]).table
    assert table is not None
    assert table.names == ("made-up (1)", "made-up (2)")


def test_heads_cut_a_matrix_and_change_no_count() -> None:
    for many, width in ((4, 16), (2, 32)):
        heads = document([made_up(**{**SMALL, "A": many, "D": width})]).models[0].heads
        assert heads is not None
        assert not heads.assumed
        assert [one.name for one in heads.matrices] == ["query.kernel", "key.kernel", "value.kernel", "output.kernel"]
        assert {one.size for one in heads.matrices} == {64 * 64}
        assert {one.width * one.heads for one in heads.matrices} == {64}
        assert [one.by_columns for one in heads.matrices] == [True, True, True, False]


def test_a_summary_says_no_number_of_heads_and_the_usual_one_is_said_to_be_assumed() -> None:
    heads = document([pasted()]).models[0].heads
    assert heads is not None
    assert heads.assumed
    assert {(one.heads, one.width) for one in heads.matrices} == {(12, 64)}


@pytest.mark.parametrize("title", ["", "A title"])
def test_a_document_has_a_title(title: str) -> None:
    assert document([made_up(**SMALL)], title).title == (title or "a model called made-up")
