"""`reconcile.explain` and `check`: figures as somebody wrote them, in Python."""

from os import PathLike, fspath

from reconcile.api.displayed import Answer, Checked, OperationsAnswer, displayed


def explain(
    figure: str | int,
    *,
    model: str | None = None,
    dims: str | None = None,
    unit: str | None = None,
    limit: int = 5,
) -> Answer | OperationsAnswer:
    """Where a figure comes from: which components, how often, by which formula, or by which common mistake.

    Args:
        figure: 2362368, "110M", "7.09e6", an expression such as "(768*768*3 + 768*3) * 12", or a difference such as
            "335043584 - 335141888".
        model: the spec, or the name of a model that comes with the project, that it is about; any known one by default.
        dims: some of its dimensions, "H=768,L=12", where there is no spec.
        unit: what it counts: "params" unless it says so itself, "flops", "macs" or "bytes".
        limit: the most explanations.

    Returns:
        An answer: `explained` says whether there is one that is no coincidence, `explanations` holds them, the best
        first. A figure of operations has `accounts` instead.

    Raises:
        InputError: it is no figure, both `model` and `dims` are given, or one of them is not known.
    """
    from reconcile.errors import InputError
    from reconcile.pipeline.explain import explain as explain_all
    from reconcile.pipeline.explain import explain_operations, of_operations

    if model is not None and dims is not None:
        raise InputError("explain", got="model and dims", takes="one of them")
    asked = (str(figure),)
    if of_operations(asked, unit):
        counted, _ = explain_operations(asked, model=model, dims=dims, unit=unit, limit=limit)
        return displayed(OperationsAnswer, counted[0])
    (answer,) = explain_all(asked, model=model, dims=dims, unit=unit, limit=limit)
    return displayed(Answer, answer)


def check(text: str | PathLike[str], *, model: str | None = None) -> Checked:
    """Every figure and equation in a text, each with its verdict: whether it holds, and why not.

    Args:
        text: the text itself, in any markup; a path (`pathlib.Path`) names a file.
        model: the spec, configuration or model that it is about, if it does not say so itself.

    Returns:
        The claims in reading order. `value` and `expected` of each are in its own `unit`.

    Raises:
        InputError: the file cannot be read, or there is no such model.
    """
    from reconcile.pipeline.check import check as check_text
    from reconcile.pipeline.given import PASTED
    from reconcile.sources.text import text_of

    if isinstance(text, str):
        return displayed(Checked, check_text(text, PASTED, model=model))
    name = fspath(text)
    return displayed(Checked, check_text(text_of(name), name, model=model))
