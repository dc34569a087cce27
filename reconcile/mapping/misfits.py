"""Whether what contradicts an architecture is a fault of a model of it, or a sign that the model is another.

A contradiction that every block has is no fault: nobody drops the same norm twelve times. Nor is one that several
nodes share, or a part that is missing while an array that no rule names is called so.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reconcile.mapping.ledger import TASK, Assignment, Evidence
from reconcile.mapping.matching import Match
from reconcile.taxonomy import Architecture, template

LEAST_BLOCKS = 2
"""Blocks that have a contradiction together before it is theirs; of a model of one block, as many kinds of parts."""

LEAST_KINDS = 2
"""Kinds of parts that an option has more of before some of them can be a fragment of it."""

LEAST_NODES = 2
"""Nodes that give a dimension one other size before it is another dimension."""


def without_fragments(matches: Sequence[Match], architecture: Architecture) -> list[Match]:
    """The matches without those of an option of which most kinds of parts are not there: it is a head of its own."""
    held = {template(path) for match in matches for path in match.components}
    options: dict[str, list[str]] = {}
    for part in architecture.components:
        if part.option in architecture.options and part.tied_to is None and not architecture.repetition(part.path):
            options.setdefault(str(part.option), []).append(part.path)
    fragments = {
        option
        for option, kinds in options.items()
        if len(kinds) > LEAST_KINDS and 2 * sum(kind in held for kind in kinds) < len(kinds)
    }
    kinds = {part.path for part in architecture.components if part.option in fragments}
    return [match for match in matches if not any(template(path) in kinds for path in match.components)]


def is_other(
    architecture: Architecture,
    parts: Sequence[Assignment],
    options: frozenset[str],
    sizes: Mapping[str, int | None],
    evidence: Iterable[Evidence],
    unnamed: Iterable[str],
) -> bool:
    """Whether a model is none of the architecture that its names suggest.

    `parts` are the components that its names give it, `unnamed` the paths of its arrays that no rule names.
    """
    own = {part.path: part for part in parts if not part.path.startswith(TASK)}
    wrong = set(_contradicted(architecture, own, options, sizes))
    return (
        _in_every_block(architecture, own, wrong)
        or any(_other_dimension(item, own) for item in evidence)
        or _called_otherwise(architecture, wrong - own.keys(), tuple(unnamed))
    )


def _contradicted(
    architecture: Architecture,
    own: Mapping[str, Assignment],
    options: frozenset[str],
    sizes: Mapping[str, int | None],
) -> Iterator[str]:
    """The components that are not there, or not as their formula has them."""
    for path, component in architecture.written_out(options, sizes):
        part = own.get(path)
        if (
            (part is None and component.tied_to is None)
            or (part is not None and part.expected is not None and part.expected != part.actual)
            or (
                part is not None and None not in (part.shape, part.expected_shape) and part.shape != part.expected_shape
            )
        ):
            yield path


def _in_every_block(architecture: Architecture, own: Mapping[str, Assignment], wrong: set[str]) -> bool:
    """Whether a kind of part is contradicted in every block that is there at all."""
    blocks: dict[str, set[str]] = {}
    for path in own:
        if repetition := architecture.repetition(path):
            blocks.setdefault(repetition.node, set()).add(_block(path, repetition.node))
    kinds: dict[str, dict[str, set[str]]] = {node: {} for node in blocks}
    for path in wrong:
        repetition = architecture.repetition(path)
        if repetition and _block(path, repetition.node) in blocks.get(repetition.node, ()):
            kinds[repetition.node].setdefault(template(path), set()).add(_block(path, repetition.node))
    for node, found in kinds.items():
        everywhere = [kind for kind, places in found.items() if places == blocks[node]]
        if len(everywhere) >= (1 if len(blocks[node]) >= LEAST_BLOCKS else LEAST_BLOCKS):
            return True
    return False


def _block(path: str, node: str) -> str:
    """The block that a path lies in, of a repeated node."""
    return ".".join(path.split(".")[: node.count(".") + 1])


def _other_dimension(evidence: Evidence, own: Mapping[str, Assignment]) -> bool:
    """Whether several nodes agree on another size of a dimension than most arrays give it."""
    homes = {name: path.rpartition(".")[0] for path, part in own.items() for name in part.items}
    nodes: dict[int, set[str]] = {}
    for row, size in evidence.against:
        nodes.setdefault(size, set()).add(template(homes.get(row, row)))
    return any(len(found) >= LEAST_NODES for found in nodes.values())


def _called_otherwise(architecture: Architecture, missing: Iterable[str], unnamed: Sequence[str]) -> bool:
    """Whether an array that no rule names is called as a component that is missing, or as what that belongs to.

    What is missing in a block is missed beside other blocks, and no name elsewhere makes up for it.
    """
    for path in missing:
        if architecture.repetition(path):
            continue
        node = template(path)
        for label in architecture.lexicon.labels:
            if any(node == one or node.startswith(one + ".") for one in label.nodes if one):
                for name in unnamed:
                    plain = name.replace(".", " ").replace("/", " ")
                    if re.search(label.says, plain, re.IGNORECASE):
                        return True
    return False
