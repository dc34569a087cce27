"""The example text in docs/ is what tf-keras prints of the model that the README builds, and it is read as that model."""

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest
from support import ROOT

from reconcile.pipeline.read import read

EXAMPLE = ROOT / "docs" / "examples" / "bert-base-summary.txt"


@pytest.mark.slow
@pytest.mark.skipif(find_spec("tensorflow") is None, reason="needs TensorFlow to print with")
def test_the_example_is_what_keras_prints() -> None:
    script = ROOT / "tests" / "sources" / "print_example.py"
    legacy = {"TF_USE_LEGACY_KERAS": "1", "TF_KERAS": "1", "CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "3"}
    command = [sys.executable, str(script), str(ROOT / "models" / "stackexchange-bert-base.toml")]
    done = subprocess.run(command, env=os.environ | legacy, capture_output=True, text=True, check=True)
    assert done.stdout.split() == EXAMPLE.read_text("utf-8").split()


def test_the_example_is_the_model_that_was_meant() -> None:
    (report,) = read(EXAMPLE.read_text("utf-8"), "example", meant="stackexchange-bert-base")
    assert report.total == report.accounted == 109_705_010
    assert "meant-same" in {finding.kind for finding in report.findings}
