"""What a real Keras prints reads back as the model: every width, any columns, nested models, the trainable column.

`print_summaries.py` prints a pool of models in a process of its own for each Keras; its seeds are fixed.
"""

import json
import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from printers import Row, cut

from reconcile.inventory import Inventory, Layer
from reconcile.sources.summary import read_text

SCRIPT = Path(__file__).with_name("print_summaries.py")
FLAVOURS = {"legacy": "tf_keras", "keras3": "keras"}
CUT = "\u2026"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("tensorflow") is None, reason="needs TensorFlow to print with"),
]


@cache
def pool(flavour: str, columns: int = 260) -> list[dict[str, Any]]:
    """Printed summaries with the layers they were printed from, on a console of so many columns."""
    if find_spec(FLAVOURS[flavour]) is None:
        pytest.skip(f"needs {FLAVOURS[flavour]}")
    done = subprocess.run(
        [sys.executable, str(SCRIPT), flavour],
        env={**os.environ, "COLUMNS": str(columns)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return list(json.loads(done.stdout))


def one(text: str) -> Inventory:
    (inventory,) = read_text(text, "printed")
    return inventory


def shows(visible: str, cut: bool, whole: str) -> bool:
    return whole == visible or (cut and whole.startswith(visible))


def check_layer(layer: Layer, printed: dict[str, Any], summary: dict[str, Any]) -> None:
    """A layer is the printed one; what a narrow column cuts is the beginning of it and says so."""
    assert shows(layer.name, layer.name_cut, printed["name"])
    assert shows(layer.class_name, layer.class_cut, printed["class_name"])
    assert layer.depth == printed["depth"]
    if summary["branched"]:
        assert len(layer.inbound) == len(printed["inbound"])
        for name, whole in zip(layer.inbound, printed["inbound"], strict=True):
            assert shows(name.removesuffix(CUT), name.endswith(CUT), whole)
    if summary["options"]["show_trainable"]:
        assert layer.trainable == printed["trainable"]
    if printed["output_shape"]:
        assert layer.output_shape == printed["output_shape"]


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_what_keras_prints_reads_back_as_the_model(flavour: str) -> None:
    for summary in pool(flavour):
        inventory = one(summary["text"])
        told = {(remark.where, remark.kind) for remark in inventory.remarks}
        assert inventory.total == summary["trainable"] + summary["non_trainable"]
        assert (inventory.trainable, inventory.non_trainable) == (summary["trainable"], summary["non_trainable"])
        assert {kind for _, kind in told} <= {"cut-count", "no-count", "wrapped-digits", "unused", "unbuilt"}
        for layer, printed in zip(inventory.layers, summary["layers"], strict=True):
            check_layer(layer, printed, summary)
            if layer.params is None:  # only Keras 3 hides digits
                assert flavour == "keras3"
                assert {(layer.name, "cut-count"), (layer.name, "no-count")} & told
            else:
                assert layer.params == printed["params"]


def test_a_console_narrower_than_the_table_shows_no_wrong_count() -> None:
    cropped = 0
    for summary in pool("keras3", 60):
        inventory = one(summary["text"])
        assert len(inventory.layers) == len(summary["layers"])
        for layer, printed in zip(inventory.layers, summary["layers"], strict=True):
            cropped += layer.params is None
            assert layer.params in (None, printed["params"])
    assert cropped > 100


@settings(max_examples=300, derandomize=True)
@given(data=st.data())
def test_cells_that_keras_2_cut_are_never_a_wrong_count(data: st.DataObject) -> None:
    """TensorFlow before 2.7 and Keras 1 cut cells at the column's edge: with the layers of real models, any widths."""
    plain = [summary for summary in pool("legacy") if not summary["options"]["expand_nested"]]
    summary = data.draw(st.sampled_from(plain))
    length = data.draw(st.integers(40, 200))
    gap, off_by = data.draw(st.booleans()), data.draw(st.sampled_from((0, 1)))
    first, second = sorted(data.draw(st.tuples(st.floats(0.2, 0.55), st.floats(0.2, 0.55))))
    positions = (first, second + 0.1, second + 0.25, 1.0) if summary["branched"] else (first, second + 0.3, 1.0)
    rows = [
        Row(layer["name"], layer["class_name"], layer["output_shape"], layer["params"], tuple(layer["inbound"]))
        for layer in summary["layers"]
    ]
    text = cut(rows, length, positions, gap=gap)
    total = sum(row.params for row in rows)
    inventory = one(text.replace(f"Total params: {total:,}", f"Total params: {total + off_by:,}"))
    assert len(inventory.layers) == len(rows)
    for layer, row in zip(inventory.layers, rows, strict=True):
        assert layer.params in (None, row.params)
        assert shows(layer.name, layer.name_cut, row.name)
        assert shows(layer.class_name, layer.class_cut, row.class_name)
