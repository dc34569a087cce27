"""The worker and the cache: what is refused, what is said of a worker that fails, and what is kept."""

import os
import runpy
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support import ROOT, TINY, command

from reconcile.environments import cache, packages, worker_process
from reconcile.environments.build import build_inventory
from reconcile.environments.worker_process import describe_build
from reconcile.errors import BuildError, NotInstalledError, ReconcileError
from reconcile.inventory import Inventory
from reconcile.spec import load_spec

# --- the description: it refuses to hand on what does not add up ---


def weight(name: str, *shape: int) -> SimpleNamespace:
    return SimpleNamespace(name=name, shape=shape, dtype="float32")


def model(layers: list[tuple[str, list[SimpleNamespace], int]], total: int) -> SimpleNamespace:
    """What `describe` reads of a Keras model, with the counts that it is to claim."""
    rows = [
        SimpleNamespace(
            name=name, weights=weights, trainable=True, output_shape=(None, 3), _inbound_nodes=[],
            count_params=lambda count=count: count,
        )
        for name, weights, count in layers
    ]  # fmt: skip
    distinct = {id(w): w for _, weights, _ in layers for w in weights}
    return SimpleNamespace(layers=rows, trainable_weights=list(distinct.values()), count_params=lambda: total)


describe = runpy.run_path(str(packages.WORKER / "describe.py"))["describe"]
KERNEL, BIAS = weight("kernel:0", 4, 3), weight("bias:0", 3)


def test_a_model_whose_tensors_add_up_is_described() -> None:
    described = describe(model([("dense", [KERNEL, BIAS], 15), ("again", [KERNEL], 12)], 15))
    assert (described["total"], described["trainable"], described["non_trainable"]) == (15, 15, 0)
    first, second = (row["tensors"][0]["storage"] for row in described["layers"])
    assert first == second, "one variable in two layers is one storage"


@pytest.mark.parametrize(
    ("layers", "total", "message"),
    [
        ([("dense", [KERNEL, BIAS], 16)], 15, "tensors of dense: 15, Keras counts 16"),
        ([("dense", [KERNEL], 15)], 15, "tensors of dense: 12, Keras counts 15"),
        ([("dense", [KERNEL, BIAS], 15)], 27, "all tensors: 15, Keras counts 27"),
        ([("dense", [KERNEL, BIAS], 15), ("again", [KERNEL], 12)], 27, "all tensors: 15, Keras counts 27"),
    ],
)
def test_a_model_whose_tensors_do_not_add_up_is_refused(
    layers: list[tuple[str, list[SimpleNamespace], int]], total: int, message: str
) -> None:
    with pytest.raises(AssertionError, match=f"^{message}$"):
        describe(model(layers, total))


# --- a worker that fails: said in one line, with the last line that it printed ---


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A function that puts a program in the worker's place."""

    def put(program: str) -> None:
        folder = tmp_path / "worker"
        folder.mkdir(exist_ok=True)
        (folder / "__main__.py").write_text("import json, os, sys, time\n" + program, "utf-8")
        monkeypatch.setattr(worker_process, "WORKER", folder)

    return put


SAY = "print('first', file=sys.stderr); print('  the last  \\n', file=sys.stderr, flush=True)\n"
FAILURES = [
    ("sys.exit(3)", BuildError, "building failed (exit status 3); it printed nothing"),
    (SAY + "sys.exit(3)", BuildError, "building failed (exit status 3); its last line: the last"),
    (SAY + "os.kill(os.getpid(), 11)", BuildError, "building failed (ended by signal SIGSEGV); its last line: the last"),
    (SAY + "os.kill(os.getpid(), 9)", BuildError, "building failed (ended by signal SIGKILL); its last line: the last"),
    ("raise ValueError('no such thing')", BuildError, "building failed (exit status 1); its last line: ValueError: no such thing"),
    ("sys.stderr.buffer.write(b'\\xff\\n'); sys.exit(1)", BuildError, "building failed (exit status 1); its last line: \ufffd"),
    ("print('x' * 9999, file=sys.stderr); sys.exit(1)", BuildError, "building failed (exit status 1); its last line: " + "x" * 500),
    (SAY + "sys.exit(86)", BuildError, "building went over the memory limit of 1,024 MiB; its last line: the last"),
    (SAY + "sys.exit(87)", NotInstalledError, "keras-bert cannot be imported; its last line: the last; install it with: pip install 'keras-reconcile[build]'"),
    (SAY + "time.sleep(60)", BuildError, "building took longer than the limit of 0.7 s; its last line: the last"),
    ("", BuildError, "building ended without a result: the worker printed no JSON"),
    ("print('garbage')", BuildError, "building ended without a result: the worker printed no JSON"),
    ("print('{\"layers\": [')", BuildError, "building ended without a result: the worker printed no JSON"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "kind", "message"), FAILURES, ids=[said for _, _, said in FAILURES])
def test_a_worker_that_fails_is_told_in_one_line(
    program: str, kind: type[ReconcileError], message: str, worker: Callable[[str], None]
) -> None:
    worker(program)
    with pytest.raises(kind) as failed:
        describe_build(TINY, timeout=0.7 if "sleep" in program else 60, memory_limit=2**30)
    assert str(failed.value) == message


@pytest.mark.parametrize("printed", ["[]", "3", "null", "{}", '{"layers": 3}', '{"layers": [{}], "total": 3}'])
def test_a_description_that_is_none_is_told_and_not_kept(printed: str, worker: Callable[[str], None]) -> None:
    worker(f"print({printed!r})")
    arguments = TINY | {"token_num": 77}
    with pytest.raises(BuildError, match=r"^the worker's description of what it built cannot be read: "):
        build_inventory(arguments)
    assert cache.load(cache.key(arguments, packages.build_versions())) is None


def test_what_a_worker_started_ends_with_it(tmp_path: Path, worker: Callable[[str], None]) -> None:
    alive = tmp_path / "alive"
    child = f"import time; time.sleep(1.5); open({str(alive)!r}, 'w')"
    worker(f"import subprocess; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(60)")
    with pytest.raises(BuildError, match=r"longer than the limit of 0.5 s"):
        describe_build(TINY, timeout=0.5)
    time.sleep(1.5)
    assert not alive.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--timeout", "0.5"), "reconcile: building took longer than the limit of 0.5 s; "),
        (("--memory-limit", "50M"), "reconcile: building went over the memory limit of 50 MiB; its last line: memory limit: used "),
    ],
)  # fmt: skip
def test_real_limits(options: tuple[str, ...], said: str) -> None:
    ran = command("build", "tiny", "--no-cache", *options)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(said)
    assert ran.err.count("\n") == 1


@pytest.mark.slow
def test_what_keras_bert_itself_refuses_is_told_by_its_last_line() -> None:
    with pytest.raises(BuildError, match=r"^building failed \(exit status 1\); its last line: \w+: .*5"):
        # No spec gets this far: 5 does not divide 64.
        describe_build(TINY | {"head_num": 5}, 300, settings=packages.settings(packages.build_versions()))


def test_the_memory_of_who_starts_the_worker_is_not_counted(tmp_path: Path) -> None:
    # On Linux getrusage gives a new process the peak of the one it was started from.
    script = tmp_path / "large.py"
    script.write_text(
        "import subprocess, sys\n"
        "held = bytearray(300 * 2**20); held[::4096] = b'x' * len(held[::4096])\n"
        "peak = 'import runpy; print(runpy.run_path(%r)[\"peak_memory\"]())' % sys.argv[1]\n"
        "print(subprocess.run([sys.executable, '-c', peak], capture_output=True, text=True).stdout)\n"
    )
    done = subprocess.run(
        [sys.executable, str(script), str(packages.WORKER / "__main__.py")], capture_output=True, text=True, check=True
    )
    assert 2**20 < int(done.stdout) < 200 * 2**20


# --- the cache ---


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.DIRECTORY, str(tmp_path / "cache"))
    return tmp_path / "cache"


DESCRIBED: dict[str, Any] = {
    "layers": [
        {
            "name": "NSP", "class_name": "Dense", "output_shape": "(None, 2)", "params": 6, "inbound": [],
            "trainable": True,
            "tensors": [{"path": "NSP/kernel:0", "shape": [3, 2], "dtype": "float32", "storage": "1", "trainable": True}],
        }
    ],
    "total": 6, "trainable": 6, "non_trainable": 0,
}  # fmt: skip


@pytest.fixture
def building(worker: Callable[[str], None], tmp_path: Path) -> Callable[[], int]:
    """A worker that prints DESCRIBED; the function says how often it ran."""
    ran = tmp_path / "ran"
    worker(f"open({str(ran)!r}, 'a').write('x'); print(json.dumps({DESCRIBED!r}))")
    return lambda: len(ran.read_text()) if ran.exists() else 0


def made(**options: Any) -> Inventory:
    return build_inventory(load_spec("tiny").arguments, **options)


def test_what_was_built_is_read_from_the_cache(own_cache: Path, building: Callable[[], int]) -> None:
    told: list[str] = []
    first, second = made(announce=told.append), made(announce=told.append)
    assert (first.made, second.made, building()) == ("now", "cache", 1)
    assert (second.layers, second.total) == (first.layers, first.total)
    assert len(told) == 1
    assert told[0].startswith("building with keras-bert ")


def test_no_cache_builds_anew_and_keeps_nothing(own_cache: Path, building: Callable[[], int]) -> None:
    assert (made(use_cache=False).made, made(use_cache=False).made, building()) == ("now", "now", 2)
    assert not own_cache.exists()


SPOILT: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("cut", lambda data: data[:-40]),
    ("empty", lambda data: b""),
    ("garbage", lambda data: b"\x00\xff" * 100),
    ("a digit changed", lambda data: data.replace(b'"total": 6', b'"total": 7')),
    ("of another form", lambda data: cache._digest(b"{}") + b"\n{}"),
    ("no object", lambda data: cache._digest(b"[3]") + b"\n[3]"),
]


@pytest.mark.parametrize(("how", "spoil"), SPOILT, ids=[how for how, _ in SPOILT])
def test_an_entry_that_is_spoilt_is_built_anew(
    how: str, spoil: Callable[[bytes], bytes], own_cache: Path, building: Callable[[], int]
) -> None:
    made()
    (entry,) = own_cache.rglob("*.json")
    assert spoil(entry.read_bytes()) != entry.read_bytes()
    entry.write_bytes(spoil(entry.read_bytes()))
    assert (made().made, building()) == ("now", 2)
    assert made().made == "cache", "and it is whole again"


def test_a_cache_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, building: Callable[[], int]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(cache.DIRECTORY, str(tmp_path / "file"))
    assert (made().made, made().made, building()) == ("now", "now", 2)


def test_what_an_inventory_depends_on_is_in_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    versions = {"python": "3.11.7", "tensorflow": "2.21.0"}
    plain = cache.key(TINY, versions)
    (tmp_path / "other.py").write_text("# another worker")
    others = [cache.key(TINY | {"token_num": 101}, versions), cache.key(TINY, versions | {"tensorflow": "2.20.0"})]
    monkeypatch.setattr(cache, "worker_files", lambda: [tmp_path / "other.py"])
    others.append(cache.key(TINY, versions))
    assert len({plain, *others}) == 4


def test_the_users_directory_is_used_unless_another_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    named = cache.directory()
    monkeypatch.delenv(cache.DIRECTORY)
    monkeypatch.setenv("XDG_CACHE_HOME", str(named.parent / "xdg"))
    if sys.platform == "linux":
        assert cache.directory() == named.parent / "xdg" / "keras-reconcile"
    assert str(named) not in str(cache.directory())


# --- what is installed ---

INSTALL = "install it with: pip install 'keras-reconcile[build]'"
INSTALLED = [
    ((), f"TensorFlow is not installed here, and building needs it; {INSTALL}"),
    (("keras_bert-0.89.0",), f"TensorFlow is not installed here, and building needs it; {INSTALL}"),
    (("tensorflow-2.21.0",), f"keras-bert is not installed here, and building needs it; {INSTALL}"),
    (("tensorflow-2.21.0", "keras_bert-0.89.0", "keras-3.15.1"), f"TensorFlow 2.21.0 needs tf-keras to build keras-bert models; {INSTALL}"),
    (("tensorflow-2.15.1", "keras_bert-0.89.0", "tf_keras-2.15.1"), f"TensorFlow 2.15.1 needs keras to build keras-bert models; {INSTALL}"),
    (("tensorflow-2.16.2", "keras_bert-0.89.0", "tf_keras-2.16.0"), None),
    (("tensorflow_cpu-2.15.1", "keras_bert-0.89.0", "keras-2.15.0"), None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("distributions", "said"), INSTALLED, ids=[" ".join(names) or "nothing" for names, _ in INSTALLED]
)
def test_what_is_not_installed_is_told_with_the_command_that_installs_it(
    distributions: tuple[str, ...], said: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in distributions:
        (tmp_path / f"{name}.dist-info").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "nowhere")])
    if said is None:
        versions = packages.build_versions()
        assert set(versions) == {
            "python",
            "tensorflow",
            "keras-bert",
            "keras" if "2.15" in str(distributions) else "tf-keras",
        }
        return
    with pytest.raises(NotInstalledError) as refused:
        packages.build_versions()
    assert str(refused.value) == said


@pytest.mark.parametrize(("keras", "legacy"), [("tf-keras", "1"), ("keras", "0")])
def test_the_keras_that_is_used_is_the_one_that_is_named(keras: str, legacy: str) -> None:
    # TensorFlow 2.15 has a Keras 2 of its own, and with the variable set takes tf-keras or fails.
    assert packages.settings({"tensorflow": "2.x", keras: "2.x"})["TF_USE_LEGACY_KERAS"] == legacy


def test_the_versions_are_those_that_the_packages_say() -> None:
    from importlib.metadata import version

    versions = packages.build_versions()
    for name in {"tensorflow", "keras-bert", "keras-transformer"}:
        assert versions[name] == version(name)


def test_the_command_without_tensorflow(tmp_path: Path) -> None:
    """A Python whose path has what the command itself needs, and nothing else."""
    for name in ("click", "platformdirs", "tabulate"):
        (tmp_path / name).symlink_to(Path(__import__(name).__file__ or "").parent)
    program = (
        f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(tmp_path)!r}]; from reconcile.cli.main import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program, "build", "tiny"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"reconcile: TensorFlow is not installed here, and building needs it; {INSTALL}\n"


def test_the_settings_of_the_worker_are_not_those_of_the_caller() -> None:
    before = dict(os.environ)
    with pytest.raises(BuildError):
        describe_build({}, timeout=0.01)
    assert dict(os.environ) == before
