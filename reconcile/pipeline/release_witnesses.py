"""The same build somewhere else: in a native interpreter of the release's time, and with other TensorFlows."""

import os
from collections.abc import Iterator, Sequence
from typing import Any

from reconcile.environments.archives import install, tree_path
from reconcile.environments.interpreters import Interpreter, interpreter, with_tensorflow
from reconcile.environments.packages import settings
from reconcile.environments.release_runs import Job, run_releases
from reconcile.environments.worker_process import describe_build
from reconcile.errors import BuildError, InputError, ReconcileError
from reconcile.inventory import Inventory
from reconcile.pipeline.release_results import Running, inventory, stack
from reconcile.releases.agreeing import disagreements
from reconcile.releases.lock import PROJECT, Lock, Release
from reconcile.releases.matrix import MODELS, Matrix, ReleaseAnswer
from reconcile.releases.results import Plan, plan
from reconcile.releases.versions import chosen
from reconcile.spec import Spec

MOST_SHOWN = 6


def witnessed(
    lock: Lock,
    span: str | None,
    every: bool,
    spec: Spec,
    python: str | None,
    wanted: Sequence[str],
    running: Running,
) -> Matrix:
    """Releases beside their native builds, and over TensorFlows. Without a range: the one that is installed there, or
    the last one."""
    models = plan(spec)
    versions = list(lock.releases) if every else chosen(span, list(lock.releases)) if span else []
    asked = [lock.releases[version] for version in versions]
    answers: list[ReleaseAnswer] = []
    if python:
        answers += native(python, lock, asked, models, running)
    if wanted:
        answers += tensorflows(wanted, asked or [lock.importable[-1]], models, running)
    refused = tuple((release.version, release.reason) for release in asked if not release.importable)
    return Matrix(spec.name, spec.title, (), (), {}, (), (), refused, (), every=True, answers=tuple(answers))


def native(
    python: str, lock: Lock, releases: Sequence[Release], plan: Plan, running: Running
) -> Iterator[ReleaseAnswer]:
    """Each release built by another interpreter's own TensorFlow, without the adaptation, beside the build of here.

    Without releases the keras-bert that is installed there is taken. Raises NotInstalledError and InputError.
    """
    there = interpreter(python)
    if not there.tensorflow:
        raise InputError(
            "--native", got=f"{python}, which has no TensorFlow", takes="a Python that TensorFlow is installed in"
        )
    own = there.versions.get(PROJECT)
    if not releases:
        if own is None or own not in lock.releases:
            raise InputError(
                "--native", got=f"{python}, which has no {PROJECT}", takes=f"a RANGE, or a Python with {PROJECT}"
            )
        releases = [lock.releases[own]]
    releases = [release for release in releases if release.importable]
    install([archive for release in releases for archive in release.archives], running.announce)
    here = dict(_here(releases, plan, running))
    for release in releases:
        running.announce(f"building {release.version} with {python} ...")
        yield _beside(release, here[release.version], there, plan, running, injected=release.version != own)


def _here(releases: Sequence[Release], plan: Plan, running: Running) -> Iterator[tuple[str, dict[str, Inventory]]]:
    versions = stack()
    jobs = [_main_job(plan, release) for release in releases]
    for ran in run_releases(
        jobs, _no_fill, timeout=running.timeout, memory_limit=running.memory_limit, settings=settings(versions)
    ):
        if ran.failed:
            raise BuildError(f"{PROJECT} {ran.release}: {ran.failed}")
        models = ran.described["models"]
        yield ran.release, {name: inventory(models[name]) for name in models if "layers" in models[name]}


def _beside(
    release: Release, ours: dict[str, Inventory], there: Interpreter, plan: Plan, running: Running, injected: bool
) -> ReleaseAnswer:
    variables = {**there.settings, "TF_KERAS": "0"}
    if injected:
        trees = [str(tree_path(str(archive.sha256))) for archive in release.archives]
        variables["PYTHONPATH"] = os.pathsep.join(trees)
    lines, grave = [], False
    for name in (name for name in MODELS if name in ours):
        try:
            row = describe_build(
                plan.models[name], running.timeout, running.memory_limit, there.python, variables, plan.droppable
            )
        except ReconcileError as error:
            lines.append(f"{name}: {error}")
            grave = True
            continue
        found = list(disagreements(ours[name], inventory(row)))
        grave |= any(not harmless for _, harmless in found)
        total = f"{row['total']:,} parameters in {len(row['layers'])} layers"
        lines.append(f"{name}: {total}, {'the same inventory' if not found else f'{len(found)} differences'}")
        lines += [f"{name}: {text}{' (changes nothing)' if harmless else ''}" for text, harmless in found[:MOST_SHOWN]]
        lines += [f"{name}: and {len(found) - MOST_SHOWN} more"] if len(found) > MOST_SHOWN else []
    where = f"Python {there.versions['python']} with TensorFlow {there.tensorflow}"
    return ReleaseAnswer(
        f"{release.version} built natively by {where}", tuple(lines), (release.version,), "error" if grave else "note"
    )


def tensorflows(
    wanted: Sequence[str], releases: Sequence[Release], plan: Plan, running: Running
) -> Iterator[ReleaseAnswer]:
    """Each release with several TensorFlows: whether the inventories are the same, and where what is printed is not."""
    releases = [release for release in releases if release.importable]
    install([archive for release in releases for archive in release.archives], running.announce)
    stacks = [with_tensorflow(one, running.announce) for one in wanted]
    built: dict[str, list[tuple[Interpreter, dict[str, Any]]]] = {release.version: [] for release in releases}
    for one in stacks:
        if not one.tensorflow:
            raise InputError("--tensorflow", got=one.python, takes="an interpreter that TensorFlow is installed in")
        running.announce(f"building with TensorFlow {one.tensorflow} ...")
        jobs = [_main_job(plan, release, summary=True) for release in releases]
        for ran in run_releases(
            jobs,
            _no_fill,
            timeout=running.timeout,
            memory_limit=running.memory_limit,
            settings=one.settings,
            python=one.python,
        ):
            built[ran.release].append((one, {"failed": ran.failed, **ran.described}))
    yield from (_over_tensorflows(release, rows) for release, rows in built.items())


def _over_tensorflows(release: str, rows: Sequence[tuple[Interpreter, dict[str, Any]]]) -> ReleaseAnswer:
    lines, grave = [], False
    first: dict[str, Any] | None = None
    for one, result in rows:
        name = f"TensorFlow {one.tensorflow}"
        models = result.get("models", {})
        if result["failed"] or "layers" not in models.get(MODELS[0], {}):
            lines.append(f"{name}: {result['failed'] or models.get(MODELS[0])}")
            grave = True
            continue
        models = {key: row for key, row in models.items() if "layers" in row}
        total = f"{name}: {models[MODELS[0]]['total']:,} parameters"
        if first is None:
            first = models
            lines.append(total)
            continue
        found = [text for key in models for text, _ in disagreements(inventory(first[key]), inventory(models[key]))]
        grave |= bool(found)
        lines.append(f"{total}, {'the same inventory' if not found else '; '.join(found[:MOST_SHOWN])}")
    lines += _printed([(one, result["models"][MODELS[0]]) for one, result in rows if _has_summary(result)])
    return ReleaseAnswer(f"{release} over TensorFlow", tuple(lines), (release,), "error" if grave else "note")


def _has_summary(result: dict[str, Any]) -> bool:
    return "summary" in result.get("models", {}).get(MODELS[0], {})


def _printed(rows: Sequence[tuple[Interpreter, dict[str, Any]]]) -> Iterator[str]:
    """Whether the printed summaries are the same, and how each prints the largest layer and the total."""
    texts = [[line.rstrip() for line in row["summary"].splitlines()] for _, row in rows]
    if all(text == texts[0] for text in texts):
        yield "the printed summary is the same, line by line"
    else:
        shared = set.intersection(*map(set, texts))
        own = [sum(1 for line in text if line not in shared) for text in texts]
        said = [
            f"TensorFlow {one.tensorflow} {count} of {len(text)}"
            for (one, _), count, text in zip(rows, own, texts, strict=True)
        ]
        yield f"the printed summary is not; lines that the others do not print so: {', '.join(said)}"
    for (one, row), text in zip(rows, texts, strict=True):
        largest = max(row["layers"], key=lambda layer: int(layer["params"]))
        shown = list(_row_of(largest["name"], text))
        digits = str(largest["params"])
        whole = digits in shown[0].split() if shown else True
        how = "" if whole else ", the digits that do not fit on the line below"
        yield f"TensorFlow {one.tensorflow} prints {largest['name']} with its {largest['params']:,} parameters as{how}"
        yield from (f"    {line}" for line in shown)
        yield from (f"    {line}" for line in text if line.strip().startswith("Total params"))


def _row_of(name: str, text: Sequence[str]) -> Iterator[str]:
    """The lines of one row of a printed summary, which may cut the name at the column's edge."""
    firsts = [(line.split() or [""])[0] for line in text]
    start = next((place for place, first in enumerate(firsts) if len(first) > 8 and name.startswith(first)), None)
    for line in text[start:] if start is not None else ():
        if not line.strip():
            return
        yield line


def _main_job(plan: Plan, release: Release, summary: bool = False) -> Job:
    """The models themselves, without those that are only run."""
    paths = tuple(tree_path(str(archive.sha256)) for archive in release.archives)
    models = {name: plan.models[name] for name in MODELS}
    return Job(release.version, paths, models, plan.droppable, summary=summary)


def _no_fill(release: str, described: Any) -> dict[str, Any]:
    return {}
