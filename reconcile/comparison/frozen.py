"""Trainable against non-trainable: which parts must be frozen for the stated split, where that is determined."""

from collections.abc import Iterator

from reconcile.finding import Finding
from reconcile.keras_layer import Fit, frozen_weights
from reconcile.mapping.ledger import TASK, Ledger


def compare_frozen(ledger: Ledger) -> Iterator[Finding]:
    """One finding that says what the non-trainable parameters are, or that it cannot be told."""
    frozen = ledger.inventory.non_trainable
    if not frozen:
        return
    always = _never_trained(ledger)
    flag = sum(item.count for item in ledger.excluded if item.what == "flag")
    rest = frozen - sum(always.values()) - flag
    facts = {"frozen": frozen, "always": always, "flag": flag, "rest": rest}
    found = _sets(ledger, rest) if rest > 0 else {}
    yield Finding("frozen", "note", "non-trainable", None, frozen, facts | {"sets": found})


def _never_trained(ledger: Ledger) -> dict[str, int]:
    """The weights that Keras never trains, by row: moving means and variances."""
    found = {}
    for placed in ledger.placed:
        part = next((part for part in ledger.stored if part.items == (placed.layer.name,)), None)
        if part is not None and part.sizes:
            fit = Fit(part.formula, part.sizes, (), "")
            if count := frozen_weights(fit, placed.layer.class_name):
                found[placed.layer.name] = count
    return found


def _sets(ledger: Ledger, count: int) -> dict[str, frozenset[str]]:
    """Sets of components with just this count, by what they are called; sets of one and the same components once."""
    found: dict[str, frozenset[str]] = {}
    sizes = {path: size for part in ledger.stored for path, size in part.components}
    for name, paths in _candidates(ledger, sizes):
        if paths and sum(sizes[path] for path in paths) == count and paths not in found.values():
            found[name] = paths
    return found


def _candidates(ledger: Ledger, sizes: dict[str, int]) -> Iterator[tuple[str, frozenset[str]]]:
    """What people freeze: layers marked so, everything but the heads, a row, the embeddings and the first blocks."""
    rows = {part.items[0]: frozenset(path for path, _ in part.components) for part in ledger.stored if part.items}
    marked = [name for name, trained in _column(ledger).items() if trained is False and name in rows]
    if marked:
        together = frozenset(path for name in marked for path in rows[name])
        yield f"the {len(marked)} layers that the trainable column marks N", together
    body = frozenset(path for path in sizes if not path.startswith(TASK))
    yield "the whole model below the task heads", body
    for name, paths in rows.items():
        yield f"the row {name}", paths
    yield from _nodes(ledger, sizes, body)
    before: frozenset[str] = frozenset()
    for name, paths in rows.items():
        before |= paths
        yield f"every row up to {name}", before


def _nodes(ledger: Ledger, sizes: dict[str, int], body: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    def below(*heads: str) -> frozenset[str]:
        return frozenset(path for path in sizes if path.startswith(heads))

    for node in ("embeddings", "encoder", "pooler", "mlm", "nsp"):
        yield f"`{node}`", below(node)
    yield "`embeddings` and `encoder`", below("embeddings", "encoder")
    norms = frozenset(path for path in body if "norm" in path.split(".")[-1] or "norm." in path)
    yield "the whole model but its layer norms", body - norms
    adapters = below(TASK + "adapters")
    yield "the whole model but its layer norms and adapters", body - norms - adapters
    blocks = ledger.dimensions.get("L") or 0
    lower: frozenset[str] = frozenset()
    for number in range(1, blocks + 1):
        lower |= below(f"encoder.block[{number}].")
        yield f"blocks 1 to {number}", lower
        yield f"`embeddings` and blocks 1 to {number}", lower | below("embeddings")


def _column(ledger: Ledger) -> dict[str, bool | None]:
    return {layer.name: layer.trainable for layer in ledger.inventory.layers}
