"""Bytes: weights, gradients, optimizers, activations by component, and what a decoder keeps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import BASE, ODD, model
from reconcile.costing.memory import memory, storage, total
from reconcile.costing.workload import Model, Workload
from reconcile.errors import InputError

WEIGHTS = 109_482_240


def rows(of: Model, workload: Workload | None = None, training: bool = True, **store: object) -> dict[str, int]:
    """The bytes of each row by what it is."""
    found = memory(of, workload or Workload(), storage(**store), training=training)  # type: ignore[arg-type]
    return {row.what: row.bytes for row in found}


STATES = [
    # weights, gradients, a copy in full, optimizer
    ("fp32", "adam", (4, 4, 0, 8)),
    ("fp32", "adamw", (4, 4, 0, 8)),
    ("fp32", "sgd", (4, 4, 0, 0)),
    ("bf16", "adam", (2, 2, 4, 8)),  # 16 in all
    ("fp16", "adam", (2, 2, 4, 8)),
]


@pytest.mark.parametrize(("dtype", "optimizer", "each"), STATES)
def test_what_a_weight_takes_in_training(dtype: str, optimizer: str, each: tuple[int, int, int, int]) -> None:
    found = rows(model(BASE), dtype=dtype, optimizer=optimizer)
    named = ("weights", "gradients", "weights in fp32", f"optimizer ({optimizer})")
    assert tuple(found.get(name, 0) for name in named) == tuple(WEIGHTS * size for size in each)


@pytest.mark.parametrize(("dtype", "size"), [("fp32", 4 * WEIGHTS), ("int8", WEIGHTS), ("int4", WEIGHTS // 2)])
def test_weights_alone(dtype: str, size: int) -> None:
    assert rows(model(BASE), training=False, dtype=dtype) == {"weights": size}


def test_an_odd_number_of_half_bytes_is_full() -> None:
    assert storage("int4").precision.bytes(3) == 2


def test_adafactor_keeps_rows_and_columns() -> None:
    found = rows(model(ODD, ()), optimizer="adafactor")
    tables = (101 + 24) + (40 + 24) + (2 + 24)
    block = 4 * (24 + 24) + 2 * (24 + 50) + 4 * 24 + 50 + 24 + 4 * 24  # kernels; biases, gammas and betas in full
    assert found["optimizer (adafactor)"] == 4 * (tables + 2 * 24 + 5 * block)


@given(st.integers(1, 40), st.integers(1, 4), st.integers(1, 5), st.integers(1, 9), st.sampled_from([1, 4]))
def test_a_blocks_activations(length: int, batch: int, heads: int, width: int, mask: int) -> None:
    """(16·w + 2·m)·s·b·h + (2·w + m)·a·s²·b with F = 4·H (Korthikanti et al., arXiv 2205.05198, equation 2)."""
    hidden = heads * width
    sizes = {"V": 50, "P": 64, "T": 2, "H": hidden, "A": heads, "F": 4 * hidden, "L": 1}
    for dtype, w in (("fp16", 2), ("fp32", 4)):
        found = rows(model(sizes), Workload(length, batch), dtype=dtype, mask=mask)
        block = sum(count for what, count in found.items() if what.startswith("encoder"))
        linear, square = 16 * w + 2 * mask, 2 * w + mask
        assert block == linear * length * batch * hidden + square * heads * length**2 * batch


def test_the_factors_that_are_published() -> None:
    """34 and 5 in half precision; 72 and 12 in full, where masks are kept as values."""
    for dtype, mask, linear, square in (("fp16", 1, 34, 5), ("fp32", 4, 72, 12)):
        found = rows(model({**BASE, "L": 1}), Workload(512), dtype=dtype, mask=mask)
        block = sum(count for what, count in found.items() if what.startswith("encoder"))
        assert block == linear * 512 * 768 + square * 12 * 512**2


def test_flash_attention_stores_no_scores() -> None:
    found = [rows(model(BASE), Workload(length, attention="flash"))["activations"] for length in (128, 256, 512)]
    assert found[2] - found[1] == 2 * (found[1] - found[0])  # linear in S


def test_a_decoder_keeps_keys_and_values() -> None:
    llama = model({"V": 100, "H": 64, "A": 8, "K": 2, "D": 8, "F": 96, "L": 3}, ("head",), "llama")
    kept = memory(llama, Workload(16, 2), storage("fp16"))[1]
    assert kept.bytes == 2 * 2 * (2 * 8) * 16 * 2 * 3  # keys and values, two bytes, two heads of 8, 16 positions, ...
    assert kept.formula == "2·B·L·S·U·w"


def test_the_whole_counts_a_part_once() -> None:
    found = memory(model(BASE), Workload(), storage(), training=True)
    assert total(found) == sum(row.bytes for row in found if row.what in TOPS)


TOPS = ("weights", "gradients", "optimizer (adam)", "activations")

WRONG = [
    ({"dtype": "int8"}, "--dtype: got int8, takes fp32, bf16 or fp16 for training"),
    ({"dtype": "fp8"}, "--dtype: got 'fp8', takes"),
    ({"optimizer": "lion"}, "--optimizer: got 'lion', takes"),
    ({"library": "jax"}, "--library: got 'jax', takes keras-bert"),
]


@pytest.mark.parametrize(("store", "says"), WRONG)
def test_what_there_is_not(store: dict[str, str], says: str) -> None:
    with pytest.raises(InputError) as raised:
        rows(model(BASE), **store)
    assert says in str(raised.value)
