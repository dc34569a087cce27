"""What follows from a cost: lengths at which parts cross, shares, active neurons and experts, and decoding."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import BASE, LARGE, ODD, cost, model
from reconcile.costing.comparing import compare
from reconcile.costing.conventions import load_convention
from reconcile.costing.decoding import decoding
from reconcile.costing.experts import experts
from reconcile.costing.feed_forward import active, share
from reconcile.costing.lengths import curve
from reconcile.costing.workload import Workload
from reconcile.render.curve import drawn, svg

LLAMA = {"V": 128256, "H": 4096, "A": 32, "K": 8, "D": 128, "F": 14336, "L": 32}
MIXTRAL = {"V": 32000, "H": 4096, "A": 32, "K": 8, "D": 128, "F": 14336, "X": 8, "Z": 2, "L": 32}


@pytest.mark.parametrize(("sizes", "alone", "with_projections"), [(BASE, 3072, 1536), (LARGE, 4096, 2048)])
def test_where_attention_overtakes_the_feed_forward(sizes: dict[str, int], alone: int, with_projections: int) -> None:
    """4·S²·H = 4·S·H·F at S = F; with 8·S·H² more at S = F − 2·H."""
    first, second = curve(model(sizes), Workload()).crossings
    assert (first.length, first.formula) == (alone, "S = F")
    assert (second.length, second.formula) == (with_projections, "S = F − 2·H")


@given(st.integers(1, 6), st.integers(1, 9), st.integers(1, 99))
def test_a_crossing_is_the_first_length_at_which_it_has_happened(heads: int, width: int, inner: int) -> None:
    built = model({**ODD, "A": heads, "H": heads * width, "F": inner})
    for crossing in curve(built, Workload()).crossings:
        for length, above in ((crossing.length - 1, False), (crossing.length, True)):
            if length < 1:
                continue
            point = next(at for at in curve(built, Workload(length)).points if at.length == length)
            attention = point.scores + (point.projections if "projections" in crossing.what else 0)
            assert (attention >= point.inner) is above


def test_grouped_queries_and_a_gate_cross_elsewhere() -> None:
    """4·S²·N = 6·S·H·F with N = H: S = 1.5·F, which is no whole formula of the sizes."""
    first, _ = curve(model(LLAMA, ("head",), "llama"), Workload()).crossings
    assert first.length == 21_504 == 3 * 14_336 // 2


def test_the_points_of_a_curve_are_the_models_products() -> None:
    built = model(BASE, ())
    for point in curve(built, Workload()).points:
        assert point.total == cost(built, length=point.length).total


def test_the_picture_has_every_length_and_crossing() -> None:
    found = curve(model(BASE), Workload())
    picture = svg(found, "BERT <base>", ("a & b",))
    assert picture.startswith("<svg ")
    assert "BERT &lt;base&gt;" in picture
    assert all(f">{point.length:,}<" in picture for point in found.points)
    assert all(f"S = {crossing.length:,}" in picture for crossing in found.crossings)
    bars = [line.split()[3] if "= " in line else "" for line in drawn(found)][1:]
    assert {len(bar) for bar in bars} == {48}
    assert [bar.count("a") for bar in bars] == sorted(bar.count("a") for bar in bars)


def test_the_feed_forwards_share() -> None:
    """12 · 2 · 768 · 3072 = 56,623,104 of 109,482,240: 51.7 %, and 64.9 % of the products at S = 128."""
    built = model(BASE)
    found = share(built, Workload(), cost(built).total)
    assert found is not None
    assert (found.kernels, found.parameters) == (56_623_104, 109_482_240)
    assert (found.operations, found.products) == (14_495_514_624, 22_348_431_360)


def test_active_neurons() -> None:
    """Nine of 3,072 neurons have 9 · 2 · 768 kernel weights and 4 · 128 · 768 · 9 operations, in each of 12 blocks."""
    built = model(BASE)
    whole = share(built, Workload(), cost(built).total)
    assert whole is not None
    found = active(built, Workload(), Fraction("0.003"), whole)
    assert found is not None
    assert found.neurons == 9
    assert found.touched == 109_482_240 - 56_623_104 + 12 * 9 * 2 * 768
    assert found.left == 22_348_431_360 - 14_495_514_624 + 12 * 9 * 4 * 128 * 768
    everything = active(built, Workload(), Fraction(1), whole)
    assert everything is not None
    assert (everything.touched, everything.left) == (109_482_240, 22_348_431_360)


def test_active_experts() -> None:
    """Of 8 experts of 3 · 4096 · 14336 in each of 32 blocks two are used."""
    built = model(MIXTRAL, ("head",), "mixtral")
    found = experts(built)
    assert found is not None
    assert found.total == 46_702_792_704
    assert found.active == 46_702_792_704 - 32 * 6 * 3 * 4096 * 14336 == 12_879_925_248
    rows = {row.path: row.count for row in cost(built, length=1).rows}
    assert rows["decoder.block[*].feed_forward.gate.kernel"] == 2 * 32 * 2 * 4096 * 14336
    assert experts(model(LLAMA, ("head",), "llama")) is None


def test_a_prompt_and_one_token_more() -> None:
    built = model({**ODD, "P": 40}, ("head",), "gpt2")
    found = decoding(built, Workload(9), load_convention("matmul"))
    assert found is not None
    assert found.prompt == cost(built, length=9).total
    projections = 5 * (8 * 24**2 + 4 * 24 * 50)
    assert found.token == projections + 5 * 4 * 10 * 24 + 2 * 101 * 24  # it attends to ten positions, itself too
    assert decoding(model(ODD), Workload(9), load_convention("matmul")) is None


def test_all_conventions_side_by_side() -> None:
    every = compare(model(BASE), Workload())
    found = {(one.convention.name, one.path.attention, one.path.version): one for one in every}
    assert found["fvcore", "sdpa", ""].total == 10_884_513_792
    assert found["torchprofile", "eager", "transformers 4"].total == 11_176_673_408
    assert len({name for name, _, _ in found}) == 13
    for one in found.values():
        assert (
            one.total
            == cost(
                model(BASE), one.convention.name, attention=one.workload.attention, version=one.path.version or None
            ).total
        )
