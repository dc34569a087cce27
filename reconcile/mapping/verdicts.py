"""How far each assignment is checked: by leaving its kind out, and seeing what else determines its dimensions."""

from collections.abc import Mapping
from functools import cached_property

from reconcile.frozen import dataclass
from reconcile.mapping.ledger import TASK, Assignment, Ledger
from reconcile.mapping.standing import AGREES, CONTRADICTS, FITS, GIVES, READ, UNMAPPED, Standing
from reconcile.taxonomy import Architecture, template
from reconcile.unification.solving import Evidence
from reconcile.unification.usual import is_usual


@dataclass(frozen=True)
class Verdicts:
    """The verdicts on the assignments of one ledger."""

    ledger: Ledger

    def of(self, part: Assignment) -> str:
        """The verdict on one assignment, with the dimensions that it gives behind the word."""
        if part.expected is None:
            return READ if part.formula.dimensions else UNMAPPED
        if part.actual != part.expected:
            return CONTRADICTS
        if part.path.startswith(TASK) or self._architecture(part) is None:
            # An array's own shape is no check of it.
            return READ if part.solved or part.shape is not None else AGREES
        given = [name for name in sorted(part.formula.dimensions) if not self._supported(name, part)]
        return f"{GIVES} {' and '.join(given)}" if given else AGREES

    @cached_property
    def standing(self) -> Standing:
        """The counts of all assignments by verdict."""
        sums = dict.fromkeys((AGREES, GIVES, READ, CONTRADICTS, FITS, UNMAPPED), 0)
        for part in self.ledger.stored:
            sums[self.of(part).partition(" ")[0]] += part.actual
        for item in self.ledger.unmapped:
            sums[FITS if item.fits else UNMAPPED] += item.params
        return Standing(sums[AGREES], sums[FITS], sums[GIVES] + sums[READ], sums[CONTRADICTS], sums[UNMAPPED])

    def _supported(self, name: str, part: Assignment) -> bool:
        """Whether something beside the kind of an assignment determines a dimension of its formula."""
        evidence = self._evidence.get(part.model, {}).get(name)
        if evidence is None:
            return True  # a spec, settings or the statement of a whole model say it
        if evidence.shapes or self._by[part.model, name] - {(part.model, template(part.path))}:
            return True
        architecture = self._architecture(part)
        sizes = {key: size for key, size in self._sizes(part).items() if size is not None}
        return architecture is not None and is_usual(architecture, name, evidence.size, sizes)

    @cached_property
    def _by(self) -> Mapping[tuple[str, str], frozenset[tuple[str, str]]]:
        """The kinds of nodes that give each dimension of each model."""
        kinds = self._kinds
        return {
            (model, name): frozenset(kinds[row] for row in evidence.rows if row in kinds)
            for model, found in self._evidence.items()
            for name, evidence in found.items()
        }

    @cached_property
    def _kinds(self) -> Mapping[str, tuple[str, str]]:
        """The kind of node that each item of the source is, with its model."""
        return {name: (part.model, template(part.path)) for part in self.ledger.stored for name in part.items}

    @cached_property
    def _evidence(self) -> Mapping[str, Mapping[str, Evidence]]:
        """The evidence for each dimension, by model."""
        found = {model.name: {item.dimension: item for item in model.evidence} for model in self.ledger.models}
        return {**found, self.ledger.main: {item.dimension: item for item in self.ledger.evidence}}

    def _architecture(self, part: Assignment) -> Architecture | None:
        own = next((model for model in self.ledger.models if model.name == part.model), None)
        return own.architecture if own else self.ledger.architecture

    def _sizes(self, part: Assignment) -> Mapping[str, int | None]:
        own = next((model for model in self.ledger.models if model.name == part.model), None)
        return own.dimensions if own else self.ledger.dimensions
