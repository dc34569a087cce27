"""TensorFlow checkpoints, new and old, by their index alone; TensorFlow itself is not needed."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from reconcile.datafile import clipped, read_text
from reconcile.errors import InputError
from reconcile.inventory import BUFFER, FLAG, OPTIMIZER, PARAMETER, Inventory, Remark, Tensor, parent_layers
from reconcile.sources.checkpoints.bounded import HeaderFile
from reconcile.sources.checkpoints.bundle import Bundle, Entry, read_index, read_old
from reconcile.sources.checkpoints.dtypes import role_of
from reconcile.sources.checkpoints.object_graph import KEY, LARGEST, ObjectGraph, read_graph, string_of
from reconcile.sources.checkpoints.protobuf import WireError

SUFFIX = "/.ATTRIBUTES/VARIABLE_VALUE"
SLOT = "/.OPTIMIZER_SLOT/"
SLOTS = {
    *("adam_m", "adam_v", "lamb_m", "lamb_v", "Adam", "Adam_1", "AdamWeightDecayOptimizer", "Momentum", "momentum"),
    *("RMSProp", "RMSProp_1", "Adagrad", "Adadelta", "Adadelta_1", "Ftrl", "Ftrl_1", "AdaMax", "AdaMax_1"),
    *("LAMB", "LAMB_1", "ExponentialMovingAverage"),
}
"""The last part of the names that optimizers of TensorFlow 1 and of Google's BERT give to what they keep."""
STEPS = re.compile(
    r"(^|/)(global_step|beta_?[12]_power(_\d+)?|iter(ations?)?|loss_scale|current_loss_scale|good_steps)$"
)
METRICS = ("keras_api/metrics/", "_metrics/", "metrics/")
"""What Keras keeps of its metrics beside a model."""
COPIES = "_all_variables/"
"""Where Keras 3 lists the variables of a model that it exports once more; both lists are stored."""
TRAINING = re.compile(r"^(training|optimizer|_optimizer)(_\d+)?/")
COUNTERS = ("save_counter", "_save_counter")


def read(path: Path) -> Inventory:
    """The inventory of a checkpoint, named by its prefix, its index, one of its data files, or its directory.

    Raises InputError, naming the file and the place in it, where there is none or it is damaged.
    """
    prefix = prefix_of(path)
    index = _with(prefix, ".index")
    if not index.is_file():
        return _old(path, prefix)
    bundle = read_index(index)
    remarks, sizes = _shards(prefix, bundle, index)
    graph = read_objects(prefix, bundle)
    copies = _copies(bundle, graph)
    if copies:
        remarks.append(Remark("stored twice", COPIES, f"{len(copies):,} variables", sum(copies.values())))
    return Inventory(
        str(path),
        parent_layers(tensors_of(bundle, graph)),
        None,
        kind="TensorFlow checkpoint",
        size=index.stat().st_size + sum(sizes),
        remarks=tuple(remarks),
    )


def _old(path: Path, prefix: Path) -> Inventory:
    """A checkpoint of the old format: one file, or several that share its tensors out."""
    stem = re.sub(r"-\d{5}-of-\d{5}$", "", prefix.name)
    shards = sorted(prefix.parent.glob(f"{_escaped(stem)}-?????-of-?????"))
    files = [prefix] if prefix.is_file() and prefix not in shards else shards
    if not files:
        raise InputError(path, got="no file of this name, with .index or without", takes="a TensorFlow checkpoint")
    entries = {entry.name: entry for file in files for entry in read_old(file).entries}
    layers = parent_layers(tensors_of(Bundle(tuple(entries.values()), 0), None))
    size = sum(file.stat().st_size for file in files)
    return Inventory(str(path), layers, None, kind="TensorFlow checkpoint of the old format", size=size)


def prefix_of(path: Path) -> Path:
    """The prefix of a checkpoint's files. Raises InputError where a directory has none, or several."""
    if path.is_dir():
        return _in_directory(path)
    stem = re.sub(r"(\.index|\.meta|\.data-\d{5}-of-\d{5})$", "", path.name)
    whole = path.is_file() and not _with(path.with_name(stem), ".index").is_file()
    return path if whole and not path.name.endswith(".meta") else path.with_name(stem)


def _in_directory(path: Path) -> Path:
    named = path / "checkpoint"
    if named.is_file():
        found = re.search(r'^\s*model_checkpoint_path\s*:\s*"((?:[^"\\]|\\.)*)"', read_text(named), re.MULTILINE)
        if not found:
            raise InputError(named, got="no model_checkpoint_path", takes='model_checkpoint_path: "..."')
        return _inside(path, found[1], named)
    prefixes = sorted(entry.name[: -len(".index")] for entry in path.glob("*.index") if entry.is_file())
    if len(prefixes) != 1:
        some = f"{len(prefixes)} checkpoints, {', '.join(prefixes[:5])}" if prefixes else "no .index file"
        raise InputError(path, got=some, takes="the prefix of one checkpoint")
    return path / prefixes[0]


def _inside(path: Path, name: str, named: Path) -> Path:
    """The prefix that a `checkpoint` file names, which is beside it.

    A path from the root is where it was saved; only its name says anything once the directory has moved.
    """
    parts = Path(name).parts
    if not parts or ".." in parts or "\0" in name:
        raise InputError(named, "model_checkpoint_path", clipped(name), "a checkpoint in this directory")
    prefix = path / parts[-1] if Path(name).is_absolute() else path.joinpath(*parts)
    if not prefix.parent.resolve().is_relative_to(path.resolve()):
        raise InputError(named, "model_checkpoint_path", clipped(name), "a checkpoint in this directory")
    return prefix


def _with(prefix: Path, suffix: str) -> Path:
    return prefix.with_name(prefix.name + suffix)


def _escaped(name: str) -> str:
    from glob import escape

    return escape(name)


def shard_of(prefix: Path, number: int, count: int) -> Path:
    """A data file of a checkpoint."""
    return _with(prefix, f".data-{number:05d}-of-{count:05d}")


def _shards(prefix: Path, bundle: Bundle, index: Path) -> tuple[list[Remark], list[int]]:
    """What there is to say of the data files, and their sizes. Raises InputError for one that is cut."""
    remarks, sizes = [], []
    for number in range(bundle.shards):
        file = shard_of(prefix, number, bundle.shards)
        if not file.is_file():
            remarks.append(Remark("missing data", file.name, "no such file"))
            continue
        sizes.append(file.stat().st_size)
        if bundle.reach.get(number, 0) > sizes[-1]:
            takes = f"{bundle.reach[number]:,}, as {index.name} says"
            raise InputError(file, got=f"{sizes[-1]:,} bytes", takes=takes)
    if bundle.reach and max(bundle.reach) >= max(bundle.shards, 1):
        got = f"a tensor in data shard {max(bundle.reach) + 1:,} of {bundle.shards:,}"
        raise InputError(index, got=got, takes="shards that the header counts")
    return remarks, sizes


def read_objects(prefix: Path, bundle: Bundle) -> ObjectGraph | None:
    """The graph of objects, which stands among the tensors; None where there is none or its data file is missing."""
    entry = next((entry for entry in bundle.entries if entry.name == KEY), None)
    if entry is None or entry.shard is None or entry.shape:
        return None
    file = shard_of(prefix, entry.shard, bundle.shards)
    if not file.is_file():
        return None
    with HeaderFile(file, LARGEST) as data:
        data.seek(entry.offset)
        held = data.exactly(entry.nbytes or 0, KEY)
    try:
        return read_graph(string_of(held))
    except WireError as error:
        raise InputError(file, KEY, error, "a graph of objects") from None


def tensors_of(bundle: Bundle, graph: ObjectGraph | None) -> Iterator[Tensor]:
    """Every tensor under its variable's full name where that is its own, otherwise under its key."""
    names = _names(bundle, graph)
    slots = graph.optimizer_keys() if graph else frozenset()
    present = set(names.values())
    copies = _copies(bundle, graph)
    trained = graph.listed("trainable_variables") if graph else None
    for entry in bundle.entries:
        if entry.name != KEY and entry.name not in copies:
            path = names[entry.name]
            role = OPTIMIZER if entry.name in slots else _role(entry, path, present)
            trainable = False if role != PARAMETER else None if trained is None else entry.name in trained
            yield Tensor(path, entry.shape, entry.dtype, trainable, entry.name, entry.nbytes, role)


def _copies(bundle: Bundle, graph: ObjectGraph | None) -> Mapping[str, int]:
    """The keys under which variables are stored once more, each with the bytes that it takes."""
    full = graph.full_names() if graph else {}
    first = {(full.get(one.name), one.shape) for one in bundle.entries if not one.name.startswith(COPIES)}
    copies = (one for one in bundle.entries if one.name.startswith(COPIES) and one.name in full)
    return {one.name: one.nbytes or 0 for one in copies if (full[one.name], one.shape) in first}


def _names(bundle: Bundle, graph: ObjectGraph | None) -> Mapping[str, str]:
    """The path of each tensor by its key."""
    full = graph.full_names() if graph else {}
    often = Counter(name for key, name in full.items() if not key.startswith(COPIES))
    return {
        entry.name: full[entry.name]
        if often[full.get(entry.name, "")] == 1 and not entry.name.startswith(COPIES)
        else entry.name.removesuffix(SUFFIX)
        for entry in bundle.entries
    }


def _role(entry: Entry, path: str, present: set[str]) -> str:
    """What a tensor is by its names: an optimizer's slot stands below the variable that it is for."""
    parent, _, last = path.rpartition("/")
    if last in COUNTERS:
        return FLAG
    if SLOT in entry.name or last in SLOTS or parent in present or STEPS.search(path) or TRAINING.match(path):
        return OPTIMIZER
    if entry.name.startswith(METRICS):
        return BUFFER
    if not entry.shape and entry.dtype in ("bool", "int32", "int64"):
        return FLAG
    return BUFFER if entry.dtype in ("string", "resource", "variant") else role_of(entry.dtype)
