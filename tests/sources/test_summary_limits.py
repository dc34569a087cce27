"""Time and memory grow with the text, however hostile; nothing but the project's own errors comes out."""

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


def counts(text: str) -> list[int | None]:
    """The counts that are read of a hostile text; none where it is refused."""
    try:
        return [layer.params for inventory in read_text(text, "hostile") for layer in inventory.layers]
    except InputError:
        return []


@pytest.mark.parametrize("unit", UNITS)
def test_a_megabyte_of_one_thing_is_no_layer(unit: str) -> None:
    # Seconds where each line is read in linear time; a quadratic reading of a line of a megabyte would not end.
    line = unit * (2**20 // len(unit))
    for text in (line, HEAD + line, HEAD + "\n".join([line[:15_000]] * 70)):
        assert all(count is None or count < 10**15 for count in counts(text))


@pytest.mark.parametrize("printed", ["Keras 2", "tf-keras", "Keras 3"])
def test_thousands_of_rows(printed: str) -> None:
    large = PRINTERS[printed]([Row(f"dense_{place}", "Dense", "(None, 8)", place) for place in range(5_000)])
    (inventory,) = read_text(large, "large")
    assert len(inventory.layers) == 5_000
    assert sum(layer.params or 0 for layer in inventory.layers) == inventory.total == 12_497_500  # 5,000·4,999/2


@pytest.mark.parametrize("seed", range(3))
def test_damaged_texts(seed: int) -> None:
    assert run(0, 700, seed) == 700
