"""What a reading makes of the rows of one model, and its balance: however it was found, it is priced here."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from reconcile.dialect import Dialect
from reconcile.evidence import lengths, prices
from reconcile.evidence.judge import Item, Reading
from reconcile.frozen import dataclass
from reconcile.mapping.summary.naming import block_family, families_named, names_fit
from reconcile.mapping.summary.seen import Seen, each, folded, pieces
from reconcile.mapping.summary.slots import missing
from reconcile.taxonomy import Architecture, architecture_names, template
from reconcile.unification.nodes import together
from reconcile.unification.usual import Sizes, size_bits

NAMELESS, OPAQUE = "blocks", "opaque blocks"
"""What readings state that name no architecture: blocks of its formula, and equal blocks of any content."""


@dataclass(frozen=True)
class Meaning:
    """What a reading makes of the rows of one model.

    `states` is the architecture's name, or NAMELESS or OPAQUE. `nodes` are the components of each row by its place,
    `sizes` the dimensions, `odd` the places of rows whose count is another than their kind's, with that (None where it
    is not known). Blocks without a name stand on the `side` of a model that their rows name.
    """

    states: str
    architecture: Architecture
    nodes: Mapping[int, tuple[str, ...]]
    sizes: Sizes
    odd: Mapping[int, int | None] = field(default_factory=dict)
    dialect: Dialect | None = None
    side: str = ""

    @property
    def identity(self) -> bool:
        """Whether it says which architecture the model has."""
        return self.states not in (NAMELESS, OPAQUE)

    def size(self, place: int) -> int | None:
        """The parameters that the components of a row have together; None where a dimension of them is not known."""
        return together(self.architecture, self.nodes[place]).value(self.sizes)

    def within(self, sizes: Sizes, nodes: Mapping[int, tuple[str, ...]]) -> "Meaning":
        """The same with these sizes and components only: one of several, or of no architecture, only with its sizes."""

        def told(group: tuple[str, ...]) -> bool:
            if len(group) == 1 and (self.identity or (self.states == OPAQUE and group[0].endswith("]"))):
                return True
            return together(self.architecture, group).dimensions <= sizes.keys()

        kept = {place: group for place, group in nodes.items() if told(group)}
        return replace(self, sizes=sizes, nodes=kept)

    def shown(self, node: str) -> str:
        """A node as it is told: blocks without a name on their own side of a model."""
        head, _, rest = node.partition(".")
        return f"{self.side}.{rest}" if self.side and head in self.architecture.stacks else node


def reading(
    name: str, rows: Sequence[Seen], title: str, meaning: Meaning, found: Iterable[Item]
) -> Iterator[Reading[Meaning]]:
    """The reading of rows with its balance; none where a model of these sizes is one of another architecture.

    `found` is what it takes to choose among the ways in which rows can be the components.
    """
    # An ELECTRA as wide as its embeddings has just what a BERT has; a title that names it says so all the same.
    own = meaning.architecture.name in (families_named(title) or ())
    if meaning.identity and not own and not all(part.needed(meaning.sizes) for part in meaning.architecture.components):
        return
    items = [Item("the rows one by one, as layers of their own", folded(rows)), *found]
    out, architecture = {row.out for row in rows}, meaning.architecture
    shown = {"H": out, "E": out, "V": {row.table for row in rows}}
    for letter, size in meaning.sizes.items():
        if size not in shown.get(letter, ()):
            items.append(Item(f"{letter} = {size:,}", -size_bits(architecture, letter, size, meaning.sizes)))
    items += _counts(rows, meaning)
    if meaning.identity:
        dialect, bits = names_fit(rows, meaning.nodes, meaning.architecture)
        implementation = dialect.title if dialect else "no implementation"
        items += [*_identity(rows, title, meaning), Item(f"names as {implementation} gives them", bits)]
        meaning = replace(meaning, dialect=meaning.dialect or dialect)
    yield Reading(name, tuple(items), meaning)


def _counts(rows: Sequence[Seen], meaning: Meaning) -> Iterator[Item]:
    """The price of counts that the sizes do not give: other rows, faults, and blocks whose content is not known."""
    left = [row for row in rows if row.place not in meaning.nodes]
    yield Item("all other rows", -(folded(left) + prices.PLACE * pieces(left) * meaning.identity))
    for row in rows:
        if row.place in meaning.odd:
            yield Item(f"{row.name} contradicts it", -fault(row.count, meaning.odd[row.place]))
    unread = (row for row in rows if row.place in meaning.nodes and row.place not in meaning.odd)
    yield Item("the counts of blocks", -each(row for row in unread if meaning.size(row.place) is None))


def fault(count: int, expected: int | None) -> float:
    """The bits of a count that contradicts a reading: by how much, where another is expected, and that it does."""
    return lengths.outright(count if expected is None else count - expected) + prices.FAULT


def _identity(rows: Sequence[Seen], title: str, meaning: Meaning) -> Iterator[Item]:
    """What it takes, and earns, to say which architecture a model has: its title, its classes, what it lacks."""
    architecture, among = meaning.architecture, len(architecture_names())
    yield Item(f"one architecture of {among}", -lengths.choice(among))
    named = families_named(title)
    family = prices.OWN_FAMILY if architecture.name in (named or ()) else -prices.OTHER_FAMILY
    yield Item(f"the title {title}", 0.0 if named is None else family)
    for block in [row for row in rows if meaning.nodes.get(row.place, ("",))[0].endswith("]")][:1]:
        own = block_family(block.layer.class_name, block.layer.class_cut)
        if own is not None and architecture.name not in own:
            yield Item(f"blocks of the class {block.class_name}", -prices.OTHER_FAMILY)
    there = {template(node) for nodes in meaning.nodes.values() for node in nodes}
    yield from missing(there, architecture)
