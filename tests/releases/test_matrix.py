"""Every published release, built for real: its counts, its change points, and what the command says of them."""

import json
import subprocess
import sys
import time
import tomllib
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, command, run

from reconcile.pipeline.release_results import Running, outcomes_of
from reconcile.pipeline.releases import releases, selected
from reconcile.releases.lock import load_lock
from reconcile.releases.matrix import MODELS, Matrix
from reconcile.releases.results import plan
from reconcile.releases.states import Outcome
from reconcile.releases.versions import key
from reconcile.spec import load_spec

FACTS = tomllib.loads(Path(__file__).with_name("facts.toml").read_text("utf-8"))["runs"]


@pytest.fixture(scope="session")
def built(_own_cache: None) -> Matrix:
    """The tiny model with every release."""
    return releases(every=True)


@pytest.fixture(scope="session")
def outcomes(built: Matrix) -> dict[str, Outcome]:
    """Each release with its ledgers, out of the cache."""
    found = outcomes_of(load_lock().importable, plan(load_spec("tiny")), Running())
    return {outcome.release: outcome for outcome in found}


def facts_of(release: str) -> dict[str, Any]:
    """What was counted in native builds of a release."""
    return next(row for row in FACTS if key(row["from"]) <= key(release) <= key(row["to"]))


@pytest.mark.slow
def test_every_release_has_the_counts_of_its_native_build_and_nothing_is_unmapped(outcomes: dict[str, Outcome]) -> None:
    assert len(outcomes) == sum(row["releases"] for row in FACTS) == 90
    for release, outcome in outcomes.items():
        facts = facts_of(release)
        assert outcome.failed == ""
        for name in MODELS:
            if name not in facts:
                assert name not in outcome.models  # 0.6 and 0.7 have no `training`
                continue
            ledger = outcome.models[name].ledger
            inventory = ledger.inventory
            counts = [ledger.total, inventory.trainable, len(inventory.layers), len(inventory.tensors)]
            # TensorFlow 2 lists an input that nothing uses, as the inference models of 0.8 to 0.14 have one.
            assert counts == facts[name], release
            assert not ledger.unmapped
            assert not ledger.residual
            assert not ledger.excluded
            assert all(part.actual == part.expected for part in ledger.assignments), release
            assert not any(part.path.startswith("task.") for part in ledger.assignments)


# What each release is known to have changed: the axes, and a component or layer of which something is said.
CHANGES = {
    "0.8.0": {"tensors": ""},  # `training` is taken
    "0.9.0": {"trainability": "all components"},  # nothing of the inference model is trainable
    "0.10.0": {"tensors": "encoder.block[1..2].attention.key.kernel", "names": "query.kernel", "numerics": "outputs"},
    "0.11.0": {"numerics": "outputs"},
    "0.12.0": {"tensors": "attention.query.kernel", "names": "attention.output.kernel", "numerics": "outputs"},
    "0.14.0": {
        "names": "feed_forward_norm", "trainability": "encoder", "configuration": "Add", "numerics": "outputs",
    },
    "0.15.0": {
        "tensors": "attention.query.bias", "names": "embeddings", "trainability": "embeddings.token",
        "configuration": "encoder.block[1..2].attention", "numerics": "outputs",
    },
    "0.16.0": {"tensors": "mlm.decoder.kernel", "names": "mlm.decoder.bias", "numerics": "outputs"},
    "0.18.0": {"configuration": "mlm.transform", "numerics": "outputs"},  # softmax → gelu
    "0.20.0": {"configuration": "Input-Position"},
    "0.21.0": {"trainability": "all components"},
    "0.28.0": {"names": "embeddings.norm", "numerics": "outputs"},  # an epsilon
    "0.59.0": {"trainability": "Encoder-{1..2}-FeedForward-Add"},  # of layers without parameters
    "0.66.0": {"configuration": "feed_forward"},  # only what the activation is called
    "0.73.0": {"configuration": "feed_forward", "numerics": "outputs"},  # GELU by tanh
    "0.74.0": {"numerics": "outputs"},  # GELU by erf again
    "0.83.0": {"numerics": "outputs"},  # GELU by tanh
}  # fmt: skip


@pytest.mark.slow
def test_the_change_points_are_found(built: Matrix) -> None:
    found = {state.releases[0]: state for state in built.states}
    assert list(found) == ["0.6.0", *CHANGES]
    for release, axes in CHANGES.items():
        changes = found[release].changes
        assert {change.axis for change in changes} == set(axes), release
        for axis, path in axes.items():
            assert any(path in change.path for change in changes if change.axis == axis), (release, axis)
    assert [release for state in built.states for release in state.releases] == [
        r.version for r in load_lock().importable
    ]
    since = {"tensors": "0.16.0", "names": "0.28.0", "trainability": "0.59.0", "configuration": "0.73.0"}
    assert built.since == since | {"numerics": "0.83.0"}
    assert not built.failed


@pytest.mark.slow
def test_the_states_without_training(outcomes: dict[str, Outcome]) -> None:
    """Names, shapes and what is trainable, of layers without parameters too: ten states from 0.8 on."""

    def state(outcome: Outcome) -> object:
        layers = outcome.models["inference"].ledger.inventory.layers
        return [
            (one.name, one.trainable, [(t.path, t.shape, t.trainable) for t in one.tensors or ()]) for one in layers
        ]

    able = [outcome for outcome in outcomes.values() if "inference" in outcome.models]
    assert [next(run).release for _, run in groupby(able, state)] == [
        *("0.8.0", "0.9.0", "0.10.0", "0.12.0", "0.14.0", "0.15.0", "0.20.0", "0.21.0", "0.28.0", "0.59.0"),
    ]


@pytest.mark.slow
def test_what_get_model_takes(built: Matrix) -> None:
    said = dict(built.interface)
    assert said["0.8.0"] == "takes custom_layers, training"
    assert said["0.37.0"] == "takes trainable"
    assert said["0.42.0"] == "takes output_layer_num"
    assert said["0.68.0"].endswith("no longer compiles the model")
    assert said["0.69.0"] == "takes use_adapter, adapter_units"
    assert said["0.71.0"] == "takes use_task_embed, task_num"
    assert said["0.82.0"] == "no longer takes use_adapter, adapter_units"


@pytest.mark.slow
def test_the_default_is_where_something_changes(built: Matrix) -> None:
    points = {release.version for release in selected(load_lock(), None, False)}
    changing = {state.releases[0] for state in built.states} | dict(built.interface).keys()
    assert points == changing | {"0.89.0"}


@pytest.mark.slow
def test_what_was_supplied_is_told(built: Matrix) -> None:
    supplied = dict(built.supplied)
    assert len(supplied["keras"]) == 90
    assert supplied["Model.compile, which does nothing"][-1] == "0.66.0"
    assert "tensorflow.erf" in supplied


@pytest.mark.slow
def test_the_command_on_all_releases(built: Matrix) -> None:
    ran = run("releases", "--all")
    assert ran.status == 0
    assert "0.84.0 … 0.89.0, 6 releases: the same" in ran.out
    assert (
        "0.1.0 … 0.5.0: keras_bert/bert.py imports" in ran.out or "0.1.0 … 0.3.0: keras_bert/bert.py imports" in ran.out
    )
    table = json.loads(run("releases", "--all", "--format", "json").out)
    assert [state["from"] for state in table["states"]] == ["0.6.0", *CHANGES]
    assert {row["release"] for row in table["not_importable"]} == {"0.1.0", "0.2.0", "0.3.0", "0.4.0", "0.5.0"}
    axes = {change["axis"] for state in table["states"] for change in state["changes"]}
    assert axes == {"tensors", "names", "trainability", "configuration", "numerics"}
    markdown = run("releases", "--all", "--format", "markdown").out
    assert "tensorflow 2" not in markdown  # a report leaves out what varies


@pytest.mark.slow
def test_what_is_kept_is_neither_built_nor_mapped_again(built: Matrix) -> None:
    code = (
        "import sys\nfrom reconcile.cli.main import main\n"
        "try:\n    main(['releases', '--all'])\nexcept SystemExit as end:\n    assert not end.code\n"
        "heavy = {'tensorflow', 'numpy', 'reconcile.mapping.tensors', 'reconcile.environments.release_runs'}\n"
        "assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("total", "said"),
    [
        ("84,326", "0.16.0 … 0.89.0 with training=True"),
        ("65254", "0.6.0 … 0.9.0 with training=True"),
        ("81_638", "0.10.0 … 0.14.0 with training=True"),
        ("75648", "0.15.0 … 0.89.0 with training=False"),
    ],
)
def test_which_releases_a_total_can_come_from(built: Matrix, total: str, said: str) -> None:
    ran = run("releases", "--which", total, "--model", "tiny", "--all")
    assert ran.status == 0
    assert f"parameters can come from\n- {said}\n" in ran.out


@pytest.mark.slow
def test_a_total_that_no_release_has(built: Matrix) -> None:
    ran = run("releases", "--which", "84327", "--model", "tiny", "--all")
    assert ran.status == 1
    assert "no release has a model of 84,327 parameters" in ran.out


@pytest.mark.slow
def test_against_one_release(built: Matrix) -> None:
    ran = run("releases", "0.88,0.89", "--against", "0.89")
    assert (ran.status, ran.out.count("agrees with 0.89")) == (0, 1)
    ran = run("releases", "0.15,0.89", "--against", "0.89")
    assert ran.status == 1
    assert "tensors: pooler" in ran.out


@pytest.mark.slow
def test_the_packages_of_a_user(built: Matrix, tmp_path: Path) -> None:
    pins = tmp_path / "requirements.txt"
    pins.write_text("tensorflow==1.14\nkeras-bert==0.81.0\nkeras-transformer==0.40.0\nkeras-multi-head==0.22.0\n")
    ran = run("releases", "0.80,0.89", "--env", pins)
    # With today's sibling the release cannot be built: its transformer no longer takes what it is given.
    assert ran.status == 1
    assert "0.81.0 is as 0.80.0" in ran.out
    assert "0.89.0 changes numerics" in ran.out
    assert "0.81.0 with keras-transformer 0.40.0: TypeError" in ran.out
    assert "'use_adapter'" in ran.out


@pytest.mark.slow
def test_packages_that_are_not_pinned_are_the_newest_that_fit(built: Matrix, tmp_path: Path) -> None:
    pins = tmp_path / "requirements.txt"
    pins.write_text("keras-bert>=0.60,<0.70\nkeras-transformer~=0.30\n")
    ran = run("releases", "0.68,0.69", "--env", pins)
    assert ran.status == 1  # 0.69.0 asks for any newer keras-transformer, and gets one that does not know adapters
    assert "an installation now takes keras-transformer 0.40.0" in ran.out
    assert "0.69.0 with what an installation takes now: TypeError" in ran.out
    pins.write_text("keras-bert\n")
    ran = run("releases", "0.68,0.89", "--env", pins)
    assert (ran.status, "an installation now takes what the lock has" in ran.out) == (0, True)
    assert "every version that is pinned" not in ran.out  # none is
    pins.write_text("keras-bert==0.68.0\nkeras-pos-embd>=0.99\n")
    ran = run("releases", "0.68", "--env", pins)
    assert "keras-pos-embd>=0.99 contradicts another package, which requires 0.13.0" in ran.out


@pytest.mark.slow
def test_what_both_models_have_is_said_once(built: Matrix) -> None:
    changes = {state.releases[0]: state.changes for state in built.states}
    names = [one for one in changes["0.28.0"] if one.axis == "names"]
    assert [(one.text, one.models) for one in names] == [("{layer}/{layer}_… → {layer}/…", MODELS)]
    assert names[0].path.endswith("mlm.norm")  # which the inference model does not have
    assert len([one for one in changes["0.14.0"] if one.axis == "names"]) == 4  # attention, its norm, and so on
    for found in changes.values():
        assert len([one for one in found if one.axis == "numerics"]) <= 1


@pytest.mark.slow
def test_a_release_is_a_source(built: Matrix) -> None:
    from reconcile.pipeline.release_source import open_release

    opened = open_release("0.15", "tiny")
    assert opened.ledger.total == 82_278
    assert {part.path for part in opened.ledger.stored} >= {"mlm.decoder.kernel", "embeddings.norm.gamma"}
    assert opened.ledger.totals["backbone"] == 75_648


@pytest.mark.slow
def test_a_command_that_is_ended_ends_its_workers(built: Matrix) -> None:
    started = subprocess.Popen([sys.executable, "-m", "reconcile.cli", "releases", "0.16..", "--no-cache"], cwd=ROOT)
    children = Path(f"/proc/{started.pid}/task/{started.pid}/children")
    end = time.monotonic() + 60
    while not (workers := children.read_text().split()) and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(1)
    started.terminate()
    assert started.wait(20) == 128 + 15
    assert workers
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()]


REFUSED = {
    "0.17": "RANGE: got '0.17', takes a published release; near it are 0.15.0, 0.16.0, 0.18.0, 0.19.0",
    "0.20..0.10": "RANGE: got '0.20..0.10', takes the older release first: 0.10..0.20",
    "newest": "RANGE: got 'newest', takes versions such as 0.16..0.89, >=0.70, <0.20 or 0.15,0.16,0.89",
}


@pytest.mark.parametrize("span", REFUSED)
def test_a_range_that_is_none(span: str) -> None:
    ran = command("releases", span)
    assert (ran.status, ran.err) == (2, f"reconcile: {REFUSED[span]}\n")


def test_an_index_that_cannot_be_reached(tmp_path: Path) -> None:
    ran = command(
        "releases", "0.89", KERAS_RECONCILE_CACHE=str(tmp_path), PIP_CONFIG_FILE="/dev/null",
        PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_NO_INDEX="", PIP_FIND_LINKS="",
    )  # fmt: skip
    assert ran.status == 2
    assert "the package index that pip is set to cannot be reached, or has nothing of keras-bert" in ran.err
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.slow
def test_a_release_is_a_source_like_any_other() -> None:
    ran = run("diff", "keras-bert==0.15.0", "keras-bert==0.16.0", "--format", "json")
    assert ran.status == 1, ran.err
    difference = json.loads(ran.out)
    assert (difference["left"]["total"], difference["right"]["total"]) == (131_562_290, 109_705_010)
    changed = {part["path"]: part["difference"] for part in difference["components"]}
    # the decoder's own 30,000 × 768 goes; two dense layers of 768² + 768 and a layer norm come
    assert changed == {
        "pooler": 590_592,
        "mlm.transform": 590_592,
        "mlm.norm": 1_536,
        "mlm.decoder.kernel": -23_040_000,
    }
