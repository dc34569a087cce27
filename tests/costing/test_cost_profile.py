"""TensorFlow's profiler on graphs that keras-bert builds: products to the last one, and all else that it counts."""

import json
from pathlib import Path

import pytest
from support import run

from reconcile.costing.memory import memory, storage
from reconcile.costing.profiled import Profile
from reconcile.costing.workload import Workload
from reconcile.pipeline.profile import profile_spec

pytestmark = pytest.mark.slow

ODD = """[arguments]
token_num = 101
head_num = 3
transformer_num = 2
embed_dim = 24
feed_forward_dim = 50
pos_num = 16
seq_len = 16
training = {training}
trainable = true
"""


@pytest.fixture(scope="module", params=["true", "false"])
def odd(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Profile:
    """A model of which no two sizes are alike, with heads and without, called on two sequences of 7."""
    path = Path(tmp_path_factory.mktemp("specs"), "odd.toml")
    path.write_text(ODD.format(training=request.param), "utf-8")
    return profile_spec(str(path), Workload(7, 2))


def test_each_node_and_the_whole_are_counted_alike(odd: Profile) -> None:
    for node in odd.nodes:
        assert node.products == node.expected, node
    assert odd.products == odd.expected_products
    assert odd.total == odd.expected
    assert odd.agrees


def test_what_has_no_rule_is_named(odd: Profile) -> None:
    assert {kind for node in odd.nodes for kind in node.without_rule} == {"Sqrt", "Exp", "Max", "Tanh"}
    assert odd.besides > 2 * odd.model.parameters  # each weight is drawn and scaled


def test_what_gradients_read_is_what_the_tables_say(odd: Profile) -> None:
    found = memory(odd.model, odd.workload, storage(library="keras-bert"), training=True)
    (activations,) = (row.bytes for row in found if row.what == "activations")
    assert activations == sum(odd.kept.values())


# A model of BERT base's size: at inference, and with all heads while training.
BASE = [("bert-base-inference", 22_347_251_712, 22_453_096_380), ("bert-base-uncased", 28_500_298_752, 28_635_163_464)]


@pytest.mark.parametrize(("name", "products", "total"), BASE)
def test_bert_base(name: str, products: int, total: int) -> None:
    found = profile_spec(name, Workload())
    assert found.agrees
    assert (found.products, found.total) == (products, total)
    assert 240_000_000 < found.besides < 244_000_000


def test_the_command_holds_the_graph_against_the_formulas() -> None:
    done = run("cost", "tiny", "--seq", 32, "--profile")
    assert done.status == 0
    assert "products by formula 5,398,784, by the profiler 5,398,784: to the last one" in done.out
    found = json.loads(run("cost", "tiny", "--seq", 32, "--profile", "--format", "json").out)
    assert found["agrees"] is True
