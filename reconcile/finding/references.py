"""Published figures: whether one holds, at which precision, and as what."""

from collections.abc import Mapping, Sequence
from dataclasses import field

from reconcile.finding import Finding
from reconcile.frozen import dataclass
from reconcile.phrases import COUNT_WORDS, listed, number, signed
from reconcile.quantity import brief
from reconcile.reference import Reference


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of one published figure: the verdict, and the totals that it holds as at each precision.

    `fits` lists (significant figures, how, names of totals), most precise first; "how" is "rounded" or "cut off".
    `totals` are those that it was held against.
    """

    reference: Reference
    verdict: str
    definition: str | None
    total: int | None
    fits: tuple[tuple[int, str, tuple[str, ...]], ...]
    totals: Mapping[str, int] = field(default_factory=dict)

    @property
    def difference(self) -> int | None:
        """The total that was compared, less the stated value."""
        figure = self.reference.figure
        return None if self.total is None or figure is None else self.total - figure.count


@dataclass(frozen=True, slots=True, kw_only=True)
class Referred(Finding):
    judgement: Judgement

    @property
    def kind(self) -> str:
        return "reference-" + self.judgement.verdict.replace(" ", "-")

    def say(self) -> str:
        judged, reference = self.judgement, self.judgement.reference
        said = f"{reference.figure.text if reference.figure else 'the setting'} ({reference.subject}, {reference.id})"
        definition, total = f"`{judged.definition}`", number(judged.total or 0)
        match judged.verdict:
            case "holds":
                return f"{said} holds: it is {definition}, {total}."
            case "holds as":
                return f"{said} holds {'; '.join(_fits(judged))}."
            case "does not hold":
                off = signed(judged.difference or 0)
                return f"{said} does not hold: the nearest is {definition}, {total}, {off} from it."
        return f"{said} cannot be judged: no quoted total of this model is complete."


def _fits(judged: Judgement) -> list[str]:
    """For which totals a figure holds at each precision, and what the others would have been rounded to."""
    totals, figure = judged.totals, judged.reference.figure
    exact = figure is not None and figure.exact
    said = [_fit(precision, how, names, totals, exact) for precision, how, names in judged.fits]
    precision, _, names = judged.fits[0]
    others = {name: total for name, total in totals.items() if name not in names}
    if others and not exact:
        said.insert(1, _roundings(others, precision))
    return said


def _fit(precision: int, how: str, names: Sequence[str], totals: Mapping[str, int], exact: bool) -> str:
    """For which totals a figure holds at one precision."""
    if len(names) == len(totals) > 2:
        which = "every total that people quote for a whole model"
    else:
        which = listed(f"`{name}` ({number(totals[name])})" for name in names)
    cut = " cut off, not rounded," if how == "cut off" else ""
    return f"for {which}" if exact else f"at {COUNT_WORDS[precision]} figures{cut} for {which}"


def _roundings(totals: Mapping[str, int], precision: int) -> str:
    """What other totals would have been rounded to: "`backbone` (108,891,648) would round to 109M"."""
    groups: dict[str, list[str]] = {}
    for name, total in totals.items():
        groups.setdefault(brief(total, precision), []).append(f"`{name}` ({number(total)})")
    return "; ".join(f"{listed(names)} would round to {figure}" for figure, names in groups.items())
