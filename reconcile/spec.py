"""Specs: what to build, as a file under `models/` or a `bert_config.json`; every value is checked before a build."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reconcile.datafile import PACKAGE, check_keys, clipped, near, read_json, read_text, read_toml, shown, take
from reconcile.dialect import Dialect, dialects_with, load_dialect
from reconcile.errors import InputError
from reconcile.frozen import dataclass
from reconcile.sources.config_keys import known_configs
from reconcile.sources.config_sizes import MOST_BLOCKS
from reconcile.taxonomy import architecture_names, load_architecture

_KEYS = ("title", "source", "question", "architecture", "builder", "references", "arguments")


@dataclass(frozen=True, slots=True)
class Spec:
    """A model to build: every argument of the builder, given or `defaulted`, and the references to compare it with.

    `claimed` holds dimensions that the file states and the builder cannot be told (T of a configuration); `question` is
    what somebody asked about the model.
    """

    file: str
    name: str
    title: str
    source: str
    architecture: str
    builder: str
    references: tuple[str, ...]
    arguments: Mapping[str, Any]
    defaulted: frozenset[str]
    claimed: Mapping[str, int]
    question: str = ""

    @property
    def options(self) -> frozenset[str]:
        """The architecture's options that these arguments switch on."""
        dialect = load_dialect(self.builder)
        return frozenset(option for option, argument in dialect.options.items() if self.arguments[argument])

    @property
    def dimensions(self) -> dict[str, int | None]:
        """The size of every dimension, in the architecture's order; None where the spec leaves it open."""
        dialect, architecture = load_dialect(self.builder), load_architecture(self.architecture)
        set_by = {entry["dimension"]: key for key, entry in dialect.arguments.items() if "dimension" in entry}
        sizes: dict[str, int | None] = dict.fromkeys(architecture.dimensions)
        sizes |= {name: None if (value := self.arguments[key]) == "none" else value for name, key in set_by.items()}
        sizes |= {**dialect.constants, **self.claimed}
        for option, argument in dialect.options.items():
            if not self.arguments[argument]:
                for name in _only_in(architecture.name, option):
                    sizes[name] = None
        if dialect.extraction:
            sizes[dialect.extraction["dimension"]] = self.blocks_reached
        return architecture.complete(sizes)

    @property
    def blocks(self) -> int:
        """The number of blocks that the arguments ask for."""
        return int(self.arguments[self._blocks_argument])

    @property
    def blocks_reached(self) -> int:
        """The number of blocks between inputs and outputs: an extraction may end before the last one."""
        extraction = load_dialect(self.builder).extraction
        chosen = self.arguments[extraction["argument"]]
        if self.arguments[extraction["unless"]] or isinstance(chosen, int):
            return self.blocks
        return 1 + max(int(place) % self.blocks for place in chosen)

    @property
    def _blocks_argument(self) -> str:
        dialect = load_dialect(self.builder)
        return str(dialect.arguments[dialect.extraction["argument"]]["blocks"])


def models_directory() -> Path:
    """Where the models that come with the project are: in the package once installed, beside it in a checkout."""
    inside = PACKAGE / "models"
    return inside if inside.is_dir() else PACKAGE.parent / "models"


def model_names() -> list[str]:
    """The names of the models that come with the project."""
    return sorted(path.stem for path in models_directory().glob("*.toml"))


def load_spec(name: str) -> Spec:
    """Read a spec file, a configuration in JSON, or one of the project's own models by its bare name.

    Raises InputError, naming file and key, for anything that keras-bert could not build or would not build as written.
    """
    path = Path(name)
    if not path.exists() and name in model_names():
        path = models_directory() / f"{name}.toml"
    if not path.exists() and path.suffix == "" and path.name == name:
        models = f"a file, or a model that comes with the project: {near(name, model_names())}"
        raise InputError(name, got="no such file", takes=models)
    if path.is_file() and (path.suffix == ".json" or read_text(path).lstrip().startswith("{")):
        return _from_config(name, path)
    return _from_toml(name, path)


def _from_toml(name: str, path: Path) -> Spec:
    table = read_toml(path)
    check_keys(name, table, _KEYS, ("arguments",))
    builder = _one_of(name, table, "builder", "keras-bert", dialects_with("arguments"))
    dialect = load_dialect(builder)
    references = take(name, table, "references", list, [])
    for reference in references:
        if not isinstance(reference, str):
            raise InputError(name, "references", shown(reference), "names of references, as text")
    spec = _checked(
        name,
        path,
        dialect,
        title=take(name, table, "title", str, path.stem),
        source=take(name, table, "source", str, ""),
        architecture=_one_of(name, table, "architecture", dialect.architecture, architecture_names()),
        references=tuple(references),
        given=take(name, table, "arguments", dict),
        under="arguments",
    )
    return replace(spec, question=take(name, table, "question", str, ""))


def _from_config(name: str, path: Path) -> Spec:
    """A Google or Hugging Face configuration as a spec for keras-bert, sequences as long as the position table."""
    table = read_json(path)
    dialect = load_dialect("keras-bert")
    kind = table.get("model_type", dialect.architecture)
    if kind != dialect.architecture:
        raise InputError(
            name, "model_type", clipped(kind), f"{dialect.architecture!r}, which is what keras-bert builds"
        )
    if "vocab_size" not in table:
        raise InputError(name, "vocab_size", "nothing", "a whole number (a BERT configuration has one)")
    keys = known_configs()[kind].dimensions
    set_by = {entry["dimension"]: argument for argument, entry in dialect.arguments.items() if "dimension" in entry}
    config = {key: set_by[name] for key, name in keys.items() if name in set_by} | dict(dialect.config)
    given = {argument: table[key] for key, argument in config.items() if table.get(key) is not None}
    given.setdefault("seq_len", given.get("pos_num", dialect.arguments["pos_num"]["default"]))
    claimed = {}
    for key, dimension in keys.items():
        if key in table and dimension not in set_by:
            claimed[dimension] = _size(name, key, table[key], {}, dialect)
    names = {argument: key for key, argument in config.items()}
    return _checked(
        name,
        path,
        dialect,
        title=f"{path.name} of {path.resolve().parent.name}",
        source="",
        architecture=dialect.architecture,
        references=(),
        given=given,
        claimed=claimed,
        names=names,
    )


def _checked(
    name: str,
    path: Path,
    dialect: Dialect,
    *,
    title: str,
    source: str,
    architecture: str,
    references: tuple[str, ...],
    given: Mapping[str, Any],
    claimed: Mapping[str, int] | None = None,
    names: Mapping[str, str] | None = None,
    under: str = "",
) -> Spec:
    """A spec of arguments that have all been checked; `names` is what the file itself calls an argument."""
    check_keys(name, given, dialect.arguments, under=under)
    arguments = {}
    places = {
        argument: ".".join(filter(None, (under, (names or {}).get(argument, argument))))
        for argument in dialect.arguments
    }
    for argument, entry in dialect.arguments.items():
        if argument not in given and "default" not in entry:
            raise InputError(name, places[argument], "nothing", "a whole number of at least 1")
        value = given.get(argument, entry.get("default"))
        arguments[argument] = _TAKES[entry["takes"]](name, places[argument], value, entry, dialect)
    for argument, entry in dialect.arguments.items():
        _check_together(name, places, arguments, argument, entry)
    return Spec(
        file=name,
        name=_printable(path.stem),
        title=_printable(title),
        source=source,
        architecture=architecture,
        builder=dialect.name,
        references=references,
        arguments=arguments,
        defaulted=frozenset(dialect.arguments) - frozenset(given),
        claimed=claimed or {},
    )


def _check_together(
    name: str, places: Mapping[str, str], arguments: Mapping[str, Any], argument: str, entry: Mapping[str, Any]
) -> None:
    """Check one argument against the others that it depends on."""
    value = arguments[argument]
    if (other := entry.get("at_most")) and value != "none" and value > arguments[other]:
        raise InputError(name, places[argument], value, f"at most {other}, which is {arguments[other]}")
    if (other := entry.get("multiple_of")) and value % arguments[other]:
        raise InputError(name, places[other], arguments[other], f"a divisor of {argument}, which is {value}")
    if other := entry.get("blocks"):
        blocks = arguments[other]
        if isinstance(value, int) and not 1 <= value <= blocks:
            raise InputError(name, places[argument], clipped(value), f"1 to {other}, which is {blocks}")
        for place in value if isinstance(value, list) else ():
            if not -blocks <= place < blocks:
                takes = f"block numbers from {-blocks} to {blocks - 1} ({other} is {blocks})"
                raise InputError(name, places[argument], clipped(place), takes)


def _printable(text: str) -> str:
    """Text in which bytes of a file's name that are not UTF-8 are written out."""
    return text.encode("utf-8", "backslashreplace").decode()


def _only_in(architecture: str, option: str) -> set[str]:
    """The dimensions that occur in components of one option and nowhere else."""
    components = load_architecture(architecture).components
    inside = {d for part in components if part.option == option for axis in part.shape for d in axis.dimensions}
    outside = {d for part in components if part.option != option for axis in part.shape for d in axis.dimensions}
    return inside - outside


def _one_of(name: str, table: Mapping[str, Any], key: str, default: str, allowed: list[str]) -> str:
    value = str(take(name, table, key, str, default))
    if value not in allowed:
        raise InputError(name, key, clipped(value), f"one of {', '.join(allowed)}")
    return value


def _size(name: str, place: str, value: Any, entry: Mapping[str, Any], dialect: Dialect) -> Any:
    if type(value) is not int:
        raise InputError(name, place, shown(value), "a whole number of at least 1")
    if not 1 <= value < 2**31:
        takes = "a whole number of at least 1" + (" and below 2³¹" if value > 0 else "")
        raise InputError(name, place, clipped(value), takes)
    repeated = (one.times.dimensions for one in load_architecture(dialect.architecture).repetitions)
    if value > MOST_BLOCKS and any(entry.get("dimension") in names for names in repeated):
        raise InputError(name, place, clipped(value), f"a whole number from 1 to {MOST_BLOCKS:,}")
    return value


def _size_or_none(name: str, place: str, value: Any, entry: Mapping[str, Any], dialect: Dialect) -> Any:
    return value if value == "none" else _size(name, place, value, entry, dialect)


def _rate(name: str, place: str, value: Any, entry: Mapping[str, Any], dialect: Dialect) -> Any:
    if type(value) not in (int, float) or not 0 <= value < 1:
        got = shown(value) if type(value) not in (int, float) else clipped(value)
        raise InputError(name, place, got, "a number from 0 to below 1")
    return value


def _flag(name: str, place: str, value: Any, entry: Mapping[str, Any], dialect: Dialect) -> Any:
    if type(value) is not bool:
        raise InputError(name, place, shown(value), "true or false")
    return value


def _activation(name: str, place: str, value: Any, entry: Mapping[str, Any], dialect: Dialect) -> Any:
    if value not in dialect.activations:
        raise InputError(
            name, place, clipped(value), near(value if isinstance(value, str) else clipped(value), dialect.activations)
        )
    return value


def _flag_none_or_prefixes(name: str, place: str, value: Any, entry: Mapping[str, Any], dialect: Dialect) -> Any:
    if value == "none" or type(value) is bool:
        return value
    if not isinstance(value, list) or not all(isinstance(prefix, str) for prefix in value):
        raise InputError(name, place, shown(value), 'true, false, "none" or a list of layer name prefixes')
    return value


def _blocks(name: str, place: str, value: Any, entry: Mapping[str, Any], dialect: Dialect) -> Any:
    numbers = value if isinstance(value, list) else [value]
    if not numbers or any(type(number) is not int for number in numbers):
        raise InputError(name, place, shown(value), "a whole number, or a list of block numbers")
    return value


_TAKES: Mapping[str, Callable[[str, str, Any, Mapping[str, Any], Dialect], Any]] = {
    "size": _size,
    "size or none": _size_or_none,
    "rate": _rate,
    "flag": _flag,
    "activation": _activation,
    "flag, none or prefixes": _flag_none_or_prefixes,
    "blocks": _blocks,
}
