"""Step 6j: statements of operations: what part of which model they are, by which way of counting, at which length."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reconcile.claims.cues import cue, models_of, sizes_said, speaks_of
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.explain.phrases import number

if TYPE_CHECKING:
    from reconcile.cost.accounts import Account
    from reconcile.cost.workload import Model

LEAST = 10**6
MOST = 16
"""Statements of a text that are searched."""
MOST_LENGTHS, MOST_MODELS = 3, 3
_FIGURES = 2
"""Digits that a rounded figure needs to be looked for among parts of a model."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """The models of a text, and the lengths that it states."""

    models: tuple["Model", ...]
    lengths: tuple[int, ...]


def operated(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; those of operations with what they fit, and one block's accused where all are said."""
    if not speaks_of(document, "operations"):
        return every
    wanted = [one for one in every if _is_asked(document, one)][:MOST]
    asked = _asked(document) if wanted else None
    if asked is None:
        return every
    changed: dict[int, Judged] = {}
    for one in wanted:
        if (account := _account(one, asked)) is not None:
            changed[id(one)] = _of_account(document, one, account)
    if asked.lengths and (one := next((one for one in wanted if _is_open(one, changed)), None)) is not None:
        changed[id(one)] = replace(one, verdict="cannot say", fits=(*one.fits, _whole(asked)))
    return tuple(changed.get(id(one), one) for one in every)


def _is_asked(document: Document, one: Judged) -> bool:
    """Whether a statement is of operations: by its unit, or by the words of its line, where it is exact."""
    if one.accused or one.verdict == "not a model figure" or one.value < LEAST:
        return False
    if one.figure is not None and one.figure.kind != "figure":
        return False
    if one.unit == "operations":
        return True
    if one.unit != "" or one.exact is None or (one.account is not None and one.account.total):
        return False
    return bool(cue("operations").search(document.layout.text(document.layout.line(one.start))))


def _asked(document: Document) -> _Asked | None:
    from reconcile.cost.models import of_sizes
    from reconcile.cost.variants import parts_of

    found = [of_sizes(model.name, model.architecture, model.sizes) for model in models_of(document)[:MOST_MODELS]]
    models = tuple(part for model in found if model is not None for part in parts_of(model))
    lengths = dict.fromkeys(size for _, size in sizes_said(document.plain.text, "lengths"))
    return _Asked(models, tuple(lengths)[:MOST_LENGTHS]) if models else None


def _account(one: Judged, asked: _Asked) -> "Account | None":
    """The shortest account of a statement; of a rounded one only with a length that the text states."""
    from reconcile.cost.accounts import LENGTHS, accounts

    lengths = asked.lengths or tuple(LENGTHS)
    if one.exact is not None:
        found = accounts(one.exact, asked.models, lengths=lengths)
        return found[0] if found and (found[0].carried or asked.lengths) else None
    figure = one.figure
    if figure is None or not asked.lengths or figure.figures < _FIGURES or figure.zeros:
        return None
    found = accounts(
        int(figure.value), asked.models, lengths=lengths, batches=(1,), slips=False,
        conventions=("matmul", "mac"), holds=lambda count: figure.fits(count) is not None,
    )  # fmt: skip
    return found[0] if found else None


def _of_account(document: Document, one: Judged, account: "Account") -> Judged:
    from reconcile.cost.telling import lines, title

    said = "; ".join((f"{'fits' if one.exact is not None else 'holds as'} {title(account)}", *lines(account)))
    blocks = _said_of_all(document, one, account)
    if blocks:
        right = blocks * account.value
        return replace(one, account=None, also=(), fits=(said,)).with_("mismatch", expected=right, why="one block")
    return replace(one, verdict=one.verdict or "cannot say", fits=(*one.fits, said, *_not_in(account)))


def _said_of_all(document: Document, one: Judged, account: "Account") -> int:
    """The number of blocks, where an exact count of one block is said to be that of all of them; 0 otherwise."""
    from reconcile.cost.accounts import one_of
    from reconcile.cost.telling import BLOCK

    if one.exact is None or account.blocks != 1 or account.scope != BLOCK or not account.carried:
        return 0
    line = document.layout.line(one.start)
    start, text = document.layout.lines[line].start, document.layout.text(line)
    around = text[max(0, one.start - start - 60) : one.start - start], text[max(0, one.end - start) :][:60]
    if any(cue("each").search(words) for words in around):
        return 0
    many = one_of(account.model)
    return many if many > 1 and any(size == many for words in around for _, size in sizes_said(words, "blocks")) else 0


def _not_in(account: "Account") -> Iterator[str]:
    """The largest part of a block that a part of it leaves out."""
    from reconcile.cost.operations import groups
    from reconcile.selection import matches

    if account.blocks is None or account.slip:
        return
    rows, parts = account.cost().rows, groups(account.model.architecture)
    own = {row.path for row in rows if any(matches(pattern, row.path) for pattern in parts.get(account.scope, ()))}
    found = []
    for name, patterns in parts.items():
        these = [row for row in rows if row.times > 1 and any(matches(pattern, row.path) for pattern in patterns)]
        if these and not own & {row.path for row in these}:
            found.append((sum(row.forward for row in these), name, these[0].times))
    if found:
        amount, name, times = max(found)
        yield f"{name} is not in it: {number(amount // times)} in each block"


def _whole(asked: _Asked) -> str:
    """What the models of a text take, where nothing comes to a statement."""
    return "; ".join(_products(asked.models[:1], asked.lengths))


def _products(models: Sequence["Model"], lengths: Sequence[int]) -> Iterator[str]:
    from reconcile.cost.conventions import load_convention
    from reconcile.cost.counting import count
    from reconcile.cost.parts import PRODUCTS
    from reconcile.cost.workload import Workload

    for model in models:
        for length in lengths:
            total = count(model, Workload(length), load_convention(PRODUCTS)).total
            yield (
                f"no part of a model of the text comes to it; all matrix products of {model.name} are {number(total)} "
                f"FLOPs, {number(total // 2)} multiply-adds, forward at S = {length:,}"
            )


def _is_open(one: Judged, changed: dict[int, Judged]) -> bool:
    return id(one) not in changed and one.figure is not None and one.unit == "operations" and not one.holds
