"""Reconcile the parameter counts of BERT-family models: every parameter to one component, every total to its parts.

The names below are the public surface. Each is imported when it is first asked for: `import reconcile` costs nothing.
"""

from importlib import import_module
from typing import Any

from reconcile.version import VERSION

__version__ = VERSION

_PUBLIC = {
    "BuildError": "reconcile.errors",
    "Finding": "reconcile.finding",
    "Formula": "reconcile.formula",
    "InputError": "reconcile.errors",
    "ReconcileError": "reconcile.errors",
    "Report": "reconcile.report.types",
    "build": "reconcile.pipeline.build",
    "load_spec": "reconcile.spec",
    "model_names": "reconcile.spec",
    "read": "reconcile.pipeline.read",
    "reconcile": "reconcile.pipeline.live",
}
__all__ = ["__version__", *_PUBLIC]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'reconcile' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
