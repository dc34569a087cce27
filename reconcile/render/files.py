"""A document as files: one form of it by a file's ending, or all of them for a folder."""

import json
from collections.abc import Callable, Mapping

from reconcile.drawing.icicle import icicle
from reconcile.drawing.svg import icicle_svg
from reconcile.explanation.phrases import number
from reconcile.render.diff import as_object as difference_object
from reconcile.render.diff import render_markdown as difference_markdown
from reconcile.render.json import SCHEMA
from reconcile.render.json import as_object as report_object
from reconcile.render.markdown import plain_text
from reconcile.render.markdown import render as render_markdown
from reconcile.render.paper import table_csv, table_latex, table_markdown
from reconcile.report.document import Document, Shown


def _html(document: Document) -> str:
    from reconcile.render.html import page

    return page(document)


def _json(document: Document) -> str:
    """The only model's object; several under `reports`, with what each has other than the first."""
    objects = [report_object(shown.report) for shown in document.models]
    whole = objects[0]
    if len(objects) > 1:
        differences = [difference_object(one) for one in document.differences]
        whole = {"schema": SCHEMA, "command": "report", "reports": objects, "differences": differences}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _svg(document: Document) -> str:
    return picture(document.models[0])


FORMS: Mapping[str, Callable[[Document], str]] = {
    "html": _html,
    "md": lambda document: markdown(document),
    "json": _json,
    "csv": table_csv,
    "tex": table_latex,
    "svg": _svg,
}
"""Each form by the ending of its file; a drawing is of the first model."""


def files(document: Document) -> dict[str, str]:
    """The files of a folder: the document in each form, its table alone, and a drawing of each model."""
    drawings = {_drawing_name(shown, document): picture(shown) for shown in document.models}
    return {
        "report.md": markdown(document, *drawings),
        "report.html": _html(document),
        "report.json": _json(document),
        "table.csv": table_csv(document),
        "table.md": table_markdown(document),
        "table.tex": table_latex(document),
        **drawings,
    }


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
        parts.append(difference_markdown(difference, False))
    for shown in document.models:
        text = render_markdown(shown.report)
        if drawings:
            head, _, rest = text.partition("\n\n")
            text = f"{head}\n\n![The parameters by component]({drawings[shown.number - 1]})\n\n{rest}"
        parts.append(text)
    return "\n".join(parts)
