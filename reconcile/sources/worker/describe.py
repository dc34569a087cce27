"""What a live Keras 2 model has, as plain data. Standard library only, in the syntax of Python 3.6."""

from typing import Any, Dict

# The settings of a layer that are handed on: what it computes and with which sizes. Not how its weights began, what
# they are called or which precision they have; and a setting of another name stays where it is.
SETTINGS = frozenset(
    """
    activation attention_activation feed_forward_activation hidden_activation inner_activation intermediate_activation
    pooler_activation recurrent_activation
    epsilon layer_norm_epsilon norm_epsilon momentum axis axes center scale
    rate dropout dropout_rate attention_dropout attention_dropout_rate output_dropout inner_dropout recurrent_dropout
    head_num num_heads heads num_attention_heads num_query_heads num_key_value_heads num_kv_heads
    head_size key_dim value_dim key_size head_dim attention_axes output_shape
    units hidden_dim hidden_size inner_dim intermediate_dim intermediate_size out_dim filters kernel_size strides
    padding dilation_rate depth_multiplier groups data_format pool_size keepdims output_size target_shape
    input_dim output_dim vocab_size vocabulary_size vocab_num embedding_dim embedding_size embedding_width
    sequence_length max_length max_sequence_length num_layers num_segments n_embeddings
    use_bias bias_axes equation merge_mode mode normalize_first norm_first residual
    history_only use_causal_mask return_sequences return_state go_backwards stateful unroll reset_after time_major
    implementation mask_zero tie_weights tie_embedding_weights lora_rank lora_alpha quantization_mode
    use_attention_bias use_attention_scale attention_scale conditional hierarchical index layer
    """.split()  # noqa: SIM905
)


def describe(model):
    """Return the layers of a model with their tensors, and the counts that Keras itself gives.

    Every layer's tensors add up to Keras' count of that layer, and all distinct tensors to Keras' count of the model;
    otherwise AssertionError says where not.
    """
    numbers = {}
    layers = [_layer(layer, numbers) for layer in model.layers]
    trainable = {_storage(weight, numbers) for weight in model.trainable_weights}
    sizes = {}
    for row in layers:
        held = {tensor["storage"]: _size(tensor["shape"]) for tensor in row["tensors"]}
        assert sum(held.values()) == row["params"], "tensors of %s: %d, Keras counts %d" % (
            row["name"],
            sum(held.values()),
            row["params"],
        )
        sizes.update(held)
        for tensor in row["tensors"]:
            tensor["trainable"] = tensor["storage"] in trainable
    total = int(model.count_params())
    assert sum(sizes.values()) == total, "all tensors: %d, Keras counts %d" % (sum(sizes.values()), total)
    free = sum(size for storage, size in sizes.items() if storage in trainable)
    return {"layers": layers, "total": total, "trainable": free, "non_trainable": total - free}


def _layer(layer, numbers):
    return {
        "name": layer.name,
        "class_name": type(layer).__name__,
        "output_shape": output_shape(layer),
        "params": int(layer.count_params()),
        "inbound": _inbound(layer),
        "trainable": bool(layer.trainable),
        "tensors": [
            {
                "path": weight.name,
                "shape": [int(size) for size in weight.shape],
                "dtype": getattr(weight.dtype, "name", str(weight.dtype)),
                "storage": _storage(weight, numbers),
            }
            for weight in layer.weights
        ],
        "config": settings(layer),
    }


def settings(layer: Any) -> Dict[str, Any]:
    """Those of a layer's SETTINGS that are plain values under Keras' own names, functions by theirs; {} for a model."""
    if hasattr(layer, "layers"):
        return {}
    try:
        found = layer.get_config()
        wrapped = found.get("layer")
        if isinstance(wrapped, dict):  # Bidirectional, TimeDistributed: their layer's settings, then their own
            found = dict(wrapped.get("config") or {}, **found)
        pairs = [(name, plain(value)) for name, value in found.items() if name in SETTINGS]
    except Exception:  # a layer of somebody's own need not have one, and it may raise whatever it likes
        return {}
    return {name: value for name, value in pairs if value is not NotImplemented}


def plain(value: Any) -> Any:
    """A number, text, None, or a list of them, as JSON has them; a function's or layer's name; else NotImplemented."""
    if hasattr(value, "item") and not getattr(value, "shape", None):
        value = value.item()  # NumPy's own scalars
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else NotImplemented  # JSON has no infinities
    if isinstance(value, (list, tuple)):
        items = [plain(item) for item in value]
        return NotImplemented if NotImplemented in items else items
    if isinstance(value, dict):  # as Keras writes a function or a layer: {"class_name": ..., "config": ...}
        inner = value.get("config")
        name = inner if isinstance(inner, str) else value.get("class_name")
        return name if isinstance(name, str) else NotImplemented
    name = getattr(value, "__name__", None)
    return name if isinstance(name, str) else NotImplemented


def output_shape(layer: Any) -> str:
    """The output shape as Keras' summary prints it: `multiple` (Keras 3: `?`) where there is no one shape."""
    if not hasattr(layer, "symbolic_call"):  # Keras 2
        try:
            return str(layer.output_shape)
        except AttributeError:
            return "multiple"
    if not layer._inbound_nodes:
        return "?"
    shapes = [str(tuple(tensor.shape)) for tensor in layer._inbound_nodes[-1].output_tensors]
    return shapes[0] if len(shapes) == 1 else "[%s]" % ", ".join(shapes)


def _inbound(layer):
    names = []
    for node in layer._inbound_nodes:
        inbound = getattr(node, "inbound_layers", [])
        for source in inbound if isinstance(inbound, (list, tuple)) else [inbound]:
            if source.name not in names:
                names.append(source.name)
    return names


def _storage(weight, numbers):
    """A name for the memory behind a weight: two weights share it exactly when they are the same variable."""
    return "variable-%d" % numbers.setdefault(id(weight), len(numbers) + 1)


def _size(shape):
    size = 1
    for axis in shape:
        size *= axis
    return size
