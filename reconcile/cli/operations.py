"""How `reconcile explain` answers for figures of operations."""

from reconcile.cli.output import can_print, print_text, width
from reconcile.render.neutral import neutral

UNITS = ("flops", "macs")


def of_operations(figures: tuple[str, ...], unit: str | None) -> bool:
    """Whether all of some figures count operations: as `unit` says, or as each has it written behind it."""
    if unit is not None or not any(word in figure.upper() for figure in figures for word in ("FLOP", "MAC")):
        return unit in UNITS and bool(figures)
    from reconcile.explanation.question import read_question

    return bool(figures) and all(read_question(figure).unit in UNITS for figure in figures)


def print_explained(
    figures: tuple[str, ...],
    unit: str | None,
    model: str | None,
    dims: str | None,
    limit: int,
    form: str,
    ascii_only: bool,
) -> bool:
    """Print what each figure is; whether one of them is explained, or of the model that is named comes to it."""
    from reconcile.pipeline.cost import explain_operations, model_of, of_dimensions
    from reconcile.render.operations import render_json, render_markdown, render_text

    meant = model_of(model) if model is not None else of_dimensions(dims) if dims is not None else None
    answers = [explain_operations(figure, unit, meant, limit) for figure in figures]
    ascii_only = ascii_only or not can_print("·²−×ᵀ")
    if form == "json":
        text = render_json(answers, ascii_only)
    elif form == "markdown":
        text = render_markdown(neutral(answers), ascii_only)
    else:
        text = render_text(neutral(answers), width(), ascii_only)
    print_text(text)
    return any(answer.explained or (meant is not None and answer.accounts) for answer in answers)
