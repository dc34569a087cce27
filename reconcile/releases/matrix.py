"""What is found over a range of releases, as plain data that can be kept."""

from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Any

from reconcile.finding import Severity
from reconcile.frozen import dataclass

TENSORS, NAMES, TRAINABILITY, CONFIGURATION, NUMERICS = AXES = (
    *("tensors", "names", "trainability", "configuration", "numerics"),
)
"""What a change can be about, apart from each other."""

TRAINING, INFERENCE = MODELS = ("training", "inference")
"""The models that every release is built as: `training=True` and `training=False`."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed: on which axis, where (components or layers), in words, and in which of the models."""

    axis: str
    path: str
    text: str
    models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Size:
    """A model's parameters, those of them that are trainable, and how many layers and arrays it has."""

    total: int
    trainable: int
    layers: int
    arrays: int
    unmapped: int
    dialect: str | None


@dataclass(frozen=True, slots=True)
class State:
    """Releases that follow each other and build the same models, with what the first of them changed.

    `rows` are the layers of each model with their parameters.
    """

    releases: tuple[str, ...]
    sizes: Mapping[str, Size]
    changes: tuple[Change, ...]
    rows: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReleaseAnswer:
    """What was asked beside the changes, under a title; `releases` are those that it speaks of."""

    title: str
    lines: tuple[str, ...]
    releases: tuple[str, ...] = ()
    severity: Severity = "note"


@dataclass(frozen=True, slots=True)
class Matrix:
    """All that was found over a range of releases.

    `interface` says which release changed what get_model takes, `since` from which release on an axis is as in the
    last one, and `supplied` which names the adaptation gave to which releases.
    """

    model: str
    title: str
    states: tuple[State, ...]
    interface: tuple[tuple[str, str], ...]
    since: Mapping[str, str]
    supplied: tuple[tuple[str, tuple[str, ...]], ...]
    failed: tuple[tuple[str, str], ...]
    not_importable: tuple[tuple[str, str], ...]
    repairs: tuple[tuple[str, str], ...]
    every: bool = False
    against: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    answers: tuple[ReleaseAnswer, ...] = ()


def as_table(matrix: Matrix) -> dict[str, Any]:
    """The matrix as plain data."""
    return asdict(matrix)


def from_table(table: Mapping[str, Any]) -> Matrix:
    """The matrix of plain data. Raises KeyError or TypeError for what is none."""
    found = tuple(
        State(
            tuple(state["releases"]),
            {name: Size(**size) for name, size in state["sizes"].items()},
            tuple(Change(**{**change, "models": tuple(change["models"])}) for change in state["changes"]),
            {name: tuple((row[0], row[1]) for row in rows) for name, rows in state["rows"].items()},
        )
        for state in table["states"]
    )
    pairs = {
        key: tuple((row[0], tuple(row[1]) if isinstance(row[1], list) else row[1]) for row in table[key])
        for key in ("interface", "supplied", "failed", "not_importable", "repairs")
    }
    answers = tuple(
        ReleaseAnswer(row["title"], tuple(row["lines"]), tuple(row["releases"]), row["severity"])
        for row in table["answers"]
    )
    return Matrix(**{**table, **pairs, "states": found, "answers": answers})
