"""Which of the packages that a build depends on are installed, found without importing any of them."""

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from reconcile.datafile import PACKAGE
from reconcile.errors import NotInstalledError

WORKER = PACKAGE / "sources" / "worker"
"""The program that builds, as a directory that Python runs."""

INSTALL = "pip install 'keras-reconcile[build]'"

# The distributions that carry TensorFlow itself, in the order of preference.
TENSORFLOW = ("tensorflow", "tensorflow-cpu", "tensorflow-intel", "tensorflow-macos")
# keras-bert and everything of its family that its layers come from.
FAMILY = (
    *("keras-bert", "keras-transformer", "keras-pos-embd", "keras-multi-head", "keras-layer-normalization"),
    *("keras-position-wise-feed-forward", "keras-embed-sim", "keras-self-attention"),
)


def build_versions() -> dict[str, str]:
    """The versions of Python, TensorFlow, its Keras 2 and the keras-bert family in this environment.

    Raises NotInstalledError, saying which command installs what is missing.
    """
    found = installed((*TENSORFLOW, "tf-keras", "keras", *FAMILY))
    tensorflow = next((name for name in TENSORFLOW if name in found), None)
    if tensorflow is None or "keras-bert" not in found:
        missing = "TensorFlow" if tensorflow is None else "keras-bert"
        raise NotInstalledError(f"{missing} is not installed here, and building needs it; install it with: {INSTALL}")
    # From TensorFlow 2.16 on, tf.keras is Keras 3, and the Keras 2 that keras-bert needs is a package of its own.
    own_keras = tuple(int(part) for part in found[tensorflow].split(".")[:2]) < (2, 16)
    keras = "keras" if own_keras else "tf-keras"
    if keras not in found:
        raise NotInstalledError(
            f"TensorFlow {found[tensorflow]} needs {keras} to build keras-bert models; install it with: {INSTALL}"
        )
    versions = {
        "python": ".".join(map(str, sys.version_info[:3])),
        "tensorflow": found[tensorflow],
        keras: found[keras],
    }
    return versions | {name: found[name] for name in FAMILY if name in found}


def settings(versions: Mapping[str, str]) -> dict[str, str]:
    """The environment variables for a build with these versions: TensorFlow chooses its Keras by one of them."""
    return {
        "TF_USE_LEGACY_KERAS": "1" if "tf-keras" in versions else "0",  # 2.15 would look for tf-keras at "1" as well
        "TF_KERAS": "1",
        "CUDA_VISIBLE_DEVICES": "-1",  # no search for GPUs, which cannot matter to a count
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "PYTHONDONTWRITEBYTECODE": "1",  # directories of releases hold what their archives hold, and nothing else
    }


def worker_files() -> list[Path]:
    """The files that the worker consists of: when they change, what was built with others is not theirs."""
    return sorted(WORKER.glob("*.py"))


def installed(names: Iterable[str], places: Iterable[str] | None = None) -> dict[str, str]:
    """The versions of those of the distributions that are installed here, or in the directories of another interpreter.

    They are read off the names of the `.dist-info` directories, which the packaging standards fix: importlib.metadata
    opens every one of them instead, and takes longer than all the rest of a cached build.
    """
    wanted = {name.replace("-", "_"): name for name in names}
    found: dict[str, str] = {}
    for place in sys.path if places is None else places:
        for entry in _listed(place or "."):
            package, dash, version = entry.removesuffix(".dist-info").rpartition("-")
            name = wanted.get(package.replace("-", "_").replace(".", "_").lower())
            if name and dash and entry.endswith(".dist-info"):
                found.setdefault(name, version)
    return found


def _listed(place: str) -> list[str]:
    try:
        return os.listdir(place)  # noqa: PTH208 - the names are all that is wanted
    except OSError:
        return []
