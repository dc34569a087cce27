"""What files, names and surroundings can do to the command: each ends in a status and one line, and nothing else.

A row of each table was found by somebody who tried: a name that is a command to the log's reader, a key that takes
gigabytes, a stream that is closed, a pipe without a writer, a cache that somebody else wrote to.
"""

import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tarfile
import time
import unicodedata
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from releases.test_lock import make_archive, own_index
from sources.checkpoint_files import entry, safetensors, written
from support import ROOT, TINY, command, run, spec_text

from reconcile.environments import cache, packages
from reconcile.environments.archives import install, made_at, tree_path, unpack
from reconcile.environments.index import LARGEST, Archive, listed
from reconcile.errors import ArchiveError
from reconcile.render.neutral import LONGEST_LINE, neutral, visible
from reconcile.sources.checkpoints.gguf import read as read_gguf

__all__ = ["own_index"]
DATA = ROOT / "tests" / "data" / "hostile"
posix = pytest.mark.skipif(os.name != "posix", reason="pipes, signals and limits of POSIX")


def checkpoint(folder: Path, *names: str, file: str = "x.safetensors") -> Path:
    """A checkpoint of one value under each name."""
    header = {name: entry((1,), 4 * place, 4 * place + 4) for place, name in enumerate(names)}
    return written(folder / file, safetensors(header, bytes(4 * len(names))))


# --- names that do something ---


def test_every_sign_that_cannot_be_seen_is_told_by_its_escape() -> None:
    hidden = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    for code in range(sys.maxunicode + 1):
        sign = chr(code)
        if unicodedata.category(sign) in hidden and sign != "\t":
            assert sign not in visible(f"a{sign}b"), hex(code)
            assert json.loads(f'"{visible(sign)}"') == sign, "the escape is JSON's own"
        elif unicodedata.category(sign) not in (*hidden, "Cn"):
            assert visible(sign) == sign, hex(code)


NAMES = {
    "starts a line": "x\n::error file=a.py,line=1::pwned\n.weight",
    "returns": "x\r::warning::pwned.weight",
    "is a command itself": "::stop-commands::pwned",
    "is a command of the old kind": "x##[error]pwned",
    "clears the terminal": "\x1b]0;x\x07\x1b[2J.weight",
    "turns the order about": "a\u202egnp.exe\u202c.weight",
    "ends a line for some": "a\u2028b\x85c.weight",
}


@pytest.mark.parametrize("case", NAMES)
@pytest.mark.parametrize("form", ["text", "markdown", "json", "github"])
def test_a_name_in_a_file_does_nothing(tmp_path: Path, case: str, form: str) -> None:
    file = checkpoint(tmp_path, NAMES[case], "bert.encoder.layer.0.attention.self.query.bias")
    for arguments in (("read", file), ("diff", file, checkpoint(tmp_path, "a", file="other.safetensors"))):
        ran = run(*arguments, "--format", form)
        assert harmless(ran.out, commands=form == "github"), ran.out
        assert ran.err == ""


def harmless(text: str, commands: bool = False) -> bool:
    """Whether a text neither steers a terminal nor is a command; in one of `commands` each is the program's own."""
    starts = [line.lstrip().startswith("::") for line in text.split("\n")]
    own = [commands and re.match(r"::(error|warning) (file=/|title=reconcile%3A )", line) for line in text.split("\n")]
    if any(start and not mine for start, mine in zip(starts, own, strict=True)):
        return False
    return (commands or "##[" not in text) and all(sign.isprintable() or sign in "\n\t" for sign in text)


def test_a_name_is_told_as_it_is() -> None:
    assert visible(NAMES["starts a line"]) == r"x\n::error file=a.py,line=1::pwned\n.weight"
    assert visible(NAMES["turns the order about"]) == r"a\u202egnp.exe\u202c.weight"
    assert visible("\U000e0041") == r"\udb40\udc41", "in the two halves that JSON has"
    assert visible("a\tb é ·²−×… 语 🙂") == "a\tb é ·²−×… 语 🙂"


def test_a_guard_that_lets_all_through_would_be_seen() -> None:
    assert not harmless("a\x1b[2J\n")
    assert not harmless("a\n::error::b\n")
    assert harmless("a::b\n")


def test_json_has_the_name_itself(tmp_path: Path) -> None:
    name = NAMES["turns the order about"]
    read = json.loads(run("read", checkpoint(tmp_path, name), "--format", "json").out)
    assert read["components"][0]["from"] == [name]


@posix
@pytest.mark.parametrize("name", [name for name in NAMES.values() if "/" not in name])
def test_a_file_s_name_does_nothing(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    checkpoint(folder, "a", file=f"{name}.safetensors")
    assert harmless(run("read", folder).out)
    (folder / f"{name}.safetensors").write_bytes(b"\0damaged")
    (tmp_path / f"{name}.md").write_text("BERT base has 110M parameters.\n")
    for ran in (run("read", folder), run("check", tmp_path / f"{name}.md"), run(f"{name}"), run("read", name)):
        assert harmless(ran.out + ran.err), ran
        assert ran.err.count("\n") <= 1


def test_a_name_that_is_no_text_is_shown(tmp_path: Path) -> None:
    ran = command("read", os.fsdecode(b"\xff.safetensors"))
    assert (ran.status, ran.out, ran.err) == (2, "", ran.err)
    assert ran.err.startswith(r"reconcile: \udcff.safetensors: got no such file")


def test_what_has_nothing_to_hide_is_the_same_object(tmp_path: Path) -> None:
    from reconcile.pipeline.read import read_stored

    (clean,) = read_stored(str(checkpoint(tmp_path, "a", "b")))
    assert neutral(clean) is clean
    (odd,) = read_stored(str(checkpoint(tmp_path, "a\n", "b")))
    assert [row.node for row in neutral(odd).rows] == ["task.a\\n", "task.b"]


# --- Markdown ---

MARKDOWN = [
    ("@name", "@<!-- -->name", "nobody is called"),
    ("a`b", r"a\`b", "a backtick without its other half"),
    ("`a_b`", "`a_b`", "code is shown as it is"),
    ("`<b>`", r"\`\<b>\`", "and markup is no code"),
    ("`a|b`", r"\`a\|b\`", "nor is what would end a cell"),
    ("[x](y) # *z*", r"\[x\](y) \# \*z\*", "links, headings, emphasis"),
]


@pytest.mark.parametrize(("text", "shown", "why"), MARKDOWN)
def test_markdown_shows_a_name_as_it_is(text: str, shown: str, why: str) -> None:
    from reconcile.render.markdown import plain_text

    assert plain_text(text) == shown, why


# --- bombs ---

BOMBS = {
    "a key of 20,000 parts": (".".join(["a"] * 20_000) + " = 1\n", "line 1: got a key of more than 16 parts"),
    "in quotes": ("x = 1\n" + " . ".join(['"a b"'] * 20) + " = 1\n", "line 2: got a key of more than 16 parts"),
    "a table": ("[" + ".".join("abcdefghijklmnopqrstuvw") + "]\n", "line 1: got a key of more than 16 parts"),
    "inside of a table": ("x = {" + ".".join(["a"] * 90) + " = 1}\n", "line 1: got a key of more than 16 parts"),
}


@pytest.mark.parametrize("case", BOMBS)
def test_a_key_that_would_take_gigabytes_is_refused(tmp_path: Path, case: str) -> None:
    text, said = BOMBS[case]
    file = tmp_path / "spec.toml"
    file.write_text(text)
    ran = run("build", file)
    assert (ran.status, ran.out, ran.err) == (2, "", f"reconcile: {file}: {said}, takes keys of a few parts\n")


@pytest.mark.usefixtures("tiny")
def test_a_text_of_many_dots_is_no_key(tmp_path: Path) -> None:
    file = tmp_path / "spec.toml"
    file.write_text(spec_text(TINY, title=".".join(["a"] * 40)))
    assert run("build", file).status == 0


@pytest.mark.parametrize("sign", [".", "/"])
def test_a_tensor_s_name_of_thousands_of_parts_is_refused(tmp_path: Path, sign: str) -> None:
    ran = run("read", file := checkpoint(tmp_path, sign.join(["a"] * 32_000)))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"reconcile: {file}: 'a{sign}a{sign}")
    assert ran.err.endswith("got a name of 32,000 parts, takes names of at most 200 parts\n")


# --- files that broke the program ---

FILES = {
    "a quantised scalar": (
        # One tensor `w` without dimensions, of Q4_0: blocks of 32 values.
        b"GGUF\x03\0\0\0" + (1).to_bytes(8, "little") + bytes(8) + b"\x01" + bytes(7) + b"w" + bytes(4)
        + b"\x02\0\0\0" + bytes(8) + bytes(64),
        "'w': got rows of 1, takes rows in blocks of 32 values",
    ),
    "weights that are moved about": ((DATA / "keras-seek.keras").read_bytes(), "takes a whole HDF5 file with a model"),
    "an archive's names, echoed": ((DATA / "long-message.npz").read_bytes(), "got a damaged zip archive (File name"),
}  # fmt: skip


@pytest.mark.parametrize("case", FILES)
def test_a_damaged_file_is_one_line_of_bounded_length(tmp_path: Path, case: str) -> None:
    data, said = FILES[case]
    ran = run("read", file := written(tmp_path / "file", data))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"reconcile: {file}: ")
    assert said in ran.err
    assert "defect" not in ran.err
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 600


def test_a_scalar_that_is_not_quantised_is_read(tmp_path: Path) -> None:
    data = FILES["a quantised scalar"][0].replace(b"\x02\0\0\0", b"\0\0\0\0")
    assert [tensor.shape for tensor in read_gguf(written(tmp_path / "file", data)).tensors] == [()]


def test_a_line_has_an_end() -> None:
    assert len(run("read", "x" * 50_000).err) < LONGEST_LINE + 60


def test_an_error_that_nobody_foresaw_is_a_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from reconcile.pipeline import read

    def broken(*names: object, **options: object) -> None:
        raise IndexError("gone\nwrong")

    monkeypatch.setattr(read, "open_stored", broken)
    ran = run("read", "x")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(
        r"reconcile: a defect of this program, not of the input: IndexError: gone wrong (pipeline"
    )
    assert ran.err.count("\n") == 1
    monkeypatch.setenv("KERAS_RECONCILE_TRACEBACK", "1")
    with pytest.raises(IndexError):
        run("read", "x")


# --- surroundings ---

CHECKPOINT = "FILE"
SURROUNDINGS = [
    ("reconcile read - <&-", "reconcile: standard input: got nothing: it is closed, takes text\n"),
    ("reconcile read FILE >&-", "reconcile: standard output is closed, and there is nowhere to print to\n"),
    ("reconcile read FILE >/dev/full", "reconcile: No space left on device\n"),
    ("reconcile read FILE --format json >/dev/full", "reconcile: No space left on device\n"),
    ("reconcile --help >/dev/full", "reconcile: No space left on device\n"),
    ("reconcile read FILE >&- 2>&-", ""),
    ("reconcile read FILE >/dev/full 2>/dev/full", ""),
    ("KERAS_RECONCILE_CACHE=FILE reconcile releases 0.89", "reconcile: FILE/archives: Not a directory\n"),
    ("ulimit -v 60000; reconcile read missing", "reconcile: missing: got no such file, "),
]


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(("line", "said"), SURROUNDINGS)
def test_what_the_surroundings_refuse_is_one_line(tmp_path: Path, line: str, said: str) -> None:
    if "releases" in line and find_spec("tensorflow") is None:
        pytest.skip("releases are built with TensorFlow")
    file = str(checkpoint(tmp_path, "a"))
    script = line.replace("FILE", file).replace("reconcile ", f"{sys.executable} -m reconcile ", 1)
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=ROOT, check=False, env=buffered)
    assert done.returncode == 2
    assert done.stderr.startswith(said.replace("FILE", file))
    assert done.stderr.count("\n") == bool(said)


@posix
@pytest.mark.parametrize("limit", ["-n 6", "-n 8", "-v 50000", "-v 70000"])
@pytest.mark.parametrize("kind", ["safetensors", "keras"])
def test_few_files_and_little_memory_end_in_a_line(tmp_path: Path, limit: str, kind: str) -> None:
    file = checkpoint(tmp_path, "a") if kind == "safetensors" else DATA / "keras-seek.keras"
    script = f"ulimit {limit}; {sys.executable} -m reconcile read {file}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=ROOT, check=False)
    assert "Traceback" not in done.stderr
    assert (done.returncode, done.stderr.count("\n")) in ((0, 0), (2, 1))


@posix
def test_what_would_wait_for_ever_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.safetensors")
    for name in (tmp_path, tmp_path / "model.safetensors"):
        ran = run("read", name)
        assert ran.status == 2
        assert ran.err == f"reconcile: {tmp_path / 'model.safetensors'}: got a named pipe, takes a file\n"
    assert "got a device, takes a file" in run("read", "/dev/zero").err
    assert "got a device, takes a file" in run("check", "/dev/zero").err
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
        assert "got a socket, takes a file" in run("read", tmp_path / "s").err


@posix
def test_a_pipe_that_the_shell_opened_is_read(tmp_path: Path) -> None:
    script = f"{sys.executable} -m reconcile read <(printf 'a.weight (2, 3)\\nb.weight (3, 4)\\n')"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, "18" in done.stdout, done.stderr) == (0, True, "")


@posix
def test_a_cache_entry_that_is_a_pipe_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.DIRECTORY, str(tmp_path))
    (tmp_path / "inventories").mkdir()
    os.mkfifo(tmp_path / "inventories" / "x.json")
    assert cache.load("x") is None


# --- keys that stand twice ---


def test_a_key_that_stands_twice_is_told(tmp_path: Path) -> None:
    text = '{"model_type": "bert", "hidden_size": 24, "num_hidden_layers": 2, "hidden_size": 48}'
    (tmp_path / "config.json").write_text(text)
    ran = run("read", tmp_path / "config.json")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"reconcile: {tmp_path / 'config.json'}: 'hidden_size': got the key twice, takes each key once\n"
    checkpoint(tmp_path, "a")
    assert "'hidden_size': got the key twice, takes each key once" in run("read", tmp_path).out, "beside a checkpoint"
    assert run("build", tmp_path / "config.json").status == 2


# --- archives, and what was unpacked of them ---

PACKAGE = "keras-bert-0.1.0"


@pytest.fixture
def installed(own_index: Path) -> tuple[Archive, Path]:
    """An archive that is in the cache, and the directory that it was unpacked into."""
    sha256 = make_archive(own_index, PACKAGE, {"keras_bert/__init__.py": "x = 1\n"}, "", 1_000)
    archive = Archive("keras-bert", f"{PACKAGE}.tar.gz", sha256)
    install([archive])
    return archive, tree_path(sha256)


def _changed(tree: Path) -> None:
    (tree / "keras_bert" / "__init__.py").write_text("x = 2\n")


def _added(tree: Path) -> None:
    (tree / "sitecustomize.py").write_text("x = 2\n")


def _compiled(tree: Path) -> None:
    (tree / "keras_bert" / "__pycache__").mkdir()
    (tree / "keras_bert" / "__pycache__" / "__init__.cpython-311.pyc").write_bytes(b"x")


def _removed(tree: Path) -> None:
    (tree / "keras_bert" / "__init__.py").unlink()


def _linked(tree: Path) -> None:
    (tree / "keras_bert" / "__init__.py").rename(tree.with_name("elsewhere.py"))
    (tree / "keras_bert" / "__init__.py").symlink_to(tree.with_name("elsewhere.py"))


@pytest.mark.parametrize("change", [_changed, _added, _compiled, _removed, _linked])
def test_what_was_unpacked_is_held_against_its_archive(
    installed: tuple[Archive, Path], change: Callable[[Path], None]
) -> None:
    archive, tree = installed
    change(tree)
    install([archive])
    assert [path.relative_to(tree).as_posix() for path in tree.rglob("*") if not path.is_dir()] == [
        "keras_bert/__init__.py"
    ]
    assert (tree / "keras_bert" / "__init__.py").read_text() == "x = 1\n"
    assert not (tree / "keras_bert" / "__init__.py").is_symlink()


def test_an_archive_that_is_not_what_its_name_says_is_fetched_again(
    installed: tuple[Archive, Path], own_index: Path
) -> None:
    archive, tree = installed
    kept = tree.parent.parent / "archives" / tree.name
    whole = kept.read_bytes()
    for data in (b"", whole[:-1], whole.replace(whole[20:21], bytes([whole[20] ^ 1]), 1)):
        kept.write_bytes(data)
        install([archive])
        assert hashlib.sha256(kept.read_bytes()).hexdigest() == archive.sha256
    kept.write_bytes(b"other")
    (own_index / archive.file).unlink()
    with pytest.raises(ArchiveError, match=r"^keras-bert-0\.1\.0\.tar\.gz: "):
        install([archive])


def test_a_date_beyond_all_dates_is_told_where_it_matters(own_index: Path, tmp_path: Path) -> None:
    make_archive(own_index, PACKAGE, {"keras_bert/__init__.py": ""}, "", 10.0**30)
    with pytest.raises(ArchiveError, match="which is no date"):
        made_at(own_index / f"{PACKAGE}.tar.gz")
    unpack(own_index / f"{PACKAGE}.tar.gz", tmp_path / "tree", PACKAGE)
    assert (tmp_path / "tree" / "keras_bert" / "__init__.py").is_file()


def test_a_name_with_a_zero_in_it_is_no_file(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "x.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("x/keras_bert/__init__.py")
        member.pax_headers = {"path": "x/keras_bert/a\0b.py"}
        archive.addfile(member)
    with pytest.raises(ArchiveError, match="is no file below the archive's own directory"):
        unpack(tmp_path / "x.tar.gz", tmp_path / "tree", "x.tar.gz")


def test_the_worker_leaves_nothing_in_what_was_unpacked() -> None:
    assert packages.settings({})["PYTHONDONTWRITEBYTECODE"] == "1"


def test_the_index_is_read_up_to_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "simple" / "keras-bert"
    folder.mkdir(parents=True)
    with (folder / "index.html").open("wb") as page:
        page.truncate(LARGEST + 1)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "simple").as_uri())
    with pytest.raises(ArchiveError, match=f"more than {LARGEST:,} bytes"):
        listed(["keras-bert"])


def test_an_archive_is_fetched_up_to_a_bound(own_index: Path) -> None:
    with (own_index / f"{PACKAGE}.tar.gz").open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(ArchiveError, match=rf"gives more than {LARGEST:,} bytes for it"):
        install([Archive("keras-bert", f"{PACKAGE}.tar.gz", "0" * 64)])


# --- the cache of what was built ---

WRONG = [
    {"layers": 5, "total": 1, "trainable": 1, "non_trainable": 0},
    {"layers": [], "total": "1", "trainable": 1, "non_trainable": 0},
    {"layers": [{"name": 3}], "total": 1, "trainable": 1, "non_trainable": 0},
    {"layers": [{"name": "a", "class_name": "B", "output_shape": "", "params": -1, "inbound": [], "trainable": True,
                 "tensors": []}], "total": 1, "trainable": 1, "non_trainable": 0},
    {"layers": [{"name": "a", "class_name": "B", "output_shape": "", "params": 1, "inbound": [], "trainable": True,
                 "tensors": [{"path": "a", "shape": ["1"], "dtype": "float32", "trainable": True, "storage": "a"}]}],
     "total": 1, "trainable": 1, "non_trainable": 0},
]  # fmt: skip


@pytest.mark.parametrize("table", WRONG)
def test_an_entry_that_is_wrong_and_rightly_digested_is_no_inventory(table: dict[str, object]) -> None:
    from reconcile.environments.build import described_inventory

    with pytest.raises((AttributeError, KeyError, TypeError, ValueError)):
        described_inventory(table, "cache", {})


@pytest.mark.parametrize("data", [b"[" * 100_000, b"{", b"\xff", b"3"])
def test_an_entry_that_is_no_json_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setenv(cache.DIRECTORY, str(tmp_path))
    (tmp_path / "inventories").mkdir()
    (tmp_path / "inventories" / "x.json").write_bytes(cache._digest(data) + b"\n" + data)
    assert cache.load("x") is None


# --- the worker ---

WORKER = str(packages.WORKER / "__main__.py")
WATCHING = (
    f"import runpy, os, time; runpy.run_path({WORKER!r})['watch'](%s); print(os.getpid(), flush=True); time.sleep(60)"
)
STARTING = (
    "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', sys.argv[1]], start_new_session=True); "
    "time.sleep(60)"
)


def gone(process: int, seconds: float = 20) -> bool:
    """Whether a process has ended, or does so before long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            os.kill(process, 0)
            if "\nState:\tZ" in Path(f"/proc/{process}/status").read_text():
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


@posix
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_the_worker_ends_with_the_process_that_started_it(by: signal.Signals) -> None:
    # What runs detached from its terminal has a hang-up ignored, and hands that on.
    heeded = f"import signal; signal.signal({by.value}, signal.SIG_DFL)\n" if by is not signal.SIGKILL else ""
    with subprocess.Popen([sys.executable, "-c", heeded + STARTING, WATCHING % ""], stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        worker = int(parent.stdout.readline())
        os.kill(worker, 0)
        parent.send_signal(by)
        assert gone(worker)


@posix
def test_the_worker_keeps_its_time_by_itself() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WATCHING % "timeout=0.2"], capture_output=True, timeout=50, check=False
    )
    assert done.returncode == 88  # OVER_TIME


@posix
def test_the_worker_knows_a_parent_that_was_gone_before_it_looked() -> None:
    done = subprocess.run([sys.executable, "-c", WATCHING % "parent=1"], capture_output=True, timeout=50, check=False)
    assert done.returncode == 1


def test_blank_lines_are_read_over(tmp_path: Path) -> None:
    file = tmp_path / "blank.txt"
    file.write_text("a.weight (2, 3)\n" + "\n" * 20_000 + "b.weight (4, 5)\n")
    ran = run("read", file, "--format", "json")
    assert (ran.status, json.loads(ran.out)["total"]) == (0, 2 * 3 + 4 * 5)
    file.write_text("\n" * 20_000)
    assert run("read", file).status == 2


@posix
@pytest.mark.slow
def test_ten_megabytes_of_claims_are_checked_in_bounded_memory(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "examples" / "bert-notes.md").read_text("utf-8")
    file = tmp_path / "notes.md"
    file.write_text(text * (10_000_000 // len(text)), "utf-8")
    script = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
        "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    command = [sys.executable, "-c", script, sys.executable, "-m", "reconcile", "check", str(file)]
    status, kilobytes = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert status == "1"
    assert int(kilobytes) < 300 * 1024
