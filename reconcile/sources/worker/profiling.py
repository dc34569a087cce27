"""What a model computes, operation by operation, as TensorFlow's profiler counts it, and what a backward pass keeps.

Standard library only besides TensorFlow, in the syntax of Python 3.6.
"""

SCOPE = "once"
COUNTED = "flops"
# Operations that compute numbers. Of the others, which move, reshape or make them, nothing is to be counted.
COMPUTING = frozenset(
    """
    Abs All Any ArgMax BatchMatMulV2 BatchMatMulV3 BiasAdd Einsum Erf Erfc Exp Log LogSoftmax MatMul Max Maximum
    Mean Min Minimum Mul Neg Pow Prod RealDiv Reciprocal Relu Rsqrt Sigmoid Softmax Softplus Sqrt Square
    SquaredDifference Sub Sum Tanh Add AddV2
    """.split()  # noqa: SIM905 - a list of names reads better as words
)


def profile(model, graph, batch, length):
    """The operations of one call of a model on sequences of whole shapes, and the bytes that its gradients need.

    "rows" has for each layer and type of operation how many there are, and what the profiler counts for them, null
    where it has no rule. "besides" is what it counts in the rest of the graph, the initialisation of weights.
    "kept" has for each layer the bytes of tensors that a backward pass reads.
    """
    before = {operation.name for operation in graph.get_operations()}
    _call(model, batch, length, SCOPE, False)
    made = [operation for operation in graph.get_operations() if operation.name not in before]
    besides = sum(_counted(graph, operation) or 0 for operation in graph.get_operations() if operation.name in before)
    return {
        "rows": _rows(graph, made, model),
        "besides": besides,
        "kept": _kept(model, graph, batch, length),
    }


def _call(model, batch, length, scope, training):
    import tensorflow as tf

    placeholders = [tf.compat.v1.placeholder(tensor.dtype, (batch, length)) for tensor in model.inputs]
    with tf.name_scope(scope):
        return model(placeholders, training=training), placeholders


def _rows(graph, operations, model):
    rows = {}
    names = {layer.name for layer in model.layers}
    for operation in operations:
        count = _counted(graph, operation)
        if not count and (operation.type not in COMPUTING or _integer(operation)):
            continue
        key = (_layer(operation.name, names), operation.type)
        number, flops = rows.get(key, (0, None))
        rows[key] = (number + 1, flops if count is None else (flops or 0) + count)
    return [
        {"layer": layer, "type": kind, "number": number, "flops": flops}
        for (layer, kind), (number, flops) in rows.items()
    ]


def _counted(graph, operation):
    """What the profiler's rule for an operation's type says of it; None without a rule or whole shapes."""
    from tensorflow.python.framework import ops
    from tensorflow.python.profiler.internal import flops_registry  # noqa: F401 - it registers the rules

    try:
        value = ops.get_stats_for_node_def(graph, operation.node_def, COUNTED).value
    except ValueError:
        return None
    return None if value is None else int(value)


def _integer(operation):
    """Whether an operation works on whole numbers, as those on shapes do."""
    return any(tensor.dtype.is_integer or tensor.dtype.is_bool for tensor in operation.outputs)


def _layer(name, layers):
    """The layer that an operation is of, from the scopes in its name."""
    return next((part for part in name.split("/") if part in layers), "")


def _kept(model, graph, batch, length):
    """For each layer the bytes of its results that gradients read, of values and of masks apart from weights."""
    import tensorflow as tf

    first = len(graph.get_operations())
    outputs, given = _call(model, batch, length, "step", True)
    drawn = [operation for operation in graph.get_operations()[first:] if "Random" in operation.type]
    forward = _following([*given, *(output for operation in drawn for output in operation.outputs)])
    whole = outputs if isinstance(outputs, (list, tuple)) else [outputs]
    before = {operation.name for operation in graph.get_operations()}
    tf.gradients([tf.reduce_sum(output) for output in whole], model.weights)
    backward = [operation for operation in graph.get_operations() if operation.name not in before]
    names = {layer.name for layer in model.layers}
    kept, seen = {}, set()
    for operation in backward:
        for tensor in map(_stored, operation.inputs):
            if tensor.op.name not in forward or tensor.name in seen or not _is_value(tensor):
                continue
            seen.add(tensor.name)
            layer = _layer(tensor.op.name, names)
            kept[layer] = kept.get(layer, 0) + tensor.shape.num_elements() * tensor.dtype.size
    return kept


def _following(given):
    """The names of all operations that follow from some tensors: what is made of weights alone is no result."""
    found, left = set(), [operation for tensor in given for operation in tensor.consumers()]
    while left:
        operation = left.pop()
        if operation.name not in found:
            found.add(operation.name)
            left.extend(consumer for output in operation.outputs for consumer in output.consumers())
    return found


def _stored(tensor):
    """The tensor in whose storage one stands: it may be another view of it."""
    while tensor.op.type in ("Identity", "Reshape", "ExpandDims", "Squeeze", "StopGradient"):
        tensor = tensor.op.inputs[0]
    return tensor


def _is_value(tensor):
    """Whether a tensor holds values or a mask, and no shape."""
    return tensor.op.type != "Shape" and tensor.shape.is_fully_defined() and not tensor.dtype.is_integer
