"""What terms are made of: totals, nodes, and parts of nodes, each in words and with what it takes to name it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from reconcile.evidence import codes
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.mistake import Mistake
from reconcile.selection import matches
from reconcile.taxonomy import Architecture, Component

Account = Mapping[str, Formula]
Known = dict[tuple[str, bool], dict[str, Formula] | None]
EACH = ", in each of {{{times}}} blocks"
INDEX = "[*]"
"""What a path through one of several equal blocks has in it."""
HEAD = "task."
"""What the names of heads on top of a model begin with."""

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
class Term:
    """A formula with all that it can be, the cheapest first, and the bits that naming it takes.

    `kind` is total, component, combination, extra or mistake; `plain` where some reading is a node or a part of one.
    """

    formula: Formula
    bits: int
    kind: str
    readings: tuple[Reading, ...]
    mistake: Mistake | None = None
    right: Formula | None = None
    plain: bool = False

    @property
    def head(self) -> bool:
        """Whether it can be a classifier on top of a model."""
        return any(reading.node.startswith(HEAD) for reading in self.readings)

    def can_be(self, dimensions: Mapping[str, int | None]) -> bool:
        """Whether a count can be it: of a mistake, whether it is made and is one for these dimensions."""
        if self.mistake is None or self.right is None:
            return True
        made = all(dimensions.get(name) == size for name, size in self.mistake.when.items())
        known = all(dimensions.get(name) is not None for name in self.right.dimensions)
        return made and known and self.formula.evaluate(dimensions) != self.right.evaluate(dimensions)


def total_of(account: Account) -> Formula:
    """The sum of an account in one step."""
    return Formula.collect(term for share in account.values() for term in share.terms)


def _term(bits: int, kind: str, node: str, words: str, account: Account, plain: bool = True) -> Term:
    return Term(total_of(account), bits, kind, (Reading(node, words, account),), plain=plain)


def totals(architecture: Architecture, components: tuple[Component, ...]) -> Iterator[Term]:
    """The named totals that these components have all of."""
    known: Known = {}
    for name, selection in architecture.totals.items():
        if account := selection.account(components, architecture.totals, known):
            yield _term(_total_bits(architecture, name), "total", name, f"`{name}`", account)


def _total_bits(architecture: Architecture, name: str) -> int:
    return codes.quoted_bits(architecture.quoted.index(name)) if name in architecture.quoted else codes.TOTAL


def parts_of_totals(architecture: Architecture, components: tuple[Component, ...]) -> Iterator[Term]:
    """What is left of a total that people quote without its biases or its layer norms."""
    known: Known = {}
    for name in architecture.quoted:
        account = architecture.totals[name].account(components, architecture.totals, known) or {}
        bits = _total_bits(architecture, name) + codes.FILTERED_TOTAL
        for _, after, part in _picked(account):
            if after:
                yield _term(bits, "combination", f"{name}{after}", f"`{name}`{after}", part, plain=False)


def nodes(architecture: Architecture, components: tuple[Component, ...]) -> Iterator[Term]:
    """Every node with what can be picked out of it, in one block and in all where it is in blocks."""
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
        every = {part.path: part.size * part.times for part in stored}
        if not in_block:
            yield from _with_parts(node, words, bits, every)
            continue
        one = {part.path: part.size for part in stored}
        yield from _with_parts(node, words, bits + codes.IN_BLOCKS, one)
        yield from _with_parts(node, words, bits + codes.IN_BLOCKS, every, str(parts[0].times))


def groups(architecture: Architecture, components: tuple[Component, ...]) -> Iterator[Term]:
    """What people call by one name without it being a node, in one block and in all where it is in blocks."""
    for words, selection in architecture.groups.items():
        of = ((sign, one.replace(INDEX, "[1]") if isinstance(one, str) else one) for sign, one in selection.of)
        once = replace(selection, of=tuple(of))
        one, every = (part.account(components, architecture.totals) for part in (once, selection))
        if not one or not every:
            continue
        yield from _with_parts(words, words, codes.GROUP, one)
        if one != every:
            blocks = next(str(part.times) for part in components if INDEX in part.path and part.path in every)
            yield from _with_parts(words, words, codes.GROUP, every, blocks)


def _with_parts(node: str, words: str, bits: int, account: Account, blocks: str = "") -> Iterator[Term]:
    """A node, and what can be picked out of it, in one block or in each of so many."""
    times, each = (f" × {blocks}", EACH.format(times=blocks)) if blocks else ("", "")
    yield _term(bits, "component", node + times, words + each, account)
    for before, after, part in _picked(account):
        name = f"{before.removeprefix('the ')}{node}{times}{after}"
        yield _term(bits + codes.FILTERED, "component", name, f"{before}{_short(words)}{after}{each}", part)


def _picked(account: Account) -> Iterator[tuple[str, str, Account]]:
    """What can be picked out of an account or left out of it, with the words before and after."""
    for before, after, keep, drop in _PARTS:
        part = {
            path: share
            for path, share in account.items()
            if (not keep or any(matches(pattern, path) for pattern in keep))
            and not any(matches(pattern, path) for pattern in drop)
        }
        if part and part != account:
            yield before, after, part


def _tied(architecture: Architecture, parts: list[Component]) -> str:
    """The words for a single component that has no storage of its own."""
    if len(parts) == 1 and parts[0].tied_to:
        return f"`{parts[0].path}`, where it is not tied to {architecture.say(parts[0].tied_to)}"
    return ""


def _words(architecture: Architecture, node: str) -> str:
    """A node in words, with the stack that it is in where there are several and the words do not say."""
    stack, _, _ = node.partition(".")
    if (said := architecture.say(node)) != node:
        several = INDEX in node and len(architecture.stacks) > 1 and stack not in said
        return said.partition("; ")[0] + (f" of the {stack}" if several else "")
    parent, _, name = node.rpartition(".")
    return f"the {name} of {_short(_words(architecture, parent))}" if parent else f"`{node}`"


def _short(words: str) -> str:
    """A node's words without what only explains them."""
    return words.partition("; ")[0].partition(", a ")[0]
