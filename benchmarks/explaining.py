"""How often `explain` believes figures of no meaning, how often it finds what a figure was made of, and how fast it is.

The figures are drawn with a fixed seed, so that two runs can be compared. What is not explained, or explained otherwise
than it was made, is listed by name on standard error where there are few.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator

from benchmarks.measure import compare, reconcile
from benchmarks.published import agreement
from benchmarks.rows import START_UP, Row
from reconcile.explanation.answer import FITS, SHOWN
from reconcile.explanation.contexts import Context, anything, architectures, of_spec
from reconcile.explanation.engine import explain_figure
from reconcile.explanation.nodes import Term
from reconcile.spec import load_spec, model_names

SEED = 20260101
SAMPLES = 1000
CHANGED = 400
MODELS = ("bert-base-uncased", "bert-large-uncased", "bert-chinese", "bert-uncased-L-4-H-256")
Draw = Callable[[random.Random, Context], int]


def meaningless() -> Iterator[Row]:
    """The share of figures without a meaning that are shown to be something, or fit something, in per cent."""
    free = [anything(name) for name in architectures()]
    for name, draw, target in _DRAWS:
        for given_ in (True, False):
            verdicts: Counter[str] = Counter()
            for model in MODELS:
                context = of_spec(load_spec(model))
                generator = random.Random(SEED)
                for _ in range(SAMPLES if given_ else SAMPLES // 2):
                    answer = explain_figure(draw(generator, context), *([context] if given_ else free))
                    verdicts[answer.verdict] += 1
            total = verdicts.total()
            where = "dimensions given" if given_ else "any model"
            for verdict, said in ((SHOWN, "shown"), (FITS, "fits")):
                share = 100 * verdicts[verdict] / total
                yield Row(f"{said}, of {total:,} {name}, {where}", share, None, target, "%")


def recovered() -> Iterator[Row]:
    """How many figures that were made from a total by one, two or three changes are not found, in per cent.

    Found is a figure when the explanations that are shown have one that counts the very same components.
    """
    for changes in (1, 2, 3):
        missed = unsure = first = total = 0
        for model in MODELS:
            context = of_spec(load_spec(model))
            generator = random.Random(SEED)
            for _ in range(CHANGED):
                figure, formula = _changed(generator, context, changes)
                answer = explain_figure(figure, context)
                right = [one for one in answer.explanations if one.formula == formula]
                missed += not right
                first += bool(right) and answer.explanations[0] in right
                unsure += bool(right) and right[0].warning is not None
                total += 1
        kind = "one change" if changes == 1 else f"{changes} changes"
        target = {1: 2.0, 2: 20.0, 3: 60.0}[changes]
        print(
            f"  {kind}: {100 * first / total:.1f} % first, {100 * unsure / total:.1f} % with a warning", file=sys.stderr
        )
        yield Row(f"not found of {total:,} figures with {kind}", 100 * missed / total, None, target, "%")


def speed() -> Iterator[Row]:
    """The slowest spec in process, and the whole command."""
    slowest = 0.0
    for name in model_names():
        start = time.perf_counter()
        context = of_spec(load_spec(name))
        for figure in (109445376, 2362368, 123456789):
            explain_figure(figure, context)
            slowest = max(slowest, time.perf_counter() - start)
            start = time.perf_counter()
    yield Row("the slowest of three figures on every spec, in process", slowest * 1000, None, 100, "ms")
    for arguments in (("2362368",), ("294912",), ("7B",), ("109445376", "--model", "bert-base-uncased"), ("17683968",)):
        ours, other = compare(reconcile("explain", *arguments), START_UP, times=15, watch=False)
        yield Row(f"reconcile explain {' '.join(arguments)}", ours.seconds * 1000, other.seconds * 1000, 3.0, "ms")


def _uniform(generator: random.Random, context: Context) -> int:
    return generator.randrange(10**5, 4 * max(item.value for item in context.own if item.term.kind == "total"))


def _of_width(generator: random.Random, context: Context) -> int:
    width = context.dimensions["H"] or 1
    return width * generator.randrange(1, max(item.value for item in context.own if item.term.kind == "total") // width)


def _near(generator: random.Random, context: Context) -> int:
    total = generator.choice(_quoted(context))
    return total + generator.randrange(-total // 100, total // 100)


def _near_by_width(generator: random.Random, context: Context) -> int:
    width, total = context.dimensions["H"] or 1, generator.choice(_quoted(context))
    return total + width * generator.choice((1, -1)) * generator.randrange(1, total // 100 // width)


def _quoted(context: Context) -> list[int]:
    return [item.value for item in context.own if item.term.kind == "total" and item.term.bits <= 5]


_DRAWS: tuple[tuple[str, Draw, float], ...] = (
    ("uniform random figures", _uniform, 0.1),
    ("random multiples of H", _of_width, 1.0),
    ("figures within 1 % of a named total", _near, 1.0),
    ("named totals with a random multiple of H", _near_by_width, 1.0),
)


def _changed(generator: random.Random, context: Context, changes: int) -> tuple[int, object]:
    """A named total with components added and taken away, each other than the rest, and the formula of the sum."""
    sizes = context.dimensions
    while True:
        total = generator.choice([term for term in context.terms if term.kind == "total" and term.bits <= 5])
        formula, there = total.formula, set(total.readings[0].account)
        picked: list[Term] = generator.sample([t for t in context.terms if t.kind == "component" and t.plain], changes)
        for term in picked:
            inside = set(term.readings[0].account) <= there
            formula = formula - term.formula if inside else formula + term.formula
            there -= set(term.readings[0].account) if inside else set()
        if formula.evaluate(sizes) > 0 and all(term.formula.evaluate(sizes) > 0 for term in picked):
            return formula.evaluate(sizes), formula


MEASUREMENTS = (meaningless, recovered, agreement, speed)
