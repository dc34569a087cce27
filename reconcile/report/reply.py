"""One paragraph that answers the question under which a summary was pasted."""

from reconcile.phrases import listed, number
from reconcile.report.types import SUMMARY, Report
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
    """Whether a summary adds up; of what is none, or shows no count, what is true of it."""
    wrong = any(finding.severity == "error" for finding in report.findings)
    placed = report.accounted - report.standing.fitted - report.standing.not_assigned
    bounded = not wrong and (report.partial or bool(report.bound))
    said = report.subject.title == SUMMARY or bounded
    if not said or not (wrong or placed) or (report.residual and not wrong):
        return _sentence(report.opening)
    if wrong:
        return f"Your summary of {number(report.total)} parameters does not agree with itself or with its formulas."
    architecture = report.subject.architecture
    what = load_architecture(architecture).title if architecture else "model"
    beside = sum(item.count for item in report.excluded if item.inside)
    left = {
        "for which several models fit": report.standing.fitted,
        "that no formula here reaches": report.standing.not_assigned,
    }
    rest = [f"{number(count)} {why}" for why, count in left.items() if count]
    but = f", but for {listed(rest)}" if rest else ""
    own = f"{report.bound}{number(report.total - beside)} parameters of this {what}"
    if bounded:
        return f"Your text shows {own}, and all of them have their place{but}."
    return f"Your summary adds up: all {own} have their place{but}."


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
