"""What terms are made of: totals, nodes, and parts of both, each in words and with what it takes to name it."""

from collections.abc import Iterator, Mapping, Sequence

from reconcile.evidence import codes
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.mistake import Mistake
from reconcile.selection import matches, value
from reconcile.taxonomy import Architecture, Component

Account = Mapping[str, Formula]
EACH = ", in each of {{{times}}} blocks"
INDEX = "[*]"
"""What a path through one of several equal blocks has in it."""
STORED = "stored"
"""The kind of what is stored beside the components of a model, or instead of them."""
HEAD = "task."
"""What the names of heads on top of a model begin with."""


_PICKED = (
    ("the biases of ", "", ("**.bias",)),
    ("the layer norms of ", "", ("**.gamma", "**.beta")),
    ("", " without biases", ("**.bias",)),
    ("", " without layer norms", ("**.gamma", "**.beta")),
    ("", " without biases and layer norms", ("**.bias", "**.gamma", "**.beta")),
)
"""What is picked out of a node, by the words before it, and what is left out of one, by the words after it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that a term can be: the node or total, in words, and the components that it counts.

    `equation` is how its count comes about, where that is not the term's formula.
    """

    node: str
    words: str
    account: Account
    equation: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """A formula with all that it can be, the cheapest first, and the bits that naming it takes.

    `kind` is total, component, combination, extra, mistake or stored; `plain` where some reading is a node or a part of
    one. What is stored is a number that `depends` on some dimensions, `usual` where people choose it unasked.
    """

    formula: Formula
    bits: int
    kind: str
    readings: tuple[Reading, ...]
    plain: bool = False
    mistake: Mistake | None = None
    right: Formula | None = None
    depends: frozenset[str] = frozenset()
    usual: bool = False
    lines: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The dimensions that it depends on."""
        return self.depends or self.formula.dimensions

    @property
    def head(self) -> bool:
        """Whether it can be a classifier on top of a model."""
        return any(reading.node.startswith(HEAD) for reading in self.readings)

    @property
    def quoted(self) -> bool:
        """Whether it is a total that people state for a whole model."""
        return self.kind == "total" and self.bits < codes.TOTAL

    @property
    def added(self) -> bool:
        """Whether it may be added to another term or taken from it: a total or a mistake only stands first."""
        return self.kind not in ("total", "mistake")

    def can_be(self, dimensions: Mapping[str, int | None]) -> bool:
        """Whether a count can be it: of a mistake, whether it is made and is one for these dimensions."""
        if self.mistake is None or self.right is None:
            return True
        made = all(dimensions.get(name) == size for name, size in self.mistake.when.items())
        right = self.right.value(dimensions)
        return made and right is not None and self.formula.evaluate(dimensions) != right


def totals(architecture: Architecture) -> Iterator[Term]:
    """The named totals that an architecture has all components of, those that people quote first."""
    known: dict[tuple[str, bool], dict[str, Formula] | None] = {}
    for name in dict.fromkeys((*architecture.quoted, *architecture.totals)):
        if account := architecture.totals[name].account(architecture.components, architecture.totals, known):
            quoted = name in architecture.quoted
            bits = codes.quoted_bits(architecture.quoted.index(name)) if quoted else codes.TOTAL
            yield _term(bits, "total", Reading(name, f"`{name}`", account))


def parts_of_totals(found: Sequence[Term]) -> Iterator[Term]:
    """What is left of a total that people quote without its biases or its layer norms."""
    for term in found:
        (reading,), bits = term.readings, term.bits + codes.FILTERED_TOTAL
        for _, after, part in _parts(reading.account) if term.bits < codes.TOTAL else ():
            if after:
                yield _term(bits, "combination", Reading(reading.node + after, reading.words + after, part))


def nodes(architecture: Architecture) -> Iterator[Term]:
    """Every node, and what people call by one name without it being a node, with what can be picked out of each."""
    below: dict[str, list[Component]] = {}
    for part in architecture.components:
        names = part.path.split(".")
        for depth in range(1, len(names) + 1):
            below.setdefault(".".join(names[:depth]), []).append(part)
    for node, parts in below.items():
        stored = [part for part in parts if part.tied_to is None] or parts
        levels = node.rpartition(INDEX)[2].removeprefix(".").count(".")
        in_blocks = INDEX in node
        bits = codes.NODE + levels + codes.IN_BLOCKS * in_blocks
        yield from _with_parts(node, _words(architecture, node, parts), bits, stored, in_blocks)
    for words, selection in architecture.groups.items():
        account = selection.account(architecture.components, architecture.totals) or {}
        parts = [part for part in architecture.components if part.path in account]
        yield from _with_parts(words, words, codes.GROUP, parts, all(INDEX in path for path in account))


def _with_parts(node: str, words: str, bits: int, parts: Sequence[Component], in_blocks: bool) -> Iterator[Term]:
    """Some components and what can be picked out of them, all that there are and, in blocks, those of one."""
    if not parts:
        return
    times = parts[0].times
    every = {part.path: part.size * part.times for part in parts}
    ways: list[tuple[str, str, Account]] = [("", "", every)]
    if in_blocks:
        one = {part.path: part.size for part in parts}
        ways = [("", "", one), (f" × {times}", EACH.format(times=times), every)]
    for often, each, account in ways:
        yield _term(bits, "component", Reading(node + often, words + each, account))
        for before, after, part in _parts(account):
            name = f"{before.removeprefix('the ')}{node}{often}{after}"
            said = f"{before}{_short(words)}{after}{each}"
            yield _term(bits + codes.FILTERED, "component", Reading(name, said, part))


def _term(bits: int, kind: str, reading: Reading) -> Term:
    return Term(value(reading.account), bits, kind, (reading,), plain=kind != "combination")


def _parts(account: Account) -> Iterator[tuple[str, str, Account]]:
    """What can be picked out of an account or left out of it, with the words before and after."""
    for before, after, patterns in _PICKED:
        named = {path for path in account if any(matches(pattern, path) for pattern in patterns)}
        part = {path: share for path, share in account.items() if (path in named) == bool(before)}
        if part and part != account:
            yield before, after, part


def _words(architecture: Architecture, node: str, parts: Sequence[Component] = ()) -> str:
    """A node in words, with the stack that it is in where there are several and the words do not say.

    A single component that has no storage of its own says whose it has.
    """
    if len(parts) == 1 and parts[0].tied_to:
        return f"`{parts[0].path}`, where it is not tied to {architecture.say(parts[0].tied_to)}"
    stack, _, _ = node.partition(".")
    if (said := architecture.say(node)) != node:
        several = INDEX in node and len(architecture.stacks) > 1 and stack not in said
        return said.partition("; ")[0] + (f" of the {stack}" if several else "")
    parent, _, name = node.rpartition(".")
    return f"the {name} of {_short(_words(architecture, parent))}" if parent else f"`{node}`"


def _short(words: str) -> str:
    """A node's words without what only explains them."""
    return words.partition("; ")[0].partition(", a ")[0]
