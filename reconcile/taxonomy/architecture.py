"""An architecture: the tree of canonical components, named totals over them, and what follows from both."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import cache, cached_property

from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.selection import Selection, matches
from reconcile.taxonomy.component import Component, template
from reconcile.taxonomy.heads import HeadCut
from reconcile.taxonomy.lexicon import Lexicon


@dataclass(frozen=True, slots=True)
class Repetition:
    """A node that a model has several times, `encoder.block[*]` with L.

    `stored` is false of one that is computed as often but stored once.
    """

    node: str
    times: Formula
    stored: bool = True

    @property
    def head(self) -> str:
        """The node's path up to its number."""
        return self.node.partition("[*]")[0]

    def number(self, path: str) -> int | None:
        """The number of the node that a path is or lies in; None where it is in none that has a number."""
        head, indexed, rest = path.partition(self.head + "[")
        number = rest.partition("]")[0]
        return int(number) if indexed and not head and number.isdecimal() else None


@dataclass(frozen=True, slots=True)
class View:
    """What is worth saying of the node `of`: its count written in another way (`formula`), or a plain remark.

    `brief` is what an answer in one sentence needs of it.
    """

    of: str
    name: str
    says: str
    formula: str = ""
    brief: str = ""


@dataclass(frozen=True, eq=False)
class Architecture:
    """A taxonomy: components in reading order, named totals over them, and how they are shown.

    Models usually have all `options`; `further` ones only where a source shows that it has them. What `may_lack`
    patterns name is not missed where nothing of it is there. `derived` are dimensions that are a quotient of two
    others, `products` those that are a product. `repetitions` are the nodes of which there are several, `words` what
    nodes are called in a sentence, and `heads` how its attention is cut into heads.
    """

    name: str
    title: str
    dimensions: Mapping[str, str]
    derived: Mapping[str, tuple[str, str]]
    products: Mapping[str, Formula]
    options: Mapping[str, str]
    further: Mapping[str, str]
    may_lack: tuple[str, ...]
    components: tuple[Component, ...]
    totals: Mapping[str, Selection]
    quoted: tuple[str, ...]
    groups: Mapping[str, Selection]
    rows: tuple[str, ...]
    views: tuple[View, ...]
    words: Mapping[str, str]
    repetitions: tuple[Repetition, ...] = ()
    lexicon: Lexicon = field(default_factory=Lexicon)
    heads: HeadCut | None = None

    def active(self, options: frozenset[str] | None = None) -> tuple[Component, ...]:
        """The components that a model with these options has; without any said, with all that models usually have."""
        options = frozenset(self.options) if options is None else options
        return tuple(part for part in self.components if part.had(options))

    def written_out(
        self, options: frozenset[str], dimensions: Mapping[str, int | None]
    ) -> Iterator[tuple[str, Component]]:
        """Every component that a model of these options and dimensions has, with its path, block by block.

        Of blocks whose number is not known there are none.
        """
        components = [part for part in self.active(options) if part.needed(dimensions)]
        done: set[str] = set()
        for part in components:
            head, indexed, _ = part.path.partition("[*]")
            if not indexed:
                yield part.path, part
            elif head not in done:
                done.add(head)
                together = [other for other in components if other.path.startswith(head + "[*]")]
                unknown = any(dimensions.get(name) is None for name in part.times.dimensions)
                times = 0 if unknown else part.times.evaluate(dimensions)
                for number in range(part.first, part.first + times):
                    yield from ((other.path.replace("[*]", f"[{number}]"), other) for other in together)

    def below(self, node: str, options: frozenset[str] | None = None) -> tuple[Component, ...]:
        """The components at or under one node, named with `[*]` or with a block's number."""
        return self._below(template(node), options)

    def size(self, node: str, options: frozenset[str] | None = None) -> Formula:
        """The parameters of one node (of one block where its path goes through one); what is tied counts elsewhere."""
        return self._size(template(node), options)

    def total(self, name: str, parts: Iterable[Component]) -> dict[str, Formula]:
        """What a named total counts of some components; nothing where they lack a part of it."""
        return self.totals[name].account(parts, self.totals) or {}

    @cached_property
    def bare(self) -> tuple[Component, ...]:
        """The components that models usually have, without what stands on top of them for a task."""
        return self.active(frozenset(self.options) - {"task"})

    # Architectures live as long as the process, and a model of many blocks asks for the same few nodes again and again.
    @cache  # noqa: B019
    def _below(self, node: str, options: frozenset[str] | None) -> tuple[Component, ...]:
        return tuple(part for part in self.active(options) if matches(node, part.path))

    @cache  # noqa: B019
    def _size(self, node: str, options: frozenset[str] | None) -> Formula:
        return sum((part.size for part in self._below(node, options) if part.tied_to is None), Formula.of(0))

    # The same few changes, those of a dialect, are asked for with each of its models.
    @cache  # noqa: B019
    def adapted(
        self, absent: tuple[str, ...], untied: tuple[str, ...] = (), tied: tuple[tuple[str, str], ...] = ()
    ) -> "Architecture":
        """The same without the components that `absent` patterns name, with others `untied`, or tied to another."""
        if not (absent or untied or tied):
            return self
        kept = [part for part in self.components if not any(matches(pattern, part.path) for pattern in absent)]
        changed = [
            replace(part, tied_to=None) if any(matches(pattern, part.path) for pattern in untied) else part
            for part in kept
        ]
        to = dict(tied)
        return replace(
            self, components=tuple(replace(part, tied_to=to.get(part.path, part.tied_to)) for part in changed)
        )

    def complete(self, dimensions: Mapping[str, int | None]) -> dict[str, int | None]:
        """The same dimensions with those that follow from two others: products, and D = H/A where they divide."""
        result = dict(dimensions)
        for name, formula in self.products.items():
            if result.get(name) is None and all(result.get(other) is not None for other in formula.dimensions):
                result[name] = formula.evaluate(result)
        for name, (whole, parts) in self.derived.items():
            above, below = result.get(whole), result.get(parts)
            if above is not None and below and above % below == 0:
                result[name] = above // below
        return result

    def with_usual(self, dimensions: Mapping[str, int | None]) -> dict[str, int | None]:
        """The same dimensions with what is not known as usual: A so that several heads have their usual size."""
        result = dict(dimensions)
        for name, (whole, parts) in self.derived.items():
            size = next(self.lexicon.usual_sizes(name, {}), 0)
            above = result.get(whole)
            if size and result.get(parts) is None and above is not None and above % size == 0 and above > size:
                result |= {name: size, parts: above // size}
        return result

    def row_of(self, path: str) -> str:
        """The node under which a component is shown in the default table."""
        for pattern in self.rows:
            if matches(pattern, template(path)):
                return ".".join(path.split(".")[: len(pattern.split("."))])
        return path

    @cached_property
    def tops(self) -> tuple[str, ...]:
        """What stands at the top of the tree, in its order."""
        return tuple(dict.fromkeys(part.path.partition(".")[0] for part in self.components))

    @cached_property
    def stacks(self) -> tuple[str, ...]:
        """Those of the tops that hold blocks."""
        return tuple(dict.fromkeys(one.head.partition(".")[0] for one in self.repetitions))

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """Those of the tops that precede the blocks."""
        return self.tops[: min(map(self.tops.index, self.stacks), default=len(self.tops))]

    def repetition(self, path: str) -> Repetition | None:
        """The repeated node that a path is or lies in, of a block's number or with `[*]`; None where it is in none."""
        node = template(path)
        return next((one for one in self.repetitions if matches(one.node, node)), None)

    @cached_property
    def rows_without_options(self) -> tuple[str, ...]:
        """The nodes of the default table that every model of the architecture has."""
        return tuple(dict.fromkeys(self.row_of(part.path) for part in self.components if part.option is None))

    def say(self, path: str) -> str:
        """A node in words, or its path where it has none."""
        return self.words.get(template(path), path)
