"""Why two models differ, in one line: `B has 89,025 more words and no pooler; everything else agrees`."""

from collections.abc import Iterator
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

LEAVES = ("kernel", "bias", "gamma", "beta")


def reason(comparison: Comparison, left: str, right: str) -> str:
    """The line: all that the right side has otherwise, and whether the rest agrees."""
    told = _sizes(comparison), _nodes(comparison), _additions(comparison), _settings(comparison)
    clauses = list(dict.fromkeys(chain.from_iterable(told)))
    if not clauses:
        return f"{left} and {right} agree in every component" if comparison.same else f"{left} and {right} are empty"
    if len(clauses) > MOST:
        clauses = [*clauses[:MOST], f"{len(clauses) - MOST} further differences"]
    if not comparison.same:
        return f"{right} has {listed(clauses)}"
    return f"{right} has {listed(clauses)}; everything else agrees"


def _sizes(comparison: Comparison) -> Iterator[str]:
    """Each dimension that makes a count differ, once."""
    names = comparison.left.architecture.dimensions if comparison.left.architecture else {}
    changed = [(name, one) for one in comparison.differences for name in changed_sizes(one)]
    order = {name: place for place, name in enumerate(names)}
    for name, one in sorted(changed, key=lambda pair: order.get(pair[0], len(order))):
        if one.left is not None and one.right is not None:
            before, after = one.left.sizes[name], one.right.sizes[name]
            if name in UNITS:
                yield _units(name, before, after)
            elif name in names:
                yield f"a {names[name].partition(',')[0]} of {number(after)} instead of {number(before)}"
            else:
                what = HEADS.get(name, f"as {name}")
                yield f"{number(after)} {what} instead of {number(before)} in {layer_of(one.path) or one.path}"


def _nodes(comparison: Comparison) -> Iterator[str]:
    """What only one side has, and what differs otherwise."""
    leaves: dict[tuple[str, str], list[str]] = {}
    for one in comparison.differences:
        if _halves(one):  # told together
            continue
        if one.kind in (ONLY_LEFT, ONLY_RIGHT) and (leaf := _leaf(one, comparison)):
            leaves.setdefault((one.kind, leaf), []).extend(path.rpartition(f".{leaf}")[0] for path in one.paths)
        elif one.kind in (ONLY_LEFT, ONLY_RIGHT):
            yield _node(one, comparison)
        elif one.kind == COUNT and (exchanged := list(_exchanged(one))):
            yield from exchanged
        elif one.kind == COUNT and not changed_sizes(one):
            yield f"{more_or_fewer(one.difference, 'parameters')} in {one.path}"
        elif one.kind == SHAPE:
            alone = is_transposed(one) or (one.left and one.right and one.left.shape == one.right.shape)
            yield f"{one.path} laid out unlike others of its kind" if alone else f"another shape of {one.path}"
        elif one.kind == TRAINABLE and one.right is not None:
            yield f"{one.path} {state(one.right)}"
        elif one.kind == DTYPE and one.left is not None and one.right is not None:
            place = "" if one.paths == (WHOLE,) else f" in {one.path}"
            yield f"{types(one.right)} instead of {types(one.left)}{place}"
        elif one.kind == TIE and one.left is not None:
            yield f"{one.path} {'stored apart' if one.left.tied_to else 'tied'}"
    for (kind, leaf), nodes in leaves.items():
        sign = "no " if kind == ONLY_LEFT else _article(leaf)
        yield f"{sign}{leaf} in {folded_text(nodes, MOST_PLACES)}"


def _additions(comparison: Comparison) -> Iterator[str]:
    """Each low-rank addition that only one side has, with all places: `LoRA r=8 at query (A 8×768, B 768×8)`."""
    nodes: dict[tuple[str, str], list[str]] = {}
    for one in comparison.differences:
        if share := _halves(one):
            rank = f" r={share.sizes[RANK]}" if RANK in share.sizes else ""
            called = f"{'no ' if one.kind == ONLY_LEFT else ''}{one.paths[0].rpartition('.')[2]}{rank}"
            shapes = ", ".join(
                f"{name} {shape_words(half)}" for name, half in zip("AB", share.halves.values(), strict=True)
            )
            nodes.setdefault((called, shapes), []).extend(path.rpartition(".")[0] for path in one.paths)
    for (called, halves), paths in nodes.items():
        yield f"{called} at {folded_text(paths, MOST_PLACES)} ({halves})"


def _halves(one: Difference) -> Share | None:
    """The share of a low-rank addition that only one side has."""
    share = one.right if one.left is None else one.left
    return share if one.kind in (ONLY_LEFT, ONLY_RIGHT) and share is not None and share.halves else None


def _leaf(one: Difference, comparison: Comparison) -> str:
    """What an array is called that only one side has within a node of both; empty where a whole node has its words."""
    path = one.paths[0]
    leaf = path.rpartition(".")[2]
    if leaf in LEAVES or "[" not in path or one.path.endswith("]"):
        return leaf if leaf in LEAVES else ""
    known = (ledger.architecture.words for ledger in (comparison.left, comparison.right) if ledger.architecture)
    if any(template(path) in words for words in known):
        return ""
    return path.split(".")[-2] if leaf in ("weight", "kernel") else leaf


def _exchanged(one: Difference) -> Iterator[str]:
    """The dimension that stands in a formula in place of another, and what is otherwise of another size in it."""
    left, right = one.left, one.right
    if left is None or right is None or left.formula is None or right.formula is None:
        return
    lost, won = left.formula.dimensions - right.formula.dimensions, right.formula.dimensions - left.formula.dimensions
    if len(lost) != 1 or len(won) != 1:
        return
    (before,), (after,) = lost, won
    if left.formula.substitute({before: dimension(after)}) != right.formula:
        return
    yield f"{after} = {number(right.sizes[after])} in place of {before} = {number(left.sizes[before])}"
    for name in sorted(left.sizes.keys() & right.sizes.keys()):
        if name in UNITS and left.sizes[name] != right.sizes[name]:
            yield _units(name, left.sizes[name], right.sizes[name])


def _units(name: str, before: int, after: int) -> str:
    unit = UNITS[name] if abs(after - before) > 1 else UNITS[name].removesuffix("s")
    return f"{more_or_fewer(after - before)} {unit}"


def _node(one: Difference, comparison: Comparison) -> str:
    """A node that only one side has: `no pooler`, `12 more blocks`."""
    lacking = one.kind == ONLY_LEFT
    path = one.paths[0]
    if path.rpartition(".")[2].startswith("block["):
        what = f"{path.partition('.')[0]} " if _has_several_stacks(comparison) else ""
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


def _has_several_stacks(comparison: Comparison) -> bool:
    """Whether blocks have to be told apart, an encoder's from a decoder's."""
    known = {ledger.architecture for ledger in (comparison.left, comparison.right) if ledger.architecture}
    return len({stack for architecture in known for stack in architecture.stacks}) > 1


def _article(noun: str) -> str:
    if noun.endswith("s"):
        return ""
    return "an " if noun[:1].lower() in "aeio" else "a "


def _noun(path: str, comparison: Comparison) -> str:
    """A node in a few words, or its path."""
    for ledger in (comparison.left, comparison.right):
        words = ledger.architecture.words.get(template(path)) if ledger.architecture else None
        if words:
            short = words.partition(",")[0].partition(";")[0].partition(" with ")[0]
            return short.removeprefix("the ").removeprefix("all ")
    if path.startswith(TASK):
        return f"layer {path.removeprefix(TASK)}"
    models = {one.name.replace(".", "/") for ledger in (comparison.left, comparison.right) for one in ledger.models}
    return f"model {path}" if path.partition(".")[0] in models else path


def _settings(comparison: Comparison) -> Iterator[str]:
    for setting in comparison.settings:
        if setting.name == "input":
            yield f"other inputs of {listed(folded_all(setting.where)[:3])}"
        elif setting.severity != "note":
            before, after = value_text(setting.left), value_text(setting.right)
            counted = COUNTED.get(setting.name)
            yield f"{after} {counted} instead of {before}" if counted else f"{setting.name} {after} instead of {before}"
