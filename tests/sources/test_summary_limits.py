"""Time and memory grow with the text, however hostile; nothing but the project's own errors comes out."""

import time
from contextlib import suppress

import pytest
from fuzz_summary import run
from printers import PRINTERS, Row

from reconcile.errors import InputError
from reconcile.sources.summary import read_text

HEAD = (
    'Model: "m"\n'
    + "_" * 65
    + "\nLayer (type)                 Output Shape              Param #   \n"
    + "=" * 65
    + "\n"
)
UNITS = (
    "7", "\u2502", "\u2500", "\x1b[", "\x1b[1m", "\x1b]", "|", "| ", " ", "(", "[", "_", "=", "_" * 20 + " ", "-", "<",
    "<span ", "&#", "'", ",", "Layer (type) ", "Total params: 1 ", 'Model: "', "\\", "\\n", "\0", "\t", "\u00a0",
    "\u00e2", "a (b) ", "1 ", "\u2026", "\r", "\n", "2020-01-01 10:00 ", "/a", "{", '{"cells":', "WARNING: ", "word_",
)  # fmt: skip


def seconds(text: str) -> float:
    begun = time.perf_counter()
    with suppress(InputError):
        read_text(text, "hostile")
    return time.perf_counter() - begun


@pytest.mark.parametrize("unit", UNITS)
def test_a_megabyte_of_one_thing_takes_seconds(unit: str) -> None:
    # A quadratic reading of one line of a megabyte takes hours.
    line = unit * (2**20 // len(unit))
    assert seconds(line) < 10
    assert seconds(HEAD + line) < 10
    assert seconds(HEAD + "\n".join([line[:15_000]] * 70)) < 10


@pytest.mark.parametrize("printed", ["Keras 2", "tf-keras", "Keras 3"])
def test_ten_times_the_rows_take_about_ten_times_as_long(printed: str) -> None:
    def text(count: int) -> str:
        return PRINTERS[printed]([Row(f"dense_{place}", "Dense", "(None, 8)", place) for place in range(count)])

    small, large = text(500), text(5_000)
    assert seconds(large) < 30 * max(seconds(small), 0.02)
    (inventory,) = read_text(large, "large")
    assert len(inventory.layers) == 5_000
    assert sum(layer.params or 0 for layer in inventory.layers) == inventory.total == 12_497_500  # 5,000·4,999/2


@pytest.mark.parametrize("seed", range(3))
def test_damaged_texts(seed: int) -> None:
    assert run(0, 700, seed) == 700
