"""What is measured: one function for each measurement, which yields a row for each figure that is to be reached."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Run, compare, measure, python, reconcile

PLAIN = """
import sys, tomllib
from keras_bert import get_model
with open(sys.argv[1], "rb") as file:
    model = get_model(**tomllib.load(file)["arguments"])
model.summary()
"""
LEGACY = {"TF_USE_LEGACY_KERAS": "1", "TF_KERAS": "1", "CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "3"}
START_UP = python("-c", "import click, tabulate")
MODELS = Path(__file__).parent.parent / "models"


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: ours and the other way in the same unit. Without another way the target is for ours itself."""

    name: str
    ours: float
    other: float | None
    target: float
    unit: str

    @property
    def compared(self) -> float:
        """The ratio, or ours where there is no other way."""
        return self.ours if self.other is None else self.ours / self.other


def start_up() -> Iterator[Row]:
    """`--help`, against a Python that imports what any such command needs."""
    ours, other = compare(reconcile("--help"), START_UP, times=25, watch=False)
    yield Row("reconcile --help, against importing click and tabulate", *_milliseconds(ours, other), 0.9, "ms")


def cached_build() -> Iterator[Row]:
    """A build that was done before, in the same unit of start-up."""
    with tempfile.TemporaryDirectory() as kept:
        build = reconcile("build", "stackexchange-bert-base")
        measure(build, KERAS_RECONCILE_CACHE=kept)
        ours, other = compare(build, START_UP, times=25, watch=False, KERAS_RECONCILE_CACHE=kept)
    yield Row("reconcile build from the cache, against the same", *_milliseconds(ours, other), 2.5, "ms")


def base_build() -> Iterator[Row]:
    """BERT base, against a script that builds it and prints its summary."""
    ours, other = _builds("bert-base-uncased", times=3)
    yield Row("build of base, against get_model and summary", ours.seconds, other.seconds, 0.9, "s")
    yield Row("memory for base, against the same", *_megabytes(ours, other), 0.65, "MB")


def large_build() -> Iterator[Row]:
    """BERT large, against the same."""
    ours, other = _builds("bert-large-uncased", times=1)
    yield Row("build of large, against get_model and summary", ours.seconds, other.seconds, 0.9, "s")
    yield Row("memory for large, against the same", *_megabytes(ours, other), 0.35, "MB")


def gpt3_size() -> Iterator[Row]:
    """A model that no machine at hand could hold: 174,887,523,411 parameters."""
    ours = measure(reconcile("build", "gpt3-size", "--no-cache"))
    yield Row("memory for a model of GPT-3's size", ours.memory / 10**6, None, 1000, "MB")
    yield Row("build of a model of GPT-3's size", ours.seconds, None, 60, "s")


MEASUREMENTS: tuple[Callable[[], Iterator[Row]], ...] = (start_up, cached_build, base_build, large_build, gpt3_size)


def _builds(model: str, times: int) -> list[Run]:
    plain = python("-c", PLAIN, str(MODELS / f"{model}.toml"))
    return compare(reconcile("build", model, "--no-cache"), plain, times, **LEGACY)


def _milliseconds(*runs: Run) -> Iterator[float]:
    return (run.seconds * 1000 for run in runs)


def _megabytes(*runs: Run) -> Iterator[float]:
    return (run.memory / 10**6 for run in runs)
