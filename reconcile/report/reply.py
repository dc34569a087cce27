"""One paragraph that answers the question under which a summary was pasted."""

from reconcile.phrases import listed, number
from reconcile.report.types import Report
from reconcile.taxonomy import load_architecture, template

TELLING = (
    "text-wrapped-digits",
    "text-recovered-count",
    "tied-row",
    "whole",
    "hidden",
    "key-dim",
    "positions",
    "no-bert",
    "file-bare-parameters",
    "file-uncounted-parameters",
    "file-no-count",
    "file-maybe-shared",
)
"""Findings that belong into a reply even where nothing is wrong."""


def reply(report: Report, mistakes: bool = False) -> str:
    """What a person would answer: whether it adds up, where the counts come from, and what is wrong or puzzling.

    Common `mistakes` are told where the source makes them, or if asked.
    """
    sentences = [_adds_up(report)]
    sentences += [_sentence(finding.explanation) for finding in report.findings if finding.severity == "error"]
    told = {finding.kind: finding for finding in reversed(report.findings) if finding.severity != "error"}
    sentences += [_sentence(told[kind].explanation) for kind in TELLING if kind in told]
    for answer in report.answers:
        first, *rest = answer.lines
        parts = [line for line in rest[:1] if ": each" in line]
        sentences.append(_sentence("; ".join([f"{answer.title.split(' (')[0]}: {first}", *parts])))
        sentences += [_sentence(line.split(": ", 1)[1]) for line in rest if line.startswith("heads: ")]
        sentences += [
            _sentence(line.split(": it counts")[0]) for line in (answer.miscounts if mistakes else answer.made)[:1]
        ]
    sentences.append(_largest(report))
    return " ".join(filter(None, sentences))


def _adds_up(report: Report) -> str:
    if report.residual or any(finding.severity == "error" for finding in report.findings):
        return f"Your summary of {number(report.total)} parameters does not agree with itself or with its formulas."
    architecture = report.subject.architecture
    what = load_architecture(architecture).title if architecture else "model"
    unmapped = sum(item.params for item in report.unmapped)
    rest = f", but for {number(unmapped)} that no formula here reaches" if unmapped else ""
    if report.partial or report.bound:
        shown = f"{report.bound}{number(report.total)} parameters of this {what}"
        return f"Your text shows {shown}, and all of them have their place{rest}."
    return f"Your summary adds up: all {number(report.total)} parameters of this {what} have their place{rest}."


def _largest(report: Report) -> str:
    """The largest single part, which is what people ask about next."""
    if report.subject.architecture is None:
        return ""
    matrices = {part.path for part in load_architecture(report.subject.architecture).components}
    stored = [part for part in report.components if part.tied_to is None and template(part.path) in matrices]
    single = [part for part in stored if part.expected == part.actual]
    if not single:
        return ""
    part = max(single, key=lambda part: part.actual)
    known = [
        f"{name} = {number(size)}" for name in sorted(part.formula.dimensions) if (size := report.dimensions.get(name))
    ]
    return (
        f"The largest single matrix is {part.path}, {part.formula_text} = {number(part.actual)} with {listed(known)}."
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."
