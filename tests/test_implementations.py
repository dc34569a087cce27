"""Lists of tensors that real implementations printed: every one reconciles to its last parameter.

`make test-implementations` builds the models anew with the libraries themselves, and compares.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from implementation_lists import LISTS, names, read_list

from reconcile.inventory import OPTIMIZER, PARAMETER, unique
from reconcile.mapping.tensors import map_source

# Which dialect each implementation's names are, by the beginning of the list's name; the longest that fits holds.
DIALECTS = {
    "bert4keras.": "bert4keras",
    "bert4keras.albert": "bert4keras-albert",
    "bert4keras.electra": "bert4keras-electra",
    "google.": "google",
    "huggingface-4.30.": "huggingface",
    "huggingface-4.30.Albert": "huggingface-albert",
    "huggingface-4.30.DistilBert": "huggingface-distilbert",
    "huggingface-4.30.Electra": "huggingface-electra",
    "huggingface-tf.": "huggingface",
    "huggingface-tf.TFAlbert": "huggingface-albert",
    "huggingface-tf.TFDistilBert": "huggingface-distilbert",
    "huggingface-tf.TFElectra": "huggingface-electra",
    "huggingface-tf.TFGPT2": "huggingface-gpt2",
    "huggingface-tf.TFMobileBert": "huggingface-mobilebert",
    "huggingface.": "huggingface",
    "huggingface.Albert": "huggingface-albert",
    "huggingface.DistilBert": "huggingface-distilbert",
    "huggingface.Electra": "huggingface-electra",
    "huggingface.ElectraModel-E-is-H": "huggingface",  # without a projection it is a BERT to the last name
    "huggingface.GPT2": "huggingface-gpt2",
    "huggingface.Llama": "huggingface-llama",
    "huggingface.MobileBert": "huggingface-mobilebert",
    "keras-bert.": "keras-bert",
    "keras-hub.": "keras-hub",
    "keras-hub.Albert": "keras-hub-albert",
    "keras-hub.DistilBert": "keras-hub-distilbert",
    "keras-hub.Electra": "keras-hub-electra",
    "keras-hub.GPT2": "keras-hub-gpt2",
    "keras-hub.Llama": "keras-hub-llama",
    "keras-hub.Roberta": "keras-hub-roberta",
    "keras-hub.XLMRoberta": "keras-hub-roberta",
    "keras-transformer.": "keras-transformer",
    "small-transformer.": "pytorch-transformer",
    "tf-models.": "tf-models-official",
    "tf-models.AlbertEncoder": "tf-models-official-albert",
    "tf-models.BertEncoder-embedding-width": "tf-models-official-embedding-width",
    "torch.Transformer": "torch-nn-transformer",
    "torch.TransformerDecoder": "torch-nn-decoder",
    "torch.TransformerEncoder": "torch-nn-encoder",
}

# One layer of PyTorch's own, of which the names do not say where it stands: explained layer by layer.
NO_MODEL = {"torch.MultiheadAttention", "torch.MultiheadAttention-kdim"}
NO_MODEL |= {"torch.TransformerDecoderLayer", "torch.TransformerEncoderLayer"}

# Totals that others publish, of the models at their released sizes.
PUBLISHED = {
    "google.pretraining-base": 110_106_428,
    "huggingface.BertForPreTraining-base": 110_106_428,
    "huggingface-tf.TFBertModel-base": 109_482_240,
    "tf-models.BertEncoderV2-base": 109_482_240,
    "keras-hub.BertBackbone-tiny": 4_385_920,
    "huggingface.GPT2LMHeadModel-small": 124_439_808,
    "huggingface.DistilBertForMaskedLM-base": 66_985_530,
    "huggingface.RobertaForMaskedLM-base": 124_697_433,
    "torch.Transformer-base": 44_140_544,
    "huggingface.LlamaForCausalLM-3-8B": 8_030_261_248,
}

# Names of the scripts that need nothing or only what building needs anyway, with how slow they are.
HERE = ["print_small_transformer.py", "print_keras_bert.py", "print_keras_transformer.py"]


def test_there_is_a_list_of_every_implementation() -> None:
    implementations = {name.rpartition(".")[0] for name in names()}
    assert implementations == {key.rpartition(".")[0] for key in DIALECTS}
    assert len(names()) > 100


@pytest.mark.parametrize("name", names())
def test_every_tensor_of_a_real_implementation_is_a_component(name: str) -> None:
    inventory = read_list(LISTS / f"{name}.tsv")
    ledger = map_source(inventory)
    fitting = [key for key in DIALECTS if name.startswith(key)]
    meant = None if name in NO_MODEL else DIALECTS[max(fitting, key=len)]
    assert (ledger.dialect.name if ledger.dialect else None) == meant
    assert ledger.unmapped == ()
    assert ledger.residual == 0
    assert {part.path: part.actual for part in ledger.stored} == {part.path: part.expected for part in ledger.stored}
    every = {tensor.path for layer in inventory.layers for tensor in layer.tensors or ()}
    assert every == {item for part in ledger.assignments for item in part.items} | {
        item.name for item in ledger.excluded
    }


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_totals_that_are_published(name: str) -> None:
    inventory = read_list(LISTS / f"{name}.tsv")
    assert inventory.total == PUBLISHED[name]
    assert sum(tensor.size for tensor in unique(inventory.tensors) if tensor.role == PARAMETER) == PUBLISHED[name]


def test_a_list_that_lacks_a_tensor_is_noticed() -> None:
    from dataclasses import replace

    inventory = read_list(LISTS / "google.BertModel.tsv")
    lacking = replace(inventory, layers=inventory.layers[:-1])
    assert map_source(lacking).residual == 24 * 24 + 24  # the pooler's


def test_optimizer_slots_are_no_parameters() -> None:
    ledger = map_source(read_list(LISTS / "google.pretraining-with-optimizer.tsv"))
    slots = [item for item in ledger.excluded if item.what == OPTIMIZER]
    assert sum(item.count for item in slots) == 2 * 13_547 + 1  # two of Adam's for each parameter, and the step
    assert ledger.total == ledger.accounted == 13_547


def body(file: Path) -> list[str]:
    return [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("# library: ")]


@pytest.mark.slow
@pytest.mark.parametrize("script", HERE)
def test_the_lists_are_what_the_libraries_print(script: str, tmp_path: Path) -> None:
    subprocess.run([sys.executable, LISTS / script, tmp_path], check=True, capture_output=True, timeout=600)
    printed = {file.name: body(file) for file in tmp_path.glob("*.tsv")}
    prefix = {name.rpartition(".")[0].rpartition(".")[0] for name in printed}
    committed = {file.name: body(file) for name in prefix for file in LISTS.glob(f"{name}.*.tsv")}
    assert printed == committed
    assert printed
