"""What terms are made of: totals, nodes, and parts of nodes, each with its words and what it takes to name it."""

from collections.abc import Iterator, Mapping

from reconcile.evidence import codes
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.selection import Selection, matches
from reconcile.taxonomy import Architecture, Component

Account = Mapping[str, Formula]
Known = dict[tuple[str, bool], dict[str, Formula] | None]
EACH = ", in each of {{{times}}} blocks"
INDEX = "[*]"
"""What a path through one of several equal blocks has in it."""

# What is picked out of a node, or left out of it: (words before, words after, kept, dropped).
_PARTS = (
    ("the biases of ", "", ("**.bias",), ()),
    ("the layer norms of ", "", ("**.gamma", "**.beta"), ()),
    ("", " without biases", (), ("**.bias",)),
    ("", " without layer norms", (), ("**.gamma", "**.beta")),
    ("", " without biases and layer norms", (), ("**.bias", "**.gamma", "**.beta")),
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that a term can be: the node or total, in words, and the components that it counts."""

    node: str
    words: str
    account: Account


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a formula can be, with the bits that naming it takes."""

    bits: int
    kind: str
    reading: Reading
    formula: Formula
    plain: bool = False


def total_of(account: Account) -> Formula:
    """The sum of an account in one step."""
    return Formula.collect(term for share in account.values() for term in share.terms)


def totals(architecture: Architecture, components: tuple[Component, ...]) -> Iterator[Entry]:
    known: Known = {}
    for name, selection in architecture.totals.items():
        if account := selection.account(components, architecture.totals, known):
            bits = _total_bits(architecture, name)
            yield Entry(bits, "total", Reading(name, f"`{name}`", account), total_of(account), plain=True)


def _total_bits(architecture: Architecture, name: str) -> int:
    return codes.quoted_bits(architecture.quoted.index(name)) if name in architecture.quoted else codes.TOTAL


def parts_of_totals(architecture: Architecture, components: tuple[Component, ...]) -> Iterator[Entry]:
    """What is left of a total that people quote without its biases or its layer norms."""
    known: Known = {}
    for name in architecture.quoted:
        account = architecture.totals[name].account(components, architecture.totals, known) or {}
        bits = _total_bits(architecture, name) + codes.FILTERED_TOTAL
        for before, after, keep, drop in _PARTS[2:]:
            part = _picked(account, keep, drop)
            if part and part != account:
                reading = Reading(f"{name}{after}", f"{before}`{name}`{after}", part)
                yield Entry(bits, "combination", reading, total_of(part))


def nodes(architecture: Architecture, components: tuple[Component, ...]) -> Iterator[Entry]:
    below: dict[str, list[Component]] = {}
    for part in components:
        names = part.path.split(".")
        for depth in range(1, len(names) + 1):
            below.setdefault(".".join(names[:depth]), []).append(part)
    for node, parts in below.items():
        stored = [part for part in parts if part.tied_to is None] or parts
        _, in_block, inner = node.rpartition(INDEX)
        bits = codes.NODE + (inner if in_block else node).removeprefix(".").count(".")
        words = _tied(architecture, parts) or _words(architecture, node)
        one = {part.path: part.size for part in stored}
        every = {part.path: part.size * part.times for part in stored}
        if not in_block:
            yield from _entries(node, words, bits, every)
            continue
        yield from _entries(node, words, bits + codes.IN_BLOCKS, one)
        yield from _entries(node, words, bits + codes.IN_BLOCKS, every, str(parts[0].times))


def _entries(node: str, words: str, bits: int, account: Account, blocks: str = "") -> Iterator[Entry]:
    """A node, and what can be picked out of it, in one block or in each of so many."""
    times, each = (f" × {blocks}", EACH.format(times=blocks)) if blocks else ("", "")
    yield Entry(bits, "component", Reading(node + times, words + each, account), total_of(account), plain=True)
    for before, after, keep, drop in _PARTS:
        part = _picked(account, keep, drop)
        if part and part != account:
            name = f"{node}{times}{after}" if after else f"{before.removeprefix('the ')}{node}{times}"
            reading = Reading(name, f"{before}{_short(words)}{after}{each}", part)
            yield Entry(bits + codes.FILTERED, "component", reading, total_of(part), plain=True)


def groups(architecture: Architecture, components: tuple[Component, ...]) -> Iterator[Entry]:
    for words, selection in architecture.groups.items():
        one = _once(selection).account(components, architecture.totals)
        every = selection.account(components, architecture.totals)
        if not one or not every:
            continue
        yield from _entries(words, words, codes.GROUP, one)
        if one != every:
            blocks = next(str(part.times) for part in components if INDEX in part.path and part.path in every)
            yield from _entries(words, words, codes.GROUP, every, blocks)


def _picked(account: Account, keep: tuple[str, ...], drop: tuple[str, ...]) -> Account:
    return {
        path: share
        for path, share in account.items()
        if (not keep or any(matches(pattern, path) for pattern in keep))
        and not any(matches(pattern, path) for pattern in drop)
    }


def _once(selection: Selection) -> Selection:
    """The selection over one block."""
    of = tuple((sign, part.replace("[*]", "[1]") if isinstance(part, str) else part) for sign, part in selection.of)
    return Selection(of, selection.keep, selection.drop, selection.replace, selection.times, selection.tied)


def _tied(architecture: Architecture, parts: list[Component]) -> str:
    """The words for a single component that has no storage of its own."""
    if len(parts) == 1 and parts[0].tied_to:
        return f"`{parts[0].path}`, where it is not tied to {architecture.say(parts[0].tied_to)}"
    return ""


def _words(architecture: Architecture, node: str) -> str:
    if (said := architecture.say(node)) != node:
        return said.partition("; ")[0] + _stack(architecture, node, said)
    parent, _, name = node.rpartition(".")
    return f"the {name} of {_short(_words(architecture, parent))}" if parent else f"`{node}`"


def _stack(architecture: Architecture, node: str, said: str) -> str:
    """Which blocks a node is in, where an architecture has several stacks of them and the words do not say."""
    stacks = {part.path.partition(".")[0] for part in architecture.components if INDEX in part.path}
    name = node.partition(".")[0]
    return f" of the {name}" if INDEX in node and len(stacks) > 1 and name not in said else ""


def _short(words: str) -> str:
    """A node's words without what only explains them."""
    return words.partition("; ")[0].partition(", a ")[0]
