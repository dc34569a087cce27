"""One model in every form that Keras prints and that copying leaves: the same layers are read from all of them."""

import html
import json
import re
from collections.abc import Callable

import pytest
from printers import PRINTERS, Row, boxed, cut, markdown, wrapped

from reconcile.errors import InputError
from reconcile.inventory import Inventory
from reconcile.sources.summary import read_text

ROWS = [
    Row("Input-Token", "InputLayer", "[(None, 512)]", 0),
    # 30,522·768 = 23,440,896
    Row("Embedding-Token", "TokenEmbedding", "[(None, 512, 768), (30522, 768)]", 23_440_896, ("Input-Token",)),
    # 4·(768² + 768) = 2,362,368
    Row("Encoder-1-MultiHeadSelfAttention", "MultiHeadAttention", "(None, 512, 768)", 2_362_368, ("Embedding-Token",)),
    Row("Encoder-1-Add", "Add", "(None, 512, 768)", 0, ("Embedding-Token", "Encoder-1-MultiHeadSelfAttention")),
    # 2·768 = 1,536
    Row("Encoder-1-Norm", "LayerNormalization", "(None, 512, 768)", 1_536, ("Encoder-1-Add",)),
    # 768·2 + 2 = 1,538
    Row("NSP", "Dense", "(None, 2)", 1_538, ("Encoder-1-Norm",)),
]
NESTED = [
    Row("input_1", "InputLayer", "[(None, 8)]", 0),
    # 8·8 + 8 = 72, and again
    Row("backbone", "Functional", "(None, 8)", 144, ("input_1",)),
    Row("first", "Dense", "(None, 8)", 72, ("input_2",), 1),
    Row("deep", "Sequential", "(None, 8)", 72, ("first",), 1),
    Row("second", "Dense", "(None, 8)", 72, (), 2),
    Row("last", "Dense", "(None, 1)", 9, ("backbone",)),
]
COUNTS = [0, 23_440_896, 2_362_368, 0, 1_536, 1_538]
TOTAL = 25_806_338


def one(text: str) -> Inventory:
    (inventory,) = read_text(text, "pasted")
    return inventory


def counts(inventory: Inventory) -> list[int | None]:
    return [layer.params for layer in inventory.layers]


@pytest.mark.parametrize("printed", PRINTERS)
def test_every_keras_is_read(printed: str) -> None:
    inventory = one(PRINTERS[printed](ROWS))
    assert counts(inventory) == COUNTS
    assert sum(COUNTS) == TOTAL
    assert (inventory.total, inventory.trainable, inventory.non_trainable) == (TOTAL, TOTAL, 0)
    assert inventory.remarks == ()
    assert [layer.inbound for layer in inventory.layers][1] == ("Input-Token",)
    for layer, row in zip(inventory.layers, ROWS, strict=True):
        assert layer.name == row.name or (layer.name_cut and row.name.startswith(layer.name))
        assert layer.class_name == row.class_name or (layer.class_cut and row.class_name.startswith(layer.class_name))


@pytest.mark.parametrize("printed", [name for name in PRINTERS if name not in ("Keras 1", "Keras 2")])
def test_rows_of_a_nested_model_are_deeper(printed: str) -> None:
    inventory = one(PRINTERS[printed](NESTED))
    assert [(layer.name, layer.params, layer.depth) for layer in inventory.layers] == [
        (row.name, row.params, row.depth) for row in NESTED
    ]


def prefixed(prefix: str) -> Callable[[str], str]:
    return lambda text: "".join(f"{prefix}{line}\n" for line in text.splitlines())


def numbered(form: str) -> Callable[[str], str]:
    return lambda text: "".join(form.format(number, line) for number, line in enumerate(text.splitlines(), 1))


def coloured(text: str) -> str:
    text = re.sub(r"(\d+)", "\x1b[38;5;34m\\1\x1b[0m", text)
    return re.sub(r"(Layer \(type\)|Total params: )", "\x1b[1m\\1\x1b[0m", text)


def as_html(text: str) -> str:
    lines = (html.escape(line).replace("None", '<span style="color: #00d7ff">None</span>') for line in text.split("\n"))
    return '<pre style="white-space:pre">' + "\n".join(lines) + "</pre>"


def as_notebook(text: str) -> str:
    lines = text.splitlines(keepends=True)
    stream = {"output_type": "stream", "name": "stdout", "text": lines}
    return json.dumps({"cells": [{"cell_type": "code", "source": [], "outputs": [stream]}], "nbformat": 4})


def as_source_of_a_notebook(text: str) -> str:
    """The raw lines of a notebook's JSON, cut out of it."""
    return "".join(f"      {json.dumps(line, ensure_ascii=False)},\n" for line in text.splitlines(keepends=True))


COPIES: dict[str, Callable[[str], str]] = {
    "as printed": str,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CRLF twice": lambda text: text.replace("\n", "\r\r\n"),
    "old Mac": lambda text: text.replace("\n", "\r"),
    "byte-order mark": lambda text: "\ufeff" + text,
    "Python comment": prefixed("# "),
    "comment without blank": prefixed("#"),
    "quotation": prefixed("> "),
    "Go comment": prefixed("//\t"),
    "indented": prefixed("        "),
    "tab": prefixed("\t"),
    "log": prefixed("2020-01-02 03:04:05,678 INFO train: "),
    "trailing blanks lost": lambda text: "".join(f"{line.rstrip()}\n" for line in text.splitlines()),
    "comment, blanks lost": lambda text: "".join(f"# {line}".rstrip() + "\n" for line in text.splitlines()),
    "line numbers": numbered("{:4d} {}\n"),
    "line numbers with colon": numbered("{:>3}: {}\n"),
    "line numbers on the left": numbered("{:<4}{}\n"),
    "non-breaking spaces": lambda text: text.replace(" ", "\u00a0"),
    "colours": coloured,
    "colours, escape lost": lambda text: coloured(text).replace("\x1b", ""),
    "colours as cat -v shows them": lambda text: coloured(text).replace("\x1b", "^["),
    "HTML": as_html,
    "notebook": as_notebook,
    "notebook's lines": as_source_of_a_notebook,
    "code fence": lambda text: f"# My model\n\n```\n{text}```\n\nIs this right?\n",
    "docstring": lambda text: f'def build():\n    """Build it.\n\n{text}    """\n    return model(1)\n',
    "double-spaced": lambda text: text.replace("\n", "\n\n"),
    "after a training log": lambda text: f"Epoch 1/2\n10/10 [====] - 1s 2ms/step - loss: 0.1\n{text}Epoch 1/2\n",
    "string literal": lambda text: repr(text),
    "UTF-8 read as latin-1": lambda text: text.encode().decode("latin-1"),
}


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("printed", PRINTERS)
def test_a_copy_reads_as_the_original(printed: str, copied: str) -> None:
    text = PRINTERS[printed](ROWS)
    original, copy = one(text), one(COPIES[copied](text))
    assert copy.layers == original.layers
    assert (copy.total, copy.trainable, copy.non_trainable) == (
        original.total,
        original.trainable,
        original.non_trainable,
    )
    assert copy.remarks == ()


@pytest.mark.parametrize("copied", [name for name in COPIES if name not in ("log",)])
@pytest.mark.parametrize("printed", ["TensorFlow 2.7", "tf-keras", "Keras 3"])
def test_a_copy_of_nested_models_reads_as_the_original(printed: str, copied: str) -> None:
    text = PRINTERS[printed](NESTED)
    assert one(COPIES[copied](text)).layers == one(text).layers


def test_a_notebook_shows_the_parts_of_a_summary_as_outputs_of_their_own() -> None:
    # Keras 3 prints a model's name, its table and each total apart: as HTML, and as text with colours.
    lines = boxed(ROWS).splitlines()
    parts = [lines[0], "\n".join(lines[1:-3]), *lines[-3:]]
    shown = [
        {"output_type": "display_data", "data": {"text/html": [as_html(part)], "text/plain": [coloured(part)]}}
        for part in parts
    ]
    only_html = [{"output_type": "display_data", "data": {"text/html": as_html(part)}} for part in parts]
    cells = [{"cell_type": "markdown", "source": "text"}, {"outputs": shown}, {"outputs": []}, {"outputs": only_html}]
    found = read_text(json.dumps({"cells": cells}), "pasted")
    assert [(counts(inventory), inventory.total) for inventory in found] == [(COUNTS, TOTAL)] * 2


def test_markdown_table() -> None:
    inventory = one(markdown(ROWS))
    assert counts(inventory) == COUNTS
    assert inventory.total == TOTAL


def test_several_summaries_are_read_in_order() -> None:
    texts = [cut(ROWS), wrapped(NESTED), boxed(ROWS[:2]), cut(ROWS[2:])]
    found = read_text("\nand then\n".join(texts), "pasted")
    assert [len(inventory.layers) for inventory in found] == [6, 6, 2, 4]


def test_counts_wrapped_over_two_lines_are_put_together_and_told() -> None:
    # 30,000·768 = 23,040,000 in a column of seven characters
    row = Row("Embedding", "Embedding", "(None, 5, 768)", 23_040_000)
    inventory = one(wrapped([row], 98, (0.3, 0.6, 0.7, 1.0)))
    assert "2304000 " in wrapped([row], 98, (0.3, 0.6, 0.7, 1.0))
    assert counts(inventory) == [23_040_000]
    (remark,) = inventory.remarks
    assert (remark.kind, remark.where, remark.shown, remark.value) == (
        "wrapped-digits", "Embedding", "2304000", 23_040_000,
    )  # fmt: skip


@pytest.mark.parametrize("total", ["25,000,000", None])
def test_digits_that_do_not_fill_their_line_are_not_put_together(total: str | None) -> None:
    text = wrapped([Row("Embedding", "Embedding", "(None, 5, 768)", 23_040_000)], 98, (0.3, 0.6, 0.7, 1.0))
    text = text.replace("2304000 ", "230400  ")
    text = text.replace("Total params: 23,040,000", f"Total params: {total}" if total else "")
    (remark, *_) = one(text).remarks
    assert counts(one(text)) == [None]
    assert remark.kind == "cut-count"


def test_an_ellipsis_leaves_no_count_but_what_is_visible() -> None:
    inventory = one(boxed(ROWS, (31, 25, 9, 20)))
    assert counts(inventory) == [0, None, None, 0, 1_536, 1_538]
    assert [(remark.kind, remark.where, remark.shown) for remark in inventory.remarks] == [
        ("cut-count", "Embedding-Token", "23,440\u2026"),
        ("cut-count", "Encoder-1-MultiHeadSelfAtten", "2,362,\u2026"),
    ]


def test_a_count_that_fills_its_column_is_believed_only_if_the_rows_add_up() -> None:
    rows = [Row("a", "Dense", "(None, 2)", 123), Row("b", "Dense", "(None, 2)", 4)]
    narrow = (0.33, 0.55, 0.65, 1.0)  # three characters for a count on 40
    assert counts(one(cut(rows, 40, narrow))) == [123, 4]
    longer = [Row("a", "Dense", "(None, 2)", 123_456), rows[1]]
    assert " 123 " in cut(longer, 40, narrow)
    assert counts(one(cut(longer, 40, narrow))) == [None, 4]


def test_a_table_cropped_by_a_narrow_console_has_no_counts() -> None:
    # Keras 3 on a console narrower than `line_length` crops the lines in the middle of a count.
    text = "\n".join(line[:65] for line in boxed(ROWS).splitlines())
    inventory = one(text + "\n")
    assert len(inventory.layers) == len(ROWS)
    assert set(counts(inventory)) == {None}


@pytest.mark.parametrize(
    ("lost", "params"),
    [
        (1, [0, 144, 72, 72, 72, 9]),  # right behind the counts: 144 + 9 = 153, 72 + 72 = 144 and 72
        (2, [None] * 6),  # 7 + 7 are 14, and 14 is not the total
    ],
)
def test_counts_inside_a_nested_model_are_believed_if_they_add_up_to_its_own(
    lost: int, params: list[int | None]
) -> None:
    lines = boxed(NESTED).splitlines()
    end = next(line.index("144") for line in lines if "144" in line) + len("144") + 1 - lost
    inventory = one("\n".join(line[:end] if "│" in line else line for line in lines) + "\n")
    assert counts(inventory) == params
    assert ("cut-count" in {remark.kind for remark in inventory.remarks}) == (None in params)


@pytest.mark.parametrize(
    ("shown", "params", "kind"),
    [
        ("0 (unused)", 0, "unused"),
        ("0 (unbuilt)", 0, "unbuilt"),
        ("?", None, "no-count"),
        ("multiple", None, "no-count"),
        ("1,315,\u2026", None, "cut-count"),
        ("1,31", None, "cut-count"),
        ("66M", None, "cut-count"),
        ("?\u2026", None, "cut-count"),
    ],
)
def test_what_stands_for_a_count(shown: str, params: int | None, kind: str) -> None:
    text = boxed(ROWS[:1]).replace("           0 ", shown.rjust(12) + " ")
    assert shown in text
    inventory = one(text)
    assert counts(inventory) == [params]
    assert (inventory.remarks[0].kind, inventory.remarks[0].shown) == (kind, shown)


def test_a_layer_that_was_never_called() -> None:
    text = cut(ROWS, 98).replace("(None, 2)            1538      ", "multiple             0 (unused)")
    assert (counts(one(text))[-1], one(text).remarks[0].kind) == (0, "unused")


@pytest.mark.parametrize("printed", ["Keras 2", "TensorFlow 2.7", "tf-keras", "Keras 3"])
def test_head_and_foot_cut_away(printed: str) -> None:
    lines = PRINTERS[printed](ROWS).splitlines(keepends=True)
    head = next(place for place, line in enumerate(lines) if "Input-Token" in line)
    foot = next(place for place, line in enumerate(lines) if "Total" in line)
    headless, footless = one("".join(lines[head:])), one("".join(lines[:foot]))
    neither = one("".join(lines[head:foot]))
    assert counts(headless) == counts(footless) == counts(neither) == COUNTS
    assert [remark.kind for remark in headless.remarks] == ["no-header"]
    assert [remark.kind for remark in footless.remarks] == ["no-footer"]
    assert [remark.kind for remark in neither.remarks] == ["no-header", "no-footer"]
    assert neither.total is None


@pytest.mark.parametrize("printed", PRINTERS)
def test_a_log_between_rows_is_told_and_changes_no_count(printed: str) -> None:
    log = "WARNING:tensorflow:From /lib/python3.6/keras/optimizers.py:790: The name 5 is deprecated.\n\n"
    lines = PRINTERS[printed](ROWS).splitlines(keepends=True)
    place = next(place for place, line in enumerate(lines) if "NSP" in line)
    inventory = one("".join([*lines[: place - 1], lines[place - 1].rstrip("\n"), log, *lines[place:]]))
    assert counts(inventory) == COUNTS
    assert [(remark.kind, remark.value) for remark in inventory.remarks] == [("foreign-line", 1)]


def test_digits_that_a_log_cuts_are_not_a_count() -> None:
    text = cut(ROWS).replace("2362368 ", "2362WARNING: 368")
    assert counts(one(text))[2] is None


def test_totals_in_other_spellings() -> None:
    text = cut(ROWS).replace("Total params: 25,806,338", "**Total params:** 25_806_338 (98.44 MB)")
    assert one(text).total == TOTAL
    text = boxed(ROWS).rstrip("\n") + "\n Optimizer params: 4,100 (16.02 KB)\n"
    assert one(text).optimizer == 4_100
    text = cut(ROWS).replace("Total params: 25,806,338", "Total params:\n25806338")
    assert one(text).total == TOTAL


@pytest.mark.parametrize(
    "text",
    ["", "\n", "hello", "\0\1\2" * 999, "Layer (type) Output Shape Param #\n====\n", "{}", '{"cells": []}', "|" * 999],
)
def test_no_summary(text: str) -> None:
    with pytest.raises(
        InputError,
        match=r"^pasted: got no summary and no listing, takes what model.summary\(\) prints, or names with shapes$",
    ):
        read_text(text, "pasted")


def test_too_much_text() -> None:
    with pytest.raises(InputError, match=r"^pasted: got 67,108,865 characters, takes a text of at most 67,108,864$"):
        read_text(" " * (64 * 2**20 + 1), "pasted")
