"""What a live Keras 2 model has, as plain data. Standard library only, in the syntax of Python 3.6."""


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
        "output_shape": _shape_text(layer),
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
    }


def _shape_text(layer):
    """The output shape as Keras' summary prints it: `multiple` where the layer is used with several."""
    try:
        return str(layer.output_shape)
    except AttributeError:
        return "multiple"


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
