"""Specs and configurations: what they mean, and one clear line for each that cannot be built as it is written."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, TINY, spec_text

from reconcile.errors import InputError
from reconcile.selection import value
from reconcile.spec import load_spec, model_names
from reconcile.taxonomy import load_architecture

SMALL = [f"bert-uncased-L-{layers}-H-{hidden}" for layers in (2, 4, 6, 8, 10, 12) for hidden in (128, 256, 512, 768)]
MODELS = {
    *("stackexchange-bert-base", "tiny", "gpt3-size", "bert-base-inference", "bert-base-task"),
    *("bert-base-uncased", "bert-base-cased", "bert-large-uncased", "bert-large-cased"),
    *("bert-multilingual-cased", "bert-multilingual-uncased", "bert-chinese", *SMALL),
}


def test_the_models_that_come_with_the_project() -> None:
    assert len(SMALL) == 24
    assert set(model_names()) == MODELS


# What the formulas make of each model's dimensions: its total as built.
TOTALS = {
    "stackexchange-bert-base": 109_705_010,
    "tiny": 84_326,
    "gpt3-size": 174_887_523_411,
    "bert-base-inference": 108_891_648,  # embeddings and encoder, no heads
    "bert-base-task": 110_114_108,  # pretraining and 10 · 768 for ten tasks
    "bert-base-uncased": 110_106_428,
    "bert-base-cased": 108_932_934,
    "bert-large-uncased": 336_226_108,
    "bert-large-cased": 334_661_958,
    "bert-multilingual-cased": 178_566_653,
    "bert-multilingual-uncased": 168_055_961,
    "bert-chinese": 102_882_442,
    "bert-uncased-L-2-H-128": 4_433_468,
    "bert-uncased-L-4-H-256": 11_267_900,
    "bert-uncased-L-4-H-512": 29_058_876,
    "bert-uncased-L-8-H-512": 41_668_412,
    "bert-uncased-L-12-H-768": 110_106_428,
}


@pytest.mark.parametrize("name", sorted(MODELS))
def test_every_model_is_loadable_by_its_name(name: str) -> None:
    spec = load_spec(name)
    assert spec.name == name
    assert spec.title
    assert spec.source
    sizes = spec.dimensions
    assert sizes["F"] == 4 * (sizes["H"] or 0) or name == "tiny"
    assert sizes["D"] == (128 if name == "gpt3-size" else 16 if name == "tiny" else 64)


@pytest.mark.parametrize("name", sorted(TOTALS))
def test_what_a_model_comes_to_by_its_formulas(name: str) -> None:
    spec = load_spec(name)
    parts = load_architecture("bert").active(spec.options)
    sizes = {part.path: part.size * part.times for part in parts if part.tied_to is None}
    assert value(sizes).evaluate(spec.dimensions) == TOTALS[name]


@pytest.mark.parametrize("layers", [2, 4, 6, 8, 10, 12])
@pytest.mark.parametrize("hidden", [128, 256, 512, 768])
def test_the_small_models_by_plain_arithmetic(layers: int, hidden: int) -> None:
    spec = load_spec(f"bert-uncased-L-{layers}-H-{hidden}")
    assert spec.arguments["head_num"] == hidden // 64
    width = 4 * hidden
    attention = 4 * (hidden * hidden + hidden)
    feed_forward = (hidden * width + width) + (width * hidden + hidden)
    embeddings = (30522 + 512 + 2) * hidden
    dense, norm = hidden * hidden + hidden, 2 * hidden
    blocks = layers * (attention + norm + feed_forward + norm)
    heads = dense + (dense + norm + 30522) + (2 * hidden + 2)
    parts = load_architecture("bert").active(spec.options)
    total = value({part.path: part.size * part.times for part in parts if part.tied_to is None})
    assert total.evaluate(spec.dimensions) == embeddings + norm + blocks + heads


def test_a_spec_says_what_is_given_and_what_is_defaulted() -> None:
    spec = load_spec(str(ROOT / "models" / "stackexchange-bert-base.toml"))
    assert spec.title == "BERT base as asked about in 2019"
    assert spec.references == ("bert-paper-base",)
    assert spec.options == {"pooler", "mlm", "nsp"}
    assert (spec.arguments["seq_len"], spec.arguments["pos_num"], spec.arguments["dropout_rate"]) == (500, 512, 0.05)
    assert spec.defaulted == {
        *("attention_activation", "feed_forward_activation", "training", "trainable"),
        *("output_layer_num", "use_task_embed", "task_num"),
    }
    sizes = {"V": 30000, "P": 512, "T": 2, "K": None, "H": 768, "A": 12, "D": 64, "F": 3072, "L": 12, "S": 500}
    assert spec.dimensions == sizes


# Arguments beside the tiny model's, and the dimensions and options that follow.
MEANINGS: list[tuple[dict[str, Any], dict[str, int | None], str]] = [
    ({}, {"L": 2, "S": 32, "K": None}, "mlm nsp pooler"),
    ({"seq_len": "none"}, {"S": None}, "mlm nsp pooler"),
    ({"use_task_embed": True, "task_num": 3}, {"K": 3}, "mlm nsp pooler task"),
    ({"task_num": 3}, {"K": None}, "mlm nsp pooler"),
    ({"training": False}, {"L": 2}, ""),
    ({"training": False, "transformer_num": 9, "output_layer_num": 3}, {"L": 9}, ""),
    ({"training": False, "transformer_num": 9, "output_layer_num": [3]}, {"L": 4}, ""),  # blocks 1 to 4
    ({"training": False, "transformer_num": 9, "output_layer_num": [0, 3, 1]}, {"L": 4}, ""),
    ({"training": False, "transformer_num": 9, "output_layer_num": [-1]}, {"L": 9}, ""),
    ({"training": False, "transformer_num": 9, "output_layer_num": [-9, -8]}, {"L": 2}, ""),
    ({"training": True, "transformer_num": 9, "output_layer_num": [0]}, {"L": 9}, "mlm nsp pooler"),
]


@pytest.mark.parametrize(("arguments", "sizes", "options"), MEANINGS)
def test_what_arguments_mean(
    arguments: dict[str, Any], sizes: dict[str, int | None], options: str, spec_file: Callable[..., Path]
) -> None:
    spec = load_spec(str(spec_file(TINY | arguments)))
    assert {name: spec.dimensions[name] for name in sizes} == sizes
    assert sorted(spec.options) == options.split()


GOOGLE = {
    "attention_probs_dropout_prob": 0.1,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.2,
    "hidden_size": 64,
    "initializer_range": 0.02,
    "intermediate_size": 128,
    "max_position_embeddings": 32,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "type_vocab_size": 16,
    "vocab_size": 100,
}


def test_a_configuration_is_a_spec(tmp_path: Path) -> None:
    file = tmp_path / "bert_config.json"
    file.write_text(json.dumps(GOOGLE))
    spec = load_spec(str(file))
    assert {key: spec.arguments[key] for key in TINY} == TINY
    assert (spec.arguments["dropout_rate"], spec.claimed) == (0.2, {"T": 16})
    assert spec.dimensions["T"] == 16
    file.write_text(json.dumps(GOOGLE | {"model_type": "bert", "architectures": ["BertForMaskedLM"]}))
    assert load_spec(str(file)).arguments == spec.arguments


# What stands in a spec in place of the tiny model's line, and the line that is said: FILE is the file's name.
SIZE = "takes a whole number of at least 1"
WRONG_SPECS = [
    ({"head_nums": 4}, "arguments.head_nums: got a key that is not known here, takes 'head_num' perhaps; known are token_num, pos_num, seq_len, embed_dim, transformer_num, head_num, feed_forward_dim, dropout_rate, attention_activation, feed_forward_activation, training, trainable, output_layer_num, use_task_embed, task_num"),
    ({"token_num": None}, f"arguments.token_num: got nothing, {SIZE}"),
    ({"token_num": 0}, f"arguments.token_num: got 0, {SIZE}"),
    ({"token_num": -1}, f"arguments.token_num: got -1, {SIZE}"),
    ({"token_num": "many"}, f"arguments.token_num: got 'many' (text), {SIZE}"),
    ({"token_num": 30000.0}, f"arguments.token_num: got 30000.0 (a number), {SIZE}"),
    ({"token_num": True}, f"arguments.token_num: got True (true or false), {SIZE}"),
    ({"token_num": [100]}, f"arguments.token_num: got [100] (a list), {SIZE}"),
    ({"token_num": "none"}, f"arguments.token_num: got 'none' (text), {SIZE}"),
    ({"token_num": 2**31}, f"arguments.token_num: got 2147483648, {SIZE} and below 2³¹"),
    ({"token_num": 10**4000}, f"arguments.token_num: got a number of about 4,000 digits, {SIZE} and below 2³¹"),
    ({"transformer_num": 0}, f"arguments.transformer_num: got 0, {SIZE}"),
    ({"transformer_num": 2_001}, "arguments.transformer_num: got 2001, takes a whole number from 1 to 2,000"),
    ({"seq_len": 0}, f"arguments.seq_len: got 0, {SIZE}"),
    ({"head_num": 5}, "arguments.head_num: got 5, takes a divisor of embed_dim, which is 64"),
    ({"head_num": 128}, "arguments.head_num: got 128, takes a divisor of embed_dim, which is 64"),
    ({"seq_len": 33}, "arguments.seq_len: got 33, takes at most pos_num, which is 32"),
    ({"dropout_rate": 1.5}, "arguments.dropout_rate: got 1.5, takes a number from 0 to below 1"),
    ({"dropout_rate": 1}, "arguments.dropout_rate: got 1, takes a number from 0 to below 1"),
    ({"dropout_rate": -0.1}, "arguments.dropout_rate: got -0.1, takes a number from 0 to below 1"),
    ({"dropout_rate": float("nan")}, "arguments.dropout_rate: got nan, takes a number from 0 to below 1"),
    ({"dropout_rate": "0.1"}, "arguments.dropout_rate: got '0.1' (text), takes a number from 0 to below 1"),
    ({"dropout_rate": True}, "arguments.dropout_rate: got True (true or false), takes a number from 0 to below 1"),
    ({"training": 1}, "arguments.training: got 1 (a whole number), takes true or false"),
    ({"use_task_embed": "yes"}, "arguments.use_task_embed: got 'yes' (text), takes true or false"),
    ({"task_num": 0}, f"arguments.task_num: got 0, {SIZE}"),
    ({"trainable": "Encoder"}, "arguments.trainable: got 'Encoder' (text), takes true, false, \"none\" or a list of layer name prefixes"),
    ({"trainable": [1]}, "arguments.trainable: got [1] (a list), takes true, false, \"none\" or a list of layer name prefixes"),
    ({"output_layer_num": 0}, "arguments.output_layer_num: got 0, takes 1 to transformer_num, which is 2"),
    ({"output_layer_num": 3}, "arguments.output_layer_num: got 3, takes 1 to transformer_num, which is 2"),
    ({"output_layer_num": []}, "arguments.output_layer_num: got [] (a list), takes a whole number, or a list of block numbers"),
    ({"output_layer_num": [2]}, "arguments.output_layer_num: got 2, takes block numbers from -2 to 1 (transformer_num is 2)"),
    ({"output_layer_num": [-3]}, "arguments.output_layer_num: got -3, takes block numbers from -2 to 1 (transformer_num is 2)"),
    ({"output_layer_num": [1.0]}, "arguments.output_layer_num: got [1.0] (a list), takes a whole number, or a list of block numbers"),
    ({"feed_forward_activation": "geluu"}, "arguments.feed_forward_activation: got 'geluu', takes 'gelu' perhaps; known are elu, exponential, gelu, hard_sigmoid, linear, mish, none, relu, selu, sigmoid, softmax, softplus, softsign, swish, tanh"),
]  # fmt: skip


def message(file: Path) -> str:
    with pytest.raises(InputError) as refused:
        load_spec(str(file))
    text = str(refused.value)
    assert "\n" not in text
    return text.replace(str(file), "FILE").replace(str(file.parent), "FOLDER")


@pytest.mark.parametrize(("change", "said"), WRONG_SPECS, ids=lambda part: str(part)[:40])
def test_a_wrong_value_is_told_by_file_key_and_what_it_takes(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    file = tmp_path / "spec.toml"
    file.write_text(spec_text({k: v for k, v in (TINY | change).items() if v is not None}), "utf-8")
    assert message(file) == f"FILE: {said}"


WRONG_FILES = [
    ("x.toml", b"", "FILE: arguments: got nothing, takes a value"),
    ("x.toml", b"arguments = 3", "FILE: arguments: got 3 (a whole number), takes a table"),
    ("x.toml", b"[arguments]\ntoken_num =", "FILE: got Invalid value (at end of document), takes TOML"),
    ("x.toml", b"[arguments]\n[arguments]", "FILE: got Cannot declare ('arguments',) twice (at line 2, column 11), takes TOML"),
    ("x.toml", b"[argument]", "FILE: argument: got a key that is not known here, takes 'arguments' perhaps; known are title, source, question, architecture, builder, references, arguments"),
    ("x.toml", b"builder = 'tensorflow'\n[arguments]", "FILE: builder: got 'tensorflow', takes one of DIALECTS"),
    ("x.toml", b"architecture = 'gpt'\n[arguments]", "FILE: architecture: got 'gpt', takes one of ARCHITECTURES"),
    ("x.toml", b"title = 3\n[arguments]", "FILE: title: got 3 (a whole number), takes text"),
    ("x.toml", b"references = 'bert-paper-base'\n[arguments]", "FILE: references: got 'bert-paper-base' (text), takes a list"),
    ("x.toml", b"references = [3]\n[arguments]\ntoken_num = 3", "FILE: references: got 3 (a whole number), takes names of references, as text"),
    ("x.toml", b"\x89PNG\r\n\x1a\n", "FILE: byte 1: got bytes that are not UTF-8, takes a text file"),
    ("x.toml", "title = 'Bärt'".encode("latin-1"), "FILE: byte 11: got bytes that are not UTF-8, takes a text file"),
    ("x.toml", b"a = " + b"[" * 100_000, "FILE: got tables nested too deeply, takes TOML"),
    ("x.toml", b"[arguments]\ntoken_num = " + b"9" * 5000, "FILE: got a number of thousands of digits, takes numbers that a model can have"),
    ("x.toml", b"[arguments]\ntoken_num = 0x" + b"F" * 5000, "FILE: arguments.token_num: got a number of about 6,020 digits, takes a whole number of at least 1 and below 2³¹"),
    ("x.toml", b" " * (4 * 2**20 + 1), "FILE: got more than 4,194,304 bytes, takes a smaller file"),
    ("c.json", b'{"vocab_size": 100', "FILE: line 1: got Expecting ',' delimiter, takes JSON"),
    ("c.json", b'{"vocab_size": 100,\n"hidden_size"', "FILE: line 2: got Expecting ':' delimiter, takes JSON"),
    ("c.json", b"", "FILE: line 1: got Expecting value, takes JSON"),
    ("c.json", b"[1, 2]", "FILE: got [1, 2] (a list), takes an object, {...}"),
    ("c.json", b"30522", "FILE: got 30522 (a whole number), takes an object, {...}"),
    ("c.json", b"{}", "FILE: vocab_size: got nothing, takes a whole number (a BERT configuration has one)"),
    ("c.json", b'{"vocab_size": null}', f"FILE: vocab_size: got nothing, {SIZE}"),
    ("c.json", b'{"vocab_size": "30522"}', f"FILE: vocab_size: got '30522' (text), {SIZE}"),
    ("c.json", b'{"vocab_size": NaN}', f"FILE: vocab_size: got 'NaN' (text), {SIZE}"),
    ("c.json", b'{"vocab_size": 1e999}', f"FILE: vocab_size: got inf (a number), {SIZE}"),
    ("c.json", b'{"vocab_size": 100, "hidden_dropout_prob": NaN}', "FILE: hidden_dropout_prob: got 'NaN' (text), takes a number from 0 to below 1"),
    ("c.json", b'{"vocab_size": 100, "type_vocab_size": 0}', f"FILE: type_vocab_size: got 0, {SIZE}"),
    ("c.json", b'{"vocab_size": 100, "num_attention_heads": 7}', "FILE: num_attention_heads: got 7, takes a divisor of embed_dim, which is 768"),
    ("c.json", b'{"vocab_size": 100, "model_type": "gpt2"}', "FILE: model_type: got 'gpt2', takes 'bert', which is what keras-bert builds"),
    ("c.json", b'{"vocab_size": 100, "hidden_act": "gelu_new"}', "FILE: hidden_act: got 'gelu_new', takes 'gelu' perhaps; known are elu, exponential, gelu, hard_sigmoid, linear, mish, none, relu, selu, sigmoid, softmax, softplus, softsign, swish, tanh"),
    ("c.json", b'{"vocab_size": ' + b"[" * 100_000, "FILE: got lists nested too deeply, takes JSON"),
    ("c.json", b'{"vocab_size": ' + b"9" * 5000 + b"}", "FILE: got a number of thousands of digits, takes numbers that a model can have"),
    ("c.json", b'{"vocab_size": "' + b"9" * 5000 + b'"}', f"FILE: vocab_size: got '{'9' * 79}... and 4,922 characters more (text), {SIZE}"),
    ("no-suffix", b'{"vocab_size": 0}', f"FILE: vocab_size: got 0, {SIZE}"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data", "said"), WRONG_FILES, ids=lambda part: str(part)[:40])
def test_a_file_that_is_no_spec_is_told_so(name: str, data: bytes, said: str, tmp_path: Path) -> None:
    from reconcile.dialect import dialects_with
    from reconcile.taxonomy import architecture_names

    file = tmp_path / name
    file.write_bytes(data)
    said = said.replace("DIALECTS", ", ".join(dialects_with("arguments")))
    assert message(file) == said.replace("ARCHITECTURES", ", ".join(architecture_names()))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere/x.toml", "nowhere/x.toml: got no such file"),
        ("tests", "tests: got a directory, takes a file"),
        ("bert-base-uncasd", "bert-base-uncasd: got no such file, takes a file, or a model that comes with the project: 'bert-base-uncased' perhaps; known are 36 names"),
    ],
)  # fmt: skip
def test_a_file_that_is_not_there(name: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(InputError) as refused:
        load_spec(name)
    assert str(refused.value) == said


def test_a_file_of_the_name_of_a_model_comes_before_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_spec("tiny").dimensions["V"] == 100
    Path("tiny").write_text(spec_text(TINY | {"token_num": 7}))
    assert load_spec("tiny").dimensions["V"] == 7
