"""What differs between two ledgers: each difference as a formula, and sums that hold for any two."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from implementation_lists import LISTS, read_list
from ledgers import EVERYTHING, configured, fed, ledger

from reconcile.comparison.axes import settings_of
from reconcile.comparison.difference import Kind
from reconcile.comparison.ledgers import Comparison, compare_ledgers
from reconcile.comparison.reason import reason
from reconcile.comparison.words import difference_words, setting_words
from reconcile.formula import Formula
from reconcile.inventory import Inventory, Tensor, parent_layers
from reconcile.mapping.ledger import Ledger
from reconcile.mapping.tensors import map_source

Case = tuple[Mapping[str, Any], Mapping[str, Any], dict[str, tuple[int, str]], str]

# Two models, each difference with its count and words, and the reason. Base has V = 30522, P = 512, H = 768, F = 3072,
# L = 12; the arithmetic stands in the words.
CASES: dict[str, Case] = {
    "words": (
        {},
        {"V": 119547},
        {
            # 119547 − 30522 = 89025; 89025·768 = 68371200
            "embeddings.token": (68_371_200, "+68,371,200 = 89,025 more words × 768"),
            "mlm.decoder.bias": (89_025, "+89,025 = 89,025 more words"),
        },
        "B has 89,025 more words; everything else agrees",
    ),
    "one position": (
        {"options": ()},
        {"options": (), "P": 511},
        {"embeddings.position": (-768, "−768 = 1 fewer positions × 768")},
        "B has 1 fewer position; everything else agrees",
    ),
    "feed-forward, tensor by tensor": (
        {"options": ()},
        {"options": (), "F": 4096},
        {
            # 12·1024·768 = 9437184, twice; 12·1024 = 12288
            "encoder.block[1..12].feed_forward.intermediate.kernel": (
                9_437_184,
                "+9,437,184 = 12 × (4,096 − 3,072) × 768, F",
            ),
            "encoder.block[1..12].feed_forward.intermediate.bias": (12_288, "+12,288 = 12 × (4,096 − 3,072), F"),
            "encoder.block[1..12].feed_forward.output.kernel": (
                9_437_184,
                "+9,437,184 = 12 × (4,096 − 3,072) × 768, F",
            ),
        },
        "B has a feed-forward size of 4,096 instead of 3,072; everything else agrees",
    ),
    "feed-forward, as summaries show it": (
        {"options": (), "rows": True},
        {"options": (), "rows": True, "F": 4096},
        {
            # 12·1024·(2·768 + 1) = 12·1024·1537 = 18886656
            "encoder.block[1..12].feed_forward": (18_886_656, "+18,886,656 = 12 × (4,096 − 3,072) × (2·768 + 1), F"),
        },
        "B has a feed-forward size of 4,096 instead of 3,072; everything else agrees",
    ),
    "rows against tensors": ({"rows": True}, {}, {}, "A and B agree in every component"),
    "rows against tensors without biases": (
        {"options": (), "rows": True},
        {"options": (), "without": ("query.bias", "key.bias", "value.bias", "attention.output.bias")},
        {
            # 12·4·768 = 36864
            "encoder.block[1..12].attention": (
                -36_864,
                "−36,864: 12 × (4·(H² + H)) = 12 × 2,362,368 = 28,348,416 "
                "in A, 12 × 4·H² = 12 × 2,359,296 = 28,311,552 in B",
            ),
        },
        "B has 36,864 parameters fewer in encoder.block[1..12].attention; everything else agrees",
    ),
    "no biases": (
        {"options": ()},
        {"options": (), "without": ("query.bias",)},
        {"encoder.block[1..12].attention.query.bias": (-9_216, "only in A: 12 × H = 12 × 768 = 9,216")},
        "B has no bias in encoder.block[1..12].attention.query; everything else agrees",
    ),
    "pooler": (
        {"options": ("pooler",)},
        {"options": ()},
        {"pooler": (-590_592, "only in A: H² + H = 768² + 768 = 590,592")},
        "B has no pooler; everything else agrees",
    ),
    "whole nodes before parts of others": (
        {"options": ("pooler",)},
        {"options": (), "without": ("query.bias",)},
        {
            "encoder.block[1..12].attention.query.bias": (-9_216, "only in A: 12 × H = 12 × 768 = 9,216"),
            "pooler": (-590_592, "only in A: H² + H = 768² + 768 = 590,592"),
        },
        "B has no pooler and no bias in encoder.block[1..12].attention.query; everything else agrees",
    ),
    "blocks": (
        {"options": ()},
        {"options": (), "L": 24},
        {
            # 4·768² + 2·768·3072 + 3072 + 9·768 = 7087872; times 12 = 85054464
            "encoder.block[13..24]": (
                85_054_464,
                "only in B: 12 × (4·H² + 2·H·F + F + 9·H) = 12 × 7,087,872 = 85,054,464",
            ),
        },
        "B has 12 more blocks; everything else agrees",
    ),
    "hidden size": (
        {"options": ("pooler",), "L": 0},
        {"options": ("pooler",), "L": 0, "H": 1024},
        {
            "embeddings.token": (7_813_632, "+7,813,632 = (1,024 − 768) × 30522, H"),
            "embeddings.position": (131_072, "+131,072 = (1,024 − 768) × 512, H"),
            "embeddings.segment": (512, "+512 = (1,024 − 768) × 2, H"),
            "embeddings.norm.gamma": (256, "+256 = 1,024 − 768, H"),
            "embeddings.norm.beta": (256, "+256 = 1,024 − 768, H"),
            "pooler.kernel": (458_752, "+458,752: H² = 768² = 589,824 in A, H² = 1024² = 1,048,576 in B"),
            "pooler.bias": (256, "+256 = 1,024 − 768, H"),
        },
        "B has a hidden size of 1,024 instead of 768",
    ),
    "two dimensions of one matrix": (
        {"options": (), "L": 0, "without": ("gamma", "beta", "position", "segment")},
        {"options": (), "L": 0, "without": ("gamma", "beta", "position", "segment"), "V": 28996, "H": 1024},
        {
            "embeddings.token": (
                6_251_008,
                "+6,251,008: V·H = 30522·768 = 23,440,896 in A, V·H = 28996·1024 = 29,691,904 in B",
            ),
        },
        "B has 1,526 fewer words and a hidden size of 1,024 instead of 768",
    ),
    "an untied decoder": (
        {"options": ("mlm",)},
        {"options": ("mlm",), "untied": True},
        {
            "mlm.decoder.kernel": (
                23_440_896,
                "stored apart in B: V·H = 30522·768 = 23,440,896; in A it is embeddings.token",
            )
        },
        "B has mlm.decoder.kernel stored apart; everything else agrees",
    ),
    "frozen": (
        {"options": ("pooler",)},
        {"options": ("pooler",), "frozen": ("embeddings", "encoder")},
        {
            "embeddings": (0, "trainable in A, frozen in B"),
            "encoder": (0, "trainable in A, frozen in B"),
        },
        "B has embeddings frozen and encoder frozen; everything else agrees",
    ),
    "frozen blocks": (
        {"options": ()},
        {"options": (), "frozen": ("encoder.block[1].", "encoder.block[2].")},
        {"encoder.block[1..2]": (0, "trainable in A, frozen in B")},
        "B has encoder.block[1..2] frozen; everything else agrees",
    ),
    "a head": (
        {"options": ()},
        {"options": (), "heads": {"classifier": (768, 2)}},
        {"task.classifier": (1_538, "only in B: i·o + o = 768·2 + 2 = 1,538")},
        "B has a layer classifier; everything else agrees",
    ),
    "a head that Keras numbered anew": (
        {"heads": {"dense_4": (768, 2)}},
        {"heads": {"dense_9": (768, 2)}},
        {},
        "A and B agree in every component",
    ),
    "a head of another size under another number": (
        {"heads": {"dense_4": (768, 2), "dense_5": (2, 2)}},
        {"heads": {"dense_9": (768, 3), "dense_10": (2, 2)}},
        {"task.dense_4": (769, "+769 = (3 − 2) × (768 + 1), o (task.dense_9 in B)")},
        "B has 3 outputs instead of 2 in task.dense_4; everything else agrees",
    ),
    "a layer put between two, all numbered anew": (
        {"heads": {"dense": (4, 8), "dense_1": (8, 2)}},
        {"heads": {"dense_5": (4, 8), "dense_6": (8, 8), "dense_7": (8, 2)}},
        {"task.dense_6": (72, "only in B: i·o + o = 8·8 + 8 = 72")},
        "B has a layer dense_6; everything else agrees",
    ),
    "a layer of another name": (
        {"heads": {"hidden": (4, 8)}},
        {"heads": {"between": (4, 8)}},
        {"task.hidden": (0, "called task.between in B")},
        "A and B agree in every component",
    ),
    "slots are not compared": ({}, {"slots": 5_000_000}, {}, "A and B agree in every component"),
    "unmapped": (
        {"unmapped": {"odd/w": 7}},
        {},
        {"unmapped.odd/w": (-7, "only in A, and no component of a model known here")},
        "B has no odd/w; everything else agrees",
    ),
    "unmapped, and a layer where the other source explains it": (
        {"unmapped": {"classifier": 7}},
        {"heads": {"classifier": (3, 2)}},
        # 3·2 + 2 = 8
        {"task.classifier": (1, "+1: 7 in A, i·o + o = 3·2 + 2 = 8 in B")},
        "B has 1 parameters more in task.classifier; everything else agrees",
    ),
    "more than its parts": (
        {},
        {"residual": 11},
        {"residual": (11, "only in B: beyond what its components add up to")},
        "B has 11 parameters more that no part has; everything else agrees",
    ),
}


@pytest.mark.parametrize(("left", "right", "differences", "why"), CASES.values(), ids=CASES)
def test_each_difference_is_a_formula(
    left: Mapping[str, Any], right: Mapping[str, Any], differences: dict[str, tuple[int, str]], why: str
) -> None:
    found = compare_ledgers(ledger(**left), ledger(**right))
    told = {one.path: (one.difference, difference_words(one, "A", "B")) for one in found.differences}
    assert told == differences
    assert reason(found, "A", "B") == why
    assert_adds_up(found)


def assert_adds_up(found: Comparison) -> None:
    left, right = found.totals
    assert left + sum(one.difference for one in found.differences) == right


NORM = "encoder.block[*].attention_norm.gamma"
SETTINGS: dict[str, tuple[Ledger, Ledger, list[str]]] = {
    "heads change no count": (ledger(), ledger(A=16, D=48), ["attention heads (A): 12 → 16"]),
    "a shorter input is a note": (ledger(), ledger(S=128), ["sequence length (S): 512 → 128"]),
    "what one side does not say": (ledger(), ledger(settings={"hidden_act": "relu"}), []),
    "configurations": (
        ledger(settings={"hidden_act": "gelu", "layer_norm_eps": 1e-12}),
        ledger(settings={"hidden_act": "relu", "layer_norm_eps": 9.99999999e-13}),
        ["activation of the feed-forward: gelu → relu"],
    ),
    "layers": (
        configured(ledger(), {NORM: {"epsilon": 1e-12, "axis": -1}}),
        configured(ledger(), {NORM: {"epsilon": 1e-5, "axis": 2}}),
        ["epsilon of encoder.block[1..12].attention_norm.gamma: 1e-12 → 1e-05"],
    ),
    "a configuration and layers": (
        ledger(settings={"layer_norm_eps": 1e-12}, rows=True),
        configured(ledger(rows=True), {"embeddings.norm": {"epsilon": 1e-5}}),
        ["epsilon of the layer norms: 1e-12 → 1e-05"],
    ),
    "connections": (
        fed(ledger((), rows=True, L=1), {"embeddings.segment": ("embeddings.token",)}),
        fed(
            ledger((), rows=True, L=1),
            {"embeddings.segment": ("embeddings.position",), "embeddings.position": ("embeddings.token",)},
        ),
        [
            "embeddings.position: fed by embeddings.token in B only",
            "embeddings.segment: fed by embeddings.token in A only and fed by embeddings.position in B only",
        ],
    ),
    "connections that one side does not show": (
        fed(ledger((), rows=True, L=1), {"embeddings.segment": ("embeddings.token",)}),
        ledger((), rows=True, L=1),
        [],
    ),
}


@pytest.mark.parametrize(("left", "right", "told"), SETTINGS.values(), ids=SETTINGS)
def test_axes_beyond_counts(left: Ledger, right: Ledger, told: list[str]) -> None:
    found = compare_ledgers(left, right)
    assert sorted(setting_words(one, "A", "B") for one in found.settings) == sorted(told)
    assert not found.differences


def models() -> st.SearchStrategy[dict[str, Any]]:
    """What makes small models of any kind, with all that a source can hold beside them."""
    ends = ["query.bias", "pooler.bias", "norm.beta", "intermediate.kernel", "embeddings.segment"]
    return st.builds(
        dict,
        options=st.sets(st.sampled_from(sorted(EVERYTHING))),
        rows=st.booleans(),
        without=st.lists(st.sampled_from(ends), max_size=2),
        frozen=st.lists(st.sampled_from(["embeddings", "encoder.block[1]", "mlm", "pooler.k"]), max_size=2),
        heads=st.dictionaries(
            st.sampled_from(["dense", "dense_1", "dense_2", "out", "dense_2.bias"]),
            st.tuples(st.integers(1, 3), st.integers(1, 3)),
            max_size=3,
        ),
        unmapped=st.dictionaries(st.sampled_from(["a", "a.b", "w_1", "w_2"]), st.integers(0, 4), max_size=2),
        slots=st.integers(0, 2),
        residual=st.integers(-2, 2),
        untied=st.booleans(),
        V=st.integers(1, 3),
        P=st.integers(1, 2),
        H=st.integers(1, 3),
        F=st.integers(1, 3),
        L=st.integers(0, 3),
        A=st.integers(1, 2),
        S=st.integers(1, 2),
    )


@given(models(), models())
@settings(max_examples=60)
def test_rows_add_up_to_the_difference_of_the_totals(left: dict[str, Any], right: dict[str, Any]) -> None:
    found = compare_ledgers(ledger(**left), ledger(**right))
    assert_adds_up(found)
    assert reason(found, "A", "B")
    assert all(difference_words(one, "A", "B") for one in found.differences)


@given(models())
@settings(max_examples=30)
def test_nothing_differs_from_itself(one: dict[str, Any]) -> None:
    found = compare_ledgers(ledger(**one), ledger(**one))
    assert (found.differences, found.settings) == ((), ())
    assert found.same == found.totals[0]


@given(models(), models())
@settings(max_examples=60)
def test_the_other_way_round_it_is_the_opposite(left: dict[str, Any], right: dict[str, Any]) -> None:
    swapped = {Kind.ONLY_LEFT: Kind.ONLY_RIGHT, Kind.ONLY_RIGHT: Kind.ONLY_LEFT}
    one, other = ledger(**left), ledger(**right)
    there, back = compare_ledgers(one, other), compare_ledgers(other, one)
    forth = [
        (swapped.get(d.kind, d.kind), d.right_path or d.path, d.right_path and d.path, -d.difference)
        for d in there.differences
    ]
    reverse = [(d.kind, d.path, d.right_path, d.difference) for d in back.differences]
    assert sorted(map(repr, forth)) == sorted(map(repr, reverse))
    assert sorted((s.name, s.where, repr(s.left), repr(s.right)) for s in there.settings) == sorted(
        (s.name, s.where, repr(s.right), repr(s.left)) for s in back.settings
    )


# Two libraries' lists of one model (H = 24, F = 40, V = 97, L = 2), and what differs in its counts, with the reason.
IMPLEMENTATIONS: dict[tuple[str, str], tuple[dict[str, int], str]] = {
    ("huggingface.BertForPreTraining", "google.pretraining"): ({}, "A and B agree in every component"),
    ("huggingface-tf.TFBertForPreTraining", "bert4keras.bert-nsp-mlm"): ({}, "A and B agree in every component"),
    ("huggingface.BertForPreTraining", "keras-hub.BertMaskedLM"): (
        {"nsp": -50},  # 24·2 + 2
        "B has no next sentence classifier; everything else agrees",
    ),
    ("huggingface.BertForMaskedLM", "huggingface.BertForMaskedLM-untied"): (
        {"mlm.decoder.kernel": 2_328, "mlm.second_bias": 97},  # 97·24, and a bias that is tied with the matrix
        "B has mlm.decoder.kernel stored apart and mlm.second_bias; everything else agrees",
    ),
}


@pytest.mark.parametrize(("pair", "expected"), IMPLEMENTATIONS.items(), ids=map(" and ".join, IMPLEMENTATIONS))
def test_implementations_are_compared_whatever_they_call_things(
    pair: tuple[str, str], expected: tuple[dict[str, int], str]
) -> None:
    left, right = (map_source(read_list(LISTS / f"{name}.tsv")) for name in pair)
    found = compare_ledgers(left, right)
    assert {one.path: one.difference for one in found.differences if one.difference} == expected[0]
    assert {one.kind for one in found.differences if not one.difference} <= {"layout"}
    assert reason(found, "A", "B") == expected[1]
    assert_adds_up(found)


# What one model's heads are called by two sources (a path with its shape), and whether all of it is the same.
SPELLINGS: list[tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, ...]], bool]] = [
    ({"classifier.weight": (2, 24), "classifier.bias": (2,)}, {"classifier.bias": (2,), "classifier.kernel": (24, 2)}, True),
    ({"conv.kernel": (3, 3, 8, 4)}, {"conv.vars.0": (3, 3, 8, 4)}, True),
    ({"conv.kernel": (3, 3, 8, 4)}, {"conv.kernel": (3, 3, 8, 5)}, False),
    # a recurrent layer both ways, whose two halves have one count
    (
        {"rnn.forward_lstm.kernel": (5, 8), "rnn.backward_lstm.kernel": (5, 8)},
        {"rnn.forward_layer.cell.vars.0": (5, 8), "rnn.backward_layer.cell.vars.0": (5, 8)},
        True,
    ),
    # one count is no reason to take two layers for one
    ({"a.kernel": (5, 8)}, {"b.kernel": (4, 10)}, False),
    # a model's name around its layers
    ({"inner.a.kernel": (5, 8), "inner.b.kernel": (8, 3)}, {"a.kernel": (5, 8), "b.kernel": (8, 3)}, True),
    ({"inner.a.kernel": (5, 8), "inner.b.kernel": (8, 3)}, {"a.kernel": (5, 8), "c.kernel": (8, 4)}, False),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "same"), SPELLINGS)
def test_parts_that_two_sources_spell_otherwise_are_the_same(
    left: dict[str, tuple[int, ...]], right: dict[str, tuple[int, ...]], same: bool
) -> None:
    def mapped(shapes: dict[str, tuple[int, ...]]) -> Ledger:
        return map_source(Inventory("", parent_layers(Tensor(*one, "", None, one[0]) for one in shapes.items()), None))

    for one, other in ((left, right), (right, left)):
        found = compare_ledgers(mapped(one), mapped(other))
        assert (not [d for d in found.differences if d.counts]) is same
        assert found.totals[1] - found.totals[0] == sum(d.difference for d in found.differences)


def test_a_letter_without_a_word_is_no_reason() -> None:
    """r is the rank of adapters only; here it is the rows of a table."""

    def table(rows: int) -> Ledger:
        one = ledger((), heads={"table": (rows, 8)})
        known: dict[str, Any] = {
            "formula": Formula.parse("r·o"),
            "sizes": {"r": rows, "o": 8},
            "actual": 8 * rows,
            "expected": 8 * rows,
        }
        parts = [replace(part, **known) if part.path == "task.table" else part for part in one.assignments]
        return replace(one, assignments=tuple(parts), inventory=replace(one.inventory, total=None))

    found = compare_ledgers(table(16), table(32))
    assert reason(found, "A", "B") == "B has 128 parameters more in task.table; everything else agrees"


def test_an_object_among_settings_is_its_class_and_what_it_is_set_to() -> None:
    old = {"class_name": "Glorot", "config": {"seed": None}}
    new = old | {"module": "keras.initializers", "registered_name": None, "shared_object_id": 7}
    policy = {"class_name": "DTypePolicy", "config": {"name": "float32"}, "module": "keras"}
    inner = {"class_name": "LSTM", "config": {"name": "lstm", "trainable": True, "units": 3}}
    assert settings_of({"init": old}) == settings_of({"init": new}) == {"init": "Glorot"}
    assert settings_of({"dtype": policy, "layer": inner, "rate": 0.1}) == {"dtype": "float32", "rate": 0.1}
    ones = {"class_name": "Constant", "config": {"value": 1.0}}
    assert settings_of({"init": ones}) == {"init": "Constant(value=1.0)"}
