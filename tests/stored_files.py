"""Checkpoints and configurations of the lists' models, written for a test, and what is read from them."""

import json
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

from implementation_lists import LISTS, read_list
from sources.checkpoint_files import entry, safetensors

from reconcile.report.types import Report

H, V, F = 24, 97, 40
"""The hidden size, the vocabulary and the feed-forward size of every list; 2 blocks, 31 positions, 3 token types."""

CONFIG = {
    "model_type": "bert", "architectures": ["BertModel"], "vocab_size": V, "hidden_size": H, "num_hidden_layers": 2,
    "num_attention_heads": 4, "intermediate_size": F, "max_position_embeddings": 31, "type_vocab_size": 3,
}  # fmt: skip


def shapes_of(model: str) -> dict[str, tuple[int, ...]]:
    """The parameters of a real model by name, those that share their memory once."""
    return {
        tensor.path: tensor.shape
        for tensor in read_list(LISTS / f"{model}.tsv").tensors
        if tensor.role == "parameter" and tensor.storage == tensor.path
    }


def stored(
    folder: Path, shapes: Mapping[str, tuple[int, ...]], config: Any = None, name: str = "model.safetensors"
) -> Path:
    """A directory with a checkpoint of these arrays, and a configuration."""
    header, start = {}, 0
    for path, shape in shapes.items():
        header[path] = entry(shape, start, start + 4 * prod(shape))
        start += 4 * prod(shape)
    (folder / name).write_bytes(safetensors(header, bytes(start)))
    if config is not None:
        (folder / "config.json").write_text(json.dumps(config))
    return folder


def read(source: Path) -> Report:
    from reconcile.pipeline.read import read_stored

    return read_stored(str(source))[0]


def said(report: Report, *kinds: str) -> list[str]:
    return [one.explanation for one in report.findings if one.kind in kinds]


def errors(report: Report) -> list[str]:
    return [one.explanation for one in report.findings if one.severity != "note"]
