"""Puts a finding's facts into one plain sentence each; the words for a kind stand together, as data where they can."""

from collections.abc import Callable

from reconcile.comparison import Judgement
from reconcile.explain.phrases import listed, number, quoted, signed
from reconcile.explain.summary_wording import SUMMARY_SENTENCES
from reconcile.figure import COUNT_WORDS, brief
from reconcile.finding import Finding


def sentence(finding: Finding) -> str:
    """What a finding says, in full: the numbers, and why they are as they are."""
    kind = finding.kind if finding.kind in _SENTENCES else finding.kind.split("-")[0]
    return _SENTENCES[kind](finding)


def _count(finding: Finding) -> str:
    needs = finding.facts.get("needs")
    if needs:
        name, size, rest = needs
        return (
            f"{finding.where} has {number(finding.actual or 0)} parameters, which is {finding.facts['formula']} for "
            f"{name} = {size}, while the rest has {name} = {rest} ({number(finding.expected or 0)}): "
            f"{signed(finding.difference or 0)}."
        )
    shape, wanted = finding.facts["shape"], finding.facts["expected_shape"]
    shapes = f" (shape {_shape(shape)}, expected {_shape(wanted)})" if shape and wanted else ""
    return (
        f"{finding.where} has {number(finding.actual or 0)} parameters where {finding.facts['formula']} makes "
        f"{number(finding.expected or 0)}: {signed(finding.difference or 0)}{shapes}."
    )


def _wrong_shape(finding: Finding) -> str:
    shape, wanted = _shape(finding.facts["shape"]), _shape(finding.facts["expected_shape"])
    formula = finding.facts["formula"]
    return f"{finding.where} has as many parameters as {formula} makes, in another shape: {shape} for {wanted}."


def _tied(finding: Finding) -> str:
    what = f"{finding.facts['formula']} = {number(finding.facts['size'])}"
    return f"{finding.where} ({what}) is {finding.facts['tied_to']}: one matrix under two names, counted once."


def _missing(finding: Finding) -> str:
    formula, size = finding.facts["formula"], number(finding.expected or 0)
    return f"{finding.where} is not there: {formula} = {size} parameters are missing."


def _unmapped(finding: Finding) -> str:
    size = number(finding.actual or 0)
    return (
        f"{finding.where} ({finding.facts['class_name']}, {size} parameters) is not assigned: {finding.facts['why']}."
    )


def _residual(finding: Finding) -> str:
    return (
        f"The total of {number(finding.actual or 0)} differs by {signed(finding.difference or 0)} from the "
        f"{number(finding.expected or 0)} that the components add up to."
    )


def _extraction(finding: Finding) -> str:
    facts = finding.facts
    return (
        f"output_layer_num = {facts['outputs']} takes nothing behind block {facts['reached']}: the model has "
        f"{facts['reached']} of {facts['asked']} blocks, and the others are left out, not missing."
    )


def _constant(finding: Finding) -> str:
    facts = finding.facts
    return (
        f"{finding.where} is {facts['claimed']} by the file, and {facts['builder']} has no argument for it: "
        f"it builds {finding.where} = {facts['built']} always."
    )


def _setting(finding: Finding) -> str:
    facts = finding.facts
    name, reference = facts.get("argument") or facts["dimension"], facts["reference"]
    why = "it changes no count"
    if name == "A":
        why = "the number of heads changes no count"
    if name == "seq_len" and facts.get("positions"):
        why += f", because the position table keeps its P = {facts['positions']} rows whatever the sequence length"
    return f"{name} is {facts['here']} where {reference.subject} ({reference.id}) has {facts['published']}: {why}."


def _setting_count(finding: Finding) -> str:
    facts = finding.facts
    effects = [
        f"{formula} = {signed(size)} for {quoted(totals)}" for (formula, size), totals in facts["changes"].items()
    ]
    reference = facts["reference"]
    return (
        f"{facts['dimension']} is {number(facts['here'])} where {reference.subject} ({reference.id}) has "
        f"{number(facts['published'])}: {'; '.join(effects)}."
    )


def _setting_agrees(finding: Finding) -> str:
    reference = finding.facts["reference"]
    return f"{listed(finding.facts['names'])} are those of {reference.subject} ({reference.id})."


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


def _shape(shape: tuple[int, ...]) -> str:
    return "(" + ", ".join(map(str, shape)) + ")"


_SENTENCES: dict[str, Callable[[Finding], str]] = SUMMARY_SENTENCES | {
    "count": _count,
    "shape": _wrong_shape,
    "tied": _tied,
    "missing": _missing,
    "unmapped": _unmapped,
    "residual": _residual,
    "constant": _constant,
    "extraction": _extraction,
    "setting": _setting,
    "setting-count": _setting_count,
    "setting-agrees": _setting_agrees,
    "reference-holds": _holds,
    "reference-holds-as": _holds_as,
    "reference-does-not-hold": _does_not_hold,
    "reference-cannot-say": _cannot_say,
}
