"""A model that a text may speak of: its architecture and dimensions, or totals alone, and what it is counted by."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import product

from reconcile.claims.structure.accounts import Account, accounts, tensors, totals
from reconcile.claims.structure.lexicon import table as lexicon
from reconcile.datafile import packaged
from reconcile.frozen import dataclass
from reconcile.known_model import KnownModel
from reconcile.quantity import Number, Quantity
from reconcile.taxonomy import load_architecture

OWN = "the model of the text"
"""The name of a model that a text describes by its sizes."""


@dataclass(frozen=True)
class Model:
    """A model with its name: one with an architecture and dimensions, or one of which only totals are known.

    `lacks` are patterns of the components of its architecture that it has not, `has` what alone it shares with that
    where totals of it are known; `published` and `mistaken` are figures that are no count of it, these with why people
    take them for one.
    """

    name: str
    architecture: str = ""
    dimensions: frozenset[tuple[str, int]] = frozenset()
    counted: tuple[tuple[str, int], ...] = ()
    published: tuple[Quantity, ...] = ()
    mistaken: tuple[tuple[Number, str], ...] = ()
    lacks: tuple[str, ...] = ()
    has: tuple[str, ...] = ()

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """Its dimensions by their letters."""
        return dict(self.dimensions)

    @property
    def built(self) -> bool:
        """Whether all of it is computed by its architecture, and not its blocks alone."""
        return bool(self.architecture) and not self.counted

    @property
    def stacked(self) -> bool:
        """Whether all of its blocks are computed by its architecture."""
        return self.built or bool(self.architecture and {*load_architecture(self.architecture).stacks} <= {*self.has})

    @cached_property
    def accounts(self) -> tuple[Account, ...]:
        """Everything that it can be counted by."""
        own = tuple(Account(path, count, total=path != lexicon()["tables"]["words"]) for path, count in self.counted)
        if not self.architecture:
            return own
        parts = accounts(self.architecture, self.dimensions, self.lacks)
        counted = {path for path, _ in self.counted}
        shared = (part for part in parts if part.path.startswith(self.has) and part.path not in counted)
        return (*own, *shared) if own else parts

    @property
    def tensors(self) -> tuple[str, ...]:
        """The paths of its tensors in their order."""
        return tensors(self.architecture, self.dimensions, self.lacks)

    @cached_property
    def counts(self) -> frozenset[int]:
        """The counts of its accounts."""
        return frozenset(account.count for account in self.accounts)

    @cached_property
    def paths(self) -> frozenset[tuple[str, int]]:
        """The paths of its accounts with their counts."""
        return frozenset((account.path, account.count) for account in self.accounts)

    @cached_property
    def totals(self) -> tuple[Account, ...]:
        """The totals that are quoted for it, the likeliest first."""
        return tuple(account for account in self._wholes if " " not in account.path)

    @cached_property
    def variants(self) -> tuple[Account, ...]:
        """Totals of it with something left out, or with a matrix of their own where two are one."""
        return tuple(account for account in self._wholes if " " in account.path)

    @cached_property
    def saved(self) -> int:
        """What a checkpoint of it has that was saved with a mask of all positions in each block; 0 where none was."""
        masked = self.architecture in packaged("claims", "models")["saved"]["with_masks"]
        masks = self.sizes.get("L", 0) * self.sizes.get("P", 0) ** 2
        return self.totals[0].count + masks if masked and masks and self.totals else 0

    @cached_property
    def _wholes(self) -> tuple[Account, ...]:
        counted = self.counted or not self.architecture
        found = self.accounts if counted else totals(self.architecture, self.dimensions, self.lacks)
        return tuple(account for account in found if account.total)


def contradicts(model: Model, kinds: Iterable[str]) -> bool:
    """Whether a model is another release than is said."""
    return not all(re.search(rf"(?<![a-z]){kind}", model.name) for kind in kinds)


def with_vocabulary(model: Model, size: int) -> Model:
    """A model with another vocabulary."""
    name = model.name if model.name == OWN else f"{model.name}, V = {size:,}"
    return replace(model, name=name, dimensions=frozenset({**model.sizes, "V": size}.items()))


def without_biases(own: Iterable[Model], named: Iterable[Model], free: bool) -> Iterator[Model]:
    """Models as they are without biases in their layers, and without those of their norms too: the own ones of a text
    that is `free` of them; without those of query, key and value all that textbooks build so."""
    architectures = packaged("claims", "models")["taught"]["architectures"]
    taught = (model for model in (*own, *named) if model.architecture in architectures)
    every = (*product(own, _BARE if free else ()), *product(taught, _BARE if free else _BARE[-1:]))
    for model, (said, lacks) in every:
        if not model.lacks:
            yield replace(model, name=f"{model.name} without {said}", lacks=lacks)


_BARE = (
    ("biases", ("**.bias",)),
    ("biases, of norms neither", ("**.bias", "**.beta")),
    ("biases of query, key and value", ("**.query.bias", "**.key.bias", "**.value.bias")),
)


def of_known(model: KnownModel) -> Model:
    """A model that people load, as a model of a text."""
    return Model(model.name, model.architecture, frozenset(model.dimensions.items()), lacks=model.lacks)
