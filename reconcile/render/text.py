"""A report for a terminal: the verdict and the answer first, then the table, what was found, and the details."""

from collections.abc import Iterator, Sequence

from reconcile.finding import Finding
from reconcile.render.colour import Paint, painter
from reconcile.render.flow import flowing
from reconcile.render.registry import Look
from reconcile.render.table import table
from reconcile.report.types import Report

_MARKS = {"error": "ERROR", "warning": "warning", "note": "note"}
PLAIN = Look()
FIRST = 3
"""Errors that stand right under the verdict."""


Line = tuple[str, str]
"""A line with the kind of text that it is, by which it is coloured."""


def render(report: Report, look: Look = PLAIN) -> str:
    """The whole report as text: the verdict, the answer, the table, what was found, and the details.

    Notes are one line unless it is verbose; common mistakes are told where the source makes them, or if asked.
    """
    flow, paint = flowing(look.width, look.ascii_only), painter(look.colour)
    parts = [_painted(kind, flow(line, "", "  "), paint) for kind, line in answered(report)]
    parts += ["", *(flow(line, "", "  ") for line in heading(report, look.verbose))]
    if report.rows:
        parts += ["", table(report, look)]
    for title, lines in details(report, look):
        parts += ["", *([paint("heading", flow(title, "", "  "))] if title else [])]
        parts += [_painted(kind, flow(line, "- " if title else "", "  "), paint) for kind, line in lines]
    return "\n".join(parts) + "\n"


def _painted(kind: str, text: str, paint: Paint) -> str:
    """A line in its colour; of a finding only the word for its weight."""
    return text.replace(_MARKS[kind], paint(kind, _MARKS[kind]), 1) if kind in _MARKS else paint(kind, text)


def answered(report: Report) -> list[Line]:
    """The verdict in a sentence, the first errors, and where the counts come from that people ask about."""
    errors = [one for one in report.findings if one.severity == "error"]
    briefs = [answer.brief for answer in report.answers if answer.brief]
    return [
        *([(report.look, sentence_case(report.opening))] if report.opening else []),
        *(_said(one) for one in errors[:FIRST]),
        *([("", "")] if briefs else []),
        *(("heading", brief) for brief in briefs),
    ]


def details(report: Report, look: Look) -> Iterator[tuple[str, list[Line]]]:
    """What stands under the table: totals, findings by weight, the derivations, and how many notes there are."""
    if totals := summary(report):
        yield "", [("", line) for line in totals]
    if found := findings(report, look.verbose):
        yield "Findings", found
    for answer in report.answers:
        if lines := [*answer.lines, *(answer.miscounts if look.mistakes else answer.made)]:
            yield answer.title, [("", line) for line in lines]
    notes = sum(one.severity == "note" for one in report.findings)
    if notes and not look.verbose:
        told = "1 note; --verbose shows it" if notes == 1 else f"{notes} notes; --verbose shows them"
        yield "", [("quiet", told)]


def findings(report: Report, verbose: bool) -> list[Line]:
    """The findings that do not stand under the verdict, the gravest first; notes only where it is verbose."""
    errors = [one for one in report.findings if one.severity == "error"]
    rest = [*errors[FIRST:], *(one for one in report.findings if one.severity == "warning")]
    rest += [one for one in report.findings if verbose and one.severity == "note"]
    return [_said(one) for one in rest]


def _said(one: Finding) -> Line:
    return one.severity, f"{_MARKS[one.severity]}: {one.explanation}"


def render_text(reports: Sequence[Report], look: Look) -> str:
    """One report, or several under a list of their verdicts."""
    texts = [render(report, look) for report in reports]
    if len(texts) == 1:
        return texts[0]
    flow = flowing(look.width, look.ascii_only)
    index = [flow(sentence_case(one.opening), f"{place}. ", "   ") for place, one in enumerate(reports, 1)]
    parts = [f"--- {place} of {len(texts)}\n{text}" for place, text in enumerate(texts, 1)]
    return "\n".join([f"{len(reports)} models", *index, "", *parts])


def render_line(reports: Sequence[Report], look: Look) -> str:
    """Each report in one line: what it is of, how many parameters, and the verdict."""
    return "\n".join(f"{one.subject.name}: {one.total:,} parameters; {one.opening}" for one in reports)


def heading(report: Report, verbose: bool) -> list[str]:
    """What was reconciled, how it was made, and its dimensions; where it is verbose, also what was left to defaults."""
    subject = report.subject
    made = {"now": "built now", "cache": "from the cache of what was built before"}.get(subject.made, "")
    versions = subject.versions
    how = []
    if made:
        how = [f"{subject.dialect} {versions['keras-bert']} on TensorFlow {versions['tensorflow']}, {made}"]
    elif versions:
        how = ["with " + ", ".join(f"{name} {version}" for name, version in versions.items())]
    lines = [f"{subject.title} ({subject.name})", *how, dimensions_line(report)]
    return [line for line in (*lines, *(defaults_lines(report) if verbose else ())) if line]


def sentence_case(text: str) -> str:
    """A text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def defaults_lines(report: Report) -> list[str]:
    """The arguments that the spec leaves to the builder, if there are any."""
    given = ", ".join(f"{name} = {value}" for name, value in report.defaulted.items())
    return [f"By default of {report.subject.dialect}: {given}"] if given else []


def dimensions_line(report: Report) -> str:
    """Every dimension that the model has, as `V = 30,000`."""
    return " · ".join(f"{name} = {size:,}" for name, size in report.dimensions.items() if size is not None)


def summary(report: Report) -> list[str]:
    """The total again, with what is trainable of it and the totals that people quote."""
    lines = []
    if report.non_trainable:
        lines.append(f"Trainable {report.trainable:,}, not trainable {report.non_trainable:,}")
    totals = " · ".join(f"{name} {size:,}" for name, size in report.totals.items() if size is not None)
    if totals:
        lines.append(f"Totals that people quote: {totals}")
    return lines
