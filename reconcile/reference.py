"""Published figures with their sources, read from `references/*.toml`. Nothing is computed here."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from reconcile.datafile import PACKAGE, check_keys, near, packaged, take
from reconcile.errors import InputError
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.quantity import Quantity, figure_of
from reconcile.selection import Selection, read_formula

_KEYS = (
    *("id", "subject", "architecture", "figure", "unit", "exact", "dimensions", "settings", "released", "definition"),
    *("includes", "excludes", "verdict", "holds_as", "account", "plus", "source"),
)
_REQUIRED = ("id", "subject", "architecture", "unit", "verdict", "source")
PARAMETERS = "params"
VERDICTS = ("holds", "holds as", "does not hold", "cannot say")


@dataclass(frozen=True, slots=True)
class Reference:
    """A published figure, or a published setting where `figure` is None or `unit` is not of parameters.

    `dimensions` and `settings` are those of the model spoken of; `definition` names the total that the source says it
    counts; `released` names the references for the checkpoints that came with it.

    `verdict` is what a reader who worked it out says of the figure: it holds under its own definition, it `holds as`
    the totals of `holds_as`, it does not hold, or nobody can say. Where no named total makes it, `account` is the
    selection that does, with `plus` beside it for what is no parameter.
    """

    id: str
    subject: str
    architecture: str
    figure: Quantity | None
    unit: str
    dimensions: Mapping[str, int | str]
    settings: Mapping[str, Any]
    released: tuple[str, ...]
    definition: str | None
    includes: str
    excludes: str
    verdict: str
    holds_as: tuple[str, ...]
    account: Selection | None
    plus: Formula
    source: Mapping[str, str]

    @property
    def counts_parameters(self) -> bool:
        """Whether it states a number of parameters."""
        return self.figure is not None and self.unit == PARAMETERS


def load_reference(name: str, file: object = "references", key: str = "references") -> Reference:
    """The reference of this id. Raises InputError, naming the file and key that asked for it, when there is none."""
    for stem in reference_files():
        if found := references_in(stem).get(name):
            return found
    raise InputError(file, key, repr(name), near(name, all_references()))


def reference_files() -> list[str]:
    """The names of the files, the paper's own first: most look-ups end there and read no other."""
    stems = sorted(path.stem for path in PACKAGE.joinpath("references").glob("*.toml"))
    return sorted(stems, key=len)


def all_references() -> dict[str, Reference]:
    """Every reference of every file by its id."""
    found: dict[str, Reference] = {}
    for stem in reference_files():
        for name, reference in references_in(stem).items():
            if name in found:
                raise InputError(f"references/{stem}.toml", name, "an id that stands twice", "an id of its own")
            found[name] = reference
    return found


@cache
def references_in(stem: str) -> dict[str, Reference]:
    """The references of one file by their ids."""
    file = f"references/{stem}.toml"
    table = packaged("references", stem)
    check_keys(file, table, ("references",), ("references",))
    return {entry.get("id"): _read(file, entry) for entry in table["references"]}


def _read(file: str, entry: dict[str, Any]) -> Reference:
    check_keys(file, entry, _KEYS, _REQUIRED, under=str(entry.get("id", "")))
    place = f"{file}: {entry['id']}"
    if entry["verdict"] not in VERDICTS:
        raise InputError(place, "verdict", repr(entry["verdict"]), f"one of {', '.join(VERDICTS)}")
    figure = None
    if "figure" in entry:
        figure = figure_of(entry["figure"], exact=take(file, entry, "exact", bool, False))
        if figure is None:
            raise InputError(file, f"{entry['id']}.figure", repr(entry["figure"]), "a figure such as 110M or 109482240")
    return Reference(
        id=entry["id"],
        subject=entry["subject"],
        architecture=entry["architecture"],
        figure=figure,
        unit=entry["unit"],
        dimensions=take(file, entry, "dimensions", dict, {}),
        settings=take(file, entry, "settings", dict, {}),
        released=tuple(take(file, entry, "released", list, [])),
        definition=entry.get("definition"),
        includes=take(file, entry, "includes", str, ""),
        excludes=take(file, entry, "excludes", str, ""),
        verdict=entry["verdict"],
        holds_as=tuple(take(file, entry, "holds_as", list, [])),
        account=Selection.read(entry["account"], f"{place}.account") if "account" in entry else None,
        plus=read_formula(place, "plus", entry.get("plus", 0)),
        source=take(file, entry, "source", dict),
    )
