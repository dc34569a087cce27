"""Lists and tables with stated totals, in the forms that people write them: what adds up, and what a difference is."""

import math

import pytest

from reconcile.claims.claim import FINDINGS, findings
from reconcile.pipeline.check import check

SUBTOTALS = """| part | count |
|---|---|
| token embeddings | 23,440,896 |
| position embeddings | 393,216 |
| segment embeddings | 1,536 |
| layer norm | 1,536 |
| **embeddings total** | 23,837,184 |
| attention | 2,362,368 |
| attention norm | 1,536 |
| feed-forward | 4,722,432 |
| output norm | 1,536 |
| **per layer** | 7,087,872 |
| **12 layers** | 85,054,464 |
| pooler | 590,592 |
| **grand total** | 109,482,240 |
"""
TIMES = """| part | each | times | total |
|---|---|---|---|
| embeddings | 23,837,184 | 1 | 23,837,184 |
| layer | 7,087,872 | 12 | 85,054,464 |
| pooler | 590,592 | 1 | 590,592 |
| total | | | 109,482,240 |
"""
INDENTED = """BERT base (12 layers)
  Embeddings (23,837,184)
    word 23,440,896
    position 393,216
    type 1,536
    norm 1,536
  Layer (7,087,872 x 12)
    attention 2,362,368
    norm 1,536
    ffn 4,722,432
    norm 1,536
  Pooler 590,592
Total 109,482,240
"""
ROUNDED = """| Component | Parameters |
|:--|--:|
| Embeddings | 23.8M |
| Encoder (12 layers) | 85.1M |
| Pooler | 0.6M |
| Total | 109.5M |
"""
HTML = """<table><tr><th>part</th><th>parameters</th></tr>
<tr>
  <td>embeddings</td>
  <td>23,837,184</td>
</tr><tr><td>12 layers</td><td>85,054,464</td></tr><tr><td>pooler</td><td>590,592</td></tr>
<tr><td>total</td><td>109,482,240</td></tr></table>
"""
TABULAR = r"""\begin{tabular}{lrr}
Embeddings & $30522 \times 768$ & 23{,}440{,}896 \\
Positions & $512 \times 768$ & 393{,}216 \\
Segments & $2 \times 768$ & 1{,}536 \\
\hline
Total & & 23{,}835{,}648 \\
\end{tabular}
"""
VARIABLES = """bert/embeddings/word_embeddings:0 (30522, 768) 23440896
bert/embeddings/token_type_embeddings:0 (2, 768) 1536
bert/embeddings/position_embeddings:0 (512, 768) 393216
bert/embeddings/LayerNorm/beta:0 (768,) 768
bert/embeddings/LayerNorm/gamma:0 (768,) 768
Total: 23837184
"""
ONE_STANDS_FOR_TWELVE = """- embeddings: 23,837,184
- layer (x12): 7,087,872
- pooler: 590,592
- total: 109,482,240
"""
SUMMARY = """Layer (type)                 Output Shape              Param #   Connected to
==============================================================================
Input-Token (InputLayer)     [(None, 512)]             0
Embedding-Token (TokenEmbedd [(None, 512, 768), (30000 23040000    Input-Token[0][0]
Encoder-1-MultiHeadSelfAtten (None, 512, 768)          2362368     Embedding-Norm[0][0]
Encoder-1-FeedForward (Feed  (None, 512, 768)          4722432     Encoder-1-Norm[0][0]
==============================================================================
Total params: 30,124,800
Trainable params: 30,124,800
Non-trainable params: 0
"""
RIGHT = {
    "subtotals": SUBTOTALS,
    "each and times": TIMES,
    "indented": INDENTED,
    "rounded": ROUNDED,
    "html": HTML,
    "tabular": TABULAR,
    "variables": VARIABLES,
    "one stands for twelve": ONE_STANDS_FOR_TWELVE,
    "printed summary": SUMMARY,
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=list(RIGHT))
def test_what_adds_up_is_not_accused(text: str) -> None:
    checked = check(text, "text")
    assert list(findings(checked)) == []


# (text, a row of it, the row with another count, the total's difference, what is said of it)
CHANGED = [
    ("subtotals", "| pooler | 590,592 |", "| pooler | 590,593 |", 1, "one digit"),
    ("indented", "    type 1,536", "    type 15,360", -13_824, "the rows below it"),
    ("indented", "    ffn 4,722,432", "    ffn 4,722,342", -90, "changed places"),
    ("tabular", "23{,}835{,}648", "23{,}835{,}684", 36, "the rows come to"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "row", "other", "difference", "says"), CHANGED)
def test_what_does_not_add_up(name: str, row: str, other: str, difference: int, says: str) -> None:
    assert RIGHT[name].count(row) == 1
    text = RIGHT[name].replace(row, other)
    wrong = [claim for claim in check(text, "text").claims if claim.verdict in FINDINGS]
    assert difference in [claim.difference for claim in wrong], wrong
    assert any(says in claim.explanation for claim in wrong)


# Lists in which no row is the sum of the others, though one may look so.
NO_SUMS = [
    "- hidden size: 768\n- layers: 12\n- heads: 12\n- total steps: 1,000,000\n",
    "| model | parameters |\n|---|---|\n| BERT base | 110M |\n| BERT large | 340M |\n| total vocabulary | 30,522 |\n",
    "Accuracy: 80.5\nF1: 90.1\nOverall: 85.3\n",
    "Each layer has 7,087,872 parameters.\nThe pooler has 590,592.\nIn total BERT base has 109,482,240.\n",
    "Total params: 109,482,240\nTrainable params: 109,482,240\nNon-trainable params: 0\n",
]


@pytest.mark.parametrize("text", NO_SUMS)
def test_what_is_no_sum(text: str) -> None:
    assert [claim for claim in check(text, "text").claims if claim.verdict == "does not add up"] == []


def _tensors(width: int, wide: int, blocks: int, left_out: int) -> str:
    """A table of a BERT's tensors with a cell for the sum of each group, one of which leaves something out."""
    dense = {"attention.self.query": (width, width), "attention.self.key": (width, width)}
    dense |= {"attention.self.value": (width, width), "attention.output.dense": (width, width)}
    dense |= {"intermediate.dense": (wide, width), "output.dense": (width, wide)}
    block = [(f"{name}.{end}", list(shape[:axes])) for name, shape in dense.items() for end, axes in ENDS]
    block += [(f"{name}.LayerNorm.{end}", [width]) for name in ("attention.output", "output") for end, _ in ENDS]
    tables = [("word_embeddings.weight", [30522, width]), ("position_embeddings.weight", [512, width])]
    tables += [("token_type_embeddings.weight", [2, width]), ("LayerNorm.weight", [width]), ("LayerNorm.bias", [width])]
    one, table = (sum(math.prod(shape) for _, shape in rows) for rows in (block, tables))
    one -= left_out
    sums = f"{table:,}", f"{one:,} * {blocks} = {one * blocks:,}"
    lines = ["| | Key | Shape | Count | Count All |", "|---|---|---|---|---|"]
    for name, path, rows, total in (
        ("Embedding", "embeddings", tables, sums[0]),
        (f"Transformer * {blocks}", "encoder.layer.0", block, sums[1]),
    ):
        for place, (key, shape) in enumerate(rows):
            cells = (name, total) if not place else ("", "")
            lines.append(f"| {cells[0]} | {path}.{key} | {shape} | {math.prod(shape):,} | {cells[1]} |")
    return "\n".join([*lines, f"| Total | | | | {table + one * blocks:,} |", ""])


ENDS = (("weight", 2), ("bias", 1))


def test_a_group_of_a_table_that_lacks_a_bias_and_what_is_made_of_it() -> None:
    text = _tensors(1024, 4096, 24, left_out=4096)
    accused = {claim.text: claim for claim in check(text, "text").claims if claim.verdict in FINDINGS}
    # 12,596,224 − 4,096 = 12,592,128, 24 of them 302,211,072; with 31,782,912 of the tables 333,993,984
    root = accused["12,592,128"]
    assert (root.verdict, root.expected) == ("does not add up", 12_596_224)
    assert "4,096 too few" in root.explanation
    assert "intermediate.dense.bias" in root.explanation
    made, total = accused["12,592,128 * 24 = 302,211,072"], accused["333,993,984"]
    assert (made.expected, made.carried_from) == (302_309_376, "12,592,128")
    assert (total.expected, total.carried_from) == (334_092_288, "12,592,128")
