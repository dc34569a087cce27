"""A report as one JSON object, in the shape that `docs/json.md` fixes."""

from collections.abc import Mapping, Sequence
from typing import Any

from reconcile.finding.references import Judgement
from reconcile.mapping.ledger import Assignment, Recognised
from reconcile.render.objects import dumped
from reconcile.render.registry import Look
from reconcile.report.types import LayerLine, Report

SCHEMA = 2


def render_json(reports: Sequence[Report], look: Look) -> str:
    """One report's object, several under `reports`."""
    return dumped([as_object(report) for report in reports], look.ascii_only)


def as_object(report: Report) -> dict[str, Any]:
    """The report as plain data; every count is an integer, null where it is not known."""
    subject = report.subject
    return {
        "schema": SCHEMA,
        "command": report.command,
        "subject": {
            "name": subject.name,
            "title": subject.title,
            "source": subject.source,
            "dialect": subject.dialect,
            "architecture": subject.architecture,
            "built": subject.made,
            "versions": dict(subject.versions),
        },
        "dimensions": dict(report.dimensions),
        "defaulted": dict(report.defaulted),
        "total": report.total,
        "bounds": None if report.bounds is None else list(report.bounds),
        "accounted": report.accounted,
        "excluded": [
            {"what": item.what, "name": item.name, "count": item.count, "inside": item.inside}
            for item in report.excluded
        ],
        "residual": report.residual,
        "trainable": report.trainable,
        "non_trainable": report.non_trainable,
        "totals": dict(report.totals),
        "standing": {
            "verdict": report.opening.partition(":")[0],
            "verified": report.standing.verified,
            "fitted": report.standing.fitted,
            "read": report.standing.read,
            "contradicted": report.standing.contradicted,
            "not_assigned": report.standing.not_assigned,
        },
        "models": [_model(model) for model in report.models],
        "components": [
            _component(part, verdict) for part, verdict in zip(report.components, report.verdicts, strict=True)
        ],
        "layers": [_layer(line) for line in report.layers],
        "unmapped": [
            {"name": item.name, "class": item.class_name, "params": item.params, "why": item.why}
            for item in report.unmapped
        ],
        "references": [_reference(judgement) for judgement in report.judgements],
        "findings": [finding.facts for finding in report.findings],
        "answers": [
            {
                "title": answer.title,
                "brief": answer.brief or None,
                "lines": list(answer.lines),
                "miscounts": list(answer.miscounts),
            }
            for answer in report.answers
        ],
    }


def _model(model: Recognised) -> Mapping[str, Any]:
    judged = model.judged
    return {
        "name": model.name or None,
        "title": model.title,
        "architecture": model.architecture.name if model.architecture else None,
        "dialect": model.dialect.name if model.dialect else None,
        "dimensions": dict(model.dimensions),
        "verdict": str(judged.verdict) if judged else None,
        "bits": round(judged.best.balance, 1) if judged else None,
        "reading": judged.best.name if judged else None,
        "rivals": [
            {"reading": rival.name, "bits": round(rival.balance, 1)} for rival in (judged.rivals if judged else ())[:5]
        ],
    }


def _component(part: Assignment, verdict: str) -> Mapping[str, Any]:
    return {
        "model": part.model or None,
        "path": part.path,
        "verdict": verdict,
        "formula": part.formula_text,
        "expected": part.expected,
        "actual": part.actual,
        "difference": None if part.expected is None else part.actual - part.expected,
        "shape": None if part.shape is None else list(part.shape),
        "trainable": part.trainable,
        "tied_to": part.tied_to,
        "from": list(part.items) if part.tied_to is None else [],
    }


def _layer(line: LayerLine) -> Mapping[str, Any]:
    placed = line.placed
    return {
        "name": placed.layer.name,
        "class": placed.layer.class_name,
        "params": placed.layer.params,
        "components": [placed.node] if placed.node else [],
        "parts": [{"text": text, "value": value} for text, value in line.parts],
        "what": placed.what,
    }


def _reference(judgement: Judgement) -> Mapping[str, Any]:
    figure = judgement.reference.figure
    return {
        "id": judgement.reference.id,
        "figure": figure.text if figure else None,
        "value": figure.count if figure else None,
        "verdict": judgement.verdict,
        "definition": judgement.definition,
        "difference": judgement.difference,
    }
