"""What a rounded figure can be: every named total, and in a given model every node, that rounds or is cut to it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reconcile.explain.answer import CANNOT_SAY, HOLDS_AS, NOT_EXPLAINED, Answer, Explanation, Item, Nearest
from reconcile.explain.contexts import WELL_KNOWN, Context
from reconcile.explain.engine import LIMIT, explain_figure, nearest
from reconcile.explain.phrases import number
from reconcile.explain.question import Question
from reconcile.explain.search import Hit, Valued
from reconcile.explain.settings import Setting
from reconcile.explain.telling import told
from reconcile.figure import COUNT_WORDS, Figure, power_of_ten
from reconcile.mistake import load_mistakes

FEWEST = 3
"""Figures from which on a rounded number can be more than a total: one or two fit some node or other."""

MOST_STATED = 3
"""References with the same figure that are named."""

CONTAINER = 1000
"""A file around a checkpoint takes less than this part of it."""

WIDTHS = {"fp32": 4, "fp16": 2, "int8": 1}
"""Bytes of one parameter in the usual types."""


def explain_rounded(figure: Figure, context: Context, limit: int = LIMIT, text: str = "") -> Answer:
    """Every definition that a rounded number of parameters holds as, the most precise and the best known first."""
    found = sorted(_definitions(figure, context, 1, 1), key=lambda item: item[0])
    explanations = list({(one.account, one.model): one for _, one in reversed(found)}.values())[::-1]
    verdict = HOLDS_AS if explanations else NOT_EXPLAINED
    notes = [f"{len(explanations)} definitions fit; {limit} are shown"] if len(explanations) > limit else []
    notes += _elsewhere(figure, context) if not explanations else []
    notes += _stated(figure) if not context.given else []
    near = None if explanations else nearest(figure.value, context)
    return Answer(text or figure.text, figure.value, "params", verdict, tuple(explanations[:limit]), near, tuple(notes))


def explain_bytes(question: Question, context: Context, limit: int = LIMIT) -> Answer:
    """What a number of bytes can be: totals times the bytes of one parameter, and a little more for a file."""
    figure = question.figure
    if question.value is not None and not question.binary:
        return _exact_bytes(question.value, question.text, context, limit)
    if figure is None:
        return Answer(question.text, None, "bytes", CANNOT_SAY, ())
    figure = replace(figure, exact=False)  # 420 MiB are not so many bytes to the last one
    explanations: list[tuple[tuple[int, ...], Explanation]] = []
    for place, (name, width) in enumerate(WIDTHS.items()):
        for how, numerator, denominator in _scales(question):
            for order, one in _definitions(figure, context, width * numerator, denominator, plain=False):
                said = f"{one.text}, {width} bytes each ({name}{how})"
                explanations.append(((*order, place), replace(one, text=said.replace("1 bytes", "1 byte"))))
    explanations.sort(key=lambda item: item[0])
    verdict = HOLDS_AS if explanations else NOT_EXPLAINED
    near = None if explanations else _nearest_bytes(question, figure, context)
    return Answer(question.text, None, "bytes", verdict, tuple(one for _, one in explanations[:limit]), near)


def _nearest_bytes(question: Question, figure: Figure, context: Context) -> Nearest | None:
    """The count that is nearest to a figure in bytes, at four bytes each."""
    scale, width = 2**question.binary, WIDTHS["fp32"]
    stated = figure.digits * power_of_ten(figure.power) * scale // (power_of_ten(-figure.power) * width)
    return nearest(stated, context)


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
                    notes.append(
                        f"{mistake.written} = {number(value)} at S = {length}{of}: {mistake.name}; {mistake.says}"
                    )
    if not notes:
        notes.append(
            "operations are not derived: what a count of FLOPs or MACs holds depends on conventions not kept here"
        )
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
    files = sorted(_containers(size, context), key=lambda one: one.bits)
    near = None if files else nearest(size // WIDTHS["fp32"], context)
    return Answer(text, size, "bytes", HOLDS_AS if files else NOT_EXPLAINED, tuple(files[:limit]), near)


def _containers(size: int, context: Context) -> Iterator[Explanation]:
    """The totals that a file of this size can hold: what is left over is names, shapes and padding, under a thousandth.

    What is left over is said in as many bits as it takes, so that the fullest file comes first.
    """
    rules = {mistake.about: mistake for mistake in load_mistakes() if mistake.rule == "container"}
    for setting, item in _totals(context):
        for name, width in WIDTHS.items():
            over = size - width * item.value
            if width == 1 or not 0 < over < size // CONTAINER:
                continue
            reading = item.term.readings[0]
            of = f" of {setting.model}" if setting.model else ""
            rule = rules.get(reading.node)
            each = f"{width} bytes each ({name})"
            held = f"{width} × {number(item.value)} = {number(width * item.value)}: {reading.words}{of}, {each}"
            rest = f"{number(over)}: what the file holds beside the values"
            yield Explanation(
                text=f"{number(size)} bytes = {reading.words}{of}, {number(item.value)} × {each}, and a file",
                items=(Item(held, width * item.value, reading.node), Item(rest, over, "container")),
                value=size,
                difference=0,
                kind="combination",
                model=setting.model,
                dimensions={key: known for key, known in setting.dimensions.items() if known is not None},
                bits=setting.bits + item.bits + over.bit_length(),
                formula=item.term.formula * width + over,
                lines=(rule.says,) if rule else (),
            )


def _definitions(
    figure: Figure, context: Context, numerator: int, denominator: int, plain: bool = True
) -> Iterator[tuple[tuple[int, ...], Explanation]]:
    """Each total, and each node at full precision, that a figure holds as, with its place in the order."""
    written = len(str(figure.digits).rstrip("0"))
    tried = [precision for precision in figure.precisions if precision <= written + 1]
    most = tried[0]
    for precision in tried:
        for setting, item in _candidates(context, plain and precision == most >= FEWEST):
            how = holds(figure, item.value * numerator, denominator, precision)
            if how is None or (precision < most and holds(figure, item.value * numerator, denominator, most)):
                continue
            hit = Hit(setting.bits + item.bits, setting, item.term)
            explanation = told(hit, item.value, context.architecture, context.terms)
            if explanation is not None:
                count = COUNT_WORDS[precision] if precision < len(COUNT_WORDS) else precision
                at = f"{figure.text} holds at {count} figure{'s' if precision != 1 else ''}"
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
    # Below 100M one figure is ten million: 75M is 80M at one figure, and not 100M.
    ten = precision < len(str(figure.digits)) and str(figure.digits).strip("0") == "1"
    if stated - (unit // 10 if ten else unit) <= doubled < stated + unit:
        return "rounded"
    return "truncated" if precision > 1 and stated <= doubled < stated + 2 * unit else None


def _candidates(context: Context, nodes: bool) -> Iterator[tuple[Setting, Valued]]:
    for setting, items in zip(context.settings, context.valued, strict=True):
        for item in items:
            known = context.given or setting.bits <= WELL_KNOWN
            if _is_quoted(item, context) or (nodes and known and item.term.plain and item.term.kind != "total"):
                yield setting, item


def _totals(context: Context) -> Iterator[tuple[Setting, Valued]]:
    return _candidates(context, False)


def _is_quoted(item: Valued, context: Context) -> bool:
    return item.term.kind == "total" and any(
        reading.node in context.architecture.quoted for reading in item.term.readings
    )


def _scales(question: Question) -> Sequence[tuple[str, int, int]]:
    """How a figure in bytes may be meant: in powers of 1000, or of 1024 whatever it says."""
    if question.binary:
        return ((", MiB" if question.binary == 20 else "", 1, 2**question.binary),)
    if not question.decimal:
        return (("", 1, 1),)
    binary = question.decimal // 3 * 10
    return (("", 1, 1), (", counted in 1024s", 10**question.decimal, 2**binary))


def _stated(figure: Figure) -> list[str]:
    """The references that state the same figure."""
    from reconcile.reference import all_references

    named = [
        one
        for one in all_references().values()
        if one.figure and one.counts_parameters and one.figure.value == figure.value
    ]
    return [f"stated of {one.subject}: {one.source.get('title', one.id)}" for one in named[:MOST_STATED]]


def _elsewhere(figure: Figure, context: Context) -> Iterable[str]:
    """The mistakes that are a figure of another model."""
    for mistake in load_mistakes():
        if mistake.rule == "elsewhere" and figure.value in mistake.stated.values() and context.given:
            yield f"{mistake.name}: {mistake.says}"
