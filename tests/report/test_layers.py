"""How layers of known classes are told: formulas in numbers, what fits as well, and what makes no sense."""

import pytest

from reconcile.pipeline.read import read
from reconcile.render.registry import Look
from reconcile.render.text import render_text

LINE = "_" * 65
DOUBLE = "=" * 65
SUMMARY = """{text}
Layer (type)                 Output Shape              Param #
{double}
{rows}
{double}
Total params: {total:,}
Trainable params: {total:,}
Non-trainable params: 0
"""


def told(text: str) -> str:
    """What is printed of a text, in one line."""
    return " ".join(render_text(read(text, "text"), Look(width=10_000)).split())


def summary(*rows: tuple[str, str, int], text: str = "") -> str:
    """A summary of Keras with these rows."""
    lines = f"\n{LINE}\n".join(f"{name:<29}{shape:<26}{count}" for name, shape, count in rows)
    return SUMMARY.format(text=text, double=DOUBLE, rows=lines, total=sum(count for *_, count in rows))


CASES = [
    # a convolution of one channel has as many weights as places: 5·1·32 + 32
    ([("conv1d_1 (Conv1D)", "(None, 96, 32)", 192), ("dense_1 (Dense)", "(None, 96, 3)", 99)], "5·32 + 32 = 192"),
    (
        [("dense_1 (Dense)", "(None, 20, 24)", 72), ("lstm_1 (LSTM)", "(None, 10)", 1400)],
        "4·(10² + 24·10 + 10) = 1,400",
    ),
    (
        [("dense_1 (Dense)", "(None, 48)", 480), ("batch_normalization_1 (BatchNo", "(None, 48)", 192)],
        "4·48 = 192: gamma and beta, which are trained, and a moving mean and variance, which are not",
    ),
]


@pytest.mark.parametrize(("rows", "expected"), CASES)
def test_a_layer_is_told_with_its_sizes(rows: list[tuple[str, str, int]], expected: str) -> None:
    assert expected in told(summary(*rows))


def test_what_fits_as_well_is_told_where_no_shape_shows_the_input() -> None:
    rows = ("gru_1 (GRU)", "(None, 12)", 3 * (12 * (20 + 12) + 12))
    plain, stated = told(summary(rows)), told(summary(rows, text="A GRU over 20 features."))
    for text in (plain, stated):
        assert "3·(12² + 20·12 + 12)" in text
        assert "3·(12² + 19·12 + 2·12)" in text
    assert "1,188 counts the layer gru_1: 3·(o² + i·o + o)" in stated
    assert "1,188 counts the layer gru_1: 3·(o² + i·o + 2·o)" in plain


TORCHINFO = """
==========================================================================================
Layer (type:depth-idx)                   Output Shape              Param #
==========================================================================================
Block                                    [1, 32, 64]               --
├─MultiheadAttention: 1-1                [1, 32, 64]               16,640
├─LayerNorm: 1-2                         [1, 32, 64]               128
├─Linear: 1-3                            [1, 32, 192]              12,480
==========================================================================================
Total params: 29,248
Trainable params: 29,248
Non-trainable params: 0
==========================================================================================
Params size (MB): {size}
==========================================================================================
"""


def test_modules_of_pytorch_have_formulas_and_their_bytes_are_held_against_the_count() -> None:
    text = told(TORCHINFO.format(size="0.05"))  # 12,608·4 = 50,432
    assert "4·(64² + 64) = 16,640" in text
    assert "29,248 parameters take 116,992 bytes in float32 (0.12 MB), and not 0.05 MB" in text
    assert "fits the 12,608 without MultiheadAttention" in text
    assert "Params size" not in told(TORCHINFO.format(size="0.12"))


CONVOLUTIONS = """
==========================================================================================
Layer (type:depth-idx)                   Output Shape              Param #
==========================================================================================
Net                                      [1, 10]                   --
├─Conv2d: 1-1                            [1, 8, 26, 26]            80
├─ReLU: 1-2                              [1, 8, 26, 26]            --
├─Conv2d: 1-3                            [1, 16, 24, 24]           1,168
├─Linear: 1-4                            [1, 10]                   92,170
==========================================================================================
Total params: 93,418
==========================================================================================
"""


def test_pytorch_prints_the_channels_second() -> None:
    text = told(CONVOLUTIONS)
    assert "8·9·16 + 16 = 1,168" in text
    assert "i·o + o = 9216·10 + 10 = 92,170" in text


def test_a_count_that_no_size_makes_is_told_with_the_nearest() -> None:
    rows = [
        ("Embedding-Token (TokenEmbed", "[(None, 64, 128), (900, 128)]", 115_200),
        ("Embedding-Segment (Embeddin", "(None, 64, 128)", 256),
        ("Embedding-Position (Positio", "(None, 64, 128)", 8_192),
        ("Embedding-Norm (LayerNormal", "(None, 64, 128)", 256),
        ("Encoder-1-MultiHeadSelfAtte", "(None, 64, 128)", 66_048),
        ("Encoder-1-MultiHeadSelfAtte", "(None, 64, 128)", 256),
        ("Encoder-1-FeedForward (Feed", "(None, 64, 128)", 131_172),
        ("Encoder-1-FeedForward-Norm", "(None, 64, 128)", 256),
    ]
    assert "which no whole F makes of 2·H·F + F + H: with F = 512 it has 131,712, 540 more" in told(summary(*rows))
