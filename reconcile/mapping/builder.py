"""What has been placed while a summary's rows are mapped, before it becomes a ledger."""

from collections import Counter
from dataclasses import dataclass, field

from reconcile.inventory import Layer
from reconcile.mapping.ledger import Assignment, Excluded, Placed, Recognised, Unmapped, Whole


@dataclass
class LedgerBuilder:
    """What has been placed so far; rows come off it into the ledger."""

    assignments: list[Assignment] = field(default_factory=list)
    placed: dict[int, Placed] = field(default_factory=dict)
    unmapped: list[Unmapped] = field(default_factory=list)
    excluded: list[Excluded] = field(default_factory=list)
    wholes: list[Whole] = field(default_factory=list)
    recognised: list[Recognised] = field(default_factory=list)
    names: Counter[str] = field(default_factory=Counter)

    def assign(self, place: int, assignment: Assignment, layer: Layer, what: str) -> None:
        """Note that a row, by its place, is what an assignment says."""
        self.assignments.append(assignment)
        self.placed[place] = Placed(layer, assignment.path, what)

    def unused(self, path: str) -> str:
        """The path, numbered where it is taken: layers whose names are cut can show one name several times."""
        self.names[path] += 1
        return path if self.names[path] == 1 else f"{path}#{self.names[path]}"

    def leave(self, place: int, layer: Layer, class_name: str, why: str, fits: bool = False) -> None:
        """Note that a row could not be given a meaning, and why; `fits` where several accounts of it do."""
        self.unmapped.append(Unmapped(layer.name, class_name, layer.params or 0, why, fits))
        self.placed[place] = Placed(layer, None, why)
