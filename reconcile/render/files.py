"""A document as files: one form of it by a file's ending, or all of them for a folder."""

from collections.abc import Sequence
from typing import Any

from reconcile.drawing.icicle import icicle
from reconcile.drawing.svg import icicle_svg
from reconcile.phrases import number
from reconcile.render.diff import as_object as difference_object
from reconcile.render.diff import render_markdown as difference_markdown
from reconcile.render.json import SCHEMA
from reconcile.render.json import as_object as report_object
from reconcile.render.markdown import plain_text
from reconcile.render.markdown import render as report_markdown
from reconcile.render.neutral import neutral
from reconcile.render.objects import dumped
from reconcile.render.paper import table_csv, table_latex, table_markdown
from reconcile.render.registry import Look
from reconcile.render.text import render_text as report_text
from reconcile.report.document import Document, Shown

ENDINGS = {"html": "html", "md": "markdown", "json": "json", "csv": "csv", "tex": "latex", "svg": "svg"}
"""The format of a document by the ending of its file."""


def render_text(documents: Sequence[Document], look: Look) -> str:
    """The reports of the models one after the other, for a terminal."""
    return "\n".join(report_text([shown.report for shown in document.models], look) for document in documents)


def render_markdown(documents: Sequence[Document], look: Look) -> str:
    """The documents as Markdown."""
    return "\n".join(map(markdown, documents))


def render_json(documents: Sequence[Document], look: Look) -> str:
    """The only model's object; several under `reports`, with what each has other than the first."""
    return dumped([_object(document) for document in documents], look.ascii_only)


def render_html(documents: Sequence[Document], look: Look) -> str:
    """Each document as a whole page."""
    from reconcile.render.html import page

    return "\n".join(map(page, documents))


def render_csv(documents: Sequence[Document], look: Look) -> str:
    """The tables alone."""
    return "\n".join(map(table_csv, documents))


def render_latex(documents: Sequence[Document], look: Look) -> str:
    """The tables alone."""
    return "\n".join(map(table_latex, documents))


def render_svg(documents: Sequence[Document], look: Look) -> str:
    """The drawing of each document's first model."""
    return "\n".join(picture(document.models[0]) for document in documents)


def files(document: Document) -> dict[str, str]:
    """The files of a folder: the document in each form, its table alone, and a drawing of each model."""
    clean, look = neutral(document), Look()
    drawings = {_drawing_name(shown, clean): picture(shown) for shown in clean.models}
    return {
        "report.md": markdown(clean, *drawings),
        "report.html": render_html([clean], look),
        "report.json": render_json([document], look),
        "table.csv": table_csv(clean),
        "table.md": table_markdown(clean),
        "table.tex": table_latex(clean),
        **drawings,
    }


def _object(document: Document) -> dict[str, Any]:
    objects = [report_object(shown.report) for shown in document.models]
    if len(objects) == 1:
        return objects[0]
    differences = [difference_object(one) for one in document.differences]
    return {"schema": SCHEMA, "command": "report", "reports": objects, "differences": differences}


def _drawing_name(shown: Shown, document: Document) -> str:
    """The file in which a folder has the drawing of a model."""
    return "picture.svg" if len(document.models) == 1 else f"picture-{shown.number}.svg"


def picture(shown: Shown) -> str:
    """The drawing of a model as a file of its own."""
    drawing = icicle(shown.tree)
    return icicle_svg(drawing, f"The {number(drawing.total)} parameters of {shown.report.subject.title} by component")


def markdown(document: Document, *drawings: str) -> str:
    """The document in Markdown; where files with `drawings` stand beside it, each model has its own under its title."""
    parts = []
    if document.table is not None:
        parts += [f"# {plain_text(document.title)}\n", table_markdown(document)]
    for difference in document.differences:
        parts.append(difference_markdown([difference], Look()))
    for shown in document.models:
        text = report_markdown(shown.report)
        if drawings:
            head, _, rest = text.partition("\n\n")
            text = f"{head}\n\n![The parameters by component]({drawings[shown.number - 1]})\n\n{rest}"
        parts.append(text)
    return "\n".join(parts)
