"""Ask the package index through pip itself, with everything the user has configured for it: mirrors, proxies, keys.

Run as a program. The job on standard input is {"list": [projects]} or {"fetch": [{"file", "project", "sha256"}],
"into": folder}; each answer is one line of JSON. No archive is opened, and no `setup.py` is run, as `pip download` does
for a version number that the lock already has.
"""

import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path

try:
    import pip  # noqa: F401
except ImportError:  # an environment that was made without pip; Python brings it along
    import ensurepip

    sys.path += map(str, Path(ensurepip.__file__).parent.glob("_bundled/pip-*.whl"))

from pip._internal.commands.download import DownloadCommand

LARGEST = 16 * 2**20
MISSING, WRONG = "missing", "wrong"


class Client(DownloadCommand):
    """pip's `download` with its options and its session, and other work to do with them."""

    def run(self, options, args):
        job = json.load(sys.stdin)
        session = self.get_default_session(options)
        finder = self._build_package_finder(options, session)
        found = {}
        for project in job.get("list", ()):
            for link in links(finder, project).values():
                say(project=project, file=link.filename, sha256=dict([hash_of(link)]).get("sha256"))
        for wanted in job.get("fetch", ()):
            project = wanted["project"]
            if project not in found:
                found[project] = links(finder, project)
            say(
                file=wanted["file"],
                known=len(found[project]),
                **fetched(session, found[project].get(wanted["file"]), wanted, job["into"]),
            )
        return 0


def links(finder, project):
    """The source archives that the index has of a project, by their names."""
    return {candidate.link.filename: candidate.link for candidate in finder.find_all_candidates(project)}


def hash_of(link):
    return link.hash_name, link.hash


def fetched(session, link, wanted, folder):
    """Put one archive into the folder under its hash, if it has that hash."""
    if link is None:
        return {"state": MISSING}
    if link.is_file:
        with Path(link.file_path).open("rb") as file:
            data = file.read(LARGEST + 1)
    else:
        answer = session.get(link.url.split("#", 1)[0], headers={"Accept-Encoding": "identity"})
        answer.raise_for_status()
        data = answer.content
    digest = hashlib.sha256(data).hexdigest()
    if wanted["sha256"] not in (None, digest):
        return {"state": WRONG, "sha256": digest}
    handle, unfinished = tempfile.mkstemp(dir=folder, suffix=".part")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(unfinished).replace(Path(folder, digest))
    return {"state": "here", "sha256": digest}


def say(**answer):
    OUT.write(json.dumps(answer) + "\n")
    OUT.flush()


if __name__ == "__main__":
    OUT = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    command = Client("download", "Ask the index.")
    sys.exit(
        command.main(["--no-binary=:all:", "--no-deps", "--retries=2", "--disable-pip-version-check", *sys.argv[1:]])
    )
