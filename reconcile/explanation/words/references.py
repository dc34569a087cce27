"""The sentences for published figures: whether one holds, at which precision, and as what."""

from collections.abc import Callable

from reconcile.comparison.references import Judgement
from reconcile.explanation.phrases import listed, number, signed
from reconcile.figure import COUNT_WORDS, brief
from reconcile.finding import Finding


def _holds(finding: Finding) -> str:
    judgement: Judgement = finding.facts["judgement"]
    figure = _figure(judgement)
    return f"{figure} holds: it is `{judgement.definition}`, {number(judgement.total or 0)}."


def _holds_as(finding: Finding) -> str:
    judgement: Judgement = finding.facts["judgement"]
    totals: dict[str, int] = finding.facts["totals"]
    exact = judgement.reference.figure is not None and judgement.reference.figure.exact
    said = [_fit(precision, how, names, totals, exact) for precision, how, names in judgement.fits]
    precision, _, names = judgement.fits[0]
    others = [name for name in totals if name not in names]
    if others and not exact:
        said.insert(1, _roundings({name: totals[name] for name in others}, precision))
    return f"{_figure(judgement)} holds {'; '.join(said)}."


def _fit(precision: int, how: str, names: tuple[str, ...], totals: dict[str, int], exact: bool) -> str:
    """For which totals a figure holds at one precision."""
    if len(names) == len(totals) > 2:
        which = "every total that people quote for a whole model"
    else:
        which = listed(f"`{name}` ({number(totals[name])})" for name in names)
    cut = " cut off, not rounded," if how == "truncated" else ""
    return f"for {which}" if exact else f"at {COUNT_WORDS[precision]} figures{cut} for {which}"


def _roundings(totals: dict[str, int], precision: int) -> str:
    """What other totals would have been rounded to: "`backbone` (108,891,648) would round to 109M"."""
    groups: dict[str, list[str]] = {}
    for name, total in totals.items():
        groups.setdefault(brief(total, precision), []).append(f"`{name}` ({number(total)})")
    return "; ".join(f"{listed(names)} would round to {figure}" for figure, names in groups.items())


def _does_not_hold(finding: Finding) -> str:
    judgement: Judgement = finding.facts["judgement"]
    return (
        f"{_figure(judgement)} does not hold: the nearest is `{judgement.definition}`, "
        f"{number(judgement.total or 0)}, {signed(judgement.difference or 0)} from it."
    )


def _cannot_say(finding: Finding) -> str:
    return f"{_figure(finding.facts['judgement'])} cannot be judged: no quoted total of this model is complete."


def _figure(judgement: Judgement) -> str:
    reference = judgement.reference
    text = reference.figure.text if reference.figure else "the setting"
    return f"{text} ({reference.subject}, {reference.id})"


SENTENCES: dict[str, Callable[[Finding], str]] = {
    "reference-holds": _holds,
    "reference-holds-as": _holds_as,
    "reference-does-not-hold": _does_not_hold,
    "reference-cannot-say": _cannot_say,
}
