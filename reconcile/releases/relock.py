"""Make the lock anew from the package index: nothing is run, everything is read from the archives."""

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reconcile.datafile import write_whole
from reconcile.environments.archives import archive_path, install, made_at, text_in, tree_path
from reconcile.environments.index import Archive, listed
from reconcile.environments.packages import FAMILY
from reconcile.errors import ArchiveError
from reconcile.releases.lock import PROJECT, Release
from reconcile.releases.versions import allows, key

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9_.-]+)\s*(.*)")
_UNDECLARED = ">=0"
Dated = Mapping[str, Sequence[tuple[float, Archive]]]


def relock(path: Path, announce: Callable[[str], None] = lambda line: None) -> int:
    """Write the lock of all that the index has now, whole or not at all; returns the number of releases.

    Raises ArchiveError when the index cannot be asked, or a package that is required has no version that fits.
    """
    archives = install([one for one in listed(FAMILY) if re.fullmatch(r"[\d.]+", one.version)], announce)
    dated: dict[str, list[tuple[float, Archive]]] = {}
    for archive in archives:
        dated.setdefault(archive.project, []).append((made_at(archive_path(str(archive.sha256))), archive))
    rows: dict[str, Any] = {}
    used: dict[str, str | None] = {}
    for made, archive in sorted(dated[PROJECT], key=lambda pair: key(pair[1].version)):
        rows[archive.version], held = _row(made, archive, dated)
        used |= {one.file: one.sha256 for one in held}
    lines = [f" {json.dumps(version)}: {json.dumps(row)}" for version, row in rows.items()]
    hashes = [f" {json.dumps(name)}: {json.dumps(used[name])}" for name in sorted(used)]
    text = '{"releases": {\n' + ",\n".join(lines) + '\n},\n"archives": {\n' + ",\n".join(hashes) + "\n}}\n"
    write_whole(path, text.encode("utf-8"))
    return len(rows)


def of_today(release: Release, asked: Mapping[str, str], archives: Sequence[Archive]) -> tuple[Archive, ...]:
    """A release's siblings as an installation takes them now: of these archives the newest that are allowed.

    `asked` are conditions on packages that come before what the packages require loosely. All archives must be in the
    cache. Raises ArchiveError where no version is allowed.
    """
    dated: dict[str, list[tuple[float, Archive]]] = {}
    for archive in archives:
        dated.setdefault(archive.project, []).append((0.0, archive))
    held, _ = _resolved(0.0, release.archives[0], dated, asked)
    return tuple(held[1:])


def _row(made: float, archive: Archive, dated: Dated) -> tuple[dict[str, Any], list[Archive]]:
    """A release's row of the lock, and the archives that it uses."""
    row: dict[str, Any] = {"date": datetime.fromtimestamp(made, UTC).date().isoformat()}
    if reason := _lacking(tree_path(str(archive.sha256))):
        return {**row, "siblings": {}, "reason": reason}, [archive]
    held, repairs = _resolved(made, archive, dated)
    siblings = {one.project: one.version for one in sorted(held[1:], key=lambda one: one.project)}
    return {**row, "siblings": siblings, **({"repairs": repairs} if repairs else {})}, held


def _resolved(
    made: float, release: Archive, dated: Dated, pinned: Mapping[str, str] = {}
) -> tuple[list[Archive], list[str]]:
    """The release and its siblings as they were when it was made.

    An exact requirement goes before a loose one, and of two that contradict each other the one nearer to the release.
    What is imported and nowhere required comes last. `pinned` are exact requirements that are known from the start.
    """
    held, repairs = {release.project: release}, []
    loose = set()
    pending = [(release, project, conditions) for project, conditions in _requirements(release)]
    while pending or (pending := _undeclared(list(held.values()))):
        pending.sort(key=lambda wish: not wish[2].startswith("=="))
        wanting, project, conditions = pending.pop(0)
        by = f"{wanting.project} {wanting.version}"
        if project not in held:
            if not conditions.startswith("=="):
                loose.add(project)
                conditions = pinned.get(project, conditions)
            held[project] = one = _newest(project, conditions, made, dated, wanting)
            pending += [(one, *requirement) for requirement in _requirements(one)]
            if conditions == _UNDECLARED:
                repairs.append(f"{by} imports {project}, which nothing requires")
        elif not allows(conditions, held[project].version):
            if project in loose and conditions.startswith("==") and project not in pinned:
                return _resolved(made, release, dated, {**pinned, project: conditions})
            repairs.append(f"{by} requires {project}{conditions}, not {held[project].version}")
    return list(held.values()), repairs


def _undeclared(held: Sequence[Archive]) -> list[tuple[Archive, str, str]]:
    """The packages that these import and that are not among them."""
    here = {one.project for one in held}
    return [(one, project, _UNDECLARED) for one in held for project in _imported(one) if project not in here]


def _newest(project: str, conditions: str, made: float, dated: Dated, wanting: Archive) -> Archive:
    """The newest version that the conditions allow and that was there when the release was made."""
    fitting = [pair for pair in dated.get(project, ()) if allows(conditions, pair[1].version)]
    of_its_day = [pair for pair in fitting if pair[0] <= made] or sorted(fitting, key=lambda pair: pair[0])[:1]
    if not of_its_day:
        raise ArchiveError(f"{wanting.file} requires {project}{conditions}, and the package index has no such version")
    return max(of_its_day, key=lambda pair: key(pair[1].version))[1]


def _requirements(archive: Archive) -> Iterator[tuple[str, str]]:
    """The packages of the family that an archive requires, with its conditions on their versions."""
    text = text_in(archive_path(str(archive.sha256)), "*.egg-info/requires.txt") or ""
    for line in text.split("\n[", 1)[0].splitlines():  # what is behind a heading is an extra
        found = _REQUIREMENT.match(line)
        if found and found[1].lower().replace("_", "-") in FAMILY:
            yield found[1].lower().replace("_", "-"), found[2].strip()


def _imported(archive: Archive) -> Iterator[str]:
    """The packages of the family that an archive's modules import from outside."""
    names = {name for _, name in _imports(tree_path(str(archive.sha256))) if not name.startswith(".")}
    packages = {name.split(".")[0].replace("_", "-") for name in names}
    yield from (project for project in FAMILY if project in packages and project != archive.project)


def _lacking(tree: Path) -> str:
    """What a package's modules import from the package itself and is not in it; empty when all is there."""
    for file, name in _imports(tree):
        levels = len(name) - len(name.lstrip("."))
        steps = [step for step in name.split(".") if step]
        if levels or (tree / steps[0]).is_dir():
            target = (file.parents[levels - 1] if levels else tree).joinpath(*steps)
            if not (target.is_dir() or target.with_suffix(".py").is_file()):
                return f"{file.relative_to(tree)} imports {name}, which is not in the archive"
    return ""


def _imports(tree: Path) -> Iterator[tuple[Path, str]]:
    """Each module's imports, relative ones with their dots."""
    for file in sorted(tree.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.ImportFrom):
                yield file, "." * node.level + (node.module or "")
            elif isinstance(node, ast.Import):
                yield from ((file, alias.name) for alias in node.names)
