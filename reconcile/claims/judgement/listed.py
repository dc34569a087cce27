"""Step 6c: plain lists, of which every line is a name with its count: a total right at one is its sum and no other."""

from reconcile.claims.judgement.context import LEAST, Context
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.lexicon import cue
from reconcile.quantity import distance

_NEARLY, _NORMS = 10, 4
"""The part of so many blocks by which a count of them may differ, and the widths of the norms beside them at most."""


def unlike_so_many(context: Context, one: Judged) -> Judged | None:
    """A count of so many blocks, with nothing else said of it, that is not so many times the one before it."""
    found = (_row_above(context, one) or _said_before(context, one)) if one.exact is not None else None
    if found is None or one.exact is None:
        return None
    times, block = found
    right, models = (block.exact or 0) * times, context.document.index.models
    width = min((model.sizes.get("H", LEAST) for model in models), default=LEAST)
    near = _NORMS * width < distance(right, one.exact) <= right / _NEARLY  # and no norm behind them
    if not near or context.document.index.of(one.exact):
        return None
    return one.wrong(right, f"{times} of the count before it are {{right}}, {{apart}}", "does not add up")


def _row_above(context: Context, one: Judged) -> tuple[int, Judged] | None:
    """How many blocks a row says that its count is of, and the row of one right above it."""
    document, at = context.document, context.document.at(one)
    said = cue("so_many_blocks").match(at.before())
    above = next(context.rows.above(one), None) if said is not None else None
    if said is None or above is None or not _is_of_one(above.of):
        return None
    between = (document.layout.lines[line].kind for line in range(above.line + 1, at.number))
    return (int(said["times"]), above.of) if {*between} <= {"blank", "rule"} else None


def _said_before(context: Context, one: Judged) -> tuple[int, Judged] | None:
    """The same of a sentence: `One layer has 7,087,872 parameters, so 12 layers have 85,054,464`."""
    before = context.nearby.before(one)
    if not before or not _is_of_one(before[-1]):
        return None
    said = cue("so_many_times").fullmatch(context.document.plain.text, before[-1].end, one.start)
    return None if said is None else (int(said["times"]), before[-1])


def _is_of_one(one: Judged) -> bool:
    """Whether an exact count is of one block, or a total that a row multiplies."""
    plain = one.exact is not None and (one.figure is not None or one.holds)
    return plain and ({"block", "all"} & one.label.own == {"block"} or one.label.own == {"whole"})
