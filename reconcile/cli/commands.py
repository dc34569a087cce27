"""The commands, each in a module of its name, with what it does in a line."""

# Each command's module is imported when it is called, so that the list of them costs nothing.
COMMANDS = {
    "build": "Build a model with keras-bert and reconcile every parameter.",
    "read": "Reconcile a pasted summary, a checkpoint, a listing or a configuration.",
    "explain": "Derive a figure, an expression or a difference from components.",
    "cost": "Count the operations and the memory of a model, by any counter's convention.",
    "report": "Put one or several models into one document, with pictures.",
    "diff": "Compare two sources, component by component.",
    "releases": "Build a model with each release of keras-bert and say what each changed.",
    "check": "Check the figures and equations in a text.",
}
