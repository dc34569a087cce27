"""Figures as people write them: where they stand, what they come to, how precisely, and in which unit."""

from reconcile.quantity.digits import JOINT, plain_digits
from reconcile.quantity.lexer import quantities, quantity_at
from reconcile.quantity.precision import Interval, Number, distance, whole
from reconcile.quantity.types import Quantity

__all__ = [
    "JOINT",
    "Interval",
    "Number",
    "Quantity",
    "distance",
    "plain_digits",
    "quantities",
    "quantity_at",
    "whole",
]
