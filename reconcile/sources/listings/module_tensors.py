"""What PyTorch's own modules hold, from the arguments that their printed form shows.

Names and shapes are those of torch.nn's documentation ("Variables" of each class).
"""

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any

from reconcile.datafile import packaged

Arguments = Mapping[str, Any]
Shapes = dict[str, tuple[int, ...]]

BUFFERS = {"running_mean", "running_var", "num_batches_tracked"}
"""Tensors of normalisations that a state dict holds and that are no parameters."""


def tensors_of(class_name: str, given: Arguments) -> Shapes | None:
    """The tensors of a module by name; None for a class that is not known here.

    Raises KeyError, TypeError, ValueError or ZeroDivisionError where the arguments are not those of the class.
    """
    name = class_name.rpartition(".")[2]
    makes = _MADE.get(name)
    if makes is None and not name.endswith(HOLD_NOTHING_ENDS):
        makes = next((makes for end, makes in _ENDS.items() if name.endswith(end)), None)
    return None if makes is None else _checked(makes(given))


@cache
def _held() -> Mapping[str, Mapping[str, Any]]:
    return {name: row for row in packaged("beside", "unprinted")["held"] for name in row["classes"]}


def unprinted(class_name: str, inside: Collection[str]) -> tuple[str, ...]:
    """What parameters are called that a class around modules with these names is known to hold by itself."""
    row = _held().get(class_name)
    return () if row is None or row.get("unless") in inside else tuple(row["parameters"])


@cache
def _library() -> tuple[re.Pattern[str], frozenset[str]]:
    known = packaged("beside", "library")
    families, endings = "|".join(known["families"]), "|".join(known["endings"])
    return re.compile(f"(?:{families})(?:{endings})"), frozenset(known["inside"])


def of_library(class_name: str, inside: bool) -> bool:
    """Whether a class is a library's that holds no parameters by itself; `inside` of one such others are too."""
    named, others = _library()
    return bool(named.fullmatch(class_name)) or (inside and class_name in others)


def holds_nothing(class_name: str) -> bool:
    """Whether a class is known to hold no parameters, nor modules that do."""
    return class_name in ACTIVATIONS or class_name in HOLD_NOTHING or class_name.endswith(HOLD_NOTHING_ENDS)


def attention_inputs(given: Arguments) -> Shapes:
    """The tensors of a `MultiheadAttention` that its printed form leaves out; `given` are those of its out_proj."""
    size = int(given["in_features"] if "in_features" in given else given["0"])
    bias = {"in_proj_bias": (3 * size,)} if given.get("bias", True) else {}
    return _checked({"in_proj_weight": (3 * size, size), **bias})


def _checked(shapes: Shapes) -> Shapes:
    """The shapes, if each axis is a size that an array can have."""
    if not all(type(axis) is int and 0 <= axis < 2**53 for shape in shapes.values() for axis in shape):
        raise ValueError("no size of an array")
    return shapes


def _of(given: Arguments, *names: str) -> list[int]:
    """Arguments by name, or by place (`"0"`) where they are printed so."""
    return [int(given[name] if name in given else given[str(place)]) for place, name in enumerate(names)]


def _biased(given: Arguments, weight: tuple[int, ...], size: int) -> Shapes:
    return {"weight": weight, **({"bias": (size,)} if given.get("bias", True) else {})}


def _linear(given: Arguments) -> Shapes:
    inner, outer = _of(given, "in_features", "out_features")
    return _biased(given, (outer, inner), outer)


def _bilinear(given: Arguments) -> Shapes:
    one, other, outer = _of(given, "in1_features", "in2_features", "out_features")
    return _biased(given, (outer, one, other), outer)


def _embedding(given: Arguments) -> Shapes:
    rows, size = _of(given, "num_embeddings", "embedding_dim")
    return {"weight": (rows, size)}


def _own_embedding(given: Arguments) -> Shapes:
    """The table of a library's own embedding, `OPTLearnedPositionalEmbedding(2050, 512)`: two sizes, as torch.nn's."""
    if "2" in given:
        raise ValueError("more than two sizes")
    return {"weight": (given["0"], given["1"])}


def _transposed_dense(given: Arguments) -> Shapes:
    """GPT-2's `Conv1D`, a dense layer with its kernel the other way round: `Conv1D(nf=2304, nx=768)`."""
    outer, inner = _of(given, "nf", "nx")
    return {"weight": (inner, outer), "bias": (outer,)}


def _conv(given: Arguments) -> Shapes:
    if "nf" in given:
        return _transposed_dense(given)
    inner, outer = _of(given, "in_channels", "out_channels")
    return _biased(given, (outer, inner // given.get("groups", 1), *_sizes(given["kernel_size"])), outer)


def _transposed_conv(given: Arguments) -> Shapes:
    inner, outer = _of(given, "in_channels", "out_channels")
    return _biased(given, (inner, outer // given.get("groups", 1), *_sizes(given["kernel_size"])), outer)


def _sizes(value: Any) -> tuple[int, ...]:
    return tuple(map(int, value)) if isinstance(value, tuple) else (int(value),)


def _layer_norm(given: Arguments) -> Shapes:
    size = _sizes(given["normalized_shape"] if "normalized_shape" in given else given["0"])
    if not given.get("elementwise_affine", True):
        return {}
    return {"weight": size, **({"bias": size} if given.get("bias", True) else {})}


def _rms_norm(given: Arguments) -> Shapes:
    return {"weight": _sizes(given["0"])} if given.get("elementwise_affine", True) else {}


def _group_norm(given: Arguments) -> Shapes:
    size = (_of(given, "num_groups", "num_channels")[1],)
    if not given.get("affine", True):
        return {}
    return {"weight": size, **({"bias": size} if given.get("bias", True) else {})}


def _batch_norm(given: Arguments) -> Shapes:
    size = (_of(given, "num_features")[0],)
    learnt = {"weight": size, **({"bias": size} if given.get("bias", True) else {})}
    tracked: Shapes = {"running_mean": size, "running_var": size, "num_batches_tracked": ()}
    return {
        **(learnt if given.get("affine", True) else {}),
        **(tracked if given.get("track_running_stats", True) else {}),
    }


def _slope(given: Arguments) -> Shapes:
    return {"weight": (_of(given, "num_parameters")[0],)}


def _recurrent(gates: int) -> Callable[[Arguments], Shapes]:
    """An LSTM's (4 gates), GRU's (3) or RNN's (1) tensors, layer by layer and direction by direction."""

    def made(given: Arguments) -> Shapes:
        inner, size = _of(given, "input_size", "hidden_size")
        projected = int(given.get("proj_size", 0))
        state = projected or size
        directions = ("", "_reverse") if given.get("bidirectional") else ("",)
        shapes: Shapes = {}
        for layer in range(min(int(given.get("num_layers", 1)), 1000)):
            width = inner if layer == 0 else state * len(directions)
            for way in directions:
                end = f"_l{layer}{way}"
                shapes[f"weight_ih{end}"], shapes[f"weight_hh{end}"] = (gates * size, width), (gates * size, state)
                if given.get("bias", True):
                    shapes[f"bias_ih{end}"] = shapes[f"bias_hh{end}"] = (gates * size,)
                if projected:
                    shapes[f"weight_hr{end}"] = (state, size)
        return shapes

    return made


def _cell(gates: int) -> Callable[[Arguments], Shapes]:
    def made(given: Arguments) -> Shapes:
        inner, size = _of(given, "input_size", "hidden_size")
        biases: Shapes = {name: (gates * size,) for name in ("bias_ih", "bias_hh") if given.get("bias", True)}
        return {"weight_ih": (gates * size, inner), "weight_hh": (gates * size, size), **biases}

    return made


_MADE: Mapping[str, Callable[[Arguments], Shapes]] = {
    **dict.fromkeys(("Linear", "NonDynamicallyQuantizableLinear", "Linear4bit", "Linear8bitLt", "LinearNF4"), _linear),
    **dict.fromkeys(("Embedding", "EmbeddingBag"), _embedding),
    **dict.fromkeys(("Conv1d", "Conv2d", "Conv3d", "Conv1D"), _conv),
    **dict.fromkeys(("ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"), _transposed_conv),
    **dict.fromkeys(("LayerNorm", "BertLayerNorm", "FusedLayerNorm", "NoNorm"), _layer_norm),
    **dict.fromkeys(("RMSNorm", "LlamaRMSNorm", "T5LayerNorm", "MistralRMSNorm", "Qwen2RMSNorm"), _rms_norm),
    **dict.fromkeys(("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm"), _batch_norm),
    **dict.fromkeys(("InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"), _batch_norm),
    "Bilinear": _bilinear, "GroupNorm": _group_norm, "PReLU": _slope,
    "LSTM": _recurrent(4), "GRU": _recurrent(3), "RNN": _recurrent(1),
    "LSTMCell": _cell(4), "GRUCell": _cell(3), "RNNCell": _cell(1),
}  # fmt: skip

_ENDS: Mapping[str, Callable[[Arguments], Shapes]] = {
    "RMSNorm": _rms_norm,
    "LayerNorm": _layer_norm,
    "Embedding": _own_embedding,
}
"""Norms and tables that libraries write for themselves and print with their shape, as torch.nn's."""

ACTIVATIONS = {
    "GELU": "gelu", "GELUActivation": "gelu", "NewGELUActivation": "gelu_new", "FastGELUActivation": "gelu_fast",
    "QuickGELUActivation": "quick_gelu", "PytorchGELUTanh": "gelu_pytorch_tanh", "GELUTanh": "gelu_pytorch_tanh",
    "Tanh": "tanh", "ReLU": "relu", "ReLU6": "relu6", "Sigmoid": "sigmoid", "SiLU": "silu", "SiLUActivation": "silu",
    "Mish": "mish", "MishActivation": "mish", "Softmax": "softmax", "LogSoftmax": "log_softmax", "Softplus": "softplus",
    "ELU": "elu", "SELU": "selu", "LeakyReLU": "leaky_relu", "Hardtanh": "hard_tanh", "LinearActivation": "linear",
    "Hardswish": "hard_swish", "Softsign": "softsign", "LogSigmoid": "log_sigmoid", "GLU": "glu",
}  # fmt: skip
"""Modules that are an activation, under Keras' or Hugging Face's name for it."""

HOLD_NOTHING = {
    "Identity", "Flatten", "Unflatten", "Softmin", "AlphaDropout", "FeatureAlphaDropout", "DropPath", "StochasticDepth",
    "Upsample", "PixelShuffle", "ChannelShuffle", "Fold", "Unfold", "CosineSimilarity", "PairwiseDistance",
    "ModuleDict", "ModuleList", "Sequential", "ParameterDict", "ParameterList", "BertPreTrainingHeads", "StableDropout",
    "_WeightNorm",
}  # fmt: skip
"""Modules without tensors of their own; those whose names end as pools, pads, losses and dropouts do, too."""

CONTAINERS = HOLD_NOTHING | {
    "MultiheadAttention", "Transformer", "TransformerEncoder", "TransformerEncoderLayer", "TransformerDecoder",
    "TransformerDecoderLayer", "DataParallel", "DistributedDataParallel",
}  # fmt: skip
"""Modules of PyTorch around others, which hold no parameters that their printed form hides."""

HOLD_NOTHING_ENDS = (
    "RotaryEmbedding",
    "Dropout",
    "Pool1d",
    "Pool2d",
    "Pool3d",
    "Pad1d",
    "Pad2d",
    "Pad3d",
    "PadLayer",
    "Loss",
    "Activation",
    "GELU",
    "Gelu",
)
