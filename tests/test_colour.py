"""Colour stands on a terminal only, and no name chooses one."""

import re
from pathlib import Path

import pytest
from support import ROOT, command, on_a_terminal

FILE = str(ROOT / "docs" / "examples" / "bert-base-summary.txt")
GREEN, BOLD, CYAN, OFF = "\x1b[32m", "\x1b[1m", "\x1b[36m", "\x1b[0m"
COLOURS = re.compile(r"\x1b\[\d+m")
VARIABLES = [
    ({"TERM": "xterm-256color"}, True),
    ({"TERM": "xterm-256color", "NO_COLOR": "1"}, False),
    ({"TERM": "xterm-256color", "NO_COLOR": ""}, True),
    ({"TERM": "dumb"}, False),
    ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
    ({"TERM": "xterm", "NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
]


@pytest.mark.parametrize(("variables", "coloured"), VARIABLES, ids=str)
def test_a_terminal_has_colours_unless_it_is_told_not_to(variables: dict[str, str], coloured: bool) -> None:
    text = on_a_terminal("read", FILE, width=80, **variables)
    assert (OFF in text) == coloured
    plain = COLOURS.sub("", text)
    assert "\x1b" not in plain
    assert plain == on_a_terminal("read", FILE, width=80, TERM="xterm", NO_COLOR="1")
    if coloured:
        assert text.startswith(f"{GREEN}Agrees: all 109,705,010 parameters of a BERT are verified.{OFF}\n")
        assert CYAN + " █▊" + OFF in text


@pytest.mark.parametrize(
    ("variables", "coloured"), [({}, False), ({"FORCE_COLOR": "1"}, True), ({"CLICOLOR_FORCE": "1"}, True), ({"FORCE_COLOR": "0"}, False)],
    ids=str,
)  # fmt: skip
def test_elsewhere_there_are_none_unless_they_are_forced(variables: dict[str, str], coloured: bool) -> None:
    for arguments in (
        ("read", FILE),
        ("explain", "2,362,368"),
        ("check", ROOT / "docs" / "examples" / "bert-notes.md"),
    ):
        assert (
            BOLD in command(*arguments, **variables).out or "\x1b[3" in command(*arguments, **variables).out
        ) == coloured


def test_json_and_files_have_none(tmp_path: Path) -> None:
    assert "\x1b" not in command("read", FILE, "--format", "json", FORCE_COLOR="1").out
    command("read", FILE, "-o", tmp_path / "out.txt", FORCE_COLOR="1")
    assert "\x1b" not in (tmp_path / "out.txt").read_text("utf-8")


@pytest.mark.parametrize("escape", ["\x1b[31m", "\x1b]0;title\x07", "\x1b[2J", "\x9b31m"])
def test_a_name_colours_nothing(tmp_path: Path, escape: str) -> None:
    named = tmp_path / f"{escape}red.txt"
    named.write_text(f"encoder.{escape}red.weight torch.Size([7, 9])\nother.weight torch.Size([3, 3])\n", "utf-8")
    ran = command("read", named, "--depth", "--verbose", "--fail-on", "never", FORCE_COLOR="1")
    assert BOLD in ran.out
    assert f"{escape}red" not in ran.out
    assert "\\u00" in ran.out
