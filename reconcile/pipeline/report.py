"""Several sources -> one document: each reconciled, and what each has other than the first."""

from collections.abc import Callable, Sequence

from reconcile.pipeline.diff import compare_opened
from reconcile.pipeline.opened import Opened
from reconcile.pipeline.source import open_source
from reconcile.report.document import Document, document
from reconcile.report.side_by_side import model_names


def report(
    sources: Sequence[str],
    *,
    title: str = "",
    depth: str = "group",
    announce: Callable[[str], None] = lambda line: None,
) -> Document:
    """One document of every model in these sources, in order. Raises ReconcileError for a source that is none."""
    return of_opened([one for source in sources for one in open_source(source, announce=announce)], title, depth)


def of_opened(opened: Sequence[Opened], title: str = "", depth: str = "group") -> Document:
    """One document of sources that are reconciled."""
    called = model_names([one.subject for one in opened])
    differences = [
        compare_opened(opened[0], other, (called[0], name)) for other, name in zip(opened[1:], called[1:], strict=True)
    ]
    return document([one.report("report", depth) for one in opened], title, differences)
