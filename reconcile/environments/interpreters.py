"""Interpreters other than this one: what is installed in them, and environments made for a version of TensorFlow."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from reconcile.environments.cache import directory
from reconcile.environments.packages import FAMILY, TENSORFLOW, installed
from reconcile.errors import NotInstalledError
from reconcile.frozen import dataclass

_ASK = "import json, sys; print(json.dumps([list(sys.version_info[:3]), sys.path]))"
_PYTHONS = ("python3.13", "python3.12", "python3.11", "python3.10", "python3.9", "python3")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python with the versions of what a build depends on there: python, tensorflow, its Keras, the family."""

    python: str
    versions: Mapping[str, str]

    @property
    def tensorflow(self) -> str:
        """The version of TensorFlow, empty where there is none."""
        return self.versions.get("tensorflow", "")

    @property
    def settings(self) -> dict[str, str]:
        """The environment variables for a build with it."""
        from reconcile.environments.packages import settings

        return settings(self.versions)


def interpreter(python: str) -> Interpreter:
    """What is installed with a Python. Raises NotInstalledError when it cannot be run."""
    try:
        done = subprocess.run([python, "-c", _ASK], capture_output=True, timeout=60, check=True)
        version, places = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise NotInstalledError(f"{python}: cannot be run as a Python ({error})") from None
    found = installed((*TENSORFLOW, "tf-keras", "keras", *FAMILY), places)
    tensorflow = next((name for name in TENSORFLOW if name in found), None)
    versions = {"python": ".".join(map(str, version))}
    if tensorflow:
        versions["tensorflow"] = found[tensorflow]
    keras = {name: found[name] for name in ("tf-keras", "keras") if name in found}
    if "tf-keras" in keras and _number(versions.get("tensorflow", "0")) < (2, 16):
        del keras["tf-keras"]
    return Interpreter(python, versions | keras | {name: found[name] for name in FAMILY if name in found})


def with_tensorflow(wanted: str, announce: Callable[[str], None]) -> Interpreter:
    """An interpreter with this TensorFlow: the path of one, this one, or one made in the cache with venv and pip.

    Raises NotInstalledError when none can be had.
    """
    if os.sep in wanted or shutil.which(wanted):
        return interpreter(wanted)
    own = interpreter(sys.executable)
    if _is(own.tensorflow, wanted):
        return own
    if not wanted.replace(".", "").isdecimal():
        raise NotInstalledError(f"{wanted}: takes a version of TensorFlow such as 2.15, or the path of an interpreter")
    folder = directory() / "environments" / f"tensorflow-{wanted}"
    ready = _python_in(folder)
    if not ready.exists() or not _is(interpreter(str(ready)).tensorflow, wanted):
        _make(folder, wanted, announce)
    return interpreter(str(ready))


def _make(folder: Path, wanted: str, announce: Callable[[str], None]) -> None:
    """An environment with this TensorFlow and its Keras 2, by the first Python that there is such a TensorFlow for."""
    said = "there is no Python here that it could be installed with"
    legacy = [f"tf-keras=={_minor(wanted)}.*"] if _number(wanted) >= (2, 16) else []
    for python in _pythons():
        for name in ("tensorflow-cpu", "tensorflow"):
            announce(f"installing {name} {wanted} for {python} into {folder} ...")
            shutil.rmtree(folder, ignore_errors=True)
            requirement = f"{name}=={wanted}.*" if wanted.count(".") < 2 else f"{name}=={wanted}"
            pip = [str(_python_in(folder)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            commands: Sequence[list[str]] = ([python, "-m", "venv", str(folder)], [*pip, requirement, *legacy])
            done = None
            for command in commands:
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if done.returncode:
                    break
            if done is not None and not done.returncode:
                return
            said = _error_line(done.stderr if done else "") or said
    shutil.rmtree(folder, ignore_errors=True)
    raise NotInstalledError(f"TensorFlow {wanted} cannot be installed: {said}")


def _error_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip() and "WARNING" not in line]
    return next((line for line in lines if line.startswith("ERROR")), lines[-1] if lines else "")[:300]


def _pythons() -> Iterator[str]:
    """Every Python that can be run here, this one first, each version once."""
    seen = set()
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    others = [str(path / "bin" / "python") for path in sorted(root.glob("3.*"), reverse=True)]
    for python in (sys.executable, *filter(None, map(shutil.which, _PYTHONS)), *others):
        try:
            version = interpreter(python).versions["python"].rpartition(".")[0]
        except NotInstalledError:
            continue
        if version not in seen and _number(version) >= (3, 9):
            seen.add(version)
            yield python


def _python_in(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _is(version: str, wanted: str) -> bool:
    return version == wanted or version.startswith(f"{wanted}.")


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdecimal())
