"""Printed modules that would be read wrongly, or not at all: cut without a word, nested, of no size."""

from pathlib import Path

import pytest
from support import run

# 48 blocks of 128 experts. V·H = 151936·2048 = 311,164,928, twice; a block's attention is 2·2048·4096 + 2·2048·512 =
# 18,874,368, its router 2048·128 = 262,144 and its experts 128·3·2048·768 = 603,979,776.
QWEN = """Qwen3MoeForCausalLM(
  (model): Qwen3MoeModel(
    (embed_tokens): Embedding(151936, 2048)
    (layers): ModuleList(
      (0-47): 48 x Qwen3MoeDecoderLayer(
        (self_attn): Qwen3MoeAttention(
          (q_proj): Linear(in_features=2048, out_features=4096, bias=False)
          (k_proj): Linear(in_features=2048, out_features=512, bias=False)
          (v_proj): Linear(in_features=2048, out_features=512, bias=False)
          (o_proj): Linear(in_features=4096, out_features=2048, bias=False)
        )
        (mlp): Qwen3MoeSparseMoeBlock(
          (gate): Linear(in_features=2048, out_features=128, bias=False)
          (experts): ModuleList(
            (0-127): 128 x Qwen3MoeMLP(
              (gate_proj): Linear(in_features=2048, out_features=768, bias=False)
              (up_proj): Linear(in_features=2048, out_features=768, bias=False)
              (down_proj): Linear(in_features=768, out_features=2048, bias=False)
              (act_fn): SiLU()
            )
          )
        )
      )
    )
  )
  (lm_head): Linear(in_features=2048, out_features=151936, bias=False)
)
"""
TOTAL = 2 * 151936 * 2048 + 48 * (2 * 2048 * 4096 + 2 * 2048 * 512 + 2048 * 128 + 128 * 3 * 2048 * 768)


def printed(folder: Path, text: str) -> Path:
    file = folder / "printed.txt"
    file.write_text(text)
    return file


def test_20_000_modules_are_not_the_end(tmp_path: Path) -> None:
    assert TOTAL == 30_531_911_680
    assert f"{TOTAL:,}" in run("read", printed(tmp_path, QWEN)).out


def test_repeats_inside_of_repeats_are_counted_and_not_written_out(tmp_path: Path) -> None:
    depth, text = 12, "          (fc): Linear(in_features=4, out_features=4, bias=True)\n"
    for _ in range(depth):
        text = "  (0-9): 10 x Block(\n" + "".join(f"  {line}\n" for line in text.splitlines()) + "  )\n"
    ran = run("read", printed(tmp_path, f"Net(\n{text})\n"))
    assert ran.status in (0, 2), "read by multiplication, or declined"
    assert "Traceback" not in ran.err
    if ran.status == 0:
        assert f"{(4 * 4 + 4) * 10**depth:,}" in ran.out


@pytest.mark.parametrize("size", ["1e999", "inf", "nan", "1e30", "-4", "9" * 5_000])
def test_a_size_that_is_none_is_no_end_of_the_program(tmp_path: Path, size: str) -> None:
    text = f"Net(\n  (fc): Linear(in_features={size}, out_features=2, bias=True)\n)\n"
    ran = run("read", printed(tmp_path, text))
    assert ran.status in (0, 1, 2)
    assert "defect" not in ran.err
    assert ran.err.count("\n") <= 1


@pytest.mark.parametrize("text", ["a.weight " + "x" * 2_000_000, "| Module " + "| " * 1_000_000, "(" * 200_000])
def test_a_long_line_is_declined_at_once(tmp_path: Path, text: str) -> None:
    file = tmp_path / "line.txt"
    file.write_text(text)
    ran = run("read", file)  # a search that begins again at each letter takes minutes
    assert (ran.status, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1


LIGHTNING = """  | Name  | Type      | Params | Mode
0 | {name} | BertModel | {count} M  | eval
109 M     Total params
{size}   Total estimated model params size (MB)
"""


@pytest.mark.parametrize(
    ("name", "count", "size"),
    [
        ("model", "9" * 400, "437.929"),
        ("model", "109", "9" * 400),
        ("model", "-5", "-1.0"),
        ("model", "0", "0.000"),
        ("mo\x1b[31mdel\u202e", "109", "437.929"),
        ("::error::x", "109", "437.929"),
    ],
)
def test_rounded_rows_are_read_or_declined(tmp_path: Path, name: str, count: str, size: str) -> None:
    file = tmp_path / "lightning.txt"
    file.write_text(LIGHTNING.format(name=name, count=count, size=size))
    for form in ("text", "json", "markdown", "github"):
        ran = run("read", file, "--format", form)
        assert ran.status in (0, 1, 2)
        assert "\x1b" not in ran.out + ran.err
        assert "defect" not in ran.err


@pytest.mark.parametrize("size", ["9" * 400 + ".18 TB", "999999.99 TB", "0 bytes", "nan MB", "-1.0 KB"])
def test_an_estimate_of_any_size_is_read_or_declined(tmp_path: Path, size: str) -> None:
    file = tmp_path / "estimate.txt"
    file.write_text(f"│ dtype │Largest Layer│Total Size│Training using Adam│\n│float32│ 1 MB │{size}│ 1 GB │\n")
    ran = run("read", file)
    assert ran.status in (0, 1, 2)
    assert "defect" not in ran.err
