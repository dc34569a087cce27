"""A checked text as lines that an editor can jump to, as Markdown, or as one JSON object."""

from collections.abc import Sequence
from typing import Any

from reconcile.claims.claim import Checked, Claim, findings
from reconcile.formula import to_ascii
from reconcile.mapping.standing import AGREES, CONTRADICTS, FITS
from reconcile.render.colour import painter
from reconcile.render.flow import flowing
from reconcile.render.objects import dumped
from reconcile.render.registry import Look

SCHEMA = 1
_KINDS = {"holds": AGREES, "holds as": AGREES, "cannot say": FITS}
"""How verdicts that are no fault look on a terminal."""
UNTOLD = ("not a model figure",)
"""Verdicts that only the JSON lists: nobody asked about these figures."""


def render_text(every: Sequence[Checked], look: Look) -> str:
    """The checked texts for a terminal, one after the other."""
    return "".join(_text(checked, look) for checked in every)


def _text(checked: Checked, look: Look) -> str:
    """One paragraph for each claim, its place, verdict and words first, and a line that counts them all."""
    laid_out, paint = flowing(look.width, look.ascii_only), painter(look.colour)

    def flow(text: str) -> str:
        return laid_out(text, "", "  ")

    def shown(claim: Claim) -> str:
        """A claim with its verdict in the colour of one that holds, fails, or is open."""
        said, kind = f" {verdict(claim)}: ", _KINDS.get(claim.verdict, CONTRADICTS)
        return flow(_line(checked, claim)).replace(said, paint(kind, said), 1)

    told = [claim for claim in checked.claims if claim.verdict not in UNTOLD]
    lines = [*([flow(model_line(checked))] if told else []), *map(shown, told), *map(flow, checked.described)]
    return "\n".join([*lines, flow(summary(checked)), *map(flow, (*checked.unread, *checked.notes))]) + "\n"


def _line(checked: Checked, claim: Claim) -> str:
    return f"{checked.source}:{claim.line}:{claim.column}: {verdict(claim)}: {claim.text}" + (
        f": {claim.explanation}" if claim.explanation else ""
    )


def render_line(every: Sequence[Checked], look: Look) -> str:
    """Each text in one line: how many claims there are of each verdict."""
    return "\n".join(map(summary, every))


def verdict(claim: Claim) -> str:
    """The verdict as it is read, with the definition that a figure holds as."""
    return f"holds as {claim.definition}" if claim.verdict == "holds as" and claim.definition else claim.verdict


def model_line(checked: Checked) -> str:
    """Which model the figures were held against, how it was found, and its sizes."""
    if not checked.dimensions and checked.model is None:
        return "no figure is held against a model: equations and sums are worked out, figures looked up"
    sizes = " · ".join(f"{name} = {size:,}" for name, size in checked.dimensions.items() if size is not None)
    how = f" ({checked.found_by})" if checked.found_by else ""
    return f"{checked.model or 'the model of the text'}{how}" + (f": {sizes}" if sizes else "")


def summary(checked: Checked) -> str:
    """How many claims there are of each verdict."""
    if not checked.claims:
        return f"{checked.source}: no figures of a model"
    counts: dict[str, int] = {}
    for claim in checked.claims:
        counts[claim.verdict] = counts.get(claim.verdict, 0) + 1
    total = len(checked.claims)
    said = ", ".join(f"{count} {name}" for name, count in sorted(counts.items(), key=lambda item: -item[1]))
    return f"{checked.source}: {total} claim{'s' if total > 1 else ''}: {said}"


def render_markdown(every: Sequence[Checked], look: Look) -> str:
    """The checked texts as Markdown, one after the other."""
    return "\n".join(_markdown(checked, look.ascii_only) for checked in every)


def _markdown(checked: Checked, ascii_only: bool) -> str:
    """A table of the claims with the explanations under it, without the path of the file."""
    from reconcile.render.markdown import plain_text

    def plain(text: str) -> str:
        return plain_text(to_ascii(text) if ascii_only else text)

    told = [claim for claim in checked.claims if claim.verdict not in UNTOLD]
    if not told and not checked.described:
        return "No figures of a model.\n"
    if not told:
        return "\n".join(f"- {plain(line)}" for line in checked.described) + "\n"
    lines = [plain(model_line(checked)), "", "| place | claim | verdict | difference |", "| --- | --- | --- | ---: |"]
    for claim in told:
        off = "" if not claim.difference else f"{claim.difference:+,}"
        lines.append(f"| {claim.line}:{claim.column} | {plain(claim.text)} | {plain(verdict(claim))} | {plain(off)} |")
    lines.append("")
    lines += [f"- {claim.line}:{claim.column}: {plain(claim.explanation)}" for claim in told if claim.explanation]
    lines += [f"- {plain(line)}" for line in checked.described]
    return "\n".join(lines) + "\n"


def render_json(every: Sequence[Checked], look: Look) -> str:
    """The object that `docs/json.md` fixes, several under `reports`; counts are integers."""
    return dumped([as_object(checked) for checked in every], look.ascii_only)


def as_object(checked: Checked) -> dict[str, Any]:
    """The checked text as plain data."""
    return {
        "schema": SCHEMA,
        "command": "check",
        "source": checked.source,
        "model": checked.model,
        "found_by": checked.found_by,
        "dimensions": dict(checked.dimensions),
        "claims": [_claim(claim) for claim in checked.claims],
        "findings": [
            {
                "kind": kind,
                "severity": severity,
                "where": f"{claim.line}:{claim.column}",
                "line": claim.line,
                "column": claim.column,
                "expected": claim.expected,
                "actual": claim.value,
                "difference": claim.difference,
                "explanation": f"{claim.text}: {claim.explanation}",
            }
            for kind, severity, claim in findings(checked)
        ],
        "described": list(checked.described),
        "notes": [*checked.unread, *checked.notes],
    }


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "line": claim.line,
        "column": claim.column,
        "text": claim.text,
        "value": claim.value,
        "unit": claim.unit,
        "verdict": claim.verdict,
        "definition": claim.definition,
        "path": claim.path,
        "also": list(claim.also),
        "carried_from": claim.carried_from,
        "model": claim.model,
        "expected": claim.expected,
        "difference": claim.difference,
        "explanation": claim.explanation,
    }
