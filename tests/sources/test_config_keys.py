"""Keys of configurations that change a count: honoured, or the configuration is declined by the key's name.

Counts of Hugging Face's own classes, transformers 5.23 and 4.57, at V = 509, H = 24, L = 3, A = 4, F = 40, P = 30.
"""

import pytest

from reconcile.errors import InputError
from reconcile.mapping.tensors import map_source
from reconcile.sources.config import inventory_of_config, read_config, said_beside

BERT = {
    "model_type": "bert",
    "vocab_size": 509,
    "hidden_size": 24,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 40,
    "max_position_embeddings": 30,
    "type_vocab_size": 2,
}
GPT2 = {"model_type": "gpt2", "vocab_size": 509, "n_embd": 24, "n_head": 4, "n_layer": 3, "n_positions": 30}
NARROW = BERT | {"embedding_size": 12}
MASKED, DOUBLE = ["BertForMaskedLM"], ["GPT2DoubleHeadsModel"]
CHOICE = ["ElectraForMultipleChoice"]


def total(table: dict[str, object]) -> int:
    return map_source(inventory_of_config(read_config(table, "config.json"))).total


def model(kind: str, **changed: object) -> dict[str, object]:
    base = GPT2 if kind == "gpt2" else NARROW if kind in ("albert", "electra", "mobilebert") else BERT
    return {**base, **changed, "model_type": kind}


# What a setting adds to the count that the same class has without it.
DIFFERENCES = [
    # the output matrix V·H, and since version 5 a second bias of V
    (model("bert", architectures=MASKED), {"tie_word_embeddings": False, "transformers_version": "5.23.0"}, 509 * 25),
    (model("bert", architectures=MASKED), {"tie_word_embeddings": False, "transformers_version": "4.57.6"}, 509 * 24),
    (model("electra", architectures=["ElectraForMaskedLM"]), {"tie_word_embeddings": False}, 509 * 12),
    (model("gpt2", architectures=["GPT2LMHeadModel"]), {"tie_word_embeddings": False}, 509 * 24),
    (model("bert", architectures=["BertModel"]), {"tie_word_embeddings": False}, 0),
    # attention to an encoder: 4·(H² + H) + 2·H in each block
    (model("bert"), {"add_cross_attention": True, "is_decoder": True}, 3 * (4 * (576 + 24) + 48)),
    (model("gpt2"), {"add_cross_attention": True}, 3 * (4 * (576 + 24) + 48)),
    # the projection of a summary: H² + H, or as many outputs as labels
    (model("electra", architectures=CHOICE), {"summary_use_proj": False}, -600),
    (model("electra", architectures=CHOICE), {"summary_proj_to_labels": True}, -550),
    (model("gpt2", architectures=DOUBLE), {"summary_use_proj": False}, -25),
    (model("gpt2", architectures=DOUBLE), {"summary_proj_to_labels": False}, 575),
    (model("gpt2", architectures=["GPT2ForQuestionAnswering"]), {"num_labels": 5}, 0),
    # `classifier_activation` off leaves the pooler without a dense layer
    (model("mobilebert", num_hidden_layers=1), {"classifier_activation": False}, -600),
    (model("bert"), {"type_vocab_size": 0}, -48),
    # as many labels as have names, whatever else is stated
    (model("bert", architectures=["BertForSequenceClassification"]), {"num_labels": 5, "id2label": {"0": "a"}}, -25),
    # biases of the projections, (H + 2·U + H) and (2·F + H) in each block, with U = 2·6
    (model("llama", num_key_value_heads=2), {"attention_bias": True}, 3 * 72),
    (model("llama", num_key_value_heads=2), {"mlp_bias": True}, 3 * 104),
    (model("llama", num_key_value_heads=2), {"head_dim": 8}, 3 * (2 * 24 * 8 + 2 * 24 * 4)),
    (model("llama"), {"tie_word_embeddings": True}, -509 * 24),
    (model("mistral"), {"attention_bias": True}, 0),
]


@pytest.mark.parametrize(("table", "changed", "difference"), DIFFERENCES)
def test_a_setting_changes_the_count_as_the_library_does(
    table: dict[str, object], changed: dict[str, object], difference: int
) -> None:
    if table["model_type"] == "mobilebert":
        table = table | {"intra_bottleneck_size": 16}
    assert total({**table, **changed}) - total(table) == difference


# A setting with which the formulas would not hold, and how it is named.
DECLINED = [
    (model("bert"), {"torchscript": True}, "torchscript: got True"),
    (model("bert"), {"position_embedding_type": "relative_key"}, "position_embedding_type: got 'relative_key'"),
    (model("bert"), {"add_cross_attention": True}, "is_decoder: got None, takes True, which add_cross_attention needs"),
    (model("bert"), {"tie_word_embeddings": None}, "tie_word_embeddings: got None (null), takes true or false"),
    (model("bert"), {"architectures": ["BertForSomethingElse"]}, "architectures: got 'BertForSomethingElse'"),
    (model("albert"), {"architectures": ["AlbertForPreTraining"], "num_labels": 3}, "num_labels: got 3, takes 2"),
    (
        model("mobilebert"),
        {"intra_bottleneck_size": 17},
        "num_attention_heads: got 4, takes a divisor of B",
    ),
    (model("mobilebert"), {"intra_bottleneck_size": 16, "true_hidden_size": 8}, "true_hidden_size: got 8, takes 16"),
    (model("gpt2"), {"hidden_size": 48}, "hidden_size: got 48, takes 24, as another key of H says"),
]


@pytest.mark.parametrize(("table", "changed", "message"), DECLINED)
def test_a_setting_that_is_not_honoured_is_named(
    table: dict[str, object], changed: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError) as refused:
        read_config({**table, **changed}, "config.json")
    assert message in str(refused.value)


def test_without_a_version_an_untied_head_is_declined() -> None:
    with pytest.raises(InputError) as refused:
        read_config(model("bert", architectures=MASKED, tie_word_embeddings=False), "config.json")
    assert (
        "transformers_version: got None, takes a version: from 5 on what ties nothing has a second output bias"
        in str(refused.value)
    )


def test_a_setting_that_is_a_text_switches_by_how_it_begins() -> None:
    assert "gate" not in read_config({"model_type": "t5", "feed_forward_proj": "relu"}, "config.json").options
    assert "gate" in read_config({"model_type": "t5", "feed_forward_proj": "gated-silu"}, "config.json").options
    with pytest.raises(InputError, match=r"feed_forward_proj: got True .* takes a text"):
        read_config({"model_type": "t5", "feed_forward_proj": True}, "config.json")


@pytest.mark.parametrize(("said", "settings"), [(False, {"tie_word_embeddings": False}), (True, {}), (0, {})])
def test_that_nothing_is_tied_is_believed_of_any_model(said: object, settings: dict[str, bool]) -> None:
    assert said_beside({"model_type": "unknown", "tie_word_embeddings": said}) == settings
