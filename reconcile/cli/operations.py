"""How `reconcile explain` answers for figures of operations."""

from reconcile.cli.output import print_results

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

    meant = model_of(model) if model is not None else of_dimensions(dims) if dims is not None else None
    answers = [explain_operations(figure, unit, meant, limit) for figure in figures]
    print_results(answers, form, ascii_only)
    return any(answer.explained or (meant is not None and answer.accounts) for answer in answers)
