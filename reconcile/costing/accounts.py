"""A figure of operations -> what exactly comes to it: which counter, on which attention path, of which part.

`accounts(figure, models)` is what `explain` and `check` ask. Every account that it gives is exact: its operations come
to the figure to the last one. Of a few models the length is solved for; of many, or where a text states lengths, those
are tried. Rounded figures are asked for with `holds`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from math import log2
from typing import Any

from reconcile.costing.candidates import Candidate, candidates, slipped
from reconcile.costing.conventions import Convention, Path, convention_names
from reconcile.costing.counting import Cost, count, model_operations, shown_formula
from reconcile.costing.slips import Slip
from reconcile.costing.workload import Model, Workload
from reconcile.datafile import packaged
from reconcile.evidence.lengths import in_units, size
from reconcile.formula import Formula, integer_roots
from reconcile.frozen import dataclass

_SAID: Mapping[str, Any] = packaged("operations", "lengths")
LENGTHS: Mapping[int, float] = {int(length): bits for length, bits in _SAID["usual"].items()}
"""What saying a usual length costs, in bits."""
BATCHES: tuple[int, ...] = tuple(_SAID["batches"])
LONGEST = 1 << 20
"""The longest sequence that is solved for."""
TRAINED = 3
"""A training step is a forward pass and twice that backward."""
MOST_SOLVED = 8
"""Models for which every length is solved for; of more, only the usual lengths are tried."""


@dataclass(frozen=True, slots=True)
class Account:
    """One exact account of a figure: what it counts, of which model, by which convention, with which slip if any.

    `blocks` is how many blocks it is of: 1, all, or None where it is in no block. `passes` is 3 where a backward pass
    is counted too. `right` is what it would be without the slip. `also` are further models, and `paths` all attention
    paths, of which the same holds. `bits` is the length of saying all this.
    """

    value: int
    model: Model
    workload: Workload
    convention: Convention
    path: Path
    scope: str
    blocks: int | None
    passes: int
    formula: Formula
    bits: float
    slip: Slip | None = None
    right: int | None = None
    also: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    exact: bool = True

    @property
    def whole(self) -> bool:
        """Whether it is of the whole model."""
        return not self.scope

    @property
    def carried(self) -> bool:
        """Whether it takes clearly fewer bits than the figure in units of its dimensions, so that it is no chance.

        A rounded figure has too few digits for that, and what takes a mistake to be right is never more than possible.
        """
        if not self.exact or self.slip:
            return False
        sizes = [size for name in self.formula.dimensions if (size := self.model.dimensions.get(name)) and size > 1]
        units = {left * right for left in (1, *sizes) for right in (1, *sizes)}
        return self.bits + MARGIN <= min(in_units(self.value, unit) for unit in units)

    def cost(self) -> Cost:
        """The whole of what the same convention counts of the same model, with what it leaves out."""
        return count(self.model, self.workload, self.convention, version=self.path.version or None)


MARGIN = 6.0
"""The bits by which an account has to be shorter than its figure before it is more than one that fits."""


def accounts(
    figure: int,
    models: Iterable[Model],
    *,
    lengths: Iterable[int] = (),
    batches: Iterable[int] = BATCHES,
    conventions: Iterable[str] | None = None,
    slips: bool = True,
    holds: Callable[[int], bool] | None = None,
) -> tuple[Account, ...]:
    """Every exact account of a figure, the shortest first; none where nothing comes to it.

    `lengths` are those that a text states, otherwise every length is tried, of many models the usual ones. With `slips`
    common miscounts are tried too, where nothing right is clearly shorter than the figure. `holds` says of a count
    whether a rounded figure is it; parts of a model are tried for one only where `lengths` are stated.
    """
    known, stated = tuple(models), tuple(lengths)
    usual = stated or (tuple(LENGTHS) if len(known) > MOST_SOLVED or holds else ())
    tried = tuple(batches)
    times = tuple(sorted({batch * passes for batch in tried for passes in (1, TRAINED)}))
    asked = _Asked(figure, usual, bool(stated), tried, times, tuple(conventions or convention_names()), holds)
    right = [found for model in known for found in _of_model(asked, model)]
    if slips and not any(account.carried for account in right):
        right += [found for model in known for found in _slipped(asked, model)]
    return tuple(_merged(sorted(right, key=lambda account: account.bits)))


def one_of(model: Model) -> int:
    """How many blocks a model has of the kind that it has most of."""
    return max((operation.times.evaluate(model.dimensions) for operation in model_operations(model)), default=1)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked: a figure, with the lengths, batches and conventions to be tried; without lengths all of them.

    `times` are how often a count can be in the figure: so many batches and passes.
    """

    figure: int
    lengths: tuple[int, ...]
    stated: bool
    batches: tuple[int, ...]
    times: tuple[int, ...]
    names: tuple[str, ...]
    holds: Callable[[int], bool] | None

    def multiples(self, value: int) -> Iterator[int]:
        """How often a count is the figure."""
        for often in self.times:
            if self.holds(often * value) if self.holds else often * value == self.figure:
                yield often

    def bits_of(self, length: int) -> float:
        return log2(len(self.lengths)) if self.stated else size(length, LENGTHS)


def _of_model(asked: _Asked, model: Model) -> Iterator[Account]:
    for candidate in candidates(model.architecture, model.components, model.uneven, asked.names):
        if asked.holds is None or asked.stated or not candidate.scope.says:
            yield from _solved(asked, model, candidate)


def _slipped(asked: _Asked, model: Model) -> Iterator[Account]:
    for candidate in slipped(model.architecture, model.components, model.uneven, asked.names):
        yield from _solved(asked, model, candidate)


def _solved(asked: _Asked, model: Model, candidate: Candidate) -> Iterator[Account]:
    """The account for each length and batch with which a candidate is the figure, once or with a backward pass."""
    trains = candidate.convention.trains and candidate.convention.backward is None
    powers = _by_length(candidate.formula, model)
    for length in _lengths(asked, powers, trains) if powers else ():
        value = sum(factor * length**power for power, factor in enumerate(powers))
        for often in asked.multiples(value) if value else ():
            passes = TRAINED if trains and often % TRAINED == 0 else 1
            batch = often // passes
            if batch not in asked.batches or (batch > 1 and not candidate.per_batch):
                continue
            extra = (0.0 if batch == 1 else 3.0) + (0.0 if passes == 1 else 3.0)
            workload = Workload(length, batch, attention=candidate.path.attention or "eager")
            yield Account(
                value=often * value,
                model=model,
                workload=workload,
                convention=candidate.convention,
                path=candidate.path,
                scope=candidate.scope.says,
                blocks=(1 if candidate.scope.once else one_of(model)) if candidate.scope.repeated else None,
                passes=passes,
                formula=shown_formula(candidate.formula, model.architecture, workload),
                bits=candidate.bits + asked.bits_of(length) + extra,
                slip=candidate.slip,
                right=_right(candidate, model, length, often),
                exact=asked.holds is None,
            )


def _right(candidate: Candidate, model: Model, length: int, often: int) -> int | None:
    if candidate.right is None:
        return None
    return often * candidate.right.evaluate({**model.dimensions, "S": length, "b": 1})


def _by_length(formula: Formula, model: Model) -> list[int]:
    """What stands before each power of S for one sequence, the least first; nothing where a dimension is not known."""
    powers = [0] * 3
    for monomial, coefficient in formula.terms:
        at = 0
        for name, power in monomial:
            if name == "S":
                at = power
            elif name != "b":
                known = model.dimensions.get(name)
                if known is None:
                    return []
                coefficient *= known**power
        powers[at] += coefficient
    return powers


def _lengths(asked: _Asked, powers: list[int], trains: bool) -> Iterable[int]:
    """The lengths to try: those that are given, or with which a formula comes to a part of the figure."""
    if asked.lengths or not any(powers[1:]):
        return asked.lengths or (next(iter(LENGTHS)),)
    found: dict[int, None] = {}
    for often in {batch * passes for batch in asked.batches for passes in ((1, TRAINED) if trains else (1,))}:
        if asked.figure % often == 0:
            found |= dict.fromkeys(integer_roots([powers[0] - asked.figure // often, *powers[1:]]))
    return [length for length in found if 0 < length <= LONGEST]


def _merged(ranked: list[Account]) -> Iterator[Account]:
    """Accounts that say the same once, with the models and the attention paths of which all that holds."""
    first: dict[tuple[object, ...], Account] = {}
    for account in ranked:
        slip = account.slip.id if account.slip else ""
        key = (
            account.convention.name, account.path.version, account.scope, account.blocks, account.passes,
            account.workload.length, account.workload.batch, account.formula, account.value, slip,
        )  # fmt: skip
        before = first.setdefault(key, account)
        also = (*before.also, *((account.model.name,) if account.model.name != before.model.name else ()))
        paths = tuple(dict.fromkeys((*before.paths, account.path.attention)))
        first[key] = replace(before, also=tuple(dict.fromkeys(also)), paths=paths)
    yield from first.values()
