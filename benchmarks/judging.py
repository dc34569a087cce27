"""How often the judge is wrong: random other architectures that are named, and planted faults that pass."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from benchmarks.rows import Row
from reconcile.comparison.summary import compare_summary
from reconcile.inventory import Inventory, Layer
from reconcile.mapping.summary.mapping import map_rows

IN_BLOCK = r"Encoder-\d|layer_\d"
STACKS = 600
"""Random summaries of each kind."""
FAULTS = 200
WIDTHS = (64, 96, 128, 192, 256, 312, 384, 512, 640, 768, 1024, 1280, 1536, 2048)
DEPTHS = (2, 3, 4, 6, 8, 12, 16, 24, 32)
VOCABULARIES = (30522, 21128, 50257, 32000, 8000, 10000, 20000, 5000, 30000, 12345)

Block = Callable[[random.Random, int], list[tuple[str, str, int]]]


def gated(rng: random.Random, width: int) -> list[tuple[str, str, int]]:
    """A block of grouped queries, a gated feed-forward with biases, and three norms of one vector each."""
    inner, groups = width * rng.choice((2, 3, 4)) + 64 * rng.randrange(4), rng.choice((1, 2, 4))
    count = 2 * width * width + 2 * width * (width // groups) + 3 * width * inner + inner + 3 * width
    return [("block", "CustomDecoderBlock", count)]


def convolved(rng: random.Random, width: int) -> list[tuple[str, str, int]]:
    """A block of attention beside a convolution."""
    kernel, inner = rng.choice((3, 5, 7, 9)), 4 * width
    return [
        (
            "transformer_layer",
            "TransformerEncoder",
            4 * (width**2 + width) + kernel * width + 2 * width * inner + inner + 9 * width + kernel,
        )
    ]


def without_norms(rng: random.Random, width: int) -> list[tuple[str, str, int]]:
    """A block in one row without layer norms."""
    inner = width * rng.choice((2, 4)) + rng.choice((0, 32))
    return [("encoder_layer", "TransformerBlock", 4 * (width**2 + width) + 2 * width * inner + inner + width)]


def opaque(rng: random.Random, width: int) -> list[tuple[str, str, int]]:
    """A block of any multiple of the width."""
    return [("transformer", "TransformerLayer", width * rng.randrange(3 * width, 14 * width))]


def layers(rng: random.Random, width: int) -> list[tuple[str, str, int]]:
    """A block layer by layer, norms in front, whose attention is narrower than the model."""
    heads = 64 * rng.randrange(1, 4)
    return [
        ("norm", "LayerNormalization", 2 * width),
        ("attention", "MultiHeadAttention", 3 * (width * heads + heads) + heads * width + width),
        ("norm", "LayerNormalization", 2 * width),
        ("dense", "Dense", width * width + width),
        ("dense", "Dense", width * width + width),
    ]


OTHERS: tuple[Block, ...] = (gated, convolved, without_norms, opaque, layers)


def random_summary(rng: random.Random, block: Block) -> Inventory:
    """A summary of a model that no architecture here is: embeddings as a BERT's, other blocks, a head."""
    width, depth = rng.choice(WIDTHS), rng.choice(DEPTHS)
    tables = [("token_embedding", "Embedding", width * rng.choice(VOCABULARIES))]
    if rng.random() < 0.7:
        tables.append(("position_embedding", "PositionEmbedding", width * rng.choice((128, 256, 512, 1024))))
    if rng.random() < 0.5:
        tables.append(("embeddings_layer_norm", "LayerNormalization", 2 * width))
    rows = [(name, kind, count, width) for name, kind, count in tables]
    one = block(rng, width)
    for number in range(depth):
        rows += [(f"{name}_{number}", kind, count, width) for name, kind, count in one]
    outputs = rng.choice((1, 2, 3, 10))
    rows.append(("classifier", "Dense", width * outputs + outputs, outputs))
    return _inventory(rows)


def bert_summary(rng: random.Random) -> Inventory:
    """A healthy BERT as keras-bert or Keras Hub print it."""
    width, depth = rng.choice((128, 256, 384, 512, 768, 1024)), rng.choice((2, 4, 6, 12))
    inner = 4 * width
    tables = [("Token", rng.choice(VOCABULARIES)), ("Segment", 2), ("Position", rng.choice((128, 256, 512)))]
    rows = [(f"Embedding-{name}", "Embedding", width * size, width) for name, size in tables]
    rows.append(("Embedding-Norm", "LayerNormalization", 2 * width, width))
    for number in range(1, depth + 1):
        rows += [
            (f"Encoder-{number}-MultiHeadSelfAttention", "MultiHeadAttention", 4 * (width**2 + width), width),
            (f"Encoder-{number}-MultiHeadSelfAttention-Norm", "LayerNormalization", 2 * width, width),
            (f"Encoder-{number}-FeedForward", "FeedForward", 2 * width * inner + inner + width, width),
            (f"Encoder-{number}-FeedForward-Norm", "LayerNormalization", 2 * width, width),
        ]
    return _inventory(rows)


def hub_summary(rng: random.Random) -> Inventory:
    """A healthy BERT as Keras Hub prints it, a block in one row."""
    width, depth = rng.choice((128, 256, 384, 512, 768, 1024)), rng.choice((4, 6, 12))
    block = 4 * width**2 + 2 * width * 4 * width + 4 * width + 9 * width
    sizes = [
        ("token_embedding", "ReversibleEmbedding", rng.choice(VOCABULARIES)),
        ("position_embedding", "PositionEmbedding", 512),
        ("segment_embedding", "Embedding", 2),
    ]
    rows = [(name, kind, width * size, width) for name, kind, size in sizes]
    rows.append(("embeddings_layer_norm", "LayerNormalization", 2 * width, width))
    rows += [(f"transformer_layer_{number}", "TransformerEncoder", block, width) for number in range(depth)]
    rows.append(("pooled_dense", "Dense", width**2 + width, width))
    return _inventory(rows)


def _inventory(rows: list[tuple[str, str, int, int]]) -> Inventory:
    found = tuple(Layer(name, kind, f"(None, None, {out})", count) for name, kind, count, out in rows)
    return Inventory("drawn", found, sum(layer.params or 0 for layer in found))


def planted(rng: random.Random, healthy: Inventory) -> Inventory | None:
    """The same summary with one fault: a count changed, a row missing, a bias dropped, digits exchanged."""
    place = rng.choice([place for place, layer in enumerate(healthy.layers) if re.search(IN_BLOCK, layer.name)])
    layer = healthy.layers[place]
    kind = rng.choice(("changed", "missing", "bias", "exchanged"))
    width = int(layer.output_shape.rpartition(" ")[2][:-1])
    count = layer.params or 0
    if kind == "missing":
        kept = healthy.layers[:place] + healthy.layers[place + 1 :]
        return replace(healthy, layers=kept)
    if kind == "exchanged":
        text = str(count)
        at = next((at for at in range(len(text) - 1) if text[at] != text[at + 1]), 0)
        changed = int(text[:at] + text[at + 1] + text[at] + text[at + 2 :])
    else:
        changed = count - width if kind == "bias" else count + rng.choice((-1, 1)) * rng.randrange(1, 10 * width)
    if changed == count:
        return None
    layers_ = (*healthy.layers[:place], replace(layer, params=changed), *healthy.layers[place + 1 :])
    return replace(healthy, layers=layers_, total=sum(one.params or 0 for one in layers_))


def named_falsely(block: Block) -> Iterator[Inventory]:
    """The random summaries of one kind of blocks in which an architecture is named."""
    rng = random.Random(block.__name__)
    for _ in range(STACKS // len(OTHERS)):
        inventory = random_summary(rng, block)
        if map_rows(inventory).architecture is not None:
            yield inventory


def missed_faults(drawn: Callable[[random.Random], Inventory]) -> tuple[int, int]:
    """How many planted faults bring no error, of how many."""
    rng, missed, tried = random.Random(drawn.__name__), 0, 0
    while tried < FAULTS // 2:
        inventory = planted(rng, drawn(rng))
        if inventory is None:
            continue
        tried += 1
        missed += not any(finding.severity == "error" for finding in compare_summary(map_rows(inventory)))
    return missed, tried


def summaries() -> list[Row]:
    """Random other architectures that are named, and planted faults without an error, in per cent."""
    named = sum(len(list(named_falsely(block))) for block in OTHERS)
    missed = [missed_faults(drawn) for drawn in (bert_summary, hub_summary)]
    lost, tried = sum(one for one, _ in missed), sum(all_ for _, all_ in missed)
    return [
        Row("summaries of random other architectures that are named", 100 * named / STACKS, None, "%", 0.5),
        Row("planted faults that bring no error", 100 * lost / tried, None, "%", 5.0),
    ]


MEASUREMENTS = (summaries,)
