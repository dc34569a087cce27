"""How far `explain` agrees with the readers of published figures, who say for each whether it holds and as what.

A figure that no unit or architecture here can judge, a setting and a row without a figure stand apart, by name.
"""

import sys
from collections.abc import Iterator

from benchmarks.rows import Row
from reconcile.explanation.answer import CANNOT_SAY, FITS, Answer, Explanation
from reconcile.explanation.contexts import as_usual, given
from reconcile.explanation.engine import ask, ask_anything
from reconcile.explanation.question import Question, read_question
from reconcile.explanation.terms import model_of
from reconcile.formula import Formula
from reconcile.reference import Reference, all_references
from reconcile.selection import value
from reconcile.taxonomy import architecture_names, load_architecture

UNITS = ("params", "bytes")
OPERATIONS = ("flops", "macs")
ALL = 20
"""Definitions of one figure that are looked at."""


def agreement() -> Iterator[Row]:
    """How many published figures are not explained as their readers say, in per cent."""
    apart: dict[str, list[str]] = {}
    wrong: list[str] = []
    judged = 0
    for reference in all_references().values():
        if why := outside(reference):
            apart.setdefault(why, []).append(reference.id)
            continue
        judged += 1
        if said := disagreement(reference):
            wrong.append(reference.id)
            print(f"  {reference.id}: {said}", file=sys.stderr)
    for why, names in apart.items():
        print(f"  apart, {why}: {', '.join(names)}", file=sys.stderr)
    yield Row(f"disagreements over {judged} published figures", 100 * len(wrong) / judged, None, 5.0, "%")


def outside(reference: Reference) -> str:
    """Why a row is not judged; empty where it is."""
    if reference.unit not in UNITS + OPERATIONS:
        return "a setting and no count"
    if reference.figure is None:
        return "it states no figure"
    if reference.unit in OPERATIONS:
        return "no operations are derived"
    return "" if reference.architecture in architecture_names() else f"no architecture {reference.architecture}"


def disagreement(reference: Reference) -> str:
    """How the answer differs from what a reader says of the figure; empty where it does not."""
    answer = answered(reference)
    account = counted(reference)
    if reference.figure is not None and reference.figure.exact:
        return _exact(reference, answer, account)
    expected = CANNOT_SAY if reference.verdict == CANNOT_SAY else FITS
    if reference.verdict == "does not hold":
        other = next((one for one in answer.explanations if one.kind != "published"), None)
        return f"{answer.verdict}: {other.text}" if other is not None and answer.explained else ""
    if answer.verdict != expected:
        return f"{answer.verdict} and not {reference.verdict} {', '.join(reference.holds_as)}"
    found = {_total(one) for one in answer.explanations}
    missing = [name for name in reference.holds_as if name not in found]
    if missing:
        return f"not as {', '.join(missing)} but as {answer.explanations[0].text}"
    return "" if account is None or _reached(answer, account) else "not as the account that is known"


def answered(reference: Reference) -> Answer:
    """The answer for the dimensions that the source gives, or for any model where it gives too few."""
    figure = reference.figure
    assert figure is not None
    sizes = {name: size for name, size in reference.dimensions.items() if isinstance(size, int)}
    if reference.unit == "params" and figure.exact:
        question = Question(figure.text, figure.value, figure)
    else:
        question = read_question(figure.text, reference.unit)
    architecture = load_architecture(reference.architecture)
    if "H" in sizes and "L" in sizes:
        return ask(question, given(as_usual(sizes, architecture), architecture.name), ALL)
    return ask_anything(question, ALL)


def counted(reference: Reference) -> Formula | None:
    """What the figure counts where no named total does, as a formula."""
    if reference.account is None:
        return None
    architecture = load_architecture(reference.architecture)
    components = model_of(architecture, {}).components
    account = reference.account.account(components, architecture.totals)
    return None if account is None else value(account) + reference.plus


def _exact(reference: Reference, answer: Answer, account: Formula | None) -> str:
    """An exact figure must be explained to the last digit, by the total or the account that is known of it."""
    if reference.unit == "bytes":
        return "" if set(reference.holds_as) & {one.items[0].component for one in answer.explanations} else "another"
    best = answer.explanations[0] if answer.explanations else None
    if not answer.explained or best is None:
        return f"not explained; {'; '.join(one.text for one in answer.explanations)}"
    if not all(_adds_up(one, answer.value) for one in answer.explanations):
        return "an explanation does not add up"
    named = not reference.holds_as or set(reference.holds_as) <= {_total(one) for one in answer.explanations}
    if not named or (account is not None and not _reached(answer, account)):
        return f"not as its reader says but {best.text}"
    return ""


def _adds_up(one: Explanation, value: int | None) -> bool:
    """Whether the terms make the figure, and those between the right count and a mistake too."""
    bridged = one.right is None or not one.bridge or one.right + sum(item.value for item in one.bridge) == value
    return one.value == sum(item.value for item in one.items) == value and bridged


def _reached(answer: Answer, account: Formula) -> bool:
    return any(one.formula == account for one in answer.explanations)


def _total(one: Explanation) -> str:
    return one.items[0].component if len(one.items) == 1 else ""
