"""What a rounded figure can be: every named total, and in a given model every node, that rounds or is cut to it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reconcile.explain.answer import CANNOT_SAY, EXPLAINED, HOLDS_AS, NOT_EXPLAINED, Answer, Explanation
from reconcile.explain.contexts import Context
from reconcile.explain.engine import LIMIT, explain_figure, nearest
from reconcile.explain.phrases import number, signed
from reconcile.explain.question import Question
from reconcile.explain.search import Hit, Valued
from reconcile.explain.settings import Setting
from reconcile.explain.telling import told
from reconcile.figure import COUNT_WORDS, Figure, power_of_ten
from reconcile.mistake import load_mistakes

WIDTHS = {"fp32": 4, "fp16": 2, "int8": 1}
"""Bytes of one parameter in the usual types."""


def explain_rounded(figure: Figure, context: Context, limit: int = LIMIT, text: str = "") -> Answer:
    """Every definition that a rounded number of parameters holds as, the most precise and the best known first."""
    found = sorted(_definitions(figure, context, 1, 1), key=lambda item: item[0])
    explanations = [explanation for _, explanation in found]
    verdict = HOLDS_AS if explanations else NOT_EXPLAINED
    notes = [f"{len(explanations)} definitions fit; {limit} are shown"] if len(explanations) > limit else []
    notes += _elsewhere(figure, context) if not explanations else []
    near = None if explanations else nearest(figure.value, context)
    return Answer(text or figure.text, figure.value, "params", verdict, tuple(explanations[:limit]), near, tuple(notes))


def explain_bytes(question: Question, context: Context, limit: int = LIMIT) -> Answer:
    """What a number of bytes can be: totals times the bytes of one parameter, and a little more for a file."""
    figure = question.figure
    if question.value is not None:
        return _exact_bytes(question.value, question.text, context, limit)
    if figure is None:
        return Answer(question.text, None, "bytes", CANNOT_SAY, ())
    explanations: list[tuple[tuple[int, ...], Explanation]] = []
    for place, (name, width) in enumerate(WIDTHS.items()):
        for how, numerator, denominator in _scales(question):
            for order, one in _definitions(figure, context, width * numerator, denominator, plain=False):
                said = f"{one.text}, {width} bytes each ({name}{how})"
                explanations.append(((*order, place), replace(one, text=said.replace("1 bytes", "1 byte"))))
    explanations.sort(key=lambda item: item[0])
    verdict = HOLDS_AS if explanations else NOT_EXPLAINED
    return Answer(question.text, None, "bytes", verdict, tuple(one for _, one in explanations[:limit]))


def explain_operations(question: Question, context: Context) -> Answer:
    """What a number of operations can be: only the mistakes whose formula is known; all else cannot be said yet."""
    notes = []
    for mistake in load_mistakes():
        if mistake.unit != "flops" or mistake.formula is None:
            continue
        for setting in context.settings:
            for length in (128, 512, 256, 384, 64, 1024):
                sizes = {**setting.dimensions, "S": length}
                if any(sizes.get(name) is None for name in mistake.formula.dimensions):
                    continue
                value = mistake.formula.evaluate(sizes)
                if value == question.value:
                    of = f" of {setting.model}" if setting.model else ""
                    notes.append(f"{mistake.written} = {number(value)} at S = {length}{of}: {mistake.name}; {mistake.says}")
    if not notes:
        notes.append("operations are not derived: what a count of FLOPs or MACs holds depends on conventions not kept here")
    return Answer(question.text, question.value, question.unit, CANNOT_SAY, (), notes=tuple(dict.fromkeys(notes)))


def _exact_bytes(size: int, text: str, context: Context, limit: int) -> Answer:
    """A number of bytes that is a count times the bytes of a parameter, or a file of a total and its container."""
    for name, width in WIDTHS.items():
        if size % width:
            continue
        answer = explain_figure(size // width, context, limit)
        if answer.explained:
            each = "1 byte" if width == 1 else f"{width} bytes"
            note = f"{number(size)} bytes = {number(size // width)} parameters of {each} each ({name})"
            return replace(answer, text=text, unit="bytes", notes=(note, *answer.notes))
    notes = list(dict.fromkeys(_containers(size, context)))
    return Answer(text, size, "bytes", EXPLAINED if notes else NOT_EXPLAINED, (), None, tuple(notes[:limit]))


def _containers(size: int, context: Context) -> Iterator[str]:
    """The totals that a file of this size can hold: what is left over is names, shapes and padding, under a thousandth."""
    rules = [mistake for mistake in load_mistakes() if mistake.rule == "container"]
    for setting, item in _totals(context):
        for name, width in WIDTHS.items():
            over = size - width * item.value
            if 0 < over < size // 1000 and width > 1:
                reading = item.term.readings[0]
                says = next((rule.says for rule in rules if rule.about == reading.node), "")
                of = f" of {setting.model}" if setting.model else ""
                yield (
                    f"{number(size)} bytes = {width} × {number(item.value)} ({reading.words}{of}, {name}) {signed(over)} "
                    f"for the file itself" + (f": {says}" if says else "")
                )


def _definitions(
    figure: Figure, context: Context, numerator: int, denominator: int, plain: bool = True
) -> Iterator[tuple[tuple[int, ...], Explanation]]:
    """Each total, and each node at full precision, that a figure holds as, with its place in the order."""
    most = figure.precisions[0]
    for precision in figure.precisions[:2]:
        for setting, item in _candidates(context, plain and precision == most and context.given):
            how = holds(figure, item.value * numerator, denominator, precision)
            if how is None or (precision < most and holds(figure, item.value * numerator, denominator, most)):
                continue
            hit = Hit(setting.bits + item.bits, setting, item.term)
            explanation = told(hit, item.value, context.architecture, context.terms)
            if explanation is not None:
                at = f"{figure.text} holds at {COUNT_WORDS[precision] if precision < len(COUNT_WORDS) else precision} figures"
                cut = ", cut off and not rounded," if how == "truncated" else ""
                name = explanation.text.partition(" = ")[2]
                text = f"{at}{cut} as {name}: {number(item.value)}"
                difference = figure.value - item.value if numerator == denominator == 1 else 0
                order = (most - precision, how == "truncated", item.term.kind != "total", hit.bits)
                yield order, replace(explanation, text=text, difference=difference, lines=())


def holds(figure: Figure, numerator: int, denominator: int, precision: int) -> str | None:
    """Whether a fraction is the figure at so many significant figures: "rounded", "truncated" or None."""
    stated = 2 * figure.digits * power_of_ten(figure.power) * denominator
    doubled = 2 * numerator * power_of_ten(-figure.power)
    unit = power_of_ten(len(str(figure.digits)) - precision + max(0, figure.power)) * denominator
    if stated - unit <= doubled < stated + unit:
        return "rounded"
    return "truncated" if stated <= doubled < stated + 2 * unit else None


def _candidates(context: Context, nodes: bool) -> Iterator[tuple[Setting, Valued]]:
    for setting, items in zip(context.settings, context.valued, strict=True):
        for item in items:
            if _is_quoted(item, context) or (nodes and item.term.plain):
                yield setting, item


def _totals(context: Context) -> Iterator[tuple[Setting, Valued]]:
    return _candidates(context, False)


def _is_quoted(item: Valued, context: Context) -> bool:
    return item.term.kind == "total" and any(reading.node in context.architecture.quoted for reading in item.term.readings)


def _scales(question: Question) -> Sequence[tuple[str, int, int]]:
    """How a figure in bytes may be meant: in powers of 1000, or of 1024 whatever it says."""
    if question.binary:
        return ((", MiB" if question.binary == 20 else "", 1, 2**question.binary),)
    if not question.decimal:
        return (("", 1, 1),)
    binary = question.decimal // 3 * 10
    return (("", 1, 1), (", counted in 1024s", 10**question.decimal, 2**binary))


def _elsewhere(figure: Figure, context: Context) -> Iterable[str]:
    """The mistakes that are a figure of another model."""
    for mistake in load_mistakes():
        if mistake.rule == "elsewhere" and figure.value in mistake.stated.values() and context.given:
            yield f"{mistake.name}: {mistake.says}"
