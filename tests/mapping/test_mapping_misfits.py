"""What contradicts an architecture in every block is another architecture; what does in one block is a fault."""

from collections.abc import Callable

import pytest
from implementation_lists import LISTS, read_list

from reconcile.comparison.counts import compare_counts
from reconcile.inventory import Inventory, Tensor, parent_layers
from reconcile.mapping.tensors import map_source

Change = Callable[[list[Tensor]], list[Tensor]]


def renamed(**names: str) -> Change:
    def change(tensors: list[Tensor]) -> list[Tensor]:
        out = []
        for one in tensors:
            path = one.path
            for old, new in names.items():
                path = path.replace(old, new)
            out.append(Tensor(path, one.shape, one.dtype, None, path))
        return out

    return change


def without(*ends: str) -> Change:
    return lambda tensors: [one for one in tensors if not one.path.endswith(ends)]


def narrower(*ends: str) -> Change:
    """The same with a last axis of half the size where a path ends so."""
    return lambda tensors: [
        Tensor(one.path, (*one.shape[:-1], one.shape[-1] // 2), one.dtype, None, one.path)
        if one.path.endswith(ends)
        else one
        for one in tensors
    ]


def elsewhere(change: Change) -> Change:
    """The same, and a norm with a name of its own behind the model."""
    norm = Tensor("probe.attention_layer_norm.scale", (24,), "float32", None, "probe.attention_layer_norm.scale")
    return lambda tensors: [*change(tensors), norm]


NORM = "attention.output.LayerNorm"
CASES: list[tuple[str, Change, str | None, bool]] = [
    ("as it is", lambda tensors: tensors, "bert", False),
    # two blocks: in both, and in one
    ("no norm behind the attention", without(f"{NORM}.weight", f"{NORM}.bias"), None, False),
    ("no norm in one block", without(f"1.{NORM}.weight", f"1.{NORM}.bias"), "bert", True),
    ("queries of half the width", narrower("query.bias"), None, False),
    ("queries of half the width in one block", narrower("1.attention.self.query.bias"), "bert", True),
    ("no bias of queries, keys and values", without("query.bias", "key.bias", "value.bias"), "bert", False),
    ("no bias of one query", without("1.attention.self.query.bias"), "bert", True),
    # embeddings of a width of their own in three tables and a norm, and in one table
    ("narrow embeddings", narrower("embeddings.weight", "embeddings.LayerNorm.weight"), None, False),
    ("a narrow position table", narrower("position_embeddings.weight"), "bert", True),
    # a table under a name that no rule has, and no table at all
    ("the token table called otherwise", renamed(word_embeddings="char_embeddings"), None, False),
    ("no token table", without("word_embeddings.weight"), "bert", True),
    # what one block lacks is not made up for by what stands elsewhere
    ("no norm in one block, and one elsewhere", elsewhere(without(f"1.{NORM}.weight", f"1.{NORM}.bias")), "bert", True),
]


@pytest.mark.parametrize(("name", "change", "architecture", "error"), CASES, ids=[case[0] for case in CASES])
def test_a_fault_is_told_from_another_architecture(
    name: str, change: Change, architecture: str | None, error: bool
) -> None:
    listed = [Tensor(one.path, one.shape, one.dtype, None, one.path) for one in LIST]
    tensors = change(listed)
    ledger = map_source(Inventory("changed", parent_layers(tensors), None))
    assert (ledger.architecture.name if ledger.architecture else None) == architecture
    assert ledger.accounted == sum(one.size for one in tensors)
    assert any(finding.severity == "error" for finding in compare_counts(ledger)) is error


LIST = read_list(LISTS / "huggingface.BertModel.tsv").tensors


def test_a_fragment_of_a_head_is_a_head_of_its_own() -> None:
    # A decoder of BERT's names whose head is a matrix with a bias, and no transform.
    tensors = [Tensor(one.path, one.shape, one.dtype, None, one.path) for one in LIST]
    tensors.append(Tensor("lm_head.bias", (97,), "float32", None, "lm_head.bias"))
    ledger = map_source(Inventory("changed", parent_layers(tensors), None))
    assert not [finding for finding in compare_counts(ledger) if finding.severity == "error"]
    assert [part.actual for part in ledger.stored if part.path.startswith("task.")] == [97]
