"""The public surface: a dozen names, each there, and none that costs anything before it is used."""

import subprocess
import sys

import pytest

import reconcile

NAMES = [
    "BuildError",
    "Finding",
    "Formula",
    "InputError",
    "ReconcileError",
    "Report",
    "__version__",
    "build",
    "load_spec",
    "model_names",
    "read",
    "reconcile",
]


def test_the_public_names_are_these() -> None:
    assert sorted(reconcile.__all__) == NAMES == dir(reconcile)
    for name in NAMES:
        assert getattr(reconcile, name) is not None


def test_an_unknown_name_is_refused_as_python_does() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'summary'"):
        reconcile.summary  # noqa: B018


def test_importing_the_package_imports_none_of_its_rooms() -> None:
    code = "import sys, reconcile; print(*sorted(name for name in sys.modules if name.startswith('reconcile')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["reconcile", "reconcile.version"]
