"""The architectures: every component with its formula, the named totals, and that a broken file is refused."""

import re
from collections.abc import Callable

import pytest

from reconcile.errors import ReconcileError
from reconcile.formula import Formula
from reconcile.selection import value
from reconcile.taxonomy import architecture_names, load_architecture, template

BERT = load_architecture("bert")
ALL = frozenset(BERT.options)

# Every node of the taxonomy with its formula, as the paper's letters have it.
NODES = [
    ("embeddings.token", "V·H"),
    ("embeddings.position", "P·H"),
    ("embeddings.segment", "T·H"),
    ("embeddings.task", "K·H"),
    ("embeddings.norm", "2·H"),
    ("encoder.block[*].attention.query", "H² + H"),
    ("encoder.block[*].attention.key.kernel", "H²"),
    ("encoder.block[*].attention.value.bias", "H"),
    ("encoder.block[*].attention", "4·(H² + H)"),
    ("encoder.block[*].attention_norm", "2·H"),
    ("encoder.block[*].feed_forward.intermediate", "H·F + F"),
    ("encoder.block[*].feed_forward.output", "H·F + H"),
    ("encoder.block[*].feed_forward", "2·H·F + F + H"),
    ("encoder.block[*].feed_forward_norm", "2·H"),
    ("encoder.block[*]", "4·H² + 2·H·F + F + 9·H"),
    ("pooler", "H² + H"),
    ("mlm.transform", "H² + H"),
    ("mlm.norm", "2·H"),
    ("mlm.decoder", "V"),  # its kernel is the token embedding
    ("nsp", "2·(H + 1)"),
]


@pytest.mark.parametrize(("node", "formula"), NODES)
def test_every_node_has_its_formula(node: str, formula: str) -> None:
    assert str(BERT.size(node, ALL)) == formula


# Every released BERT: V, H, L, A, F and what its totals come to.
BASE = {"P": 512, "T": 2, "H": 768, "L": 12, "A": 12, "F": 3072}
LARGE = {"P": 512, "T": 2, "H": 1024, "L": 24, "A": 16, "F": 4096}
TOTALS = [
    ("base uncased", BASE | {"V": 30522}, "backbone", 108_891_648),
    ("base uncased", BASE | {"V": 30522}, "backbone+pooler", 109_482_240),
    ("base uncased", BASE | {"V": 30522}, "pretraining", 110_106_428),
    ("base cased", BASE | {"V": 28996}, "backbone+pooler", 108_310_272),
    ("Chinese", BASE | {"V": 21128}, "backbone+pooler", 102_267_648),
    ("multilingual cased", BASE | {"V": 119547}, "backbone+pooler", 177_853_440),
    ("large uncased", LARGE | {"V": 30522}, "backbone+pooler", 335_141_888),
    ("large cased", LARGE | {"V": 28996}, "backbone+pooler", 333_579_264),
]


@pytest.mark.parametrize(("name", "sizes", "total", "count"), TOTALS)
def test_the_totals_of_released_models(name: str, sizes: dict[str, int], total: str, count: int) -> None:
    account = BERT.totals[total].account(BERT.active(ALL - {"task"}), BERT.totals)
    assert account is not None
    assert value(account).evaluate(sizes) == count


def test_a_total_that_lacks_a_part_is_unknown() -> None:
    without_heads = BERT.active(frozenset())
    known = {name for name, total in BERT.totals.items() if total.account(without_heads, BERT.totals) is not None}
    assert known == {"embeddings", "encoder", "backbone"}


def test_the_whole_is_the_sum_of_its_components() -> None:
    whole = sum((part.size * part.times for part in BERT.active(ALL) if not part.tied_to), Formula.of(0))
    nodes = ["embeddings", "pooler", "mlm", "nsp"]
    assert whole == sum((BERT.size(node, ALL) for node in nodes), BERT.size("encoder.block[*]", ALL) * Formula.of("L"))


def test_what_is_tied_is_as_large_as_what_it_is_tied_to() -> None:
    parts = {part.path: part for part in BERT.components}
    tied = [part for part in BERT.components if part.tied_to]
    assert [part.path for part in tied] == ["mlm.decoder.kernel"]
    assert all(part.size == parts[str(part.tied_to)].size for part in tied)


@pytest.mark.parametrize("name", architecture_names())
def test_every_architecture_is_whole(name: str) -> None:
    architecture = load_architecture(name)
    paths = [part.path for part in architecture.components]
    assert len(paths) == len(set(paths)) > 0
    used = {letter for part in architecture.components for letter in part.size.dimensions}
    assert used <= set(architecture.dimensions) | set(architecture.derived)
    active = architecture.active(frozenset(architecture.options))
    for total, selection in architecture.totals.items():
        assert selection.account(active, architecture.totals), f"{total} names nothing"
    for view in architecture.views:
        assert architecture.below(view.of, frozenset(architecture.options)), f"{view.of} names nothing"


def test_a_view_is_the_same_count_written_another_way() -> None:
    # For every D = H/A: put H = A·D in.
    views = [view for view in BERT.views if view.formula]
    assert views
    for view in views:
        heads = {"H": Formula.of("A·D")}
        assert Formula.of(view.formula).substitute(heads) == BERT.size(view.of, ALL).substitute(heads)


@pytest.mark.parametrize(
    ("sizes", "head_size"),
    [({"H": 768, "A": 12}, 64), ({"H": 768, "A": None}, None), ({"H": 768, "A": 7}, None), ({"H": 768, "A": 0}, None)],
)
def test_the_head_size_follows_where_it_is_whole(sizes: dict[str, int | None], head_size: int | None) -> None:
    assert BERT.complete(sizes).get("D") == head_size


@pytest.mark.parametrize(
    ("path", "row"),
    [
        ("embeddings.token", "embeddings.token"),
        ("embeddings.norm.gamma", "embeddings.norm"),
        ("encoder.block[3].attention.query.kernel", "encoder.block[3].attention"),
        ("mlm.decoder.bias", "mlm.decoder"),
        ("nsp.kernel", "nsp"),
        ("task.dense.kernel", "task.dense.kernel"),
    ],
)
def test_the_row_that_shows_a_component(path: str, row: str) -> None:
    assert BERT.row_of(path) == row


def test_words_for_a_node() -> None:
    assert BERT.say("encoder.block[7].attention.query") == "the query projection"
    assert BERT.say("task.dense") == "task.dense"
    assert template("encoder.block[7].attention") == "encoder.block[*].attention"


# A change to architectures/bert.toml, and what is said of it.
BROKEN = [
    ('title = "BERT"', "titel = 1", "titel: got a key that is not known here, takes 'title' perhaps; known are "),
    ('title = "BERT"', "title = 7", "title: got 7 (a whole number), takes text"),
    ('[parts.norm]\ngamma = ["H"]', "[parts.norm]\ngamma = 7", "embeddings.norm.gamma: got 7, takes a shape, or "),
    ('{use = "norm"}', '{use = "nrom"}', "attention_norm.use: got 'nrom', takes one of dense, norm, "),
    (
        '"embeddings.token" = ["V", "H"]',
        '"embeddings.token" = {shape = ["V"], optoin = "x"}',
        "embeddings.token.optoin: ",
    ),
    ('"embeddings" = "embeddings"', '"embeddings" = 3', "totals.embeddings: got 3, takes a selection: "),
    (
        '"embeddings.token" = ["V", "H"]',
        '"embeddings.token" = ["V/2"]',
        "embeddings.token: got 'V/2': cannot read '/' at ",
    ),
]


@pytest.mark.parametrize(("before", "after", "message"), BROKEN)
def test_a_broken_architecture_is_refused_by_file_and_key(
    before: str, after: str, message: str, broken_data: Callable[..., None]
) -> None:
    broken_data("architectures", "bert", before, after)
    with pytest.raises(ReconcileError) as refused:
        load_architecture("bert")
    assert str(refused.value).startswith("architectures/bert.toml: ")
    assert message in str(refused.value)


@pytest.mark.parametrize("name", architecture_names())
def test_an_architecture_has_its_own_words(name: str) -> None:
    architecture = load_architecture(name)
    nodes = {node for part in architecture.components for node in ancestors(part.path)}
    lexicon = architecture.lexicon
    spoken = {node for label in lexicon.labels for node in label.nodes} | set(lexicon.classes)
    assert spoken - {""} <= nodes
    assert architecture.words.keys() <= nodes
    assert lexicon.settings.keys() | lexicon.usual.keys() | lexicon.phrases.keys() <= architecture.dimensions.keys()
    assert {one.node for one in architecture.repetitions} <= nodes
    for label in lexicon.labels:
        assert re.compile(label.says), label


def ancestors(path: str) -> list[str]:
    names = path.split(".")
    return [".".join(names[:depth]) for depth in range(1, len(names) + 1)]


REPEATED = [
    ("bert", "encoder.block[7].attention.query", "encoder.block[*]", "L", True),
    ("gpt2", "decoder.block[*]", "decoder.block[*]", "L", True),
    ("transformer", "decoder.block[2].cross_attention", "decoder.block[*]", "M", True),
    ("albert", "encoder.block.attention", "encoder.block", "L", False),  # stored once, computed in every layer
    ("albert", "encoder.further[2].attention", "encoder.further[*]", "G - 1", True),
]


@pytest.mark.parametrize(("name", "path", "node", "times", "stored"), REPEATED)
def test_what_repeats_and_by_which_letter(name: str, path: str, node: str, times: str, stored: bool) -> None:
    found = load_architecture(name).repetition(path)
    assert found is not None
    assert (found.node, found.times, found.stored) == (node, Formula.of(times), stored)


def test_what_does_not_repeat() -> None:
    assert BERT.repetition("embeddings.token") is None


def test_words_hold_wherever_a_node_ends_so() -> None:
    assert load_architecture("transformer").say("decoder.block[3].attention.query") == "the query projection"
    assert (
        load_architecture("gpt2").say("decoder.block[3].attention_norm") == "the layer norm in front of the attention"
    )


def test_sizes_are_known_by_the_names_of_their_settings() -> None:
    lexicon = BERT.lexicon
    assert list(lexicon.stated("A", {"num_heads": 12, "heads": "many", "n_head": 0})) == [12]
    assert list(lexicon.usual_sizes("F", {"H": 768})) == [4 * 768]
    assert list(lexicon.usual_sizes("F", {})) == []


def test_a_class_says_which_node_it_is() -> None:
    lexicon = BERT.lexicon
    assert lexicon.node_of_class("TransformerEncoder") == "encoder.block[*]"
    assert lexicon.node_of_class("BertForMaskedLM") == ""  # a whole model
    assert lexicon.node_of_class("Dense") is None


def test_a_part_with_an_option_inside_another_is_there_with_both() -> None:
    t5 = load_architecture("t5")
    gates = {
        options: [part.path for part in t5.active(frozenset(options.split())) if part.path.endswith("gate.kernel")]
        for options in ("decoder", "gate", "decoder gate")
    }
    encoder, decoder = (f"{stack}.block[*].feed_forward.gate.kernel" for stack in ("encoder", "decoder"))
    assert gates == {"decoder": [], "gate": [encoder], "decoder gate": [encoder, decoder]}
