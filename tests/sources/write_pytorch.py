"""Write small files with the real PyTorch, in both of its forms: tests/data/pytorch/*.pt.

    python tests/sources/write_pytorch.py [DIRECTORY]

It needs torch, and is run again only where the cases below change.
"""

import sys
from pathlib import Path

import torch
from torch import nn

DATA = Path(__file__).resolve().parents[1] / "data" / "pytorch"


class Scale(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(3))
        self.register_buffer("mean", torch.zeros(3))


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Parameter(torch.zeros(5, 3), requires_grad=False)
        self.decoder = self.words
        self.scale = Scale()
        self.steps = 7


def cases() -> dict[str, object]:
    """What is saved, by the name of its file."""
    torch.manual_seed(0)
    tied = Tied()
    optimizer = torch.optim.Adam([tied.scale.gamma])
    tied.scale.gamma.sum().backward()
    optimizer.step()
    base = torch.arange(100.0)
    return {
        "state_dict": tied.state_dict(),
        "module": tied,
        "training": {"model": tied.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3, "loss": base[0]},
        "views": {"a": base[10:20], "b": base[50:60], "t": torch.zeros(3, 5).t(), "one": torch.zeros(1).expand(4, 4)},
        "types": {
            "half": torch.zeros(2, dtype=torch.float16),
            "brain": torch.zeros(2, dtype=torch.bfloat16),
            "eighth": torch.zeros(2, dtype=torch.float8_e4m3fn),
            "long": torch.zeros(2, dtype=torch.int64),
            "words": torch.zeros(2, dtype=torch.uint16),
            "truth": torch.zeros(2, dtype=torch.bool),
            "scalar": torch.tensor(1.0, dtype=torch.float64),
            "none": torch.zeros(0, 3),
        },
    }


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in cases().items():
        torch.save(value, folder / f"{name}.pt")
        torch.save(value, folder / f"{name}.old.pt", _use_new_zipfile_serialization=False)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
