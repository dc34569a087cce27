"""Damaged checkpoints are read or refused, in bounded time."""

import pytest
from fuzz_checkpoints import TARGETS, check, run

from reconcile.inventory import Inventory, Tensor, parent_layers


@pytest.mark.parametrize("target", TARGETS)
def test_damaged_files(target: str) -> None:
    good, done = run(target, 0, 300, 0)
    assert 0 < good < done == 300


@pytest.mark.parametrize(
    "tensor",
    [
        Tensor("half a character \ud800", (1,), "float32", None, "a", 4),
        Tensor("negative", (-1,), "float32", None, "a", 4),
        Tensor("larger than its file", (3,), "float32", None, "a", 101),
    ],
)
def test_what_is_inconsistent_is_noticed(tensor: Tensor) -> None:
    with pytest.raises((AssertionError, UnicodeEncodeError)):
        check(Inventory("x", parent_layers([tensor]), None, size=100))
