"""Write `reports/`: a report of every model in `models/`, an index of them, and the published figures.

    python reports/write.py             # `make reports`

What the program says of a model is all that stands in them: no version, time, path or fact of a machine.
"""

from collections.abc import Iterator
from pathlib import Path

from published import judge_published
from published import render as render_published

from reconcile.phrases import number
from reconcile.pipeline.build import open_spec
from reconcile.pipeline.report import of_opened
from reconcile.reference import all_references
from reconcile.render.files import markdown, picture
from reconcile.render.html import page
from reconcile.render.markdown import plain_text
from reconcile.report.document import Document
from reconcile.spec import model_names

HERE = Path(__file__).parent
PAGES = ("stackexchange-bert-base", "bert-base-uncased", "bert-large-uncased")
"""The models that have a page of HTML beside their Markdown."""

_SIZES = ("V", "H", "A", "F", "L")
_TOTALS = ("backbone", "backbone+pooler", "pretraining")


def names() -> set[str]:
    """The files that belong here, this one among them."""
    models = model_names()
    own = {Path(__file__).name, "published.py", "README.md", "published-figures.md"}
    return own | {f"{name}.md" for name in models} | {f"{name}.svg" for name in models} | {f"{n}.html" for n in PAGES}


def files() -> Iterator[tuple[str, str]]:
    """Each file's name and text; every model is built for it, or taken from the cache."""
    rows = []
    for name in model_names():
        document = of_opened([open_spec(name)])
        (shown,) = document.models
        yield f"{name}.md", markdown(document, f"{name}.svg")
        yield f"{name}.svg", picture(shown)
        if name in PAGES:
            yield f"{name}.html", page(document)
        rows.append(_row(name, document))
    yield "README.md", _index(rows)
    yield "published-figures.md", render_published(judge_published(one) for one in all_references().values())


def _row(name: str, document: Document) -> list[str]:
    report = document.models[0].report
    sizes = ["" if (size := report.dimensions.get(letter)) is None else number(size) for letter in _SIZES]
    totals = ["" if (size := report.totals.get(total)) is None else number(size) for total in _TOTALS]
    shown = f"[{plain_text(report.subject.title)}]({name}.md)" + (f", [page]({name}.html)" if name in PAGES else "")
    return [shown, *sizes, number(report.total), *totals]


def _index(rows: list[list[str]]) -> str:
    from tabulate import tabulate

    heads = ["model", *_SIZES, "parameters", *_TOTALS]
    table = tabulate(
        rows, heads, tablefmt="pipe", colalign=["left", *["right"] * (len(heads) - 1)], disable_numparse=True
    )
    return "\n".join(
        [
            "# Reports",
            "",
            "A report of every model in [models/](../models), each built with keras-bert and reconciled to the last"
            " parameter, with a drawing whose areas are its counts. The [published figures](published-figures.md) stand"
            " beside them, each with its verdict.",
            "",
            table,
            "",
        ]
    )


def main() -> None:
    """Write every file once all of them are made, and remove what belongs to no model any more."""
    for name, text in dict(files()).items():
        (HERE / name).write_text(text, "utf-8", newline="\n")
    for file in HERE.iterdir():
        if file.is_file() and file.name not in names():
            file.unlink()


if __name__ == "__main__":
    main()
