"""What `torch.utils.flop_counter` counts of models that transformers builds, against the formulas.

Run in the implementation's own environment, as `real.py` is:

    PYTHONPATH=tests:tests/implementations python -m pytest tests/implementations/counted.py
"""

from typing import Any

import pytest
import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode

from reconcile.costing.conventions import load_convention
from reconcile.costing.counting import count
from reconcile.costing.workload import Workload
from reconcile.pipeline.cost import of_ledger
from reconcile.pipeline.given import open_one

SIZES = {
    "vocab_size": 101, "max_position_embeddings": 40, "hidden_size": 24, "num_attention_heads": 3,
    "intermediate_size": 50, "num_hidden_layers": 5,
}  # fmt: skip
GPT2 = {"vocab_size": 101, "n_positions": 40, "n_embd": 24, "n_head": 3, "n_inner": 50, "n_layer": 5}
DISTIL = {"vocab_size": 101, "max_position_embeddings": 40, "dim": 24, "n_heads": 3, "hidden_dim": 50, "n_layers": 5}
NARROW = SIZES | {"embedding_size": 14}
LLAMA = SIZES | {"num_key_value_heads": 1}
MODELS = [
    ("BertModel", "BertConfig", SIZES),
    ("BertForPreTraining", "BertConfig", SIZES),
    ("RobertaForMaskedLM", "RobertaConfig", SIZES),
    ("DistilBertForMaskedLM", "DistilBertConfig", DISTIL),
    ("AlbertForPreTraining", "AlbertConfig", NARROW),
    ("ElectraForPreTraining", "ElectraConfig", NARROW),
    ("GPT2LMHeadModel", "GPT2Config", GPT2),
    ("LlamaForCausalLM", "LlamaConfig", LLAMA),
]


def built(name: str, config: str, sizes: dict[str, int]) -> Any:
    settings = getattr(transformers, config)(**sizes)
    settings._attn_implementation = "eager"
    settings.use_cache = False
    return getattr(transformers, name)(settings).eval()


@pytest.mark.parametrize(("name", "config", "sizes"), MODELS, ids=[name for name, _, _ in MODELS])
@pytest.mark.parametrize(("batch", "length"), [(1, 7), (3, 11)])
def test_every_operation_is_counted(name: str, config: str, sizes: dict[str, int], batch: int, length: int) -> None:
    made = built(name, config, sizes)
    of = of_ledger(open_one(made).ledger, name)
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        made(torch.randint(3, 100, (batch, length)))
    ours = count(of, Workload(length, batch), load_convention("torch"))
    assert counter.get_total_flops() == ours.total
