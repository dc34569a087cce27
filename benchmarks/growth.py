"""How the time grows with what is read: exponents of the size, and the time that many models take."""

import gc
import json
import math
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measure import measure, reconcile
from benchmarks.rows import Row
from reconcile.errors import InputError
from reconcile.pipeline.read import read, read_stored
from reconcile.render.registry import rendered
from reconcile.spec import load_spec

LARGEST = 1.05
"""The exponent that is allowed: twice as much may take a little over twice as long."""

STEPS, TIMES = (4, 2, 1), 3
HIDDEN, WORDS = 8, 50
Make = Callable[[int, Path], Callable[[], object]]


def names() -> Iterator[Row]:
    """Names of up to 200 parts, the most that are read."""
    yield _exponent("parts of a name", _deep, 200)


def toml_keys() -> Iterator[Row]:
    """Keys of a specification."""
    yield _exponent("keys of a specification", _keys, 64_000)


def blank_lines() -> Iterator[Row]:
    """Blank lines between two rows of a text, in stretches that are read."""
    yield _exponent("blank lines of a text", _blank, 400_000)


def arrays() -> Iterator[Row]:
    """Arrays of a checkpoint."""
    yield _exponent("arrays in safetensors", _safetensors, 100_000)
    yield _exponent("arrays in HDF5", _hdf5, 20_000)


def listed() -> Iterator[Row]:
    """Rows of a listing, and how long the command takes for 100,000 of them."""
    yield _exponent("rows of a listing", lambda count, _: lambda: _shown(read(_listing(count), "a text")), 100_000)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "listing.txt")
        file.write_text(_listing(100_000))
        yield Row("reconcile read of 100,000 rows", measure(reconcile("read", str(file))).seconds, None, 10, "s")


def many() -> Iterator[Row]:
    """2,000 checkpoints, each with its configuration, in one process."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(2_000):
            _checkpoint(Path(folder, f"{number:04}"), HIDDEN * (1 + number % 16), WORDS + number)
        yield Row("reconcile read of 2,000 checkpoints", measure(reconcile("read", folder)).seconds, None, 15, "s")


MEASUREMENTS = (names, toml_keys, blank_lines, arrays, listed, many)


def _exponent(what: str, make: Make, most: int) -> Row:
    """The slope of time over size, both as logarithms, by least squares."""
    was = gc.isenabled()
    gc.disable()  # as the command does
    try:
        with tempfile.TemporaryDirectory() as folder:
            _seconds(make(most // 16, Path(folder, "first")))  # what is prepared once is prepared
            points = [
                (math.log(most // step), math.log(_seconds(make(most // step, Path(folder, str(step))))))
                for step in STEPS
            ]
    finally:
        if was:
            gc.enable()
    middle = [sum(axis) / len(points) for axis in zip(*points, strict=True)]
    rise = sum((x - middle[0]) * (y - middle[1]) for x, y in points)
    return Row(
        f"exponent: {what}, up to {most:,}", rise / sum((x - middle[0]) ** 2 for x, _ in points), None, LARGEST, ""
    )


def _seconds(run: Callable[[], object]) -> float:
    """The processor's time of the fastest of some runs."""
    taken = []
    for _ in range(TIMES):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
        gc.collect()
    return min(taken)


def _shown(reports: object) -> object:
    return rendered(reports, "text")


def _header(count: int, prefix: str = "") -> bytes:
    """A safetensors file of blocks of four arrays each."""
    shapes = {
        "attention.self.query.weight": (4, 4), "attention.self.query.bias": (4,),
        "output.dense.weight": (4, 4), "output.LayerNorm.weight": (4,),
    }  # fmt: skip
    return _stored(
        {
            f"{prefix}encoder.layer.{number // 4}.{name}": shapes[name]
            for number in range(count)
            for name in [[*shapes][number % 4]]
        }
    )


def _stored(shapes: dict[str, tuple[int, ...]]) -> bytes:
    header, place = {}, 0
    for name, shape in shapes.items():
        size = 4 * math.prod(shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [place, place + size]}
        place += size
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + bytes(place)


def _safetensors(count: int, file: Path) -> Callable[[], object]:
    file.write_bytes(_header(count))
    return lambda: _shown(read_stored(str(file)))


def _deep(parts: int, file: Path) -> Callable[[], object]:
    file.write_bytes(_header(2_000, "part." * (parts - 8)))
    return lambda: _shown(read_stored(str(file)))


def _hdf5(count: int, file: Path) -> Callable[[], object]:
    import h5py

    with h5py.File(file, "w") as stream:
        for number in range(count // 2):
            group = stream.create_group(f"dense_{number}")
            group.create_dataset("kernel:0", shape=(2, 2), dtype="f4")
            group.create_dataset("bias:0", shape=(2,), dtype="f4")
    return lambda: _shown(read_stored(str(file)))


def _keys(count: int, file: Path) -> Callable[[], object]:
    file.write_text("[arguments]\n" + "".join(f"key_{number} = {number}\n" for number in range(count)))

    def refused() -> None:
        try:
            load_spec(f"{file}")
        except InputError:
            return
        raise AssertionError("keys that are not known were taken")

    return refused


def _blank(count: int, file: Path) -> Callable[[], object]:
    text = "".join(f"layer.{number}.weight (2, 3)\n" + "\n" * 5_000 for number in range(count // 5_000))
    return lambda: _shown(read(text, "a text"))


def _listing(count: int) -> str:
    return "".join(f"encoder.layer.{place // 4}.x{place % 4}.weight torch.Size([4, 4])\n" for place in range(count))


def _checkpoint(folder: Path, hidden: int, words: int, blocks: int = 2) -> None:
    """A small BERT with its configuration, as Hugging Face's library saves them."""
    dense = {"attention.self.query": (hidden, hidden), "attention.self.key": (hidden, hidden)}
    dense |= {"attention.self.value": (hidden, hidden), "attention.output.dense": (hidden, hidden)}
    dense |= {"intermediate.dense": (2 * hidden, hidden), "output.dense": (hidden, 2 * hidden)}
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (words, hidden),
        "embeddings.position_embeddings.weight": (32, hidden),
        "embeddings.token_type_embeddings.weight": (2, hidden),
    }
    shapes |= {"pooler.dense.weight": (hidden, hidden), "pooler.dense.bias": (hidden,)}
    norms = ["embeddings.LayerNorm"]
    for block in range(blocks):
        for name, shape in dense.items():
            shapes |= {f"encoder.layer.{block}.{name}.weight": shape, f"encoder.layer.{block}.{name}.bias": shape[:1]}
        norms += [f"encoder.layer.{block}.{name}.LayerNorm" for name in ("attention.output", "output")]
    shapes |= {f"{norm}.{name}": (hidden,) for norm in norms for name in ("weight", "bias")}
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(_stored({f"bert.{name}": shape for name, shape in shapes.items()}))
    config = {
        "model_type": "bert", "architectures": ["BertModel"], "vocab_size": words, "hidden_size": hidden,
        "num_hidden_layers": blocks, "num_attention_heads": 2, "intermediate_size": 2 * hidden,
        "max_position_embeddings": 32, "type_vocab_size": 2,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
