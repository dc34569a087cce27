"""Step 6j: statements of operations: what part of which model they are, by which way of counting, at which length."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from typing import TYPE_CHECKING

from reconcile.claims.judgement.cues import READ, models_of, sizes_said, speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.frozen import dataclass
from reconcile.phrases import number

if TYPE_CHECKING:
    from reconcile.claims.structure.models import Model as Named
    from reconcile.costing.accounts import Account
    from reconcile.costing.workload import Model

LEAST = 10**6
MOST = 16
"""Statements of a text that are searched."""
MOST_LENGTHS, MOST_MODELS, MOST_PRODUCTS = 3, 3, 1
_TABLES = frozenset("VPTE")
"""Dimensions of tables, which no product depends on but that of a head."""
_OF_PARTS, _OF_WHOLES = 100, 20
"""A rounded figure is looked for among parts of a model, or whole ones, if half its last digit is so small a part."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """The models of a text, and the lengths that it states."""

    models: tuple["Model", ...]
    lengths: tuple[int, ...]
    counters: tuple[str, ...]
    trains: bool


def operated(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; those of operations with what they fit, and one block's accused where all are said."""
    if not speaks_of(document, "operations"):
        return every
    wanted = list(islice((one for one in every if _is_asked(document, one)), MOST))
    asked = _asked(document) if wanted else None
    if asked is None:
        return every
    changed: dict[int, Judged] = {}
    for one in wanted:
        if (account := _account(one, asked)) is not None:
            changed[id(one)] = _of_account(document, one, account)
    for one in [one for one in wanted if asked.lengths and _is_open(one, changed)][:1]:
        changed[id(one)] = one.fitting(*_products(asked))
    return tuple(changed.get(id(one), one) for one in every)


def _is_asked(document: Document, one: Judged) -> bool:
    """Whether a statement is of operations: by its unit, or by the words of its line, where it is exact."""
    if one.accused or one.verdict == "not a model figure" or one.value < LEAST:
        return False
    if one.figure is not None and one.figure.kind != "figure":
        return False
    written = one.unit if one.figure is None else one.figure.unit
    if written == "operations":
        return True
    if written == "" and one.exact is None and document.at(one).tabled:
        return one.account is None and bool(cue("operations").search(document.at(one).header))
    if written != "" or one.exact is None or (one.account is not None and one.account.total):
        return False
    return bool(cue("operations").search(document.at(one).near()))


def _asked(document: Document) -> _Asked | None:
    from reconcile.costing.models import of_sizes
    from reconcile.costing.variants import parts_of

    named: dict[frozenset[tuple[str, int]], Named] = {}
    for model in (model for model in models_of(document) if model.stacked):
        named.setdefault(frozenset(one for one in model.dimensions if one[0] not in _TABLES), model)
    found = [of_sizes(model.name, model.architecture, model.sizes) for model in list(named.values())[:MOST_MODELS]]
    models = tuple(part for model in found if model is not None for part in parts_of(model))
    lengths = dict.fromkeys(size for _, size in sizes_said(document.plain.text, "lengths"))
    trains = "trained" in speaks_of(document, "trained")
    return _Asked(models, tuple(lengths)[:MOST_LENGTHS], _counters(document), trains) if models else None


def _counters(document: Document) -> tuple[str, ...]:
    """How people count by themselves, and the counters that a text names."""
    from reconcile.costing.candidates import PLAIN
    from reconcile.costing.conventions import convention_names

    text = document.plain.text[:READ].lower()
    return (*PLAIN, *(name for name in convention_names() if name not in PLAIN and name in text))


def _account(one: Judged, asked: _Asked) -> "Account | None":
    """The shortest account of a statement; of a rounded one only with a length that the text states."""
    from reconcile.costing.accounts import LENGTHS, accounts

    lengths = asked.lengths or tuple(LENGTHS)
    if one.exact is not None:
        found = accounts(one.exact, asked.models, lengths=lengths)
        return found[0] if found and (found[0].carried or asked.lengths) else None
    figure = one.figure
    if figure is None or not asked.lengths or _OF_WHOLES * figure.half > figure.value:
        return None
    found = accounts(
        int(figure.value), asked.models, lengths=lengths, batches=(1,), slips=False,
        conventions=asked.counters, holds=lambda count: figure.fits(count) is not None,
    )  # fmt: skip
    fine = _OF_PARTS * figure.half <= figure.value
    once = (each for each in found if each.passes == 1 or (asked.trains and each.whole))
    return next((each for each in once if each.whole or fine), None)


def _of_account(document: Document, one: Judged, account: "Account") -> Judged:
    from reconcile.costing.verbalise import lines, title

    told = list(lines(account))[: -1 if account.also and not account.slip else None]
    told = told[:1] if account.whole and not account.slip else told
    said = "; ".join((f"it {'fits' if one.exact is not None else 'holds as'} {title(account)}", *told))
    right = _said_of_all(document, one, account) * account.value
    if not right and account.slip is not None and one.exact and account.slip.is_meant(document.at(one).near()):
        right = account.right or 0
    if right:
        return replace(one, fits=()).wrong(right).fitting(said)
    return one.fitting(said, *_not_in(account))


def _said_of_all(document: Document, one: Judged, account: "Account") -> int:
    """The number of blocks, where an exact count of one block is said to be that of all of them; 0 otherwise."""
    from reconcile.costing.accounts import one_of
    from reconcile.costing.verbalise import BLOCK

    if one.exact is None or account.blocks != 1 or account.scope != BLOCK or not account.carried:
        return 0
    at = document.at(one)
    above, around = document.layout.headings[at.number], (at.before(60), at.behind(60))
    over = at.header, document.layout.text(above) if above >= 0 else ""
    if any(cue("each").search(words) for words in (*around, *over)):
        return 0
    many = one_of(account.model)
    return many if many > 1 and any(size == many for words in around for _, size in sizes_said(words, "blocks")) else 0


def _not_in(account: "Account") -> Iterator[str]:
    """The largest part of a block that a part of it leaves out."""
    from reconcile.costing.operations import groups
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


def _products(asked: _Asked) -> Iterator[str]:
    """What the first model of a text takes, where nothing comes to a statement."""
    from reconcile.costing.conventions import load_convention
    from reconcile.costing.counting import count
    from reconcile.costing.parts import PRODUCTS, SCORES, products_of
    from reconcile.costing.parts import number as evaluated
    from reconcile.costing.workload import Workload

    for model, length in product(asked.models[:MOST_PRODUCTS], asked.lengths):
        work = Workload(length)
        cost = count(model, work, load_convention(PRODUCTS))
        blocks = sum(row.forward for row in cost.rows if row.times > 1)
        scores = evaluated(products_of(model, SCORES), model, work)
        linear = blocks - scores
        yield (
            f"all matrix products of {model.name} are {number(cost.total)} FLOPs, {number(cost.total // 2)} "
            f"multiply-adds, forward at S = {length:,}: {number(linear // 2)} multiply-adds of all matrices in blocks, "
            f"{number(scores // 2)} of both attention products, {number((cost.total - blocks) // 2)} of the rest"
        )


def _is_open(one: Judged, changed: dict[int, Judged]) -> bool:
    return id(one) not in changed and one.figure is not None and one.unit == "operations" and not one.holds
