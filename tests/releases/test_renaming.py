"""What a renaming is told as: one line for what one pattern says, exact names for a component alone."""

import pytest

from reconcile.formula import Formula
from reconcile.mapping.ledger import Assignment
from reconcile.releases.renaming import renamed


def stored(path: str, name: str) -> Assignment:
    return Assignment(path, (f"{name}:0",), 1, (1,), True, Formula.parse("H"), "H", 1, (1,))


BLOCKS = [
    (f"encoder.block[{n}].attention.{part}.kernel", f"T-{n}/T-{n}-MH/T-{n}-MH_{part}", f"E-{n}-SA/E-{n}-SA_{part}")
    for n in (1, 2)
    for part in ("query", "key")
]
CASES = {
    "a block's layer, whose arrays repeat its name": (
        BLOCKS, [("encoder.block[1..2].attention", "T-{n}/T-{n}-MH/… → E-{n}-SA/…")],
    ),
    "a part of it stays": (
        [*BLOCKS, ("encoder.block[1].attention.output.kernel", "A/a", "A/a")],
        [("encoder.block[1].attention.query.kernel, encoder.block[1].attention.key.kernel, encoder.block[2].attention",
          "T-{n}/T-{n}-MH/… → E-{n}-SA/…")],
    ),
    "layers out of a model in the model": (
        [("embeddings.token", "All/Token/table", "Token/table"), ("embeddings.segment", "All/Seg/table", "Seg/table")],
        [("embeddings", "All/{layer}/… → {layer}/…")],
    ),
    "the ends of names": (
        [("mlm.norm.gamma", "N/N_gamma", "N/gamma"), ("mlm.norm.beta", "N/N_beta", "N/beta")],
        [("mlm.norm", "{layer}/{layer}_… → {layer}/…")],
    ),
    "a component alone": (
        [("mlm.decoder.bias", "Dense-MLM/bias", "MLM-Sim/bias"), ("mlm.norm.beta", "N/beta", "N/beta")],
        [("mlm.decoder.bias", "Dense-MLM/bias → MLM-Sim/bias")],
    ),
    "names without a layer": (
        [("mlm.norm.gamma", "gamma", "norm_gamma"), ("mlm.norm.beta", "beta", "norm_beta")],
        [("mlm.norm.gamma", "gamma → norm_gamma"), ("mlm.norm.beta", "beta → norm_beta")],
    ),
    "nothing": ([("mlm.norm.gamma", "N/gamma", "N/gamma")], []),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_renaming(case: str) -> None:
    names, said = CASES[case]
    assert list(renamed((stored(path, before), stored(path, after)) for path, before, after in names)) == said
