"""Step 6k: published formulas of operations and bytes that are slips, where a text works them out."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from reconcile.claims.judgement.cues import models_of, sizes_said, speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.document import Document
from reconcile.expression.equations import Equation
from reconcile.quantity import Number

if TYPE_CHECKING:
    from reconcile.costing.slips import Slip

MOST = 8
"""Statements of a text, and sizes of it, that are tried."""


def published(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; those that are a published formula with a mistake in it, of all blocks or of one, accused."""
    if not speaks_of(document, "published"):
        return every
    known: dict[Number, tuple[Number, Slip]] = {}
    for wrong, right, slip in (*_formulas(document), *_shares(document)):
        known.setdefault(wrong, (right, slip))
    return tuple(_judged(document, one, known) for one in every)


def _judged(document: Document, one: Judged, known: Mapping[Number, tuple[Number, "Slip"]]) -> Judged:
    if one.accused or not isinstance(one.of, Equation) or one.unit not in ("bytes", "share", ""):
        return one
    for side in one.of.sides:
        right, slip = known.get(side.amount.value, (None, None)) if side.amount.operations else (None, None)
        if right is not None and slip is not None and (not slip.binds or slip.is_meant(document.at(one).row)):
            return one.wrong(right).fitting(slip.says)
    return one


def _shares(document: Document) -> Iterator[tuple[Number, Number, "Slip"]]:
    """What recomputing the attention is said to add, S/(3·H), and what it does: 2·S/(9·H)."""
    from reconcile.costing.slips import load_slips

    if not speaks_of(document, "recomputed"):
        return
    slip = next(slip for slip in load_slips() if slip.id == "selective-recomputation")
    for _, length in sizes_said(document.plain.text, "lengths"):
        for model in models_of(document):
            if width := model.sizes.get("H"):
                yield Fraction(length, 3 * width), Fraction(2 * length, 9 * width), slip


def _formulas(document: Document) -> Iterator[tuple[Number, Number, "Slip"]]:
    """What each formula of bytes comes to at the sizes of the text, what is right, and what it gets wrong."""
    from reconcile.costing.slips import load_slips

    text = document.plain.text
    lengths = [size for _, size in sizes_said(text, "lengths")][:MOST]
    batches = [1, *(size for _, size in sizes_said(text, "batches"))][:MOST]
    models = [model for model in models_of(document) if {"L", "H", "A"} <= model.sizes.keys()]
    for slip in load_slips():
        if slip.formula is None or slip.right is None or slip.unit != "bytes":
            continue
        for model in models:
            for length in dict.fromkeys(lengths):
                for batch in dict.fromkeys(batches):
                    for blocks in (model.sizes["L"], 1):
                        sizes = {**model.sizes, "L": blocks, "S": length, "b": batch}
                        yield slip.formula.evaluate(sizes), slip.right.evaluate(sizes), slip
