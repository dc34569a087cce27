"""The totals of models of other architectures: counted again in the library that has it, and by our formulas."""

import re
from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from reconcile.claims.structure.catalogue import every_model
from reconcile.claims.structure.mentions import mentions
from reconcile.claims.structure.models import Model
from reconcile.datafile import packaged
from reconcile.pipeline.check import check
from reconcile.taxonomy import load_architecture

TABLE = packaged("claims", "counted")
ROWS = {row["name"]: row for row in TABLE["model"]}


@cache
def library(name: str) -> ModuleType:
    """A library that makes models, or a reason to skip: one that is broken is as good as none."""
    try:
        return __import__(name)
    except (ImportError, RuntimeError):
        pytest.skip(f"needs {name}")


def settings(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**TABLE["shared"].get(row.get("shared"), {}), **row.get("settings", {})}


def tied_anyway(row: Mapping[str, Any], model: Any) -> int:
    """The output matrix of a model that has one of its own, where its class ties it whatever is set, as T5's does."""
    apart = settings(row).get("tie_word_embeddings") is False and hasattr(model, "get_output_embeddings")
    output = model.get_output_embeddings() if apart else None
    tied = output is not None and output.weight is model.get_input_embeddings().weight
    return int(output.weight.numel()) if tied else 0


def counted(row: Mapping[str, Any], of: str) -> int:
    """The parameters of a class, without weights, less those of the modules behind a minus sign."""
    name, *less = of.split(" - ")
    if row.get("library") == "keras":
        whole = getattr(library("keras").applications, name)(weights=None)
        return int(whole.count_params() - sum(whole.get_layer(layer).count_params() for layer in less))
    torch = library("torch")
    with torch.device("meta"):
        if row.get("library") == "torchvision":
            model = getattr(library("torchvision").models, name)()
        else:
            class_ = getattr(library("transformers"), name)
            model = class_(class_.config_class(**settings(row)))
    left = [parameter for module in less for parameter in model.get_submodule(module).parameters()]
    return int(sum(one.numel() for one in model.parameters()) - sum(one.numel() for one in left)) + tied_anyway(
        row, model
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_a_total_is_what_its_class_has(name: str) -> None:
    row = ROWS[name]
    assert {path: counted(row, of) for path, of in row["of"].items()} == row["totals"]


def form_of(row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    class_ = next(iter(row["of"].values()))
    fitting = (form for form in TABLE["form"] if class_.startswith(form["of"]))
    return next(fitting, None) if row.get("form", True) else None


FORMED = [name for name, row in ROWS.items() if form_of(row)]


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMED)
def test_the_blocks_of_a_model_of_our_form_are_those_of_its_class(name: str) -> None:
    row, torch, transformers = ROWS[name], library("torch"), library("transformers")
    form = form_of(row)
    assert form is not None
    class_ = getattr(transformers, next(iter(row["of"].values())))
    with torch.device("meta"):
        made = class_(class_.config_class(**settings(row)))
    ours = {account.path: account.count for account in model(name).accounts}
    for path, module in form["blocks"].items():
        pattern = re.compile(rf"{module}\.")
        assert ours[path] == sum(one.numel() for at, one in made.named_parameters() if pattern.match(at)) > 0, path


@pytest.mark.parametrize("name", FORMED)
def test_a_model_of_our_form_has_no_more_than_its_total(name: str) -> None:
    """Its stacks and tables, each once, are no more than what its class has, and its blocks are nearly all the rest."""
    one = model(name)
    parts = {account.path: account.count for account in one.accounts}
    stacks = [parts[stack] for stack in load_architecture(one.architecture).stacks if stack in parts]
    tables = parts.get("embeddings", parts.get("embeddings.token", 0))
    assert sum(stacks) + tables <= max(total.count for total in one.totals)
    assert not stacks or sum(stacks) + 2 * tables > 0.9 * max(total.count for total in one.totals)


def test_a_row_without_a_form_is_held_against_its_total_alone() -> None:
    assert model("OPT 350M").architecture == ""  # whose words are half as wide as its blocks


def test_every_row_says_how_it_was_counted() -> None:
    assert all(row["of"].keys() == row["totals"].keys() for row in ROWS.values())
    assert len(ROWS) == len(TABLE["model"])
    assert TABLE["shared"].keys() == {row["shared"] for row in ROWS.values() if "shared" in row}


def ours(architecture: str, total: str, **sizes: int) -> int:
    """A total by the formulas of an architecture."""
    tree = load_architecture(architecture)
    account = tree.totals[total].account(tree.active(frozenset(tree.options) - {"task"}), tree.totals)
    assert account is not None
    known = {name: size for name, size in tree.complete(sizes).items() if size is not None}
    return sum(count.evaluate(known) for count in account.values())


def block(H: int, F: int) -> int:  # noqa: N803
    """One block of BERT, which a ViT's has no more and no less than."""
    return ours("bert", "encoder", L=1, H=H, F=F)


BERT = {"T": 2, "H": 768, "L": 12, "F": 3072}


@pytest.mark.parametrize(
    ("name", "total", "right"),
    [
        # A second query, key and value for what is global, in each block.
        (
            "Longformer base",
            "backbone+pooler",
            ours("bert", "backbone+pooler", **{**BERT, "V": 50265, "P": 4098, "T": 1}) + 12 * 3 * 769 * 768,
        ),
        # One table of 32 relative positions for all heads, and no segments.
        (
            "MPNet base",
            "backbone+pooler",
            ours("bert", "backbone+pooler", **{**BERT, "V": 30527, "P": 514, "T": 0}) + 32 * 12,
        ),
        # 512 relative positions with a norm of their own, neither absolute ones nor segments.
        ("DeBERTa v3 base", "without embeddings", 12 * block(768, 3072) + 512 * 768 + 2 * 768),
        ("DeBERTa v3 large", "without embeddings", 24 * block(1024, 4096) + 512 * 1024 + 2 * 1024),
        # Two matrices for positions beside query, key, value and output: 14 H² in a block; 13 H of biases and norms.
        ("DeBERTa large", "backbone", 50265 * 1024 + 2048 + 1024 * 1024 + 24 * (14 * 1024**2 + 13 * 1024)),
        # Two positions more than the context; GPT-2 otherwise.
        ("OPT 125M", "whole", ours("gpt2", "whole", V=50272, P=2050, H=768, L=12, F=3072)),
        ("OPT 175B", "whole", ours("gpt2", "whole", V=50272, P=2050, H=12288, L=96, F=49152)),
        # Query, key and value without biases.
        ("GPT-Neo 125M", "whole", ours("gpt2", "whole", V=50257, P=2048, H=768, L=12, F=3072) - 12 * 3 * 768),
        # No positions, and a norm behind the token table.
        ("BLOOM 560M", "whole", ours("gpt2", "whole", V=250880, P=0, H=1024, L=24, F=4096) + 2 * 1024),
        # LLaMA's form with the token table as output matrix, wide heads, one key for all of them.
        ("Gemma 2B", "whole", ours("llama", "backbone", V=256000, L=18, H=2048, A=8, K=1, D=256, F=16384)),
        ("Phi-3 mini", "whole", ours("llama", "whole", V=32064, L=32, H=3072, A=32, K=32, D=96, F=8192)),
        # Biases of query, key and value: 28 + 2 · 4 heads of 128.
        (
            "Qwen2.5 7B",
            "whole",
            ours("llama", "whole", V=152064, L=28, H=3584, A=28, K=4, D=128, F=18944) + 28 * 36 * 128,
        ),
        # A class token, 14² or 16² patches of 16 x 16 x 3 and a norm; a head for a thousand classes.
        ("ViT base", "backbone", 12 * block(768, 3072) + (1 + 197) * 768 + (16 * 16 * 3 + 1) * 768 + 2 * 768),
        ("ViT huge", "backbone", 32 * block(1280, 5120) + (1 + 257) * 1280 + (14 * 14 * 3 + 1) * 1280 + 2 * 1280),
    ],
)
def test_what_is_a_sum_of_our_formulas_is_that(name: str, total: str, right: int) -> None:
    assert ROWS[name]["totals"][total] == right


def model(name: str) -> Model:
    return next(one for one in every_model() if one.name == name)


@pytest.mark.parametrize(
    ("name", "total", "count"),
    [
        ("GPT-3", "whole", 174_604_259_328),
        ("LaBSE", "backbone+pooler", 470_926_848),
        ("MiniLM-L12, multilingual", "backbone+pooler", 117_653_760),
        ("DistilGPT-2", "whole", 81_912_576),
        ("Mistral 7B", "whole", 7_241_732_096),
        ("Mixtral 8x7B", "whole", 46_702_792_704),
        ("BigBird base", "backbone+pooler", 127_468_800),
        ("NEZHA base, Chinese", "backbone+pooler", 101_874_432),  # BERT base, Chinese, without its 512 positions
        ("BGE-M3", "backbone+pooler", 567_754_752),
        ("Yi 34B", "whole", 34_388_917_248),
        ("Mistral Nemo 12B", "whole", 12_247_782_400),
        ("DeepSeek LLM 7B", "whole", 6_910_365_696),
        ("OpenAI GPT", "whole", 116_534_784),  # no norm behind the last block
    ],
)
def test_models_of_our_architectures_are_computed(name: str, total: str, count: int) -> None:
    assert {one.path: one.count for one in model(name).totals}[total] == count


def test_what_a_model_lacks_is_in_none_of_its_totals() -> None:
    assert [one.path for one in model("Llama 3.2 1B").totals] == ["whole"]  # its head is the token embedding
    assert "backbone+pooler" not in {one.path for one in model("DistilBERT, uncased").totals}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("resnet50", "ResNet-50"),
        ("google/flan-t5-base", "T5 1.1 base"),
        ("t5-small", "T5 small"),
        ("google/mt5-small", "mT5 small"),
        ("ViT-B/32", "ViT base, patches of 32"),
        ("ViT-B/16", "ViT base"),
        ("facebook/mbart-large-50", "mBART-50 large"),
        ("gemma-2-2b", "Gemma 2 2B"),
        ("gemma-2b", "Gemma 2B"),
        ("GPT-4", "another model"),
        ("openai-gpt", "OpenAI GPT"),
        ("electra-base", "ELECTRA base"),
        ("facebook/esm2_t6_8M_UR50D", "ESM-2 8M"),
        ("ESM-2 650M", "ESM-2 650M"),
        ("swin-tiny-patch4", "Swin tiny"),
        ("convnext-base-224", "ConvNeXt base"),
        ("ModernBERT-large", "ModernBERT large"),
        ("microsoft/mdeberta-v3-base", "mDeBERTa v3 base"),
        ("dmis-lab/biobert-base-cased-v1.1", "BERT base, cased"),
        ("BAAI/bge-m3", "BGE-M3"),
        ("paraphrase-multilingual-mpnet-base-v2", "XLM-R base"),
        ("intfloat/multilingual-e5-base", "XLM-R base"),
        ("intfloat/multilingual-e5-large", "XLM-R large"),
        ("nezha-cn-base", "NEZHA base, Chinese"),
        ("hfl/chinese-macbert-large", "BERT large, Chinese"),
        ("PlanTL-GOB-ES/roberta-base-bne", "RoBERTa base, Spanish (MarIA)"),
        ("vicuna-7b-v1.5", "LLaMA 7B"),
        ("codellama-13b-hf", "Code Llama 13B"),
        ("Qwen2-0.5B", "Qwen2.5 0.5B"),
        ("Qwen1.5-7B-Chat", "Qwen1.5 7B"),
        ("gemma-3-1b-it", "Gemma 3 1B"),
        ("Mistral-Nemo-Base-2407", "Mistral Nemo 12B"),
        ("wav2vec2-base-960h", "wav2vec 2.0 base"),
        ("facebook/dinov2-large", "DINOv2 large"),
        ("nllb-200-distilled-600M", "NLLB 600M"),
    ],
)
def test_a_name_is_that_of_its_model(text: str, name: str) -> None:
    assert mentions(text)[0].candidates[0].name == name


def test_the_rows_name_models_that_there_are() -> None:
    known = {one.name for one in every_model()}
    assert all({*row["is"], *row.get("also", ())} <= known for row in packaged("claims", "models")["model"])
    assert all(re.compile(row["says"]) for row in packaged("claims", "models")["model"])


def test_a_formula_leaves_out_what_a_model_lacks() -> None:
    """OpenAI GPT has no norm behind the last block, so that its formula has no more than that."""
    (claim,) = check("OpenAI-GPT has 116,534,784 parameters.", "text").claims
    assert (claim.verdict, claim.model) == ("holds", "OpenAI GPT")
    assert claim.explanation.endswith("V·H + P·H + L·(4·H² + 2·H·F + F + 9·H) = 116,534,784")
