"""Dimensions from the counts of rows: the majority decides, and of equals the smaller, whatever their order."""

from itertools import permutations

import pytest
from implementation_lists import LISTS, read_list

from reconcile.formula import Formula
from reconcile.inventory import Inventory, parent_layers
from reconcile.mapping.tensors import map_source
from reconcile.sources.listings import read_listings
from reconcile.taxonomy import load_architecture
from reconcile.unification.nodes import counted, forms, together
from reconcile.unification.solving import Observation, solutions, unify

BERT = load_architecture("bert")
NORM = "encoder.block[{}].attention_norm"


def norms(*widths: int) -> list[Observation]:
    """The norms of a block each, 2·H parameters."""
    return [
        counted(f"norm-{place}", NORM.format(place), 2 * width, BERT, frozenset())
        for place, width in enumerate(widths, 1)
    ]


@pytest.mark.parametrize(
    ("widths", "hidden"),
    [((768, 768, 512), 768), ((512, 768), 512), ((768, 512, 768, 512), 512), ((1024, 768, 512), 512)],
)
def test_most_rows_give_a_dimension_and_of_as_many_the_smaller(widths: tuple[int, ...], hidden: int) -> None:
    for order in permutations(widths):
        sizes, (evidence,) = unify(norms(*order))
        assert sizes == {"H": hidden}
        assert sorted(size for _, size in evidence.against) == sorted(width for width in widths if width != hidden)


@pytest.mark.parametrize(
    "name",
    [
        "huggingface.BertModel",
        "huggingface.AlbertForMaskedLM",
        "google.BertModel",
        "small-transformer.until-2019-untied",
    ],
)
def test_counts_alone_give_the_dimensions_that_shapes_give(name: str) -> None:
    tensors = [one for one in read_list(LISTS / f"{name}.tsv").tensors if one.path == one.storage]
    text = "\n".join(f"{one.path} {one.size:,}" for one in tensors)
    (listing,) = read_listings(text, "a listing of counts")
    shaped = map_source(Inventory("shapes", parent_layers(tensors), None))
    counted = map_source(listing)
    assert shaped.architecture is not None
    assert {name: size for name, size in counted.dimensions.items() if size is not None}.items() <= {
        name: size for name, size in shaped.dimensions.items() if size is not None
    }.items()
    assert counted.dimensions["H"] == shaped.dimensions["H"]
    assert counted.accounted == shaped.accounted


def said(**values: int) -> list[Observation]:
    """Observations called after the formula that each is of, written without signs: `H_F` is H·F."""
    return [Observation(name, (Formula.parse(name.replace("_", "*")),), value) for name, value in values.items()]


@pytest.mark.parametrize(
    ("observations", "known", "sizes"),
    [
        (said(H=4), {}, {"H": 4}),
        (said(H_F=12, H=4), {}, {"H": 4, "F": 3}),  # what is solved helps to solve others, whatever their order
        (said(H_F=12, H=4, F=2, F_F=4), {}, {"H": 4, "F": 2}),  # one that two rounds could give is given by the first
        # F, which two give, is solved first: so H is 6 by one and 8 by one, and the smaller is taken
        (said(H_F=12, H=8, F=2, F_F=4), {}, {"F": 2, "H": 6}),
        (said(V_F=6), {}, {}),  # two unknowns are not guessed
        ([Observation("row", (Formula.parse("V·H"), Formula.parse("H²")), 16)], {}, {}),  # nor which form it is
        (said(V_F=6), {"F": 2}, {"V": 3}),
        (said(H_H=15), {}, {}),  # no size makes it
        (said(H_H=15, F=2), {}, {"F": 2}),
        (said(H=5), {"H": 4}, {}),  # what is known is not asked for again
        ([Observation("norm", (), 8)], {}, {}),
    ],
)
def test_dimensions_are_solved_one_after_the_other(
    observations: list[Observation], known: dict[str, int], sizes: dict[str, int]
) -> None:
    found, evidence = unify(observations, known)
    assert found == sizes == {item.dimension: item.size for item in evidence}


def test_a_second_form_is_asked_only_where_the_first_has_no_solution() -> None:
    forms = (Formula.parse("H² + H"), Formula.parse("H²"))
    sizes, (evidence,) = unify([Observation("dense", forms, 16), Observation("other", forms, 20)])
    assert sizes == {"H": 4}  # 4² and 4² + 4
    assert (evidence.formula, evidence.rows, evidence.against) == ("H²", ("dense", "other"), ())


def test_what_is_no_count_says_how_it_gives_a_dimension() -> None:
    _, (evidence,) = unify([Observation("norm", (Formula.parse("H"),), 4, "the width {}")])
    assert evidence.formula == "the width H"


@pytest.mark.parametrize(
    ("node", "formulas"),
    [
        ("encoder.block[1].attention", ["4·(H² + H)", "4·H²"]),
        ("encoder.block[1].attention_norm.gamma", ["H"]),  # without biases it is the same
        ("mlm.decoder", ["V"]),  # the matrix is the token table; without the bias nothing is left
    ],
)
def test_a_node_may_be_without_biases(node: str, formulas: list[str]) -> None:
    assert [str(form) for form in forms(BERT, node)] == formulas
    assert counted("row", node, 5, BERT) == Observation("row", forms(BERT, node), 5)


def test_what_contradicts_is_kept_with_the_size_that_it_says() -> None:
    rows = [Observation(f"row-{place}", (Formula.parse("2·H"),), 2 * size) for place, size in enumerate((4, 4, 5))]
    _, (evidence,) = unify(rows)
    assert (evidence.size, evidence.rows, evidence.against) == (4, ("row-0", "row-1"), (("row-2", 5),))
    assert evidence.formula == "2·H"


@pytest.mark.parametrize(
    ("equations", "sizes", "found"),
    [
        ([("i·o + o", 12)], {"i": 2}, [{"o": 4}]),
        ([("i·o + o", 13)], {"i": 2}, []),
        ([("i·o + o", 12)], {"i": 2, "o": 4}, [{}]),
        ([("i·o + o", 12)], {"i": 2, "o": 5}, []),
        ([("i·o", 12), ("o", 4)], {}, [{"i": 3, "o": 4}]),
        ([("i·o", 12), ("o", 4), ("i", 2)], {}, []),
        ([("i·o", 12)], {}, []),  # nothing says which
        ([("i² − 5·i", -6)], {}, [{"i": 2}, {"i": 3}]),
    ],
)
def test_every_way_in_which_formulas_give_their_values(
    equations: list[tuple[str, int]], sizes: dict[str, int], found: list[dict[str, int]]
) -> None:
    assert list(solutions([(Formula.parse(text), value) for text, value in equations], sizes)) == found


def test_several_unknowns_are_solved_beside_the_usual_sizes_of_an_architecture() -> None:
    table = Formula.parse("V·H")
    assert {"V": 30522, "H": 768} in solutions([(table, 30522 * 768)], {}, BERT)  # H is usual
    assert {"V": 30522, "H": 100} in solutions([(table, 30522 * 100)], {}, BERT)  # V is usual
    assert list(solutions([(table, 30523 * 101)], {}, BERT)) == []
    # H, which multiplies most, has a usual size, and one of the others, which may depend on it
    tables = Formula.parse("V·H + P·H")
    assert {"V": 30523, "H": 768, "P": 512} in solutions([(tables, 768 * (30523 + 512))], {}, BERT)
    wide = Formula.parse("V·H + H·F")
    assert {"V": 30523, "H": 768, "F": 3072} in solutions([(wide, 768 * (30523 + 3072))], {}, BERT)
    assert list(solutions([(table, 30522 * 768)], {})) == []


@pytest.mark.parametrize(
    "equations",
    [
        [("V + F + 5", 30523 + 3072 + 5)],
        [("V·P + F·P", 512 * (30523 + 3072)), ("P", 512)],
        [("V·P + F·P", 512 * (30523 + 3072))],
        [("P", 512), ("V + F", 30523 + 3072)],
    ],
)
def test_a_usual_size_may_depend_on_one_that_is_known(equations: list[tuple[str, int]]) -> None:
    pairs = [(Formula.parse(text), value) for text, value in equations]
    sizes = {"V": 30523, "F": 3072}  # 4·H
    assert any(sizes.items() <= found.items() for found in solutions(pairs, {"H": 768}, BERT))
    assert not any(sizes.items() <= found.items() for found in solutions(pairs, {"H": 500}, BERT))


def test_several_nodes_in_one_row_have_the_sum_of_their_formulas() -> None:
    assert together(BERT, ["pooler", "embeddings.norm"]) == Formula.parse("H² + 3·H")


def test_a_head_of_a_listing_of_counts_has_the_outputs_that_its_bias_has() -> None:
    tensors = [one for one in read_list(LISTS / "huggingface.BertModel.tsv").tensors if one.path == one.storage]
    rows = [(one.path, one.size) for one in tensors]
    rows += [("own.weight", 48), ("own.bias", 2), ("own_norm.weight", 7), ("own_norm.bias", 7)]
    (listing,) = read_listings("\n".join(f"{name} {size:,}" for name, size in rows), "a listing of counts")
    formulas = {part.items[0]: str(part.formula) for part in map_source(listing).assignments if part.items}
    assert [formulas[name] for name, _ in rows[-4:]] == ["i·o", "o", "o", "o"]
