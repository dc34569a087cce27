"""The verdicts that a row can have, and how much of a source has each."""

from reconcile.frozen import dataclass

AGREES = "agrees"
"""Other kinds of rows, shapes, settings or a spec determine every dimension of the formula, and it gives the count."""
GIVES = "gives"
"""The row itself supplied a dimension, which is named: nothing else checks it."""
READ = "read"
"""A layer's formula with sizes from the row alone: true, and no check."""
CONTRADICTS = "contradicts"
"""The formula gives another count."""
FITS = "fits"
"""One of several accounts, on which nothing is built."""
UNMAPPED = "unmapped"
"""No rule gives it a meaning."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How much of a source's parameters is verified, only fitted, only read, contradicted and not assigned.

    They add up to all that is accounted for; `read` is what its own row alone supplied.
    """

    verified: int = 0
    fitted: int = 0
    read: int = 0
    contradicted: int = 0
    not_assigned: int = 0

    @property
    def total(self) -> int:
        """All parameters that the source shows."""
        return self.verified + self.fitted + self.read + self.contradicted + self.not_assigned
