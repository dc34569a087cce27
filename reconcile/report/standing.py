"""The verdicts of a report's parts as one for what they make up together, and as what a picture of it shows."""

from collections.abc import Iterable

from reconcile.mapping.standing import AGREES, CONTRADICTS, FITS, GIVES, READ, UNMAPPED

TIED, APART, RESIDUAL = "tied", "no parameter", "unexplained"
"""What is no component: a second name of one, what the total counts beside parameters, and what nothing explains."""

LOOKS = (AGREES, APART, TIED, GIVES, READ, FITS, UNMAPPED, RESIDUAL, CONTRADICTS)
"""The first words of all verdicts, from what needs no look to what needs it first."""


def look(verdict: str) -> str:
    """The kind of a verdict, without the dimensions or the count behind it: one of LOOKS."""
    return next((one for one in LOOKS if verdict.startswith(one)), AGREES)


def together(verdicts: Iterable[str], off: int = 0) -> str:
    """The verdict on several parts: what needs a look first, with all dimensions that are given or what is `off`."""
    said = [verdict for verdict in verdicts if verdict not in (TIED, "")]
    gravest = max(map(look, said), key=LOOKS.index, default=AGREES)
    if gravest == CONTRADICTS and off:
        return f"{CONTRADICTS} ({off:+,})".replace("-", "−")
    if gravest == GIVES:
        given = (verdict.removeprefix(f"{GIVES} ").split(" and ") for verdict in said if look(verdict) == GIVES)
        return f"{GIVES} {' and '.join(sorted({name for names in given for name in names}))}"
    return gravest
