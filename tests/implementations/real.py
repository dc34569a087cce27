"""Models of an implementation, built by itself and reconciled as they stand in memory.

Run in the implementation's own environment, where `.ci/implementations` puts this package beside it:

    IMPLEMENTATION=keras-hub PYTHONPATH=tests:tests/implementations python -m pytest tests/implementations/real.py

Each model's list is checked in as well, and both must come to the same components.
"""

import os
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from implementation_lists import components, read_list

import reconcile
from reconcile.mapping.tensors import map_source

HERE = Path(__file__).parent
LANE = os.environ["IMPLEMENTATION"]
SCRIPTS = [
    import_module(name.removesuffix(".py"))
    for name in (HERE / f"{LANE}.txt").read_text().partition("\n")[0].removeprefix("# scripts: ").split()
]


def stored(report: Any) -> dict[str, int]:
    """What is there once: not every file says what it ties."""
    return {part.path: part.actual for part in report.components if part.tied_to is None}


MOST = 100_000
"""Parameters of the largest model whose files are written."""

MODELS = [
    (f"{script.IMPLEMENTATION}.{model}", built)
    for script in SCRIPTS
    if hasattr(script, "models")
    for model, _, built in script.models()
]
"""Each list's name and the model in memory; Google's are variables of a graph and no model."""

TYPED = [
    (f"{kind}-{name}-{ties}", built)
    for script in SCRIPTS
    if hasattr(script, "typed")
    for kind, name, ties, built in script.typed()
]
"""Models of many types, whose lists are in one file."""


@pytest.mark.parametrize("built", [built for _, built in TYPED], ids=[name for name, _ in TYPED])
def test_what_a_model_of_any_type_saves_has_its_count_and_no_error(built: Any, tmp_path: Path) -> None:
    total = sum(parameter.numel() for parameter in built.parameters())
    built.save_pretrained(tmp_path)
    import torch

    torch.save(built.state_dict(), tmp_path / "model.bin")
    for source in (tmp_path / "model.safetensors", tmp_path / "model.bin", built.state_dict()):
        found = reconcile.read(source)
        assert found.total == total
        assert not [finding.explanation for finding in found.findings if finding.severity == "error"]


@pytest.mark.parametrize(("name", "built"), MODELS, ids=[name for name, _ in MODELS])
def test_a_live_model_comes_to_the_components_of_its_list(name: str, built: Any) -> None:
    report = reconcile.read(built)
    listed = map_source(read_list(HERE / f"{name}.tsv"))
    assert report.total == listed.total
    assert report.unmapped == ()
    assert report.residual == 0
    assert components(report.components) == components(listed.assignments)


def keras_hub_files(built: Any, folder: Path) -> Iterator[Path]:
    for name in ("whole.keras", "only.weights.h5"):
        (built.save if name.endswith(".keras") else built.save_weights)(folder / name)
        yield folder / name


def keras_2_files(built: Any, folder: Path) -> Iterator[Path]:
    built.save_weights(str(folder / "only.h5"))
    yield folder / "only.h5"
    built.save_weights(str(folder / "tensorflow"))  # TensorFlow's own format
    yield folder / "tensorflow"


def hugging_face_files(built: Any, folder: Path) -> Iterator[Path]:
    import torch

    module = type(built)(built.config)  # the listed one has no values
    torch.save(module.state_dict(), folder / "pytorch_model.bin")
    yield folder / "pytorch_model.bin"
    module.save_pretrained(folder / "saved")
    yield folder / "saved"


def hugging_face_tf_files(built: Any, folder: Path) -> Iterator[Path]:
    built.save_pretrained(folder)
    yield folder / "tf_model.h5"


SAVED: dict[str, Callable[[Any, Path], Iterator[Path]]] = {
    "keras-hub": keras_hub_files,
    "bert4keras": keras_2_files,
    "tf-models": keras_2_files,
    "huggingface": hugging_face_files,
    "huggingface-4.30": hugging_face_files,
    "huggingface-tf": hugging_face_tf_files,
}
"""How each library writes the files of a model."""

SMALL = [
    (name, built)
    for name, built in MODELS
    if LANE in SAVED and (hasattr(built, "save_weights") or hasattr(built, "save_pretrained"))
    # A file of names and shapes does not say that a second matrix is no copy of the first.
    if not name.endswith("-untied")
]


@pytest.mark.parametrize(("name", "built"), SMALL, ids=[name for name, _ in SMALL])
def test_a_saved_model_has_the_components_of_the_live_one(name: str, built: Any, tmp_path: Path) -> None:
    live = reconcile.read(built)
    if live.total > MOST:
        pytest.skip("nothing that the small one has not")
    for file in SAVED[LANE](built, tmp_path):
        report = reconcile.read(file)
        assert stored(report) == stored(live), file.name
        assert (report.unmapped, report.residual) == ((), 0)


def test_there_are_models() -> None:
    assert MODELS or LANE == "google"


@pytest.mark.skipif(LANE != "google", reason="Google's own")
def test_the_checkpoint_that_google_s_code_writes(tmp_path: Path) -> None:
    found = {}
    for model, prefix in SCRIPTS[0].checkpoints(tmp_path):
        report = reconcile.read(prefix)
        listed = map_source(read_list(HERE / f"google.{model}.tsv"))
        assert components(report.components) == components(listed.assignments)
        assert sum(item.count for item in report.excluded) == sum(item.count for item in listed.excluded)
        assert (report.unmapped, report.residual) == ((), 0)
        found[model] = report.total
    assert found == {"BertModel": 12_752, "pretraining": 13_547, "pretraining-with-optimizer": 13_547}


@pytest.mark.skipif(LANE != "keras-hub", reason="Keras Hub's own")
@pytest.mark.parametrize("frozen", [False, True])
def test_a_head_on_keras_hub_s_backbone(frozen: bool) -> None:
    import keras
    import keras_hub

    settings = {"vocabulary_size": 97, "num_layers": 2, "num_heads": 4, "hidden_dim": 24, "intermediate_dim": 40}
    backbone = keras_hub.models.BertBackbone(**settings, max_sequence_length=31)
    backbone.trainable = not frozen
    pooled = backbone(backbone.input)["pooled_output"]
    model = keras.Model(backbone.input, keras.layers.Dense(3, name="sentiment")(pooled))
    report = reconcile.read(model)
    # (97 + 31 + 2 + 2) · 24 + 2 · (4 · (24² + 24) + 2 · 24 · 40 + 40 + 24 + 4 · 24) + 24² + 24, and 24 · 3 + 3 on top
    assert (report.total, report.totals["backbone+pooler"]) == (12_728 + 75, 12_728)
    assert report.trainable == (75 if frozen else report.total)
    assert report.unmapped == ()
    assert [part.path for part in report.components if part.path.startswith("task.")] != []


@pytest.mark.skipif(LANE != "huggingface", reason="PyTorch's own")
def test_a_head_on_hugging_face_s_model() -> None:
    import torch
    from transformers import BertConfig, BertModel

    class Tagger(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.bert = BertModel(BertConfig(vocab_size=97, hidden_size=24, num_attention_heads=4, num_hidden_layers=2))
            self.classifier = torch.nn.Linear(24, 5)
            for parameter in self.bert.parameters():
                parameter.requires_grad = False

    report = reconcile.read(Tagger())
    assert report.unmapped == ()
    assert report.trainable == 125  # 24 · 5 + 5
