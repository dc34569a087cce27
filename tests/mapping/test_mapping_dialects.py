"""Every dialect's own names, made for small models and mapped back: each component is found, and nothing is left."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from named import named_tensors

from reconcile.comparison.counts import compare_counts
from reconcile.dialect import Dialect, dialect_names, load_dialect
from reconcile.errors import InputError
from reconcile.formula import Formula
from reconcile.inventory import Inventory, parent_layers
from reconcile.mapping.tensors import map_source
from reconcile.naming import alternatives, read_rules
from reconcile.taxonomy import Architecture, load_architecture, template


def whole(dialect: Dialect) -> Architecture:
    return dialect.adapted(load_architecture(dialect.architecture))


@st.composite
def dimensions(draw: st.DrawFn) -> dict[str, int]:
    """Sizes that fit together; what could be told apart by its size alone is not always apart."""
    head, heads = draw(st.integers(1, 7)), draw(st.integers(1, 5))
    wide = head * heads
    size = st.integers(1, 40)
    sizes = {letter: draw(size) for letter in "VPTKFWB"}
    sizes |= {letter: draw(st.integers(1, 3)) for letter in "LM"}
    sizes |= {
        "H": wide,
        "A": heads,
        "D": head,
        "N": wide,
        "U": sizes["K"] * head,
        "G": draw(st.integers(2, 4)),
        "E": wide + draw(st.integers(1, 9)),
    }
    return sizes


@pytest.mark.parametrize("name", dialect_names())
@settings(max_examples=4, suppress_health_check=[HealthCheck.too_slow])
@given(sizes=dimensions(), seed=st.integers(0, 999), prefix=st.sampled_from(["", "model.", "module.wrapped."]))
def test_every_name_of_a_dialect_is_found_again(name: str, sizes: dict[str, int], seed: int, prefix: str) -> None:
    dialect = load_dialect(name)
    architecture = whole(dialect)
    if dialect.architecture == "mobilebert":  # N counts feed-forwards there, and the width is E at the least
        sizes = sizes | {"N": sizes["G"], "H": sizes["E"] + 1, "B": sizes["A"] * sizes["D"]}
    made = list(named_tensors(dialect, architecture, sizes))
    assert made
    tensors = [tensor for tensor, _ in made]
    random.Random(seed).shuffle(tensors)
    slash = "/" if name.startswith(("google", "keras", "bert4keras", "tf-models")) else "."
    tensors = [
        type(tensor)(path := (prefix + tensor.path).replace(".", slash), tensor.shape, "float32", None, path)
        for tensor in tensors
    ]
    ledger = map_source(Inventory("generated", parent_layers(tensors), None))
    assert ledger.dialect is not None
    assert ledger.dialect.name == name, "the dialect is recognised by its names"
    assert not ledger.unmapped
    assert not [part.path for part in ledger.assignments if part.path.startswith("task.") or part.model]
    expected = {path for _, paths in made for path in paths}
    assert {part.path for part in ledger.stored} == expected
    components = {part.path: part for part in architecture.components}
    formula = sum((components[template(path)].size.evaluate(sizes) for path in expected), 0)
    assert ledger.accounted == ledger.total == formula
    assert not [finding for finding in compare_counts(ledger) if finding.kind in ("count", "shape", "unexpected")]
    solved = {letter: size for letter, size in ledger.dimensions.items() if size}
    assert all(solved[letter] == sizes[letter] for letter in solved if letter in sizes and letter not in "AD")


# Braces, and the texts that they stand for together.
BRACES = [
    (("a.{x,y}", "b.{p,q}"), [("a.x", "b.p"), ("a.y", "b.q")]),
    (("a.{x|y}", "b"), [("a.x", "b"), ("a.y", "b")]),
    (("{x|z,y}", "{p,q}"), [("x", "p"), ("z", "p"), ("y", "q")]),
    (("{a,b}.{x,y}", "{1,2}.{3,4}"), [("a.x", "1.3"), ("a.y", "1.4"), ("b.x", "2.3"), ("b.y", "2.4")]),
    (("{block}.{a,b}", "{block}"), [("{block}.a", "{block}"), ("{block}.b", "{block}")]),
    (("w{a,b}", "q.{1,2}", "k.{1,2}"), [("wa", "q.1", "k.1"), ("wb", "q.2", "k.2")]),
]


@pytest.mark.parametrize(("texts", "expected"), BRACES)
def test_alternatives_correspond_by_place(texts: tuple[str, ...], expected: list[tuple[str, ...]]) -> None:
    assert list(alternatives(*texts)) == expected


# A rule that cannot be read, and what is said of it.
BROKEN = [
    ({"a.{x,y}": "b.{p,q,r}"}, "tensors.a.{x,y}: got 'b.{p,q,r}', takes as many alternatives on both sides"),
    ({"a.{layer}": "b"}, "tensors.a.{layer}: got {layer}, takes one of block, head, piece, order, any"),
    ({"a": 3}, "tensors.a: got 3, takes a component, a list of them, or a table with `to`"),
    ({"a": {"too": "b"}}, "tensors.a.too: got a key that is not known here"),
    ({"a": {"to": "b", "order": "query"}}, "tensors.a.order: got 'query' (text), takes a list"),
]


@pytest.mark.parametrize(("table", "message"), BROKEN)
def test_a_rule_that_cannot_be_read_is_refused_by_its_key(table: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as refused:
        list(read_rules("dialects/x.toml", table, 0))
    assert str(refused.value).startswith(f"dialects/x.toml: {message}")


@pytest.mark.parametrize("name", dialect_names())
def test_every_rule_names_components_and_every_layout_has_their_size(name: str) -> None:
    from reconcile.mapping.assigning import layouts

    dialect = load_dialect(name)
    architecture = load_architecture(dialect.architecture)
    components = {part.path: part for part in architecture.components}
    sizes = {
        "A": 3,
        "D": 5,
        "H": 15,
        "N": 15,
        "V": 7,
        "P": 2,
        "T": 2,
        "F": 4,
        "E": 6,
        "K": 2,
        "U": 10,
        "W": 11,
        "B": 15,
    }
    for rule in dialect.tensor_rules:
        for order in rule.order or ("",):
            for to in rule.to:
                component = components[template(to.replace("{block}", "1").replace("{order}", order))]
                for way in layouts(dialect, component, rule.form.rpartition(".")[2]):
                    product = Formula.of(1)
                    for axis in way.axes:
                        product = product * axis
                    same = product.evaluate(sizes) == component.size.evaluate(sizes)
                    assert same, f"{rule.key}: {way.text} is not {component.shape_text}"
    for pattern in (*dialect.absent, *dialect.untied, *dialect.tied):
        assert architecture.below(pattern, frozenset({*architecture.options, *architecture.further})), pattern
