"""What a source stores beside its parameters: buffers, states of quantisers and optimizers, by name and by shape."""

import pytest

from reconcile.inventory import Tensor
from reconcile.mapping.non_parameters import beside

BESIDE = {
    "bert.embeddings.position_ids": ((1, 512), "buffer"),
    "final_logits_bias": ((1, 1009), "buffer"),
    "model.layers.0.self_attn.rotary_emb.inv_freq": ((64,), "buffer"),
    "transformer.h.0.attn.bias": ((1, 1, 1024, 1024), "buffer"),  # GPT-2's causal mask
    "transformer.h.0.attn.masked_bias": ((), "buffer"),
    "transformer.h.0.attn.attention.bias": ((1, 1, 77, 77), "buffer"),  # GPT-Neo's
    "encoder.layer.0.attention.self.query.fc_scaling_factor": ((64,), "buffer"),  # I-BERT's quantiser
    "encoder.layer.0.attention.self.query.weight_integer": ((64, 64), "buffer"),
    "encoder.layer.0.output.ln_input_act.act_scaling_factor": ((1,), "buffer"),
    "embeddings.embeddings_act1.x_min": ((1,), "buffer"),
    "embeddings.LayerNorm.shift": ((1,), "buffer"),
    "model.layers.0.mlp.up_proj.weight.absmax": ((4096,), "buffer"),  # bitsandbytes'
    "bn.running_mean": ((16,), "buffer"),
    "batch_stats/BatchNorm_0/mean": ((8,), "buffer"),
    "exp_avg.bert.pooler.dense.weight": ((8, 8), None),  # not where PyTorch keeps it
    "state.0.exp_avg": ((8, 8), "optimizer"),
    "bert/pooler/dense/kernel/adam_m": ((8, 8), "optimizer"),
    "opt_state.0.mu.kernel": ((8, 8), "optimizer"),
    "bert.encoder.layer.0.attention.self.query.bias": ((64,), None),
    "layer.bias": ((1, 1, 3, 4), None),
    "vit.embeddings.mask_token": ((1, 1, 64), None),
    "swin.relative_position_bias_table": ((169, 3), None),
}


@pytest.mark.parametrize("name", BESIDE)
def test_an_array_is_a_parameter_or_stands_beside_them(name: str) -> None:
    shape, role = BESIDE[name]
    assert beside(Tensor(name, shape, "float32", None, name)) == role


def test_what_is_trained_is_a_parameter_whatever_its_name() -> None:
    assert beside(Tensor("attention/mask", (4, 4), "float32", True, "mask")) is None
