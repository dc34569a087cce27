"""Listings as PyTorch, torchinfo, torchsummary, PEFT, TensorFlow and Keras really printed them.

The samples in `tests/data/listings` come from torch 2.13, transformers 5.23, torchinfo 1.8, torchsummary 1.5, peft 0.21
and TensorFlow 2.21; the JSON beside some of them holds the shapes that the same model had in memory.
"""

import json
from pathlib import Path

import pytest

from reconcile.inventory import BUFFER, PARAMETER, UNCOUNTED, UNPRINTED, Inventory
from reconcile.sources.listings import read_listings

DATA = Path(__file__).resolve().parents[1] / "data" / "listings"

# V 100, P 16, T 2, H 32, F 64, L 2: embeddings (100 + 16 + 2)·32 + 64 = 3,840; blocks 2·8,544 = 17,088; pooler 1,056.
BACKBONE = 3_840 + 17_088 + 1_056  # 21,984


def only(name: str):
    (inventory,) = read_listings((DATA / name).read_text(), name)
    return inventory


@pytest.mark.parametrize(
    ("name", "tensors", "size", "remarks"),
    [
        ("named.txt", 39, BACKBONE, []),  # 5 + 2·16 + 2
        # + transform 1,056, norm 64, bias 100 twice, decoder 100·32, next sentence 66
        ("state_dict.txt", 48, BACKBONE + 1_056 + 64 + 200 + 3_200 + 66, ["maybe-shared"]),
        ("module.txt", 47, BACKBONE + 1_056 + 64 + 100 + 3_200 + 66, ["maybe-shared"]),
        ("tf_vars_graph.txt", 5, 50 * 8 + 2 * 8 + 64 + 8 + 1, []),
        ("list_variables.txt", 5, 489, []),
        ("inspect_checkpoint.txt", 5, 489, []),
        ("keras2_weights.txt", 6, 8 * 16 + 16 + 2 * 16 + 16 * 3 + 3, []),
        ("keras3_each.txt", 6, 227, []),
    ],
)
def test_tensors_are_read_as_printed(name, tensors, size, remarks):
    inventory = only(name)
    assert len(inventory.tensors) == tensors
    assert sum(layer.params for layer in inventory.layers) == size
    assert [remark.kind for remark in inventory.remarks] == remarks


@pytest.mark.parametrize("name", ["misc", "gpt2", "lora"])
def test_a_printed_module_has_the_tensors_of_the_model(name):
    inventory = only(f"{name}.txt")
    held = {name: tuple(shape) for name, shape in json.loads((DATA / f"{name}.json").read_text()).items()}
    assert {tensor.path: tensor.shape for tensor in inventory.tensors} == held


def test_a_printed_module_tells_its_settings():
    layers = {layer.name: layer for layer in only("module.txt").layers}
    assert layers["bert.embeddings.LayerNorm"].config == {"epsilon": 1e-12}
    assert layers["bert.encoder.layer.1.output.dropout"].config == {"rate": 0.1}
    assert layers["bert.encoder.layer.0.intermediate.intermediate_act_fn"].config == {"activation": "gelu"}
    assert layers["bert.encoder.layer.1.attention.self.query"].class_name == "Linear"


def test_what_a_normalisation_keeps_track_of_is_no_parameter():
    roles = {tensor.path: tensor.role for tensor in only("misc.txt").tensors}
    assert roles["bn.running_mean"] == roles["bn.num_batches_tracked"] == BUFFER
    assert roles["bn.weight"] == PARAMETER


def test_what_pytorch_does_not_print_is_said():
    (hidden,) = [remark for remark in only("misc.txt").remarks if remark.kind == "hidden-parameters"]
    assert (hidden.where, hidden.shown) == ("attn and 2 more", "in_proj_weight, in_proj_bias")


@pytest.mark.parametrize("name", ["torchinfo.txt", "torchinfo_deep.txt", "torchinfo_ascii.txt"])
def test_the_rows_of_torchinfo_add_up_to_its_total(name):
    inventory = only(name)
    assert sum(layer.params for layer in inventory.layers) == inventory.total == inventory.trainable == BACKBONE
    assert inventory.non_trainable == 0


def test_torchinfo_names_modules_by_their_path_where_it_shows_names():
    names = {layer.name: layer.params for layer in only("torchinfo_deep.txt").layers}
    assert names["encoder.layer.0.attention.self.query"] == 32 * 32 + 32
    assert names["pooler.dense"] == 1_056


def test_rows_of_torchinfo_have_their_tensors_where_only_one_fits():
    shapes = {tensor.path: tensor.shape for tensor in only("torchinfo_deep.txt").tensors}
    assert shapes["embeddings.word_embeddings.weight"] == (100, 32)
    assert shapes["encoder.layer.0.output.dense.weight"] == (32, 64)
    assert len(shapes) == 5 + 2 * 16 + 2
    assert not only("torchinfo.txt").tensors  # these rows are not named by their paths


def test_a_module_that_is_used_again_counts_once():
    inventory = only("torchinfo_albert.txt")
    assert sum(layer.params for layer in inventory.layers) == inventory.total == 12_064
    assert {remark.kind for remark in inventory.remarks} == {"repeated-module"}


def test_what_a_module_uses_again_counts_once_in_a_table_and_in_its_total():
    inventory = only("torchinfo_shared.txt")
    assert sum(layer.params for layer in inventory.layers) == inventory.total == inventory.trainable == 12_112
    again = [
        (remark.where, remark.shown, remark.value) for remark in inventory.remarks if remark.kind == "counted-again"
    ]
    assert again == [("encoder", "shared", 1_600), ("decoder", "shared", 1_600)]
    # What the decoder holds by itself beside the table stays.
    assert [layer.params for layer in inventory.layers if layer.name == "decoder"] == [16]


def test_a_table_that_is_cut_counts_what_is_used_again_once_too():
    text = "\n".join((DATA / "torchinfo_shared.txt").read_text().splitlines()[:9])
    (inventory,) = read_listings(text, "t")
    assert sum(layer.params for layer in inventory.layers) == 1_600 + 2_224


def test_which_of_two_modules_is_used_again_is_told_only_by_its_whole_count():
    text = (DATA / "torchinfo_shared.txt").read_text()
    other = text.replace("├─Stack (encoder)", "├─Embedding (other)      " + " " * 46 + "800\n├─Stack (encoder)", 1)
    assert other != text
    (inventory,) = read_listings(other, "t")
    rows = {layer.name: layer.params for layer in inventory.layers}
    assert "encoder" not in rows  # all of it is the first table
    assert rows["decoder"] == 1_616  # 1,600 and 16 of its own, or 800 and 816


def test_torchsummary():
    inventory = only("torchsummary.txt")
    assert [(layer.name, layer.params) for layer in inventory.layers] == [
        ("Linear-1", 544),
        ("ReLU-2", 0),
        ("Linear-3", 132),
    ]
    assert inventory.total == 16 * 32 + 32 + 32 * 4 + 4


def test_a_listing_that_says_how_many_there_are_and_shows_fewer():
    inventory = only("tutorial.txt")
    assert len(inventory.tensors) == 5 + 16 + 4
    assert [(remark.kind, remark.shown, remark.value) for remark in inventory.remarks] == [
        ("elided", "41 tensors stated", 25)
    ]


def test_values_between_rows_are_passed_over():
    inventory = only("values_cut.txt")
    assert inventory.tensors[0].path == "embeddings.word_embeddings.weight"
    assert len(inventory.tensors) > 3


def test_trainable_parameters_that_peft_prints():
    inventory = only("lora.txt")
    assert (inventory.trainable, inventory.total) == (2_114, 24_164)


def printed(*lines: str) -> Inventory:
    """The inventory of a printed module with these lines inside."""
    (inventory,) = read_listings("\n".join([f"{lines[0]}(", *(f"  {line}" for line in lines[1:]), ")"]), "pasted")
    return inventory


BERT = (
    "(bert): BertModel(",
    "  (embeddings): BertEmbeddings(",
    "    (word_embeddings): Embedding(100, 32, padding_idx=0)",
    "  )",
    "  (encoder): BertEncoder(",
    "    (layer): ModuleList(",
    "      (0): BertLayer(",
    "        (attention): BertAttention(",
    "          (query): Linear(in_features=32, out_features=32, bias=True)",
    "        )",
    "      )",
    "    )",
    "  )",
    ")",
)


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        (("BertForSequenceClassification", *BERT), []),
        (("PromptedBert", *BERT), ["PromptedBert"]),  # it may hold a prompt, an array of its own
        (("Sequential", "(0): Linear(in_features=3, out_features=2, bias=True)"), []),
        # A name that anybody may use is the library's inside of the library's module alone.
        (("FFN", "(lin1): Linear(in_features=3, out_features=2, bias=True)"), ["FFN"]),
        (("DistilBertModel", "(ffn): FFN(", "  (lin1): Linear(in_features=3, out_features=2, bias=True)", ")"), []),
        (("BertModel", "(ffn): Lora(", "  (base): Linear(in_features=3, out_features=2, bias=True)", ")"), ["Lora"]),
    ],
)
def test_a_class_that_may_hold_parameters_by_itself_is_named(lines, named):
    remarks = [remark for remark in printed(*lines).remarks if remark.kind == UNPRINTED]
    assert [remark.where for remark in remarks] == named


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("(embed): OPTLearnedPositionalEmbedding(2050, 512)", 2050 * 512),
        ("(embed): BartScaledWordEmbedding(50265, 256, padding_idx=1)", 50_265 * 256),
        ("(embed): SinusoidalPositionalEmbedding(1026, 64)", 1026 * 64),
        ("(embed): PatchEmbedding(3, 768, 16)", None),  # three sizes are no table's
        ("(embed): TimeEmbedding(dim=64)", None),
        ("(embed): LlamaRotaryEmbedding(64, 2048)", 0),
        ("(act): BloomGelu()", 0),
        ("(padding): Wav2Vec2SamePadLayer()", 0),
    ],
)
def test_a_class_of_a_library_is_read_by_its_name_and_sizes(line, size):
    inventory = printed("BertModel", line, "(dense): Linear(in_features=2, out_features=1, bias=True)")
    assert inventory.layers[0].params == size
    assert [remark.kind for remark in inventory.remarks] == (["no-count"] if size is None else [])


def test_of_two_classes_with_one_name_the_one_with_parameters_is_told_by_what_is_inside():
    # DeBERTa's holds q_bias and v_bias beside `in_proj`; the second version's has biases in three projections.
    first = printed("DebertaModel", "(self): DisentangledSelfAttention(", "  (in_proj): Linear(4, 12)", ")")
    second = printed("DebertaV2Model", "(self): DisentangledSelfAttention(", "  (query_proj): Linear(4, 4)", ")")
    assert [(remark.kind, remark.shown) for remark in first.remarks] == [
        ("no-count", "DisentangledSelfAttention: q_bias, v_bias")
    ]
    assert not second.remarks


TORCHSUMMARY = """
----------------------------------------------------------------
        Layer (type)               Output Shape         Param #
================================================================
            Linear-1              [4, 197, 576]         111,168
           Dropout-2              [4, 197, 192]               0
               Att-3              [4, 197, 192]               0
              ReLU-4              [4, 197, 192]               0
================================================================
Total params: 111,168
"""


def test_a_module_whose_parameters_torchsummary_need_not_count_is_named():
    (inventory,) = read_listings(TORCHSUMMARY, "pasted")
    assert [(remark.kind, remark.where) for remark in inventory.remarks] == [(UNCOUNTED, "Att")]
    assert inventory.least
    assert not only("torchsummary.txt").remarks


def test_a_bias_that_is_another_s_is_none_of_the_token_table():
    (remark,) = only("state_dict.txt").remarks
    assert remark.where == "cls.predictions.decoder.weight, cls.predictions.decoder.bias"
    assert remark.shown == "bert.embeddings.word_embeddings.weight and cls.predictions.bias"
