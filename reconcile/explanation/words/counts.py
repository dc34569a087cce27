"""The sentences for counts that do not agree with their formulas, and for what is missing or unmapped."""

from collections.abc import Callable

from reconcile.explanation.phrases import number, signed
from reconcile.finding import Finding


def _count(finding: Finding) -> str:
    needs = finding.facts.get("needs")
    if needs:
        name, size, rest = needs
        return (
            f"{finding.where} has {number(finding.actual or 0)} parameters, which is {finding.facts['formula']} for "
            f"{name} = {size}, while the rest has {name} = {rest} ({number(finding.expected or 0)}): "
            f"{signed(finding.difference or 0)}."
        )
    shape, wanted = finding.facts["shape"], finding.facts["expected_shape"]
    shapes = f" (shape {_shape(shape)}, expected {_shape(wanted)})" if shape and wanted else ""
    return (
        f"{finding.where} has {number(finding.actual or 0)} parameters where {finding.facts['formula']} makes "
        f"{number(finding.expected or 0)}: {signed(finding.difference or 0)}{shapes}."
    )


def _wrong_shape(finding: Finding) -> str:
    shape, wanted = _shape(finding.facts["shape"]), _shape(finding.facts["expected_shape"])
    formula = finding.facts["formula"]
    return f"{finding.where} has as many parameters as {formula} makes, in another shape: {shape} for {wanted}."


def _tied(finding: Finding) -> str:
    what = f"{finding.facts['formula']} = {number(finding.facts['size'])}"
    return f"{finding.where} ({what}) is {finding.facts['tied_to']}: one matrix under two names, counted once."


def _missing(finding: Finding) -> str:
    formula = finding.facts["formula"]
    size = f" = {number(finding.expected)}" if finding.expected is not None else ""
    return f"{finding.where} is not there: {formula}{size} parameters are missing."


def _unexpected(finding: Finding) -> str:
    formula, size = finding.facts["formula"], number(finding.actual or 0)
    return f"{finding.where} is there and should not be: {formula} = {size} parameters more than these dimensions make."


def _unmapped(finding: Finding) -> str:
    size = number(finding.actual or 0)
    of = f"{class_name}, " if (class_name := finding.facts["class_name"]) else ""
    if more := finding.facts.get("more"):
        rest = f"{more} more" if more > 1 else "one more"
        return f"{finding.where} and {rest} ({of}{size} parameters each) are not assigned: {finding.facts['why']}."
    return f"{finding.where} ({of}{size} parameters) is not assigned: {finding.facts['why']}."


def _residual(finding: Finding) -> str:
    return (
        f"The total of {number(finding.actual or 0)} differs by {signed(finding.difference or 0)} from the "
        f"{number(finding.expected or 0)} that the components add up to."
    )


def _shape(shape: tuple[int, ...]) -> str:
    return "(" + ", ".join(map(str, shape)) + ")"


SENTENCES: dict[str, Callable[[Finding], str]] = {
    "count": _count,
    "shape": _wrong_shape,
    "tied": _tied,
    "missing": _missing,
    "unexpected": _unexpected,
    "unmapped": _unmapped,
    "residual": _residual,
}
