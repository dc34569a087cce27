"""The fixture `model_snapshot`: missing, changed and unused snapshots, and files that every file system takes."""

import json
from pathlib import Path

import pytest
from ledgers import ledger

import reconcile.pytest_plugin.snapshots  # noqa: F401 - so that each run in this process finds it there
from reconcile.pytest_plugin.names import LONGEST, SUFFIX, file_name, owner, safe
from reconcile.render.snapshot import render

SMALL = {"V": 30, "P": 8, "T": 2, "H": 4, "A": 2, "D": 2, "F": 16, "L": 2, "S": 8}
"""30·4 + 8·4 + 2·4 + 2·4 = 168 in the embeddings; 2·(4·16 + 2·4·16 + 16 + 9·4) = 488 in the blocks: 656."""

TEST = """
def test_it(model_snapshot):
    model_snapshot("model.txt")
"""
BARE = ("-p", "no:xdist", "-p", "no:hypothesispytest")
FILE = Path("__snapshots__") / "test_keeps" / f"test_it{SUFFIX}"


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with one model and one test, which has no snapshot yet."""
    (pytester.path / "model.txt").write_text(render(ledger((), **SMALL)), "utf-8")
    (pytester.path / "test_keeps.py").write_text(TEST, "utf-8")
    return pytester


def change(project: pytest.Pytester, **sizes: int) -> None:
    """Give the model other sizes."""
    (project.path / "model.txt").write_text(render(ledger((), **{**SMALL, **sizes})), "utf-8")


def write(project: pytest.Pytester, text: str) -> None:
    """Give the project another test, in the same file."""
    (project.path / "test_keeps.py").write_text(text, "utf-8")


def files(project: pytest.Pytester) -> list[str]:
    return sorted(file.name.removesuffix(SUFFIX) for file in project.path.rglob(f"*{SUFFIX}"))


def run(project: pytest.Pytester, *options: str) -> tuple[int, str]:
    """The exit status and the output of pytest."""
    done = project.runpytest("-p", "no:cacheprovider", *BARE, *options)
    return int(done.ret), done.stdout.str()


def test_a_missing_snapshot_fails_and_says_how_to_write_it(project: pytest.Pytester) -> None:
    status, out = run(project)
    assert status == 1
    assert f"pytest --reconcile-update writes {FILE}; look at it, and commit it." in out
    assert "Traceback" not in out
    assert "def test_it" not in out
    assert files(project) == []


def test_a_snapshot_is_written_once_and_then_holds(project: pytest.Pytester) -> None:
    status, out = run(project, "--reconcile-update")
    assert (status, f"written: {FILE}" in out) == (0, True)
    text = (project.path / FILE).read_text("utf-8")
    assert text == render(ledger((), **SMALL))
    assert text.splitlines()[0] == "# reconcile snapshot 1: 656 parameters, bert"
    status, out = run(project, "--reconcile-strict")
    assert (status, "reconcile snapshots" in out) == (0, False)


def test_a_changed_model_fails_with_the_component_and_the_reason(project: pytest.Pytester) -> None:
    run(project, "--reconcile-update")
    before = (project.path / FILE).read_bytes()
    change(project, F=20)
    status, out = run(project)
    assert status == 1
    assert f"The model is not that of {FILE}." in out
    # 2 blocks × 4 more × 4 values
    assert "encoder.block[1..2].feed_forward.intermediate.kernel" in out
    assert "+32 = 2 × (20 − 16) × 4, F" in out
    assert "the model has a feed-forward size of 20 instead of 16; everything else agrees." in out
    assert "If that is meant, pytest --reconcile-update writes the snapshot anew." in out
    assert "def test_it" not in out
    assert (project.path / FILE).read_bytes() == before
    assert run(project, "--reconcile-update")[0] == 0
    assert run(project)[0] == 0


def test_what_only_the_text_has_is_shown_by_lines(project: pytest.Pytester) -> None:
    run(project, "--reconcile-update")
    file = project.path / FILE
    file.write_text(file.read_text("utf-8").replace("embeddings.token  V·H", "embeddings.token  H·V"), "utf-8")
    status, out = run(project)
    assert status == 1
    assert "-embeddings.token  H·V  (30, 4)  120  trainable" in out
    assert "+embeddings.token  V·H  (30, 4)  120  trainable" in out


def test_a_damaged_snapshot_is_told_with_its_line(project: pytest.Pytester) -> None:
    run(project, "--reconcile-update")
    file = project.path / FILE
    lines = file.read_text("utf-8").splitlines()
    lines[4] = "<<<<<<< HEAD"
    file.write_text("\n".join(lines), "utf-8")
    status, out = run(project)
    assert (status, "The snapshot cannot be read: " in out, "line 5" in out) == (1, True, True)


def test_names_cannot_steer_the_terminal(project: pytest.Pytester) -> None:
    run(project, "--reconcile-update")
    odd = render(ledger((), heads={"\x1b[2Jgone": (2, 3)}, **SMALL))
    (project.path / "model.txt").write_text(odd, "utf-8")
    status, out = run(project, "--color=no")
    assert (status, "\\u001b[2Jgone" in out, "\x1b" in out) == (1, True, False)


def test_line_ends_of_another_system_change_nothing(project: pytest.Pytester) -> None:
    run(project, "--reconcile-update")
    file = project.path / FILE
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert run(project)[0] == 0


SEVERAL = """
import pytest

@pytest.mark.parametrize("size", ["base", "Base", "a/b", "ü", "x" * 60])
def test_sizes(model_snapshot, size):
    model_snapshot("model.txt")

class TestAll:
    def test_two(self, model_snapshot):
        model_snapshot("model.txt")
        model_snapshot("model.txt")
        model_snapshot("model.txt", name="frozen")
"""


def test_several_snapshots_stand_in_files_of_their_own(project: pytest.Pytester) -> None:
    write(project, SEVERAL)
    assert run(project, "--reconcile-update")[0] == 0
    found = files(project)
    assert {"TestAll.test_two", "TestAll.test_two@2", "TestAll.test_two@frozen", "test_sizes-base"} <= set(found)
    assert len(found) == len({name.lower() for name in found}) == 8
    assert all(name.isascii() for name in found)
    assert run(project, "--reconcile-strict")[0] == 0


def test_a_name_is_given_once(project: pytest.Pytester) -> None:
    write(
        project, TEST.replace('"model.txt")', '"model.txt", name="one")') + '    model_snapshot("model.txt", "one")\n'
    )
    status, out = run(project, "--reconcile-update")
    assert (status, "takes a name that no other snapshot of this test has" in out) == (1, True)


TWO = TEST + TEST.replace("test_it", "test_other")
# What is run, with which options, on a project whose snapshots belong to test_it and test_other; which are unused.
UNUSED: dict[str, tuple[str, tuple[str, ...], list[str]]] = {
    "all are used": (TWO, (), []),
    "a test that is gone": (TEST, (), ["test_other"]),
    "a module that is gone": ("", (), []),
    "a test that needs no snapshot any more": (TEST + "\ndef test_other(): pass\n", (), ["test_other"]),
    "deselected by -k": (TWO, ("-k", "test_it"), []),
    "deselected": (TWO, ("--deselect", "test_keeps.py::test_other"), []),
    "one test by its id": (TWO, ("test_keeps.py::test_it",), []),
    "one test by its id, another gone": (TEST, ("test_keeps.py::test_it",), []),
    "stopped before": (TWO.replace('    model_snapshot("model.txt")', "    assert 0", 1), ("-x",), []),
    "a failing test": (TWO.replace('    model_snapshot("model.txt")', "    assert 0"), (), []),
    "a skipped test": (TEST + "\nimport pytest\n@pytest.mark.skip\ndef test_other(model_snapshot): 0\n", (), []),
    "only collected": (TEST, ("--collect-only",), []),
}


@pytest.mark.parametrize(("text", "options", "unused"), UNUSED.values(), ids=UNUSED)
def test_an_unused_snapshot_is_reported_and_only_that(
    project: pytest.Pytester, text: str, options: tuple[str, ...], unused: list[str]
) -> None:
    write(project, TWO)
    run(project, "--reconcile-update")
    assert files(project) == ["test_it", "test_other"]
    write(project, text)
    status, out = run(project, *options)
    assert [name for name in ("test_it", "test_other") if f"no test uses {FILE.parent / name}" in out] == unused
    strict, out = run(project, "--reconcile-strict", *options)
    assert strict == (1 if unused and not status else status)
    run(project, "--reconcile-update", *options)
    assert files(project) == [name for name in ("test_it", "test_other") if name not in unused]


def test_snapshots_of_a_module_that_is_gone_are_unused(project: pytest.Pytester) -> None:
    run(project, "--reconcile-update")
    (project.path / "test_keeps.py").rename(project.path / "test_kept.py")
    status, out = run(project, "--reconcile-update")
    assert (status, f"removed, as no test uses it: {FILE}" in out) == (0, True)
    assert not (project.path / FILE.parent).exists()
    assert (project.path / "__snapshots__" / "test_kept" / FILE.name).exists()


def test_after_a_failure_the_last_failed_alone_leave_the_others(project: pytest.Pytester) -> None:
    write(project, TWO)
    run(project, "--reconcile-update")
    write(project, TWO + "\ndef test_bad(): assert 0\n")
    project.runpytest(*BARE)
    done = project.runpytest(*BARE, "--lf", "--reconcile-strict")
    assert "no test uses" not in done.stdout.str()


def test_other_files_in_the_folder_are_left_alone(project: pytest.Pytester) -> None:
    run(project, "--reconcile-update")
    other = project.path / FILE.parent / "test_gone.json"
    other.write_text("{}", "utf-8")
    assert run(project, "--reconcile-update", "--reconcile-strict")[0] == 0
    assert other.exists()


@pytest.mark.slow
def test_workers_hand_on_what_they_used(project: pytest.Pytester) -> None:
    write(project, SEVERAL)
    done = project.runpytest_subprocess("-n", "2", "--reconcile-update")
    assert (done.ret, done.stdout.str().count("written: ")) == (0, 8)
    write(project, SEVERAL.replace('"base", ', ""))
    done = project.runpytest_subprocess("-n", "2", "--reconcile-strict")
    assert done.ret == 1
    assert done.stdout.str().count("no test uses") == 1
    assert "test_sizes-base" in done.stdout.str()


def test_a_project_without_models_sees_nothing_of_it(project: pytest.Pytester) -> None:
    write(
        project, "import sys\ndef test_it(): assert not [name for name in sys.modules if name.startswith('tensor')]\n"
    )
    done = project.runpytest_subprocess("-p", "no:cacheprovider", "--reconcile-strict")  # this process may have it
    assert (int(done.ret), "snapshot" in done.stdout.str()) == (0, False)


# A test's name, and the name of its file; None where a digest stands behind it.
NAMES: dict[str, str | None] = {
    "test_it": "test_it",
    "TestAll.test_it": "TestAll.test_it",
    "test_it[base]": "test_it-base",
    "test_it[base-2-0.5]": "test_it-base-2-0.5",
    "test_it[Base]": None,
    "test_it[a/b]": None,
    "test_it[a\\b]": None,
    "test_it[..]": None,
    "test_it[a@2]": None,
    "test_it[ü]": None,
    "test_it[con ]": None,
    f"test_it[{'x' * 300}]": None,
    "test_it[a]b]": None,
}


@pytest.mark.parametrize(("test", "expected"), NAMES.items())
def test_names_are_safe_in_files(test: str, expected: str | None) -> None:
    name = safe(test)
    assert name == expected if expected else name.startswith("test_it")
    assert len(name) <= LONGEST + 11
    assert not set(name) & set('/\\:*?"<>|[]@ ')
    assert owner(file_name(test, 2, None)) == owner(file_name(test, 1, "A/B")) == name


def test_names_that_differ_stay_apart() -> None:
    tests = [*NAMES, "test_it[base ]", "test_it[BASE]", "test_it[a-b]", "test_it[a//b]", f"test_it[{'x' * 301}]"]
    made = [file_name(test, 1, None).lower() for test in tests]
    assert len(set(made)) == len(tests)
    assert json.dumps(made).isascii()
