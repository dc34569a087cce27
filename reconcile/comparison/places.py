"""Where in a block stands what no component is: a norm or an adapter that somebody put there, by its neighbours."""

import re

from reconcile.mapping.ledger import TASK, Ledger
from reconcile.taxonomy import common_path

_SIGN = re.compile(r"[./-]")


def places_inside(ledger: Ledger) -> dict[str, str]:
    """A path in the tree for each head or unmapped item that the source keeps among a block's own arrays.

    A name that begins as those of one node's arrays do, and of no other's, stands at that node:
    `bert.encoder.layer.1.attention.self.query.lora_A` at `encoder.block[2].attention.query`. Only blocks and what is
    in them: what stands beside them may be anything.
    """
    strange = {part.path: part.items[0] for part in ledger.stored if part.path.startswith(TASK) and part.items}
    strange |= {item.name: item.name for item in ledger.unmapped}
    if not strange:
        return {}
    nodes = _nodes(ledger)
    found = {}
    for path, name in strange.items():
        end = next((end for end in reversed(_ends(name)) if name[:end] in nodes), 0)
        if "[" in (node := nodes.get(name[:end], "")):
            # The last part is as the path has it: the formula's own name for a tensor.
            head, dot, _ = re.sub(r"[/-]", ".", name[end + 1 :]).rpartition(".")
            found[path] = f"{node}.{head}{dot}{path.rpartition('.')[2]}"
    return found


def _nodes(ledger: Ledger) -> dict[str, str]:
    """The node of each beginning of a name: what all components whose names begin so have in common."""
    nodes: dict[str, str] = {}
    for part in ledger.stored:
        if part.path.startswith(TASK):
            continue
        path = ledger.address(part)
        for name in part.items:
            for end in _ends(name):
                before = nodes.get(name[:end])
                nodes[name[:end]] = path.rpartition(".")[0] if before is None else common_path((before, path))
    return nodes


def _ends(name: str) -> list[int]:
    """Where a name's parts end, but for the last one."""
    return [found.start() for found in _SIGN.finditer(name)]
