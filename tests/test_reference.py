"""The published figures: each readable, from a named source, with an id of its own, and none of them computed."""

import re

import pytest

from reconcile.errors import InputError
from reconcile.reference import all_references, load_reference, reference_files, references_in
from reconcile.selection import value
from reconcile.taxonomy import architecture_names, load_architecture

ALL = all_references()


def test_the_paper_as_it_states_its_setting() -> None:
    base, large = load_reference("bert-paper-base"), load_reference("bert-paper-large")
    assert base.figure is not None
    assert large.figure is not None
    assert (base.figure.value, base.figure.exact) == (110_000_000, False)
    assert (large.figure.value, large.figure.exact) == (340_000_000, False)
    assert base.dimensions == {"V": 30000, "H": 768, "L": 12, "A": 12, "F": 3072, "P": 512, "T": 2}
    assert large.dimensions == {"V": 30000, "H": 1024, "L": 24, "A": 16, "F": 4096, "P": 512, "T": 2}
    assert base.settings["dropout_rate"] == large.settings["dropout_rate"] == 0.1
    assert base.source["url"] == "https://arxiv.org/abs/1810.04805"


@pytest.mark.parametrize("name", sorted(ALL))
def test_every_reference_says_where_it_is_from(name: str) -> None:
    reference = ALL[name]
    assert reference.subject
    assert reference.source["title"]
    assert re.match("https?://", reference.source.get("url", "https://"))
    assert set(reference.released) <= set(ALL)
    sizes = reference.dimensions
    if reference.architecture == "bert" and {"H", "A"} <= set(sizes):
        assert int(sizes["H"]) % int(sizes["A"]) == 0


def test_every_id_stands_once() -> None:
    assert sum(len(references_in(stem)) for stem in reference_files()) == len(ALL) > 50


def test_every_exact_figure_is_reached_by_the_definition_that_it_is_said_to_count() -> None:
    reached = 0
    for reference in ALL.values():
        if reference.architecture not in architecture_names() or not reference.definition or not reference.figure:
            continue
        architecture = load_architecture(reference.architecture)
        active = architecture.active(frozenset(architecture.options) - {"task"})
        sizes = {name: size for name, size in reference.dimensions.items() if isinstance(size, int)}
        account = architecture.totals[reference.definition].account(active, architecture.totals)
        if account is None or not value(account).dimensions <= set(sizes):
            continue
        figure = reference.figure
        assert figure.holds(value(account).evaluate(sizes), figure.precisions[0]), reference.id
        reached += 1
    assert reached > 10


def test_an_id_that_is_not_there_is_told_by_the_file_that_asked_for_it() -> None:
    with pytest.raises(InputError) as refused:
        load_reference("bert-paper-bas", "my.toml", "references")
    said = str(refused.value)
    assert said.startswith("my.toml: references: got 'bert-paper-bas', takes 'bert-paper-base' perhaps; known are ")
