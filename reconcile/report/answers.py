"""The answers of a report: where the counts come from that people ask about."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reconcile.explanation.derivation import Derivation, derive
from reconcile.finding.rows import ONE_COUNT
from reconcile.formula import Formula, with_numbers
from reconcile.mapping.ledger import TASK, Assignment, Ledger, Placed, Whole
from reconcile.mapping.standing import AGREES, FITS, GIVES, READ, UNMAPPED
from reconcile.mapping.summary.recognition import of_sizes, whole_account
from reconcile.phrases import number
from reconcile.report.layers import counted, is_layer, kinds_of_layers
from reconcile.report.standing import RESIDUAL
from reconcile.report.types import Passage, Row
from reconcile.taxonomy import Architecture, load_architecture, template

_PUZZLING = ("wrapped-digits", "recovered-count")
"""Remarks on counts whose digits are wrapped or cut; the largest of these is the one that puzzles."""

_GIVEN = (AGREES, GIVES, READ)
"""The first words of verdicts on rows whose formula gives their count."""

_UNGIVEN = {
    UNMAPPED: "no formula here gives this count",
    FITS: "several models fit this count, and none is shown",
}
"""What is said of a count without a formula, by the word before a row's name."""

_NUMBERS = re.compile(r"\[[^\]]*\]")


def answers(ledger: Ledger, rows: Sequence[Row], text: str = "") -> tuple[Passage, ...]:
    """Passages on whole models in one row, on layers of which there is more to say, and on puzzling counts.

    Where there are none, one passage on the row of the table that has most. `text` is what the source says in words.
    """
    found = tuple(_asked(ledger, text)) or tuple(_largest(ledger, rows, text))
    told = frozenset(line for passage in found for line in passage.lines)
    return (*found, *kinds_of_layers(ledger, text, told))


def _asked(ledger: Ledger, text: str) -> Iterator[Passage]:
    yield from (_of_whole(ledger, whole) for whole in ledger.wholes[:1])
    architecture = ledger.architecture
    if architecture is None:
        return
    held = {name: part for part in ledger.stored for name in part.items}
    puzzling = [r.where for r in ledger.inventory.remarks if r.kind in _PUZZLING]
    cut = sorted((held[name] for name in puzzling if name in held), key=lambda part: -part.actual)[:1]
    for node in dict.fromkeys([*(view.of for view in architecture.views), *(template(part.path) for part in cut)]):
        holders = [placed for placed in ledger.placed if placed.node and template(placed.node) == node]
        if holders and (passage := _of_layers(ledger, node, holders, held, text)):
            yield passage


def _of_layers(
    ledger: Ledger, node: str, holders: Sequence[Placed], held: Mapping[str, Assignment], text: str
) -> Passage | None:
    """The derivation of a node that layers of the source hold, in the form that they have it."""
    derivation = _derived(ledger, node)
    if derivation is None or ledger.architecture is None:
        return None
    layer = holders[0].layer
    rows = f"{len(holders)} × {layer.class_name}" if layer.class_name else f"{len(holders)} rows"
    where = f"({rows}, from {layer.name} on)" if len(holders) > 1 else f"({layer.name})"
    part = held.get(layer.name)
    if (
        part is not None
        and part.path == holders[0].node
        and part.formula != ledger.architecture.size(node, ledger.options)
    ):
        line = f"{part.formula} = {with_numbers(str(part.formula), ledger.dimensions)} = {number(part.actual)}"
        what = _words(ledger.architecture, node, part.formula, ledger.options)
        what += f", {part.says}" if part.says else ""
        return Passage(
            f"Where {number(part.actual)} comes from: {what} {where}", (line,), _brief(part.actual, line, what)
        )
    return _passage(derivation, where, f" ({rows})" if len(holders) > 1 else "", text)


def _derived(ledger: Ledger, node: str, model: str = "") -> Derivation | None:
    """The derivation of a node, of one model among several; None where a dimension that it needs is not known."""
    architecture, dimensions = ledger.architecture, ledger.dimensions
    if model:
        of = [(one.architecture, one.dimensions) for one in ledger.models if one.name == model]
        architecture, dimensions = of[0] if of else (None, {})
    if architecture is None or not architecture.below(node, ledger.options):
        return None
    formula = architecture.size(node, ledger.options)
    if any(dimensions.get(name) is None for name in formula.dimensions):
        return None
    derivation = derive(architecture, node, dimensions, ledger.options)
    words = _words(architecture, node, formula, ledger.options)
    return derivation if words == derivation.words else replace(derivation, words=words, brief=())


def _words(architecture: Architecture, node: str, formula: Formula, options: frozenset[str]) -> str:
    """What a node is called where it has its usual parts: an output matrix of its own is no bias."""
    usual = load_architecture(architecture.name).size(node, options)
    return architecture.say(node) if usual == formula else node


def _passage(derivation: Derivation, where: str, rows: str, text: str) -> Passage:
    """A derivation under its heading; of its miscounts those are `made` whose figure stands in the text."""
    made = [one for one in derivation.miscounts if _states(text, one.value)]
    more = (*derivation.brief, *(one.brief for one in made))
    brief = _brief(derivation.size, derivation.lines[0], derivation.words + rows, *more)
    title = f"Where {number(derivation.size)} comes from: {derivation.words} {where}".rstrip()
    return Passage(
        title, derivation.lines, brief, tuple(one.line for one in derivation.miscounts), tuple(one.line for one in made)
    )


def _states(text: str, value: int) -> bool:
    """Whether a text states a count, with thousands separators or without."""
    return bool(text) and (f"{value:,}" in text or str(value) in text)


def _brief(count: int, line: str, what: str, *more: str) -> str:
    """The answer in a sentence or two: the count, its formula in letters and in numbers, and what it is."""
    return ". ".join([f"{number(count)} counts {what}: {line}", *(one[:1].upper() + one[1:] for one in more)]) + "."


def _of_whole(ledger: Ledger, whole: Whole) -> Passage:
    """What a row consists of if it is the whole model that it fits, node by node."""
    part = next(part for part in ledger.stored if part.items == (whole.row,))
    architecture = of_sizes(load_architecture(whole.architecture), whole.dimensions)
    sizes = {**whole.dimensions, **dict(whole.extra)}
    lines = [f"{part.formula} = {with_numbers(str(part.formula), sizes)} = {number(part.actual)}"]
    counts: dict[str, int] = {}
    account = whole_account(architecture, whole)
    options = frozenset(part.option for part in architecture.components if part.option and part.path in account)
    for path, count in account.items():
        node = architecture.row_of(path)
        counts[node] = counts.get(node, 0) + count
    blocks = whole.dimensions["L"]
    for node, count in counts.items():
        each = f"{blocks} × {number(count // blocks)} = " if "[*]" in node else ""
        formula = architecture.size(node, options) if architecture.below(node, options) else "adapters"
        lines.append(f"{node}: {each}{number(count)}" + (f", each {formula}" if each else f", {formula}"))
    model = whole.known or architecture.title
    brief = f"{number(part.actual)} in the row {whole.row} fits `{whole.total}` of {model}: {lines[0]}. {ONE_COUNT}."
    return Passage(f"What {number(whole.count)} is if the row {whole.row} is {model}", tuple(lines), brief)


def _largest(ledger: Ledger, rows: Sequence[Row], text: str) -> Iterator[Passage]:
    """Where the count of the row comes from that has most of all, or that no formula here gives it."""
    # An optimizer's variables and what no row holds are no component.
    rows = [row for row in rows if row.verdict not in ("", RESIDUAL)]
    if not rows:
        return
    row = max(rows, key=lambda row: row.total)
    before, _, after = row.node.partition(": ")
    model = before if any(one.name == before for one in ledger.models) else ""
    node = after if model or before in _UNGIVEN else row.node
    times = f" ({row.times} times)" if row.times > 1 else ""
    derivation = _derived(ledger, _NUMBERS.sub("[*]", node), model)
    if derivation is not None and derivation.size == row.each:
        yield _passage(derivation, f"({row.node})", times, text)
        return
    what = (f"the layer {node.removeprefix(TASK)}" if node.startswith(TASK) else node) + (
        f" of {model}" if model else ""
    )
    part = next((one for one in ledger.stored if one.path == row.node and is_layer(one)), None)
    if part is not None:
        line = counted(part, text)
        yield Passage(f"Where {number(row.each)} comes from: {what}", (line,), _brief(row.each, line, what + times))
        return
    given = row.formula and row.verdict.partition(" ")[0] in _GIVEN
    line = f"{row.formula} = {number(row.each)}" if given else _UNGIVEN.get(before, _UNGIVEN[UNMAPPED])
    yield Passage(f"Where {number(row.each)} comes from: {what}", (line,), _brief(row.each, line, what + times))
