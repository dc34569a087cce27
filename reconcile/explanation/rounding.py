"""What a rounded figure can be: the totals and nodes that round to it or are cut off to it, what people mean first."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from reconcile.evidence import lengths
from reconcile.evidence.judge import Item as Paid
from reconcile.explanation.acceptance import settled
from reconcile.explanation.answer import OPEN, Answer, Explanation
from reconcile.explanation.contexts import Context
from reconcile.explanation.engine import LIMIT
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


def explain_rounded(figure: Quantity, contexts: Sequence[Context], limit: int = LIMIT) -> Answer:
    """Every definition that a rounded number of parameters holds as, what people mean first."""
    explanations = definitions(figure, contexts)
    if contexts[0].given:
        notes = () if explanations else tuple(_elsewhere(figure))
    else:
        from reconcile.explanation.published import stated, withdrawn

        explanations += withdrawn(figure)
        notes = tuple(stated(figure, MOST_STATED))
    # A rounded figure has few bits: its digits, and no zeros that only fill up.
    said = lengths.outright(int(str(figure.digits).rstrip("0") or "0"))
    earned = Paid(f"the figures of {figure.text} that are no filling zeros", said)
    asked = Answer(figure.text, figure.count, "params", OPEN, (), notes=notes)
    return settled(asked, [one.earning(earned) for one in explanations], limit) or asked


def definitions(figure: Quantity, contexts: Sequence[Context], worth: Worth | None = None) -> list[Explanation]:
    """Each total that the figure holds as, its count or `worth` of it, what people mean first.

    Of parameters it may as well be a node that people speak of, at three figures any node of the first context.
    """
    written = len(str(figure.digits).rstrip("0"))
    tried = [precision for precision in figure.precisions if precision <= written + 1]
    found: list[tuple[int, bool, Explanation]] = []
    for place, context in enumerate(contexts):
        for item in _candidates(context, 0 if worth or place else tried[0]):
            value = worth(context, item) if worth else item.value
            for precision in tried:
                how = figure.holds(value, precision)
                if how is not None and (precision == figure.precisions[0] or item.term.quoted):
                    more = COARSER * (tried[0] - precision) + CUT * (how == "cut off")
                    second = worth is None and item.term.readings[0].node != context.architecture.quoted[0]
                    found.append((item.bits + more, second, _in_words(figure, context, item, precision, how, more)))
                    break
    return [one for *_, one in sorted(found, key=lambda way: way[:2])]


def _candidates(context: Context, figures: int) -> Iterator[Valued]:
    """The totals of each model; at two figures the nodes that people speak of, from three on all that are plain."""
    yield from (item for item in context.totals if figures > 1 or item.term.quoted)
    if figures >= FEWEST - 1:
        for item in context.own if context.given else chain.from_iterable(context.counts.values()):
            if item.term.kind == "component" and (figures >= FEWEST or item.term.bits <= SPOKEN):
                yield item


def _in_words(figure: Quantity, context: Context, item: Valued, precision: int, how: str, more: int) -> Explanation:
    """What a figure holds as: `110M holds at two figures, cut off and not rounded, as ...`, in so many bits more."""
    explanation = told(Hit(item.setting, item.term), item.value, context)
    assert explanation is not None, "one term alone can always be told"
    name = explanation.text.partition(" = ")[2]
    count = COUNT_WORDS[precision] if precision < len(COUNT_WORDS) else precision
    figures = f"{count} figure{'s' if precision > 1 else ''}"
    cut = ", cut off and not rounded," if how == "cut off" else ""
    return replace(
        explanation,
        text=f"{figure.text} holds at {figures}{cut} as {name}: {item.value:,}",
        difference=figure.count - item.value,
        lines=(),
        bits=explanation.bits + more,
        paid=(*explanation.paid, Paid(f"{how}, at {figures} of it", -more)),
        named=True,
    )


def _elsewhere(figure: Quantity) -> Iterator[str]:
    """The mistakes that are a figure of another model."""
    for mistake in load_mistakes():
        if mistake.rule == "elsewhere" and figure.count in mistake.stated.values():
            yield f"{mistake.name}: {mistake.says}"
