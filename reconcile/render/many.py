"""Many models as a line each, in text, Markdown or JSON Lines, and what they come to in the last one."""

import json
from collections.abc import Iterator
from typing import Any

from reconcile.explanation.phrases import number
from reconcile.formula import to_ascii
from reconcile.render.markdown import plain_text
from reconcile.report.brief import WORDS, Brief, Tally

SCHEMA = 1
HEAD = "| model | parameters | what | verdict |\n| :-- | --: | :-- | :-- |"


def text_line(one: Brief, ascii_only: bool = False) -> str:
    """`runs/3: agrees: all 109,482,240 parameters of a BERT are verified.` and what needs a look first, if anything."""
    line = f"{one.source}: {_verdict(one)}"
    return to_ascii(line) if ascii_only else line


def markdown_line(one: Brief, ascii_only: bool = False) -> str:
    """A row of the table that starts with HEAD."""
    total, subject = (number(one.model.total), one.model.subject) if one.model else ("", None)
    what = (subject.architecture or subject.title) if subject else ""
    cells = [plain_text(to_ascii(cell) if ascii_only else cell) for cell in (one.source, total, what, _verdict(one))]
    return f"| {' | '.join(cells)} |"


def _verdict(one: Brief) -> str:
    if one.model is None:
        return f"cannot be read: {one.error}"
    return " ".join([one.model.opening, *(said.text for said in one.first[:1])])


def json_line(one: Brief, ascii_only: bool = False) -> str:
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
            "accounted": model.accounted,
            "residual": model.residual,
            "unmapped": model.unmapped,
            "findings": [
                {"kind": said.finding.kind, "severity": said.finding.severity, "explanation": said.text}
                for said in model.grave
            ],
        }
    return json.dumps(table | {"error": one.error or None}, ensure_ascii=ascii_only)


def summary_text(tally: Tally) -> str:
    """`2,000 models: 1,998 agree, 1 with errors, 1 not readable; 218,964,480,000 parameters`."""
    counts = ", ".join(f"{number(count)} {WORDS[outcome]}" for outcome, count in tally.counts.items() if count)
    models = f"{number(tally.models)} model{'s' if tally.models != 1 else ''}"
    return f"{models}: {counts}; {number(tally.parameters)} parameters"


def summary_json(tally: Tally) -> str:
    """The last line: how many came to what."""
    counts = {
        **{str(name): count for name, count in tally.counts.items()},
        "models": tally.models,
        "parameters": tally.parameters,
    }
    return json.dumps({"schema": SCHEMA, "command": "read", "summary": counts})


def lines(briefs: Iterator[Brief], form: str, tally: Tally, ascii_only: bool) -> Iterator[str]:
    """Every line of the output as it comes, the summary last."""
    if form == "json":
        yield from (json_line(one, ascii_only) for one in briefs)
        yield summary_json(tally)
    elif form == "markdown":
        yield HEAD
        yield from (markdown_line(one, ascii_only) for one in briefs)
        yield f"\n{summary_text(tally)}."
    else:
        yield from (text_line(one, ascii_only) for one in briefs)
        yield summary_text(tally)
