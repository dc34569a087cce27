"""Ask the package index through pip itself, with everything the user has configured for it: mirrors, proxies, keys.

Run as a program. The job on standard input is {"list": [projects]} or {"fetch": [{"file", "project", "sha256"}],
"into": folder}, with the most bytes that one answer may have in "largest"; each answer is one line of JSON. No archive
is opened, and no `setup.py` is run, as `pip download` does for a version number that the lock already has.
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

MISSING, WRONG, LARGE = "missing", "wrong", "large"


class Client(DownloadCommand):
    """pip's `download` with its options and its session, and other work to do with them."""

    def run(self, options, args):
        job = json.load(sys.stdin)
        session = self.get_default_session(options)
        session.hooks["response"].append(lambda answer, **settings: bounded(answer, job["largest"]))
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
                **fetched(session, found[project].get(wanted["file"]), wanted, job),
            )
        return 0


def links(finder, project):
    """The source archives that the index has of a project, by their names."""
    return {candidate.link.filename: candidate.link for candidate in finder.find_all_candidates(project)}


def hash_of(link):
    return link.hash_name, link.hash


def bounded(answer, largest):
    """Read what the index answers, up to so many bytes, before pip would read all of it."""
    data = bytearray()
    for block in answer.iter_content(2**16):
        data += block
        if len(data) > largest:
            answer.close()
            raise TooLargeError(f"{answer.url}: more than {largest:,} bytes")
    answer._content, answer._content_consumed = bytes(data), True
    return answer


class TooLargeError(Exception):
    """The index gives more than anything that is asked for has."""


def fetched(session, link, wanted, job):
    """Put one archive into the folder under its hash, if it has that hash."""
    if link is None:
        return {"state": MISSING}
    try:
        data = contents(session, link, job["largest"])
    except TooLargeError:
        return {"state": LARGE}
    digest = hashlib.sha256(data).hexdigest()
    if wanted["sha256"] not in (None, digest):
        return {"state": WRONG, "sha256": digest}
    folder = job["into"]
    handle, unfinished = tempfile.mkstemp(dir=folder, suffix=".part")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(unfinished).replace(Path(folder, digest))
    return {"state": "here", "sha256": digest}


def contents(session, link, largest):
    """The bytes of an archive."""
    if not link.is_file:
        answer = session.get(link.url.split("#", 1)[0], headers={"Accept-Encoding": "identity"})
        answer.raise_for_status()
        return answer.content
    with Path(link.file_path).open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise TooLargeError(link.file_path)
    return data


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
