"""Tables of tensors as people paste them into texts: spanned cells, groups that are there several times, sums."""

from collections.abc import Callable, Iterator
from math import prod

import pytest

from reconcile.pipeline.check import check
from reconcile.pipeline.read import read
from reconcile.report.types import Report
from reconcile.sources.headings import heading_above

Tensors = list[tuple[str, tuple[int, ...]]]
Table = list[tuple[str, ...]]


def tensors(V: int, H: int, F: int, blocks: int = 1) -> Tensors:  # noqa: N803
    """The tensors of a BERT as Hugging Face names them."""
    return [
        ("embeddings.word_embeddings.weight", (V, H)),
        ("embeddings.position_embeddings.weight", (512, H)),
        ("embeddings.token_type_embeddings.weight", (2, H)),
        ("embeddings.LayerNorm.weight", (H,)),
        ("embeddings.LayerNorm.bias", (H,)),
        *(tensor for number in range(blocks) for tensor in block(f"encoder.layer.{number}.", H, F)),
        ("pooler.dense.weight", (H, H)),
        ("pooler.dense.bias", (H,)),
    ]


def block(start: str, H: int, F: int) -> Iterator[tuple[str, tuple[int, ...]]]:  # noqa: N803
    dense = {f"attention.self.{one}": (H, H) for one in ("query", "key", "value")}
    dense |= {"attention.output.dense": (H, H), "intermediate.dense": (F, H), "output.dense": (H, F)}
    for name, shape in dense.items():
        yield f"{start}{name}.weight", shape
        yield f"{start}{name}.bias", shape[:1]
    for name in ("attention.output.LayerNorm", "output.LayerNorm"):
        yield f"{start}{name}.weight", (H,)
        yield f"{start}{name}.bias", (H,)


def grouped(name: str, sizes: tuple[int, int, int], blocks: int, short: int = 0) -> Table:
    """A table with one block for all, the sums of its groups, that of a block `short` of some, and their total."""
    rows = tensors(*sizes)
    parts = {"Embedding": rows[:5], f"Transformer   * {blocks}": rows[5:-2], "Pooler": rows[-2:]}
    table: Table = [(name, "Key", "Shape", "Count", "Count All")]
    total = 0
    for label, part in parts.items():
        each = sum(prod(shape) for _, shape in part)
        stated = f"{each:,}"
        if "*" in label:
            each = (each - short) * blocks
            stated = f"{each // blocks:,}  * {blocks} =   {each:,}"
        total += each
        for place, (tensor, shape) in enumerate(part):
            first = (label, stated) if not place else ("", "")
            table.append((first[0], tensor, str(list(shape)), f"{prod(shape):,}", first[1]))
    return [*table, ("Total", "", "", "", f"{total:,}")]


def barred(table: Table) -> str:
    rows = [table[0], ("---",) * len(table[0]), *table[1:]]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def bare(table: Table) -> str:
    """As a rendered table is copied: no bars at the edges, a blank for an empty cell."""
    rows = [table[0], ("--",) * len(table[0]), *table[1:]]
    return "\n".join(" | ".join(cell or " " for cell in row) for row in rows)


def tabbed(table: Table) -> str:
    return "\n".join("\t".join(row) for row in table)


def spanned(table: Table) -> str:
    """HTML with a cell for each group over all of its rows."""
    lines = ["<table>", "<tr>" + "".join(f"<th>{cell}</th>" for cell in table[0]) + "</tr>"]
    for number, row in enumerate(table[1:-1], 1):
        height = next(step for step in range(1, len(table)) if table[number + step][0])
        span = f'<td rowspan="{height}">'
        cells = [f"{span}{row[0]}</td>"] if row[0] else []
        cells += [f"<td>{cell}</td>" for cell in row[1:4]]
        cells += [f"{span}{row[4]}</td>"] if row[0] else []
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, f'<tr><td colspan="4">{table[-1][0]}</td><td>{table[-1][4]}</td></tr>', "</table>"])


BASE, LARGE = (30522, 768, 3072), (30522, 1024, 4096)


def findings(report: Report) -> dict[str, str]:
    return {finding.kind: finding.explanation for finding in report.findings if finding.severity != "note"}


@pytest.mark.parametrize("written", [barred, bare, tabbed, spanned])
def test_groups_of_two_models(written: Callable[[Table], str]) -> None:
    first, second = grouped("bert-base-uncased", BASE, 12), grouped("bert-large-uncased", LARGE, 24, short=4096)
    text = f"1. the base model, 110M\n\n{written(first)}\n\n2. the large one, 340M\n\n{written(second)}\n\nSo much.\n"
    base, large = read(text, "text")
    assert (base.total, base.dimensions["L"], findings(base)) == (109_482_240, 12, {})
    assert (large.accounted, large.dimensions["L"]) == (335_141_888, 24)
    said = findings(large)
    # 12,592,128 = 12,596,224 − 4,096; 335,043,584 = 335,141,888 − 24·4,096
    assert said.keys() == {"file-group-sum", "residual"}
    assert "12,592,128, 4,096 too few, as many as encoder.layer.0.intermediate.dense.bias has" in said["file-group-sum"]
    assert "24 × 4,096 = 98,304 in all: its rows add up to 12,596,224" in said["file-group-sum"]
    assert "335,043,584" in said["residual"]


def test_a_table_that_is_cut_off_has_no_wrong_sum() -> None:
    table = grouped("bert-base-uncased", BASE, 12)
    for rows in (9, 10, 12, 14):  # of the block only its first ones: 12 of the query are 768 less than one block
        (cut,) = read(barred(table[:rows]), "text")
        assert "file-group-sum" not in findings(cut)
        assert not any(claim.verdict == "does not add up" for claim in check(barred(table[:rows]), "text").claims)


@pytest.mark.parametrize("written", [barred, bare, tabbed, spanned])
def test_check_reads_a_table_as_read_does(written: Callable[[Table], str]) -> None:
    first, second = grouped("bert-base-uncased", BASE, 12), grouped("bert-large-uncased", LARGE, 24, short=4096)
    checked = check(f"The base model:\n\n{written(first)}\n\nThe large one:\n\n{written(second)}\n", "text")
    wrong = [claim for claim in checked.claims if claim.verdict in ("mismatch", "arithmetic wrong", "does not add up")]
    assert [(claim.value, claim.expected, claim.carried_from) for claim in wrong] == [
        (12_592_128, 12_596_224, None),
        (302_211_072, 302_309_376, "12,592,128"),
        (335_043_584, 335_141_888, "12,592,128"),
    ]
    assert "encoder.layer.0.intermediate.dense.bias" in wrong[0].explanation


def test_columns_of_figures_are_sums_only_where_one_is() -> None:
    """The last column counts values trained, and no group."""
    rows = "\n".join(
        f"| {name} | {list(shape)} | {prod(shape)} | 1{place} |" for place, (name, shape) in enumerate(tensors(*BASE))
    )
    (report,) = read(f"| Key | Shape | Count | Rank |\n|---|---|---|---|\n{rows}\n", "text")
    assert "file-group-sum" not in findings(report)


@pytest.mark.parametrize("label", ["Total", "**Total**", "Sum", "Summary", "Total params", "合计", "Gesamt"])
def test_a_total_in_a_table_is_stated(label: str) -> None:
    rows = "\n".join(f"| {name} | {list(shape)} | {prod(shape):,} |" for name, shape in tensors(*BASE, blocks=2))
    header = "| Name | Shape | Params |\n|---|---|---|\n"
    total = sum(prod(shape) for _, shape in tensors(*BASE, blocks=2))
    (report,) = read(f"{header}{rows}\n| {label} | | {total - 768:,} |\n", "text")
    assert (report.total, report.residual) == (total - 768, -768)


def test_names_and_shapes_in_one_cell() -> None:
    rows = "\n".join(
        f"| name = bert/{name.replace('.', '/')}:0, shape = {shape} | 说明 | {prod(shape)} |"
        for name, shape in tensors(21128, 768, 3072, 12)
    )
    (report,) = read(f"参数如下：\n\n| 参数详情 | 说明 | 参数量 |\n|---|---|---|\n{rows}\n", "text")
    assert report.opening == "agrees: all 102,267,648 parameters of a BERT are verified."


def test_two_state_dicts_of_one_family() -> None:
    """The names of the second are those of the first, with other shapes: prose between them parts them."""
    base, large = (
        "\n".join(f"{name:50} torch.Size({list(shape)})" for name, shape in tensors(*sizes, blocks=blocks))
        for sizes, blocks in ((BASE, 12), (LARGE, 24))
    )
    text = f"The base model:\n\n```\n{base}\n```\n\nThe large one has more:\n\n```\n{large}\n```\n"
    assert [report.total for report in read(text, "text")] == [109_482_240, 335_141_888]


SUMMARY = """Model: "small"
_________________________________________________________________
 Layer (type)                Output Shape              Param #
=================================================================
 dense (Dense)               (None, 4)                 20

 dense_1 (Dense)             (None, 2)                 10

=================================================================
Total params: 30
Trainable params: 30
Non-trainable params: 0
_________________________________________________________________
"""
TORCHINFO = """==========================================
Layer (type:depth-idx)     Param #
==========================================
Net                        --
├─Linear: 1-1              20
├─Linear: 1-2              10
==========================================
Total params: 30
Trainable params: 30
Non-trainable params: 0
==========================================
"""


def test_a_table_beside_a_summary_hides_neither() -> None:
    reports = read(f"The model of Keras:\n\n{SUMMARY}\nand that of PyTorch:\n\n{TORCHINFO}\n", "text")
    assert [report.total for report in reports] == [30, 30]


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (["## BERT base", "", "It has twelve blocks.", "", "```"], "BERT base"),
        (["The large model:", "", "```text"], "The large model"),
        (["**bert-large-uncased**", ""], "bert-large-uncased"),
        (["2. GPT-2 small", ""], "GPT-2 small"),
        (["BERT base", ""], "BERT base"),
        (["# All my models", "", "I counted them by hand."], ""),  # the document's title
        (["109,482,240 in all.", ""], ""),
        ([">>> print(model)"], ""),
        ([], ""),
    ],
)
def test_what_a_text_calls_a_model(lines: list[str], name: str) -> None:
    assert heading_above(lines, len(lines)) == name


def test_several_models_have_their_own_names() -> None:
    first, second = barred(grouped("Layer", BASE, 12)), SUMMARY
    reports = read(f"## BERT base\n\n{first}\n\nA small one:\n\n{second}\n", "text")
    assert {report.subject.name: report.total for report in reports} == {"BERT base": 109_482_240, "A small one": 30}
