"""Rows of a summary in a text, as the readers of summaries read them, with the same verdicts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reconcile.claims.accounts import Account
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.claims.models import OWN, Model
from reconcile.mapping.ledger import Assignment, Ledger
from reconcile.taxonomy import template

_WIDTH = re.compile(r"[\s\x01]*[,)\]]")
_NAME = re.compile(r"^[\s\x01|│├└─>]*([\w./:-]+)")


def pasted(document: Document, every: Sequence[Judged], ledgers: Sequence[Ledger]) -> tuple[Judged, ...]:
    """The statements: those in rows of what was read have the verdict that the row has there."""
    for ledger in ledgers:
        every = tuple(_read(document, every, ledger))
    return tuple(every)


def _read(document: Document, every: Sequence[Judged], ledger: Ledger) -> Iterator[Judged]:
    rows: dict[int, list[tuple[str, str | None]]] = {}
    for placed in ledger.placed:
        rows.setdefault(placed.layer.params or 0, []).append((placed.layer.name, placed.node))
    names = tuple(one.layer.name for one in ledger.placed)
    parts = {name: part for part in ledger.stored for name in part.items}
    model = _model(ledger)
    for one in every:
        start = _NAME.match(document.layout.text(document.layout.line(one.start)))
        if start is None or not any(name.startswith(start[1]) for name in names):
            yield one
            continue
        cut = start[1] not in names
        counted = rows.get(one.exact or 0, ())
        own = next((row for row in counted if row[0] == start[1] or (cut and row[0].startswith(start[1]))), None)
        if own is not None and one.figure is not None and _is_count(document, one):
            yield _as_read(one, own[1], parts.get(own[0]), model)
        else:
            yield replace(one, verdict=None, account=None, unit="")  # a width in a row, which states no count


def _is_count(document: Document, one: Judged) -> bool:
    """Whether nothing but names follows a figure in its row: the widths of outputs stand before the count."""
    line = document.layout.lines[document.layout.line(one.start)]
    return not _WIDTH.match(document.plain.text[one.end : line.end])


def _model(ledger: Ledger) -> Model | None:
    """The model that was read, with the sizes that its rows gave."""
    if ledger.architecture is None:
        return None
    sizes = frozenset((name, size) for name, size in ledger.dimensions.items() if size is not None)
    return Model(OWN, ledger.architecture.name, sizes)


def _as_read(one: Judged, node: str | None, part: Assignment | None, model: Model | None) -> Judged:
    """A row's figure with the component that it is; open where no component is shown."""
    count = one.exact or 0
    if node is None:
        return one
    account = Account(template(node), count)
    if part is not None and part.expected is not None and part.expected != part.actual:
        return one.with_(
            "mismatch", account=account, model=model, also=(), expected=part.expected, carried_from=None, why="row"
        )
    return one.with_("holds", account=account, model=model, also=(), carried_from=None, why="row")
