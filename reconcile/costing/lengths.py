"""Cost against the length of sequences: what each part takes, and where attention overtakes the feed-forward."""

from reconcile.costing.counting import shown_formula
from reconcile.costing.operations import ZERO
from reconcile.costing.parts import ATTENTION, FEED_FORWARD, SCORES, number, products_of
from reconcile.costing.workload import Model, Workload
from reconcile.datafile import packaged
from reconcile.formula import Formula
from reconcile.frozen import dataclass

MARKS: tuple[int, ...] = tuple(packaged("operations", "lengths")["marks"])


@dataclass(frozen=True, slots=True)
class Point:
    """The operations of products at one length: of the projections of attention, its products, and the inner
    feed-forward."""

    length: int
    projections: int
    scores: int
    inner: int

    @property
    def total(self) -> int:
        """All three."""
        return self.projections + self.scores + self.inner


@dataclass(frozen=True, slots=True)
class Crossing:
    """A length at which two parts take the same, as a number and, where it is the same for all sizes, as a formula."""

    what: str
    length: int
    formula: str


@dataclass(frozen=True, slots=True)
class Curve:
    """Points at rising lengths, and where attention overtakes the feed-forward, if it does."""

    points: tuple[Point, ...]
    crossings: tuple[Crossing, ...]


def curve(model: Model, workload: Workload) -> Curve:
    """What the blocks take at rising lengths, of a workload's batch; nothing where the parts are not known."""
    scores, attention, feed = (products_of(model, group) for group in (SCORES, ATTENTION, FEED_FORWARD))
    if not (scores and feed):
        return Curve((), ())
    points = []
    for length in sorted({*MARKS, workload.length}):
        at = Workload(length, workload.batch)
        both, all_, forward = (number(formula, model, at) for formula in (scores, attention, feed))
        points.append(Point(length, all_ - both, both, forward))
    crossings = (
        _crossing(model, workload, "the two attention products alone", scores, feed),
        _crossing(model, workload, "attention with its projections", attention, feed),
    )
    return Curve(tuple(points), tuple(one for one in crossings if one is not None))


def _crossing(model: Model, workload: Workload, what: str, left: Formula, right: Formula) -> Crossing | None:
    """Where one part begins to take more than another: the least whole length from which it does."""
    one = Workload(1, workload.batch)
    values = [number(left - right, model, Workload(length, workload.batch)) for length in (1, 2)]
    # Both grow with S, one with S² too: the difference is a·S² + c·S.
    square = (values[1] - 2 * values[0]) // 2
    linear = values[0] - square
    if square <= 0 or linear >= 0:
        return None
    length = -(linear // square)
    exact = _as_formula(model, one, left - right)
    return Crossing(what, length, exact)


def _as_formula(model: Model, workload: Workload, difference: Formula) -> str:
    """The length at which a difference is nothing, over dimensions: its part in S over that in S²."""
    shown = shown_formula(difference, model.architecture, workload)
    parts: dict[int, Formula] = {}
    for monomial, coefficient in shown.terms:
        power = dict(monomial).get("S", 0)
        rest = tuple(factor for factor in monomial if factor[0] != "S")
        parts[power] = parts.get(power, ZERO) + Formula.collect([(rest, coefficient)])
    if len(parts.get(2, ZERO).terms) != 1:
        return ""
    ((monomial, factor),) = parts[2].terms
    divided = []
    for other, coefficient in parts.get(1, ZERO).terms:
        powers = dict(other)
        for name, power in monomial:
            powers[name] = powers.get(name, 0) - power
        if coefficient % factor or any(power < 0 for power in powers.values()):
            return ""
        divided.append(
            (tuple(sorted((name, power) for name, power in powers.items() if power)), -coefficient // factor)
        )
    return f"S = {Formula.collect(divided)}"
