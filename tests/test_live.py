"""Models in memory: every layer and tensor of them, and nothing about them changed by looking."""

import json
import os
import subprocess
import sys
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reconcile
from reconcile.errors import InputError
from reconcile.sources.live import inventory_of, is_model
from reconcile.sources.live.settings import whole_settings
from reconcile.sources.worker.describe import plain

SCRIPT = Path(__file__).parent / "live_models.py"
STACKS = ("keras2", "keras3")

# The layers of `blocks`, on a sequence of 7 by 8, with what each has by its own formula.
BLOCKS = {
    "attention": 286,  # query and key 8·6 + 6 each (2 heads of 3), value 8·10 + 10 (2 of 5), output 10·8 + 8
    "batch_norm": 32,  # 4 · 8, of which the moving mean and variance are never trained
    "gru_before": 210,  # 3 · ((8 + 5) · 5 + 5)
    "gru_after": 180,  # 3 · ((5 + 5) · 5 + 2 · 5)
    "conv": 64,  # 3 · 5 · 4 + 4
    "einsum": 30,  # 4 · 6 + 6
    "both_ways": 240,  # 2 · 4 · ((6 + 3) · 3 + 3)
    "classes": 14,  # 6 · 2 + 2
}
ALL = 1_056
STILL = 16  # the moving mean and variance

# keras-bert's tiny backbone: V = 100, P = 32, T = 2, H = 64, F = 128, L = 2.
BACKBONE = 75_648  # (100 + 32 + 2 + 2) · 64 + 2 · (4 · (64² + 64) + 2 · 64 · 128 + 128 + 64 + 4 · 64)
POOLER = 4_160  # 64² + 64

# Each case's total, and how much of it is trained.
BOTH = {
    "functional": (ALL, ALL - STILL),
    "compiled": (ALL, ALL - STILL),
    "frozen_layer": (ALL, ALL - STILL - 286),
    "nested": (ALL + 9, 9),  # 2 · 3 + 3 on top
    "sequential": (ALL + 9, ALL - STILL + 9),
    "subclassed": (95, 95),  # 8·6 + 6, 6·3 + 3, 3·4 + 4, and a scale of 4
    "shared_layer": (56, 56),  # 8·5 + 5 once, and 10·1 + 1
    "shared_weights": (57, 57),  # 8·5 + 5 once, and 5·2 + 2
    "two_towers": (90, 90),  # 8·5 + 5 twice
    "one_layer": (45, 45),  # 8·5 + 5
    "wrapped_model": (45, 45),
}
ONLY = {
    "keras2": {
        "bert_lstm": (BACKBONE + 4_672 + 51, 4_672 + 51),  # 2·4·((64 + 8)·8 + 8), 16·3 + 3
        "bert_crf": (BACKBONE + 360, BACKBONE + 360),  # 64·5 + 5·5 + 3·5
        "bert_classifier": (BACKBONE + POOLER + 130, BACKBONE + POOLER + 130),  # 64·2 + 2
        "bert_training": (84_326, 84_326),
        "bert_nested": (BACKBONE + 130, 130),
        "bert_towers": (2 * BACKBONE + 129, 129),  # 2 · 64 · 1 + 1
        "bert_in_a_graph": (84_326, 84_326),
    },
    "keras3": {
        "lora": (ALL + 16, ALL - STILL + 16 - 12),  # 6·2 + 2·2 more, and the 6·2 beside them frozen
        "quantized": (60, 6),  # 8·6 bytes and 6 scales that are not trained, and 6 of the bias
    },
}
COUNTS = {(stack, name): counts for stack in STACKS for name, counts in (BOTH | ONLY[stack]).items()}


@cache
def told(stack: str) -> dict[str, Any]:
    """What one Keras' models are told to be, all in one process of its own."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), stack],
        env=os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def case(stack: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = told(stack)["cases"][name]
    return found


def rows(stack: str, name: str) -> list[tuple[int, str, int]]:
    """Depth, name and count of the rows of a model that have a count."""
    layers = case(stack, name)["inventory"]["layers"]
    return [(row["depth"], row["name"], row["params"]) for row in layers if row["params"]]


def tensors(stack: str, name: str, layer: str) -> list[dict[str, Any]]:
    (found,) = [row for row in case(stack, name)["inventory"]["layers"] if row["name"] == layer]
    held: list[dict[str, Any]] = found["tensors"]
    return held


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
def test_there_is_a_count_for_every_model(stack: str) -> None:
    assert set(told(stack)["cases"]) == {name for which, name in COUNTS if which == stack}


@pytest.mark.slow
@pytest.mark.parametrize(("stack", "name"), COUNTS)
def test_every_tensor_is_there_once(stack: str, name: str) -> None:
    found = case(stack, name)
    inventory = found["inventory"]
    sizes = {
        tensor["storage"]: prod(tensor["shape"])
        for row in inventory["layers"]
        for tensor in row["tensors"]
        if tensor["role"] == "parameter"
    }
    total, trainable = COUNTS[stack, name]
    assert sum(sizes.values()) == inventory["total"] == found["counted"] == total
    assert (inventory["trainable"], inventory["non_trainable"]) == (trainable, total - trainable)


@pytest.mark.slow
@pytest.mark.parametrize(("stack", "name"), COUNTS)
def test_looking_changes_nothing_and_shows_the_same_again(stack: str, name: str) -> None:
    found = case(stack, name)
    assert (found["same"], found["again"], found["imported"]) == (True, True, [])


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
def test_a_change_would_have_been_noticed(stack: str) -> None:
    noticed = told(stack)["noticed"]
    assert {way for way, seen in noticed.items() if not seen} == {"nothing"}
    assert len(noticed) == 7


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
def test_the_layers_of_a_model_with_their_counts(stack: str) -> None:
    assert rows(stack, "functional") == [(0, name, count) for name, count in BLOCKS.items()]
    assert sum(BLOCKS.values()) == ALL


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("name", ["nested", "sequential"])
def test_a_nested_model_s_layers_stand_below_its_own_row(stack: str, name: str) -> None:
    inside = [(1, layer, count) for layer, count in BLOCKS.items()]
    assert rows(stack, name) == [(0, "blocks", ALL), *inside, (0, "top", 9)]
    assert tensors(stack, name, "blocks") == []


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
def test_a_model_of_one_s_own(stack: str) -> None:
    held = [(0, "own", 4), (0, "backbone", 54), (1, "inner", 54), (0, "first", 21), (0, "second", 16)]
    assert rows(stack, "subclassed") == held
    (remark,) = case(stack, "subclassed")["inventory"]["remarks"]
    assert (remark["kind"], remark["where"]) == ("unbuilt", "spare")


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
def test_a_layer_in_two_models_has_two_rows_and_one_storage(stack: str) -> None:
    layers = [row for row in case(stack, "shared_weights")["inventory"]["layers"] if row["name"] == "tower"]
    first, second = ([tensor["storage"] for tensor in row["tensors"]] for row in layers)
    assert first == second
    assert len(first) == 2


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
def test_layers_of_one_name_in_two_models_are_told_apart_by_their_model_s(stack: str) -> None:
    found = [row for row in case(stack, "two_towers")["inventory"]["layers"] if row["depth"] == 1]
    assert [row["name"] for row in found if row["params"]] == ["left/inner", "right/inner"]
    edges = {row["name"]: row["inbound"] for row in found}
    assert all(source in edges for sources in edges.values() for source in sources)
    assert [len(edges[name]) for name in ("left/inner", "right/inner")] == [1, 1]
    kernels = [row["tensors"][0]["path"].removesuffix(":0") for row in found if row["params"]]
    assert kernels == ["left/inner/kernel", "right/inner/kernel"]


@pytest.mark.slow
def test_two_backbones_are_two_models() -> None:
    models: dict[str, dict[str, int]] = {}
    for path, actual, *_ in case("keras2", "bert_towers")["report"]["components"]:
        model, _, node = path.rpartition(": ")
        models.setdefault(model, {})[node] = actual
    models.pop("", None)  # the heads
    one, two = models.values()
    assert one == two
    assert sum(one.values()) == BACKBONE


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
def test_settings_and_edges_are_kept(stack: str) -> None:
    found = {row["name"]: row for row in case(stack, "functional")["inventory"]["layers"]}
    assert found["attention"]["config"] | {"num_heads": 2, "key_dim": 3, "value_dim": 5} == found["attention"]["config"]
    assert found["classes"]["config"]["activation"] == "softmax"
    assert [found[name]["config"]["reset_after"] for name in ("gru_before", "gru_after")] == [False, True]
    assert found["both_ways"]["config"]["layer"] == "LSTM"
    assert found["both_ways"]["config"]["units"] == 3
    assert found["conv"]["inbound"] == ["gru_after"]
    siamese = {row["name"]: row["inbound"] for row in case(stack, "shared_layer")["inventory"]["layers"]}
    assert siamese["tower"] == ["one", "two"]


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
def test_moving_statistics_are_parameters_that_nothing_trains(stack: str) -> None:
    held = tensors(stack, "functional", "batch_norm")
    assert [tensor["trainable"] for tensor in held] == [True, True, False, False]
    assert {tensor["role"] for tensor in held} == {"parameter"}


@pytest.mark.slow
def test_the_state_of_random_seeds_is_no_parameter() -> None:
    seeds = [tensor for tensor in tensors("keras3", "functional", "attention") if tensor["role"] != "parameter"]
    assert [(tensor["role"], tensor["shape"], tensor["trainable"]) for tensor in seeds] == [("buffer", [2], False)]


@pytest.mark.slow
def test_adapters_and_quantised_kernels() -> None:
    held = {tensor["path"]: tensor for tensor in tensors("keras3", "lora", "classes")}
    free = {path.rsplit("/")[-1]: tensor["trainable"] for path, tensor in held.items()}
    assert free == {"kernel": False, "bias": True, "lora_kernel_a": True, "lora_kernel_b": True}
    small = {tensor["path"].rsplit("/")[-1]: tensor["dtype"] for tensor in tensors("keras3", "quantized", "dense")}
    assert small == {"kernel": "int8", "kernel_scale": "float32", "bias": "float32"}


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize(("place", "name"), [(0, "own"), (1, "empty"), (2, "alone")])
def test_a_model_without_weights_is_refused(stack: str, place: int, name: str) -> None:
    takes = "takes one with weights: build it, or call it on a batch"
    assert told(stack)["unbuilt"][place] == f"the model {name}: got one that is not built, {takes}"


@pytest.mark.slow
@pytest.mark.parametrize(("stack", "name"), COUNTS)
def test_every_parameter_of_a_live_model_is_explained(stack: str, name: str) -> None:
    report = case(stack, name)["report"]
    total, trainable = COUNTS[stack, name]
    assert (report["total"], report["rows"], report["trainable"]) == (total, total, trainable)
    assert (report["unmapped"], report["residual"]) == ([], 0)
    stored = [(path, actual, expected) for path, actual, expected, _, tied in report["components"] if tied is None]
    assert [part for part in stored if part[1] != part[2]] == []
    assert sum(actual for _, actual, _ in stored) == total
    assert sum(actual for _, actual, _, free, tied in report["components"] if free and tied is None) == trainable
    assert [finding for finding in report["findings"] if finding[1] == "error"] == []


# The task heads on each backbone, and what they count.
HEADS = {
    "bert_lstm": {"both_ways": 4_672, "tags": 51},
    "bert_crf": {"crf": 360},
    "bert_classifier": {"sentiment": 130},
    "bert_nested": {"sentiment": 130},
    "bert_towers": {"score": 129},
    "bert_training": {},
    "bert_in_a_graph": {},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HEADS)
def test_what_stands_on_a_backbone_is_its_task_head(name: str) -> None:
    report = case("keras2", name)["report"]
    assert (report["dialect"], report["architecture"]) == ("keras-bert", "bert")
    assert {key: report["dimensions"][key] for key in "VPTHFL"} == dict(
        zip("VPTHFL", (100, 32, 2, 64, 128, 2), strict=True)
    )
    heads: dict[str, int] = {}
    for path, actual, *_ in report["components"]:
        if path.startswith("task."):
            head = path.split(".")[1]
            heads[head] = heads.get(head, 0) + actual
    assert heads == HEADS[name]


@pytest.mark.slow
@pytest.mark.parametrize(("stack", "name"), [key for key in COUNTS if key[1] not in HEADS])
def test_what_is_no_bert_is_said_to_be_none(stack: str, name: str) -> None:
    report = case(stack, name)["report"]
    assert (report["dialect"], report["architecture"]) == (None, None)
    assert "no-known-model" in {kind for kind, *_ in report["findings"]}


# What is no model, and what is said of it.
REFUSED = [
    (7, "got an int"),
    ({}, "got a dict"),
    (None, "got a NoneType"),
    (([1], 2), "of inputs and outputs make one with Model(inputs, outputs) first"),
]


@pytest.mark.parametrize(("thing", "said"), REFUSED)
def test_what_is_no_model_is_refused(thing: object, said: str) -> None:
    assert not is_model(thing)
    with pytest.raises(InputError, match=r"^the model: got an? ") as refused:
        inventory_of(thing)
    assert said in str(refused.value)
    assert "takes a built Keras model or layer" in str(refused.value)


# A value in a layer's settings, and what is handed on of it.
PLAIN = [
    (None, None),
    (True, True),
    (3, 3),
    (0.5, 0.5),
    ("gelu", "gelu"),
    ((3, None), [3, None]),
    (np.float32(0.5), 0.5),
    (np.int64(7), 7),
    (np.tanh, "tanh"),
    ({"class_name": "function", "config": "gelu", "module": "builtins"}, "gelu"),
    ({"class_name": "LSTM", "config": {"units": 3}}, "LSTM"),
    (float("inf"), NotImplemented),
    (float("nan"), NotImplemented),
    ({"units": 3}, NotImplemented),
    ([1, object()], NotImplemented),
    (np.zeros(3), NotImplemented),
]


@pytest.mark.parametrize(("value", "handed_on"), PLAIN)
def test_a_setting_is_handed_on_plain(value: object, handed_on: object) -> None:
    assert plain(value) == handed_on


class Configured:
    """What Hugging Face's models have: a configuration that can be written out."""

    def __init__(self, said: object) -> None:
        self.config = self
        self.said = said

    def to_dict(self) -> object:
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


def test_what_a_model_says_of_itself_as_a_whole() -> None:
    said = {"num_attention_heads": 12, "hidden_act": "gelu", "id2label": {"0": "no"}, "pruned_heads": None}
    assert whole_settings(Configured(said)) == {"num_attention_heads": 12, "hidden_act": "gelu"}
    assert whole_settings(Configured({"_name_or_path": "/home", "num_labels": 2})) == {"num_labels": 2}
    assert whole_settings(Configured(RuntimeError("broken"))) == {}
    assert whole_settings(Configured([1, 2])) == {}
    assert whole_settings(object()) == {}


def test_a_name_is_read_as_the_command_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "two.txt"
    one = 'Model: "m"\n_____\nLayer (type)  Output Shape  Param #\n=====\ndense (Dense)  (None, 2)  12\n=====\nTotal params: 12\n'
    file.write_text(one)
    assert reconcile.read(file).total == reconcile.read(str(file)).total == 12
    file.write_text(one + "\n" + one.replace("12", "16"))
    with pytest.raises(
        InputError, match=r"two.txt: got 2 models, takes index=1 to index=2, or reconcile.read_all for a report of each"
    ):
        reconcile.read(file)


def test_no_framework_is_imported_to_see_what_something_is() -> None:
    code = (
        "import sys; from reconcile.sources.live import is_model; from unittest.mock import Mock; is_model(Mock());"
        "print(*{name.split('.')[0] for name in sys.modules} & {'tensorflow', 'keras', 'tf_keras', 'torch', 'numpy'})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
