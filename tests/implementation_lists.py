"""The lists of tensors that real implementations printed: tests/implementations/<implementation>.<model>.tsv."""

from collections.abc import Iterable
from pathlib import Path

from reconcile.inventory import Inventory, Tensor, parent_layers
from reconcile.mapping.ledger import Assignment

LISTS = Path(__file__).parent / "implementations"


def read_list(file: Path) -> Inventory:
    """The inventory of one list, as a checkpoint would give it, with the total that the library says."""
    tensors, total = [], None
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            total = int(line.removeprefix("# total: ")) if line.startswith("# total: ") else total
            continue
        name, shape, dtype, trainable, role, same = line.split("\t")
        axes = () if shape == "scalar" else tuple(map(int, shape.split("x")))
        free = None if trainable == "?" else trainable == "1"
        tensors.append(Tensor(name, axes, dtype, free, same or name, role=role))
    return Inventory(file.stem, parent_layers(tensors), total, kind="list")


def names() -> list[str]:
    """The names of all lists."""
    return sorted(file.stem for file in LISTS.glob("*.tsv"))


def components(assignments: Iterable[Assignment]) -> dict[str, tuple[int, int | None]]:
    """What is counted as which component, and what its formula makes."""
    return {part.path: (part.actual, part.expected) for part in assignments}
