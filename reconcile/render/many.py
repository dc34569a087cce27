"""Many models as a line each, in text, Markdown or JSON Lines, and what they come to in the last one."""

import json
from collections.abc import Sequence
from typing import Any

from reconcile.formula import to_ascii
from reconcile.phrases import number, span
from reconcile.render.markdown import plain_text
from reconcile.render.registry import Look
from reconcile.report.brief import WORDS, Brief, Tally

SCHEMA = 1
HEADS = {"markdown": "| model | parameters | what | verdict |\n| :-- | --: | :-- | :-- |\n"}
"""What stands above the lines, in the formats that have something there."""


def render_text(briefs: Sequence[Brief], look: Look) -> str:
    """A sentence for each source, in a line."""
    return "".join(f"{_text_line(one, look.ascii_only)}\n" for one in briefs)


def render_markdown(briefs: Sequence[Brief], look: Look) -> str:
    """A row for each source, of the table that starts with HEADS."""
    return "".join(f"{_markdown_line(one, look.ascii_only)}\n" for one in briefs)


def render_json(briefs: Sequence[Brief], look: Look) -> str:
    """JSON Lines, an object for each source."""
    return "".join(f"{_json_line(one, look.ascii_only)}\n" for one in briefs)


def _text_line(one: Brief, ascii_only: bool) -> str:
    """`runs/3: agrees: all 109,482,240 parameters of a BERT are verified.` and what needs a look first, if anything."""
    line = f"{one.source}: {_verdict(one)}"
    return to_ascii(line) if ascii_only else line


def _markdown_line(one: Brief, ascii_only: bool) -> str:
    subject = one.model.subject if one.model else None
    total = "" if one.model is None else span(one.model.bounds or (one.model.total,) * 2)
    what = (subject.architecture or subject.title) if subject else ""
    cells = [plain_text(to_ascii(cell) if ascii_only else cell) for cell in (one.source, total, what, _verdict(one))]
    return f"| {' | '.join(cells)} |"


def _verdict(one: Brief) -> str:
    if one.model is None:
        return f"cannot be read: {one.error}"
    return " ".join([one.model.opening, *(finding.explanation for finding in one.first[:1])])


def _json_line(one: Brief, ascii_only: bool) -> str:
    """One object in a line, with the keys that `docs/json.md` fixes."""
    model = one.model
    table: dict[str, Any] = {"schema": SCHEMA, "command": "read", "source": one.source, "outcome": one.outcome}
    if model is not None:
        table |= {
            "opening": model.opening,
            "dialect": model.subject.dialect,
            "architecture": model.subject.architecture,
            "dimensions": dict(model.dimensions),
            "total": model.total,
            "bounds": None if model.bounds is None else list(model.bounds),
            "accounted": model.accounted,
            "residual": model.residual,
            "unmapped": model.unmapped,
            "findings": [
                {"kind": finding.kind, "severity": finding.severity, "explanation": finding.explanation}
                for finding in model.grave
            ],
        }
    return json.dumps(table | {"error": one.error or None}, ensure_ascii=ascii_only)


def summary_text(tallies: Sequence[Tally], look: Look) -> str:
    """The last line: how many came to what."""
    return "".join(f"{_summary(tally)}\n" for tally in tallies)


def summary_markdown(tallies: Sequence[Tally], look: Look) -> str:
    """The same as a sentence under the table."""
    return "".join(f"\n{_summary(tally)}.\n" for tally in tallies)


def summary_json(tallies: Sequence[Tally], look: Look) -> str:
    """The same as one object in a line."""
    return "".join(f"{_json_summary(tally)}\n" for tally in tallies)


def _summary(tally: Tally) -> str:
    """`2,000 models: 1,998 agree, 1 with errors, 1 not readable; 218,964,480,000 parameters`."""
    counts = ", ".join(f"{number(count)} {WORDS[outcome]}" for outcome, count in tally.counts.items() if count)
    models = f"{number(tally.models)} model{'s' if tally.models != 1 else ''}"
    return f"{models}: {counts}; {number(tally.parameters)} parameters"


def _json_summary(tally: Tally) -> str:
    counts = {
        **{str(name): count for name, count in tally.counts.items()},
        "models": tally.models,
        "parameters": tally.parameters,
    }
    return json.dumps({"schema": SCHEMA, "command": "read", "summary": counts})
