"""What is said of an encoder's blocks is said of a decoder's: an architecture says what repeats."""

from dataclasses import replace

import pytest
from ledgers import ledger

from reconcile.comparison.frozen import compare_frozen
from reconcile.comparison.ledgers import compare_ledgers
from reconcile.comparison.reason import reason
from reconcile.comparison.summary import compare_summary
from reconcile.dialect import load_dialect
from reconcile.taxonomy import load_architecture

SMALL = {"V": 50, "P": 16, "H": 24, "A": 2, "D": 12, "F": 96, "L": 4}
STACKS = [("bert", "encoder", "keras-bert"), ("gpt2", "decoder", "keras-hub-gpt2")]


@pytest.mark.parametrize(("named", "stack", "dialect"), STACKS)
def test_the_first_blocks_are_frozen_together(named: str, stack: str, dialect: str) -> None:
    model = ledger((), named=named, **SMALL)
    below = ("embeddings", f"{stack}.block[1]", f"{stack}.block[2]")
    count = sum(part.actual for part in model.assignments if part.path.startswith(below))
    frozen = replace(model, inventory=replace(model.inventory, non_trainable=count))
    assert [one.sets for one in compare_frozen(frozen)] == [("`embeddings` and blocks 1 to 2",)]


@pytest.mark.parametrize(("named", "stack", "dialect"), STACKS)
def test_a_block_that_lacks_a_row_is_told(named: str, stack: str, dialect: str) -> None:
    model = ledger((), named=named, without=[f"{stack}.block[2].feed_forward.output.bias"], **SMALL)
    told = [one for one in compare_summary(replace(model, dialect=load_dialect(dialect))) if one.kind == "gap"]
    assert [one.where for one in told] == [f"{stack}.block[2]"]


@pytest.mark.parametrize(("named", "stack", "dialect"), STACKS)
def test_fewer_blocks_need_no_name_where_there_is_one_stack(named: str, stack: str, dialect: str) -> None:
    sides = ledger((), named=named, **SMALL), ledger((), named=named, **SMALL | {"L": 2})
    assert "B has 2 fewer blocks" in reason(compare_ledgers(*sides), "A", "B")


def test_blocks_of_two_stacks_are_told_apart() -> None:
    every = load_architecture("transformer").options
    sides = (ledger(every, named="transformer", **SMALL, W=50, N=2, M=size) for size in (4, 2))
    assert "B has 2 fewer decoder blocks" in reason(compare_ledgers(*sides), "A", "B")


def test_a_whole_node_that_only_one_side_has_is_called_by_its_words() -> None:
    found = compare_ledgers(ledger((), **SMALL), ledger(("cross",), **SMALL))
    assert "an attention to an encoder's output in encoder.block[1..4]" in reason(found, "A", "B")
