"""Rows of the list of a PyTorch module: what its state dict has, as a checkpoint would."""


def rows_of(module):
    """(name, shape, dtype, trainable, role, storage) of each entry of the module's state dict."""
    parameters = {id(parameter) for parameter in module.parameters()}
    for name, tensor in module.state_dict(keep_vars=True).items():
        role = "parameter" if id(tensor) in parameters else "buffer"
        yield name, tuple(tensor.shape), str(tensor.dtype).split(".")[1], tensor.requires_grad, role, id(tensor)


def count(module):
    """The number of parameters, each storage once."""
    return sum(parameter.numel() for parameter in module.parameters())
