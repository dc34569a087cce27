"""Rows of the list of a Keras model, of Keras 2 or 3: what its variables are."""


def rows_of(model):
    """(name, shape, dtype, trainable, role, storage) of each variable; those that no weight is (seeds) are buffers."""
    trainable = {id(weight) for weight in model.trainable_weights}
    weights = {id(weight) for weight in model.weights}
    for variable in model.variables:
        name = getattr(variable, "path", None) or variable.name
        dtype = getattr(variable.dtype, "name", str(variable.dtype))
        role = "parameter" if id(variable) in weights else "buffer"
        yield name, tuple(variable.shape), dtype, id(variable) in trainable, role, id(variable)
