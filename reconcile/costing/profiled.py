"""The closed form against a profiler's counts of the graph that was built: node by node, product by product."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from reconcile.costing.conventions import load_convention
from reconcile.costing.counting import count
from reconcile.costing.parts import PRODUCTS
from reconcile.costing.workload import Model, Workload
from reconcile.frozen import dataclass
from reconcile.taxonomy import template

PROFILER = "tensorflow"
"""The convention that a profiler's whole count is held against."""

MATRICES = frozenset(("MatMul", "BatchMatMul", "BatchMatMulV2", "BatchMatMulV3", "Einsum"))


@dataclass(frozen=True, slots=True)
class NodeProfile:
    """One node of a graph: its products by formula and by the profiler, what else that counts, and what it has no rule
    for."""

    layer: str
    node: str
    expected: int
    products: int
    others: int
    without_rule: tuple[str, ...]


@dataclass(frozen=True)
class Profile:
    """A graph's nodes with their operations; `besides` is what the profiler counts outside the call, initialisation.

    `kept` are the bytes of results that gradients read, by layer.
    """

    model: Model
    workload: Workload
    nodes: tuple[NodeProfile, ...]
    besides: int
    kept: Mapping[str, int]

    @cached_property
    def products(self) -> int:
        """All products, as the profiler counts them."""
        return sum(node.products for node in self.nodes)

    @cached_property
    def total(self) -> int:
        """All that the profiler counts in one call."""
        return self.products + sum(node.others for node in self.nodes)

    @cached_property
    def expected_products(self) -> int:
        """All products by formula."""
        return count(self.model, self.workload, load_convention(PRODUCTS)).total

    @cached_property
    def expected(self) -> int:
        """All that the profiler is to count, by formula."""
        return count(self.model, self.workload, load_convention(PROFILER)).total

    @property
    def agrees(self) -> bool:
        """Whether each node's products are the formula's, and the whole is what the profiler is to count."""
        return self.total == self.expected and all(node.products == node.expected for node in self.nodes)


def profile(
    model: Model, workload: Workload, found: Mapping[str, Any], placed: Iterable[tuple[str, str | None]]
) -> Profile:
    """A worker's "profile" of a graph, its layers at the nodes that each is `placed` at."""
    nodes = dict(placed)
    expected = _expected(model, workload)
    sums: dict[str, list[Any]] = {layer: [0, 0, []] for layer in nodes}
    for row in found["rows"]:
        entry = sums.setdefault(row["layer"], [0, 0, []])
        if row["flops"] is None:
            entry[2].append(row["type"])
        else:
            entry[0 if row["type"] in MATRICES else 1] += row["flops"]
    profiles = []
    for layer, (products, others, lacking) in sums.items():
        node = nodes.get(layer) or ""
        profiles.append(NodeProfile(layer, node, expected.get(template(node), 0), products, others, tuple(lacking)))
    return Profile(model, workload, tuple(profiles), found["besides"], found["kept"])


def _expected(model: Model, workload: Workload) -> dict[str, int]:
    """The products of each node that there can be a layer of, of one block where it is in one."""
    found: dict[str, int] = {}
    for row in count(model, workload, load_convention(PRODUCTS)).rows:
        names = row.path.split(".")
        for depth in range(1, len(names) + 1):
            node = ".".join(names[:depth])
            found[node] = found.get(node, 0) + row.forward // row.times
    return found
