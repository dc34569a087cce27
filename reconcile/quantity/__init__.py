"""Figures as people write them: where they stand, what they come to, how precisely, and in which unit.

Each name is imported when it is first asked for: reading the counts of tables takes neither patterns nor fractions.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reconcile.quantity.counts import shown_number, whole_number
    from reconcile.quantity.digits import JOINT, RAISED, lowered, plain_digits
    from reconcile.quantity.lexer import figure_of, quantities, quantity_at
    from reconcile.quantity.precision import Interval, Number, distance, exchanged, slips, whole
    from reconcile.quantity.shown import brief
    from reconcile.quantity.types import MOST_BYTES_EACH, Quantity

_MODULES = {
    "JOINT": "digits",
    "MOST_BYTES_EACH": "types",
    "RAISED": "digits",
    "Interval": "precision",
    "Number": "precision",
    "Quantity": "types",
    "brief": "shown",
    "distance": "precision",
    "exchanged": "precision",
    "slips": "precision",
    "figure_of": "lexer",
    "lowered": "digits",
    "plain_digits": "digits",
    "quantities": "lexer",
    "quantity_at": "lexer",
    "shown_number": "counts",
    "whole": "precision",
    "whole_number": "counts",
}
__all__ = [
    "JOINT",
    "MOST_BYTES_EACH",
    "RAISED",
    "Interval",
    "Number",
    "Quantity",
    "brief",
    "distance",
    "exchanged",
    "figure_of",
    "lowered",
    "plain_digits",
    "quantities",
    "quantity_at",
    "shown_number",
    "slips",
    "whole",
    "whole_number",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'reconcile.quantity' has no attribute {name!r}")
    return getattr(import_module(f"reconcile.quantity.{_MODULES[name]}"), name)
