"""What a transformer takes for a picture."""

from reconcile.pipeline.check import check


def said(text: str) -> str:
    return "\n".join(claim.explanation for claim in check(text, "text").claims)


def test_patches_blocks_and_head() -> None:
    # 12·(12·768² + 2·197·768)·197 + 196·16²·3·768 + 1000·768
    blocks = 12 * 197 * (12 * 768**2 + 2 * 197 * 768)
    total = blocks + 196 * 16**2 * 3 * 768 + 1000 * 768
    text = "ViT-B/16, a picture of 3 x 224 x 224 in patches of 16 x 16, 1000 classes.\nIt has 173.23M mult-adds."
    assert "14·14 + 1 = 197 tokens" in said(text)
    assert f"takes {total:,} multiply-adds, {2 * total:,} FLOPs" in said(text)
    assert (blocks, total) == (17_447_454_720, 17_563_828_224)


def test_another_picture_has_other_tokens() -> None:
    text = "vit_l_16 on 384 x 384 pixels, patch size 16: 61.6 GMACs"
    blocks = 24 * 577 * (12 * 1024**2 + 2 * 577 * 1024)
    assert f"{blocks:,} of 24 blocks" in said(text)


def test_without_a_picture_nothing_is_said() -> None:
    assert "tokens and takes" not in said("ViT-B/16 has 17.6 GMACs")
    assert "tokens and takes" not in said("ViT-B/16 and ViT-L/16 on 224 x 224 pixels have 17.6 and 61.6 GMACs")
