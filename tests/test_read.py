"""`reconcile read`: pasted summaries of every kind end in a ledger that adds up, and what is odd is said."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sources.printers import PRINTERS, Row, boxed, cut, wrapped
from support import run

from reconcile.pipeline.read import read
from reconcile.report.reply import reply
from reconcile.report.types import Report

TF_KERAS = (0.3, 0.6, 0.7, 1.0)
"""Where the columns of tf-keras end, as parts of the line."""

BASE = {"V": 30_000, "P": 512, "H": 768, "F": 3072, "L": 12, "S": 500}


def bert_rows(V: int, P: int, H: int, F: int, L: int, S: int, heads: bool = True) -> list[Row]:  # noqa: N803
    """The rows of a keras-bert model: T = 2, every count by its formula."""
    whole = f"(None, {S}, {H})"
    rows = [
        Row("Input-Token", "InputLayer", f"[(None, {S})]", 0),
        Row("Input-Segment", "InputLayer", f"[(None, {S})]", 0),
        Row("Embedding-Token", "TokenEmbedding", f"[{whole}, ({V}, {H})]", V * H, ("Input-Token",)),
        Row("Embedding-Segment", "Embedding", whole, 2 * H, ("Input-Segment",)),
        Row("Embedding-Token-Segment", "Add", whole, 0, ("Embedding-Token", "Embedding-Segment")),
        Row("Embedding-Position", "PositionEmbedding", whole, P * H, ("Embedding-Token-Segment",)),
        Row("Embedding-Dropout", "Dropout", whole, 0, ("Embedding-Position",)),
        Row("Embedding-Norm", "LayerNormalization", whole, 2 * H, ("Embedding-Dropout",)),
    ]
    for block in range(1, L + 1):
        for part, kind, count in (
            ("MultiHeadSelfAttention", "MultiHeadAttention", 4 * (H * H + H)),
            ("FeedForward", "FeedForward", 2 * H * F + F + H),
        ):
            name = f"Encoder-{block}-{part}"
            before = rows[-1].name
            rows += [
                Row(name, kind, whole, count, (before,)),
                Row(f"{name}-Dropout", "Dropout", whole, 0, (name,)),
                Row(f"{name}-Add", "Add", whole, 0, (before, f"{name}-Dropout")),
                Row(f"{name}-Norm", "LayerNormalization", whole, 2 * H, (f"{name}-Add",)),
            ]
    if heads:
        last = rows[-1].name
        rows += [
            Row("MLM-Dense", "Dense", whole, H * H + H, (last,)),
            Row("MLM-Norm", "LayerNormalization", whole, 2 * H, ("MLM-Dense",)),
            Row("Extract", "Extract", f"(None, {H})", 0, (last,)),
            Row("MLM-Sim", "EmbeddingSimilarity", f"(None, {S}, {V})", V, ("MLM-Norm", "Embedding-Token")),
            Row("NSP-Dense", "Dense", f"(None, {H})", H * H + H, ("Extract",)),
            Row("NSP", "Dense", "(None, 2)", 2 * H + 2, ("NSP-Dense",)),
        ]
    return rows


def reconciled(text: str, **options: Any) -> Report:
    """The one report of a text."""
    (report,) = read(text, "pasted", **options)
    return report


def kinds(report: Report, severity: str | None = None) -> set[str]:
    """The kinds of a report's findings, of one severity or of all."""
    return {finding.kind for finding in report.findings if severity in (None, finding.severity)}


def said(report: Report, kind: str) -> str:
    """The sentences of the findings of one kind, one after the other."""
    return " ".join(item.explanation for item in report.findings if item.kind == kind)


def replaced(rows: Sequence[Row], name: str, **changes: Any) -> list[Row]:
    """The same rows with one changed."""
    from dataclasses import replace

    return [replace(row, **changes) if row.name == name else row for row in rows]


SIZES = st.fixed_dictionaries(
    {
        "V": st.integers(1_000, 60_000),
        "P": st.integers(2, 1024),
        "H": st.integers(1, 40).map(lambda heads: 16 * heads),
        "F": st.integers(1, 5_000),
        "L": st.integers(1, 26),
        "S": st.integers(2, 1024),
    }
)


@settings(max_examples=60)
@given(SIZES, st.booleans(), st.sampled_from(sorted(PRINTERS)))
def test_a_printed_bert_reconciles_to_its_own_dimensions(sizes: dict[str, int], heads: bool, printer: str) -> None:
    """Whatever Keras printed it, cut or wrapped: every parameter has its component, every dimension its size."""
    rows = bert_rows(**sizes, heads=heads)
    report = reconciled(PRINTERS[printer](rows))
    assert report.total == report.accounted == sum(row.params for row in rows)
    assert not report.unmapped
    assert "error" not in {item.severity for item in report.findings}
    assert sum(row.total for row in report.rows) == report.total
    got = {name: report.dimensions[name] for name in sizes}
    assert got == sizes
    assert report.dimensions["T"] == 2
    assert report.dimensions["A"] is None
    by_path = {part.path: part.actual for part in report.components}
    hidden, inner = sizes["H"], sizes["F"]
    for block in range(1, sizes["L"] + 1):
        assert by_path[f"encoder.block[{block}].attention"] == 4 * (hidden * hidden + hidden)
        assert by_path[f"encoder.block[{block}].feed_forward_norm"] == 2 * hidden
        assert by_path[f"encoder.block[{block}].feed_forward"] == 2 * hidden * inner + inner + hidden


def test_the_asker_s_summary_ends_in_the_derivation_of_both_numbers() -> None:
    """tf-keras wraps 23,040,000 after its seventh digit; a person reads 2,304,000."""
    report = reconciled(wrapped(bert_rows(**BASE), positions=TF_KERAS))
    assert report.total == 109_705_010
    assert said(report, "text-wrapped-digits").startswith(
        "your summary shows 2304000 for Embedding-Token, the count is 23,040,000"
    )
    text = "\n".join(line for answer in report.answers for line in (answer.title, *answer.lines))
    assert "Where 2,362,368 comes from" in text
    assert "4·(H² + H) = 4·(768² + 768) = 2,362,368" in text
    assert "21,261,312" not in text
    assert "Where 23,040,000 comes from: the token embedding" in text
    assert "V·H = 30000·768 = 23,040,000" in text


def test_the_reply_is_one_paragraph_with_the_numbers_of_the_question(tmp_path: Path) -> None:
    file = tmp_path / "pasted.txt"
    file.write_text(wrapped(bert_rows(**BASE), positions=TF_KERAS), encoding="utf-8")
    ran = run("read", file, "--answer")
    assert ran.status == 0
    assert ran.out.count("\n") == 1
    for figure in ("109,705,010", "2304000", "23,040,000", "2,362,368"):
        assert figure in ran.out
    assert "21,261,312" not in ran.out
    assert "(768·768·3 + 768·3)·12 = 21,261,312" in run("read", file, "--answer", "--mistakes").out


WRONG, OTHER = "not (H·H·3 + H·3)·A = (768·768·3 + 768·3)·12 = 21,261,312", "not A·H·H + H = "


@pytest.mark.parametrize(
    ("asked", "options", "told"),
    [
        ("", (), []),
        ("I had expected 21,261,312 of them.\n", (), [WRONG]),
        ("I had expected 21261312 of them.\n", (), [WRONG]),
        ("I had expected 21,261,312 of them.\n", ("--mistakes",), [WRONG, OTHER]),
        ("", ("--mistakes",), [WRONG, OTHER]),
    ],
)
def test_a_miscount_is_told_where_somebody_made_it_or_asked(
    tmp_path: Path, asked: str, options: tuple[str, ...], told: list[str]
) -> None:
    file = tmp_path / "pasted.txt"
    file.write_text(asked + wrapped(bert_rows(**BASE), positions=TF_KERAS), encoding="utf-8")
    out = run("read", file, *options).out
    assert [line for line in (WRONG, OTHER) if line in out] == told


def test_a_block_of_another_width_is_a_contradiction() -> None:
    """4·(512² + 512) = 1,050,624 where the rest has 4·(768² + 768)."""
    rows = replaced(bert_rows(**BASE), "Encoder-7-MultiHeadSelfAttention", params=1_050_624)
    report = reconciled(boxed(rows, (45, 30, 14, 40)))
    assert kinds(report, "error") == {"count"}
    text = said(report, "count")
    assert "encoder.block[7].attention has 1,050,624 parameters, which is 4·(H² + H) for H = 512" in text
    assert "the rest has H = 768" in text


def test_a_count_that_no_size_makes_is_a_contradiction_too() -> None:
    rows = replaced(bert_rows(**BASE), "Encoder-7-MultiHeadSelfAttention", params=2_362_369)
    report = reconciled(boxed(rows, (45, 30, 14, 40)))
    assert "2,362,369 parameters where 4·(H² + H) makes 2,362,368: +1" in said(report, "count")


def test_rows_cut_short_are_told_apart_by_their_place_and_count() -> None:
    """At 98 columns Keras 2 shows four rows of a block as `Encoder-1-MultiHeadSelfAttentio`."""
    text = cut(bert_rows(**BASE))
    assert text.count("Encoder-1-MultiHeadSelfAttentio ") == 4
    report = reconciled(text)
    assert not report.unmapped
    names = {part.path: part.items[0] for part in report.components if part.items}
    assert names["encoder.block[1].attention"] == names["encoder.block[1].attention_norm"]


def test_heads_are_read_from_the_text_around_where_it_states_them() -> None:
    text = "model = get_model(token_num=30000, head_num=12)\n" + wrapped(bert_rows(**BASE), positions=TF_KERAS)
    report = reconciled(text)
    assert report.dimensions["A"] == 12
    assert report.dimensions["D"] == 64
    assert "says A = 12" in said(report, "heads")
    assert "does not state it" in said(reconciled(wrapped(bert_rows(**BASE), positions=TF_KERAS)), "heads")


@pytest.mark.parametrize("stated", [7, 5000])
def test_heads_that_do_not_divide_the_width_are_not_believed(stated: int) -> None:
    assert reconciled(f"head_num={stated}\n" + wrapped(bert_rows(**BASE), positions=TF_KERAS)).dimensions["A"] is None


def test_a_position_table_as_long_as_the_sequence_is_explained_not_flagged() -> None:
    report = reconciled(wrapped(bert_rows(**{**BASE, "P": 128, "S": 128})))
    assert kinds(report, "error") == set()
    assert "128 rows" in said(report, "positions")
    assert "keras-bert cuts it" in said(report, "positions")


NESTED = [
    Row("input_1", "InputLayer", "(None, 128)", 0),
    Row("input_2", "InputLayer", "(None, 128)", 0),
    Row("model_2", "Model", "(None, 128, 768)", 101_677_056, ("input_1", "input_2")),
    Row("lambda_1", "Lambda", "(None, 768)", 0, ("model_2",)),
    Row("dense_1", "Dense", "(None, 2)", 1_538, ("lambda_1",)),
]


def test_an_optimizer_s_variables_are_no_parameters_of_the_model(tmp_path: Path) -> None:
    """101 + 204 of Adam: two slots of each parameter, a step and a rate."""
    text = cut([Row("x", "InputLayer", "(None, 100)", 0), Row("dense", "Dense", "(None, 1)", 101, ("x",))])
    text = text.replace("Total params: 101", "Total params: 305")
    file = tmp_path / "trained.txt"
    file.write_text(text + "Optimizer params: 204 (820.00 B)\n", "utf-8")
    ran = run("read", file)
    assert ran.out.splitlines()[0] == "Agrees: all 101 parameters of this model are verified."
    assert "Where 204 comes from" not in ran.out
    assert run("read", file, "--answer").out.startswith("Your summary adds up: all 101 parameters of this model")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("empty.safetensors", (2).to_bytes(8, "little") + b"{}", "Nothing is counted: no parameters are there."),
        ("config.json", b'{"model_type": "bert"}', "Computed, not counted: these settings make 109,482,240 parameters"),
    ],
)
def test_what_shows_no_count_does_not_add_up(name: str, content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    answer = run("read", tmp_path / name, "--answer").out
    assert answer.startswith(says)
    assert "adds up" not in answer
    assert "states no total" not in run("read", tmp_path / name).out


def test_what_is_fitted_has_no_place() -> None:
    answer = reply(reconciled(cut(NESTED)))
    assert answer.startswith(
        "Your summary adds up: all 101,678,594 parameters of this model have their place, but for 101,677,056 for which "
        "several models fit."
    )


def test_a_nested_model_is_explained_as_a_whole() -> None:
    """(21,128 + 512 + 2)·768 + 2·768 + 12·7,087,872 = 101,677,056; 768·2 + 2 = 1,538."""
    report = reconciled(cut(NESTED))
    assert [part.path for part in report.components] == ["backbone", "task.dense_1"]
    assert "101,677,056 fits `backbone` at V = 21,128 and 512 positions" in said(report, "whole")
    assert not report.totals  # of what one count fits nothing is known
    assert not report.unmapped


@pytest.mark.parametrize(
    ("name", "class_name", "count", "total", "known"),
    [
        ("bert", "TFBertMainLayer", 109_482_240, "backbone+pooler", "BERT base, uncased"),
        ("tf_bert_model", "TFBertModel", 335_141_888, "backbone+pooler", "BERT large, uncased"),
        ("roberta", "TFRobertaMainLayer", 124_645_632, "backbone+pooler", "RoBERTa base"),
        ("distilbert", "TFDistilBertMainLayer", 66_362_880, "backbone", "DistilBERT, uncased"),
        ("bert_backbone", "BertBackbone", 4_385_920, "backbone+pooler", "small BERT, 2 layers of 128"),
        ("roberta", "TFXLMRobertaModel", 559_890_432, "backbone+pooler", "XLM-R large"),
        # 30,000·128 + 512·128 + 2·128 + 2·128 + 128·768 + 768 + 7,087,872 + 590,592
        ("albert", "TFAlbertMainLayer", 11_683_584, "backbone+pooler", "ALBERT base"),
        # 30,522·128 + 512·128 + 2·128 + 2·128 + 128·256 + 256 + 12·789,760
        ("electra", "TFElectraMainLayer", 13_483_008, "backbone", "ELECTRA small"),
        ("electra", "TFElectraMainLayer", 108_891_648, "backbone", "ELECTRA base"),
        ("bert", "BertModelLayer", 108_890_112, "backbone", "BERT base, uncased but for T = 0"),
    ],
)
def test_one_row_models_are_recognised(name: str, class_name: str, count: int, total: str, known: str) -> None:
    rows = [Row("ids", "InputLayer", "(None, 128)", 0), Row(name, class_name, "multiple", count, ("ids",))]
    report = reconciled(cut(rows))
    assert [part.path for part in report.components] == [total]
    assert known in said(report, "whole")
    assert report.accounted == count


def test_tf_hub_s_flag_is_no_parameter() -> None:
    """109,482,240 + 1: the exporter attaches a scalar that is not trained."""
    rows = [
        Row("input_word_ids", "InputLayer", "(None, 128)", 0),
        Row("keras_layer", "KerasLayer", "[(None, 768), (None, 128, 768)]", 109_482_241, ("input_word_ids",)),
        Row("dense", "Dense", "(None, 1)", 769, ("keras_layer",)),
    ]
    text = cut(rows).replace("Trainable params: 109,483,010", "Trainable params: 109,483,009")
    text = text.replace("Non-trainable params: 0", "Non-trainable params: 1")
    report = reconciled(text)
    assert [(item.what, item.count) for item in report.excluded] == [("flag", 1)]
    assert report.accounted + 1 == report.total == 109_483_010
    assert report.residual == 0
    assert "1 non-trainable: 1 flag" in said(report, "frozen")


@pytest.mark.parametrize("class_name", ["BertLayer", "TFBertMainLayer", "TransformerBlock", "KerasLayer"])
def test_a_wrapper_that_shows_no_parameters_is_called_out(class_name: str) -> None:
    rows = [
        Row("ids", "InputLayer", "(None, 128)", 0),
        Row("bert", class_name, "(None, 768)", 0, ("ids",)),
        Row("dense", "Dense", "(None, 1)", 769, ("bert",)),
    ]
    report = reconciled(cut(rows))
    assert "shows 0 parameters although" in said(report, "hidden")
    assert "hidden" in kinds(report, "warning")


@pytest.mark.parametrize("class_name", ["Dropout", "Lambda", "InputLayer", "BertPreprocessor", "BertTokenizer"])
def test_layers_that_hold_nothing_are_not_called_out(class_name: str) -> None:
    rows = [Row("x", class_name, "(None, 768)", 0), Row("dense", "Dense", "(None, 1)", 769, ("x",))]
    assert "hidden" not in kinds(reconciled(cut(rows)))


def test_keras_own_attention_at_a_key_dim_of_the_whole_width_is_explained() -> None:
    """12 heads of 768 each: 3·(768·9,216 + 9,216) + 9,216·768 + 768 = 28,339,968, not 2,362,368."""
    rows = [
        Row("x", "InputLayer", "(None, 128, 768)", 0),
        Row("attention", "MultiHeadAttention", "(None, 128, 768)", 28_339_968, ("x",)),
    ]
    report = reconciled(boxed(rows, (40, 30, 14, 20)))
    assert report.components[0].sizes["n"] == 12 * 768
    assert "12 times that: Keras' key_dim is the size of one head" in said(report, "key-dim")
    right = reconciled(boxed([rows[0], Row("a", "MultiHeadAttention", "(None, 128, 768)", 2_362_368, ("x",))]))
    assert "key-dim" not in kinds(right)


HEADS = [
    ("Dense", "(None, 5)", 3_845, {"i": 768, "o": 5}),  # 768·5 + 5
    ("LSTM", "(None, 64)", 213_248, {"i": 768, "o": 64}),  # 4·((768 + 64)·64 + 64)
    ("GRU", "(None, 64)", 160_128, {"i": 768, "o": 64}),  # 3·((768 + 64)·64 + 2·64)
    ("GRU", "(None, 64)", 159_936, {"i": 768, "o": 64}),  # reset_after=False: 3·((768 + 64)·64 + 64)
    ("Bidirectional", "(None, 100)", 327_600, {"i": 768, "u": 50}),  # 2·4·((768 + 50)·50 + 50)
    ("Conv1D", "(None, 126, 32)", 73_760, {"i": 768, "o": 32, "k": 3}),  # 3·768·32 + 32
    ("BatchNormalization", "(None, 768)", 3_072, {"o": 768}),  # 4·768
    ("LayerNormalization", "(None, 768)", 1_536, {"o": 768}),
    ("CRF", "(None, 128, 7)", 5_446, {"i": 768, "o": 7}),  # 768·7 + 7² + 3·7
]


@pytest.mark.parametrize(("class_name", "shape", "count", "sizes"), HEADS, ids=[f"{h[0]} {h[2]}" for h in HEADS])
def test_task_heads_have_keras_own_formulas(class_name: str, shape: str, count: int, sizes: dict[str, int]) -> None:
    rows = [
        Row("ids", "InputLayer", "(None, 128)", 0),
        Row("bert", "TFBertMainLayer", "(None, 128, 768)", 109_482_240, ("ids",)),
        Row("head", class_name, shape, count, ("bert",)),
    ]
    report = reconciled(boxed(rows, (40, 30, 14, 20)))
    part = next(part for part in report.components if part.path == "task.head")
    assert part.actual == part.expected == count
    assert part.sizes == sizes
    assert not report.unmapped


def test_a_layer_that_no_formula_makes_is_unmapped_not_guessed() -> None:
    rows = [
        Row("x", "InputLayer", "(None, 768)", 0),
        Row("dense", "Dense", "(None, 5)", 3_847, ("x",)),  # 768·5 + 5 = 3,845
        Row("odd", "MyOwnLayer", "(None, 5)", 1_234, ("dense",)),
    ]
    report = reconciled(cut(rows))
    assert [item.name for item in report.unmapped] == ["dense", "odd"]
    assert "no formula of Dense makes 3,847" in said(report, "unmapped")
    assert report.accounted == report.total == 3_847 + 1_234


def test_what_is_no_bert_is_read_fully_and_said_to_be_none() -> None:
    rows = [
        Row("embedding", "Embedding", "(None, None, 128)", 2_560_000),  # 20,000·128
        Row("bidirectional", "Bidirectional", "(None, None, 128)", 98_816),  # 8·((128 + 64)·64 + 64)
        Row("dense", "Dense", "(None, 1)", 129),
    ]
    report = reconciled(boxed(rows))
    assert report.subject.architecture is None
    assert "no-bert" in kinds(report)
    assert [part.path for part in report.components] == ["task.embedding", "task.bidirectional", "task.dense"]
    assert not report.unmapped


def test_a_matrix_shown_in_two_rows_is_counted_once() -> None:
    """The rows add up to 1,000·64 + 100·64 + 1,000·64, the total is 64,000 less."""
    rows = [
        Row("ids", "InputLayer", "(None, 12)", 0),
        Row("token_embedding", "Embedding", "(None, 12, 64)", 64_000, ("ids",)),
        Row("position", "Embedding", "(None, 12, 64)", 6_400, ("token_embedding",)),
        Row("reverse_embedding", "ReverseEmbedding", "(None, 12, 1000)", 64_000, ("position",)),
    ]
    text = boxed(rows, (40, 30, 14, 30)).replace("134,400", "70,400")
    report = reconciled(text)
    assert report.residual == 0
    assert report.total == 70_400
    assert "64,000 of reverse_embedding are counted in the row token_embedding too" in said(report, "tied-row")


def test_a_total_that_the_rows_do_not_make_is_an_error() -> None:
    text = cut(NESTED).replace("Total params: 101,678,594", "Total params: 101,678,000")
    report = reconciled(text)
    assert report.residual == -594
    assert "row-sum" in kinds(report, "error")
    assert "101,678,594 and the total is 101,678,000, 594 less" in said(report, "row-sum")


def test_a_row_that_was_cut_away_is_named_by_what_is_missing() -> None:
    """Without block 7's feed-forward the rows lack 4,722,432."""
    rows = bert_rows(**BASE)
    text = wrapped([row for row in rows if row.name != "Encoder-7-FeedForward"], positions=TF_KERAS)
    report = reconciled(text.replace("104,982,578", "109,705,010"))
    assert report.residual == 4_722_432
    assert "gap" in kinds(report, "warning")
    assert "just what encoder.block[7].feed_forward would have" in said(report, "row-sum")


def test_a_nested_model_shown_as_a_row_and_row_by_row_is_counted_once() -> None:
    """Rows of 770 + 769 + 1 under a total of 770: the model's row repeats its layers'."""
    rows = [
        Row("x", "InputLayer", "(None, 768)", 0),
        Row("model", "Functional", "(None, 2)", 770, ("x",)),
        Row("one", "Dense", "(None, 1)", 769, ("x",)),  # 768 + 1
        Row("two", "Lambda", "(None, 1)", 0, ("one",)),
        Row("three", "BiasAdd", "(None, 1)", 1, ("two",)),
    ]
    report = reconciled(boxed(rows).replace("1,540", "770"))
    assert report.residual == 0
    assert [part.items for part in report.components] == [("one",), ("three",)]


@pytest.mark.parametrize(
    ("class_name", "last", "total"),
    [
        ("Normalizer", 1, 770),  # no model, so that nothing of it stands below it
        ("Functional", 5, 774),  # 769 + 5 are not its 770
    ],
)
def test_a_row_that_repeats_no_rows_below_it_stays(class_name: str, last: int, total: int) -> None:
    rows = [
        Row("x", "InputLayer", "(None, 768)", 0),
        Row("model", class_name, "(None, 2)", 770, ("x",)),
        Row("one", "Dense", "(None, 1)", 769, ("x",)),
        Row("two", "BiasAdd", "(None, 1)", last, ("one",)),
    ]
    text = boxed(rows)
    report = reconciled(text.replace(f"{770 + 769 + last:,}", f"{total:,}"))
    placed = [line.placed.layer.name for line in report.layers if line.placed.node or line.placed.what]
    assert "model" in placed


def test_a_nested_model_of_one_row_is_said_to_be_one() -> None:
    rows = [Row("x", "InputLayer", "(None, 8)", 0), Row("model", "Sequential", "(None, 2)", 771, ("x",))]
    (item,) = reconciled(cut(rows)).unmapped
    assert item.why == "a nested model shown as one row: its layers are not in the text"
    odd = [Row("x", "InputLayer", "(None, 8)", 0), Row("model", "MyOwnLayer", "(None, 2)", 771, ("x",))]
    (item,) = reconciled(cut(odd)).unmapped
    assert item.why == "no formula is known for the class MyOwnLayer"


def test_optimizer_slots_are_no_parameters() -> None:
    """Keras 3 counts them in the total: 769 + 2·769 + 2."""
    rows = [Row("x", "InputLayer", "(None, 768)", 0), Row("dense", "Dense", "(None, 1)", 769, ("x",))]
    text = boxed(rows).replace("Total params: 769", "Total params: 2,309")
    text += " Optimizer params: 1,540 (6.02 KB)\n"
    report = reconciled(text)
    assert report.total == 2_309
    assert report.accounted == 769
    assert [(item.what, item.count) for item in report.excluded] == [("optimizer", 1_540)]
    assert report.residual == 0
    assert "error" not in {item.severity for item in report.findings}
    without = reconciled(text.replace(" Optimizer params: 1,540 (6.02 KB)\n", ""))
    assert [(item.what, item.count) for item in without.excluded] == [("optimizer", 1_540)]
    assert without.residual == 0


def test_a_cut_count_is_recovered_where_one_is_possible_and_marked() -> None:
    """The total leaves 2,560,000 for the row that shows 2,56…"""
    rows = [
        Row("embedding", "Embedding", "(None, None, 128)", 2_560_000),
        Row("dense", "Dense", "(None, 1)", 129),
    ]
    text = boxed(rows, (30, 24, 9, 20))
    assert "2,560,…" in text
    report = reconciled(text)
    assert report.components[0].actual == 2_560_000
    assert "shows 2,560,…, which is cut; only 2,560,000 fits" in said(report, "text-recovered-count")


def test_a_cut_count_that_could_be_several_stays_unknown() -> None:
    rows = [
        Row("one", "Embedding", "(None, None, 128)", 2_560_000),
        Row("two", "Embedding", "(None, None, 128)", 2_560_128),
        Row("dense", "Dense", "(None, 1)", 129),
    ]
    report = reconciled(boxed(rows, (30, 24, 9, 20)))
    assert {"text-cut-count", "unmapped", "row-sum"} <= kinds(report)
    assert [layer.placed.layer.params for layer in report.layers] == [None, None, 129]


def frozen(rows: list[Row], count: int) -> str:
    """The rows printed with so many of the parameters not trainable."""
    total = sum(row.params for row in rows)
    text = cut(rows).replace(f"Trainable params: {total:,}", f"Trainable params: {total - count:,}", 1)
    return text.replace("Non-trainable params: 0", f"Non-trainable params: {count:,}")


@pytest.mark.parametrize(
    ("rows", "count", "words"),
    [
        (NESTED, 101_677_056, "the whole model below the task heads"),
        (NESTED, 85_054_464, "no set of whole parts makes"),  # the rows show no encoder
        (bert_rows(**BASE), 23_436_288, "`embeddings`"),
        (bert_rows(**BASE), 85_054_464, "`encoder`"),
        (bert_rows(**BASE), 85_054_465, "no set of whole parts makes"),
    ],
)
def test_a_frozen_part_is_named_where_the_split_determines_it(rows: list[Row], count: int, words: str) -> None:
    report = reconciled(frozen(rows, count))
    assert words in said(report, "frozen")


def test_frozen_lower_blocks_are_found() -> None:
    """Embeddings 23,436,288 and 3 blocks of 7,087,872 = 44,699,904."""
    report = reconciled(frozen(bert_rows(**BASE), 23_436_288 + 3 * 7_087_872))
    assert "`embeddings` and blocks 1 to 3" in said(report, "frozen")


def test_moving_averages_are_never_trained() -> None:
    rows = [Row("x", "InputLayer", "(None, 768)", 0), Row("bn", "BatchNormalization", "(None, 768)", 3_072, ("x",))]
    text = said(reconciled(frozen(rows, 1_536)), "frozen")
    assert "1,536 moving means and variances of bn" in text


def test_a_pasted_model_is_compared_with_the_one_that_was_meant() -> None:
    same = reconciled(wrapped(bert_rows(**BASE), positions=TF_KERAS), meant="stackexchange-bert-base")
    assert "meant-same" in kinds(same)
    assert "error" not in {item.severity for item in same.findings}
    other = reconciled(wrapped(bert_rows(**{**BASE, "V": 30_522, "L": 11})), meant="stackexchange-bert-base")
    assert kinds(other, "error") == {"meant-other"}
    # 401,418 more words less one block of 7,087,872
    assert said(other, "meant-other") == (
        "stackexchange-bert-base means a model of 109,705,010 parameters, and 103,018,556 are there (−6,686,454): this "
        "has 522 more words and 1 fewer block; everything else agrees."
    )
    without = reconciled(wrapped(bert_rows(**BASE, heads=False)), meant="stackexchange-bert-base")
    assert kinds(without, "error") == {"meant-other"}
    assert "this has no pooler, no masked language model head and no next sentence classifier" in said(
        without, "meant-other"
    )


def test_several_summaries_are_all_listed_and_one_can_be_chosen(tmp_path: Path) -> None:
    file = tmp_path / "two.txt"
    file.write_text(
        cut(NESTED) + "\nand the second\n" + wrapped(bert_rows(**BASE), positions=TF_KERAS), encoding="utf-8"
    )
    both = json.loads(run("read", file, "--format", "json").out)
    assert [report["total"] for report in both["reports"]] == [101_678_594, 109_705_010]
    assert json.loads(run("read", file, "--format", "json", "--index", "2").out)["total"] == 109_705_010
    text = run("read", file).out
    assert "2 models" in text
    assert "\n1. Agrees as far as it can be checked: of the 101,678,594 parameters" in text
    refused = run("read", file, "--index", "3")
    assert refused.status == 2
    assert "1 to 2, the models that are there" in refused.err


def test_a_notebook_is_read_as_it_is(tmp_path: Path) -> None:
    lines = wrapped(bert_rows(**BASE), positions=TF_KERAS).splitlines(keepends=True)
    outputs = [{"output_type": "stream", "name": "stdout", "text": lines}]
    cells = [{"cell_type": "code", "source": ["model.summary()"], "outputs": outputs}]
    file = tmp_path / "bert.ipynb"
    file.write_text(json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}), encoding="utf-8")
    assert json.loads(run("read", file, "--format", "json").out)["total"] == 109_705_010


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (b"nothing of the kind\n", "no summary"),
        (b"", "an empty file"),
        (b"\x00\x01\x02", "bytes of no kind of file"),
        (b"\xff\xfe\x00", "utf-16"),
    ],
)
def test_what_is_no_summary_is_refused_in_one_line(tmp_path: Path, content: bytes, wrong: str) -> None:
    file = tmp_path / "pasted.txt"
    file.write_bytes(content)
    ran = run("read", file)
    assert ran.status == 2
    assert ran.out == ""
    assert wrong in ran.err
    assert ran.err.count("\n") == 1


def test_a_file_or_the_clipboard_must_be_named() -> None:
    assert run("read").status == 2
    assert run("read", "x", "--clip").status == 2
    assert "no such file" in run("read", "/no/such/file").err


def test_the_clipboard_is_read_with_the_tool_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "xclip"
    (tmp_path / "copied.txt").write_text(cut(NESTED), encoding="utf-8")
    tool.write_text(f"#!/bin/sh\n/bin/cat {tmp_path}/copied.txt\n", encoding="utf-8")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert json.loads(run("read", "--clip", "--format", "json").out)["total"] == 101_678_594
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    refused = run("read", "--clip")
    assert refused.status == 2
    assert "no clipboard tool" in refused.err


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_read_in_the_encoding_it_was_saved_in(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "pasted.txt"
    file.write_text(boxed(bert_rows(**BASE), (45, 30, 14, 40)), encoding=encoding)
    assert json.loads(run("read", file, "--format", "json").out)["total"] == 109_705_010


def test_json_lists_every_layer_with_its_component_and_terms(tmp_path: Path) -> None:
    file = tmp_path / "pasted.txt"
    file.write_text(wrapped(bert_rows(**BASE), positions=TF_KERAS), encoding="utf-8")
    report = json.loads(run("read", file, "--format", "json").out)
    layer = next(item for item in report["layers"] if item["name"] == "Encoder-1-MultiHeadSelfAttention")
    assert layer["params"] == 2_362_368
    assert layer["components"] == ["encoder.block[1].attention"]
    assert layer["parts"] == [{"text": "4·(H² + H)", "value": 2_362_368}]
    assert sum(item["params"] for item in report["layers"]) == report["total"]
    tied = [part for part in report["components"] if part["tied_to"]]
    assert [part["path"] for part in tied] == ["mlm.decoder.kernel"]
    stored = sum(part["actual"] for part in report["components"] if not part["tied_to"])
    assert stored + sum(item["params"] for item in report["unmapped"]) == report["accounted"] == report["total"]


def bert4keras_rows(hidden: int, blocks: int, prefix: str = "") -> list[Row]:
    """The encoder of a bert4keras model: blocks counted from 0, F = 4H, V = 100."""
    whole = f"(None, None, {hidden})"
    rows = [
        Row(f"{prefix}Embedding-Token", "Embedding", whole, 100 * hidden),
        Row(f"{prefix}Embedding-Norm", "LayerNormalization", whole, 2 * hidden),
    ]
    for block in range(blocks):
        name = f"{prefix}Transformer-{block}"
        rows += [
            Row(f"{name}-MultiHeadSelfAttention", "MultiHeadAttention", whole, 4 * (hidden * hidden + hidden)),
            Row(f"{name}-MultiHeadSelfAttention-Norm", "LayerNormalization", whole, 2 * hidden),
            Row(f"{name}-FeedForward", "FeedForward", whole, 8 * hidden * hidden + 5 * hidden),
            Row(f"{name}-FeedForward-Norm", "LayerNormalization", whole, 2 * hidden),
        ]
    return rows


@pytest.mark.parametrize("printer", ["Keras 2", "tf-keras"])
def test_bert4keras_counts_its_blocks_from_0_and_may_hold_a_second_model(printer: str) -> None:
    rows = [*bert4keras_rows(768, 3), *bert4keras_rows(128, 2, "Expert-")]
    report = reconciled(PRINTERS[printer](rows))
    assert report.subject.dialect == "bert4keras"
    assert not report.unmapped
    counts = {(part.model, part.path): part.actual for part in report.components}
    assert counts["", "encoder.block[1].attention"] == counts["", "encoder.block[3].attention"] == 2_362_368
    assert counts["Expert", "encoder.block[2].attention"] == 4 * (128 * 128 + 128)
    assert report.dimensions["L"] is None, "the two models have different depths"
    assert "holds 2 models" in said(report, "copies")
