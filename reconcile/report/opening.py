"""The first line of a report: the verdict, and how much of the total it rests on."""

from reconcile.inventory import CONFIGURATION, MAYBE_SHARED
from reconcile.mapping.ledger import Ledger
from reconcile.mapping.standing import Standing
from reconcile.phrases import listed, number, span


def opening(ledger: Ledger, standing: Standing, errors: int) -> str:
    """One sentence: whether the source agrees, and the parts of its total by how far they are checked."""
    what = _called(ledger)
    total = bound(ledger) + number(ledger.parameters)
    residual = 0 if ledger.inventory.sum_is_told else ledger.residual
    if ledger.inventory.bounds is not None and not ledger.inventory.bounds[0]:
        return f"nothing is counted: by its bytes {what} has at most {number(ledger.inventory.bounds[1])} parameters."
    if ledger.inventory.bounds is not None:
        exact = f"; {total} of them by exact counts, {_parts(standing, 0)}" if standing.total else ""
        return f"rounded: the counts in the text make {span(ledger.inventory.bounds)} parameters of {what}{exact}."
    if not errors and ledger.inventory.kind.startswith(CONFIGURATION):
        unnamed = (remark.shown for remark in ledger.inventory.remarks if remark.kind == "class-unstated")
        taken = "".join(f", taken for {name} as they name no class" for name in unnamed)
        made = f"these settings make {total} parameters of {what}{taken}"
        return f"computed, not counted: {made}; nothing that is stored was read."
    if errors:
        problems = "1 error" if errors == 1 else f"{errors} errors"
        parts = f" ({_parts(standing, 0)})" if standing.total else ""
        return f"does not agree: {problems} in {what} of {total} parameters{parts}."
    if any(remark.kind == "more-than-stated" for remark in ledger.inventory.remarks):
        return f"does not add up: {number(ledger.accounted)} parameters were read of {what}, and {total} are stated."
    if not ledger.total and not standing.total:
        return "nothing is counted: no parameters are there."
    if not standing.verified and not standing.read:
        return f"nothing is explained: {_unexplained(standing)} of the {total} parameters of {what}."
    if standing.verified == standing.total and not residual and not bound(ledger):
        return f"agrees: all {total} parameters of {what} are verified."
    return f"agrees as far as it can be checked: of the {total} parameters of {what}, {_parts(standing, residual)}."


def bound(ledger: Ledger) -> str:
    """`at least ` where the model may have more than the total, `at most ` where two arrays may be one; else empty."""
    inventory = ledger.inventory
    shared = any(
        remark.kind == MAYBE_SHARED and remark.value is not None and remark.value < ledger.total
        for remark in inventory.remarks
    )
    return "at least " if inventory.least else "at most " if shared and not inventory.hides else ""


def _called(ledger: Ledger) -> str:
    """What the source holds: one model of an architecture, several, or layers."""
    titles = [model.architecture.title for model in ledger.models if model.architecture]
    if len(titles) > 1:
        return f"{len(titles)} models ({listed(list(dict.fromkeys(titles)))})"
    if ledger.architecture is not None:
        article = "an" if ledger.architecture.title[0] in "AEIO" else "a"
        return f"{article} {ledger.architecture.title}"
    return "this model"


def _parts(standing: Standing, unread: int) -> str:
    """Every part that is not empty, and what the total has beyond the counts that can be read."""
    named = {
        "verified": standing.verified,
        "fitted": standing.fitted,
        "only read": standing.read,
        "contradicted": standing.contradicted,
        "not assigned": standing.not_assigned,
        "in no count that can be read": unread,
    }
    return ", ".join(f"{number(count)} are {name}" for name, count in named.items() if count)


def _unexplained(standing: Standing) -> str:
    if not standing.total:
        return "the text shows no row's count, and so not one"
    if standing.fitted == standing.total:
        return "several models fit the count, and none is shown for any"
    return "no formula here reaches any"
