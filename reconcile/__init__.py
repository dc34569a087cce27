"""Reconcile the parameter counts of BERT-family models: every parameter to one component, every total to its parts.

The names below are the public surface. Each is imported when it is first asked for: `import reconcile` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from reconcile.version import VERSION

if TYPE_CHECKING:
    from reconcile.api.displayed import Report as Report
    from reconcile.api.models import build as build
    from reconcile.api.models import cost as cost
    from reconcile.api.models import diff as diff
    from reconcile.api.models import read as read
    from reconcile.api.models import read_all as read_all
    from reconcile.api.texts import check as check
    from reconcile.api.texts import explain as explain
    from reconcile.errors import BuildError as BuildError
    from reconcile.errors import InputError as InputError
    from reconcile.errors import ReconcileError as ReconcileError
    from reconcile.spec import model_names as model_names

__version__ = VERSION

_PUBLIC = {
    "BuildError": "reconcile.errors",
    "InputError": "reconcile.errors",
    "ReconcileError": "reconcile.errors",
    "Report": "reconcile.api.displayed",
    "build": "reconcile.api.models",
    "check": "reconcile.api.texts",
    "cost": "reconcile.api.models",
    "diff": "reconcile.api.models",
    "explain": "reconcile.api.texts",
    "model_names": "reconcile.spec",
    "read": "reconcile.api.models",
    "read_all": "reconcile.api.models",
}
__all__ = ["__version__", *_PUBLIC]


if not TYPE_CHECKING:  # for a type checker a name that is not above is a mistake

    def __getattr__(name: str) -> Any:
        if name not in _PUBLIC:
            raise AttributeError(f"module 'reconcile' has no attribute {name!r}")
        return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
