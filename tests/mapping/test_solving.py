"""Dimensions from the counts of rows: the majority decides, and of equals the smaller, whatever their order."""

from itertools import permutations

import pytest
from implementation_lists import LISTS, read_list

from reconcile.inventory import Inventory, parent_layers
from reconcile.mapping.solving import Counted, solve_dimensions
from reconcile.mapping.tensors import map_source
from reconcile.sources.listings import read_listings
from reconcile.taxonomy import load_architecture

BERT = load_architecture("bert")
NORM = "encoder.block[{}].attention_norm"


def norms(*widths: int) -> list[Counted]:
    """The norms of a block each, 2·H parameters."""
    return [Counted(f"norm-{place}", NORM.format(place), 2 * width) for place, width in enumerate(widths, 1)]


@pytest.mark.parametrize(
    ("widths", "hidden"),
    [((768, 768, 512), 768), ((512, 768), 512), ((768, 512, 768, 512), 512), ((1024, 768, 512), 512)],
)
def test_most_rows_give_a_dimension_and_of_as_many_the_smaller(widths: tuple[int, ...], hidden: int) -> None:
    for order in permutations(widths):
        sizes, (evidence,) = solve_dimensions(norms(*order), BERT, frozenset())
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
