"""A figure of operations is named exactly: its counter, its attention path, its part; nothing else is stated."""

import random

import pytest

from models import BASE, LARGE, cost, model
from reconcile.costing.accounts import Account, accounts
from reconcile.costing.conventions import convention_names, load_convention
from reconcile.costing.counting import count
from reconcile.costing.variants import parts_of, with_options
from reconcile.costing.verbalise import lines, title
from reconcile.costing.workload import Workload
from reconcile.quantity import figure_of

MODEL = model(BASE)

COUNTED = [
    (11_186_503_680, "fvcore", ("eager",)),
    (10_884_513_792, "fvcore", ("sdpa", "flash")),
    (11_184_833_280, "ptflops-aten", ("eager",)),
    (10_882_843_392, "ptflops-aten", ("sdpa", "flash")),
    (11_189_650_176, "ptflops", ("eager",)),
    (10_885_300_992, "ptflops", ("sdpa", "flash")),
    (22_363_078_656, "calflops", ("eager",)),
    (21_756_739_584, "calflops", ("sdpa", "flash")),
    (11_184_046_080, "thop", ("eager", "sdpa")),
    (11_176_673_408, "torchprofile", ("eager",)),
    (11_179_032_576, "torchprofile", ("eager",)),
    (109_482_240, "torchinfo", ("",)),
    (28_616_498_688, "electra", ("",)),
    (22_615_629_312, "electra-sparse", ("",)),
    (22_348_431_360, "matmul", ("",)),
    (11_174_215_680, "mac", ("",)),
    (3 * 22_348_431_360, "matmul", ("",)),
]


@pytest.mark.parametrize(("figure", "convention", "paths"), COUNTED)
def test_each_counter_is_named(figure: int, convention: str, paths: tuple[str, ...]) -> None:
    best = accounts(figure, [MODEL])[0]
    assert (best.convention.name, best.paths, best.workload.length) == (convention, paths, 128)
    assert best.whole
    assert best.carried
    assert best.value == figure


PARTS = [
    # of one block at S = 128: 3·2·128·768², 2·2·128²·768 + 2·128·768², 2·2·128·768·3072, all of it
    (452_984_832, "the query, key and value projections", 1),
    (201_326_592, "both attention products and the output projection", 1),
    (1_207_959_552, "the feed-forward", 1),
    (1_862_270_976, "all that a block computes", 1),
    (654_311_424, "the attention", 1),
    (7_851_737_088, "the attention", 12),
    (22_347_251_712, "all that a block computes", 12),
]


@pytest.mark.parametrize(("figure", "scope", "blocks"), PARTS)
@pytest.mark.parametrize("stated", [(), (128,), (128, 512)])
def test_each_part_is_named(figure: int, scope: str, blocks: int, stated: tuple[int, ...]) -> None:
    best = accounts(figure, [MODEL], lengths=stated)[0]
    assert (best.scope, best.blocks, best.workload.length) == (scope, blocks, 128)
    assert best.convention.name == "matmul"


SLIPS = [
    (22_348_431_360 - 301_989_888, "one-attention-product", 22_348_431_360),
    # the products of one head have its width of 64: 12 · 2 · 2 · 128² · 64 for 12 · 2 · 2 · 128² · 768
    (22_348_431_360 - 603_979_776 + 603_979_776 // 12, "attention-at-one-head", 22_348_431_360),
    (72 * 12 * 128 * 768**2 + 24 * 12 * 128**2 * 768 + 6 * 128 * 30522 * 768, "selective-recomputation", None),
]


@pytest.mark.parametrize(("figure", "slip", "right"), SLIPS)
def test_slips_are_named_and_never_stated(figure: int, slip: str, right: int | None) -> None:
    found = [one for one in accounts(figure, [MODEL], lengths=(128,)) if one.slip and one.slip.id == slip]
    assert found
    assert not found[0].carried
    assert right in (None, found[0].right)
    assert any("mistake: " in line for line in lines(found[0]))


def test_the_right_term_of_recomputation() -> None:
    """16·B·L·S²·H of 72·B·L·S·H², two ninths of S/H."""
    wrong = 72 * 12 * 128 * 768**2 + 24 * 12 * 128**2 * 768 + 6 * 128 * 30522 * 768
    found = next(one for one in accounts(wrong, [MODEL], lengths=(128,)) if one.slip)
    assert found.right == wrong - 8 * 12 * 128**2 * 768


def test_every_account_is_exact_and_every_total_is_found() -> None:
    """What any convention counts of a model is found again, on any path, at an unusual length too."""
    for name in convention_names():
        convention = load_convention(name)
        for path in convention.ways:
            workload = Workload(200, attention=path.attention or "eager")
            figure = count(MODEL, workload, convention, version=path.version or None).total
            found = accounts(figure, [MODEL], slips=False)
            assert all(one.value == figure for one in found)
            assert any(one.convention.name == name and one.whole for one in found), (name, path)


def test_figures_that_are_nothing_are_not_explained() -> None:
    rng = random.Random(7)
    near = [22_348_431_360 + rng.randrange(-(10**6), 10**6) for _ in range(100)]
    structured = [768**2 * 128 * rng.randrange(1, 400) + 1 for _ in range(100)]
    stated = [figure for figure in near + structured if any(one.carried for one in accounts(figure, [MODEL]))]
    assert stated == [figure for figure in stated if figure == 22_348_431_360]


def test_a_multiple_of_a_product_is_no_proof() -> None:
    """128·768² is a factor of most: a figure of few bits beyond that fits several parts, and none is stated."""
    rng = random.Random(11)
    figures = [768**2 * 128 * rng.randrange(100, 40_000) for _ in range(100)]
    wrong = [one for figure in figures for one in accounts(figure, [MODEL])[:1] if one.carried and not _usual(one)]
    assert wrong == []


def _usual(one: Account) -> bool:
    return one.workload.length in (128, 512) and one.workload.batch == 1


def test_rounded_figures_hold_and_are_not_proved() -> None:
    figure = figure_of("22.3G")
    assert figure is not None
    found = accounts(figure.value, [MODEL], holds=lambda value: figure.holds(value, 3) is not None)
    assert 22_348_431_360 in {one.value for one in found}
    assert not any(one.carried for one in found)


def test_models_that_differ_in_nothing_that_counts_are_one() -> None:
    cased = model({**BASE, "V": 28996})
    best = accounts(22_348_431_360, [MODEL, cased, model(LARGE)])[0]
    assert best.also == ()  # both are called `bert` here
    assert title(best) == "matrix products as FLOPs, two to a multiply-add: bert, S = 128, batch 1"


def test_the_parts_of_a_model_are_tried() -> None:
    whole = with_options(model(BASE, ()), ("pooler", "mlm", "nsp"))
    names = [one.name for one in parts_of(whole)]
    assert names[:2] == ["bert", "bert (backbone+pooler)"]
    best = accounts(10_884_513_792, parts_of(whole))[0]
    assert best.model.name == "bert (backbone+pooler)"


def test_what_an_account_says() -> None:
    (best,) = accounts(10_884_513_792, [MODEL])
    said = " | ".join(lines(best))
    assert "12,288,000 of layer norms, 5 for each" in said
    assert "both attention products (301,989,888 multiply-adds)" in said
    assert "with attention by eager it says 11,186,503,680" in said
    assert f"all products of the model are {cost(MODEL).total:,} FLOPs" in said
