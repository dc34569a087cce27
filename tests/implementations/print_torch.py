"""List the tensors of PyTorch's own Transformer modules: python print_torch.py DIRECTORY."""

import torch
from table import A, F, H, L, write
from torch import nn
from torch_rows import count, rows_of

LAYER = {"d_model": H, "nhead": A, "dim_feedforward": F, "device": "meta"}
MADE = {
    "TransformerEncoderLayer": lambda: nn.TransformerEncoderLayer(**LAYER),
    "TransformerDecoderLayer": lambda: nn.TransformerDecoderLayer(**LAYER),
    "TransformerEncoder": lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(**LAYER), L),
    "TransformerDecoder": lambda: nn.TransformerDecoder(nn.TransformerDecoderLayer(**LAYER), L),
    "Transformer": lambda: nn.Transformer(H, A, L, L + 1, F, device="meta"),
    "Transformer-base": lambda: nn.Transformer(device="meta"),
    "MultiheadAttention": lambda: nn.MultiheadAttention(H, A, device="meta"),
    "MultiheadAttention-kdim": lambda: nn.MultiheadAttention(H, A, kdim=20, vdim=28, device="meta"),
}

for model, make in MADE.items():
    module = make()
    write("torch", model, rows_of(module), {"library": f"torch {torch.__version__}", "by": "state_dict"}, count(module))
