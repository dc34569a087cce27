"""What a number of bytes can be: totals times the bytes of a parameter, and a little more for a file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from reconcile.datafile import packaged
from reconcile.explanation.acceptance import container_rule
from reconcile.explanation.adapters import ranks_of
from reconcile.explanation.answer import FITS, OPEN, SHOWN, Answer, Explanation, Item
from reconcile.explanation.contexts import Context
from reconcile.explanation.engine import LIMIT, explain_in
from reconcile.explanation.question import Question
from reconcile.explanation.rounding import definitions
from reconcile.explanation.search import Valued
from reconcile.explanation.verbalise import of_model
from reconcile.formula import Formula
from reconcile.phrases import number
from reconcile.quantity import Number, Quantity, whole

CONTAINER = 1000
"""A file around a checkpoint takes less than this part of it."""


def explain_bytes(question: Question, contexts: Sequence[Context], limit: int = LIMIT) -> Answer:
    """What a number of bytes can be: totals in one of the ways that weights are stored."""
    if question.value is not None:
        return _exact(question.value, question.text, contexts, limit)
    assert question.figure is not None, "what is no count was written as one figure"
    found = [one for entry in _ways() for one in _rounded(question.figure, contexts, entry)]
    explanations = sorted(found, key=lambda one: one.bits)
    verdict = FITS if explanations else OPEN
    return Answer(question.text, None, "bytes", verdict, tuple(explanations[:limit]), further=len(explanations[limit:]))


def _ways() -> Sequence[Mapping[str, Any]]:
    """The ways that weights are stored in bytes: `halves` of a byte for each, `packed` for those in matrices."""
    entries: Sequence[Mapping[str, Any]] = packaged("usual", "storage")["bytes"]
    return entries


def _rounded(figure: Quantity, contexts: Sequence[Context], entry: Mapping[str, Any]) -> Iterator[Explanation]:
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


def _exact(size: int, text: str, contexts: Sequence[Context], limit: int) -> Answer:
    """A number of bytes that is a count times the bytes of a parameter, or a file of a total and its container."""
    answers = []
    for entry in _ways():
        if 2 * size % entry["halves"] or "packed" in entry or "slots" in entry:
            continue
        answer = explain_in(2 * size // entry["halves"], contexts, limit)
        note = f"{number(size)} bytes = {number(2 * size // entry['halves'])} parameters, {entry['says']}"
        answers.append(replace(answer, text=text, unit="bytes", notes=(note, *answer.notes)))
    files = sorted((one for context in contexts for one in _containers(size, context)), key=lambda one: one.bits)
    best = next((one for one in answers if one.verdict == SHOWN), None) or next(
        (one for one in answers if one.explained and not files), None
    )
    return best or Answer(
        text, size, "bytes", FITS if files else OPEN, tuple(files[:limit]), further=len(files[limit:])
    )


def _containers(size: int, context: Context) -> Iterator[Explanation]:
    """The totals that a file of this size can hold: what is left over is names and padding, under a thousandth of it.

    What is left over is said in as many bits as it takes, so that the fullest file comes first.
    """
    for item in context.totals:
        for entry in _ways() if item.term.quoted else ():
            halves = _halves(entry, item, context)
            if halves is not None and entry["halves"] > 2 and 0 <= 2 * size - halves < 2 * size // CONTAINER:
                yield _file(size, halves // 2, entry, item)


def _file(size: int, held: int, entry: Mapping[str, Any], item: Valued) -> Explanation:
    reading, over, setting = item.term.readings[0], size - held, item.setting
    rule = container_rule(reading.node)
    of = of_model(setting)
    values = Item(f"{number(held)}: {reading.words}{of}, {number(item.value)}, {entry['says']}", held, reading.node)
    rest = Item(f"{number(over)}: what the file holds beside the values", over, "container")
    return Explanation(
        text=f"{number(size)} bytes = {reading.words}{of}, {number(item.value)}, {entry['says']}, and a file",
        items=(values, rest),
        value=size,
        difference=0,
        kind="combination",
        model=setting.model,
        dimensions={name: known for name, known in setting.dimensions.items() if known is not None},
        bits=item.bits + over.bit_length() + entry["bits"],
        formula=Formula.of(size),
        lines=(rule.says,) if rule else (),
    )
