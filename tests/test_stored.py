"""What is said of a checkpoint: held against what stands beside it, with little noise and what matters first."""

import json
from collections.abc import Iterable
from math import prod
from pathlib import Path

import pytest
from implementation_lists import LISTS
from sources.checkpoint_files import entry, safetensors
from stored_files import CONFIG, F, H, V, errors, read, said, shapes_of, stored
from support import run


def test_a_header_whose_length_begins_as_a_pickle_does_is_safetensors(tmp_path: Path) -> None:
    # The first byte of a safetensors file is the lowest of its header's length, here 0x80, which opens a pickle too.
    data = safetensors({"a.weight": entry((2,), 0, 8), "__metadata__": {"x": ""}}, bytes(8))
    pad = (0x180 - int.from_bytes(data[:8], "little")) % 0x100
    data = safetensors({"a.weight": entry((2,), 0, 8), "__metadata__": {"x": "." * pad}}, bytes(8))
    assert data[0] == 0x80
    (tmp_path / "model.safetensors").write_bytes(data)
    assert read(tmp_path).total == 2


def test_a_directory_s_configuration_says_what_no_array_shows(tmp_path: Path) -> None:
    report = read(stored(tmp_path, shapes_of("huggingface.BertModel"), CONFIG))
    assert report.dimensions["A"] == 4
    assert said(report, "heads-beside") == [f"A = 4 is what {tmp_path}/config.json says: no array shows it."]
    assert not errors(report)


UNTIED = "huggingface.BertForMaskedLM-untied"


@pytest.mark.parametrize(("tied", "total"), [(False, 97 * 24), (True, 0)])
def test_a_configuration_decides_whether_a_second_matrix_is_a_copy(tmp_path: Path, tied: bool, total: int) -> None:
    version = {"transformers_version": "4.57.0"}
    config = CONFIG | {"architectures": ["BertForMaskedLM"], "tie_word_embeddings": tied} | version
    shapes = shapes_of(UNTIED)
    report = read(stored(tmp_path, shapes, config))
    one = sum(map(prod, shapes.values())) - V * H - V  # the bias of V stands there twice as well
    assert report.total == one + total
    # What is a copy is told once, as one; it is not said to be one matrix under two names as well.
    assert len(said(report, "beside", "tied", "one-array")) == 1
    assert any("to the last parameter" in text for text in said(report, "meant-same"))


def test_one_shard_by_itself_is_said_to_be_one_of_several(tmp_path: Path) -> None:
    shapes = shapes_of("huggingface.BertForPreTraining")
    half = dict(list(shapes.items())[: len(shapes) // 2])
    name = "model-00001-of-00002.safetensors"
    report = read(stored(tmp_path, half, CONFIG, name) / name)
    assert errors(report) == [f"{name} is shard 1 of 2: the rest of the model is in the others."]


def test_shards_without_their_index_are_named(tmp_path: Path) -> None:
    stored(tmp_path, {"a.weight": (2,)}, None, "model-00001-of-00002.safetensors")
    done = run("read", tmp_path)
    assert done.status == 2
    assert "1 shards of a checkpoint (model-00001-of-00002.safetensors) and no index of them" in done.err


def test_a_single_shard_is_the_whole(tmp_path: Path) -> None:
    assert not errors(read(stored(tmp_path, shapes_of("huggingface.BertModel"), None, "m-00001-of-00001.safetensors")))


@pytest.mark.parametrize(
    ("labels", "kind", "words"),
    [
        # 24·5 + 5 = 125, as the list has it: 125 in all
        (5, "meant-same", "to the last parameter: 12,877."),
        # 24·3 + 3 = 75
        (3, "meant-other", "(+50): this has 50 parameters more in task.classifier; everything else agrees."),
    ],
)
def test_the_head_that_a_configuration_names_is_part_of_what_it_means(
    tmp_path: Path, labels: int, kind: str, words: str
) -> None:
    config = CONFIG | {"architectures": ["BertForSequenceClassification"], "num_labels": labels}
    report = read(stored(tmp_path, shapes_of("huggingface.BertForSequenceClassification"), config))
    assert words in " ".join(said(report, kind))


def test_where_dimensions_are_from_is_one_line_and_a_contradiction_its_own(tmp_path: Path) -> None:
    shapes = shapes_of("huggingface.BertModel")
    assert len(said(read(stored(tmp_path, shapes)), "dimension", "dimensions")) == 1
    shapes["encoder.layer.1.intermediate.dense.weight"] = (F - 1, H)
    report = read(stored(tmp_path, shapes))
    assert said(report, "dimension") == [
        "F = 40, from an axis of F in 5 rows (encoder.layer.0.intermediate.dense.weight and others); against it "
        "encoder.layer.1.intermediate.dense.weight (F = 39)."
    ]


@pytest.mark.parametrize("name", ["bert-base-cased", "model.toml"])
def test_a_spec_is_built_and_not_read(tmp_path: Path, name: str) -> None:
    done = run("read", name)
    assert done.status == 2
    assert done.err.strip() == f"reconcile: {name}: got a model to be built, takes reconcile build {name}"


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"model_type": "bloom", "hidden_size": 4096}, "model_type: got 'bloom', takes one of bert, roberta"),
        ({"model_type": ["bert"], "hidden_size": 768}, "got no summary and no listing"),
    ],
)
def test_a_configuration_of_another_kind_of_model_is_named(tmp_path: Path, table: object, words: str) -> None:
    (tmp_path / "config.json").write_text(json.dumps(table))
    done = run("read", tmp_path / "config.json")
    assert done.status == 2
    assert words in done.err


# A running counter goes through the layer norms of all blocks: those of a pretraining model end with its head's.
KERAS_WEIGHTS: list[tuple[int, bool]] = [(1, False), (2, False), (12, True), (2, True)]


def keras_weights(blocks: int, heads: bool) -> Iterable[tuple[str, tuple[int, ...]]]:
    """What tf-keras calls the weights of a keras-bert model that no configuration names, by class and counter."""

    def numbered(name: str, number: int) -> str:
        return f"{name}_{number}" if number else name

    yield from (("token_embedding/vars/0", (V, H)), ("embedding/embeddings", (2, H)))
    yield ("position_embedding/position_embeddings", (31, H))
    for number in range(1 + 2 * blocks + heads):
        yield from ((f"{numbered('layer_normalization', number)}/{part}", (H,)) for part in ("gamma", "beta"))
    for number in range(blocks):
        for place in range(4):
            yield f"{numbered('multi_head_attention', number)}/vars/{2 * place}", (H, H)
            yield f"{numbered('multi_head_attention', number)}/vars/{2 * place + 1}", (H,)
        for place, shape in enumerate([(H, F), (F,), (F, H), (H,)]):
            yield f"{numbered('feed_forward', number)}/vars/{place}", shape
    if heads:
        yield ("embedding_similarity/vars/0", (V,))
        for number, width in enumerate((H, H, 2)):
            yield from (
                (f"{numbered('dense', number)}/kernel", (H, width)),
                (f"{numbered('dense', number)}/bias", (width,)),
            )


@pytest.mark.parametrize(("blocks", "heads"), KERAS_WEIGHTS)
def test_weights_that_tf_keras_named_by_class_are_told_by_their_counters(blocks: int, heads: bool) -> None:
    from reconcile.inventory import Inventory, Tensor, parent_layers
    from reconcile.mapping.tensors import map_source

    tensors = [Tensor(name, shape, "float32", None, name) for name, shape in keras_weights(blocks, heads)]
    ledger = map_source(Inventory("weights", parent_layers(tensors), None))
    assert ledger.dimensions["L"] == blocks
    # V·H + 2·H + 31·H + 2·H of embeddings, and each block 4·(H² + H) + 2·H·F + F + H + 4·H
    model = (V + 2 + 31 + 2) * H + blocks * (4 * (H * H + H) + 2 * H * F + F + H + 4 * H)
    # pooler, transform with its norm, the decoder's bias and the next sentence
    top = 2 * (H * H + H) + 2 * H + V + 2 * H + 2
    assert ledger.totals["pretraining" if heads else "backbone"] == ledger.total == model + heads * top
    assert not [part.path for part in ledger.assignments if part.path.startswith("task.")]
    assert all(part.actual == part.expected for part in ledger.assignments)


@pytest.mark.parametrize(
    ("model", "kind", "architecture", "rows"),
    [
        # the rows of Keras Hub's backbones, each with its count: V·H, P·H, 2·H, 2·H, each block, H² + H
        ("bert", "Encoder", "bert", {"segment_embedding": 2 * H, "embeddings_layer_norm": 2 * H, "pooled_dense": H * H + H}),
        ("gpt2", "Decoder", "gpt2", {"layer_norm": 2 * H}),
    ],
)  # fmt: skip
def test_a_summary_of_a_keras_hub_backbone_is_its_blocks(
    tmp_path: Path, model: str, kind: str, architecture: str, rows: dict[str, int]
) -> None:
    block = 4 * (H * H + H) + 2 * H * F + F + H + 4 * H
    counts = {"token_embedding": V * H, "position_embedding": 31 * H, **rows}
    counts |= {f"transformer_layer_{number}": block for number in range(2)}
    table = ["Layer (type)                    Output Shape            Param #", "=" * 64]
    for name, count in counts.items():
        class_name = f"Transformer{kind}" if name.startswith("transformer") else "Dense"
        table.append(f"{name} ({class_name})".ljust(50) + f"(None, None, {H})".ljust(24) + f"{count}")
    text = "\n".join(
        [
            *table,
            "=" * 64,
            f"Total params: {sum(counts.values()):,}",
            f"Trainable params: {sum(counts.values()):,}",
            "Non-trainable params: 0",
        ]
    )
    text = text.replace("Layer (type)".ljust(32), "Layer (type)".ljust(50))
    (tmp_path / "summary.txt").write_text(text)
    report = read(tmp_path / "summary.txt")
    assert report.subject.architecture == architecture
    assert report.dimensions["F"] == F
    assert not report.unmapped
    assert not [part for part in report.components if part.path.startswith("task.") or part.actual != part.expected]
    assert not said(report, "absent", "gap")


def test_a_report_read_back_is_the_same_and_slots_are_told_together(tmp_path: Path) -> None:
    source = LISTS / "google.pretraining-with-optimizer.tsv"
    (tmp_path / "report.json").write_text(run("read", source, "--format", "json").out)
    done = run("diff", tmp_path / "report.json", source)
    assert (done.status, done.out.splitlines()[0]) == (0, "A and B agree in every component.")
    slots = [item for item in read(source).excluded if item.what == "optimizer"]
    assert f"optimizer {sum(item.count for item in slots):,} ({slots[0].name} and {len(slots) - 1} more)" in done.out


def test_what_is_wrapped_around_model_and_head_is_no_name_of_the_head(tmp_path: Path) -> None:
    shapes = shapes_of("huggingface.BertForSequenceClassification")
    lora = {f"bert.encoder.layer.{n}.attention.self.query.lora_A.weight": (3, H) for n in range(2)}
    wrapped = {f"base_model.model.{name}": shape for name, shape in (shapes | lora).items()}
    report = read(stored(tmp_path, wrapped))
    assert {part.path for part in report.components if part.path.startswith("task.")} == {
        "task.classifier.weight",
        "task.classifier.bias",
        *(f"task.{name}" for name in lora),
    }
    # what all blocks have alike is one row of the table
    assert "task.bert.encoder.layer[0..1].attention.self.query.lora_A.weight" in [row.node for row in report.rows]


def test_what_is_not_trained_is_told_by_its_parts() -> None:
    from reconcile.comparison.against_checkpoint import compare_stored
    from reconcile.inventory import Inventory, Tensor, parent_layers
    from reconcile.mapping.tensors import map_source

    tensors = [
        Tensor(name, shape, "float32", name.startswith("classifier"), name)
        for name, shape in shapes_of("huggingface.BertForSequenceClassification").items()
    ]
    ledger = map_source(Inventory("live", parent_layers(tensors), None))
    assert (ledger.trainable, ledger.non_trainable) == (125, ledger.total - 125)
    (frozen,) = [finding for finding in compare_stored(ledger) if finding.kind == "frozen-parts"]
    # embeddings (97 + 31 + 3 + 2)·24, two blocks of 4·(24² + 24) + 2·24·40 + 40 + 24 + 4·24, pooler 24² + 24
    assert frozen.explanation == (
        "12,752 parameters are not trained, embeddings (3,192), encoder (8,960) and pooler (600); 125 are."
    )
