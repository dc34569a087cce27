"""Sources that know their tensors: which dialect they speak, what is tied, missing, beside, wrapped or on top."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from reconcile.comparison.counts import compare_counts
from reconcile.inventory import OPTIMIZER, Inventory, Layer, Tensor, parent_layers
from reconcile.mapping.ledger import Ledger
from reconcile.mapping.tensors import map_parts, map_source
from reconcile.pipeline.source import open_text

LISTS = Path(__file__).parents[1] / "implementations"
DATA = Path(__file__).parents[1] / "data" / "listings"
Tensors = list[Tensor]


def listed(name: str, shared: bool = True) -> Tensors:
    """The tensors of a list that a real implementation printed, as a file holds them: what is trained stands nowhere."""
    tensors = []
    for line in (LISTS / f"{name}.tsv").read_text("utf-8").splitlines():
        if not line.startswith("# "):
            path, shape, dtype, _, role, same = line.split("\t")
            axes = () if shape == "scalar" else tuple(map(int, shape.split("x")))
            storage = same if same and shared else path
            tensors.append(Tensor(path, axes, dtype, None, storage, role=role))
    return tensors


def tensor(path: str, *shape: int, **more: object) -> Tensor:
    return Tensor(path, shape, "float32", None, path, **more)  # type: ignore[arg-type]


def mapped(tensors: Tensors, **more: object) -> Ledger:
    return map_source(Inventory("source", parent_layers(tensors), None, **more))  # type: ignore[arg-type]


def worst(ledger: Ledger) -> list[tuple[str, str, int | None]]:
    return [(one.kind, one.where, one.difference) for one in compare_counts(ledger) if one.severity != "note"]


BERT = "huggingface.BertForPreTraining-base"
TOTAL = 110_106_428
BLOCK = 7_087_872


def kept(condition: Callable[[str], bool]) -> Callable[[Tensors], Tensors]:
    return lambda tensors: [one for one in tensors if condition(one.path)]


def renamed(change: Callable[[str], str]) -> Callable[[Tensors], Tensors]:
    return lambda tensors: [replace(one, path=change(one.path)) for one in tensors]


def added(*more: Tensor) -> Callable[[Tensors], Tensors]:
    return lambda tensors: [*tensors, *more]


def shuffled(tensors: Tensors) -> Tensors:
    return random.Random(5).sample(tensors, len(tensors))


def reshaped(path: str, *shape: int) -> Callable[[Tensors], Tensors]:
    return lambda tensors: [replace(one, shape=shape) if one.path == path else one for one in tensors]


QUERY = "bert.encoder.layer.3.attention.self.query.weight"
LOW_RANK = [
    tensor(f"bert.encoder.layer.{block}.attention.self.query.{half}.default.weight", *shape)
    for block in range(12)
    for half, shape in (("lora_A", (8, 768)), ("lora_B", (768, 8)))
]

# A change to BERT base as Hugging Face stores it, what is accounted for then, and the worst findings.
CHANGES: list[tuple[str, Callable[[Tensors], Tensors], int, list[tuple[str, str, int | None]]]] = [
    ("as it is", lambda tensors: tensors, TOTAL, []),
    ("in any order", shuffled, TOTAL, []),
    ("wrapped", renamed(lambda path: "model.module." + path), TOTAL, []),
    ("compiled", renamed(lambda path: path.replace("encoder.", "_orig_mod.encoder.")), TOTAL, []),
    ("old norms", renamed(lambda path: path.replace("Norm.weight", "Norm.gamma").replace("Norm.bias", "Norm.beta")), TOTAL, []),
    ("without the heads", kept(lambda path: not path.startswith("cls.")), 109_482_240, []),
    ("no pooler bias", kept(lambda path: path != "bert.pooler.dense.bias"), TOTAL - 768, [("missing", "pooler.bias", -768)]),
    ("a block less", kept(lambda path: ".layer.5." not in path), TOTAL - BLOCK, [("missing", "encoder.block[6]", -BLOCK)]),
    ("one kernel too high", reshaped(QUERY, 770, 768), TOTAL + 2 * 768, [("count", "encoder.block[4].attention.query.kernel", 2 * 768)]),
    ("a kernel turned round", reshaped("bert.encoder.layer.0.output.dense.weight", 3072, 768), TOTAL, [("shape", "encoder.block[1].feed_forward.output.kernel", 0)]),
    ("a block that cannot be", added(tensor("bert.encoder.layer.999999999.output.dense.bias", 768)), TOTAL + 768, [("unexpected", "encoder.block[1000000000].feed_forward.output.bias", 768)]),
    ("a single value in a block that cannot be", added(tensor("bert.encoder.layer.999999999.output.dense.bias", 1)), TOTAL + 1, [("unexpected", "encoder.block[1000000000].feed_forward.output.bias", 1)]),
    ("a part too many", added(tensor("bert.pooler.dense.scale", 7)), TOTAL + 7, [("unmapped", "bert.pooler.dense.scale", None)]),
    ("a head", added(tensor("classifier.weight", 5, 768), tensor("classifier.bias", 5)), TOTAL + 5 * 769, []),
    ("low rank", added(*LOW_RANK), TOTAL + 12 * 2 * 8 * 768, []),
    ("low rank, wrapped", lambda tensors: added(*LOW_RANK)(renamed(lambda path: path.replace("query.", "query.base_layer."))(tensors)), TOTAL + 12 * 2 * 8 * 768, []),
    ("optimizer", added(tensor("bert.pooler.dense.weight.adam_m", 768, 768, role=OPTIMIZER), tensor("global_step")), TOTAL, []),
    ("buffers", added(tensor("bert.embeddings.position_ids", 1, 512)), TOTAL, []),
]  # fmt: skip


@pytest.mark.parametrize(("name", "change", "accounted", "expected"), CHANGES, ids=[name for name, *_ in CHANGES])
def test_what_differs_is_found_and_all_else_is_a_component(
    name: str, change: Callable[[Tensors], Tensors], accounted: int, expected: list[tuple[str, str, int | None]]
) -> None:
    ledger = mapped(change(listed(BERT)))
    assert ledger.dialect is not None
    assert ledger.dialect.name == "huggingface"
    assert ledger.accounted == ledger.total == accounted
    assert worst(ledger) == expected
    assert {"V": 30522, "P": 512, "T": 2, "H": 768, "F": 3072, "L": 12}.items() <= ledger.dimensions.items() or (
        name == "without the heads"
    )


def test_a_decoder_stored_twice_counts_once_and_is_told() -> None:
    # 133,577,846 values in the file: the decoder V·H and its bias V a second time.
    tensors = listed(BERT, shared=False)
    assert sum(one.size for one in tensors) == 133_577_846 == TOTAL + 30_522 * 768 + 30_522
    ledger = mapped(tensors)
    assert ledger.accounted == TOTAL
    assert {(item.what, item.name, item.count, item.inside) for item in ledger.excluded} == {
        ("tied copy", "cls.predictions.decoder.weight", 23_440_896, False),
        ("tied copy", "cls.predictions.decoder.bias", 30_522, False),
    }


def test_a_decoder_that_is_said_to_be_untied_counts() -> None:
    ledger = mapped(listed(BERT, shared=False), settings={"tie_word_embeddings": False})
    assert ledger.accounted == TOTAL + 23_440_896
    assert not worst(ledger)
    assert all(part.tied_to is None for part in ledger.assignments)


def test_one_storage_counts_once_and_shows_all_its_names() -> None:
    ledger = mapped(listed(BERT))
    token = next(part for part in ledger.assignments if part.path == "embeddings.token")
    assert token.items == ("bert.embeddings.word_embeddings.weight", "cls.predictions.decoder.weight")
    tied = {part.path: part.tied_to for part in ledger.assignments if part.tied_to}
    assert tied == {"mlm.decoder.kernel": "embeddings.token"}


@pytest.mark.parametrize(
    ("before", "path"),
    [("", "bert.tone.weight"), ("roc_", "roc_bert.tone.weight"), ("outer.", "bert.tone.weight")],
)
def test_what_precedes_a_models_own_prefix_is_no_part_of_a_heads_name(before: str, path: str) -> None:
    tensors = [*listed("huggingface.BertForMaskedLM", shared=False), tensor("bert.tone.weight", 9, 24)]
    ledger = mapped([replace(one, path=before + one.path) for one in tensors])
    assert [part.path for part in ledger.stored if "tone" in part.path] == ["task." + path]


def test_an_adapters_name_begins_where_the_models_own_names_begin() -> None:
    # Rows of a printed module are layers with a class, and their arrays may be called in full or by the layer's name.
    (found,) = open_text((DATA / "lora.txt").read_text("utf-8"), "lora.txt")
    assert {part.path.partition(".lora")[0] for part in found.ledger.stored if "lora" in part.path} == {
        f"task.bert.encoder.layer.{block}.attention.self.{name}" for block in range(2) for name in ("query", "value")
    }


def test_an_array_of_a_layer_inside_another_is_not_called_after_the_outer_one() -> None:
    layers = parent_layers(one for one in listed("keras-hub.BertBackbone") if "pooled_dense" not in one.path)
    inner = tensor("pooled_dense/inner/kernel", 24, 24), tensor("pooled_dense/inner/bias", 24)
    top = Layer("pooled_dense", "Custom", "", 600, tensors=inner)
    ledger = map_source(Inventory("source", (*layers, top), None))
    assert [part.path for part in ledger.stored if part.items[0].startswith("pooled_dense")] == [
        *("task.pooled_dense.inner.kernel", "task.pooled_dense.inner.bias"),
    ]  # fmt: skip


def test_a_part_too_many_is_told_at_the_first_name_of_its_neighbour() -> None:
    # the token table is the decoder too
    ledger = mapped([*listed(BERT), tensor("bert.embeddings.word_embeddings.weight_x", 7)])
    assert [item.why for item in ledger.unmapped] == ["embeddings has no such part"]


def test_a_table_that_is_stored_under_the_decoders_name_only_is_the_table() -> None:
    ledger = mapped([one for one in listed(BERT, shared=False) if "word_embeddings" not in one.path])
    token = next(part for part in ledger.assignments if part.path == "embeddings.token")
    assert token.items == ("cls.predictions.decoder.weight",)
    assert (ledger.accounted, worst(ledger)) == (TOTAL, [])


def test_three_tables_of_a_transformer_are_one() -> None:
    ledger = mapped(listed("small-transformer.since-2019", shared=False))
    assert {item.name for item in ledger.excluded if item.what == "tied copy"} == {
        "decoder.trg_word_emb.weight",
        "trg_word_prj.weight",
    }
    assert {part.path: part.tied_to for part in ledger.assignments if part.tied_to} == {
        "embeddings.target": "embeddings.source",
        "projection.kernel": "embeddings.source",
    }
    assert ledger.dimensions["W"] == ledger.dimensions["V"] == 97


def test_two_models_in_one_source_have_dimensions_of_their_own() -> None:
    small = [
        replace(one, path="small." + one.path, storage="small" + one.storage) for one in listed("huggingface.BertModel")
    ]
    large = [replace(one, path="large." + one.path, storage="large" + one.storage) for one in listed(BERT)]
    ledger = mapped([*small, *large])
    assert ledger.dimensions["H"] == 768, "the larger one comes first"
    assert sum(part.actual for part in ledger.stored if part.model == "small") == 12_752
    assert (ledger.accounted, worst(ledger)) == (TOTAL + 12_752, [])
    # Each component stands at its own path, and its model beside it.
    assert {part.path for part in ledger.assignments if part.model == "small"} <= {
        part.path for part in ledger.assignments if part.model == "large"
    }
    assert {model.name: model.dimensions["H"] for model in ledger.models} == {"large": 768, "small": 24}


def test_what_the_second_of_two_models_has_otherwise_is_found_in_it() -> None:
    both = [
        replace(one, path=name + one.path, storage=name + one.storage)
        for name in "ab"
        for one in listed("huggingface.BertModel")
    ]
    wider = [replace(one, shape=(23,)) if one.path == "bpooler.dense.bias" else one for one in both]
    both, wider = (
        [replace(one, path=one.path[0] + "." + one.path[1:]) for one in tensors] for tensors in (both, wider)
    )
    assert worst(mapped(both)) == []
    assert worst(mapped(wider)) == [("count", "b.pooler.bias", -1)]


def test_what_the_second_of_two_models_lacks_is_missing_in_it() -> None:
    lacking = ("b.encoder.layer.1.output.LayerNorm.bias", "b.pooler.dense.bias")
    both = [
        replace(one, path=f"{name}.{one.path}", storage=name + one.storage)
        for name in "ab"
        for one in listed("huggingface.BertModel")
        if f"{name}.{one.path}" not in lacking
    ]
    assert worst(mapped(both)) == [
        ("missing", "b.encoder.block[2].feed_forward_norm.beta", -24),
        ("missing", "b.pooler.bias", -24),
    ]


def test_a_second_model_is_one_only_where_its_own_arrays_show_it() -> None:
    whole = [replace(one, path="a." + one.path) for one in listed("huggingface.BertModel")]
    table = Tensor("b.embeddings.word_embeddings.weight", (50, 7), "", None, "b")
    ledger = mapped([*whole, table])
    assert [model.name for model in ledger.models] == ["a"]
    assert worst(ledger) == []
    assert [(part.path, part.actual) for part in ledger.stored if part.path.startswith("task.")] == [
        ("task.b.embeddings.word_embeddings.weight", 350)
    ]


def test_a_head_belongs_to_the_model_whose_name_its_own_begins_with() -> None:
    one = [replace(one, path="a." + one.path, storage="a" + one.storage) for one in listed("huggingface.BertModel")]
    other = [
        replace(one, path="b." + one.path, storage="b" + one.storage) for one in listed("huggingface.BertForMaskedLM")
    ]
    ledger = mapped([*one, *other])
    assert {part.model for part in ledger.assignments if part.path.startswith("mlm.")} == {"b"}
    assert worst(ledger) == []


@pytest.mark.parametrize(("number", "blocks"), [(9_999, 10_000), (10_000, 2)])
def test_a_number_that_no_model_has_blocks_of_counts_none(number: int, blocks: int) -> None:
    far = Tensor(f"encoder.layer.{number}.output.LayerNorm.bias", (24,), "", None, "far")
    ledger = map_parts(Inventory("a list", parent_layers([*listed("huggingface.BertModel"), far]), None))
    assert ledger.dimensions["L"] == blocks


def test_an_array_of_many_axes_is_its_values() -> None:
    (part,) = mapped([Tensor("own.kernel", (1, 2, 3, 4, 5, 6), "", None, "own")]).assignments
    assert (part.actual, part.expected, part.formula_text) == (720, 720, "720")


@pytest.mark.parametrize("name", ["bert", "electra"])
def test_an_electra_as_wide_as_its_embeddings_is_told_by_its_name(name: str) -> None:
    tensors = [one for one in listed("google.BertModel") if "pooler" not in one.path]
    ledger = mapped([replace(one, path=one.path.replace("bert/", f"{name}/", 1)) for one in tensors])
    assert ledger.architecture is not None
    assert ledger.architecture.name == name


def test_an_output_matrix_of_another_size_is_no_copy_of_the_token_table() -> None:
    fewer = [
        replace(one, shape=(30_000, 768)) if one.path == "cls.predictions.decoder.weight" else one
        for one in listed(BERT, shared=False)
    ]
    ledger = mapped(fewer)
    assert worst(ledger) == [("count", "mlm.decoder.kernel", -522 * 768)]
    assert "cls.predictions.decoder.weight" not in {item.name for item in ledger.excluded}


def test_a_second_array_of_a_component_is_a_copy_only_in_the_same_shape() -> None:
    name = "cls.predictions.decoder.bias"
    for size, unmapped in ((30_522, []), (30_000, [name])):
        changed = [replace(one, shape=(size,)) if one.path == name else one for one in listed(BERT, shared=False)]
        ledger = mapped(changed)
        assert [item.name for item in ledger.unmapped] == unmapped
        assert (name in {item.name for item in ledger.excluded}) is not bool(unmapped)


PARTS = [
    (lambda path: ".embeddings." in path, 23_837_184, set()),
    (lambda path: ".layer.7." in path, BLOCK, {"embeddings.token", "encoder.block[1]", "encoder.block[7]"}),
]


@pytest.mark.parametrize(("condition", "accounted", "missing"), PARTS)
def test_a_part_of_a_checkpoint(condition: Callable[[str], bool], accounted: int, missing: set[str]) -> None:
    ledger = mapped([one for one in listed(BERT) if condition(one.path)])
    assert (ledger.accounted, len(ledger.unmapped)) == (accounted, 0)
    assert missing <= {where for kind, where, _ in worst(ledger) if kind == "missing"}


# What a component is stored as, told with it: list, component, and what is said.
STORED = [
    ("keras-hub.BertBackbone", "encoder.block[2].attention.query.kernel", (24, 4, 6), "stored as (in, A, D)"),
    ("keras-hub.BertBackbone", "encoder.block[2].attention.output.kernel", (4, 6, 24), "stored as (A, D, out)"),
    ("keras-hub.BertBackbone", "encoder.block[2].attention.key.bias", (4, 6), "stored as (A, D)"),
    ("huggingface.BertModel", "encoder.block[1].feed_forward.intermediate.kernel", (40, 24), "stored transposed, (out, in)"),
    ("small-transformer.until-2019", "decoder.block[1].feed_forward.output.kernel", (24, 40, 1), "stored as (out, in, 1)"),
    ("torch.Transformer", "encoder.block[1].attention.key.bias", (24,), "one array of query, key and value, 24 of the 72 values"),
    ("huggingface.GPT2Model", "decoder.block[1].attention.value.kernel", (24, 24), "one array of query, key and value, 576 of the 1,728 values"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path", "shape", "says"), STORED)
def test_how_a_component_is_stored_is_said(name: str, path: str, shape: tuple[int, ...], says: str) -> None:
    part = next(part for part in mapped(listed(name)).assignments if part.path == path)
    assert (part.shape, part.expected_shape, part.expected, part.says) == (shape, shape, part.actual, says)


def test_heads_are_known_from_shapes_and_else_from_settings() -> None:
    assert mapped(listed("keras-hub.BertBackbone")).dimensions["A"] == 4
    assert mapped(listed("huggingface.BertModel")).dimensions["A"] is None
    stated = {"num_attention_heads": 4}
    assert mapped(listed("huggingface.BertModel"), settings=stated).dimensions["A"] == 4
    assert mapped(listed("huggingface.BertModel"), settings={"num_attention_heads": 7}).dimensions["A"] is None


def test_what_only_resembles_a_bert_is_none() -> None:
    """The norms and feed-forwards of a DeBERTa are called as BERT's; its attention is another."""
    other = [replace(one, path=one.path.replace(".query.", ".query_proj.").replace(".key.", ".key_proj.").replace(".value.", ".value_proj.")) for one in listed("huggingface.BertModel")]  # fmt: skip
    ledger = mapped(other)
    assert ledger.architecture is None
    assert (ledger.accounted, ledger.unmapped) == (12_752, ())
    assert all(part.path.startswith("task.") for part in ledger.assignments)


@pytest.mark.parametrize("tensors", [[], [tensor("x")], [tensor("a", 0)], [tensor("[3].*{", 2, 2)], [tensor("", 3)]])
def test_odd_sources_are_mapped_without_a_model(tensors: Tensors) -> None:
    ledger = mapped(tensors)
    assert ledger.architecture is None
    assert ledger.accounted == sum(one.size for one in tensors)


def test_a_generator_beside_its_discriminator_is_a_model_of_its_own() -> None:
    # ELECTRA's pre-training checkpoint: both share the embeddings, and the generator is narrower.
    def blocks(model: str, width: int, inner: int) -> Tensors:
        dense = {
            "attention/self/query": (width, width),
            "attention/self/key": (width, width),
            "attention/self/value": (width, width),
        }
        dense |= {
            "attention/output/dense": (width, width),
            "intermediate/dense": (width, inner),
            "output/dense": (inner, width),
        }
        norms = ("attention/output/LayerNorm", "output/LayerNorm")
        return [
            *(
                tensor(f"{model}/encoder/layer_0/{name}/{part}", *shape[place:])
                for name, shape in dense.items()
                for place, part in enumerate(("kernel", "bias"))
            ),
            *(tensor(f"{model}/encoder/layer_0/{name}/{part}", width) for name in norms for part in ("gamma", "beta")),
        ]

    def projection(model: str, width: int) -> Tensors:
        return [
            tensor(f"{model}/embeddings_project/kernel", 6, width),
            tensor(f"{model}/embeddings_project/bias", width),
        ]

    tables = [
        tensor(f"electra/embeddings/{name}", *shape)
        for name, shape in {
            "word_embeddings": (50, 6),
            "position_embeddings": (9, 6),
            "token_type_embeddings": (2, 6),
            "LayerNorm/gamma": (6,),
            "LayerNorm/beta": (6,),
        }.items()
    ]
    heads = [
        tensor("discriminator_predictions/dense/kernel", 12, 12),
        tensor("discriminator_predictions/dense/bias", 12),
    ]
    heads += [
        tensor("discriminator_predictions/dense_1/kernel", 12, 1),
        tensor("discriminator_predictions/dense_1/bias", 1),
    ]
    tensors = [
        *tables,
        *blocks("electra", 12, 20),
        *projection("electra", 12),
        *blocks("generator", 4, 8),
        *projection("generator", 4),
        *heads,
    ]
    ledger = mapped(tensors)
    assert ledger.dialect is not None
    assert ledger.dialect.name == "google-electra"
    assert (ledger.dimensions["E"], ledger.dimensions["H"], ledger.unmapped, worst(ledger)) == (6, 12, (), [])
    copy = [part for part in ledger.assignments if part.model == "generator"]
    assert sum(part.actual for part in copy) == sum(one.size for one in tensors if one.path.startswith("generator/"))
    assert {part.expected for part in copy if part.path.endswith("attention.query.kernel")} == {4 * 4}
