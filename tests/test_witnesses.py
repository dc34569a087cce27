"""A build and the header of a checkpoint are independent witnesses: for BERT base both say what the configuration does."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, run

from reconcile.environments.packages import build_versions, settings

CONFIG = {
    "architectures": ["BertForPreTraining"],
    "model_type": "bert",
    "vocab_size": 30522,
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
}
PRETRAINING = 110_106_428
"""V·H + P·H + T·H + 2·H, 12 blocks, the pooler and both heads, the decoder's kernel being the token embedding."""


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("base")
    environment = os.environ | settings(build_versions())
    subprocess.run(
        [sys.executable, ROOT / "tests/save_base.py", folder], env=environment, check=True, capture_output=True
    )
    yield folder
    for file in folder.iterdir():  # nearly a gigabyte, which nobody needs once this is over
        file.unlink()


def components(report: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    return {
        part["path"]: (part["actual"], part["formula"], part["expected"], part["shape"], part["tied_to"])
        for part in report["components"]
    }


def told(*arguments: object) -> dict[str, Any]:
    ran = run(*arguments, "--format", "json", "--fail-on", "warning")
    assert ran.status == 0, ran.out + ran.err
    report: dict[str, Any] = json.loads(ran.out)
    return report


@pytest.mark.slow
@pytest.mark.parametrize("name", ["base.h5", "base.ckpt"])
def test_the_build_the_checkpoint_and_the_configuration_agree(name: str, saved: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps(CONFIG))
    built, stored, expected = told("build", "bert-base-uncased"), told("read", saved / name), told("read", config)
    assert built["total"] == stored["total"] == expected["total"] == PRETRAINING
    assert components(built) == components(stored) == components(expected)
    assert built["totals"] == stored["totals"] == expected["totals"]
    assert run("read", saved / name, "--model", config).status == 0
    for other in ("bert-base-uncased", config):
        assert json.loads(run("diff", saved / name, other, "--format", "json").out)["difference"] == 0


@pytest.mark.slow
def test_a_checkpoint_that_is_not_what_the_configuration_expects_is_no_witness(saved: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps(CONFIG | {"vocab_size": 30528}))
    ran = run("read", saved / "base.h5", "--model", config)
    assert ran.status == 1
    assert "this has 6 fewer words; everything else agrees" in ran.out
