"""Mapping: inventory, dialect and architecture become a ledger. Every item has one component, or is unmapped."""

from reconcile.mapping.ledger import TASK, Assignment, Evidence, Excluded, Ledger, Placed, Unmapped, Whole
from reconcile.mapping.rows import map_rows
from reconcile.mapping.tensors import expected_components, map_tensors

__all__ = [
    "TASK",
    "Assignment",
    "Evidence",
    "Excluded",
    "Ledger",
    "Placed",
    "Unmapped",
    "Whole",
    "expected_components",
    "map_rows",
    "map_tensors",
]
