"""What a model that was read has otherwise than the one that was meant, in sentences."""

from collections.abc import Callable

from reconcile.explanation.phrases import number, quoted, signed
from reconcile.explanation.words.summary import named_rows
from reconcile.finding import Finding


def _meant_other(finding: Finding) -> str:
    if not finding.difference:
        count = number(finding.expected or 0)
        return f"{finding.where} means a model of {count} parameters, and so many are there; their names are not known."
    return f"{finding.where} means a model of {number(finding.expected or 0)} parameters; this is none that is known."


def _meant_dimension(finding: Finding) -> str:
    facts = finding.facts
    changes = facts["changes"]
    effects = [
        f"{formula} = {signed(size)}" + (f" for {quoted(totals)}" if len(changes) > 1 else "")
        for (formula, size), totals in changes.items()
    ]
    effect = "; ".join(effects) if effects else "it changes no count"
    meant, got = number(facts["meant"]), number(facts["got"])
    return f"{finding.where} is {got} where {facts['spec'].name} means {meant}: {effect}."


def _meant_option(finding: Finding) -> str:
    spec = finding.facts["spec"].name
    which = f"is here, and {spec} does not mean it" if finding.facts["here"] else f"is not here, and {spec} means it"
    return f"{finding.where} ({finding.facts['what']}) {which}."


def _meant_heads(finding: Finding) -> str:
    spec, here, wanted = finding.facts["spec"].name, number(finding.actual or 0), number(finding.expected or 0)
    if not finding.actual:
        return f"the {wanted} parameters of the task head that {spec} means are not here."
    names = named_rows(tuple(finding.facts["names"]))
    if finding.expected:
        return f"the task head has {here} parameters ({names}) where {spec} means {wanted}."
    return f"{here} parameters stand on top of what {spec} means: {names}."


def _meant_same(finding: Finding) -> str:
    heads = finding.facts["heads"]
    rest = f", apart from {number(heads)} of task heads" if heads else ""
    return (
        f"this is the model that {finding.where} means, to the last parameter: {number(finding.expected or 0)}{rest}."
    )


def _meant_total(finding: Finding) -> str:
    return (
        f"{finding.where} means {number(finding.expected or 0)} parameters, this has {number(finding.actual or 0)}: "
        f"{signed(finding.difference or 0)}."
    )


SENTENCES: dict[str, Callable[[Finding], str]] = {
    "meant-other": _meant_other,
    "meant-dimension": _meant_dimension,
    "meant-option": _meant_option,
    "meant-heads": _meant_heads,
    "meant-same": _meant_same,
    "meant-total": _meant_total,
}
