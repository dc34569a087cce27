"""What reading a large checkpoint costs: the command's time, and how many bytes of the file it touches."""

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measure import compare, reconcile
from benchmarks.rows import START_UP, Row
from reconcile.inventory import Inventory
from reconcile.sources.recognise import recognise
from reconcile.spec import load_spec
from reconcile.taxonomy import load_architecture

LARGE = "bert-large-uncased"
FLOAT32 = 4
KILO = 1e3


def safetensors() -> Iterator[Row]:
    """A safetensors file of BERT large, 1.3 GB."""
    yield from _measured("safetensors", _write_safetensors)


def hdf5() -> Iterator[Row]:
    """An HDF5 file of BERT large in Keras' layout, 1.3 GB."""
    yield from _measured("HDF5", _write_hdf5)


MEASUREMENTS = (safetensors, hdf5)


def _measured(kind: str, write: Callable[[Path], None]) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "large")
        write(file)
        size = file.stat().st_size
        ours, other = compare(reconcile("read", str(file)), START_UP, times=15, watch=False)
        touched = _bytes_read(file)
    yield Row(f"reconcile read of {size / 1e9:.2f} GB of {kind}", ours.seconds * 1000, other.seconds * 1000, 4, "ms")
    yield Row(f"bytes read of {size / 1e9:.2f} GB of {kind}", touched / KILO, None, 1000, "kB")


def _bytes_read(file: Path) -> int:
    """The bytes of a file that reading its inventory asks the system for; what Python reads itself is read before."""
    _read(file)
    before = _asked_for()
    _read(file)
    between = _asked_for()
    return between - before - (_asked_for() - between)


def _read(file: Path) -> Inventory:
    return recognise(str(file)).read()


def _asked_for() -> int:
    lines = Path("/proc/self/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("rchar:"))


def _tensors() -> Iterator[tuple[str, tuple[int, ...]]]:
    """The components of BERT large with their shapes."""
    spec = load_spec(LARGE)
    architecture = load_architecture(spec.architecture)
    for path, component in architecture.written_out(spec.options, spec.dimensions):
        if component.tied_to is None:
            yield path, tuple(axis.evaluate(spec.dimensions) for axis in component.shape)


def _write_safetensors(file: Path) -> None:
    """The header as it is, and behind it a hole as long as the weights."""
    header, place = {}, 0
    for path, shape in _tensors():
        size = FLOAT32
        for axis in shape:
            size *= axis
        header[path] = {"dtype": "F32", "shape": shape, "data_offsets": [place, place + size]}
        place += size
    text = json.dumps(header).encode()
    with file.open("wb") as stream:
        stream.write(len(text).to_bytes(8, "little") + text)
        stream.truncate(8 + len(text) + place)


def _write_hdf5(file: Path) -> None:
    """Datasets that have their place in the file and were never written to."""
    import h5py

    with h5py.File(file, "w") as stream:
        groups: dict[str, list[str]] = {}
        for path, shape in _tensors():
            parent, _, name = path.rpartition(".")
            group = stream.require_group(parent)
            kind = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            kind.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
            kind.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
            h5py.h5d.create(group.id, name.encode(), h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple(shape), kind)
            groups.setdefault(parent, []).append(f"{parent}/{name}")
        stream.attrs["layer_names"] = [name.encode() for name in groups]
        stream.attrs["backend"] = b"tensorflow"
        stream.attrs["keras_version"] = b"2.4.0"
        for parent in groups:
            stream[parent].attrs["weight_names"] = [path.partition("/")[2].encode() for path in groups[parent]]
