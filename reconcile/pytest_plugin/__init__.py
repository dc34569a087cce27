"""The pytest plugin: a model in a test reconciles, keeps its structure, and is built with several releases.

pytest loads this module in every session of an environment that has the distribution, so it imports nothing of the
package; the fixtures do, when a test asks for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reconcile.pytest_plugin.session import Record
    from reconcile.report.types import Report

MARKER = (
    "reconcile_releases(*ranges): run the test once for each keras-bert release of the ranges ('0.16..0.89', '>=0.70', "
    "'0.15,0.16'); its fixture keras_bert_release builds models with that release"
)
RELEASES = "reconcile_releases"
RECORD = "_reconcile_record"
HANDED_ON = "reconcile"
"""Under which name a worker of pytest-xdist hands on what it knows."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Two options, in a group of their own."""
    group = parser.getgroup("reconcile", "structure of models")
    group.addoption(
        "--reconcile-update",
        action="store_true",
        help="Write what model_snapshot compares with, and remove the snapshots that no test uses.",
    )
    group.addoption("--reconcile-strict", action="store_true", help="Fail when there are snapshots that no test uses.")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", MARKER)


@pytest.fixture
def reconciled() -> Callable[..., Report]:
    """A function that asserts that a model, or any source that `reconcile read` takes, reconciles.

    `reconciled(model_or_source, *, spec=None, against=None, fail_on="error", index=None, against_index=None)`: `spec`
    names the model that it should be; `against` is another model or source that it must not differ from; the indices
    say which of several models in each is meant, from 1. A finding or difference at or above `fail_on` (error, warning,
    note) fails the test with a table. Returns the report.
    """
    __tracebackhide__ = True
    from reconcile.pytest_plugin.checks import check

    return check


@pytest.fixture
def model_snapshot(request: pytest.FixtureRequest) -> Callable[..., None]:
    """A function that compares a model's structure with the snapshot beside the test.

    `model_snapshot(model_or_source, name=None, *, index=None)`: a missing snapshot fails and says how to write it, and
    a changed model with its components that differ. Several snapshots of one test are numbered, or get a `name`;
    `index` says which of several models in the source is meant, from 1.
    """
    __tracebackhide__ = True
    from reconcile.pytest_plugin.snapshots import Snapshots

    return Snapshots(request.node, _record(request.config), bool(request.config.getoption("--reconcile-update")))


@pytest.fixture
def keras_bert_release(request: pytest.FixtureRequest) -> Any:
    """The release that a test marked with `reconcile_releases` runs with.

    It has a `version` and a `date`; `build(model="tiny", **arguments)` gives what `reconciled` and `model_snapshot`
    take.
    """
    if not hasattr(request, "param"):
        raise pytest.UsageError(f"{request.node.nodeid}: keras_bert_release needs the marker @pytest.mark.{RELEASES}")
    return request.param


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test for each release that the marker names."""
    marker = metafunc.definition.get_closest_marker(RELEASES)
    if marker is None:
        return
    from reconcile.pytest_plugin.releases import parameters

    if "keras_bert_release" not in metafunc.fixturenames:
        raise pytest.UsageError(f"{metafunc.definition.nodeid}: the marker {RELEASES} needs keras_bert_release")
    releases, ids = parameters(marker, metafunc.definition.nodeid)
    metafunc.parametrize("keras_bert_release", releases, indirect=True, ids=ids)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Note every test before some are deselected: a snapshot of a test that is not run is not unused."""
    setattr(config, RECORD + "_items", list(items))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Iterator[None]:
    """Note which tests passed: only those have used all the snapshots that they use."""
    outcome: Any = yield
    report = outcome.get_result()
    if report.when == "call" and report.passed:
        passed: set[str] | None = getattr(item.config, RECORD + "_passed", None)
        if passed is None:
            setattr(item.config, RECORD + "_passed", passed := set())
        passed.add(item.nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Take over what a worker of pytest-xdist knows."""
    output = getattr(node, "workeroutput", {})
    if HANDED_ON in output:
        _record(node.config).take_over(output[HANDED_ON])
    else:
        _record(node.config).whole = False


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """In a worker hand on what is known; in the one session of the user look for snapshots that no test uses."""
    config = session.config
    record = getattr(config, RECORD, None)
    items: list[pytest.Item] = getattr(config, RECORD + "_items", [])
    if config.getoption("collectonly") or (record is None and not _has_snapshots(items)):
        return
    record = _record(config)
    record.collect(items, getattr(config, RECORD + "_passed", set()))
    if hasattr(config, "workeroutput"):
        config.workeroutput[HANDED_ON] = record.handed_on()
        return
    record.finish(bool(config.getoption("--reconcile-update")))
    if record.unused and config.getoption("--reconcile-strict") and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Tell which snapshots were written or removed, and which no test uses."""
    record = getattr(config, RECORD, None)
    if record is not None and (told := record.told(bool(config.getoption("--reconcile-strict")))):
        terminalreporter.section("reconcile snapshots")
        for line in told:
            terminalreporter.line(line)


def _record(config: pytest.Config) -> Record:
    """What is known of the session's snapshots."""
    record: Record | None = getattr(config, RECORD, None)
    if record is None:
        from reconcile.pytest_plugin.session import Record

        record = Record(config)
        setattr(config, RECORD, record)
    return record


def _has_snapshots(items: list[pytest.Item]) -> bool:
    """Whether there is a folder of snapshots beside any test; one look for each folder of tests."""
    return any((folder / "__snapshots__").is_dir() for folder in {item.path.parent for item in items})
