"""Releases -> what came of building each: kept results where there are any, and the worker for the rest."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from reconcile.environments.packages import build_versions, settings
from reconcile.errors import ReconcileError
from reconcile.frozen import dataclass
from reconcile.releases.lock import Release
from reconcile.releases.matrix import MODELS
from reconcile.releases.results import NUMERICS, Plan, fill_digest, load, result_keys, save

if TYPE_CHECKING:
    from reconcile.inventory import Inventory
    from reconcile.mapping.ledger import Ledger
    from reconcile.releases.states import Outcome

TIMEOUT = 600.0
"""Seconds that one release may take unless the user says otherwise."""


def _quiet(line: str) -> None:
    """Nobody is told."""


def _still(release: str, done: int, of: int) -> None:
    """Nobody is told."""


@dataclass(frozen=True, slots=True)
class Running:
    """How releases are built: limits for each (seconds, bytes), how many at once (0: as fits), and who is told.

    `announce` is told what is going on, `tell` the release at work or just done, how many are done and how many there
    are.
    """

    timeout: float = TIMEOUT
    memory_limit: int | None = None
    parallel: int = 0
    use_cache: bool = True
    announce: Callable[[str], None] = _quiet
    tell: Callable[[str, int, int], None] = _still


def stack() -> dict[str, str]:
    """The versions of what every release is built on: Python, TensorFlow and its Keras 2. Raises NotInstalledError."""
    return {name: version for name, version in build_versions().items() if not name.startswith("keras-")}


def outcomes_of(releases: Sequence[Release], plan: Plan, running: Running) -> "list[Outcome]":
    """What came of each release that can be imported, in order. Raises ArchiveError and BuildError."""
    versions = stack()
    keys = result_keys(plan, releases, versions)
    found: dict[str, Mapping[str, Any] | None] = {
        release.version: _kept(keys[release.version], plan, release) if running.use_cache else None
        for release in releases
    }
    missing = [release for release in releases if found[release.version] is None]
    for version, result in _built(missing, plan, versions, running):
        found[version] = result
        if running.use_cache and not result["failed"]:
            save(keys[version], result)
    return [_outcome(release, found[release.version] or {}) for release in releases]


def _kept(key: str, plan: Plan, release: Release) -> Mapping[str, Any] | None:
    """What is kept of a release, if it is a result and its weights were filled as they would be now."""
    kept = load(key)
    try:
        fits = kept is not None and kept["filled"] == fill_digest(_rules(plan, kept["described"]))
        if kept is not None and fits:
            _outcome(release, kept)
    except (AttributeError, KeyError, TypeError, ValueError, IndexError, ReconcileError):
        return None
    return kept if fits else None


def _built(
    releases: Sequence[Release], plan: Plan, versions: Mapping[str, str], running: Running
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each release's result as it comes."""
    if not releases:
        return
    from reconcile.environments.archives import install
    from reconcile.environments.release_runs import run_releases

    archives = {archive.sha256: archive for release in releases for archive in release.archives}
    install(list(archives.values()), running.announce)
    running.announce(f"building {len(releases)} releases on TensorFlow {versions['tensorflow']} ...")
    rules: dict[str, Any] = {}
    done = [0]

    def fill(release: str, described: Mapping[str, Any]) -> dict[str, Any]:
        rules[release] = found = _rules(plan, described)
        return found

    for ran in run_releases(
        [plan.job(release) for release in releases],
        fill,
        timeout=running.timeout,
        memory_limit=running.memory_limit,
        settings=settings(versions),
        parallel=running.parallel,
        begin=lambda release: running.tell(release, done[0], len(releases)),
    ):
        done[0] += 1
        running.tell(ran.release, done[0], len(releases))
        filled = fill_digest(rules.get(ran.release, {}))
        result = {"described": ran.described, "computed": ran.computed, "failed": ran.failed, "filled": filled}
        yield ran.release, result


def _rules(plan: Plan, described: Mapping[str, Any]) -> dict[str, Any]:
    """How the weights of each model that is to be run are filled."""
    from reconcile.releases.filling import fill_rules

    models = described.get("models", {})
    named = {name: models[name] for name in plan.numerics if "layers" in models.get(name, {})}
    return {name: fill_rules(_mapped(row)) for name, row in named.items()}


def _mapped(row: Mapping[str, Any]) -> "Ledger":
    """What a worker described of one model, mapped; releases that build the same model share one ledger."""
    return _ledger(json.dumps(row, sort_keys=True))


@lru_cache(maxsize=64)
def _ledger(text: str) -> "Ledger":
    from reconcile.mapping.tensors import map_source

    return map_source(inventory(json.loads(text)))


def inventory(row: Mapping[str, Any]) -> "Inventory":
    """What a worker described of one model as an inventory."""
    from reconcile.environments.build import described_inventory

    return described_inventory(row, "now", {})


def _outcome(release: Release, result: Mapping[str, Any]) -> "Outcome":
    """A release's result with its models mapped."""
    from reconcile.releases.changes import Model
    from reconcile.releases.states import Outcome

    described = result.get("described", {})
    failed, models = str(result.get("failed", "")), {}
    rows = described.get("models", {})
    for name in MODELS:
        row, small = rows.get(name, {}), rows.get(name + NUMERICS, {})
        if "layers" in row:
            computed = result.get("computed", {})
            outputs = computed.get(name + NUMERICS if small else name, small.get("failed"))
            models[name] = Model(release.version, _mapped(row), outputs)
        elif row.get("lacking", "training") != "training":
            failed = failed or f"its get_model takes no {row['lacking']}"
        failed = failed or row.get("failed", "")
    takes, supplied = described.get("takes", {}), tuple(described.get("supplied", ()))
    return Outcome(release.version, models, takes, supplied, failed)
