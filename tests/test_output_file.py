"""`-o FILE` on every command: the same text as on standard output, whole or not at all."""

import os
from pathlib import Path

import pytest
from support import ROOT, run

SUMMARY = ROOT / "docs" / "examples" / "bert-base-summary.txt"
NOTES = ROOT / "docs" / "examples" / "bert-notes.md"
COMMANDS = [
    ("read", SUMMARY),
    ("explain", "2,362,368"),
    ("check", NOTES),
    ("diff", SUMMARY, SUMMARY),
    ("cost", "GPT-2 small"),
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
@pytest.mark.parametrize(("ending", "form"), [("txt", "text"), ("json", "json"), ("md", "markdown")])
def test_a_file_gets_what_would_be_printed(
    tmp_path: Path, arguments: tuple[object, ...], ending: str, form: str
) -> None:
    printed = run(*arguments, "--format", form)
    file = tmp_path / f"out.{ending}"
    written = run(*arguments, "-o", file)
    assert (written.status, written.out, written.err) == (printed.status, "", "")
    assert file.read_text("utf-8") == printed.out


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_every_result_can_be_a_page(tmp_path: Path, arguments: tuple[object, ...]) -> None:
    file = tmp_path / "r.html"
    assert run(*arguments, "-o", file).status in (0, 1)
    text = file.read_text("utf-8")
    assert text == run(*arguments, "--format", "html").out
    assert text.startswith("<!doctype html>")
    assert text.count("<main>") == text.count("<title>", 0, text.index("</head>")) == 1
    assert 'class="reconcile"' in text


def test_what_is_said_goes_before_the_ending(tmp_path: Path) -> None:
    assert run("explain", "2,362,368", "--format", "json", "-o", tmp_path / "out.md").status == 0
    assert (tmp_path / "out.md").read_text("utf-8").startswith("{")


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    file, link, new = tmp_path / "there" / "out.txt", tmp_path / "link.txt", tmp_path / "new.txt"
    file.write_text("old")
    link.symlink_to(file)
    new.symlink_to(tmp_path / "there" / "new.txt")
    for one in (link, new):
        assert run("explain", "2,362,368", "-o", one).status == 0
        assert one.is_symlink()
        assert one.read_text("utf-8").startswith("2,362,368")
    assert sorted(path.name for path in (tmp_path / "there").iterdir()) == ["new.txt", "out.txt"]


def test_a_link_that_goes_in_a_circle_stays(tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to(link)
    ran = run("explain", "2,362,368", "-o", link)
    assert (ran.status, ran.out, link.is_symlink()) == (2, "", True)
    assert "symbolic links" in ran.err


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    alone = run("explain", "2,362,368", "-o", pipe)
    assert (alone.status, alone.err.count("\n")) == (2, 1)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run("explain", "2,362,368", "-o", pipe).status == 0
        assert os.read(reader, 9) == b"2,362,368"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    ran = run("explain", "2,362,368", "-o", tmp_path / "taken" / "out.txt")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert "takes a place that can be written to" in ran.err
    assert run("explain", "2,362,368", "-o", tmp_path).status == 2
