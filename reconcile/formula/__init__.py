"""Exact integer formulas over named dimensions, such as `4·(H² + H)` or `2·H·F + F + H`."""

from reconcile.formula.polynomial import Formula, dimension, product
from reconcile.formula.printing import Monomial, to_ascii, with_numbers
from reconcile.formula.roots import integer_roots

__all__ = [
    "Formula",
    "Monomial",
    "dimension",
    "integer_roots",
    "product",
    "to_ascii",
    "with_numbers",
]
