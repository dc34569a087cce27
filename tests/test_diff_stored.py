"""Two checkpoints that differ in what no count shows: types, layouts, what is trained, and what was put into a block."""

import json
import re
from collections.abc import Mapping
from math import prod
from pathlib import Path

import pytest
from sources.checkpoint_files import entry, safetensors, written
from support import Ran, run

from reconcile.mapping.ledger import Ledger
from reconcile.sources.checkpoints.dtypes import SAFETENSORS, bytes_of

H, V, P, F, L, R = 24, 97, 31, 40, 3, 4
Shapes = dict[str, tuple[int, ...]]
BLOCK = "bert.encoder.layer.{}."


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is laid out to a width."""
    monkeypatch.delenv("COLUMNS", raising=False)


def dense(name: str, out: int, into: int) -> Shapes:
    return {f"{name}.weight": (out, into), f"{name}.bias": (out,)}


def norm(name: str) -> Shapes:
    return {f"{name}.weight": (H,), f"{name}.bias": (H,)}


def bert() -> Shapes:
    """A BERT as Hugging Face stores it."""
    shapes: Shapes = {
        "bert.embeddings.word_embeddings.weight": (V, H),
        "bert.embeddings.position_embeddings.weight": (P, H),
        "bert.embeddings.token_type_embeddings.weight": (2, H),
    }
    shapes |= norm("bert.embeddings.LayerNorm")
    for number in range(L):
        block = BLOCK.format(number)
        for projection in ("query", "key", "value"):
            shapes |= dense(f"{block}attention.self.{projection}", H, H)
        shapes |= dense(f"{block}attention.output.dense", H, H) | norm(f"{block}attention.output.LayerNorm")
        shapes |= dense(f"{block}intermediate.dense", F, H) | dense(f"{block}output.dense", H, F)
        shapes |= norm(f"{block}output.LayerNorm")
    return shapes | dense("bert.pooler.dense", H, H)


TOTAL = sum(map(prod, bert().values()))


def stored(file: Path, shapes: Shapes, types: Mapping[str, str] | str = "F32") -> Path:
    header, start = {}, 0
    for name, shape in shapes.items():
        dtype = types if isinstance(types, str) else types.get(name, "F32")
        stop = start + bytes_of(SAFETENSORS[dtype], prod(shape))
        header[name] = entry(shape, start, stop, dtype)
        start = stop
    return written(file, safetensors(header, bytes(start)))


def diff(folder: Path, right: Shapes, types: Mapping[str, str] | str = "F32", *options: str) -> Ran:
    """A BERT in float32 against another model."""
    return run("diff", stored(folder / "a", bert()), stored(folder / "b", right, types), *options)


def conclusion(ran: Ran) -> str:
    return ran.out.partition("\n")[0]


# --- types ---


def test_another_type_is_told_with_its_bytes(tmp_path: Path) -> None:
    ran = diff(tmp_path, bert(), "F16")
    assert (ran.status, conclusion(ran)) == (1, "B has float16 instead of float32; everything else agrees.")
    assert f"A: {tmp_path / 'a'}, safetensors: {TOTAL:,} parameters, float32, {4 * TOTAL:,} bytes" in ran.out
    assert f"- all components: float32 in A, float16 in B: {4 * TOTAL:,} → {2 * TOTAL:,} bytes" in ran.out


def test_another_type_of_a_part_is_told_by_its_place(tmp_path: Path) -> None:
    second = {name: "BF16" for name in bert() if name.startswith(BLOCK.format(1))}
    ran = diff(tmp_path, bert(), second)
    assert conclusion(ran) == "B has bfloat16 instead of float32 in encoder.block[2]; everything else agrees."
    # 4·(H² + H) + 2·H·F + F + H + 4·H
    block = 4 * (H**2 + H) + 2 * H * F + F + H + 4 * H
    assert f"- encoder.block[2]: float32 in A, bfloat16 in B: {4 * block:,} → {2 * block:,} bytes" in ran.out
    mixed = {"bert.pooler.dense.bias": "F64", BLOCK.format(0) + "output.dense.bias": "F64"}
    ran = diff(tmp_path, bert(), mixed)
    assert "in encoder.block[1].feed_forward.output.bias, pooler.bias;" in conclusion(ran)


def test_the_type_of_what_is_no_file_is_a_note(tmp_path: Path) -> None:
    from dataclasses import replace

    from reconcile.inventory import Inventory, Tensor, parent_layers
    from reconcile.mapping.tensors import map_source
    from reconcile.report.difference import report_difference
    from reconcile.report.types import Subject

    def side(dtype: str, size: int | None) -> tuple[Subject, Ledger, tuple[()]]:
        tensors = [
            Tensor(name, shape, dtype, None, name, size and size * prod(shape)) for name, shape in bert().items()
        ]
        inventory = replace(Inventory("a", parent_layers(tensors), None), kind="safetensors")
        return Subject("a", "a", "a", None, None), map_source(inventory), ()

    for theirs, severity in ((2, "warning"), (None, "note")):
        (line,) = report_difference(side("float32", 4), side("float16", theirs)).changes
        assert (line.kind, line.severity) == ("dtype", severity)


# --- layouts ---

KERNEL = BLOCK.format(1) + "intermediate.dense.weight"


def test_one_matrix_transposed_alone_is_an_error(tmp_path: Path) -> None:
    ran = diff(tmp_path, bert() | {KERNEL: (H, F)}, "F32", "--fail-on", "error")
    node = "encoder.block[2].feed_forward.intermediate.kernel"
    assert (ran.status, conclusion(ran)) == (
        1,
        f"B has {node} laid out unlike others of its kind; everything else agrees.",
    )
    assert f"- {node}: transposed, and others of its kind are not: ({F}, {H}) in A, ({H}, {F}) in B" in ran.out


def google() -> Shapes:
    """The same model as Google's code stores it: what goes in comes first."""
    found: Shapes = {}
    for name, shape in bert().items():
        path = re.sub(r"layer\.(\d+)", r"layer_\1", name).replace(".", "/")
        if "embeddings.LayerNorm" not in name and ".embeddings." in name:
            found[path.removesuffix("/weight")] = shape
        elif "LayerNorm" in name:
            found[path.replace("/weight", "/gamma").replace("/bias", "/beta")] = shape
        else:
            found[path.replace("/weight", "/kernel")] = shape[::-1]
    return found


def test_all_matrices_of_a_kind_transposed_are_a_layout(tmp_path: Path) -> None:
    ran = diff(tmp_path, google(), "F32", "--fail-on", "warning")
    assert (ran.status, conclusion(ran)) == (0, "A and B agree in every component.")
    assert f"encoder.block[1..{L}].feed_forward.intermediate.kernel: the same matrix, laid out otherwise" in ran.out


def test_one_of_many_that_is_laid_out_as_on_the_other_side_is_an_error(tmp_path: Path) -> None:
    alone = google() | {"bert/encoder/layer_1/intermediate/dense/kernel": (F, H)}
    ran = diff(tmp_path, alone, "F32", "--fail-on", "error")
    assert ran.status == 1
    node = "encoder.block[2].feed_forward.intermediate.kernel"
    assert conclusion(ran) == f"B has {node} laid out unlike others of its kind; everything else agrees."
    assert f"- {node}: ({F}, {H}) in A as in B, where others of its kind are laid out otherwise" in ran.out


# --- what was put into a block ---


def test_a_norm_in_a_block_is_told_by_its_place(tmp_path: Path) -> None:
    ran = diff(tmp_path, bert() | norm(BLOCK.format(1) + "attention.norm2"))
    assert conclusion(ran) == "B has a norm2 in encoder.block[2]; everything else agrees."
    assert "encoder.block[2].norm2" in ran.out
    assert f"only in B: 2·o = 2·{H} = {2 * H}" in ran.out


def lora(rank: int = R) -> Shapes:
    """Adapters of a rank on query and value of each block."""
    return {
        f"{BLOCK.format(number)}attention.self.{projection}.lora_{side}.weight": (rank, H) if side == "A" else (H, rank)
        for number in range(L)
        for projection in ("query", "value")
        for side in "AB"
    }


def test_an_adapter_is_one_addition_at_its_place(tmp_path: Path) -> None:
    ran = diff(tmp_path, bert() | lora())
    places = [f"encoder.block[1..{L}].attention.{projection}" for projection in ("query", "value")]
    assert conclusion(ran) == (
        f"B has LoRA r={R} at {', '.join(places)} (A {R}×{H}, B {H}×{R}); everything else agrees."
    )
    for place in places:
        assert f"{place}.LoRA" in ran.out
    assert f"only in B, {R}×{H} and {H}×{R}: {L} × (i·r + o·r) = {L} × {2 * H * R:,} = {2 * L * H * R:,}" in ran.out


@pytest.mark.parametrize("depth", ["group", "tensor"])
def test_adapters_of_another_rank_are_one_difference_at_their_place(tmp_path: Path, depth: str) -> None:
    sides = stored(tmp_path / "a", bert() | lora()), stored(tmp_path / "b", bert() | lora(2 * R))
    ran = run("diff", *sides, "--depth", depth)
    # The rank of two projections in each block, R more times two axes of H.
    assert len(re.findall(r"^encoder.*LoRA", ran.out, re.MULTILINE)) == 2
    assert re.search(rf"^total .* \+{2 * L * R * 2 * H:,}$", ran.out, re.MULTILINE)
    assert conclusion(ran) == f"B has a rank of {2 * R} instead of {R}; everything else agrees."


def test_half_an_adapter_is_no_addition(tmp_path: Path) -> None:
    ran = diff(tmp_path, bert() | {name: shape for name, shape in lora().items() if "lora_A" in name})
    assert "LoRA" not in ran.out
    assert conclusion(ran).startswith(f"B has a lora_A in encoder.block[1..{L}].attention.query, ")


@pytest.mark.parametrize("depth", ["1", "2", "tensor"])
def test_rows_add_up_at_every_depth(tmp_path: Path, depth: str) -> None:
    from support import integer, printed_rows

    out = diff(tmp_path, bert() | lora() | dense("classifier", 3, H), "F32", "--depth", depth).out
    *rows, total = printed_rows(out)
    for column in ("A", "B", "difference"):
        assert sum(integer(row[column] or "0") for row in rows) == integer(total[column])
    assert integer(total["B"]) == TOTAL + 4 * L * H * R + 3 * H + 3
    assert len(rows) == {"1": 3, "2": 3, "tensor": 5}[depth]


@pytest.mark.parametrize("depth", ["1", "2", "3", "tensor"])
def test_a_stack_that_only_one_has_is_told_at_every_depth(tmp_path: Path, depth: str) -> None:
    from support import integer, printed_rows

    out = diff(tmp_path, dense("net.0", 3, H), "F32", "--depth", depth).out
    *rows, total = printed_rows(out)
    for column in ("A", "B", "difference"):
        assert sum(integer(row[column] or "0") for row in rows) == integer(total[column])
    assert (integer(total["A"]), integer(total["B"])) == (TOTAL, 3 * H + 3)


@pytest.mark.parametrize("depth", ["1", "2", "group", "tensor"])
def test_a_matrix_that_one_ties_is_counted_once_at_every_depth(tmp_path: Path, depth: str) -> None:
    from support import integer, printed_rows

    # The output matrix is V·H, and its bias, which is another too, stands at the same node.
    for name, words, tied in (("a", V, False), ("b", V + 5, True)):
        sizes = {"hidden_size": H, "num_hidden_layers": L, "num_attention_heads": 4, "intermediate_size": F}
        told = {"model_type": "bert", "architectures": ["BertForMaskedLM"], "tie_word_embeddings": tied}
        told |= {"transformers_version": "4.57.0"}
        config = told | sizes | {"vocab_size": words, "max_position_embeddings": P, "type_vocab_size": 2}
        written(tmp_path / f"{name}.json", json.dumps(config).encode())
    out = run("diff", tmp_path / "a.json", tmp_path / "b.json", "--depth", depth).out
    *rows, total = printed_rows(out)
    for column in ("A", "B", "difference"):
        assert sum(integer(row[column] or "0") for row in rows) == integer(total[column])
    assert all(integer(row[column] or "0") >= 0 for row in rows for column in ("A", "B")), "nothing is counted twice"
    assert integer(total["difference"]) == 5 * H + 5 - V * H


def test_what_stands_beside_the_blocks_keeps_its_name(tmp_path: Path) -> None:
    ran = diff(tmp_path, bert() | dense("bert.extra", 3, H))
    assert conclusion(ran) == "B has a layer bert.extra; everything else agrees."


# --- what is trained ---

SUMMARY = """Model: "m"
_________________________________________________________________
 Layer (type)                Output Shape              Param #
=================================================================
 dense (Dense)               (None, 8)                 72

 dense_1 (Dense)             (None, 2)                 18

=================================================================
Total params: 90
Trainable params: {}
Non-trainable params: {}
_________________________________________________________________
"""


def test_the_split_that_only_the_footer_tells_is_compared(tmp_path: Path) -> None:
    for name, frozen in {"a": 0, "b": 72}.items():
        (tmp_path / name).write_text(SUMMARY.format(90 - frozen, frozen))
    ran = run("diff", tmp_path / "a", tmp_path / "b")
    assert (ran.status, conclusion(ran)) == (
        1,
        "B has 72 non-trainable parameters instead of 0; everything else agrees.",
    )
    assert "- non-trainable parameters: 0 → 72" in ran.out
    assert run("diff", tmp_path / "a", tmp_path / "a").status == 0
