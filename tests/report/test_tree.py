"""The tree of a report: it adds up at every branch, equal blocks are one, and nothing of a source is missing."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledgers import ledger
from shown import made_up, pasted, reported
from support import ROOT

from reconcile.pipeline.read import read_stored
from reconcile.report.tree import Branch, tree

LISTINGS = sorted((ROOT / "tests" / "data" / "listings").glob("*"))
SIZES = st.fixed_dictionaries({"L": st.integers(1, 5), "H": st.sampled_from((64, 128)), "V": st.integers(10, 500)})


def branch(whole: Branch, path: str) -> Branch:
    (found,) = [one for one in whole.walk() if one.path == path]
    return found


def adds_up(whole: Branch) -> None:
    for one in whole.walk():
        assert one.each * one.times == one.total
        if one.children:
            assert sum(child.total for child in one.children) == one.total, one.path


def test_equal_blocks_are_one_branch() -> None:
    whole = tree(pasted())
    assert whole.total == 109_705_010
    block = branch(whole, "encoder.block[1..12]")
    assert (block.each, block.times, block.total) == (7_087_872, 12, 85_054_464)
    assert block.formula == "4·H² + 2·H·F + F + 9·H"
    attention = branch(whole, "encoder.block[1..12].attention")
    assert (attention.formula, attention.each, attention.times) == ("4·(H² + H)", 2_362_368, 12)
    assert attention.words == "the query, key, value and output projections of one attention layer"
    assert [child.label for child in attention.children] == ["query", "key", "value", "output"]
    assert [stored.items[0] for stored in attention.stored][6] == "Encoder-7-MultiHeadSelfAttention"
    adds_up(whole)


def test_the_formula_of_the_whole_has_one_bracket_for_all_blocks() -> None:
    whole = tree(made_up(L=3, H=64, V=100, P=32, F=128, A=4, D=16))
    assert whole.formula == "2·H² + V·H + P·H + T·H + V + 8·H + 2 + L·(4·H² + 2·H·F + F + 9·H)"
    # 2·64² + 100·64 + 32·64 + 2·64 + 100 + 8·64 + 2 + 3·(4·64² + 2·64·128 + 128 + 9·64)
    assert whole.total == 8_192 + 6_400 + 2_048 + 128 + 100 + 512 + 2 + 3 * (16_384 + 16_384 + 128 + 576)


def test_a_block_that_differs_stands_apart() -> None:
    made = ledger(L=4, H=64, V=100, P=32, F=128, A=4, D=16)
    off = "encoder.block[3].attention.query.kernel"
    parts = tuple(replace(part, actual=part.actual + 5) if part.path == off else part for part in made.assignments)
    whole = tree(reported(replace(made, assignments=parts)))
    assert branch(whole, "encoder.block[1..2, 4]").times == 3
    other = branch(whole, "encoder.block[3]")
    assert (other.verdict, whole.verdict) == ("contradicts (+5)", "contradicts (+5)")
    assert branch(whole, off).each == 64 * 64 + 5
    assert branch(whole, "encoder.block[1..2, 4]").verdict == "agrees"
    adds_up(whole)


def test_what_is_tied_is_listed_and_counts_nothing() -> None:
    tied = branch(tree(made_up()), "mlm.decoder.kernel")
    assert (tied.tied_to, tied.total, tied.verdict) == ("embeddings.token", 0, "tied")


def test_everything_that_the_total_counts_is_there() -> None:
    made = made_up(unmapped={"strange": 77}, slots=1000, heads={"classifier": (768, 2)})
    whole = tree(made)
    assert whole.total == made.total
    assert branch(whole, "strange").verdict == "unmapped"
    assert any(one.verdict == "no parameter" for one in whole.children)
    assert any(one.path.startswith("task") for one in whole.walk())
    adds_up(whole)


def test_what_a_total_has_beyond_its_parts_is_a_branch_of_its_own() -> None:
    whole = tree(made_up(residual=9))
    assert branch(whole, "residual").total == 9
    assert whole.verdict == "unexplained"


@given(SIZES, st.booleans(), st.sets(st.sampled_from(("pooler", "mlm", "nsp"))))
@settings(max_examples=40)
def test_a_tree_adds_up(sizes: dict[str, int], rows: bool, options: set[str]) -> None:
    made = made_up(options=options, rows=rows, A=4, D=sizes["H"] // 4, P=32, F=96, **sizes)
    whole = tree(made)
    assert whole.total == made.total
    adds_up(whole)


@pytest.mark.parametrize("file", LISTINGS, ids=lambda file: file.name)
def test_a_tree_holds_every_item_of_its_source_once(file) -> None:
    for report in read_stored(str(file)):
        whole = tree(report)
        adds_up(whole)
        held = [name for one in whole.walk() for stored in one.stored for name in stored.items]
        wanted = [name for part in report.components for name in part.items]
        wanted += [item.name for item in report.unmapped if item.params]
        assert sorted(held) == sorted(wanted)


def test_a_name_of_a_thousand_steps_has_its_place() -> None:
    whole = tree(made_up(heads={".".join("x" * 1000): (4, 2)}))
    assert whole.total == made_up(heads={"x": (4, 2)}).total
    assert max(one.path.count(".") for one in whole.walk()) >= 999
