"""Reconcile the parameter counts of BERT-family models: every parameter to one component, every total to its parts."""

from reconcile.version import VERSION

__version__ = VERSION
__all__ = ["__version__"]
