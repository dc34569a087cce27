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
