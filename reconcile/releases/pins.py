"""A user's requirements -> which versions of the keras-bert family they ask for."""

import re
from collections.abc import Iterator, Mapping, Sequence

from reconcile.environments.packages import FAMILY
from reconcile.errors import InputError
from reconcile.frozen import dataclass
from reconcile.releases.lock import PROJECT
from reconcile.releases.versions import allows, key

_LINE = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;#)]*)\)?")


@dataclass(frozen=True, slots=True)
class Pins:
    """The conditions on each package of the family that a file names, by package, and the line of each."""

    file: str
    conditions: Mapping[str, str]
    lines: Mapping[str, int]

    def exact(self, project: str) -> str | None:
        """The one version that is asked for; None where the file leaves it open."""
        found = re.fullmatch(r"={2,3}\s*([\d.]*\d)", self.conditions.get(project, ""))
        return found[1] if found else None


def read_pins(text: str, file: str) -> Pins:
    """The family's packages in a requirements file or the output of `pip freeze`; all else is passed over.

    Raises InputError for a condition of the family that cannot be read, or when keras-bert is not named.
    """
    conditions: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, line in _logical(text):
        found = _LINE.match(line)
        project = re.sub(r"[-_.]+", "-", found[1]).lower() if found else ""
        if found is None or project not in FAMILY or "@" in found[2] or "@" in line.split("#")[0]:
            continue
        stated = found[2].strip().replace("===", "==")
        if stated and allows(stated, "0") is None:
            raise InputError(file, f"line {number}", stated, f"versions of {project} such as ==0.89.0 or >=0.70,<0.80")
        conditions[project], lines[project] = stated, number
    if PROJECT not in conditions:
        raise InputError(file, got=f"no {PROJECT}", takes=f"a line such as {PROJECT}==0.89.0")
    return Pins(file, conditions, lines)


def _logical(text: str) -> Iterator[tuple[int, str]]:
    """Every line that may be a requirement, with its number; a backslash at the end joins the next one."""
    joined, start = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        start = start or number
        if line.rstrip().endswith("\\"):
            joined += line.rstrip()[:-1] + " "
            continue
        whole, first, joined, start = (joined + line).split(" --hash")[0].strip(), start, "", 0
        if whole and not whole.startswith(("#", "-")):
            yield first, whole


def release_of(pins: Pins, published: Sequence[str]) -> str:
    """The release that the requirements lead to: the newest that they allow. Raises InputError when there is none."""
    conditions = pins.conditions[PROJECT]
    allowed = [version for version in published if allows(conditions, version)]
    if not allowed:
        raise InputError(
            pins.file, f"line {pins.lines[PROJECT]}", f"{PROJECT}{conditions}",
            f"a release that is published: {published[0]} to {published[-1]}",
        )  # fmt: skip
    return max(allowed, key=key)
