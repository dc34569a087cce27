"""Sentences that say of one component how many parameters it has: the words are held against the count."""

import pytest

from reconcile.claims.claim import FINDINGS
from reconcile.pipeline.check import check

BLOCK, ALL = 7_087_872, 85_054_464
WRONG = (
    ("The 12 layers of BERT-base have 7,087,872 parameters in total.", ALL),
    ("One layer of BERT-base has 85,054,464 parameters.", BLOCK),
    ("The feed-forward network of one BERT-base layer, with biases, has 2,362,368 parameters.", 4_722_432),
    ("The self-attention of one BERT-base layer has 4,722,432 parameters.", 2_362_368),
    ("The pooler of BERT-base has 589,824 parameters, bias included.", 590_592),
    ("The attention of one BERT-base layer, biases included, has 2,359,296 parameters.", 2_362_368),
    ("Each of the twelve BERT-base blocks has 7,077,888 parameters, biases and layer norms included.", BLOCK),
    ("BERT-base's embeddings have 23,440,896 parameters in total, positions and layer norm included.", 23_837_184),
    ("Die zwölf Schichten von BERT-base haben zusammen 7,1 Millionen Parameter.", ALL),
    ("BERT-base\n12 layers: 7,087,872", ALL),
    ("| BERT-Base | Anzahl Parameter |\n|---|---|\n| 12 Encoder-Schichten | 7.087.872 |\n| Summe | 109.482.240 |", ALL),
    ("BERT-base weights: 438 MB in fp16, 219 MB in fp16.", 218_964_480),
    ("Der Pooler von BERT-base hat 7.087.872 Parameter, die Einbettungen 23.837.184 Parameter.", 590_592),
)
RIGHT = """\
The embedding layer of BERT-base has 23,440,896 parameters.
The attention layer of BERT-base has 1,769,472 parameters.
In BERT-base the feed-forward part of all layers has 56,669,184 parameters.
The encoder of BERT-base has 85,054,464 parameters.
The encoder of BERT-base with its embeddings has 108,891,648 parameters.
The decoder of GPT-2 small has 85,056,000 parameters.
The last layer of BERT-base has 7,087,872 parameters.
The layers of BERT-base have 7,087,872 parameters each.
The layers of BERT-base have 7,087,872 parameters apiece, the embeddings 23.8M.
Each attention layer of BERT-base has 2,363,904 parameters including its layer norm.
Each attention layer of BERT-base has 2,362,368 parameters including biases.
Each layer of BERT-base has 1,771,776 parameters in its query, key and value.
Each block of BERT-base has 4,722,432 feed-forward parameters.
All 12 layers of BERT-base together have 28,311,552 attention parameters.
The MLM head of BERT-base has 24,063,546 parameters.
Every layer of BERT-large has 12.6M parameters.
The norms of BERT-base have 36,864 parameters.
The first two layers of BERT-base have 14,175,744 parameters.
The six layers of DistilBERT have 42.5M parameters.
BERT-base: 12 layers: 7,087,872 each
BERT-base: 12 layers | 7,087,872 | 85,054,464
BERT-base has 12 layers, each with about 7M parameters, so roughly 84M in the layers.
Les 12 couches de BERT-base en ont 85 054 464, soit 7 087 872 chacune.
A bottleneck on H=768 is 768·64+64 down and 64·768+768 up in BERT-base.
Its 12 layers are those of BERT-base, 7,087,872 each. ViT-L/16 comes to 304M.
BERT-base weights: 438 MB in fp32, 219 MB in fp16, 109 MB in int8.
438 MB (fp32), 219 MB (fp16) for BERT-base.
BERT-large takes 1.34 GB in fp32 and 0.67 GB in fp16, BERT-base 438 MB and 219 MB.
Our tokenizer has 30,523 entries ([ENT] was added), so BERT-base's word embeddings are 30,523 × 768 = 23,441,664.
We add one special token to GPT-2: 50,258 × 768 = 38,598,144 embedding weights.
LLaMA-2-7B with a pad token (vocab 32,001): embeddings 32,001 × 4096 = 131,076,096.
RoBERTa-base has the same layers as BERT-base, 7,087,872 each, and 124,645,632 parameters in total.
DistilBERT (66M) and DistilmBERT (135M) differ only in the vocabulary.
BERT-base (110M) and mBERT (178M) differ in the vocabulary.
In BERT-base every layer has 7.088 million parameters, in BERT-large 12.596 million.
BERT-base's 110M parameters × 4 B = 440 MB, + gradients 440 MB + Adam 880 MB = 1.76 GB.
The biases included, the two dense layers of BERT-base's FFN have 2,362,368 and 2,360,064 parameters.
Llama 2 13B: 40 layers of 317M, 12.69B together, 13.02B in total.
If the heads were not split, attention in BERT-base would need 12 × 3 × 768 × 768 = 21,233,664 parameters in each layer.
BERT tiny (2 layers, 128 wide) has 4.4M parameters.
"""


@pytest.mark.parametrize(("text", "right"), WRONG)
def test_a_count_of_something_else_is_no_count_of_the_subject(text: str, right: int) -> None:
    (claim, *_) = check(text, "text").claims
    assert (claim.verdict, claim.expected) == ("mismatch", right)


@pytest.mark.parametrize("text", RIGHT.splitlines())
def test_what_the_words_can_mean_is_accused_of_nothing(text: str) -> None:
    assert not {claim.verdict for claim in check(text, "text").claims} & set(FINDINGS)


def test_a_model_that_is_called_complete_lacks_nothing() -> None:
    text = "bert-base-uncased, by hand.\nSo the complete model has 108,770,304 parameters."
    (claim,) = check(text, "text").claims
    assert (claim.verdict, claim.expected) == ("mismatch", 109_482_240)
    (claim,) = check(text.replace("complete", "plain"), "text").claims
    assert claim.verdict != "mismatch"


@pytest.mark.parametrize(
    "text",
    [
        "GPT-2 small has 163,037,184 parameters with an output matrix of its own.",
        "GPT-2 has 163M parameters instead of 124M",
        "BERT-base has 133.5M parameters if nothing is tied",
        "若不做因式分解，ALBERT-xxlarge 仅词嵌入就需要 30000×4096=122880000",
    ],
)
def test_what_a_model_would_have_otherwise_is_accused_of_nothing(text: str) -> None:
    assert not {claim.verdict for claim in check(text, "text").claims} & set(FINDINGS)
