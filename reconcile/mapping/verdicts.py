"""How far each assignment is checked: by leaving its kind out, and seeing what else determines its dimensions."""

from collections.abc import Mapping
from functools import cache, cached_property

from reconcile.frozen import dataclass
from reconcile.mapping.ledger import TASK, Assignment, Ledger, Recognised
from reconcile.mapping.standing import AGREES, CONTRADICTS, FITS, GIVES, READ, UNMAPPED, Standing
from reconcile.taxonomy import architecture_names, load_architecture, template
from reconcile.unification.solving import Evidence
from reconcile.unification.usual import is_usual


@cache
def _totals() -> frozenset[str]:
    """The named totals of all architectures that are no node: a row that is called so is a model in one count."""
    known = map(load_architecture, architecture_names())
    return frozenset(name for one in known for name in one.totals if not one.below(name))


@dataclass(frozen=True)
class Verdicts:
    """The verdicts on the assignments of one ledger."""

    ledger: Ledger

    def of(self, part: Assignment) -> str:
        """The verdict on one assignment, with the dimensions that it gives behind the word."""
        if part.path in _totals() and part.expected in (None, part.actual):
            return FITS  # one count of a whole model
        if part.expected is None:
            return READ if part.formula.dimensions else UNMAPPED
        if part.actual != part.expected:
            return CONTRADICTS
        model = self.ledger.known.get(part.model)
        if part.path.startswith(TASK) or model is None:
            # An array's own shape is no check of it.
            return READ if part.solved or part.shape is not None else AGREES
        given = [name for name in sorted(part.formula.dimensions) if not self._supported(name, part, model)]
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

    def _supported(self, name: str, part: Assignment, model: Recognised) -> bool:
        """Whether something beside the kind of an assignment determines a dimension of its formula."""
        if (part.model, name) not in self._given:
            return True  # a spec, settings or the statement of a whole model say it
        evidence, kinds = self._given[part.model, name]
        if evidence.shapes or kinds - {template(part.path)}:
            return True
        sizes = {key: size for key, size in model.dimensions.items() if size is not None}
        return model.architecture is not None and is_usual(model.architecture, name, evidence.size, sizes)

    @cached_property
    def _given(self) -> Mapping[tuple[str, str], tuple[Evidence, frozenset[str]]]:
        """The evidence for each dimension of each model, with the kinds of nodes that give it."""
        kinds = {(part.model, name): template(part.path) for part in self.ledger.stored for name in part.items}
        every = [(name, item) for name, model in self.ledger.known.items() for item in model.evidence]
        every += [(self.ledger.main, item) for item in self.ledger.evidence]
        return {
            (model, item.dimension): (item, frozenset(kinds[model, row] for row in item.rows if (model, row) in kinds))
            for model, item in every
        }
