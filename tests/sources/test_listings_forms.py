"""Rows of names, shapes and counts, in the forms in which people print and paste them."""

import pytest

from reconcile.sources.listings import read_listings

WORD, QUERY, BIAS = (
    "bert.embeddings.word_embeddings.weight",
    "bert.encoder.layer.0.attention.self.query.weight",
    "a.bias",
)
GOOGLE, KERNEL = "bert/embeddings/word_embeddings", "bert/encoder/layer_0/attention/self/query/kernel"

TORCH = {WORD: (30522, 768), QUERY: (768, 768), BIAS: (768,)}
TENSORFLOW = {GOOGLE: (30522, 768), KERNEL: (768, 768)}
COLONS = {GOOGLE + ":0": (30522, 768), KERNEL + ":0": (768, 768)}

ROWS = {
    "shape behind": ("{n} torch.Size({l})", TORCH),
    "tab": ("{n}\ttorch.Size({l})", TORCH),
    "many tabs": ("{n} \t\t {t}", TORCH),
    "colon": ("{n}: {t}", TORCH),
    "arrow": ("{n} -> {t}", TORCH),
    "thick arrow": ("{n} => {l}", TORCH),
    "pair in quotes": ("('{n}', {t}),", TORCH),
    "pair with size": ("('{n}', torch.Size({l}))", TORCH),
    "pair with count": ("('{n}', {t}, {c})", TORCH),
    "dict": ("'{n}': {l},", TORCH),
    "dict of sizes": ('  "{n}": torch.Size({l}),', TORCH),
    "yaml": ("{n}: {l}", TORCH),
    "count behind": ("{n} {t} {c}", TORCH),
    "count between": ("{n} {c} torch.Size({l})", TORCH),
    "count before": ("{c} {n} torch.Size({l})", TORCH),
    "shape before": ("torch.Size({l}) {n}", TORCH),
    "shape and count before": ("{t} {c} {n}", TORCH),
    "count with commas": ("{n} {t} {k}", TORCH),
    "numbered": ("{i} {n} {t}", TORCH),
    "numbered with a point": ("{i}. {n} {t}", TORCH),
    "numbered in brackets": ("[{i}] {n} torch.Size({l})", TORCH),
    "numbered with a count": ("{i}\t{n}\t{t}\t{c}", TORCH),
    "flag": ("{n} torch.Size({l}) True", TORCH),
    "labelled flag": ("{n} | torch.Size({l}) | requires_grad=True", TORCH),
    "labels": ("name: {n}, shape: {t}, numel: {c}", TORCH),
    "labels with equals": ("name={n} shape={l} params={c}", TORCH),
    "capital labels": ("Name: {n} | Shape: torch.Size({l}) | Params: {k}", TORCH),
    "dtype": ("{n} torch.float32 torch.Size({l})", TORCH),
    "short dtype": ("{n} {l} F32", TORCH),
    "dtype and device": ("{n} torch.Size({l}) torch.float32 cuda:0", TORCH),
    "class": ("{n} <class 'torch.nn.parameter.Parameter'> torch.Size({l})", TORCH),
    "class's name": ("Parameter {n} torch.Size({l})", TORCH),
    "values": ("{n} torch.Size({l}) tensor([[ 0.0273,  0.0296], [-0.0188, -0.0354]])", TORCH),
    "mean and deviation": ("{n} {t} -0.0012 0.0431", TORCH),
    "list mark": ("- {n}: {t}", TORCH),
    "star in code": ("* `{n}` `{t}`", TORCH),
    "comment": ("# {n} {t}", TORCH),
    "quotation": ("> {n} {t}", TORCH),
    "prompt": (">>> {n} {t}", TORCH),
    "log of a training": ("INFO:tensorflow:  name = {n}:0, shape = {t}, *INIT_FROM_CKPT*", COLONS),
    "log with a time": ("I0415 12:00:00.123456 140735 run_pretraining.py:153]   name = {n}:0, shape = {t}", COLONS),
    "log with a date": ("2020-01-02 03:04:05,678 - INFO - __main__ - {n} {t}", TENSORFLOW),
    "log with level in brackets": ("[2020-01-02 03:04:05] [INFO] {n}: {t}", TENSORFLOW),
    "inspect_checkpoint": ("{n} (DT_FLOAT) {l}", TENSORFLOW),
    "list_variables": ("('{n}', {l})", TENSORFLOW),
    "variable": ("<tf.Variable '{n}:0' shape={t} dtype=float32>", COLONS),
    "variable of a graph": ("<tf.Variable '{n}:0' shape={t} dtype=float32_ref>", COLONS),
    "variable with values": (
        "<tf.Variable '{n}:0' shape={t} dtype=float32, numpy=\narray([[ 0.01,  0.02],\n"
        "       [ 0.03, 0.04]], dtype=float32)>,",
        COLONS,
    ),
    "variable of Keras 3": ("<Variable path={n}, shape={t}, dtype=float32, value=[[0.1 0.2]\n [0.3 0.4]]>", TENSORFLOW),
    "KerasVariable": ("<KerasVariable shape={t}, dtype=float32, path={n}>", TENSORFLOW),
    "mirrored": ("MirroredVariable:{{\n  0: <tf.Variable '{n}:0' shape={t} dtype=float32>\n}}", COLONS),
    "tensor shape": ("{n} TensorShape({l})", TENSORFLOW),
    "dimensions": ("{n}:0 (Dimension(30522), Dimension(768))", {GOOGLE + ":0": (30522, 768)}),
    "times": ("{n} 30522 x 768", {WORD: (30522, 768)}),
    "times sign": ("{n}: 30522×768", {WORD: (30522, 768)}),
    "digits in groups": ("{n} [30 522, 768] F32", {WORD: (30522, 768)}),
    "two lines": ("{n}\ntorch.Size({l})", TORCH),
    "web page": ("{n}\n{l}\nF32", TORCH),
    "wrapped shape": ("{n} torch.Size([30522,\n    768])", {WORD: (30522, 768)}),
}  # fmt: skip


def product(shape: tuple[int, ...]) -> int:
    result = 1
    for axis in shape:
        result *= axis
    return result


def printed(form: str, tensors: dict[str, tuple[int, ...]]) -> str:
    return "\n".join(
        form.format(
            n=name.removesuffix(":0"), t=shape, l=list(shape), c=product(shape), k=f"{product(shape):,}", i=place
        )
        for place, (name, shape) in enumerate(tensors.items())
    )


WRAPPINGS = {
    "as it is": lambda text: text,
    "in prose": lambda text: f"I loaded the model (see below), why so many?\n\n{text}\n\nThanks, that is all I know.\n",
    "fenced": lambda text: f"```python\n{text}\n```\n",
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "non-breaking blanks": lambda text: text.replace(" ", "\u00a0"),
    "coloured": lambda text: "\n".join(f"\x1b[1m{line}\x1b[0m" for line in text.split("\n")),
    "indented": lambda text: "\n".join(f"    {line}" for line in text.split("\n")),
    "HTML": lambda text: "<pre><code>" + text.replace("<", "&lt;").replace(">", "&gt;") + "</code></pre>",
    "double spaced": lambda text: text.replace("\n", "\n\n"),
}


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize("form", ROWS)
def test_rows_are_read_in_every_form(form, wrapping):
    text, tensors = ROWS[form]
    (inventory,) = read_listings(WRAPPINGS[wrapping](printed(text, tensors)), "pasted")
    assert {tensor.path: tensor.shape for tensor in inventory.tensors} == tensors
    assert not inventory.remarks
    assert sum(layer.params for layer in inventory.layers) == sum(map(product, tensors.values()))


ONE_LINE = {
    "list of pairs": (
        "[('bert/embeddings/word_embeddings', [30522, 768]), ('bert/pooler/dense/bias', [768]), ('global_step', [])]",
        {"bert/embeddings/word_embeddings": (30522, 768), "bert/pooler/dense/bias": (768,), "global_step": ()},
    ),
    "OrderedDict": (
        "OrderedDict([('a.weight', torch.Size([2, 3])), ('a.bias', torch.Size([2]))])",
        {"a.weight": (2, 3), "a.bias": (2,)},
    ),
    "dict": ("{'a.weight': (2, 3), 'a.bias': (2,)}", {"a.weight": (2, 3), "a.bias": (2,)}),
    "JSON": ('{"a.weight": [2, 3], "a.bias": [2]}', {"a.weight": (2, 3), "a.bias": (2,)}),
    "JSON header": (
        '{"__metadata__": {"format": "pt"}, "a.weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},'
        ' "a.bias": {"dtype": "F32", "shape": [2], "data_offsets": [24, 32]}}',
        {"a.weight": (2, 3), "a.bias": (2,)},
    ),
    "JSON rows": (
        '[{"name": "a.weight", "shape": [2, 3], "numel": 6}, {"name": "a.bias", "shape": [2], "numel": 2}]',
        {"a.weight": (2, 3), "a.bias": (2,)},
    ),
    "JSON on many lines": (
        '{\n  "a.weight": [\n    2,\n    3\n  ],\n  "a.bias": [\n    2\n  ]\n}\nThat is it.',
        {"a.weight": (2, 3), "a.bias": (2,)},
    ),
    "variables": (
        "[<tf.Variable 'd/kernel:0' shape=(2, 3) dtype=float32>, <tf.Variable 'd/bias:0' shape=(3,) dtype=float32>]",
        {"d/kernel:0": (2, 3), "d/bias:0": (3,)},
    ),
}


@pytest.mark.parametrize("form", ONE_LINE)
def test_objects_and_lists_are_read(form):
    text, tensors = ONE_LINE[form]
    (inventory,) = read_listings(text, "pasted")
    assert {tensor.path: tensor.shape for tensor in inventory.tensors} == tensors


TABLES = {
    "Markdown": (
        "| Name | Shape | Params |",
        "|---|:---:|---:|",
        "| `a.weight` | (2, 3) | 6 |",
        "| `a.bias` | (2,) | 2 |",
        "| **Total** | | **8** |",
    ),
    "Markdown without outer bars": (
        "Name | Params | Shape",
        "--- | --- | ---",
        "a.weight | 6 | [2, 3]",
        "a.bias | 2 | [2]",
    ),
    "org": (
        "| # | parameter | numel | shape |",
        "|---+---+---+---|",
        "| 0 | a.weight | 6 | torch.Size([2, 3]) |",
        "| 1 | a.bias | 2 | torch.Size([2]) |",
    ),
    "drawn": (
        "┌──────────┬────────┬────────┐",
        "│ Name     │ Shape  │ Params │",
        "├──────────┼────────┼────────┤",
        "│ a.weight │ (2, 3) │ 6      │",
        "│ a.bias   │ (2,)   │ 2      │",
        "└──────────┴────────┴────────┘",
    ),
    "overview": (
        "+----------+--------+------+--------+",
        "| Name     | Shape  | Size | Mean   |",
        "+----------+--------+------+--------+",
        "| a.weight | (2, 3) | 6    | 0.0012 |",
        "| a.bias   | (2,)   | 2    | 0.0    |",
        "+----------+--------+------+--------+",
        "Total: 8",
    ),
    "elements or shape": (
        "| name | #elements or shape |",
        "|:--|:--|",
        "| model | 8 |",
        "|  a.weight | (2, 3) |",
        "|  a.bias | (2,) |",
    ),
    "CSV": ("name,shape,numel,dtype", 'a.weight,"(2, 3)",6,float32', 'a.bias,"(2,)",2,float32'),
    "CSV with semicolons": ("count;name;shape", "6;a.weight;2x3", "2;a.bias;2"),
    "TSV": ("name\tshape\tcount", "a.weight\t[2, 3]\t6", "a.bias\t[2]\t2"),
    "columns": (
        "Parameter name        Shape        # Params",
        "-------------------------------------------",
        "a.weight              [2, 3]       6",
        "a.bias                [2]          2",
    ),
    "pandas": ("       name   shape  params", "0  a.weight  (2, 3)       6", "1    a.bias    (2,)       2"),
    "web page": ("Tensors\tShape\tPrecision", "a.weight\t[2, 3]\tF32", "a.bias\t[2]\tF32"),
}


@pytest.mark.parametrize("form", TABLES)
def test_tables_are_read(form):
    (inventory,) = read_listings("\n".join(TABLES[form]) + "\n", "pasted")
    assert {tensor.path: tensor.shape for tensor in inventory.tensors} == {"a.weight": (2, 3), "a.bias": (2,)}
    assert not inventory.remarks


COUNTS = {
    "lines": "bert.embeddings.word_embeddings.weight 23440896\nbert.pooler.dense.bias 768\n",
    "lines with commas": "bert.embeddings.word_embeddings.weight: 23,440,896\nbert.pooler.dense.bias: 768\n",
    "labelled": "bert.embeddings.word_embeddings.weight has 23440896 params\nbert.pooler.dense.bias has 768 params\n",
    "table": "| Modules | Parameters |\n+---+---+\n| bert.embeddings.word_embeddings.weight | 23440896 |\n"
    "| bert.pooler.dense.bias | 768 |\nTotal Trainable Params: 23441664\n",
    "JSON": '{"bert.embeddings.word_embeddings.weight": 23440896, "bert.pooler.dense.bias": 768}',
}  # fmt: skip


@pytest.mark.parametrize("form", COUNTS)
def test_rows_with_counts_alone_are_rows_without_tensors(form):
    (inventory,) = read_listings(COUNTS[form], "pasted")
    assert [(layer.name, layer.params, layer.tensors) for layer in inventory.layers] == [
        ("bert.embeddings.word_embeddings.weight", 23_440_896, None),
        ("bert.pooler.dense.bias", 768, None),
    ]


@pytest.mark.parametrize(
    ("row", "dtype", "trainable"),
    [
        ("a.weight torch.Size([2, 3]) torch.float16 True", "float16", True),
        ("a.weight torch.Size([2, 3]) requires_grad=False", "", False),
        ("a.weight (DT_FLOAT) [2,3]", "float32", None),
        ("a.weight [2, 3] BF16", "bfloat16", None),
        ("a.weight | torch.Size([2, 3]) | torch.int64 | trainable", "int64", True),
        ("a.weight torch.Size([2, 3]) frozen", "", False),
        ("<tf.Variable 'a/kernel:0' shape=(2, 3) dtype=float32_ref>", "float32", None),
    ],
)
def test_what_stands_beside_a_shape_is_kept(row, dtype, trainable):
    (inventory,) = read_listings(row, "pasted")
    (tensor,) = inventory.tensors
    assert (tensor.shape, tensor.dtype, tensor.trainable) == ((2, 3), dtype, trainable)
