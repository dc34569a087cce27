"""What was built of each release before, kept by content: packages, arguments, worker and versions give the same."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reconcile.datafile import PACKAGE
from reconcile.environments import cache
from reconcile.environments.packages import worker_files
from reconcile.frozen import dataclass
from reconcile.releases.lock import Release
from reconcile.spec import Spec, load_spec

if TYPE_CHECKING:
    from reconcile.environments.release_runs import Job

NUMERICS = " in small"
"""Behind a model's name: the same with the sizes of the smallest spec, to be run."""

SMALLEST = "tiny"


@dataclass(frozen=True, slots=True)
class Plan:
    """The models to build of every release: the arguments of each, which need not be taken, and which models to run."""

    models: Mapping[str, Mapping[str, Any]]
    droppable: tuple[str, ...]
    numerics: tuple[str, ...]

    def job(self, release: Release) -> "Job":
        """The plan for one release whose packages are installed."""
        from reconcile.environments.archives import tree_path
        from reconcile.environments.release_runs import Job

        paths = tuple(tree_path(str(archive.sha256)) for archive in release.archives)
        return Job(release.version, paths, self.models, self.droppable, self.numerics)


def plan(spec: Spec) -> Plan:
    """A release's own defaults hold for what a spec leaves open; with their sizes made small the models are run too."""
    given = {name: spec.arguments[name] for name in spec.arguments if name not in spec.defaulted}
    passed = {name: None if value == "none" else value for name, value in given.items() if name != "training"}
    tiny = load_spec(SMALLEST)
    small = {**passed, **{name: tiny.arguments[name] for name in tiny.arguments if name not in tiny.defaulted}}
    models: dict[str, Mapping[str, Any]] = {"training": passed, "inference": {**passed, "training": False}}
    numerics = list(models)
    if small != passed:
        numerics = [name + NUMERICS for name in models]
        models |= {"training" + NUMERICS: small, "inference" + NUMERICS: {**small, "training": False}}
    return Plan(models, tuple(sorted(_droppable(spec, given))), tuple(numerics))


def _droppable(spec: Spec, given: Mapping[str, Any]) -> Sequence[str]:
    """The arguments that say what is so without them."""
    from reconcile.dialect import load_dialect

    known = load_dialect(spec.builder).arguments
    return [name for name, value in given.items() if "default" in known[name] and known[name]["default"] == value]


def result_keys(plan: Plan, releases: Sequence[Release], versions: Mapping[str, str]) -> dict[str, str]:
    """A name for all that each release's results depend on, but for how the weights are filled."""
    common = hashlib.sha256(json.dumps([plan.models, plan.droppable, plan.numerics, dict(versions)]).encode())
    for file in worker_files():
        common.update(file.read_bytes())
    keys = {}
    for release in releases:
        digest = common.copy()
        digest.update(" ".join(str(archive.sha256) for archive in release.archives).encode())
        keys[release.version] = digest.hexdigest()
    return keys


def matrix_key(keys: Mapping[str, str], *asked: object) -> str:
    """A name for all that a finished matrix depends on: the results, what was asked, and every file of this package."""
    digest = hashlib.sha256(json.dumps([sorted(keys.items()), [str(one) for one in asked]]).encode())
    folders = [str(PACKAGE)]
    for folder in folders:
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.is_dir() and not entry.name.startswith("__"):
                    folders.append(entry.path)
                elif entry.name.endswith((".py", ".toml", ".json")):
                    found = entry.stat()
                    digest.update(f"{entry.path} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def load(key: str) -> dict[str, Any] | None:
    """What is kept under a key."""
    return cache.load(f"release-{key}")


def save(key: str, table: Mapping[str, Any]) -> None:
    """Keep plain data under a key."""
    cache.save(f"release-{key}", table)


def fill_digest(rules: Any) -> str:
    """A name for how weights are filled."""
    return hashlib.sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()
