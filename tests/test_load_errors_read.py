"""`reconcile read` explains the errors of weights that would not load: no sample is lost on the way to the reader."""

from pathlib import Path

import pytest
from support import ROOT, run

from reconcile.explanation.loading import explain_load_error
from reconcile.pipeline.load_errors import with_load_errors

SAMPLES = sorted((ROOT / "tests" / "data" / "load_errors").glob("*.txt"))


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_every_error_that_can_be_explained_is(file: Path) -> None:
    text = file.read_text("utf-8")
    explained = explain_load_error(text)
    (opened,) = with_load_errors((), text, file.name)
    assert len(opened.passages) == len(explained) > 0


def test_a_text_without_such_an_error_has_none() -> None:
    assert with_load_errors((), "Total params: 109,482,240", "text") == ()


def test_the_command_says_what_the_numbers_are(tmp_path: Path) -> None:
    file = tmp_path / "error.txt"
    file.write_text(
        'ValueError: You called `set_weights(weights)` on layer "bert" with a weight list of length 199, '
        "but the layer was expecting 206 weights. Provided weights: [...]\n"
    )
    ran = run("read", file)
    assert ran.status == 1
    # 5 + 12·16 + 2 + 5 + 2 = 206 and 5 + 12·16 + 2 = 199
    assert "206 − 199 = +7: mlm 5 + nsp 2." in ran.out
