"""PyTorch files: what the real library wrote read in both forms, and hostile ones refused or read without effect."""

import io
import json
import pickle
import struct
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from checkpoint_files import (
    MAGIC,
    call,
    dict_of,
    name,
    npz,
    number,
    pickle_of,
    storage,
    stored,
    tensor,
    text,
    torch_stream,
    torch_zip,
    tuple_of,
    written,
)  # fmt: skip

from reconcile.errors import InputError
from reconcile.inventory import BUFFER, FLAG, OPTIMIZER, PARAMETER
from reconcile.sources.checkpoints import sharded
from reconcile.sources.checkpoints.pytorch import read

DATA = Path(__file__).resolve().parents[1] / "data" / "pytorch"
FORMS = {".pt": "PyTorch", ".old.pt": "PyTorch, the form before 1.6"}

# (name, shape, type, trainable, role); `words` and `decoder` are one parameter.
TIED: list[tuple[str, tuple[int, ...], str, bool | None, str]] = [
    ("words", (5, 3), "float32", None, PARAMETER),
    ("decoder", (5, 3), "float32", None, PARAMETER),
    ("scale.gamma", (3,), "float32", None, PARAMETER),
    ("scale.mean", (3,), "float32", None, PARAMETER),
]
FILES = {
    "state_dict": TIED,
    "module": [  # a module tells frozen parameters and buffers, which no state dict does
        ("words", (5, 3), "float32", False, PARAMETER),
        ("decoder", (5, 3), "float32", False, PARAMETER),
        ("scale.gamma", (3,), "float32", True, PARAMETER),
        ("scale.mean", (3,), "float32", None, BUFFER),
    ],
    "training": [
        *TIED,
        ("optimizer.state.0.step", (), "float32", None, OPTIMIZER),
        ("optimizer.state.0.exp_avg", (3,), "float32", None, OPTIMIZER),
        ("optimizer.state.0.exp_avg_sq", (3,), "float32", None, OPTIMIZER),
        ("loss", (), "float32", None, FLAG),
    ],
    "views": [
        ("a", (10,), "float32", None, PARAMETER),
        ("b", (10,), "float32", None, PARAMETER),
        ("t", (5, 3), "float32", None, PARAMETER),
        ("one", (4, 4), "float32", None, PARAMETER),
    ],
    "types": [
        ("half", (2,), "float16", None, PARAMETER),
        ("brain", (2,), "bfloat16", None, PARAMETER),
        ("eighth", (2,), "float8_e4m3fn", None, PARAMETER),
        ("long", (2,), "int64", None, BUFFER),
        ("words", (2,), "uint16", None, PARAMETER),
        ("truth", (2,), "bool", None, BUFFER),
        ("scalar", (), "float64", None, PARAMETER),
        ("none", (0, 3), "float32", None, PARAMETER),
    ],
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", FILES)
def test_files_of_the_library(case: str, form: str) -> None:
    path = DATA / f"{case}{form}"
    inventory = read(path)
    found = [(one.path, one.shape, one.dtype, one.trainable, one.role) for one in stored(inventory)]
    assert found == FILES[case]
    assert (inventory.kind, inventory.size, inventory.total) == (FORMS[form], path.stat().st_size, None)


@pytest.mark.parametrize("form", FORMS)
def test_one_memory_with_two_names(form: str) -> None:
    words, decoder, gamma, mean = stored(read(DATA / f"state_dict{form}"))
    assert words.storage == decoder.storage
    assert len({words.storage, gamma.storage, mean.storage}) == 3
    assert [one.nbytes for one in (words, decoder, gamma, mean)] == [60, None, 12, 12]  # 5·3·4, once; 3·4


@pytest.mark.parametrize("form", FORMS)
def test_views(form: str) -> None:
    inventory = read(DATA / f"views{form}")
    assert [one.nbytes for one in stored(inventory)] == [40, 40, 60, 4]  # the last one value, repeated 16 times
    assert len({one.storage for one in stored(inventory)}) == 4
    # Two slices of 10 values out of 100: all 100·4 bytes are in the file, 2·10·4 of them used.
    assert [(remark.kind, remark.where, remark.value) for remark in inventory.remarks] == [("larger-storage", "a", 320)]


@pytest.mark.parametrize("form", FORMS)
def test_what_a_module_asks_for_is_said(form: str) -> None:
    remarks = [(remark.kind, remark.where) for remark in read(DATA / f"module{form}").remarks]
    assert remarks == [("not-executed", "__main__.Tied"), ("not-executed", "__main__.Scale")]


def test_the_library_still_writes_the_same(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    import write_pytorch

    write_pytorch.write(tmp_path)
    for case, expected in FILES.items():
        for form in FORMS:
            found = stored(read(tmp_path / f"{case}{form}"))
            assert [(one.path, one.shape, one.dtype, one.trainable, one.role) for one in found] == expected


# Files by their instructions: what older versions wrote, and what training scripts save.

PAIR = {"0": bytes(24), "1": bytes(12)}  # 2·3·4 and 3·4 bytes
STATE = {"w": tensor("0", 6, [2, 3], [3, 1]), "b": tensor("1", 3, [3])}


def paths(path: Path) -> list[tuple[str, str]]:
    return [(one.path, one.role) for one in stored(read(path))]


@pytest.mark.parametrize("make", [torch_zip, torch_stream])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (dict_of(STATE), [("w", PARAMETER), ("b", PARAMETER)]),
        (dict_of({"epoch": number(3), "state_dict": dict_of(STATE)}), [("w", PARAMETER), ("b", PARAMETER)]),
        (dict_of({"encoder": dict_of(STATE)}), [("encoder.w", PARAMETER), ("encoder.b", PARAMETER)]),
        (dict_of({"model": dict_of({"enc": dict_of(STATE)})}), [("enc.w", PARAMETER), ("enc.b", PARAMETER)]),
        (dict_of({"model": dict_of({"w": STATE["w"]}), "ema": dict_of({"w": STATE["b"]})}), [("w", PARAMETER), ("ema.w", OPTIMIZER)]),
        (dict_of({"netG": dict_of({"w": STATE["w"]}), "netD": dict_of({"w": STATE["b"]})}), [("netG.w", PARAMETER), ("netD.w", PARAMETER)]),
        (dict_of({"w": STATE["w"], "opt": dict_of({"state": dict_of({"0": STATE["b"]}), "param_groups": b"]"})}), [("w", PARAMETER), ("opt.state.0", OPTIMIZER)]),
        (dict_of({"bn.running_mean": STATE["b"], "w": STATE["w"]}), [("bn.running_mean", BUFFER), ("w", PARAMETER)]),
        (dict_of({"state_dict": dict_of({"w": STATE["w"]}), "callbacks": dict_of({"best": STATE["b"]})}), [("w", PARAMETER), ("callbacks.best", FLAG)]),
        (dict_of({"model": dict_of({"w": STATE["w"]}), "optimizer_states": b"](" + dict_of({"0": STATE["b"]}) + b"e"}), [("w", PARAMETER), ("optimizer_states.0.0", OPTIMIZER)]),
        (b"](" + STATE["w"] + STATE["b"] + b"e", [("0", PARAMETER), ("1", PARAMETER)]),
        # Python 2 gives an ordered dictionary its pairs as one argument, and texts as bytes.
        (call(name("collections", "OrderedDict"), b"](](U\1w" + STATE["w"] + b"e](U\1b" + STATE["b"] + b"ee"), [("w", PARAMETER), ("b", PARAMETER)]),
        # The same key again: the later one is what a dictionary would keep.
        (b"}(" + text("w") + STATE["w"] + text("w") + STATE["b"] + b"u", [("w", PARAMETER)]),
    ],
)  # fmt: skip
def test_forms_of_checkpoints(tmp_path: Path, make: Any, value: bytes, expected: list[tuple[str, str]]) -> None:
    assert paths(written(tmp_path / "x.pt", make(value, PAIR))) == expected


def test_a_part_of_a_storage(tmp_path: Path) -> None:
    """Before 0.4 a storage could be a part of another: the key of the whole, where it starts, how long it is."""
    part = tuple_of(text("0"), number(3), number(3))
    keyed = tuple_of(text("storage"), name("torch", "FloatStorage"), text("9"), text("cpu"), number(6), part) + b"Q"
    half = call(name("torch._utils", "_rebuild_tensor"), keyed, number(0), tuple_of(number(3)), tuple_of(number(1)))
    data = torch_stream(dict_of({"a": tensor("0", 6, [3]), "b": half}), {"0": bytes(24)})
    first, second = stored(read(written(tmp_path / "x.pt", data)))
    assert (first.shape, second.shape) == ((3,), (3,))
    assert first.storage != second.storage


def test_a_tensor_that_is_not_dense(tmp_path: Path) -> None:
    sparse = call(
        name("torch._utils", "_rebuild_sparse_tensor"), name("torch.serialization", "_get_layout"), tuple_of()
    )
    inventory = read(written(tmp_path / "x.pt", torch_zip(dict_of({**STATE, "s": sparse}), PAIR)))
    assert [one.path for one in stored(inventory)] == ["w", "b"]
    assert [(remark.kind, remark.where) for remark in inventory.remarks] == [("other-layout", "s")]


def test_a_tensor_without_a_storage(tmp_path: Path) -> None:
    """PyTorch's `meta` device has shapes alone."""
    meta = call(
        name("torch._utils", "_rebuild_meta_tensor_no_storage"),
        name("torch", "float16"),
        tuple_of(number(4)),
        tuple_of(number(1)),
        b"\x89",
    )
    (one,) = stored(read(written(tmp_path / "x.pt", torch_zip(dict_of({"m": meta}), {}))))
    assert (one.shape, one.dtype, one.nbytes) == ((4,), "float16", 0)


def test_a_compiled_module(tmp_path: Path) -> None:
    """TorchScript keeps a module's tensors in its state, each under its own name."""
    inner = name("__torch__.inner", "Linear") + b")\x81" + dict_of({"training": b"\x88", **STATE}) + b"b"
    outer = name("__torch__", "Model") + b")\x81" + dict_of({"linear": inner}) + b"b"
    inventory = read(written(tmp_path / "x.pt", torch_zip(outer, PAIR)))
    assert [one.path for one in stored(inventory)] == ["linear.w", "linear.b"]
    assert inventory.remarks == ()


def test_the_number_of_bytes_read(tmp_path: Path) -> None:
    """A file of 400 MB, of which the pickle and the sizes of the storages are read."""
    layers = {f"layer.{place}.weight": tensor(str(place), 1 << 20, [1024, 1024], [1024, 1]) for place in range(100)}
    heads = torch_stream(dict_of(layers), {})[: -len(pickle_of(b"](e"))]
    with (tmp_path / "x.pt").open("wb") as file:
        file.write(heads + pickle_of(b"](" + b"".join(text(str(place)) for place in range(100)) + b"e"))
        for _ in range(100):
            file.write(struct.pack("<q", 1 << 20))
            file.seek(4 << 20, io.SEEK_CUR)
        file.truncate()
    tracemalloc.start()
    inventory = read(tmp_path / "x.pt")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sum(one.size for one in inventory.tensors) == 100 * 1024 * 1024
    assert peak < 4 * 2**20


def test_shards(tmp_path: Path) -> None:
    for shard in ("one.bin", "two.bin"):  # both number their storages from 0
        written(
            tmp_path / shard, torch_zip(dict_of({f"{shard[:3]}.w": tensor("0", 6, [2, 3], [3, 1])}), {"0": bytes(24)})
        )
    index = {"metadata": {"total_size": 48}, "weight_map": {"one.w": "one.bin", "two.w": "two.bin"}}
    inventory = sharded.read(written(tmp_path / "pytorch_model.bin.index.json", json.dumps(index).encode()))
    assert [one.path for one in inventory.tensors] == ["one.w", "two.w"]
    assert (inventory.kind, inventory.remarks) == ("sharded PyTorch", ())


# Hostile files.

SYSTEM = call(name("os", "system"), text("touch executed"))


class Execute:
    def __reduce__(self) -> tuple[Any, ...]:
        return (exec, ("open('executed', 'w')",))


@pytest.mark.parametrize("make", [torch_zip, torch_stream])
@pytest.mark.parametrize(
    "hook",
    [SYSTEM, b"(cos\nsystem\n" + text("touch executed") + b"o", b"(" + text("touch executed") + b"ios\nsystem\n"],
)
def test_a_call_beside_tensors_has_no_effect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Any, hook: bytes
) -> None:
    monkeypatch.chdir(tmp_path)
    inventory = read(written(tmp_path / "x.pt", make(dict_of({**STATE, "hook": hook}), PAIR)))
    assert [one.path for one in stored(inventory)] == ["w", "b"]
    assert [(remark.kind, remark.where) for remark in inventory.remarks] == [("not-executed", "os.system")]
    assert [file.name for file in tmp_path.iterdir()] == ["x.pt"]


def test_a_call_alone_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for data in (torch_zip(SYSTEM, {}), torch_stream(SYSTEM, {}), pickle_of(SYSTEM)):
        with pytest.raises(InputError, match=r"os\.system, which is no tensor"):
            read(written(tmp_path / "x.pt", data))
    for protocol in range(2, 6):
        with pytest.raises(InputError, match=r"exec, which is no tensor"):
            read(written(tmp_path / "x.pt", pickle.dumps(Execute(), protocol)))
    assert [file.name for file in tmp_path.iterdir()] == ["x.pt"]


def test_names_that_are_none(tmp_path: Path) -> None:
    """Instructions may name anything; what is printed of it has no control characters and is short."""
    odd = text("\x1b[31m\n") + text("x" * 5000) + b"\x93"
    path = written(tmp_path / "x.pt", torch_zip(dict_of({**STATE, "odd": odd}), PAIR))
    (remark,) = read(path).remarks
    assert remark.where.isprintable()
    assert len(remark.where) < 200
    with pytest.raises(InputError, match=r"x\.pt: got '\\x1b\[31m\\n\.xxx.* characters more, which is no tensor"):
        read(written(path, torch_zip(odd, {})))


@pytest.mark.parametrize("key", ["_opt" * 100_000 + "\n", "scaler_" * 100_000 + "\n", "torch." + "a." * 100_000])
def test_names_that_take_long_to_compare(tmp_path: Path, key: str) -> None:
    value = dict_of({**STATE, key: dict_of({"a": b"N"}), "x": text(key) + text(key) + b"\x93"})
    with pytest.raises(InputError, match="characters, takes a state dict"):
        read(written(tmp_path / "x.pt", torch_zip(value, PAIR)))


def test_the_hostile_pickle_is_hostile(tmp_path: Path) -> None:
    """The same bytes do run what they name where they are unpickled."""
    code = f"import pickle; pickle.loads({pickle_of(SYSTEM)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    assert (tmp_path / "executed").exists()


def test_nothing_is_imported(tmp_path: Path) -> None:
    path = written(tmp_path / "x.pt", torch_zip(dict_of({**STATE, "x": call(name("antigravity", "fly"))}), PAIR))
    code = (
        "import sys; from pathlib import Path; from reconcile.sources.checkpoints.pytorch import read;"
        f"read(Path({str(path)!r})); print(sorted({{'antigravity', 'torch', 'pickle', 'numpy'}} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def laughs(depth: int = 60) -> bytes:
    """Lists that hold the one before twice."""
    return b"]q\0" + b"".join(b"](h%ch%ceq%c" % (place, place, place + 1) for place in range(depth))


def both(value: bytes) -> tuple[bytes, bytes]:
    named = {key: data for key, data in PAIR.items() if text(key) in value}
    return torch_zip(value, PAIR), torch_stream(value, named)


LOOP = b"}q\0(" + text("a") + b"h\0" + text("w") + STATE["w"] + b"u"
HARMLESS = {
    "laughs": dict_of({**STATE, "x": laughs()}),
    "laughs as keys": b"}(" + text("w") + STATE["w"] + laughs() + b"Nu",
    "tuples as keys": b"}(" + text("w") + STATE["w"] + laughs().replace(b"](", b"(").replace(b"eq", b"tq") + b"Nu",
    "a dictionary in itself": LOOP,
    "deep lists": dict_of({**STATE, "x": b"](" * 90 + b"e" * 90}),
    "deep tuples": dict_of({**STATE, "x": b")" + b"\x85" * 50}),
    "a large memory number": dict_of({**STATE, "x": b"Nr\xff\xff\xff\xff"}),
    "state upon state": dict_of({**STATE, "x": name("a", "b") + b")R" + (name("a", "b") + b")R") * 50 + b"b" * 50}),
}


@pytest.mark.parametrize("case", HARMLESS)
def test_bombs_that_do_not_go_off(tmp_path: Path, case: str) -> None:
    for data in both(HARMLESS[case]):
        assert ("w", PARAMETER) in paths(written(tmp_path / "x.pt", data))


def shared(depth: int = 40) -> bytes:
    """Dictionaries that hold the one before twice, with a tensor at the bottom: 2⁴⁰ names."""
    value = dict_of({"w": STATE["w"]}) + b"q\0"
    for place in range(depth):
        value += (
            b"}(" + text("a") + b"h" + bytes([place]) + text("b") + b"h" + bytes([place]) + b"uq" + bytes([place + 1])
        )
    return value


WRONG_VALUES = {
    "deep": (dict_of({**STATE, "x": b"](" * 200 + b"e" * 200}), "values more than 100 deep"),
    "very deep": (dict_of({**STATE, "x": b"](" * 200_000 + b"e" * 200_000}), "values more than 100 deep"),
    "very deep wrappers": (b"".join(b"}(" + text("model") for _ in range(9000)) + b"}" + b"u" * 9000, "more than 100 deep"),
    "very deep tuples": (dict_of({**STATE, "x": b")" + b"\x85" * 200_000}), "values more than 100 deep"),
    "long name": (dict_of({"x" * 5000: dict_of(STATE)}), "5,000 characters"),
    "a number of 255 bytes": (dict_of({"a": b"\x8a\xff" + bytes(255)}), "a number of 255 bytes"),
    "a number of 2**31 bytes": (dict_of({"a": b"\x8b" + struct.pack("<I", 2**31)}), "a number of 2,147,483,648 bytes"),
    "a number of digits": (dict_of({"a": b"I" + b"9" * 5000 + b"\n"}), "a number of 5,000 digits"),
    "no number": (dict_of({"a": b"Iabc\n"}), "a number that is none"),
    "no fraction": (dict_of({"a": b"Fabc\n"}), "a number that is none"),
    "2**63 bytes": (dict_of({"a": b"\x8e" + struct.pack("<Q", 2**63)}), "a text of 9,223,372,036,854,775,808 bytes"),
    "2**63 characters": (dict_of({"a": b"\x8d" + struct.pack("<Q", 2**63)}), "a text of 9,223,372,036,854,775,808 bytes"),
    "a text cut": (b"X\xff\xff\0\0abc", "its end before the last instruction"),
    "no instruction": (b"\xff", "an instruction 0xff that no pickle has"),
    "nothing there": (b"0", "an instruction that lacks its values"),
    "no mark": (b"t", "an instruction that lacks its values"),
    "a mark taken": (b"(0(\x85", "an instruction that lacks its values"),
    "no such value": (b"h\7", "value number 7, which is not there"),
    "a key alone": (b"}(" + text("a") + b"u", "a key without a value"),
    "pairs of a number": (number(1) + text("a") + b"Ns", "an instruction whose values do not fit it"),
    "list of a number": (number(1) + text("a") + b"a", "an instruction whose values do not fit it"),
    "no class": (b"(o", "an object without a class"),
    "no quotes": (b"Sabc\n", "a text without quotes"),
    "many names there": (b"".join(name("a", str(place)) for place in range(10_001)), "more than 10,000 different names"),
    "no line": (b"cabc", "its end before the last instruction"),
    "no tensor": (dict_of({"a": number(3)}), "got no tensor, takes a state dict"),
    "no storage": (dict_of({"a": call(name("torch._utils", "_rebuild_tensor_v2"), *[b"N"] * 6)}), "'a': got no storage"),
    "no arguments": (dict_of({"a": call(name("torch._utils", "_rebuild_tensor_v2"))}), "'a': got no storage"),
    "no shape": (dict_of({"a": call(name("torch._utils", "_rebuild_tensor_v2"), storage("0", 6), *[number(0)] * 3)}), "'a': got 0, takes a list"),
    "no such storage": (dict_of({"a": tensor("7", 6, [6])}), "'a', storage '7': got no data"),
    "no such type": (dict_of({"a": tensor("0", 6, [6], kind="OddStorage")}), "storage '0': got OddStorage, takes one of"),
    "2**63 values": (dict_of({"a": tensor("0", 6, [2**40, 2**40], [0, 0])}), "fewer than 2⁶³ values"),
    "negative": (dict_of({"a": tensor("0", 6, [-6])}), "'a': got a dimension of -6"),
    "negative start": (dict_of({"a": tensor("0", 6, [6], offset=-1)}), "'a': got a start of -1"),
    "negative stride": (dict_of({"a": tensor("0", 6, [6], [-1])}), "'a': got a stride of -1"),
    "strides": (dict_of({"a": tensor("0", 6, [6], [1, 1])}), "'a': got 2 strides for 1 dimensions"),
    "too large": (dict_of({"a": tensor("0", 6, [7])}), "'a': got values up to 7 in a storage of 24 bytes"),
    "far away": (dict_of({"a": tensor("0", 6, [6], offset=2**62)}), "'a': got values up to 4611686018427387910 in"),
    "2**62 values": (dict_of({"a": tensor("0", 2**62, [2**62])}), "'a', storage '0': got 24 bytes"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG_VALUES)
def test_wrong_values(tmp_path: Path, case: str) -> None:
    value, message = WRONG_VALUES[case]
    for data in both(value):
        path = written(tmp_path / "x.pt", data)
        with pytest.raises(InputError) as error:
            read(path)
        assert str(error.value).startswith(f"{path}: ")
        assert message in str(error.value)
        assert len(str(error.value)) < 600


@pytest.mark.slow
def test_one_tensor_with_very_many_names(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="more than 250,000 values"):
        read(written(tmp_path / "x.pt", torch_zip(shared(), PAIR)))


ZIP, STREAM = torch_zip(dict_of(STATE), PAIR), torch_stream(dict_of(STATE), PAIR)
TAR = bytes(257) + b"ustar  \0" + bytes(247)
WRONG_FILES = {
    "empty": (b"", "magic number: got its end before the last instruction"),
    "cut archive": (ZIP[:-40], "damaged zip archive"),
    "an archive of others": (npz({"x.npy": b""}), "an archive without data.pkl"),
    "a large pickle": (torch_zip(b"B" + struct.pack("<I", 65 * 2**20) + bytes(65 * 2**20), {}), "at most 67,108,864 bytes"),
    "a tar archive": (TAR, "a tar archive, as PyTorch wrote before 0.1.10"),
    "another pickle": (pickle_of(number(3)), "magic number: got a pickle of another kind"),
    "another protocol": (pickle_of(number(MAGIC)) + pickle_of(number(999)), "protocol version: got 999, takes 1001"),
    "cut object": (STREAM[:200], "object: got its end before the last instruction"),
    "cut storage": (STREAM[:-1], "storage '1': got 3 values, 1 bytes beyond the end"),
    "cut size": (STREAM[:-15], "storage '1': got 5 bytes up to the end of the file"),
    "2**63 values": (STREAM.replace(struct.pack("<q", 6), b"\xff" * 8), "storage '0': got 18,446,744,073,709,551,615 values"),
    "no keys": (torch_stream(dict_of(STATE), {}), "storage '0': got no data"),
    "other keys": (torch_stream(dict_of(STATE), {"7": b""}), "storage keys: got '7'"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG_FILES)
def test_wrong_files(tmp_path: Path, case: str) -> None:
    data, message = WRONG_FILES[case]
    path = written(tmp_path / "x.pt", data)
    with pytest.raises(InputError) as error:
        read(path)
    assert message in str(error.value)


@pytest.mark.slow
def test_more_instructions_than_any_checkpoint_has(tmp_path: Path) -> None:
    path = written(tmp_path / "x.pt", torch_zip(b"}0" * 2_100_000 + b"}", {}))
    with pytest.raises(InputError, match="more than 4,000,000 instructions"):
        read(path)


def test_a_quantised_layer_s_pair_is_its_weight_and_bias(tmp_path: Path) -> None:
    pair = tuple_of(tensor("0", 6, [2, 3], [3, 1]), tensor("1", 2, [2]))
    state = {
        "fc.scale": tensor("2", 1, []),
        "fc._packed_params._packed_params": pair,
        "norm.scale": tensor("3", 3, [3]),
    }
    sizes = {"0": bytes(24), "1": bytes(8), "2": bytes(4), "3": bytes(12)}
    found = stored(read(written(tmp_path / "x.pt", torch_zip(dict_of(state), sizes))))
    assert [(one.path, one.shape, one.role) for one in found] == [
        ("fc.scale", (), BUFFER),
        ("fc.weight", (2, 3), PARAMETER),
        ("fc.bias", (2,), PARAMETER),
        ("norm.scale", (3,), PARAMETER),
    ]


def test_arrays_that_no_tensor_was_found_for_are_said(tmp_path: Path) -> None:
    data = torch_zip(dict_of({"w": tensor("0", 6, [2, 3], [3, 1])}), {"0": bytes(24), "1": bytes(40)})
    (remark,) = read(written(tmp_path / "x.pt", data)).remarks
    assert (remark.kind, remark.value) == ("unread-storages", 1)
    assert remark.shown.startswith("40 bytes in 1 arrays")
