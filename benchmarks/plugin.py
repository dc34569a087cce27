"""What the pytest plugin costs where no test uses it: collecting a project with it and without it."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measure import compare, python
from benchmarks.rows import Row

TESTS = "\n".join(f"def test_{number}(): pass" for number in range(50))


def plugin_unused() -> Iterator[Row]:
    """`pytest --collect-only` over 20 modules of 50 tests, with the plugin and with `-p no:reconcile`."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(20):
            (Path(folder) / f"test_{number}.py").write_text(TESTS, "utf-8")
        options = ("-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "--rootdir", folder, folder)
        ours, other = compare(python(*options), python(*options, "-p", "no:reconcile"), times=15, watch=False)
    yield Row("collecting 1,000 tests, against -p no:reconcile", ours.seconds * 1000, other.seconds * 1000, 1.03, "ms")


MEASUREMENTS: tuple[Callable[[], Iterator[Row]], ...] = (plugin_unused,)
