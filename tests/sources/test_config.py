"""Configurations: what each leads to expect, without a build."""

import json
import os
import subprocess
import sys

import pytest

from reconcile.comparison.counts import compare_counts
from reconcile.datafile import read_toml
from reconcile.errors import InputError
from reconcile.mapping.tensors import map_source
from reconcile.sources.config import inventory_of_config, is_config, read_config
from reconcile.sources.config_keys import known_configs
from reconcile.spec import load_spec, model_names, models_directory
from reconcile.taxonomy import load_architecture


def inventory(table):
    assert is_config(table)
    return inventory_of_config(read_config(table, "config.json"))


def total(table) -> int:
    return sum(tensor.size for tensor in inventory(table).tensors)


UNTIED = {"tie_word_embeddings": False, "transformers_version": "4.57.0"}


def google(**changed):
    base = {
        "vocab_size": 30522,
        "hidden_size": 768,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "intermediate_size": 3072,
        "max_position_embeddings": 512,
        "type_vocab_size": 2,
        "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1,
        "attention_probs_dropout_prob": 0.1,
        "initializer_range": 0.02,
    }
    return {**base, **changed}


def hub(class_name="BertBackbone", **changed):
    base = {
        "vocabulary_size": 30522,
        "num_layers": 12,
        "num_heads": 12,
        "hidden_dim": 768,
        "intermediate_dim": 3072,
        "dropout": 0.1,
        "max_sequence_length": 512,
        "num_segments": 2,
    }
    return {"module": "keras_hub", "class_name": class_name, "config": {**base, **changed}}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"num_layers": 2, "hidden_dim": 128, "num_heads": 2, "intermediate_dim": 512}, 4_385_920),
        ({"num_layers": 4, "hidden_dim": 512, "num_heads": 8, "intermediate_dim": 2048}, 28_763_648),
        ({"num_layers": 8, "hidden_dim": 512, "num_heads": 8, "intermediate_dim": 2048}, 41_373_184),
        ({}, 109_482_240),
        ({"vocabulary_size": 28996}, 108_310_272),
        ({"vocabulary_size": 21128}, 102_267_648),
        ({"vocabulary_size": 119547}, 177_853_440),
        ({"num_layers": 24, "hidden_dim": 1024, "num_heads": 16, "intermediate_dim": 4096}, 335_141_888),
        (
            {"vocabulary_size": 28996, "num_layers": 24, "hidden_dim": 1024, "num_heads": 16, "intermediate_dim": 4096},
            333_579_264,
        ),
    ],
)
def test_keras_hubs_presets_of_bert(changed, expected):
    assert total(hub(**changed)) == expected


ROBERTA = {"model_type": "roberta", "vocab_size": 50265, "max_position_embeddings": 514, "type_vocab_size": 1}
ALBERT = {"model_type": "albert", "hidden_size": 768, "num_attention_heads": 12, "intermediate_size": 3072}


B13 = {"hidden_size": 5120, "intermediate_size": 13824}
WIDE = {"hidden_size": 8192, "intermediate_size": 28672, "num_key_value_heads": 8, "vocab_size": 128256}
SMALL = {"intermediate_size": 8192, "num_key_value_heads": 8, "vocab_size": 128256, "tie_word_embeddings": True}


def t5(**changed):
    """T5 1.1 base, with a gate and an output matrix of its own."""
    sizes = {"d_model": 768, "d_ff": 2048, "num_layers": 12, "num_heads": 12, "feed_forward_proj": "gated-gelu"}
    return {"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], **sizes, **UNTIED, **changed}


def llama(**changed):
    return {"model_type": "llama", "architectures": ["LlamaForCausalLM"], **changed}


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (google(), 109_482_240),
        (google(architectures=["BertForPreTraining"]), 110_106_428),
        # transform H² + H, norm 2·H, bias V instead of the pooler's H² + H
        (google(architectures=["BertForMaskedLM"]), 108_891_648 + 590_592 + 1_536 + 30_522),
        (google(architectures=["BertForMaskedLM"], **UNTIED), 109_514_298 + 30_522 * 768),
        (google(architectures=["BertForSequenceClassification"], num_labels=3), 109_482_240 + 768 * 3 + 3),
        (google(architectures=["BertForSequenceClassification"], id2label=dict.fromkeys("01234")), 109_482_240 + 3_845),
        (google(architectures=["BertForTokenClassification"]), 108_891_648 + 768 * 2 + 2),
        (google(architectures=["BertForQuestionAnswering"]), 108_893_186),
        (google(architectures=["TFBertForMaskedLM"], model_type="bert"), 109_514_298),
        # a decoder: 12 × (4·(H² + H) + 2·H) more
        (google(add_cross_attention=True, is_decoder=True), 109_482_240 + 12 * (2_362_368 + 1_536)),
        # what the released models have
        ({"model_type": "distilbert"}, 66_362_880),
        ({"model_type": "distilbert", "architectures": ["DistilBertForMaskedLM"]}, 66_985_530),
        (ROBERTA, 124_645_632),
        ({**ROBERTA, "architectures": ["RobertaForMaskedLM"]}, 124_697_433),
        ({**ROBERTA, "architectures": ["RobertaForSequenceClassification"]}, 124_647_170),
        (ALBERT, 11_683_584),
        ({**ALBERT, "architectures": ["AlbertForMaskedLM"]}, 11_221_680),
        ({"model_type": "electra"}, 13_483_008),
        ({"model_type": "electra", "architectures": ["ElectraForPreTraining"]}, 13_549_057),
        ({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}, 124_439_808),
        # V·H + L·(2·H·N + 2·H·U + 3·H·F + 2·H) + H, and V·H again where the output matrix is its own
        ({"model_type": "llama", "architectures": ["LlamaForCausalLM"]}, 6_738_415_616),
        (llama(**B13, num_hidden_layers=40, num_attention_heads=40), 13_015_864_320),
        (llama(**{**WIDE, "vocab_size": 32000}, num_hidden_layers=80, num_attention_heads=64), 68_976_648_192),
        (llama(vocab_size=128256, intermediate_size=14336, num_key_value_heads=8), 8_030_261_248),
        (llama(**WIDE, num_hidden_layers=80, num_attention_heads=64), 70_553_706_496),
        (llama(**SMALL, num_hidden_layers=16, num_attention_heads=32, hidden_size=2048), 1_235_814_400),
        (llama(**SMALL, num_hidden_layers=28, num_attention_heads=24, hidden_size=3072), 3_212_749_824),
        # the counts that the library has for its own class of T5
        ({"model_type": "t5", "architectures": ["T5ForConditionalGeneration"]}, 60_506_624),
        ({"model_type": "t5", "architectures": ["T5EncoderModel"]}, 35_330_816),
        (t5(transformers_version="4.57.6"), 247_577_856),
        ({"model_type": "mt5", "architectures": ["MT5Model"]}, 172_119_424),
        # a head size of its own: N = 32·64 and U = 32·64
        (llama(head_dim=64), 6_738_415_616 - 32 * 4 * 4096 * 32 * 64),
        (llama(attention_bias=True, mlp_bias=True), 6_738_415_616 + 32 * (4 * 4096 + 2 * 11008 + 4096)),
        (
            {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "tie_word_embeddings": False},
            124_439_808 + 50_257 * 768,
        ),
        ({"model_type": "gpt2", "architectures": ["GPT2DoubleHeadsModel"]}, 124_439_808 + 768 + 1),
        (
            {"model_type": "electra", "architectures": ["ElectraForMultipleChoice"]},
            13_483_008 + 256 * 256 + 256 + 256 + 1,
        ),
        ({"model_type": "gpt2", "n_layer": 24, "n_embd": 1024, "n_head": 16, "n_inner": None}, 354_823_168),
        ({"model_type": "mobilebert", "classifier_activation": False}, 24_581_888),
        ({"model_type": "mobilebert"}, 24_581_888 + 512 * 512 + 512),  # with the pooler, as the class has it by default
        (hub("keras_hub>DistilBertBackbone", num_layers=6), 66_362_880),
        (hub("keras_nlp>RobertaBackbone", vocabulary_size=50265), 124_052_736),
        (
            {
                "class_name": "ElectraBackbone",
                "config": {
                    "vocab_size": 30522, "num_layers": 12, "num_heads": 4, "hidden_dim": 256, "embedding_dim": 128,
                    "intermediate_dim": 1024, "max_sequence_length": 512, "num_segments": 2,
                },
            },
            13_548_800,  # with the pooler that Keras Hub gives it: 13,483,008 + 256² + 256
        ),
        (
            {"class_name": "keras_hub>BertMaskedLM", "config": {"backbone": hub()}},
            109_482_240 + 590_592 + 1_536 + 30_522,
        ),
        (
            {"class_name": "BertTextClassifier", "config": {"backbone": hub(), "num_classes": 4}},
            109_482_240 + 768 * 4 + 4,
        ),
    ],
)  # fmt: skip
def test_what_a_configuration_leads_to_expect(table, expected):
    assert total(table) == expected


@pytest.mark.parametrize("name", model_names())
def test_every_model_of_the_project_as_a_configuration(name):
    spec = load_spec(name)
    sizes = {**spec.dimensions, "P": spec.dimensions["P"]}
    heads = {"pooler", "mlm", "nsp"}
    by_options = {frozenset(heads): "BertForPreTraining", frozenset(): "BertForTokenClassification"}
    options = spec.options & heads
    table = google(
        vocab_size=sizes["V"], hidden_size=sizes["H"], num_hidden_layers=sizes["L"], num_attention_heads=sizes["A"],
        intermediate_size=sizes["F"], max_position_embeddings=sizes["P"], architectures=[by_options[options]],
    )  # fmt: skip
    found = [tensor for tensor in inventory(table).tensors if not tensor.path.startswith("task.")]
    parts = load_architecture("bert").written_out(options, spec.dimensions)
    expected = {path: part for path, part in parts if part.tied_to is None}
    assert {tensor.path for tensor in found} == set(expected)
    assert sum(tensor.size for tensor in found) == sum(
        part.size.evaluate(spec.dimensions) for part in expected.values()
    )
    assert read_toml(models_directory() / f"{name}.toml")["arguments"]["token_num"] == sizes["V"]


def test_paths_are_those_of_the_components():
    paths = {tensor.path: tensor.shape for tensor in inventory(google()).tensors}
    assert paths["encoder.block[12].attention.query.kernel"] == (768, 768)
    assert paths["embeddings.token"] == (30522, 768)
    assert paths["pooler.bias"] == (768,)
    assert len(paths) == 5 + 12 * 16 + 2


@pytest.mark.parametrize(
    "table",
    [
        google(architectures=["BertForPreTraining"]),
        google(architectures=["BertForMaskedLM"], **UNTIED),
        google(architectures=["BertForSequenceClassification"], num_labels=3),
        *({"model_type": name} for name in ("distilbert", "roberta", "albert", "electra", "gpt2", "mobilebert")),
        hub("keras_nlp>RobertaBackbone"),
    ],
)
def test_the_expectation_is_a_ledger_in_which_everything_agrees(table):
    ledger = map_source(inventory(table))
    assert (ledger.unmapped, ledger.residual, ledger.total) == ((), 0, total(table))
    kinds = {finding.kind for finding in compare_counts(ledger)}
    assert kinds <= {"tied"}


def test_settings_keep_hugging_faces_names():
    settings = inventory({"model_type": "distilbert", "activation": "relu", "dropout": 0.2}).settings
    assert {key: settings[key] for key in ("hidden_act", "hidden_dropout_prob", "num_attention_heads")} == {
        "hidden_act": "relu",
        "hidden_dropout_prob": 0.2,
        "num_attention_heads": 12,
    }
    assert inventory(hub()).settings["hidden_dropout_prob"] == 0.1


def test_what_a_file_leaves_open_is_said():
    kinds = {remark.kind: remark.shown for remark in inventory({"model_type": "bert", "vocab_size": 100}).remarks}
    assert kinds == {
        "class-unstated": "BertModel",
        "class-default": "A = 12, F = 3072, H = 768, L = 12, P = 512, T = 2",
    }
    assert not inventory(google(architectures=["BertModel"])).remarks


def test_what_a_file_says_of_stored_weights_is_said():
    packed = {"model_type": "bert", "architectures": ["BertModel"], "quantization_config": {"load_in_4bit": True}}
    assert "quantized" in {remark.kind for remark in inventory(packed).remarks}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (google(vocab_size="30522"), "vocab_size: got '30522' (text), takes a whole number of at least 1"),
        (google(hidden_size=0), "hidden_size: got 0, takes a whole number from 1 to 2,147,483,647"),
        (google(hidden_size=2**31), "hidden_size: got 2147483648"),
        (google(hidden_size=768.0), "hidden_size: got 768.0 (a number)"),
        (google(hidden_size=True), "hidden_size: got True"),
        (google(num_hidden_layers=10**9), "num_hidden_layers: got 1000000000, takes a whole number from 1 to 2,000"),
        (google(position_embedding_type="relative_key"), "position_embedding_type: got 'relative_key'"),
        (google(pruned_heads={"0": [1]}), "pruned_heads"),
        ({**ALBERT, "inner_group_num": 2}, "inner_group_num: got 2, takes 1"),
        (google(num_labels=-1, architectures=["BertForSequenceClassification"]), "num_labels: got -1"),
        # heads that the library refuses to make, or builds narrower than the output projection takes them
        (google(num_attention_heads=13), "num_attention_heads: got 13, takes a divisor of H, which is 768"),
        ({**ALBERT, "num_attention_heads": 13}, "num_attention_heads: got 13, takes a divisor of H, which is 768"),
        ({"model_type": "electra", "num_attention_heads": 7}, "num_attention_heads: got 7, takes a divisor of H"),
        (google(auto_map={"AutoModel": "modeling.Model"}), "auto_map: got {'AutoModel': 'modeling.Model'}"),
        (google(peft_type="LORA"), "peft_type: got 'LORA', takes nothing"),
        (google(per_layer_config={"0": {}}), "per_layer_config: got {'0': {}}, takes nothing"),
        ({"class_name": "BertBackbone", "config": {"num_layers": 2}}, "config.vocabulary_size: got nothing"),
        ({key: value for key, value in google().items() if key != "vocab_size"}, "vocab_size: got nothing"),
    ],
)  # fmt: skip
def test_wrong_values_are_told_by_key(table, message):
    with pytest.raises(InputError) as error:
        read_config(table, "config.json")
    assert message in str(error.value)


@pytest.mark.parametrize(
    "table", [{"model_type": "bloom", "hidden_size": 4}, {"model_type": 3}, {"class_name": "Foo", "config": {}}]
)
def test_unknown_models_are_refused_by_name(table):
    with pytest.raises(InputError, match=r"model_type|class_name|vocab"):
        read_config(table, "config.json")


@pytest.mark.parametrize(
    "table", [{}, {"a": 1}, {"hidden_size": 3}, {"class_name": "Dense", "config": {"units": 3}}, {"cells": []}]
)
def test_other_objects_are_no_configuration(table):
    assert not is_config(table)


@pytest.mark.parametrize("name", known_configs())
def test_every_known_model_has_the_dimensions_of_its_architecture(name):
    model = known_configs()[name]
    architecture = load_architecture(model.architecture).adapted(model.absent)
    needed = {d for part in architecture.components for axis in part.shape for d in axis.dimensions}
    needed -= {
        d for part in architecture.components if part.option == "task" for axis in part.shape for d in axis.dimensions
    } - {"H"}
    assert needed <= set(model.dimensions.values()) | architecture.products.keys()
    for task in model.tasks.values():
        assert set(task["options"]) <= architecture.options.keys() | architecture.further.keys()


def test_a_configuration_is_read_without_tensorflow(tmp_path):
    code = (
        "import json, sys\nfrom reconcile.sources.config import *\n"
        f"inventory_of_config(read_config(json.loads({json.dumps(json.dumps(google()))}), 'c'))\n"
        "assert not {'tensorflow', 'keras', 'h5py', 'numpy'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONWARNINGS": "error"})
