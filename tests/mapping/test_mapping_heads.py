"""What stands on top, and models that are no BERT: each array with the formula of its layer's class, name or shape."""

import pytest

from reconcile.formula import Formula
from reconcile.inventory import Inventory, Layer, Tensor, parent_layers
from reconcile.mapping.ledger import Ledger
from reconcile.mapping.tensors import map_source

Shapes = dict[str, tuple[int, ...]]


def ledger_of(class_name: str, shapes: Shapes) -> Ledger:
    tensors = tuple(Tensor(f"top/{name}", shape, "float32", True, name) for name, shape in shapes.items())
    layer = Layer("top", class_name, "", sum(tensor.size for tensor in tensors), tensors=tensors)
    return map_source(Inventory("model", (layer,), None))


# A class of Keras with its weights as Keras 3 names and shapes them, and the formula that they add up to.
LAYERS: list[tuple[str, Shapes, str, dict[str, int]]] = [
    ("Dense", {"kernel": (768, 2), "bias": (2,)}, "i·o + o", {"i": 768, "o": 2}),
    ("Dense", {"kernel": (768, 2)}, "i·o", {"i": 768, "o": 2}),
    ("LSTM", {"lstm_cell/kernel": (9, 20), "lstm_cell/recurrent_kernel": (5, 20), "lstm_cell/bias": (20,)}, "4·((i + o)·o + o)", {"i": 9, "o": 5}),
    ("GRU", {"gru_cell/kernel": (9, 15), "gru_cell/recurrent_kernel": (5, 15), "gru_cell/bias": (2, 15)}, "3·((i + o)·o + 2·o)", {"i": 9, "o": 5}),
    ("GRU", {"gru_cell/kernel": (9, 15), "gru_cell/recurrent_kernel": (5, 15), "gru_cell/bias": (15,)}, "3·((i + o)·o + o)", {"i": 9, "o": 5}),
    ("SimpleRNN", {"kernel": (9, 5), "recurrent_kernel": (5, 5), "bias": (5,)}, "(i + o)·o + o", {"i": 9, "o": 5}),
    ("Bidirectional", {f"{way}_lstm/lstm_cell/{name}": shape for way in ("forward", "backward") for name, shape in (("kernel", (9, 20)), ("recurrent_kernel", (5, 20)), ("bias", (20,)))}, "8·((i + o)·o + o)", {"i": 9, "o": 5}),
    ("Conv1D", {"kernel": (3, 9, 5), "bias": (5,)}, "k·i·o + o", {"k": 3, "i": 9, "o": 5}),
    ("Conv2D", {"kernel": (3, 4, 9, 5), "bias": (5,)}, "k·l·i·o + o", {"k": 3, "l": 4, "i": 9, "o": 5}),
    ("SeparableConv1D", {"depthwise_kernel": (3, 9, 2), "pointwise_kernel": (1, 18, 5), "bias": (5,)}, "k·i·m + i·m·o + o", {"k": 3, "i": 9, "m": 2, "o": 5}),
    ("BatchNormalization", {"gamma": (5,), "beta": (5,), "moving_mean": (5,), "moving_variance": (5,)}, "4·o", {"o": 5}),
    ("LayerNormalization", {"gamma": (5,)}, "o", {"o": 5}),
    ("Embedding", {"embeddings": (30, 5)}, "v·o", {"v": 30, "o": 5}),
    ("MultiHeadAttention", {f"{part}/{name}": shape for part in ("query", "key", "value") for name, shape in (("kernel", (9, 2, 3)), ("bias", (2, 3)))} | {"attention_output/kernel": (2, 3, 9), "attention_output/bias": (9,)}, "3·(i·h·d + h·d) + h·d·o + o", {"i": 9, "h": 2, "d": 3, "o": 9}),
    ("MultiHeadAttention", {"query/kernel": (9, 2, 3), "key/kernel": (7, 2, 3), "value/kernel": (8, 2, 4), "attention_output/kernel": (2, 4, 6)}, "i·h·d + j·h·d + k·h·e + h·e·o", {"i": 9, "j": 7, "k": 8, "h": 2, "d": 3, "e": 4, "o": 6}),
    ("EinsumDense", {"kernel": (9, 2, 3), "bias": (2, 3)}, "i·h·o + h·o", {"i": 9, "h": 2, "o": 3}),
    ("PReLU", {"alpha": (4, 5)}, "r·o", {"r": 4, "o": 5}),
    ("CRF", {"kernel": (9, 5), "bias": (5,), "chain_kernel": (5, 5), "left_boundary": (5,), "right_boundary": (5,)}, "i·o + o² + 3·o", {"i": 9, "o": 5}),
]  # fmt: skip


@pytest.mark.parametrize(("class_name", "shapes", "formula", "sizes"), LAYERS)
def test_a_layer_of_keras_has_its_formula(class_name: str, shapes: Shapes, formula: str, sizes: dict[str, int]) -> None:
    ledger = ledger_of(class_name, shapes)
    assert ledger.architecture is None
    assert not ledger.unmapped
    whole = sum((part.formula for part in ledger.assignments), Formula.of(0))
    assert whole == Formula.parse(formula)
    assert {name: size for part in ledger.assignments for name, size in part.sizes.items()} == sizes
    assert whole.evaluate(sizes) == ledger.accounted == sum(part.expected or 0 for part in ledger.assignments)
    assert {part.says for part in ledger.assignments} == {f"as {class_name} has it"}
    assert all(part.path.startswith("task.top.") for part in ledger.assignments)


# Arrays of which the source says no class: names, shapes, and what each is.
BY_NAME: list[tuple[Shapes, dict[str, str]]] = [
    ({"classifier.weight": (2, 768), "classifier.bias": (2,)}, {"classifier.weight": "i·o (i = 768, o = 2)", "classifier.bias": "o (o = 2)"}),
    ({"conv.weight": (64, 3, 7, 7)}, {"conv.weight": "i·k·l·o (i = 3, k = 7, l = 7, o = 64)"}),
    ({"q.lora_A.default.weight": (8, 768), "q.lora_B.default.weight": (512, 8)}, {"q.lora_A.default.weight": "i·r (i = 768, r = 8)", "q.lora_B.default.weight": "o·r (o = 512, r = 8)"}),
    ({"rnn.weight_ih_l0": (20, 9), "rnn.weight_hh_l0": (20, 5), "rnn.bias_ih_l0": (20,), "rnn.bias_hh_l0": (20,)}, {"rnn.weight_ih_l0": "4·i·o (i = 9, o = 5)", "rnn.weight_hh_l0": "4·o² (o = 5)", "rnn.bias_ih_l0": "4·o (o = 5)", "rnn.bias_hh_l0": "4·o (o = 5)"}),
    ({"rnn.weight_hh_l1_reverse": (15, 5), "rnn.weight_ih_l1_reverse": (15, 10)}, {"rnn.weight_hh_l1_reverse": "3·o² (o = 5)", "rnn.weight_ih_l1_reverse": "3·i·o (i = 10, o = 5)"}),
    ({"gru/kernel": (9, 15), "gru/recurrent_kernel": (5, 15)}, {"gru.kernel": "3·i·o (i = 9, o = 5)", "gru.recurrent_kernel": "3·o² (o = 5)"}),
]  # fmt: skip


@pytest.mark.parametrize(("shapes", "expected"), BY_NAME)
def test_an_array_without_a_class_has_the_formula_of_its_name_or_shape(
    shapes: Shapes, expected: dict[str, str]
) -> None:
    tensors = [Tensor(name, shape, "float32", None, name) for name, shape in shapes.items()]
    ledger = map_source(Inventory("state dict", parent_layers(tensors), None))
    assert {part.path.removeprefix("task."): part.formula_text for part in ledger.assignments} == expected
    assert all(part.expected == part.actual for part in ledger.assignments)


def test_what_is_trained_is_kept_by_component() -> None:
    tensors = tuple(
        Tensor(f"bn/{name}", (5,), "float32", free, name)
        for name, free in (("gamma", True), ("beta", True), ("moving_mean", False), ("moving_variance", False))
    )
    ledger = map_source(Inventory("m", (Layer("bn", "BatchNormalization", "", 20, tensors=tensors),), 20, 10, 10))
    assert {part.path.rpartition(".")[2]: part.trainable for part in ledger.assignments} == {
        "gamma": True, "beta": True, "moving_mean": False, "moving_variance": False,
    }  # fmt: skip
    assert ledger.residual == 0
