"""Published figures judged on their own: by the totals of a model of the dimensions that each is stated for."""

from collections.abc import Mapping

from reconcile.comparison.references import judge_totals
from reconcile.finding.references import Judgement
from reconcile.formula import Formula
from reconcile.reference import Reference
from reconcile.selection import Account, value
from reconcile.taxonomy import Architecture, architecture_names, load_architecture

NOTHING = Formula.of(0)
Sizes = Mapping[str, int | None]

ACCOUNT = "a selection of its own"
"""The definition of a figure that no named total makes, but the selection that its reference gives."""


def judge_published(reference: Reference) -> Judgement:
    """What becomes of a published figure; "cannot say" where it counts no parameters or its model is not known here."""
    if not reference.counts_parameters or reference.architecture not in architecture_names():
        return Judgement(reference, "cannot say", None, None, ())
    architecture = load_architecture(reference.architecture)
    stated = {name: size for name, size in reference.dimensions.items() if isinstance(size, int)}
    sizes = architecture.complete(stated)
    components = [part for part in architecture.active(_options(architecture, sizes)) if part.needed(sizes)]
    totals = {
        name: _size(selection.account(components, architecture.totals), sizes)
        for name, selection in architecture.totals.items()
    }
    judged = judge_totals(reference, totals, architecture.quoted)
    # An account of a figure that does not hold says how somebody came to it; of one that holds, what it counts.
    if judged.verdict != "does not hold" or reference.verdict != "holds as":
        return judged
    if reference.account is None or reference.figure is None:
        return judged
    own = _size(reference.account.account(components, architecture.totals), sizes, reference.plus)
    figure = reference.figure
    if own is None or figure.holds(own, figure.precisions[0]) != "rounded":
        return judged
    return Judgement(reference, "holds as", ACCOUNT, own, ((figure.precisions[0], "rounded", (ACCOUNT,)),))


def _options(architecture: Architecture, sizes: Sizes) -> frozenset[str]:
    """The options of which every component's size is known, as it is of those that a published model has."""
    open_ = {
        part.option
        for part in architecture.components
        if part.option and any(sizes.get(name) is None for name in part.size.dimensions)
    }
    return frozenset(architecture.options) - open_


def _size(account: Account | None, sizes: Sizes, plus: Formula = NOTHING) -> int | None:
    """What a selection comes to; None where a part of it is lacking, or a dimension is not known."""
    if account is None:
        return None
    formula = value(account) + plus
    return None if any(sizes.get(name) is None for name in formula.dimensions) else formula.evaluate(sizes)
