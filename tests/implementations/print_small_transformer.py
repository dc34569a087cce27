"""List the tensors of the small PyTorch Transformer by jadore801120: python print_small_transformer.py DIRECTORY.

It is no package, so its names and shapes stand here as its public source gives them
(github.com/jadore801120/attention-is-all-you-need-pytorch, transformer/Models.py, Layers.py and SubLayers.py): as it
was until 2019 (biases in every projection, 1x1 convolutions, a frozen sinusoid table of one row more than there are
positions) and as it is since (`trg` for `tgt`, no biases in attention, Linear, the table as a buffer). PyTorch writes
a Linear's kernel as [out, in] and a convolution's as [out, in, width].
"""

from table import A, F, H, L, P, V, words, write


def attention(old, width, heads, head):
    """The entries of one attention sublayer, in the order in which it registers them."""
    inside = heads * head
    for part in ("w_qs", "w_ks", "w_vs"):
        yield f"{part}.weight", (inside, width)
        if old:
            yield f"{part}.bias", (inside,)
    after = [("fc.weight", (width, inside)), *([("fc.bias", (width,))] if old else [])]
    norm = [("layer_norm.weight", (width,)), ("layer_norm.bias", (width,))]
    yield from [*norm, *after] if old else [*after, *norm]


def feed_forward(old, width, inner):
    """The entries of the feed-forward sublayer."""
    last = (1,) if old else ()
    yield from [("w_1.weight", (inner, width, *last)), ("w_1.bias", (inner,))]
    yield from [("w_2.weight", (width, inner, *last)), ("w_2.bias", (width,))]
    yield from [("layer_norm.weight", (width,)), ("layer_norm.bias", (width,))]


def rows(old, width, heads, head, inner, layers, words, positions, tied):
    """(name, shape, dtype, trainable, role, storage) of the state dict."""
    target = "tgt" if old else "trg"
    for side, prefix, attentions in [("encoder", "src", ["slf_attn"]), ("decoder", target, ["slf_attn", "enc_attn"])]:
        embedding = f"{side}.{prefix}_word_emb.weight"
        yield embedding, (words, width), "float32", True, "parameter", "word" if tied else embedding
        if old:
            table = f"{side}.position_enc.weight"
            yield table, (positions + 1, width), "float32", False, "parameter", table
        else:
            table = f"{side}.position_enc.pos_table"
            yield table, (1, positions, width), "float32", False, "buffer", table
        for layer in range(layers):
            parts = [(part, list(attention(old, width, heads, head))) for part in attentions]
            parts.append(("pos_ffn", list(feed_forward(old, width, inner))))
            for part, entries in parts:
                for entry, shape in entries:
                    name = f"{side}.layer_stack.{layer}.{part}.{entry}"
                    yield name, shape, "float32", True, "parameter", name
        if not old:
            for entry in ("weight", "bias"):
                name = f"{side}.layer_norm.{entry}"
                yield name, (width,), "float32", True, "parameter", name
    name = f"{target}_word_prj.weight"
    yield name, (words, width), "float32", True, "parameter", "word" if tied else name


def total(old, width, heads, head, inner, layers, words, positions, tied):
    """What the sizes make: H = width, I = heads · head; old adds 3 I + H biases an attention and two frozen tables."""
    inside = heads * head
    attending = 4 * width * inside + 2 * width + (3 * inside + width if old else 0)
    feeding = 2 * width * inner + inner + width + 2 * width
    ends = 2 * (positions + 1) * width if old else 2 * 2 * width
    return layers * (3 * attending + 2 * feeding) + ends + (1 if tied else 3) * words * width


SMALL = {"width": H, "heads": A, "head": 5, "inner": F, "layers": L, "words": V, "positions": P}
BASE = {"width": 512, "heads": 8, "head": 64, "inner": 2048, "layers": 6, "words": 9521, "positions": 200}

for model, settings in {
    "until-2019": {"old": True, "tied": True, **SMALL},
    "until-2019-untied": {"old": True, "tied": False, **SMALL},
    "since-2019": {"old": False, "tied": True, **SMALL},
    "since-2019-base": {"old": False, "tied": True, **BASE},
}.items():
    made = {
        "library": "attention-is-all-you-need-pytorch, no release",
        "configuration": words(settings),
        "by": "names and shapes of its source",
    }
    write("small-transformer", model, rows(**settings), made, total(**settings))
