"""The sentences for settings: of a spec against its builder and against what is published."""

from collections.abc import Callable

from reconcile.explanation.phrases import listed, number, quoted, signed
from reconcile.finding import Finding


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


SENTENCES: dict[str, Callable[[Finding], str]] = {
    "extraction": _extraction,
    "constant": _constant,
    "setting": _setting,
    "setting-count": _setting_count,
    "setting-agrees": _setting_agrees,
}
