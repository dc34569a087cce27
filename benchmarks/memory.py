"""Bytes by formula against what TensorFlow's allocator has in a real forward and training step of keras-bert."""

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measure import python
from benchmarks.rows import LEGACY, Row
from reconcile.costing.memory import memory, storage
from reconcile.costing.workload import Workload
from reconcile.pipeline.cost import of_spec
from reconcile.spec import load_spec

SCRIPT = Path(__file__).with_name("memory_script.py")
SIZES = {"token_num": 2000, "head_num": 8, "transformer_num": 4, "embed_dim": 512, "feed_forward_dim": 2048}
LENGTHS = {"pos_num": 64, "seq_len": 64}
BATCH = 8


def training_memory() -> Iterator[Row]:
    """A model of 14 million parameters: weights, gradients and Adam's slots within 2 %, activations within 20 %."""
    arguments = {**SIZES, **LENGTHS, "training": True, "trainable": True}
    measured = _measured(arguments)
    ours = _by_formula(arguments)
    for what, most in (("weights", 2), ("gradients", 2), ("optimizer", 2), ("activations", 20)):
        yield Row(f"{what} of a training step, off by", _off(ours[what], measured[what]), None, most, "%")


def _measured(arguments: dict[str, object]) -> dict[str, int]:
    job = json.dumps({"arguments": arguments, "batch": BATCH})
    done = subprocess.run(
        python(str(SCRIPT)), input=job, capture_output=True, text=True, check=True, env={**os.environ, **LEGACY}
    )
    found: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    return {**found, "activations": found["peak"]}


def _by_formula(arguments: dict[str, object]) -> dict[str, int]:
    lines = [f"{key} = {json.dumps(value)}" for key, value in arguments.items()]
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder) / "spec.toml"
        spec.write_text("\n".join(["[arguments]", *lines]), "utf-8")
        model = of_spec(load_spec(str(spec)))
    rows = memory(model, Workload(LENGTHS["seq_len"], BATCH), storage(library="keras-bert"), training=True)
    return {row.what.partition(" ")[0]: row.bytes for row in rows if row.part_of is None}


def _off(ours: int, measured: int) -> float:
    return 100 * abs(ours - measured) / measured


MEASUREMENTS: tuple[Callable[[], Iterator[Row]], ...] = (training_memory,)
