"""What a cache of keys and values takes for each token, with all heads or only those that are kept."""

import pytest

from reconcile.pipeline.check import check


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Llama-3-8B, KV cache: 2 * 32 * 4096 * 2 = 524,288 bytes per token", 131_072),
        ("Llama-3 70B: KV cache\n2 × 80 × 64 × 128 × 2 = 2,621,440 bytes = 2.5 MB / token", 327_680),
        ("GPT-2 small: KV cache per token\n2 * 12 layers * 12 heads * 768 * 2 bytes = 442,368 bytes", 36_864),
        ("GPT-2 small: KV cache per token\n2 * 12 layers * 12 heads * 64 * 2 bytes = 36,864 bytes", None),
        ("Llama-3 8B: KV cache\n2 × 32 × 8 × 128 × 2 = 131,072 bytes / token", None),
        ("Llama-2-7B, KV cache: 2 * 32 * 4096 * 2 = 524,288 bytes per token", None),
        ("Llama-2-7B, KV cache, a batch of 32: 2 * 32 * 4096 * 2 * 32 = 16,777,216 bytes a token", None),
        ("Llama-3-8B, KV cache: without GQA it would be 2 * 32 * 4096 * 2 = 524,288 bytes", None),
        ("Llama-3-8B, KV cache: 2 * 32 * 4096 * 2 = 524,288 bytes against 2 * 32 * 1024 * 2 = 131,072", None),
        (
            "Llama-3-8B, KV cache\n- one for each query: 2 * 32 * 4096 * 2 = 524,288 bytes\n"
            "- with groups: 2 * 32 * 1024 * 2 = 131,072 bytes",
            None,
        ),
        ("Llama-3-8B, KV cache\n\nMHA: 2 * 32 * 4096 * 2 = 524,288 bytes", None),
        ("Llama-3-8B: 2 * 32 * 4096 * 2 = 524,288 bytes of something else", None),
    ],
)
def test_a_cache_of_keys_and_values(text: str, right: int | None) -> None:
    wrong = [claim.expected for claim in check(text, "text").claims if claim.verdict == "mismatch"]
    assert wrong == ([] if right is None else [right])
