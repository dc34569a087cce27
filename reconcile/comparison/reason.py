"""Why two models differ, in one line: `B has 89,025 more words and no pooler; everything else agrees`."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from reconcile.comparison.axes import NON_TRAINABLE
from reconcile.comparison.difference import WHOLE, Difference, Kind
from reconcile.comparison.folding import folded_all, folded_text
from reconcile.comparison.ledgers import Comparison
from reconcile.comparison.shares import RESIDUAL, UNMAPPED, layer_of
from reconcile.comparison.words import UNITS, changed_sizes, is_transposed, shape_words, state, types, value_text
from reconcile.formula import dimension
from reconcile.mapping.ledger import TASK
from reconcile.phrases import listed, more_or_fewer, number
from reconcile.taxonomy import template

MOST = 8
"""Clauses of the line; what is beyond them is counted."""

HEADS = {"i": "inputs", "o": "outputs", "u": "units"}
"""What the names in Keras' own formulas count, where there is a word for it."""

RANK = "r"
"""What the formulas of a low-rank addition call its rank."""

COUNTED = {"A": "attention heads", NON_TRAINABLE: NON_TRAINABLE}
"""Settings that are counts, and what they count; those that are dimensions are said once."""

Clause = tuple[str, Sequence[str], str]
"""Words, the nodes that they are said of, and words behind these; equal words are said once, of all their nodes."""


def reason(comparison: Comparison, left: str, right: str) -> str:
    """The line: all that the right side has otherwise, and whether the rest agrees."""
    told: dict[tuple[str, str], dict[str, None]] = {}
    nodes = [clause for one in comparison.differences for clause in _clauses(one, comparison)]
    nodes.sort(key=lambda clause: bool(clause[1]))
    for before, places, after in chain(_sizes(comparison), nodes, _settings(comparison)):
        told.setdefault((before, after), {}).update(dict.fromkeys(places))
    clauses = [before + folded_text(list(places)) + after for (before, after), places in told.items()]
    if not clauses:
        return f"{left} and {right} agree in every component" if comparison.same else f"{left} and {right} are empty"
    if len(clauses) > MOST:
        clauses = [*clauses[:MOST], f"{len(clauses) - MOST} further differences"]
    return f"{right} has {listed(clauses)}{'; everything else agrees' if comparison.same else ''}"


def _sizes(comparison: Comparison) -> Iterator[Clause]:
    """Each dimension that makes a count differ, once, in the order of the architecture."""
    names = _names(comparison)
    order = {name: place for place, name in enumerate(names)}
    changed = [(name, one) for one in comparison.differences for name in _told_sizes(one, names)]
    for name, one in sorted(changed, key=lambda pair: order.get(pair[0], len(order))):
        before, after = (share.sizes[name] for share in one.both)
        if name in UNITS:
            unit = UNITS[name] if abs(after - before) > 1 else UNITS[name].removesuffix("s")
            yield f"{more_or_fewer(after - before)} {unit}", (), ""
        elif name in HEADS:
            what = f"{number(after)} {HEADS[name]} instead of {number(before)}"
            yield f"{what} in ", [layer_of(path) or path for path in one.paths], ""
        elif name in COUNTED:
            yield f"{number(after)} {COUNTED[name]} instead of {number(before)}", (), ""
        else:
            what = names.get(name, "rank")
            yield f"{_article(what)}{what} of {number(after)} instead of {number(before)}", (), ""


def _names(comparison: Comparison) -> dict[str, str]:
    """What the architectures call their dimensions."""
    known = [one.dimensions for one in comparison.architectures]
    return {name: text.partition(",")[0] for one in known for name, text in one.items()}


def _told_sizes(one: Difference, names: Mapping[str, str]) -> tuple[str, ...]:
    """The sizes that alone make a difference in a count, if there is a word for each."""
    changed, rank = changed_sizes(one), {RANK} if one.left and one.left.halves else ()
    return changed if {*changed} <= {*names, *HEADS, *rank} else ()


def _clauses(one: Difference, comparison: Comparison) -> Iterator[Clause]:
    """What is told of a difference beside its sizes: what only one side has, and what is otherwise at a node."""
    if one.kind in (Kind.ONLY_LEFT, Kind.ONLY_RIGHT):
        yield _only(one, comparison)
    elif one.kind == Kind.COUNT and not _told_sizes(one, names := _names(comparison)):
        if exchanged := _exchanged(one, names):
            yield f"{exchanged} in ", one.paths, ""
        else:
            yield f"{more_or_fewer(one.difference, 'parameters')} in {one.path}", (), ""
    elif one.kind == Kind.SHAPE:
        alike = is_transposed(one) or one.both[0].shape == one.both[1].shape
        yield f"{one.path} laid out unlike others of its kind" if alike else f"another shape of {one.path}", (), ""
    elif one.kind == Kind.TRAINABLE:
        yield f"{one.path} {state(one.both[1])}", (), ""
    elif one.kind == Kind.TIE:
        yield f"{one.path} {'stored apart' if one.both[0].tied_to else 'tied'}", (), ""


def _exchanged(one: Difference, names: Mapping[str, str]) -> str:
    """The dimension that stands in a formula in place of another, if both have names; empty for any other change."""
    left, right = one.both
    if left.formula is None or right.formula is None:
        return ""
    lost, won = left.formula.dimensions - right.formula.dimensions, right.formula.dimensions - left.formula.dimensions
    if len(lost) != 1 or len(won) != 1 or not lost | won <= names.keys():
        return ""
    (before,), (after,) = lost, won
    if left.formula.substitute({before: dimension(after)}) != right.formula:
        return ""
    sizes = f"{number(right.sizes[after])} in place of the {names[before]} of {number(left.sizes[before])}"
    return f"{_article(names[after])}{names[after]} of {sizes}"


def _only(one: Difference, comparison: Comparison) -> Clause:
    """What one side lacks: `LoRA r=8 at query (A 8×768, B 768×8)`, `no bias in ...`, `12 more blocks`, `no pooler`."""
    paths, share = [path.removesuffix(".weight") for path in one.paths], one.left or one.right
    path = paths[0]
    above, _, leaf = path.rpartition(".")
    lacking = one.kind == Kind.ONLY_LEFT
    if share and share.halves:
        rank = f" r={share.sizes[RANK]}" if RANK in share.sizes else ""
        shapes = ", ".join(f"{name} {shape_words(half)}" for name, half in zip("AB", share.halves, strict=True))
        return f"{'no ' * lacking}{leaf}{rank} at ", [path.rpartition(".")[0] for path in paths], f" ({shapes})"
    if leaf.startswith("block["):
        stacks = {stack for known in comparison.architectures for stack in known.stacks}
        what = f"{path.partition('.')[0]} " if len(stacks) > 1 else ""
        count = -len(one.paths) if lacking else len(one.paths)
        return f"{more_or_fewer(count)} {what}block{'s' if len(one.paths) > 1 else ''}", (), ""
    if path == RESIDUAL:
        return f"{more_or_fewer(one.difference, 'parameters')} that no part has", (), ""
    if path.startswith(UNMAPPED + "."):
        return f"{'no' if lacking else 'an unmapped'} {path.removeprefix(UNMAPPED + '.')}", (), ""
    noun = _noun(path, comparison)
    said = f"{'no ' if lacking else _article(noun)}{noun}"
    return (f"{said} in ", [path.rpartition(".")[0] for path in paths], "") if "[" in above else (said, (), "")


def _noun(path: str, comparison: Comparison) -> str:
    """A node in the words of an architecture, without article and explanation; or what it is by its path."""
    kind = template(path)
    if said := next((known.words[kind] for known in comparison.architectures if kind in known.words), ""):
        short = said.partition(",")[0].partition(";")[0].partition(" with ")[0]
        return short.removeprefix("the ").removeprefix("all ")
    above, _, leaf = path.rpartition(".")
    if "[" in above:
        return leaf
    if path.startswith(TASK):
        return f"layer {path.removeprefix(TASK)}"
    return f"model {path}" if path.partition(".")[0] in comparison.models else path


def _article(noun: str) -> str:
    if noun.endswith("s"):
        return ""
    return "an " if noun[:1].lower() in "aeio" else "a "


def _settings(comparison: Comparison) -> Iterator[Clause]:
    """The types of all components or of some, and the settings that matter."""
    for one in comparison.differences:
        if one.kind == Kind.DTYPE:
            said = f"{types(one.both[1])} instead of {types(one.both[0])}"
            yield (said, (), "") if one.paths == (WHOLE,) else (f"{said} in ", one.paths, "")
    for setting in comparison.settings:
        before, after = value_text(setting.left), value_text(setting.right)
        if setting.name == "input":
            yield f"other inputs of {listed(folded_all(setting.where)[:3])}", (), ""
        elif setting.name in COUNTED and setting.severity != "note":
            yield f"{after} {COUNTED[setting.name]} instead of {before}", (), ""
        elif setting.severity != "note":
            yield f"{setting.name} {after} instead of {before}", (), ""
