"""Models of other libraries whose blocks are of our form, and slips that are told by the text itself."""

import pytest

from reconcile.claims.claim import Claim
from reconcile.claims.structure.catalogue import every_model
from reconcile.claims.structure.mentions import mentions
from reconcile.pipeline.check import check

ACCUSING = {"mismatch", "arithmetic wrong", "does not add up"}


def claim(text: str, value: float) -> Claim:
    (found,) = [one for one in check(text, "text").claims if one.value == value]
    return found


def accused(text: str) -> list[Claim]:
    return [one for one in check(text, "text").claims if one.verdict in ACCUSING]


GEMMA = """Gemma-2B, 18 layers of width 2048, 8 heads of 256, one of them for keys and values:

    attention per layer: q, k, v, o = 4 × 2048 × 2048 = 16,777,216
    mlp per layer: gate, up, down = 3 × 2048 × 16384 = 100,663,296
    norms per layer: 2 × 2048 = 4,096
    layer = 117,444,608
    18 layers = 2,114,002,944
    total = 2,114,002,944 + 524,288,000 + 2,048 = 2,638,292,992

The checkpoint has 2,506,172,416. Each layer has 7,340,032 less, and 2,638,292,992 − 132,120,576 = 2,506,172,416.
"""


def test_keys_of_all_heads_are_too_many_and_what_they_come_to_is_wrong_with_them() -> None:
    found = {one.value: one.expected for one in accused(GEMMA)}
    assert found == {
        16_777_216: 9_437_184,
        117_444_608: 110_104_576,
        2_114_002_944: 1_981_882_368,
        2_638_292_992: 2_506_172_416,
    }


def test_a_difference_that_leaves_what_is_right_carries_nothing_on() -> None:
    right = [one for one in check(GEMMA, "text").claims if one.value == 2_506_172_416]
    assert {one.verdict for one in right} == {"holds"}


def test_an_attention_without_biases_of_its_keys_is_whispers() -> None:
    text = "Whisper tiny: one attention has 4·384·384 + 3·384 = 590,976, one encoder layer 1,774,080 parameters."
    assert {one.verdict for one in check(text, "text").claims} == {"holds"}
    (wrong,) = accused(text.replace("1,774,080", "1,774,800"))
    assert wrong.value == 1_774_800


@pytest.mark.parametrize(
    ("text", "value", "path"),
    [
        ("One decoder layer of BART base has 9,451,776 parameters.", 9_451_776, "decoder.block[*]"),
        ("The blocks of BLOOM 560M have 302,309,376 parameters.", 302_309_376, "decoder"),
        ("The position embedding of OPT 125M has 2050 × 768 = 1,574,400.", 1_574_400, "embeddings.position"),
    ],
)
def test_parts_of_models_of_other_libraries_are_known(text: str, value: int, path: str) -> None:
    found = claim(text, value)
    assert (found.verdict, found.path) == ("holds", path)


def test_so_many_blocks_of_another_model_are_told() -> None:
    text = "roberta-base-bne: 12 × 7.087.872 = 85.054.464\n\nroberta-large-bne: 24 × 7.087.872 = 170.108.928\n"
    (wrong,) = accused(text)
    assert (wrong.value, wrong.expected) == (170_108_928, 302_309_376)


@pytest.mark.parametrize(
    ("says", "figure", "right"),
    [
        ("BERT base has 109,482,240 parameters. In fp16 the weights take only", "109.5 MB", 218_964_480),
        ("BERT base has 109,482,240 parameters. On my disk it takes", "438 GB in fp32", 437_928_960),
    ],
)
def test_bytes_of_the_total_at_another_precision_or_scale_are_told(says: str, figure: str, right: int) -> None:
    (wrong,) = accused(f"{says} {figure}.")
    assert wrong.expected == right


def test_a_typed_setting_is_a_size() -> None:
    text = (
        "class Config:\n    vocab_size: int = 50257\n    n_embd: int = 384\n    n_layer: int = 6\n    n_head: int = 6\n"
    )
    assert "V·H = 19,298,688" in claim(f"{text}\nThe token table has 19,298,688 parameters.", 19_298_688).explanation


def test_a_size_may_stand_with_its_letter() -> None:
    text = "The student has $M=4$ layers, $d'=312$, an intermediate size of $d'_i=1200$ and $h=12$ heads.\n\n"
    (wrong,) = accused(f"{text}FFN: 312*1248+1248+1248*312+312 = 780,312")
    assert wrong.expected == 750_312


@pytest.mark.parametrize("text", ["24 * 10.27 ≈ 246 GFLOP", "24 × 10.27 = 246", "7.3 × 12 = 88"])
def test_a_whole_number_of_what_is_none_is_rounded(text: str) -> None:
    assert not accused(text)
    assert accused("24 × 10.27 ≈ 247")


def test_biases_alone_are_no_mistake() -> None:
    rows = "* attention: 4 * 768 = 3072\n* both LayerNorms: 2 * 768 = 1536\n"
    assert not accused(f"BitFit trains only the biases of BERT base:\n{rows}")
    assert not accused("In a layer of BERT base the $\\beta$ of both LayerNorms: $2 \\times 768 = 1536$")
    assert [one.expected for one in accused("In a layer of BERT base both LayerNorms: 2 × 768 = 1536")] == [3072]


LISTING = """word table     10560
block a       102400
block b       409600
[one block sums to 512000, 6 x 512000 = 3072000]
norm             640
total        {total}
"""


def test_one_block_beside_all_blocks_is_not_added_again() -> None:
    assert not accused(LISTING.format(total=3_083_200))


def test_a_slip_in_a_total_is_told_whatever_the_columns_are() -> None:
    rows = "encoder   10000 x 400          4,000,000\nrnn 0     4*(1150*400 + 1150*1150 + 2*1150)   7,139,200\n"
    rows += "rnn 1     4*(1150*1150 + 1150*1150 + 2*1150)  10,589,200\ndecoder   only a bias   10,000\n"
    (wrong,) = accused(f"{rows}                        -----------\ntotal                  21,783,400\n")
    assert wrong.expected == 21_738_400


def test_a_share_of_the_rest_is_told_in_a_column_of_shares_of_the_part() -> None:
    rows = "| small | 117,653,760 | 96,014,208 | 81.6 % |\n| base | 278,043,648 | 192,001,536 | 69.1 % |\n"
    table = f"| e5 | parameters | word table | share |\n|---|---|---|---|\n{rows}| large | 559,890,432 | 256,002,048 | "
    (wrong,) = accused(f"{table}54.3 % |\n")
    assert wrong.text == "54.3 %"
    assert not accused(f"{table}45.7 % |\n")


def test_the_words_of_families_make_no_relative() -> None:
    text = "| model | vocabulary | parameters |\n|---|---|---|\n| bge-small-en | 30,522 | 33.4M |\n"
    text += "| bge-large-en | 30,522 | 335,141,888 |\n"
    (wrong,) = accused(f"{text}| multilingual-e5-small | 250,037 | 33.4M |\n")
    assert wrong.expected == 117_653_760


def test_a_share_that_hardly_changes_with_a_wrong_count_is_left_open() -> None:
    text = "A layer of BERT base: 2,362,368 + 4,722,432 = 7,084,800, all 12 × 7,084,800 = 85,017,600 parameters.\n\n"
    assert len(accused(text)) == 2
    every = accused(f"{text}4,722,432 / 7,084,800 = 66.7 %")
    assert not any(one.text.endswith("66.7 %") for one in every)


SENTENCES = {
    "embeddings.token": "The token embedding of {} has {:,} parameters.",
    "encoder.block[*]": "One encoder block of {} has {:,} parameters.",
    "decoder.block[*]": "One decoder block of {} has {:,} parameters.",
    "encoder.block[*].attention": "The self-attention of one layer of {} has {:,} parameters.",
    "decoder.block[*].feed_forward": "The feed-forward network of one layer of {} has {:,} parameters.",
    "encoder": "All encoder blocks of {} together have {:,} parameters.",
    "decoder": "All decoder blocks of {} together have {:,} parameters.",
    "whole": "{} has {:,} parameters.",
    "backbone+pooler": "{} has {:,} parameters.",
}


def slipped(count: int) -> int:
    """A count with two neighbouring digits exchanged, the first two behind the first one that differ."""
    digits = str(count)
    at = next(place for place in range(1, len(digits) - 1) if digits[place] != digits[place + 1])
    return int(digits[:at] + digits[at + 1] + digits[at] + digits[at + 2 :])


def test_what_models_have_holds_and_a_slip_in_it_does_not() -> None:
    """Every second model that its own name is understood for, in plain sentences; few slips may be left open."""
    passed, asked = [], 0
    for model in every_model()[::2]:
        named = [each.name for mention in mentions(model.name) for each in mention.candidates]
        parts = {account.path: account.count for account in model.accounts}
        for path in SENTENCES.keys() & parts if model.name in named and "vocabulary" not in model.name else ():
            asked += 1
            says, wrong = SENTENCES[path].format(model.name, parts[path]), slipped(parts[path])
            verdicts = {one.verdict for one in check(says, "text").claims if one.value == parts[path]}
            assert verdicts == {"holds"}, says
            if not accused(SENTENCES[path].format(model.name, wrong)):
                passed.append((model.name, path))
    assert asked > 400
    assert len(passed) * 40 < asked, passed


@pytest.mark.parametrize(
    ("name", "figure"),
    [
        ("Qwen1.5 0.5B", "620M"),  # as it is stored, with its output matrix
        ("M2M-100 418M", "418M"),  # as its name says
        ("ESM-2 8M", "7,840,794"),  # with a table of 1,026 positions
        ("Alpaca 7B", "6,738,423,808"),  # with one word more
        ("wav2vec 2.0 base", "95M"),
        ("Swin-B", "87.9M"),
        ("Pegasus large", "568M"),
        ("mDeBERTa v3 base", "190M"),
    ],
)
def test_what_was_published_for_a_model_is_not_accused(name: str, figure: str) -> None:
    assert not accused(f"{name} has {figure} parameters.")
