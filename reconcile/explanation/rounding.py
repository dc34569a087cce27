"""What a rounded figure can be: the totals and nodes that round to it or are cut off to it, what people mean first."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from reconcile.evidence import codes, lengths
from reconcile.evidence.judge import FIGURE, Judged, Verdict
from reconcile.evidence.judge import Item as Paid
from reconcile.explanation.acceptance import once
from reconcile.explanation.answer import FITS, OPEN, Answer, Explanation
from reconcile.explanation.contexts import Context
from reconcile.explanation.engine import LIMIT
from reconcile.explanation.nodes import Term
from reconcile.explanation.search import Hit, Valued
from reconcile.explanation.verbalise import told
from reconcile.mistake import load_mistakes
from reconcile.phrases import COUNT_WORDS
from reconcile.quantity import Number, Quantity

FEWEST = 3
"""Figures from which on a rounded number can be any node; of two it can be one that people speak of."""

SPOKEN = 6
"""Bits of the nodes that people speak of: those right under the root."""

COARSER = 4
"""Bits for each figure at the end that only fills up: people write the figures that they mean."""

CUT = 3
"""Bits for a figure that is cut off and not rounded."""

MOST_STATED = 3
"""References with the same figure that are named."""


Worth = Callable[[Context, Valued], Number]
"""What a count of a model is worth in another unit."""


class Definition(NamedTuple):
    """A term in a setting that a figure holds as: at so many figures, "rounded" or "cut off", for so many bits."""

    bits: int
    precision: int
    how: str
    context: Context
    item: Valued


def explain_rounded(figure: Quantity, contexts: Sequence[Context], limit: int = LIMIT) -> Answer:
    """Every definition that a rounded number of parameters holds as, what people mean first."""
    found = sorted(definitions(figure, contexts), key=lambda one: (one.bits, _place(one)))
    explanations = [in_words(definition, figure) for definition in found]
    asked = Answer(figure.text, figure.count, "params", OPEN, ())
    if contexts[0].given:
        notes = () if explanations else tuple(_elsewhere(figure))
    else:
        from reconcile.explanation.published import stated, withdrawn

        explanations += withdrawn(figure)
        notes = tuple(stated(figure, MOST_STATED))
    if not explanations:
        return replace(asked, notes=notes)
    explanations = once(explanations)
    return replace(
        asked,
        verdict=FITS,
        explanations=tuple(explanations[:limit]),
        notes=notes,
        judged=_judged(figure, explanations),
        further=len(explanations[limit:]),
    )


def _judged(figure: Quantity, explanations: Sequence[Explanation]) -> Judged[Explanation]:
    """The balances of the definitions: a rounded figure has few bits, and is never shown alone."""
    digits = int(str(figure.digits).rstrip("0") or "0")
    said = Paid(f"the figures of {figure.text} that are no filling zeros", lengths.outright(digits))
    readings = [one.earning(said) for one in explanations]
    return Judged(Verdict.FITS, readings[0], tuple(readings[1:]), FIGURE)


def definitions(
    figure: Quantity, contexts: Sequence[Context], worth: Worth | None = None, plain: bool = True
) -> Iterator[Definition]:
    """Each total, and each node that people speak of, that the figure holds as: its count, or `worth` of it.

    At three figures it may be any node of the first context's models, where `plain` says that it counts parameters.
    """
    written = len(str(figure.digits).rstrip("0"))
    tried = [precision for precision in figure.precisions if precision <= written + 1]
    most = tried[0]
    for place, context in enumerate(contexts):
        for item in _candidates(context, most if plain and not place else 0):
            value = worth(context, item) if worth else item.value
            for precision in tried:
                how = figure.holds(value, precision)
                if how is not None and (precision == figure.precisions[0] or is_quoted(item.term, context)):
                    bits = item.bits + codes.END + COARSER * (most - precision) + CUT * (how == "cut off")
                    yield Definition(bits, precision, how, context, item)
                    break


def _candidates(context: Context, figures: int) -> Iterator[Valued]:
    """The totals of each model; at two figures the nodes that people speak of, from three on all that are plain."""
    yield from (item for item in context.totals if figures > 1 or is_quoted(item.term, context))
    if figures >= FEWEST - 1:
        for item in context.own if context.given else chain.from_iterable(context.counts.values()):
            if item.term.kind == "component" and (figures >= FEWEST or item.term.bits <= SPOKEN):
                yield item


def _place(one: Definition) -> int:
    """How far behind the likeliest total that people quote of a model this one is."""
    quoted = one.context.architecture.quoted
    return min(
        (quoted.index(reading.node) for reading in one.item.term.readings if reading.node in quoted),
        default=len(quoted),
    )


def is_quoted(term: Term, context: Context) -> bool:
    """Whether it is a total that people state for a whole model."""
    return any(reading.node in context.architecture.quoted for reading in term.readings)


def in_words(found: Definition, figure: Quantity) -> Explanation:
    """A definition in words: `110M holds at two figures, cut off and not rounded, as ...`."""
    item = found.item
    explanation = told(Hit(item.setting, item.term), item.value, found.context)
    assert explanation is not None, "one term alone can always be told"
    name = explanation.text.partition(" = ")[2]
    figures = f"{COUNT_WORDS[found.precision] if found.precision < len(COUNT_WORDS) else found.precision} figure"
    figures += "s" if found.precision > 1 else ""
    cut = ", cut off and not rounded," if found.how == "cut off" else ""
    spent = Paid(f"{found.how}, at {figures} of it", item.bits + codes.END - found.bits)
    return replace(
        explanation,
        text=f"{figure.text} holds at {figures}{cut} as {name}: {item.value:,}",
        difference=figure.count - item.value,
        lines=(),
        bits=found.bits,
        paid=(*explanation.paid, spent),
    )


def _elsewhere(figure: Quantity) -> Iterator[str]:
    """The mistakes that are a figure of another model."""
    for mistake in load_mistakes():
        if mistake.rule == "elsewhere" and figure.count in mistake.stated.values():
            yield f"{mistake.name}: {mistake.says}"
