"""List the tensors of PyTorch's own Transformer modules: python print_torch.py DIRECTORY."""

import torch
from table import A, F, H, L, write
from torch import nn
from torch_rows import count, rows_of

IMPLEMENTATION = "torch"

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


def models():
    """Each list's name, how it was made in words, and the module."""
    for model, make in MADE.items():
        yield model, {"library": f"torch {torch.__version__}", "by": "state_dict"}, make()


if __name__ == "__main__":
    for model, made, module in models():
        write(IMPLEMENTATION, model, rows_of(module), made, count(module))
