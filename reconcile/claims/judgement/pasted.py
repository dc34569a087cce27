"""Rows of summaries and listings in a text, as their readers read them, with the same verdicts."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import table
from reconcile.claims.structure.models import OWN, Model
from reconcile.formula import Formula
from reconcile.mapping.ledger import TASK, Assignment, Ledger
from reconcile.quantity import slips
from reconcile.taxonomy import template

_TREE = re.compile(r"[\s\x01|│├└─>*+`\"'-]*")
_LABEL = re.compile(r"([\w./:*\[\]-]+)…?[`\"']?(?=\s*(?:[(\[|│:=,]|\s))")
"""The name at the start of a row, behind the lines of a tree, and what follows a name there."""
_WIDTH = re.compile(r"[\s\x01]*[,)\]]")
_TABLE = Formula.parse("v·o")
"""What a table of one row for each word counts, as the readers have it."""
_PAIR = 2
"""Rows with one count, of which one may be the other: two names of a matrix."""
_LEAST_CUT = 6
"""Letters of a cut name at least that is known by them."""


def pasted(document: Document, every: Sequence[Judged], ledgers: Sequence[Ledger]) -> tuple[Judged, ...]:
    """The statements: those in rows of what was read have the verdict that the row has there."""
    for ledger in ledgers:
        every = tuple(_read(document, every, ledger))
    return tuple(every)


def _read(document: Document, every: Sequence[Judged], ledger: Ledger) -> Iterator[Judged]:
    parts = {name: part for part in ledger.stored for name in part.items}
    nodes, model = _nodes(ledger, parts), _model(ledger)
    remarks = ledger.inventory.remarks
    apart = any(remark.kind == "more-than-shared" for remark in remarks)
    slipped = bool(ledger.residual) and (apart or ledger.total - ledger.residual in slips(ledger.total))
    slipped = slipped or _lacks_a_block(ledger)
    shaped = {(one.where, one.shown): one.value for one in remarks if one.kind == "count-contradicts-shape"}
    for one in every:
        name = _named(nodes, _TREE.sub("", document.at(one).row, count=1)) if one.unit in ("", "params") else ""
        open_ = name and one.figure is not None and one.exact is not None and not one.accused
        right = shaped.get((name, f"{one.exact:,}")) if open_ else None
        if name and _is_width(document, one):
            yield replace(one, verdict=None, account=None, unit="")
        elif right is not None:
            yield one.wrong(right, "its shape comes to {right}", "arithmetic wrong")
        elif slipped and one.exact == ledger.total:
            yield one.wrong(ledger.total - ledger.residual, "the rows come to {right}, {apart}", "does not add up")
        elif _is_total(one, ledger):
            yield one.right("the rows come to it")
        elif name and one.exact is not None and one.exact in nodes[name]:
            read = _as_read(one, nodes[name][one.exact], parts.get(name), model)
            yield read if not ledger.residual or read.accused or one.account else replace(read, account=None)
        else:
            yield one


def _lacks_a_block(ledger: Ledger) -> bool:
    """Whether a stated total is less than its rows by one of several that are alike; of two one may be the other."""
    alike = sum(placed.layer.params == -ledger.residual for placed in ledger.placed)
    return ledger.residual < 0 and alike > _PAIR


def _is_total(one: Judged, ledger: Ledger) -> bool:
    """Whether a count of which nothing is said yet is the total of a summary whose rows come to it."""
    if one.scope.bound is not None:
        return False  # of a model that is named
    sound = not ledger.residual and not any(part.expected not in (None, part.actual) for part in ledger.stored)
    return sound and one.verdict in (None, "cannot say") and one.unit == "params" and one.exact == ledger.total


def _nodes(ledger: Ledger, parts: Mapping[str, Assignment]) -> Mapping[str, Mapping[int, str | None]]:
    """The nodes of layers, and of tensors that are components, by name and count."""
    found: dict[str, dict[int, str | None]] = {}
    for placed in ledger.placed:
        found.setdefault(placed.layer.name, {})[placed.layer.params or 0] = placed.node
    for name, part in parts.items():
        if len(part.items) == 1:
            found.setdefault(name, {}).setdefault(part.actual, part.path)
    return found


def _named(names: Iterable[str], row: str) -> str:
    """The name that a row begins with, the longest; a cut one is of the only row that begins with it; "" for none."""
    label = _LABEL.match(row)
    if label is None:
        return ""
    begun = (one for one in names if row.startswith(one) and not row[len(one) : len(one) + 1].isalnum())
    whole = [one for one in names if one.startswith(label[1])]
    cut = whole[0] if len(whole) == 1 and len(label[1]) >= _LEAST_CUT else ""
    return label[1] if label[1] in whole else max(begun, key=len, default=cut)


def _is_width(document: Document, one: Judged) -> bool:
    """Whether a figure of a row is one of a shape, and no count; the count of what is frozen may stand in brackets."""
    behind = document.at(one).behind()
    return one.figure is not None and bool(_WIDTH.match(behind) and behind.strip(" \x01)|"))


def _model(ledger: Ledger) -> Model | None:
    """The model that was read, with the sizes that its rows gave."""
    if ledger.architecture is None:
        return None
    sizes = frozenset((name, size) for name, size in ledger.dimensions.items() if size is not None)
    return Model(OWN, ledger.architecture.name, sizes)


def _path(path: str, model: Model | None) -> str:
    """A tensor's path; of a norm that has no other tensor it is the norm's."""
    known = {account.path for account in model.accounts} if model is not None else frozenset()
    norm = path.removesuffix(".gamma")
    return norm if path not in known and norm in known else path


def _as_read(one: Judged, node: str | None, part: Assignment | None, model: Model | None) -> Judged:
    """A row's figure with the component that it is; by its label where the reading knows the layer alone."""
    count = one.exact or 0
    own = node is not None and node.startswith(TASK)
    if node is None or (own and (one.account is not None or (part is not None and not part.says))):
        return one  # of a tensor by itself nothing is known but what its row says
    words = table()["tables"]["words"]
    is_table = node.startswith(TASK) and part is not None and part.formula == _TABLE
    account = Account(words if is_table else _path(template(node), model), count)
    if part is not None and part.expected is not None and part.expected != part.actual:
        return one.with_(
            "mismatch",
            account=account,
            model=model,
            also=(),
            expected=part.expected,
            carried_from=None,
            why="the expression in this row comes to {right}",
        )
    why = f"{part.formula}: {part.says}" if part is not None and node.startswith(TASK) and part.says else ""
    return one.with_("holds", account=account, model=model, also=(), carried_from=None, why=why)
