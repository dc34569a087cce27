"""Selections: which paths a pattern names, what a selection counts, and the algebra of their accounts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.errors import InputError
from reconcile.formula import Formula
from reconcile.selection import Selection, add, bridge, matches, value
from reconcile.taxonomy import load_architecture

BERT = load_architecture("bert")
PARTS = BERT.active(frozenset(BERT.options) - {"task"})
BASE = {"V": 30522, "P": 512, "T": 2, "H": 768, "A": 12, "D": 64, "F": 3072, "L": 12}

QUERY = "encoder.block[*].attention.query.kernel"
MATCHED = [
    ("embeddings", "embeddings.token", True),
    ("embeddings.*", "embeddings.token", True),
    ("embed*", "embeddings.token", True),
    ("embeddings.tok", "embeddings.token", False),
    ("embeddings.token.kernel", "embeddings.token", False),
    ("encoder", QUERY, True),
    ("encoder.block[*].attention", QUERY, True),
    ("encoder.block[*].attention", "encoder.block[*].attention_norm.gamma", False),  # whole names only
    ("encoder.block[*]", "encoder.block[12].attention.query.kernel", True),
    ("**.kernel", QUERY, True),
    ("**.query", QUERY, True),
    ("**.bias", QUERY, False),
    ("*.kernel", QUERY, False),
    ("**", QUERY, True),
    ("attention", QUERY, False),
    (".", "a", False),
]


@pytest.mark.parametrize(("pattern", "path", "named"), MATCHED)
def test_a_pattern_names_paths(pattern: str, path: str, named: bool) -> None:
    assert matches(pattern, path) is named


def count(entry: object, **sizes: int) -> int | None:
    account = Selection.read(entry, "here").account(PARTS, BERT.totals)
    return None if account is None else value(account).evaluate(BASE | sizes)


# For BERT base uncased. H² + H = 590,592.
COUNTED = [
    ("embeddings", 23_837_184),  # (30,522 + 512 + 2) · 768 + 2 · 768
    ("encoder", 85_054_464),  # 12 · 7,087,872
    ("backbone", 108_891_648),
    ("backbone+pooler", 109_482_240),
    ("backbone + pooler", 109_482_240),
    ("backbone − embeddings", 85_054_464),
    ("backbone - embeddings", 85_054_464),
    ("pretraining", 110_106_428),
    ("tied counted twice", 133_547_324),  # and V·H = 23,440,896 once more
    ("without embeddings", 85_645_056),
    ("encoder.block[1]", 7_087_872),
    ("encoder.block[1..3]", 21_263_616),  # 3 · 7,087,872
    ("encoder.block[7].attention", 2_362_368),
    (["encoder", "pooler"], 85_645_056),
    ({"of": "encoder.block[1].attention", "drop": "**.bias"}, 2_359_296),  # 4 · 768²
    ({"of": "encoder.block[1].attention", "keep": "**.bias"}, 3_072),
    ({"of": "encoder.block[1].attention", "keep": ["**.query", "**.key"], "drop": "**.bias"}, 1_179_648),
    ({"of": "encoder.block[1].attention", "drop": "**.output", "times": "A"}, 21_261_312),
    ({"of": "pooler", "replace": {"H": "F"}}, 9_440_256),  # 3,072² + 3,072
    ({"of": "encoder.block[1].feed_forward", "replace": {"F": "H"}}, 1_181_184),  # 2 · (768² + 768)
    ({"of": "mlm.decoder", "tied": True}, 23_471_418),  # V·H + V
    ("mlm.decoder", 30_522),
    (["pooler", {"of": "pooler", "times": 2}], 1_771_776),
    ("embeddings.task", None),  # not in a model without tasks: unknown, and not nothing
    (["encoder", "decoder"], None),
]


@pytest.mark.parametrize(("entry", "counted"), COUNTED)
def test_what_a_selection_counts(entry: object, counted: int | None) -> None:
    assert count(entry) == counted


names = st.sampled_from(["embeddings", "encoder", "pooler", "mlm", "nsp", "backbone", "pretraining", "**.bias"])
signed = st.lists(st.tuples(names, st.sampled_from([1, -1])), min_size=1, max_size=5)


def account_of(terms: list[tuple[str, int]]) -> dict[str, Formula]:
    account = Selection(tuple((sign, name) for name, sign in terms)).account(PARTS, BERT.totals)
    assert account is not None
    return account


@given(signed)
def test_a_sum_is_the_sum_of_its_parts(terms: list[tuple[str, int]]) -> None:
    parts = [value(account_of([(name, 1)])) * sign for name, sign in terms]
    assert value(account_of(terms)) == sum(parts, Formula.of(0))


@given(signed, signed)
def test_a_bridge_leads_from_one_account_to_the_other(
    left: list[tuple[str, int]], right: list[tuple[str, int]]
) -> None:
    a, b = account_of(left), account_of(right)
    reached = dict(a)
    add(reached, bridge(a, b))
    assert reached == b
    assert bridge(a, a) == {}
    assert value(bridge(a, b)) == value(b) - value(a)


def test_the_bridge_between_two_totals_names_what_lies_between() -> None:
    left, right = (account_of([(name, 1)]) for name in ("backbone+pooler", "pretraining"))
    assert {path.split(".")[0] for path in bridge(left, right)} == {"mlm", "nsp"}


BROKEN = [
    (7, "here: got 7, takes a selection: text, a list, or a table with `of`"),
    ({}, "here: of: got nothing, takes a value"),
    ({"of": 7}, "here: of: got 7, takes text, or a list of names and selections"),
    ({"of": "a", "drp": "b"}, "here: drp: got a key that is not known here, takes 'drop' perhaps; known are "),
]


@pytest.mark.parametrize(("entry", "message"), BROKEN)
def test_what_is_no_selection_is_refused(entry: object, message: str) -> None:
    with pytest.raises(InputError) as refused:
        Selection.read(entry, "here")
    assert str(refused.value).startswith(message)
