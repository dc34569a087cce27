"""Keys of configurations that change a count: honoured, or the configuration is declined by the key's name.

Counts of Hugging Face's own classes, transformers 5.23 and 4.57, at V = 509, H = 24, L = 3, A = 4, F = 40, P = 30; what
the version decides by 5.24 and 4.57 at V = 20, H = 8, L = 1, A = 2, F = 16, P = 12.
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
    (model("bert", architectures=["BertModel"]), {"num_labels": 5, "id2label": {}}, 0),
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


OLD, NEW = {"transformers_version": "4.57.6"}, {"transformers_version": "5.24.0"}
SMALL = {"vocab_size": 20, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
POSITIONS = {"max_position_embeddings": 12}
T5 = {"vocab_size": 20, "d_model": 8, "d_kv": 4, "d_ff": 16, "num_layers": 1, "num_heads": 2}
GATED = {"feed_forward_proj": "gated-gelu"}


def small(name: str, cls: str, *without: str, **changed: object) -> dict[str, object]:
    """A small model of a class, some of its keys left out and others changed."""
    base = T5 if name in ("t5", "mt5") else SMALL if name in ("qwen2", "smollm3", "mixtral") else SMALL | POSITIONS
    kept = {key: value for key, value in base.items() if key not in without}
    return {"model_type": name, "architectures": [cls], **kept, **changed}


CLASSIFIER = small("bert", "BertForSequenceClassification")
NAMED = {"id2label": {"0": "a", "1": "b", "2": "c"}}

# The library's own count of a class, and which of its versions that is; None for both.
COUNTED = [
    # one encoder: V·H + 32·A + 4·H·N + 3·H·F + 3·H, and none of a decoder's gate
    (small("t5", "T5EncoderModel", **GATED), None, 888),
    (small("mt5", "MT5ForTokenClassification"), None, 888 + 18),
    # the output matrix V·H, which mT5 shares from 5 on
    (small("mt5", "MT5ForConditionalGeneration"), OLD, 2_040),
    (small("mt5", "MT5ForConditionalGeneration"), NEW, 1_880),
    (small("mt5", "MT5Model"), None, 1_880),
    (small("t5", "T5ForConditionalGeneration", tie_word_embeddings=False), OLD, 1_624 + 160),
    # other names of T5's keys; the decoder's six blocks are those of the class, as num_layers was left out
    (small("t5", "T5Model", "d_model", hidden_size=8), None, 1_624),
    (small("t5", "T5Model", "num_heads", num_attention_heads=2), None, 1_624),
    (small("t5", "T5Model", "d_kv", head_dim=4), None, 1_624),
    (small("t5", "T5Model", "num_layers", num_hidden_layers=1), None, 1_624 + 5 * (8 * 8 * 8 + 2 * 8 * 16 + 3 * 8)),
    # what says that it is gated goes before what says how: H·F in each of two blocks
    (small("t5", "T5ForConditionalGeneration", is_gated_act=True), None, 1_624 + 2 * 8 * 16),
    (small("t5", "T5ForConditionalGeneration", is_gated_act=False, **GATED), None, 1_624),
    (small("t5", "T5Model", tie_encoder_decoder=True), NEW, 1_624),
    # H + 1 for a label: as many as are stated or have names
    (CLASSIFIER | {"num_labels": 4} | NAMED, OLD, 960 + 3 * 9),
    (CLASSIFIER | {"num_labels": 4} | NAMED, NEW, 960 + 4 * 9),
    (CLASSIFIER | {"_num_labels": 4}, None, 960 + 2 * 9),
    (CLASSIFIER | {"num_classes": 4}, None, 960 + 2 * 9),
    # heads are pruned before 5 only
    (small("bert", "BertModel", pruned_heads={"0": [1]}), NEW, 960),
    # key and value heads: 32 of Qwen2 where none are stated, as many as of queries where they are null
    (small("qwen2", "Qwen2Model"), None, 3_008),
    (small("qwen2", "Qwen2Model", num_key_value_heads=2), None, 3_008 - 30 * 2 * (8 + 1) * 4),
    (small("qwen2", "Qwen2Model", num_key_value_heads=None), None, 3_008 - 30 * 2 * (8 + 1) * 4),
    (small("smollm3", "SmolLM3Model", num_key_value_heads=None), None, 824),
    (small("mixtral", "MixtralModel", num_key_value_heads=None, num_local_experts=2), OLD, 1_224),
    # experts of 3·H·F + H, eight unless they are stated
    (small("mixtral", "MixtralModel", num_key_value_heads=1, num_experts=2), OLD, 3_512),
    (small("mixtral", "MixtralModel", num_key_value_heads=1, num_experts=2), NEW, 3_512 - 6 * (3 * 8 * 16 + 8)),
    (small("mixtral", "MixtralModel", num_key_value_heads=1, num_local_experts=2, num_experts=3), OLD, 1_160),
]


@pytest.mark.parametrize(("table", "version", "count"), COUNTED)
def test_a_class_has_the_count_of_its_version(
    table: dict[str, object], version: dict[str, object] | None, count: int
) -> None:
    assert {total(table | one) for one in ([OLD, NEW] if version is None else [version])} == {count}


BOTH_EXPERTS = {"num_local_experts": 2, "num_experts": 3}
TIED = "tie_word_embeddings: got False, takes True: from version 5 on such a file stands for two models"
# What stands for two models, makes one that no formula here has, or needs a version that is not stated.
UNDECIDED = [
    (small("t5", "T5ForConditionalGeneration", tie_word_embeddings=False), NEW, TIED),
    (small("mt5", "MT5EncoderModel", tie_word_embeddings=False), NEW, TIED),
    (small("t5", "T5ForConditionalGeneration", tie_word_embeddings=False), {}, TIED),
    (
        small("mt5", "MT5ForConditionalGeneration"),
        {},
        "takes a version: from 5 on the output matrix is the",
    ),
    (small("t5", "T5EncoderModel", is_decoder=True), NEW, "is_decoder: got True, takes False"),
    (small("t5", "T5Model", tie_encoder_decoder=True), OLD, "tie_encoder_decoder: got True, takes False"),
    (small("t5", "T5Model", hidden_size=16), NEW, "hidden_size: got 16, takes 8, as another key of H says"),
    (
        CLASSIFIER | {"num_labels": 4} | NAMED,
        {},
        "takes a version: from 5 on num_labels (4) decides",
    ),
    (CLASSIFIER | {"id2label": {}}, NEW, "id2label: got {}, takes an object with a name for each label"),
    (CLASSIFIER | {"hidden_size": None}, NEW, "hidden_size: got None (null), takes a whole number of at least 1"),
    (
        small("mixtral", "MixtralModel", num_experts=2),
        {},
        "takes a version: from 5 on num_experts is a size",
    ),
    (small("mixtral", "MixtralModel", **BOTH_EXPERTS), NEW, "num_experts: got 3, takes 2, as another key of X says"),
    (model("mobilebert", true_hidden_size=16), NEW, "true_hidden_size: got 16, takes 128"),
    (model("mobilebert", intra_bottleneck_size=16, pruned_heads={"0": [1]}), OLD, "pruned_heads: got {'0': [1]}"),
    (
        model("distilbert", architectures=["DistilBertForQuestionAnswering"]),
        {"num_labels": 3},
        "num_labels: got 3, takes 2",
    ),
]


@pytest.mark.parametrize(("table", "version", "message"), UNDECIDED)
def test_what_does_not_make_one_count_is_named(
    table: dict[str, object], version: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError) as refused:
        read_config({**table, **version}, "config.json")
    assert message in str(refused.value)


def test_a_setting_that_is_a_text_switches_by_how_it_begins() -> None:
    assert "gate" not in read_config({"model_type": "t5", "feed_forward_proj": "relu"}, "config.json").options
    assert "gate" in read_config({"model_type": "t5", "feed_forward_proj": "gated-silu"}, "config.json").options
    with pytest.raises(InputError, match=r"feed_forward_proj: got True .* takes a text"):
        read_config({"model_type": "t5", "feed_forward_proj": True}, "config.json")


@pytest.mark.parametrize(("said", "settings"), [(False, {"tie_word_embeddings": False}), (True, {}), (0, {})])
def test_that_nothing_is_tied_is_believed_of_any_model(said: object, settings: dict[str, bool]) -> None:
    assert said_beside({"model_type": "unknown", "tie_word_embeddings": said}) == settings
