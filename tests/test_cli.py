"""The command: arguments, what goes to which stream, and the exit status."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support import ROOT, TINY, Ran, command, on_a_terminal, run

from reconcile.version import VERSION

pytestmark = pytest.mark.usefixtures("tiny")


def test_the_command_says_what_it_does() -> None:
    ran = command("--help")
    assert (ran.status, ran.err) == (0, "")
    assert "build " in ran.out
    assert "Exit status: 0 agrees, 1 findings at or above --fail-on, 2 cannot run." in ran.out
    assert command("--version").out == f"reconcile, version {VERSION}\n"
    assert "--timeout SECONDS" in command("build", "--help").out


def test_the_package_is_the_command() -> None:
    for module in ("reconcile", "reconcile.cli"):
        done = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == f"reconcile, version {VERSION}\n"


# What cannot run: one line on standard error, nothing on standard output, status 2.
CANNOT_RUN = [
    (("build", "nowhere.toml"), "reconcile: nowhere.toml: got no such file\n"),
    (("build", "tests"), "reconcile: tests: got a directory, takes a file\n"),
    (("build", "bert-base-uncasd"), "reconcile: bert-base-uncasd: got no such file, takes a file, or a model that comes with the project: 'bert-base-uncased' perhaps; known are 36 names\n"),
    (("build", "SPEC:head_num=5"), "reconcile: FILE: arguments.head_num: got 5, takes a divisor of embed_dim, which is 64\n"),
    (("build", "SPEC:token_num='two\nlines'"), "reconcile: FILE: arguments.token_num: got 'two\\nlines' (text), takes a whole number of at least 1\n"),
    (("build", "SPEC:references"), "reconcile: FILE: references: got 'no-such-paper', takes one of REFERENCES names\n"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "said"), CANNOT_RUN, ids=[said[:50] for _, said in CANNOT_RUN])
def test_what_cannot_run_is_one_line_and_status_2(
    arguments: tuple[str, ...], said: str, spec_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from reconcile.reference import all_references

    monkeypatch.chdir(ROOT)
    file = Path("nothing")
    if arguments[1] == "SPEC:references":
        file = spec_file(TINY, references=["no-such-paper"])
    elif arguments[1].startswith("SPEC:"):
        key, _, value = arguments[1].removeprefix("SPEC:").partition("=")
        file = spec_file(TINY | {key: int(value) if value.isdigit() else value.strip("'").replace("\n", "\\n")})
    ran = run("build", file if arguments[1].startswith("SPEC:") else arguments[1])
    said = said.replace("FILE", str(file)).replace("REFERENCES", str(len(all_references())))
    assert ran == Ran(2, "", said)


def test_the_same_in_a_process_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"\x89PNG")
    said = "reconcile: x.toml: byte 1: got bytes that are not UTF-8, takes a text file\n"
    assert command("build", "x.toml", cwd=tmp_path) == Ran(2, "", said)


# What the command line itself does not take.
NOT_TAKEN = [
    (("build",), "reconcile build: Missing argument 'MODEL'."),
    (("rebuild", "tiny"), "reconcile: No such command 'rebuild'. Did you mean 'build'?"),
    (("build", "tiny", "--fail-on", "anything"), "reconcile build: Invalid value for '--fail-on': 'anything' is not one of 'error', 'warning', 'note', 'never'."),
    (("build", "tiny", "--format", "yaml"), "reconcile build: Invalid value for '--format': 'yaml' is not one of 'text', 'json', 'markdown', 'github', 'html'."),
    (("build", "tiny", "--depth", "0"), "reconcile build: Invalid value for '--depth': '0': takes group, tensor, or a number of levels from 1 on"),
    (("build", "tiny", "--depth", "00"), "reconcile build: Invalid value for '--depth': '00': takes group, tensor, or a number of levels from 1 on"),
    (("build", "tiny", "--depth=deep"), "reconcile build: Invalid value for '--depth': 'deep': takes group, tensor, or a number of levels from 1 on"),
    (("build", "tiny", "--timeout", "0"), "reconcile build: Invalid value for '--timeout': 0.0 is not in the range 0<x<=1000000000."),
    (("build", "tiny", "--timeout", "inf"), "reconcile build: Invalid value for '--timeout': inf is not in the range 0<x<=1000000000."),
    (("build", "tiny", "--timeout", "nan"), "reconcile build: Invalid value for '--timeout': 'nan': takes a number of seconds"),
    (("build", "tiny", "--timeout", "soon"), "reconcile build: Invalid value for '--timeout': 'soon' is not a valid float range."),
    (("build", "tiny", "--memory-limit", "lots"), "reconcile build: Invalid value for '--memory-limit': 'lots': takes a size such as 800M or 2G"),
    (("build", "tiny", "--memory-limit", "0M"), "reconcile build: Invalid value for '--memory-limit': '0M': takes more than nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "said"), NOT_TAKEN, ids=[" ".join(arguments) for arguments, _ in NOT_TAKEN])
def test_what_the_command_line_does_not_take(arguments: tuple[str, ...], said: str) -> None:
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"{said}\n"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("50M", 50 * 2**20),
        ("2G", 2**31),
        ("1.5GiB", 3 * 2**29),
        ("800 mb", 800 * 2**20),
        ("0.25k", 256),
        ("3T", 3 * 2**40),
    ],
)
def test_a_size_in_bytes(text: str, size: int) -> None:
    from reconcile.cli.options import Bytes

    assert Bytes().convert(text, None, None) == size


# The tiny model has one note (its tie); with the paper's figure a warning; with 16 token types claimed an error.
SEVERITIES = {"note": "tiny", "warning": "WARNING", "error": "ERROR"}
EXITS = [
    *(("note", fail_on, status) for fail_on, status in [("never", 0), ("error", 0), ("warning", 0), ("note", 1)]),
    *(("warning", fail_on, status) for fail_on, status in [("never", 0), ("error", 0), ("warning", 1), ("note", 1)]),
    *(("error", fail_on, status) for fail_on, status in [("never", 0), ("error", 1), ("warning", 1), ("note", 1)]),
]


@pytest.mark.parametrize(("severity", "fail_on", "status"), EXITS)
def test_the_exit_status_follows_the_worst_finding(
    severity: str, fail_on: str, status: int, spec_file: Callable[..., Path], tmp_path: Path
) -> None:
    config = {"vocab_size": 100, "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    config |= {"intermediate_size": 128, "max_position_embeddings": 32, "type_vocab_size": 16}
    (tmp_path / "config.json").write_text(json.dumps(config))
    files = {
        "note": "tiny",
        "warning": spec_file(TINY, references=["bert-paper-base"]),
        "error": tmp_path / "config.json",
    }
    ran = run("build", files[severity], "--fail-on", fail_on, "--format", "json")
    assert {finding["severity"] for finding in json.loads(ran.out)["findings"]} >= {severity}
    assert ran.status == status
    assert fail_on != "error" or run("build", files[severity]).status == status, "which is the default"


def test_depth_may_stand_without_a_value() -> None:
    every = run("build", "tiny", "--depth=tensor").out
    assert run("build", "--depth", "tiny").out == every
    assert run("build", "tiny", "--depth").out == every
    assert run("build", "tiny", "--depth", "--ascii").status == 0
    assert "encoder.block[2].attention.query.kernel" in every
    assert run("build", "tiny", "--depth", "1").out != every


def test_output_that_nobody_reads_to_the_end_is_no_failure() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "reconcile", "build", "tiny", "--depth"],
            cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_nothing_but_the_report_is_printed_where_nobody_watches() -> None:
    ran = command("build", "tiny")
    assert ran.err == ""
    assert ran.out.startswith("Agrees: all 84,326 parameters of a BERT are verified.\n\n16,640 counts ")


@pytest.mark.slow
def test_a_first_build_through_the_command_and_a_second_from_the_cache(tmp_path: Path) -> None:
    first = command("build", "tiny", KERAS_RECONCILE_CACHE=str(tmp_path))
    second = command("build", "tiny", KERAS_RECONCILE_CACHE=str(tmp_path))
    assert (first.status, first.err, second.status) == (0, "", 0)
    before, after = first.out.splitlines(), second.out.splitlines()
    assert "built now" in before[5]
    assert "from the cache of what was built before" in after[5]
    assert before[:5] + before[6:] == after[:5] + after[6:]


@pytest.mark.parametrize("width", [50, 80, 120])
def test_a_terminal_gets_lines_of_its_own_width(width: int) -> None:
    from support import integer, printed_rows

    text = on_a_terminal("build", "tiny", width=width, NO_COLOR="1")
    assert max(map(len, text.splitlines())) <= max(width, 54)  # 54: the component and the formula, side by side
    rows = printed_rows(text)
    assert sum(integer(row["total"]) for row in rows[:-1]) == integer(rows[-1]["total"]) == 84_326


@pytest.mark.slow
def test_a_terminal_is_told_that_tensorflow_is_building(tmp_path: Path) -> None:
    printed = on_a_terminal("build", "tiny", width=200, NO_COLOR="1", KERAS_RECONCILE_CACHE=str(tmp_path))
    lines = printed.splitlines()
    assert lines[0].startswith("building with keras-bert ")
    assert lines[1].startswith("Agrees: all 84,326 parameters")
    assert "a tiny BERT for tests (tiny)" in lines


def test_a_stream_that_takes_ascii_only_gets_ascii(tmp_path: Path) -> None:
    spec = (ROOT / "models" / "tiny.toml").read_text().replace("a tiny BERT for tests", "ein Bärtchen ½")
    (tmp_path / "x.toml").write_text(spec, "utf-8")
    for form in ("text", "markdown", "json"):
        ran = command("build", "x.toml", "--format", form, "--ascii", cwd=tmp_path)
        assert ran.status == 0
        assert ran.out.isascii()
        assert re.search(r"ein B(\\\\?xe4|\\u00e4)rtchen", ran.out), "no letter is lost"
        assert command("build", "x.toml", "--format", form, cwd=tmp_path, PYTHONIOENCODING="ascii").status == 0


def test_a_file_whose_name_is_not_utf_8(tmp_path: Path) -> None:
    name = os.fsdecode(b"t\xffny.toml")
    try:
        (tmp_path / name).write_text((ROOT / "models" / "tiny.toml").read_text())
    except OSError:
        pytest.skip("this file system takes no such name")
    ran = command("build", name, "--format", "json", cwd=tmp_path)
    assert json.loads(ran.out)["subject"]["name"] == r"t\udcffny"
