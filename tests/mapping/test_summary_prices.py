"""What readings of a summary's rows pay and earn, and the bounds of what is looked for: each entry of a balance."""

import pytest

from reconcile.evidence.judge import Reading
from reconcile.inventory import Inventory, Layer
from reconcile.mapping.summary.blocks import alike, runs
from reconcile.mapping.summary.by_names import by_names
from reconcile.mapping.summary.mapping import map_rows
from reconcile.mapping.summary.meaning import Meaning, fault
from reconcile.mapping.summary.recognition import ADAPTERS, whole_readings
from reconcile.mapping.summary.repeated import by_repetition
from reconcile.mapping.summary.seen import Seen, pieces, seen
from reconcile.mapping.summary.slots import beside
from reconcile.taxonomy import load_architecture

BLOCK = 4 * (128**2 + 128) + 2 * 128 * 512 + 512 + 128 + 4 * 128
"""A block of BERT tiny: H = 128, F = 512."""


def rows(*found: tuple[str, str, int]) -> tuple[Seen, ...]:
    return seen([Layer(name, kind, "(None, None, 128)", count) for name, kind, count in found])


def blocks(times: int, kind: str = "TransformerEncoder") -> list[tuple[str, str, int]]:
    return [(f"transformer_layer_{number}", kind, BLOCK) for number in range(times)]


NORM = load_architecture("bert").say("embeddings.norm")

TINY = (
    ("token_embedding", "ReversibleEmbedding", 30_522 * 128),
    ("position_embedding", "PositionEmbedding", 512 * 128),
    ("segment_embedding", "Embedding", 2 * 128),
    ("embeddings_layer_norm", "LayerNormalization", 2 * 128),
    *blocks(4),
    ("pooled_dense", "Dense", 128 * 128 + 128),
)


def bits(readings: object, name: str, says: str) -> float:
    """The entry of a balance that begins so, of the best reading of a name."""
    found: list[Reading[Meaning]] = [one for one in readings if one.name == name]  # type: ignore[attr-defined]
    best = max(found, key=lambda one: one.balance)
    return sum(item.bits for item in best.items if item.says.startswith(says))


@pytest.mark.parametrize(
    ("title", "earned"),
    [("bert_backbone", 3.0), ("gpt2_backbone", -8.0), ("unheard_of_backbone", -8.0), ("model", 0.0)],
)
def test_a_title_names_the_family_or_another(title: str, earned: float) -> None:
    assert bits(by_names(rows(*TINY), title), "BERT", "the title") == earned


def test_a_class_of_another_family_s_blocks_is_none_of_it() -> None:
    own = [*TINY[:4], *blocks(4, "GemmaDecoderBlock"), TINY[-1]]
    assert bits(by_names(rows(*own)), "BERT", "blocks of the class") == -8.0
    assert bits(by_names(rows(*TINY)), "BERT", "blocks of the class") == 0.0


def test_what_every_model_has_is_missed() -> None:
    assert bits(by_names(rows(*TINY[:3], *TINY[4:])), "BERT", f"{NORM}: no row") == -8.0
    # Models without segments are usual, so that their table is missed for less.
    assert -8.0 < bits(by_names(rows(*TINY[:2], *TINY[3:])), "BERT", "the segment embedding: no row") < 0.0


def test_what_no_block_has_is_another_architecture_and_no_fault() -> None:
    other = [(name, kind, count + 777 * (kind == "TransformerEncoder")) for name, kind, count in TINY]
    assert not [one for one in by_names(rows(*other)) if one.name == "BERT"]


def test_blocks_without_a_name_and_of_no_formula() -> None:
    alone = rows(*blocks(4))
    assert bits(by_repetition(alone), "4 blocks like those of BERT", "blocks without a name") == -3.0
    assert bits(by_repetition(alone), "4 equal blocks", "a class or names that say block") == 3.0
    # Which kind of layer they are is said by that they are blocks: 5.6 bits less than a row's.
    counts = bits(by_repetition(alone), "4 equal blocks", "the counts of blocks")
    one_by_one = bits(by_repetition(alone), "4 equal blocks", "the rows one by one")
    assert one_by_one + counts == pytest.approx(5.6 + 2.0)  # 2.0: that there are four


def test_a_fault_costs_more_than_its_size() -> None:
    assert fault(1_024 + 300, 300) == 10 + 4.0
    assert fault(1_024, None) == 10 + 4.0


@pytest.mark.parametrize(("places", "found"), [((), 0), ((0, 3, 6), 1), ((0, 4), 2), ((0, 4, 8), 3)])
def test_rows_that_follow_each_other_have_one_place(places: tuple[int, ...], found: int) -> None:
    layers = [Layer(f"dense_{at}", "Dense", "", 1 if at in places else 0) for at in range(9)]
    assert pieces(seen(layers)) == found


def test_rows_that_are_left_pay_for_their_places() -> None:
    one = bits(by_names(rows(*TINY, ("other", "Conv1D", 777))), "BERT", "all other rows")
    apart = seen(
        [
            *(Layer(name, kind, "(None, None, 128)", count) for name, kind, count in (*TINY, ("other", "Conv1D", 777))),
            *(Layer(f"dropout_{number}", "Dropout", "(None, None, 128)", 0) for number in range(3)),
            Layer("again", "Conv1D", "(None, None, 128)", 777),
        ]
    )
    two = bits(by_names(apart), "BERT", "all other rows")
    assert one - two == pytest.approx(1.5 + 1.0)  # 1.0: that there are two of a kind


@pytest.mark.parametrize(("period", "found"), [(8, True), (9, False)])
def test_a_block_has_eight_rows_at_most(period: int, found: bool) -> None:
    kinds = [f"Layer{chr(65 + number)}" for number in range(period)]
    body = rows(*[(f"row_{number}", kind, 7 + len(kind)) for number, kind in enumerate(kinds * 3)])
    assert any(run.period == period for run in runs(body)) is found


@pytest.mark.parametrize(("one", "other", "same"), [("Dens", "Dens", True), ("Den", "Den", False)])
def test_classes_tell_rows_apart_by_four_letters(one: str, other: str, same: bool) -> None:
    first, second = rows(("a", one, 100), ("b", other, 200))
    assert alike(first, second) is same


@pytest.mark.parametrize(("odd", "found"), [(2, True), (3, False)])
def test_one_block_in_three_may_differ(odd: int, found: bool) -> None:
    body = blocks(6)
    body[:odd] = [(name, kind, count + 128 * (at + 1)) for at, (name, kind, count) in enumerate(body[:odd])]
    assert any(one.name == "6 equal blocks" for one in by_repetition(rows(*body))) is found


@pytest.mark.parametrize(("words", "found"), [(50, True), (49, False)])
def test_a_vocabulary_has_fifty_words(words: int, found: bool) -> None:
    bert = load_architecture("bert")
    before = rows(("token_embedding", "Embedding", words * 128))
    (repetition,) = bert.repetitions
    placed = beside(before, (), bert, repetition, {"H": 128}, named=True)
    assert any(state.sizes.get("V") == words for state in placed) is found


@pytest.mark.parametrize(("between", "found"), [(11, True), (12, False)])
def test_a_model_s_own_rows_are_the_last_twelve_in_front_of_its_blocks(between: int, found: bool) -> None:
    bert = load_architecture("bert")
    before = rows(("token_embedding", "Embedding", 30_522 * 128), *[("conv", "Conv1D", 777)] * between)
    (repetition,) = bert.repetitions
    placed = beside(before, (), bert, repetition, {"H": 128}, named=True)
    assert any("V" in state.sizes for state in placed) is found


def test_a_row_that_is_called_like_another_component_pays_for_it() -> None:
    bert = load_architecture("bert")
    (repetition,) = bert.repetitions
    (row,) = rows(("position_embedding", "Embedding", 30_522 * 128))
    placed = beside((row,), (), bert, repetition, {"H": 128}, named=True)
    assert {state.nodes[row.place][0]: state.choice for state in placed if state.nodes} == {
        "embeddings.token": 4.0,
        "embeddings.position": 0.0,
        "embeddings.segment": 4.0,
        "embeddings.task": 4.0,
    }


@pytest.mark.parametrize(("words", "places", "found"), [(21_128, 128, True), (30_522, 258, False)])
def test_two_tables_in_one_row_are_eight_bits_shorter_than_their_sum(words: int, places: int, found: bool) -> None:
    """Their sizes are 8.06 bits shorter than 21,128 + 128 in units of the width, and 7.85 than 30,522 + 258."""
    bert = load_architecture("bert")
    (repetition,) = bert.repetitions
    before = rows(("tables", "TokenAndPositionEmbedding", (words + places) * 128))
    placed = beside(before, (), bert, repetition, {"H": 128}, named=True)
    assert any((state.sizes.get("V"), state.sizes.get("P")) == (words, places) for state in placed) is found


# --- whole models ---


@pytest.mark.parametrize(
    ("kind", "nested"), [("Model", True), ("Functional", True), ("Sequential", True), ("Unheard", False)]
)
def test_a_nested_model_in_one_row_says_that_its_layers_are_not_there(kind: str, nested: bool) -> None:
    layers = (Layer("one", kind, "(None, 7)", 12_347), Layer("two", "Dense", "(None, 2)", 7 * 2 + 2))
    ledger = map_rows(Inventory("drawn", layers, 12_347 + 16))
    (item,) = ledger.unmapped
    assert ("a nested model shown as one row" in item.why) is nested


@pytest.mark.parametrize(("kind", "more"), [("BertModel", 0.0), ("Functional", 4.0)])
def test_a_family_that_no_class_names_is_paid_for(kind: str, more: float) -> None:
    (row,) = seen([Layer("one", kind, "(None, 128, 768)", 109_482_240)])
    judged = whole_readings(row, {})
    assert judged is not None
    assert judged.best.items[1].bits == -(judged.best.meaning.bits + more)


def test_a_known_model_and_its_adapters_are_said_in_few_bits() -> None:
    (row,) = seen([Layer("bert", "BertModel", "(None, 128, 768)", 109_482_240)])
    judged = whole_readings(row, {})
    assert judged is not None
    assert judged.best.meaning.bits == 4.0 + 1.0  # the second of the totals that people quote
    sizes = {"L": 12, "H": 768, "a": 64}
    (row,) = seen([Layer("bert", "BertModel", "(None, 128, 768)", 109_482_240 + ADAPTERS.evaluate(sizes))])
    adapted = whole_readings(row, {})
    assert adapted is not None
    assert adapted.best.meaning.extra == (("a", 64),)
    assert adapted.best.meaning.bits == 4.0 + 1.0 + 4.0 + 4.0  # 64 is one step of 64


def test_five_accounts_of_a_whole_model_are_told_and_two_whole_models_by_their_names() -> None:
    def model(name: str, count: int) -> Layer:
        return Layer(name, "Functional", "(None, None, 768)", count)

    ledger = map_rows(Inventory("drawn", (model("one", 44_974_080),), 44_974_080))
    (item,) = ledger.unmapped
    assert item.why.count("; or ") == 4
    both = (
        Layer("one", "BertModel", "(None, 128, 768)", 109_482_240),
        Layer("two", "GPT2Model", "(None, 128, 768)", 124_439_808),
    )
    ledger = map_rows(Inventory("drawn", both, 233_922_048))
    assert {part.model for part in ledger.stored} == {"one", "two"}
    ledger = map_rows(Inventory("drawn", both[:1], 109_482_240))
    assert {part.model for part in ledger.stored} == {""}
