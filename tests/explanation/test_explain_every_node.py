"""Every node of every architecture is explained as itself: once, and in each of its blocks."""

import pytest

from reconcile.explanation.contexts import Context, architectures, counted, given, known_settings
from reconcile.explanation.engine import explain_figure
from reconcile.explanation.terms import model_of
from reconcile.formula import Formula
from reconcile.selection import value
from reconcile.taxonomy import architecture_names, load_architecture

ALL = 10_000


def context_of(name: str) -> Context:
    """The best known model of an architecture, or one of small sizes, no two of them alike."""
    if name in architectures():
        return given(known_settings(name)[0].dimensions, name)
    architecture = load_architecture(name)
    sizes = {dimension: 8 * (3 + place) for place, dimension in enumerate(counted(name))}
    return given({**sizes, "A": 4, "D": 2} | architecture.complete(sizes), name)


def nodes(context: Context) -> list[tuple[str, str, Formula]]:
    """Every node with its formula, and so often as it is there with another: `(path, "× L", formula)`."""
    architecture, sizes = context.architecture, context.settings[0].dimensions
    parts = model_of(architecture, sizes).components
    found: dict[tuple[str, str], Formula] = {}
    for part in parts:
        if part.tied_to is not None:
            continue
        names = part.path.split(".")
        for depth in range(1, len(names) + 1):
            node = ".".join(names[:depth])
            several = "[*]" in node
            ways = [("", part.size if several else part.size * part.times)]
            ways += [(f" × {part.times}", part.size * part.times)] if several else []
            for times, formula in ways:
                found[node, times] = found.get((node, times), Formula.of(0)) + formula
    return [(node, times, formula) for (node, times), formula in found.items()]


@pytest.mark.parametrize("name", architecture_names())
def test_every_node_explains_itself_once_and_in_each_block(name: str) -> None:
    context = context_of(name)
    sizes = context.settings[0].dimensions
    missing = []
    for node, times, formula in nodes(context):
        answer = explain_figure(formula.evaluate(sizes), context, limit=ALL)
        assert answer.explained, (node, times)
        if formula not in [one.formula for one in answer.explanations]:
            missing.append(node + times)
    assert missing == []


@pytest.mark.parametrize("name", architecture_names())
def test_a_node_in_a_block_says_of_how_many_blocks(name: str) -> None:
    context = context_of(name)
    sizes = context.settings[0].dimensions
    inside = [(node, formula) for node, times, formula in nodes(context) if times and node.count(".") == 2]
    for node, formula in inside:
        part = next(part for part in context.architecture.components if part.path.startswith(node))
        answer = explain_figure(formula.evaluate(sizes), context, limit=ALL)
        words = [one.text for one in answer.explanations]
        words += [also for one in answer.explanations for item in one.items for also in item.also]
        assert [text for text in words if f"in each of {part.times.evaluate(sizes)} blocks" in text], node


def total_lines(name: str, total: str) -> tuple[int, tuple[str, ...]]:
    """The count of a quoted total of an architecture, and the lines that say what it is the sum of."""
    context = context_of(name)
    architecture, sizes = context.architecture, context.settings[0].dimensions
    account = architecture.totals[total].account(model_of(architecture, sizes).components, architecture.totals)
    count = value(account or {}).evaluate(sizes)
    answer = explain_figure(count, context, limit=ALL)
    return count, next(one.lines for one in answer.explanations if one.items[0].component == total)


@pytest.mark.parametrize(
    ("name", "total"), [(name, total) for name in architectures() for total in load_architecture(name).quoted]
)
def test_the_lines_of_a_total_add_up_to_it(name: str, total: str) -> None:
    count, lines = total_lines(name, total)
    shares = [int(line.partition(": ")[0].rpartition("= ")[2].replace(",", "")) for line in lines]
    assert len(shares) != 1
    assert sum(shares) in (count, 0)
