"""A document as a page of HTML."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reconcile.claims.claim import FINDINGS as FAULTS
from reconcile.drawing.heads import heads_svg
from reconcile.drawing.icicle import icicle, row_colours
from reconcile.drawing.shares import share
from reconcile.drawing.standing import standing_pieces
from reconcile.drawing.svg import icicle_svg, stylesheet
from reconcile.phrases import number, signed
from reconcile.render import diff, explanation, operations
from reconcile.render.claims import UNTOLD, model_line
from reconcile.render.registry import Look
from reconcile.render.text import sentence_case
from reconcile.report.document import Document, Shown
from reconcile.report.document import document as document_of
from reconcile.report.types import Report

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

    from reconcile.claims.claim import Checked
    from reconcile.costing.report import CostReport
    from reconcile.costing.verbalise import OperationsAnswer
    from reconcile.explanation.answer import Answer
    from reconcile.report.difference import DifferenceReport

_HERE = Path(__file__).parent
_CELLS = count(1)


def pages(reports: Sequence[Report], look: Look) -> str:
    """The reports as one document on a page of its own."""
    return page(document_of(reports))


def cell(element: str) -> str:
    """An element as the output of a notebook's cell, which leaves the notebook's look alone and needs no script."""
    return f"<style>{_scoped()}\n{_in_a_cell()}</style>\n{element}"


def reports(shown: Sequence[Report], look: Look) -> str:
    """Reports as one element; its anchors are its own, as a notebook has several cells on one page."""
    return body(document_of(shown, prefix=f"c{next(_CELLS)}-"))


def bodies(documents: Sequence[Document], look: Look) -> str:
    """Documents, each as one element."""
    return "".join(map(body, documents))


def page(document: Document) -> str:
    """The document as one file: style, drawings and script are in it, and it asks for nothing from elsewhere."""
    return _filed(document.title, body(document))


def sheet(title: str, element: str) -> str:
    """Any other element as such a file."""
    return _filed(title, f"<main>\n{element}</main>")


def _filed(title: str, element: str) -> str:
    values = {"title": title, "element": element.rstrip("\n"), "style": style(), "script": script()}
    hashes = {"style_hash": _hash(style()), "script_hash": _hash(script())}
    return _environment().get_template("page.html").render(values | hashes) + "\n"


def text_element(text: str) -> str:
    """A text as it is printed, as one element of such a page; its lines keep what they are set in by."""
    return _environment().get_template("text.html").render(text=text)


def body(document: Document) -> str:
    """The document as one element, for a page that has the style and the script already."""
    return _rendered("document.html", document=document, pictures=_pictures(document))


def explanations(answers: "Sequence[Answer]", look: Look) -> str:
    """The answers to questions about figures, as one element of such a page."""
    return _rendered("explanations.html", answers=[(one, *explanation.parts(one)) for one in answers])


def accounts(answers: "Sequence[OperationsAnswer]", look: Look) -> str:
    """The same for figures of operations."""
    return _rendered("explanations.html", answers=[(one, *operations.parts(one)) for one in answers])


def differences(every: "Sequence[DifferenceReport]", look: Look) -> str:
    """What one model has other than another, each as one element of such a page."""
    return "".join(_rendered("compared.html", difference=one, sides=diff.heading(one)) for one in every)


def claims(every: "Sequence[Checked]", look: Look) -> str:
    """Checked texts, each as one element of such a page."""
    return "".join(map(_claims, every))


def _claims(checked: "Checked") -> str:
    told = [claim for claim in checked.claims if claim.verdict not in UNTOLD]
    wrong = [claim for claim in told if claim.verdict in FAULTS]
    other = [claim for claim in told if claim.verdict not in FAULTS]
    groups = (("Wrong", wrong), ("Everything else", other))
    return _rendered(
        "claims.html", checked=checked, wrong=len(wrong), groups=groups, faults=tuple(FAULTS), model=model_line(checked)
    )


def costs(reports: "Sequence[CostReport]", look: Look) -> str:
    """Operations and memory of models, each as one element of such a page."""
    return "".join(map(_cost, reports))


def _cost(report: "CostReport") -> str:
    from reconcile.costing.report import crossings, heading
    from reconcile.render.cost import numeric, tables, under
    from reconcile.render.curve import svg

    title = f"{report.cost.model.name}: cost of a token by length"
    curve = report.curve if report.curve and report.curve.points else None
    return _rendered(
        "cost.html",
        heading=heading(report),
        tables=[(title, cells, numeric(cells), list(under(report, title))) for title, cells in tables(report)],
        curve=svg(curve, title, tuple(crossings(report))) if curve else "",
        crossings=crossings(report),
    )


@cache
def style() -> str:
    """The style of a page with a document and its drawings."""
    return _dense((_HERE / "page.css").read_text("utf-8")) + "\n" + _scoped()


@cache
def _scoped() -> str:
    """The style of a document and its drawings, which touches nothing beside them."""
    return _dense((_HERE / "report.css").read_text("utf-8") + stylesheet())


@cache
def _in_a_cell() -> str:
    """What takes back the notebook's own style of lists and tables."""
    return _dense((_HERE / "cell.css").read_text("utf-8"))


@cache
def script() -> str:
    """The script that zooms, searches and unfolds; without it everything can be read, and unfolded by hand."""
    return _dense((_HERE / "report.js").read_text("utf-8"))


def _rendered(name: str, **values: Any) -> str:
    return _dense(_environment().get_template(name).render(**values)) + "\n"


def _dense(text: str) -> str:
    """A text without blank lines and without what its lines are set in by."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def _pictures(document: Document) -> Mapping[int, Mapping[str, Any]]:
    """The drawings of each model, and the colours of its rows."""
    return {shown.number: _picture(shown) for shown in document.models}


def _picture(shown: Shown) -> Mapping[str, Any]:
    drawing = icicle(shown.tree)
    heads = shown.heads
    return {
        "icicle": icicle_svg(drawing, f"The {number(drawing.total)} parameters by component", shown.anchors),
        "heads": heads_svg(heads, f"{heads.words}, cut into heads") if heads else "",
        "standing": standing_pieces(shown.report.standing),
        "colours": row_colours(shown.tree),
        "anchors": iter(shown.anchors),
    }


def _coded(text: str) -> "Markup":
    """A text with what stands between two backticks as code."""
    from markupsafe import Markup, escape

    parts = text.split("`")
    if len(parts) % 2 == 0:  # one of them stands alone
        return escape(text)
    return Markup("").join(Markup("<code>{}</code>").format(part) if n % 2 else part for n, part in enumerate(parts))


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters |= {
        "number": number,
        "signed": signed,
        "anchor": next,
        "sentence": sentence_case,
        "coded": _coded,
    }
    environment.globals["share"] = share
    return environment
