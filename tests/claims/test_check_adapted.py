"""Adapters of which a text states the rank and the modules, and what it prints that they have."""

import pytest

from reconcile.pipeline.check import check

ALL = '"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"'
QV = '"query", "value"'


def printed(model: str, rank: int, modules: str, count: int) -> tuple[str, int | None]:
    """The verdict of what is said to be trained, and what is right."""
    config = f"{model}: LoraConfig(r={rank}, target_modules=[{modules}])"
    text = f"{config}\ntrainable params: {count:,} || all params: {10**9:,}"
    (claim,) = (claim for claim in check(text, "text").claims if claim.text == f"{count:,}")
    return claim.verdict, claim.expected


@pytest.mark.parametrize(
    ("model", "rank", "modules", "right"),
    [
        ("BERT-base", 8, QV, 12 * 2 * 8 * (768 + 768)),
        ("LLaMA-2 7B", 16, '"q_proj", "v_proj"', 32 * 2 * 16 * (4096 + 4096)),
        ("Llama 3 8B", 8, ALL, 32 * 8 * (2 * 8192 + 2 * (4096 + 1024) + 3 * (4096 + 14336))),
        ("GPT-2 small", 8, '"c_attn"', 12 * 8 * (768 + 2304)),
    ],
)
def test_adapters_have_the_rank_that_the_text_states(model: str, rank: int, modules: str, right: int) -> None:
    assert printed(model, rank, modules, right) == ("holds", right)
    assert printed(model, 2 * rank, modules, right) == ("mismatch", 2 * right)
    assert printed(model, rank, modules, 16 * right) == ("mismatch", right)


@pytest.mark.parametrize(
    ("model", "rank", "modules", "count"),
    [
        ("BERT-base", 8, '"dense"', 294_912),  # of several matrices
        ("BERT-base", 8, '"kernel_7"', 294_912),  # of none that is known
    ],
)
def test_what_else_is_trained_is_not_accused(model: str, rank: int, modules: str, count: int) -> None:
    assert printed(model, rank, modules, count)[0] == "cannot say"


def test_a_classifier_is_trained_besides() -> None:
    assert printed("BERT-base", 8, QV, 294_912 + 1_538)[0] == "holds"


def test_the_rank_above_a_count_is_meant() -> None:
    """4,194,304 is rank 8 on query and value, and rank 16 on the query alone, which nobody takes it for."""
    log = "trainable params: {} || all params: 6,742,609,920"
    for rank, count, verdict in ((16, 8_388_608, "holds"), (8, 4_194_304, "holds"), (16, 4_194_304, "cannot say")):
        text = (
            f"LLaMA 7B with LoRA on query and value, of rank {24 - rank}, then\nr={rank}\n{log.format(f'{count:,}')}\n"
        )
        assert {claim.text: claim.verdict for claim in check(text, "text").claims}[f"{count:,}"] == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("BERT base with LoRA, r=8, on query and value.\ntrainable params: 294,912\n", "holds"),
        ("BERT base with LoRA, r=8, on all linear layers.\ntrainable params: 294,912\n", "cannot say"),
        ("BERT base with LoRA, r=8, on query and value.\nThe classifier has 294,912 parameters.\n", "cannot say"),
    ],
)
def test_adapters_hold_where_their_matrices_are_named_and_they_are_said_to_be_trained(text: str, verdict: str) -> None:
    assert {claim.text.split()[0]: claim.verdict for claim in check(text, "text").claims}["294,912"] == verdict


def test_of_two_ranks_neither_is_meant() -> None:
    text = f"BERT-base: LoraConfig(r=8, target_modules=[{QV}]) or r=16.\ntrainable params: 147,456 || all params: 1"
    assert [claim.verdict for claim in check(text, "text").claims if claim.text == "147,456"] == ["cannot say"]


@pytest.mark.parametrize(("times", "verdict"), [(16, "mismatch"), (17, None)])
def test_a_rank_is_no_more_than_sixteen_times_another(times: int, verdict: str | None) -> None:
    text = f"BERT-base: LoraConfig(r=8, target_modules=[{QV}])\ntrainable params: {294_912 * times:,} || all params: 1"
    found = [claim.verdict for claim in check(text, "text").claims if claim.text == f"{294_912 * times:,}"]
    assert found == ([verdict] if verdict else [])


_TWO = """LLaMA 7B with LoRA of r=8 has some 4 million trainable parameters.

```python
config = LoraConfig(
    r=16,                                 # where most people begin (alpha/r = 2)
    target_modules={modules},
    task_type=TaskType.CAUSAL_LM,         # in the manner of GPT
)
model.print_trainable_parameters()
# trainable params: {count:,} || all params: {all:,} || trainable%: {share}
```
"""
_LLAMA = 6_738_415_616


def told(modules: str, count: int, share: str) -> dict[str, tuple[str, int | None, str | None]]:
    """The claims of the line that is printed, below prose with another rank than the code has."""
    text = _TWO.format(modules=modules, count=count, all=_LLAMA + count, share=share)
    lines = (claim for claim in check(text, "text").claims if claim.line == text.count("\n") - 1)
    return {claim.text.split(": ")[-1]: (claim.verdict, claim.expected, claim.carried_from) for claim in lines}


def test_the_settings_right_above_what_is_printed_are_meant() -> None:
    """32 × 2 × 16 × (4,096 + 4,096) = 8,388,608; the model with what is printed and its share carry that on."""
    right = told('["q_proj", "v_proj"]', 8_388_608, "0.1243")
    assert {verdict for verdict, _, _ in right.values()} <= {"holds", "holds as"}
    wrong = told('["q_proj", "v_proj"]', 4_194_304, "0.0622")
    assert wrong["4,194,304"] == ("mismatch", 8_388_608, None)
    assert wrong["6,742,609,920"] == ("mismatch", _LLAMA + 8_388_608, "4,194,304")
    assert wrong["0.0622"][0] == "mismatch"


def test_what_is_printed_is_of_other_modules_than_the_code_names() -> None:
    """4,194,304 are those of rank 8 on two matrices; all seven have 39,976,960 at rank 16."""
    every = f"[{ALL}]"
    assert told(every, 39_976_960, "0.5898")["39,976,960"][0] == "holds"
    assert told(every, 4_194_304, "0.0622")["4,194,304"] == ("mismatch", 39_976_960, None)
    assert "27,484,160" not in told(every, 11 * 2_498_560, "0.4062")


def test_modules_that_prose_names_accuse_nothing_of_other_modules() -> None:
    text = "LLaMA 7B, LoRA of r=16 on query and value first, then on all.\ntrainable params: 39,976,960\n"
    assert not [claim for claim in check(text, "text").claims if claim.verdict == "mismatch"]


@pytest.mark.parametrize(
    ("text", "count", "verdict"),
    [
        ("BERT base with LoRA, r=8.\ntrainable params: 294,912 || all params: 109,777,152\n", "109,777,152", "holds"),
        ("BERT base with LoRA, r=8.\ntrainable params: 442,368\n", "442,368", "cannot say"),  # query, key and value
        ("BERT base with LoRA, r=8, on the feed-forward.\ntrainable params: 294,912\n", "294,912", "cannot say"),
        ("BERT base with LoRA, r=8, on the output projection.\ntrainable params: 294,912\n", "294,912", "cannot say"),
        ("Llama 3 8B, LoRA r=16 on q_proj, k_proj, v_proj, o_proj.\ntrainable: 13,631,488\n", "13,631,488", "holds"),
    ],
)
def test_adapters_hold_beside_the_usual_matrices_or_those_that_are_named(text: str, count: str, verdict: str) -> None:
    found = {claim.text.split(": ")[-1]: claim.verdict for claim in check(text, "text").claims}
    assert found[count] == verdict


@pytest.mark.parametrize(
    ("loaded", "verdict"), [("meta-llama/Llama-2-7b-hf", "mismatch"), ("acme/tower", "cannot say")]
)
def test_adapters_of_a_model_that_is_loaded_and_not_known_accuse_nothing(loaded: str, verdict: str) -> None:
    """4,194,304 are those of rank 8 in LLaMA 7B, and of rank 16 in a model of half as many blocks."""
    code = f'model = AutoModel.from_pretrained("{loaded}")\nLoraConfig(r=16, target_modules=["q_proj", "v_proj"])'
    text = f"LLaMA 7B was tried with r=8 before.\n\n{code}\ntrainable params: 4,194,304\n"
    assert {claim.text: claim.verdict for claim in check(text, "text").claims}["4,194,304"] == verdict
