"""State dicts of many types of Hugging Face's models: the library's own count, and no error where nothing is wrong.

`make test-implementations` builds them anew, saves them, and reads the files.
"""

import random
import sys
from collections.abc import Iterator, Sequence

import pytest
from implementation_lists import LISTS

from reconcile.inventory import BUFFER, PARAMETER, Inventory, Tensor, parent_layers
from reconcile.pipeline.checkpoint import open_inventory
from reconcile.pipeline.opened import Opened

sys.path.insert(0, str(LISTS))
import types_table

Rows = Sequence[tuple[str, tuple[int, ...], str]]
MODELS = [
    (file.stem, kind, name, ties, total, rows)
    for file in sorted(LISTS.glob("*.types"))
    for kind, name, ties, total, rows in types_table.read(file)
]
IDS = ["-".join(model[:4]) for model in MODELS]

# The architecture that each type's state dict is read as; all others are explained layer by layer.
READ_AS = {
    "bert": "bert roberta camembert xlm-roberta distilbert big_bird bert-generation ibert ernie layoutlm data2vec-text "
    "roc_bert longformer luke mra yoso nystromformer xmod",
    "albert": "albert",
    "electra": "electra roformer",
    "mobilebert": "mobilebert",
    "gpt2": "gpt2",
    "llama": "llama mistral qwen2",
    "t5": "t5",
}
KINDS = {kind: architecture for architecture, kinds in READ_AS.items() for kind in kinds.split()}


def tensors(rows: Rows, repeated: bool) -> Iterator[Tensor]:
    """The arrays as a pickled state dict has them, or without what is `repeated` as safetensors have them."""
    for name, shape, rest in rows:
        same = rest if rest not in ("", "buffer") else ""
        if repeated or not same:
            yield Tensor(name, shape, "float32", None, same or name, role=BUFFER if rest == "buffer" else PARAMETER)


def opened(rows: Rows, repeated: bool = True, named: bool = False) -> Opened:
    """A file with these arrays; where only names say what is a buffer, `named`."""
    found = list(tensors(rows, repeated))
    if named:
        found = [Tensor(one.path, one.shape, one.dtype, None, one.storage) for one in found]
    return open_inventory(Inventory("model", parent_layers(found), None, kind="list", tells_ties=True), "model")


def test_there_are_forty_types_of_two_versions() -> None:
    assert {stem for stem, *_ in MODELS} == {"huggingface", "huggingface-4.57"}
    assert len({kind for _, kind, *_ in MODELS}) > 50
    assert {ties for _, _, _, ties, *_ in MODELS} == {"base", "tied", "untied"}


@pytest.mark.parametrize(("stem", "kind", "name", "ties", "total", "rows"), MODELS, ids=IDS)
def test_a_healthy_model_has_the_librarys_count_and_no_error(
    stem: str, kind: str, name: str, ties: str, total: int, rows: Rows
) -> None:
    for repeated in (True, False):
        found = opened(rows, repeated, named=True)
        assert found.ledger.accounted == found.ledger.total == total
        assert not [finding for finding in found.findings if finding.severity == "error"]
        architecture = found.ledger.architecture
        assert (architecture.name if architecture else None) == KINDS.get(kind)


def faults(rows: Rows, rng: random.Random) -> Iterator[tuple[str, Rows]]:
    """The arrays of a model with something done to them that a training run does not do, and what."""
    plain = [row for row in rows if not row[2]]
    blocks = [row for row in plain if ".1." in row[0] or ".layers.1." in row[0]]
    biases = [row for row in blocks if row[0].endswith("bias")]
    kernels = [row for row in blocks if len(row[1]) == 2 and row[1][0] != row[1][1]]
    if biases:
        one = rng.choice(biases)
        yield f"without {one[0]}", [row for row in rows if row != one]
    if kernels:
        one = rng.choice(kernels)
        yield f"wider {one[0]}", [(row[0], (row[1][0] + 8, row[1][1]), "") if row == one else row for row in rows]
        one = rng.choice(kernels)
        yield f"turned {one[0]}", [(row[0], row[1][::-1], "") if row == one else row for row in rows]
        one = rng.choice(kernels)
        yield f"without {one[0]}", [row for row in rows if row != one]


def planted() -> Iterator[tuple[str, str, Rows]]:
    rng = random.Random(20)
    for stem, kind, name, ties, _, rows in MODELS:
        if kind in KINDS and ties == "base" and KINDS[kind] != "albert":  # one block, stored once: nothing to compare
            yield from ((f"{stem} {name}", what, changed) for what, changed in faults(rows, rng))


def test_a_fault_in_one_block_is_still_an_error() -> None:
    seen = [
        (name, what, any(one.severity == "error" for one in opened(rows).findings)) for name, what, rows in planted()
    ]
    assert len(seen) > 150
    missed = [(name, what) for name, what, found in seen if not found]
    assert len(missed) * 20 <= len(seen), missed
