"""Why two models differ, in one line: `B has 89,025 more words and no pooler; everything else agrees`."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from reconcile.comparison.axes import NON_TRAINABLE
from reconcile.comparison.difference import (
    COUNT,
    DTYPE,
    ONLY_LEFT,
    ONLY_RIGHT,
    SHAPE,
    TIE,
    TRAINABLE,
    WHOLE,
    Difference,
)
from reconcile.comparison.folding import folded_all, folded_text
from reconcile.comparison.ledgers import Comparison
from reconcile.comparison.shares import RESIDUAL, UNMAPPED, Share, layer_of
from reconcile.explanation.differing import (
    MOST_PLACES,
    RANK,
    UNITS,
    changed_sizes,
    is_transposed,
    shape_words,
    state,
    types,
    value_text,
)
from reconcile.formula import dimension
from reconcile.mapping.ledger import TASK
from reconcile.phrases import listed, more_or_fewer, number
from reconcile.taxonomy import template

MOST = 8
"""Clauses of the line; what is beyond them is counted."""

HEADS = {"i": "inputs", "o": "outputs", "u": "units"}
"""What the names in Keras' own formulas count."""

COUNTED = {"A": "attention heads", NON_TRAINABLE: NON_TRAINABLE}
"""Settings that are counts, and what they count."""

Clause = tuple[str, Sequence[str], str]
"""Words, the nodes that they are said of, and words behind these; equal words are said once, of all their nodes."""

LEAVES = ("kernel", "bias", "gamma", "beta")


def reason(comparison: Comparison, left: str, right: str) -> str:
    """The line: all that the right side has otherwise, and whether the rest agrees."""
    told: dict[tuple[str, str], dict[str, None]] = {}
    nodes = [clause for one in comparison.differences for clause in _clauses(one, comparison)]
    nodes.sort(key=lambda clause: bool(clause[1]))
    for before, places, after in chain(_sizes(comparison), nodes, _settings(comparison)):
        told.setdefault((before, after), {}).update(dict.fromkeys(places))
    clauses = [before + folded_text(list(places), MOST_PLACES) + after for (before, after), places in told.items()]
    if not clauses:
        return f"{left} and {right} agree in every component" if comparison.same else f"{left} and {right} are empty"
    if len(clauses) > MOST:
        clauses = [*clauses[:MOST], f"{len(clauses) - MOST} further differences"]
    return f"{right} has {listed(clauses)}{'; everything else agrees' if comparison.same else ''}"


def _sizes(comparison: Comparison) -> Iterator[Clause]:
    """Each dimension that makes a count differ, once."""
    names = comparison.left.architecture.dimensions if comparison.left.architecture else {}
    order = {name: place for place, name in enumerate(names)}
    changed = [(name, one) for one in comparison.differences for name in changed_sizes(one)]
    for name, one in sorted(changed, key=lambda pair: order.get(pair[0], len(order))):
        before, after = (share.sizes[name] for share in one.both)
        if name in UNITS:
            yield _units(name, before, after), (), ""
        elif name in names:
            yield f"a {names[name].partition(',')[0]} of {number(after)} instead of {number(before)}", (), ""
        else:
            what = f"{number(after)} {HEADS.get(name, f'as {name}')} instead of {number(before)}"
            yield f"{what} in ", [layer_of(path) or path for path in one.paths], ""


def _clauses(one: Difference, comparison: Comparison) -> Iterator[Clause]:
    """What is told of a difference beside its sizes: what only one side has, and what is otherwise at a node."""
    if one.kind in (ONLY_LEFT, ONLY_RIGHT):
        yield _only(one, comparison)
    elif one.kind == COUNT and not changed_sizes(one):
        exchanged = list(_exchanged(one)) or [f"{more_or_fewer(one.difference, 'parameters')} in {one.path}"]
        yield from ((text, (), "") for text in exchanged)
    elif one.kind in _CHANGED:
        yield _CHANGED[one.kind](one, *one.both), (), ""


def _shape(one: Difference, left: Share, right: Share) -> str:
    alone = is_transposed(one) or left.shape == right.shape
    return f"{one.path} laid out unlike others of its kind" if alone else f"another shape of {one.path}"


_CHANGED: dict[str, Callable[[Difference, Share, Share], str]] = {
    SHAPE: _shape,
    TRAINABLE: lambda one, _, right: f"{one.path} {state(right)}",
    DTYPE: lambda one, left, right: (
        f"{types(right)} instead of {types(left)}" + (f" in {one.path}" if one.paths != (WHOLE,) else "")
    ),
    TIE: lambda one, left, _: f"{one.path} {'stored apart' if left.tied_to else 'tied'}",
}
"""What the right side has at a node that both sides have."""


def _only(one: Difference, comparison: Comparison) -> Clause:
    """What one side lacks: `LoRA r=8 at query (A 8×768, B 768×8)`, `no bias in ...`, `12 more blocks`."""
    lacking = one.kind == ONLY_LEFT
    share = one.left or one.right
    if share and share.halves:
        rank = f" r={share.sizes[RANK]}" if RANK in share.sizes else ""
        called = f"{'no ' if lacking else ''}{one.paths[0].rpartition('.')[2]}{rank}"
        shapes = ", ".join(
            f"{name} {shape_words(half)}" for name, half in zip("AB", share.halves.values(), strict=True)
        )
        return f"{called} at ", [path.rpartition(".")[0] for path in one.paths], f" ({shapes})"
    if leaf := _leaf(one, comparison):
        nodes = [path.rpartition(f".{leaf}")[0] for path in one.paths]
        return f"{'no ' if lacking else _article(leaf)}{leaf} in ", nodes, ""
    return _node(one, comparison), (), ""


def _leaf(one: Difference, comparison: Comparison) -> str:
    """What an array is called that only one side has within a node of both; empty where a whole node has its words."""
    path = one.paths[0]
    leaf = path.rpartition(".")[2]
    if leaf in LEAVES or "[" not in path or one.path.endswith("]"):
        return leaf if leaf in LEAVES else ""
    if any(template(path) in known.words for known in comparison.architectures):
        return ""
    return path.split(".")[-2] if leaf in ("weight", "kernel") else leaf


def _exchanged(one: Difference) -> Iterator[str]:
    """The dimension that stands in a formula in place of another, and what is otherwise of another size in it."""
    left, right = one.both
    if left.formula is None or right.formula is None:
        return
    lost, won = left.formula.dimensions - right.formula.dimensions, right.formula.dimensions - left.formula.dimensions
    if len(lost) != 1 or len(won) != 1:
        return
    (before,), (after,) = lost, won
    if left.formula.substitute({before: dimension(after)}) == right.formula:
        yield f"{after} = {number(right.sizes[after])} in place of {before} = {number(left.sizes[before])}"
        for name in sorted(left.sizes.keys() & right.sizes.keys() & UNITS.keys()):
            if left.sizes[name] != right.sizes[name]:
                yield _units(name, left.sizes[name], right.sizes[name])


def _units(name: str, before: int, after: int) -> str:
    unit = UNITS[name] if abs(after - before) > 1 else UNITS[name].removesuffix("s")
    return f"{more_or_fewer(after - before)} {unit}"


def _node(one: Difference, comparison: Comparison) -> str:
    """A node that only one side has: `no pooler`, `12 more blocks`."""
    lacking = one.kind == ONLY_LEFT
    path = one.paths[0]
    if path.rpartition(".")[2].startswith("block["):
        stacks = {stack for known in comparison.architectures for stack in known.stacks}
        what = f"{path.partition('.')[0]} " if len(stacks) > 1 else ""
        count = -len(one.paths) if lacking else len(one.paths)
        return f"{more_or_fewer(count)} {what}block{'s' if len(one.paths) > 1 else ''}"
    if path == RESIDUAL:
        return f"{more_or_fewer(one.difference, 'parameters')} that no part has"
    if path.startswith(UNMAPPED + "."):
        return f"{'no' if lacking else 'an unmapped'} {path.removeprefix(UNMAPPED + '.')}"
    noun = _noun(path, comparison)
    return f"{'no ' if lacking else _article(noun)}{noun}" + (
        f" in {one.path.rpartition('.')[0]}" if len(one.paths) > 1 else ""
    )


def _article(noun: str) -> str:
    if noun.endswith("s"):
        return ""
    return "an " if noun[:1].lower() in "aeio" else "a "


def _noun(path: str, comparison: Comparison) -> str:
    """A node in a few words, or its path."""
    for known in comparison.architectures:
        if words := known.words.get(template(path)):
            short = words.partition(",")[0].partition(";")[0].partition(" with ")[0]
            return short.removeprefix("the ").removeprefix("all ")
    if path.startswith(TASK):
        return f"layer {path.removeprefix(TASK)}"
    models = {one.name.replace(".", "/") for ledger in (comparison.left, comparison.right) for one in ledger.models}
    return f"model {path}" if path.partition(".")[0] in models else path


def _settings(comparison: Comparison) -> Iterator[Clause]:
    for setting in comparison.settings:
        if setting.name == "input":
            yield f"other inputs of {listed(folded_all(setting.where)[:3])}", (), ""
        elif setting.severity != "note":
            what = COUNTED.get(setting.name)
            before, after = value_text(setting.left), value_text(setting.right)
            yield (
                f"{after} {what} instead of {before}" if what else f"{setting.name} {after} instead of {before}",
                (),
                "",
            )
