"""What a figure that is no exact count can be: what rounds to it, was published, or takes as many bytes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, islice
from typing import Any

from reconcile.datafile import packaged
from reconcile.evidence import codes, lengths
from reconcile.evidence.judge import Item as Paid
from reconcile.explanation.acceptance import container_rule, settled
from reconcile.explanation.answer import FITS, OPEN, SHOWN, Answer, Explanation, Item
from reconcile.explanation.contexts import Context, Valued
from reconcile.explanation.engine import explain_figure
from reconcile.explanation.question import Question
from reconcile.explanation.search import Hit
from reconcile.explanation.stored import ranks_of
from reconcile.explanation.verbalise import of_model, told
from reconcile.formula import Formula
from reconcile.mistake import load_mistakes
from reconcile.phrases import COUNT_WORDS, number
from reconcile.quantity import Number, Quantity, whole
from reconcile.reference import Reference, all_references
from reconcile.selection import value as total_of
from reconcile.taxonomy import Architecture, architecture_names, load_architecture

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
CONTAINER = 1000
"""A file around a checkpoint takes less than this part of it."""

Worth = Callable[[Context, Valued], Number]
"""What a count of a model is worth in another unit."""


def explain_inexact(question: Question, contexts: Sequence[Context], limit: int) -> Answer:
    """Every definition that a rounded number of parameters holds as, what people mean first; or any number of bytes."""
    if question.unit == "bytes":
        return _of_bytes(question, contexts, limit)
    figure = question.figure
    assert figure is not None, "what is no count was written as one figure"
    explanations = definitions(figure, contexts)
    if contexts[0].given:
        mistakes = [one for one in load_mistakes() if one.rule == "elsewhere" and figure.count in one.stated.values()]
        notes = () if explanations else tuple(f"{one.name}: {one.says}" for one in mistakes)
    else:
        explanations += withdrawn(figure)
        notes = stated(figure)
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
    explanation = told(Hit(item.setting, item.term), context)
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


def _ways() -> Sequence[Mapping[str, Any]]:
    """The ways that weights are stored in bytes: `halves` of a byte for each, `packed` for those in matrices."""
    entries: Sequence[Mapping[str, Any]] = packaged("usual", "storage")["bytes"]
    return entries


def _stored(figure: Quantity, contexts: Sequence[Context], entry: Mapping[str, Any]) -> Iterator[Explanation]:
    """The totals that a rounded number of bytes holds as, stored in one way; units are of 1000, or of 1024 as well."""

    def worth(context: Context, item: Valued) -> Number:
        return whole(Fraction(_halves(entry, item, context) or 0, 2))

    for meant in figure.meanings:
        how = f", {figure.scale}" if "i" in figure.scale else ""
        how = ", counted in 1024s" if meant.multiplier != figure.multiplier else how
        for one in definitions(meant, contexts, worth):
            yield replace(one, text=f"{one.text}, {entry['says']}{how}", difference=0, bits=one.bits + entry["bits"])


def _halves(entry: Mapping[str, Any], item: Valued, context: Context) -> int | None:
    """The bytes of a total in halves; None where the matrices of blocks are stored apart and not known."""
    count = item.value
    if "packed" not in entry:
        return int(count * entry["halves"])
    ranks = ranks_of(context.architecture, item.setting.dimensions)
    if ranks is None or not 0 < ranks.weights < count:
        return None
    return int(count * entry["halves"] - ranks.weights * (entry["halves"] - entry["packed"]))


def _of_bytes(question: Question, contexts: Sequence[Context], limit: int) -> Answer:
    """A number of bytes that is a count times the bytes of a parameter, or a file of a total and its container.

    A rounded one is a total in one of the ways that weights are stored.
    """
    size, figure, text = question.value, question.figure, question.text
    if size is None:
        assert figure is not None, "what is no count was written as one figure"
        found = [one for entry in _ways() for one in _stored(figure, contexts, entry)]
    else:
        found, answers = [one for context in contexts for one in _containers(size, context)], []
        for entry in _ways():
            count, rest = divmod(2 * size, entry["halves"])
            if not (rest or "packed" in entry or "slots" in entry):
                note = f"{number(size)} bytes = {number(count)} parameters, {entry['says']}"
                answer = explain_figure(count, *contexts, limit=limit)
                answers.append(replace(answer, text=text, unit="bytes", notes=(note, *answer.notes)))
        shown = [one for one in answers if one.verdict == SHOWN]
        if best := shown or [one for one in answers if one.explained and not found]:
            return best[0]
    found.sort(key=lambda one: one.bits)
    return Answer(text, size, "bytes", FITS if found else OPEN, (*found[:limit],), further=len(found[limit:]))


def _containers(size: int, context: Context) -> Iterator[Explanation]:
    """The totals that a file of this size can hold: what is left over is names and padding, under a thousandth of it.

    What is left over is said in as many bits as it takes, so that the fullest file comes first.
    """
    for item in context.totals:
        for entry in _ways() if item.term.quoted else ():
            halves = _halves(entry, item, context)
            if halves is None or entry["halves"] <= 2 or not 0 <= 2 * size - halves < 2 * size // CONTAINER:
                continue
            reading, held, setting = item.term.readings[0], halves // 2, item.setting
            rule, over = container_rule(reading.node), size - held
            said = f"{reading.words}{of_model(setting)}, {number(item.value)}, {entry['says']}"
            rest = Item(f"{number(over)}: what the file holds beside the values", over, "container")
            yield Explanation(
                text=f"{number(size)} bytes = {said}, and a file",
                items=(Item(f"{number(held)}: {said}", held, reading.node), rest),
                value=size,
                kind="combination",
                model=setting.model,
                dimensions={name: known for name, known in setting.dimensions.items() if known is not None},
                bits=item.bits + over.bit_length() + entry["bits"],
                formula=Formula.of(size),
                lines=(rule.says,) if rule else (),
            )


def stated(figure: Quantity) -> tuple[str, ...]:
    """The first references that state the same figure."""
    named = islice(_stating(figure), MOST_STATED)
    return tuple(f"stated of {one.subject}: {one.source.get('title', one.id)}" for one in named)


def withdrawn(figure: Quantity) -> Iterator[Explanation]:
    """The published figures of this value that do not hold, with what was counted, each as one account."""
    for one in _stating(figure):
        if one.account is None or one.architecture not in architecture_names():
            continue
        architecture = load_architecture(one.architecture)
        sizes = {name: size for name, size in one.dimensions.items() if isinstance(size, int)}
        formula = total_of(one.account.account(architecture.active(), architecture.totals) or {}) + one.plus
        if (count := formula.value(sizes)) is None:
            continue
        said = f"stated of {one.subject}"
        yield Explanation(
            text=f"{figure.text} is the figure {said}, and counts {number(count)}",
            items=(Item(f"{formula} = {number(count)}: {said}", count, one.id),),
            value=count,
            difference=figure.count - count,
            kind="published",
            model=one.subject,
            dimensions=sizes,
            bits=codes.MISTAKE,
            formula=Formula.of(count),
            counts={one.id: count},
            lines=tuple(_right(one, sizes, architecture)),
            paid=(Paid(said, -codes.MISTAKE),),
            named=True,
        )


def _stating(figure: Quantity) -> Iterator[Reference]:
    for one in all_references().values():
        if one.figure is not None and one.counts_parameters and one.figure.count == figure.count:
            yield one


def _right(one: Reference, sizes: dict[str, int], architecture: Architecture) -> Iterator[str]:
    """The likeliest total of the model as it is, where the published figure is not it."""
    total = architecture.quoted[0]
    count = total_of(architecture.total(total, architecture.active())).value(sizes)
    if one.verdict == "does not hold" and count is not None:
        yield f"that does not hold: `{total}` at these dimensions has {number(count)}"
