"""Errors of weights that do not load, as the frameworks word them, and what they are explained to be.

The samples in `tests/data/load_errors` were printed by torch 2.13, transformers 5.23, Keras 3.15 and TensorFlow 2.21.
"""

import time
from pathlib import Path

import pytest

from reconcile.explanation.loading import explain_load_error
from reconcile.explanation.tensor_numbers import pairs, readings
from reconcile.sources.load_errors import read_load_errors

DATA = Path(__file__).resolve().parents[1] / "data" / "load_errors"


@pytest.mark.parametrize(
    ("text", "kind", "layer", "model", "given"),
    [
        (
            "You are trying to load a weight file containing 52 layers into a model with 57 layers.",
            "layers",
            "",
            57,
            52,
        ),
        (
            "Layer count mismatch when loading weights from file. Model expected 2 layers, found 3 saved layers.",
            *("layers", "", 2, 3),
        ),
        (
            'Layer #0 (named "Embedding-Token") expects 2 weight(s), but the saved weights have 1 element(s).',
            *("weights", "Embedding-Token", 2, 1),
        ),
        (
            'Layer #1 (named "bidirectional_1" in the current model) was found to correspond to layer embedding_1 in '
            "the save file. However the new layer bidirectional_1 expects 6 weights, but the saved weights have 1 "
            "elements.",
            *("weights", "bidirectional_1", 6, 1),
        ),
        (
            "Weight count mismatch for layer #0 (named a in the current model, b in the save file). Layer expects 1 "
            "weight(s). Received 2 saved weight(s)",
            *("weights", "a", 1, 2),
        ),
        (
            'You called `set_weights(weights)` on layer "bert" with a weight list of length 199, but the layer was '
            "expecting 206 weights. Provided weights: [array([[ 0.3094312 , -0.2...",
            *("weights", "bert", 206, 199),
        ),
        (
            "You called `set_weights(weights)` on layer 'bert' with a weight list of length 6, but the layer was\n"
            "expecting 8 weights.",
            *("weights", "bert", 8, 6),
        ),
        (
            "Layer 'dense' expected 2 variables, but received 0 variables during loading. Expected: ['kernel', 'bias']",
            *("weights", "dense", 2, 0),
        ),
        ("A total of 12 objects could not be loaded. Example error message", "objects", "", 12, None),
        ("expects 206 weights, 199 given", "weights", "", 206, 199),
        ("ValueError: No such layer: NSP-Dense. Existing layers are: ['a'].", "no-layer", "NSP-Dense", None, None),
    ],
)
def test_numbers_are_read(text, kind, layer, model, given):
    (error,) = read_load_errors(text)
    assert (error.kind, error.layer, error.model, error.given) == (kind, layer, model, given)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Layer weight shape (8, 12) not compatible with provided weight shape (8, 16)", ()),
        ("Layer sequential_2 weight shape (8, 12) is not compatible with provided weight shape (8, 16).", ()),
        (
            "Shape mismatch in layer #0 (named intermediate)for weight s/intermediate/kernel. Weight expects shape "
            "(8, 12). Received saved weight with shape (8, 16)",
            ("s/intermediate/kernel",),
        ),
        (
            "Cannot assign value to variable ' a/kernel:0': Shape mismatch.The variable shape (8, 12), and the "
            "assigned value shape (8, 16) are incompatible.",
            ("a/kernel:0",),
        ),
        (
            "size mismatch for a.weight: copying a param with shape torch.Size([8, 16]) from checkpoint, the shape in "
            "current model is torch.Size([8, 12]).",
            ("a.weight",),
        ),
        (
            "size mismatch for a.weight: copying a param of torch.Size([8, 16]) from checkpoint, where the shape is "
            "torch.Size([8, 12]) in current model.",
            ("a.weight",),
        ),
        (
            "- a.weight: found shape torch.Size([8, 16]) in the checkpoint and torch.Size([8, 12]) in the model",
            ("a.weight",),
        ),
        ("Assign requires shapes of both tensors to match. lhs shape= [8,12] rhs shape= [8,16]", ()),
        (
            "Shape of variable a/b:0 ((8, 12)) doesn't match with shape of tensor a/b ([8, 16]) "
            "from checkpoint reader.",
            ("a/b:0",),
        ),
    ],
)  # fmt: skip
def test_shapes_are_read_with_their_sides(text, names):
    (error,) = read_load_errors(text)
    assert (error.kind, error.names, error.model_shape, error.given_shape) == ("shape", names, (8, 12), (8, 16))


@pytest.mark.parametrize(
    ("file", "kinds"),
    [
        ("pytorch.txt", ["shape", "unused", "shape", "missing", "shape"]),
        ("transformers.txt", ["unused", "missing", "shape"]),
        ("keras3-shape.txt", ["objects", "shape"]),
        ("keras3-objects.txt", ["objects", "weights"]),
        ("tensorflow-key.txt", ["missing"]),
    ],
)
def test_printed_errors_are_read(file, kinds):
    text = (DATA / file).read_text()
    assert [error.kind for error in read_load_errors(text)] == kinds
    assert len(explain_load_error(text)) == len(kinds)


# 5 tensors before the blocks, 16 in each of 12, 2 of the pooler, 5 of the masked language model, 2 of next sentences.
@pytest.mark.parametrize(
    ("number", "unit", "total", "blocks"),
    [
        (5 + 12 * 16 + 2 + 5 + 2, "weights", "pretraining", 12),
        (5 + 12 * 16 + 2, "weights", "backbone+pooler", 12),
        (5 + 24 * 16, "weights", "backbone", 24),
        (5 + 2 * 16 + 5, "weights", "backbone+mlm", 2),
        (4 + 12 * 4 + 1 + 3 + 1, "layers", "pretraining", 12),
        (4 + 6 * 4, "layers", "backbone", 6),
    ],
)
def test_a_number_is_read_as_a_total_with_its_blocks(number, unit, total, blocks):
    assert (total, blocks, 0) in [(found.total, found.blocks, found.head) for found in readings(number, unit)]
    assert all(found.number == number for found in readings(number, unit))


def test_206_against_199_are_the_two_pre_training_heads():
    (found,) = explain_load_error("expects 206 weights, 199 given")
    assert "206 − 199 = +7: mlm 5 + nsp 2." in found.lines
    assert ["`pretraining` with 12 blocks" in line for line in found.lines] == [True, *[False] * 4]
    assert any("do not tell a pooler's 2 weights from another dense layer's" in line for line in found.lines)


@pytest.mark.parametrize(
    ("model", "given", "totals", "blocks"),
    [
        (206, 199, ("pretraining", "backbone+pooler"), (12, 12)),
        (201, 199, ("backbone+pooler", "backbone+pooler"), (12, 12)),  # a dense layer on top
        (110, 206, ("pretraining", "pretraining"), (6, 12)),
        (204, 206, ("backbone+pooler+mlm", "pretraining"), (12, 12)),
    ],
)
def test_two_numbers_are_read_together(model, given, totals, blocks):
    found, _ = pairs(model, given, "weights")
    assert (tuple(each.total for each in found[0]), tuple(each.blocks for each in found[0])) == (totals, blocks)


def test_what_no_number_explains_is_said():
    (found,) = explain_load_error("expects 333 weights, 7 given")
    assert all(line.endswith("are what no BERT has.") for line in found.lines)


@pytest.mark.parametrize(
    ("name", "model", "given", "dimension", "says"),
    [
        ("bert.embeddings.position_embeddings.weight", "[128, 768]", "[512, 768]", "P", "384 fewer × 768 = −294,912"),
        ("bert.embeddings.word_embeddings.weight", "[30528, 768]", "[30522, 768]", "V", "multiple of 64"),
        ("bert.embeddings.word_embeddings.weight", "[21128, 768]", "[30522, 768]", "V", "BERT base, Chinese"),
        ("bert.embeddings.token_type_embeddings.weight", "[1, 768]", "[2, 768]", "T", "segments"),
        ("cls.predictions.bias", "[30000]", "[30522]", "V", "522 fewer × 1"),
        ("bert.encoder.layer.3.intermediate.dense.bias", "[4096]", "[3072]", "F", "another size"),
        ("bert.encoder.layer.3.intermediate.dense.weight", "[4096, 768]", "[3072, 768]", "F", "encoder.block[4]"),
    ],
)
def test_a_shape_is_explained_by_its_dimension(name, model, given, dimension, says):
    text = (
        f"size mismatch for {name}: copying a param with shape torch.Size({given}) from checkpoint, the shape in "
        f"current model is torch.Size({model})."
    )
    (found,) = explain_load_error(text)
    assert [line.partition(" ")[0] for line in found.lines[1:]] == [dimension]
    assert says in " ".join(found.lines)


@pytest.mark.parametrize(
    ("name", "model", "given", "lines"),
    [
        (
            "transformer.h.0.attn.c_attn.weight",
            *("[1024, 3072]", "[768, 2304]"),
            ["decoder.block[1].attention: the model has (1,024, 3,072)", "H (hidden size) is 1,024 in the model"],
        ),
        # A square matrix: 1,024² − 768² is no number of rows times a width.
        (
            "bert.encoder.layer.3.attention.self.query.weight",
            *("[1024, 1024]", "[768, 768]"),
            ["encoder.block[4].attention.query.kernel: the model has (1,024, 1,024)", "H (hidden size) is 1,024"],
        ),
        (
            "model.embed_tokens.weight",
            *("[32064, 4096]", "[32000, 4096]"),
            ["embeddings.token: the model has (32,064, 4,096)", "V (vocabulary) is 32,064 in the model and 32,000"],
        ),
        ("foo.weight", "[3, 768]", "[2, 768]", ["foo.weight: the model has (3, 768)", "The shapes alone do not tell"]),
        ("classifier.weight", "[3, 768]", "[2, 768]", ["classifier.weight: the model", "It belongs to a task's head"]),
    ],
)  # fmt: skip
def test_a_shape_is_that_of_the_component_that_mapping_finds(name, model, given, lines):
    text = (
        f"size mismatch for {name}: copying a param with shape torch.Size({given}) from checkpoint, the shape in "
        f"current model is torch.Size({model})."
    )
    (found,) = explain_load_error(text)
    assert len(found.lines) == len(lines)
    assert all(line.startswith(beginning) for line, beginning in zip(found.lines, lines, strict=True))
    assert "× 1,024" not in found.lines[-1]


LAYER = 'Layer #0 (named "{}") expects {} weight(s), but the saved weights have {} element(s).'


@pytest.mark.parametrize(
    ("layer", "model", "given", "first", "second"),
    [
        (
            "Encoder-1-MultiHeadSelfAttention",
            *(8, 4),
            "Encoder-1-MultiHeadSelfAttention is encoder.block[1].attention, 8 tensors (query.kernel, query.bias,",
            "Weights go to layers in order",
        ),
        ("Embedding-Token", 2, 1, "Embedding-Token is embeddings.token, 1 tensor, as the file has.", "One more"),
        ("Embedding-Norm", 2, 0, "Embedding-Norm is embeddings.norm, 2 tensors (gamma and beta)", "Nothing was given"),
        ("dense", 0, 2, "The model's layer holds nothing", "Weights go to layers in order"),
        # two dialects know the name, and say another node each
        ("transformer_layer_3", 8, 4, "Weights go to layers in order", None),
    ],
)  # fmt: skip
def test_a_layer_is_told_by_the_node_that_it_is(layer, model, given, first, second):
    (found,) = explain_load_error(LAYER.format(layer, model, given))
    assert found.lines[0].startswith(first)
    assert second is None or found.lines[1].startswith(second)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        # one array of query, key and value
        ("transformer.h.0.attn.c_attn.weight", "decoder.block[1]: 1 tensor"),
        # an output matrix that is tied to a table of which nothing is seen
        ("tgt_word_prj.weight", "embeddings: 1 tensor"),
    ],
)
def test_a_name_is_enough_of_an_array(name, line):
    (found,) = explain_load_error(f'Missing key(s) in state_dict: "{name}".')
    assert found.lines[0].startswith(line)


@pytest.mark.parametrize(
    ("layer", "line"),
    [
        ("NSP-Dense", "NSP-Dense is pooler; the model was built without it (the dense layer on the first token)."),
        ("Encoder-3-FeedForward", "Encoder-3-FeedForward is encoder.block[3].feed_forward."),
        ("foo", "foo is no layer that is known here."),
    ],
)
def test_a_layer_that_is_not_there_is_told(layer, line):
    (found,) = explain_load_error(f"ValueError: No such layer: {layer}. Existing layers are: ['a'].")
    assert found.lines == (line,)


def test_a_single_table_is_named_by_its_layer():
    shapes = "weight shape (128, 768) not compatible with provided weight shape (512, 768)"
    (found,) = explain_load_error(f"Layer Embedding-Position {shapes}")
    assert found.lines[0].startswith("embeddings.position: the model has (128, 768)")
    (found,) = explain_load_error(f"Layer Encoder-1-FeedForward {shapes}")  # of four tensors nobody knows which
    assert found.lines[1] == "The shapes alone do not tell which dimension differs."


@pytest.mark.parametrize("rows", [(2, 3), (100, 200), (3072, 4096)])
def test_an_unnamed_table_of_unusual_rows_is_not_guessed(rows):
    text = f"Layer weight shape ({rows[0]}, 768) not compatible with provided weight shape ({rows[1]}, 768)"
    (found,) = explain_load_error(text)
    assert not found.lines[1].startswith(("V (", "P (", "T ("))


def test_names_of_one_kind_of_model_are_grouped_by_its_own_nodes():
    names = [*(f'"electra.encoder.layer.{n}.attention.self.query.weight"' for n in range(5)), '"position_ids"']
    names += ['"discriminator_predictions.dense.weight"', '"generator_predictions.dense.bias"', '"foo.bar"']
    (found,) = explain_load_error(f"Unexpected key(s) in state_dict: {', '.join(names)}.")
    assert [line.partition(" (")[0] for line in found.lines] == [
        *("5 blocks: 5 tensors", "no parameter: 1 tensor", "detector: 1 tensor", "mlm: 1 tensor", "unknown: 1 tensor"),
    ]  # fmt: skip
    assert found.lines[3].endswith("E·H + V + 3·E parameters.")  # the width of ELECTRA's embeddings is its own


def test_a_shape_without_a_name_is_only_taken_to_be_a_table():
    text = "Layer weight shape (512, 768) not compatible with provided weight shape (128, 768)"
    (found,) = explain_load_error(text)
    assert found.lines[1].startswith("P (positions) is 512 in the model and 128 in the file, as far as the shapes tell")


def test_a_transposed_kernel_is_no_parameter_more():
    text = "Layer weight shape (768, 3072) not compatible with provided weight shape (3072, 768)"
    (found,) = explain_load_error(text)
    assert "the other way round" in found.lines[1]


NAMES = [
    *("cls.predictions.bias", "cls.predictions.transform.dense.weight", "cls.predictions.transform.dense.bias"),
    *("cls.predictions.transform.LayerNorm.weight", "cls.predictions.transform.LayerNorm.bias"),
    *("cls.seq_relationship.weight", "cls.seq_relationship.bias"),
]


def test_unused_weights_are_told_by_head():
    text = (
        f"Some weights of the model checkpoint at bert-base-uncased were not used when initializing BertModel: {NAMES}"
    )
    (found,) = explain_load_error(text)
    assert [line.partition(" (")[0] for line in found.lines[:2]] == ["mlm: 5 tensors", "nsp: 2 tensors"]


def test_new_weights_are_told_by_head():
    text = (
        "Some weights of BertForSequenceClassification were not initialized from the model checkpoint at bert and are "
        "newly initialized: ['classifier.bias', 'classifier.weight']\nYou should probably TRAIN this model"
    )
    (found,) = explain_load_error(text)
    assert found.lines == (
        "a task head: 2 tensors (classifier.bias and classifier.weight).",
        "Only what stands on top of the blocks is named here: it starts from random numbers.",
    )


def test_the_same_tensors_under_another_prefix_are_recognised():
    text = (
        'Missing key(s) in state_dict: "bert.embeddings.word_embeddings.weight", "bert.pooler.dense.bias". '
        'Unexpected key(s) in state_dict: "embeddings.word_embeddings.weight", "pooler.dense.bias".'
    )
    missing, _ = explain_load_error(text)
    assert missing.lines[0].startswith("2 of these are the same tensors under two names: the model has 'bert.'")


@pytest.mark.parametrize(
    "text",
    ["", "BERT has 12 layers and 110M parameters.", "I expect 2 weeks of work.", "Total params: 109,482,240"],
)
def test_what_is_no_error_is_not_read(text):
    assert read_load_errors(text) == ()
    assert explain_load_error(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        *("layers " * 70_000, "a" * 500_000 + " not found", "key(s) " + "'a', " * 100_000),
        *("shape (" * 70_000, "| MISSING " * 50_000),
    ],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_any_text_takes_little_time(text):
    began = time.process_time()
    read_load_errors(text)
    assert time.process_time() - began < 4
