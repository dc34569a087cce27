# ruff: noqa: E501
"""The same claim in many surroundings: the words, signs and markup around it change nothing of its verdict.

What is right is accused nowhere, and what is wrong is found wherever its words single it out.
"""

import pytest

from reconcile.claims.claim import FINDINGS
from reconcile.pipeline.check import check

EQUATIONS = (
    ("12 × 7,087,872 = 85,054,464", "12 × 7,087,872 = 85,045,464"),
    ("768*768 + 768 = 590592", "768*768 + 768 = 590952"),
    ("110M × 4 bytes = 440 MB", "110M × 4 bytes = 44 MB"),
    ("23,440,896 / 109,482,240 = 21.4%", "23,440,896 / 109,482,240 = 12.4%"),
)
"""Equations that hold, each with what a slip makes of it."""
AROUND = (
    *("{}", "In BERT-base {}", "The fine-tuned model: {}", "- {}", "* {}", "1. {}", "> {}", "# {}", "// {}", "-- {}"),
    *("({})", "Q, K and V ({}, without the output)", "**{}**", "`{}`", "${}$", "| total | {} |", "<td>{}</td>"),
    *("所以{}。", "参数量：{}", "donc {}", "So {}, that is all.", "{} // checked", "{} — so far", "{} (see above)"),
    *("{} for BERT-base", "{} 个参数", "Layer 1: {}", "That is why {}!", "{} ✓", "x = 3; {}"),
)
"""What stands around an equation and is no part of it."""
COMPONENTS = {
    "token embedding": ("23,440,896", "23,404,896"),
    "position embedding": ("393,216", "392,316"),
    "pooler": ("590,592", "595,092"),
    "feed-forward network of one layer": ("4,722,432", "4,724,232"),
}
"""Components of BERT base with their counts, and with two digits exchanged."""
NAMED = (
    *("The {c} of BERT-base has {x} parameters.", "BERT-base, {c}: {x}", "| BERT-base | {c} | {x} |"),
    *("{x} parameters are in the {c} of BERT-base.", "BERT-base spends {x} parameters on the {c}."),
    *("BERT-base.\n\nThere are {x} parameters in the {c}.", "BERT-base.\n\nWe get {x} for the {c}."),
)
"""Sentences and rows in which a component is named before its count or behind it."""
TOLD = {
    "BERT-base, all 12 layers: {}": ("85,054,464 85.1M 85M", "7,087,872 28,311,552 58M"),
    "The encoder of BERT-base has {} parameters.": ("85,054,464 85M 110M", "7,087,872 28,311,552 58M"),
    "BERT-base 的 12 层编码器共 {} 参数。": ("85,054,464 85M", "7,087,872 28,311,552 58M"),
    "Each encoder layer of BERT-base has {} parameters.": ("7,087,872 7.1M", "85,054,464 85M 3.5M"),
    "BERT-base: {} per layer": ("7,087,872 7.1M", "85,054,464 3.5M 70.9M"),
    "Jede Schicht von BERT-base hat {} Parameter.": ("7.087.872 7,1M", "85.054.464 3,5M"),
    "The self-attention of one BERT-base layer has {} parameters.": ("2,362,368 2.4M", "28,348,416 590,592 4.7M"),
    "We use BERT-base, which has {} parameters.": ("110M 109.5M", "340M 11M 1.1B 210M"),
    "the {} parameters of BERT-base": ("110M 0.11B", "340M 1.1B 66M"),
    "With {} parameters, BERT-base is small.": ("110M", "340M 1.1B 66M"),
    "The checkpoint of BERT-base (fp32) is {}MB.": ("438 418", "44 220 300"),
    "The token embedding makes up {} of BERT-base.": ("21.4% 21%", "31.4% 41% 2.14%"),
    "In BERT-base, {} of the parameters are in the token embedding.": ("21.4% 21%", "31.4% 41%"),
    "BERT-large is {} times as large as BERT-base.": ("3.1 3.06 3", "4.1 2.1 1.3"),
    "BERT-large has {}× as many parameters as BERT-base.": ("3.1 3.06", "4.1 2.1 1.3"),
    "Total params: 4,782,722 ({} MB)": ("18.24 9.12", "145.96"),
}
"""Sentences of which every word is understood, with figures that are right in them and figures that are not."""
RIGHT = r"""
GPT-3 has a position table as well, 2048*12288 = 25.2M, nothing next to 175B; here it is 1% of the model.
The encoder of BERT-base has 110M parameters.
BERT-base encoder: 109.5M
BERT-base's encoder has 86M parameters.
The embedding layer of BERT-base has 23.4M parameters.
The embeddings of BERT-base: 23.8M
The attention in BERT-base has 28.3M parameters.
The FFN of BERT-base: 56.7M
The feed-forward layers of BERT-base take 56.6M parameters.
Each attention head of BERT-base has 147,456 parameters.
One head of BERT-base: 196,992 parameters
The output layer of BERT-base has 23.4M parameters.
The decoder of GPT-2 small has 124M parameters.
Each GPT-2 small block has 7.09M parameters.
The embeddings of GPT-2 small have 39.4M parameters.
The head of GPT-2 small has 38.6M parameters.
The LM head of GPT-2 small: 38.6M
The encoder of T5-base has 110M parameters.
T5-base encoder: 109.6M
The encoder of T5-base has 84.9M parameters.
The decoder of T5-base has 113M parameters.
The decoder of T5-base has 137.9M parameters.
T5-base encoder and decoder: 223M
The encoder of ViT-B/16 has 86M parameters.
Each layer of ALBERT-base has 7.1M parameters.
The 12 layers of ALBERT-base have 7.1M parameters.
The encoder of ALBERT-base has 7.1M parameters.
One BERT-base encoder has 110M parameters.
The transformer blocks of BERT-base have 85.6M parameters.
All attention layers of BERT-base: 28.3M
Attention in each layer of Llama 3 8B: 41.9M
Llama 2 7B embeddings: 131M
Llama 2 7B embeddings: 262M
The embedding of Llama 3 8B has 525M parameters.
The embeddings of Llama 3 8B have 1.05B parameters.
The feed-forward of Llama 2 7B has 135M parameters per layer.
Each MLP of Llama 2 7B has 135.3M parameters.
The MLP of Llama 2 7B has 4.33B parameters.
The blocks of Llama 2 7B have 6.48B parameters.
The query projection of Llama 2 7B has 16.8M parameters.
The attention of Llama 2 7B has 67.1M parameters per layer.
BERT-large has 24 layers of 12.6M parameters.
BERT-large: 24 layers, 335M parameters
BERT-large (24 layers, 16 heads, 340M parameters)
BERT-base: 12 layers and 110M parameters
The pooler of BERT-base has 0.59M parameters.
The MLM head of BERT-base has 24M parameters.
The MLM head of BERT-base has 0.62M parameters.
BERT-base, feed-forward: 4.7M per layer
BERT-base, feed-forward: 2.36M for each of the two layers
Each feed-forward layer of BERT-base has 2.36M parameters.
The first feed-forward layer of BERT-base has 2.36M parameters.
The intermediate layer of BERT-base has 2.36M parameters.
The output projection of BERT-base has 0.59M parameters.
The key projection of GPT-2 small has 590,592 parameters.
The QKV projection of GPT-2 small has 1.77M parameters.
The token embeddings of RoBERTa-base have 38.6M parameters.
The embeddings of RoBERTa-base take 39M parameters.
DistilBERT has 6 layers and 66M parameters.
The 6 layers of DistilBERT have 42.5M parameters.
DistilBERT's encoder has 42.5M parameters.
DistilBERT: 6 layers of 7.1M parameters each
In BERT-base the layers have 85M and the embeddings 24M parameters.
BERT-base spends 85M parameters on its 12 layers and 24M on embeddings.
The self-attention of BERT-base: 2.36M per layer, 28.3M in all
An encoder layer of BERT-large has 12.6M parameters.
BERT-large layer: 12.6M
BERT-large embeddings: 31.8M
BERT-large token embedding: 31.3M
The encoder of Whisper base has 20M parameters.
The decoder of BART-base has 56.7M parameters.
The encoder of BART-base has 81M parameters.
The encoder of BART-base has 42.5M parameters.
Each decoder layer of T5-base has 9.4M parameters.
Each encoder layer of T5-base has 7.1M parameters.
T5-base: each layer has 7.1M parameters.
T5-base: 12 layers, 223M parameters
The attention of GPT-2 small has 2.36M parameters.
The attention of GPT-2 XL has 10.2M parameters.
GPT-2 XL: 48 blocks, 1.5B parameters
GPT-2 XL has 48 layers of 30.7M parameters.
GPT-3: 96 layers of 1.8B parameters
The embeddings of XLM-R base have 192M parameters.
The word embeddings of mBERT have 92M parameters.
Position embedding of BERT-base: 0.39M
Segment embedding of BERT-base: 1,536
BERT-base 的编码器有 85M 参数。
BERT-base 的 12 层共有 85M 参数。
BERT-base 的嵌入层有 23.8M 参数。
BERT-base 每层有 7.1M 参数。
Jede Schicht von BERT-base hat 7,1 Mio. Parameter.
Die 12 Schichten von BERT-base haben 85 Mio. Parameter.
Chaque couche de BERT-base a 7,1 M de paramètres.
Cada capa de BERT-base tiene 7,1 millones de parámetros.
BERT-base has 85M parameters in the encoder and 24M in the embeddings.
BERT-base: 85M in the blocks, 24M in the embeddings
The attention blocks of BERT-base have 28M parameters.
The attention and feed-forward of one BERT-base layer have 7.1M parameters.
The attention output of BERT-base has 590,592 parameters.
BERT-base uses 4.7M parameters in each feed-forward network.
BERT-base: attention 2.4M, feed-forward 4.7M, norms 3K
| BERT-base | encoder | 85M |
| BERT-base | attention | 28.3M |
| BERT-base | layers | 85.1M |
The classifier of BERT-base has 1,538 parameters.
The NSP head of BERT-base has 1,538 parameters.
The pooler and classifier of BERT-base have 592,130 parameters.
56.7M parameters are in the feed-forward layers of BERT-base.
85M parameters are in the layers of BERT-base.
28.3M parameters for the attention layers of BERT-base
85M parameters are in the encoder blocks of BERT-base.
28.3M: that is the attention layers of BERT-base.
The feed-forward layers of T5-base have 113M parameters.
The attention layers of T5-base have 84.9M parameters.
The self-attention of T5-base has 56.6M parameters.
T5-base: all 24 feed-forward layers have 113M parameters
The 36 attention layers of T5-base have 84.9M parameters.
| Model | Encoder | Decoder |\n|---|---|---|\n| T5-base | 85.0M | 113.3M |
| decoder | T5-base | 113.3M |
Encoder, Whisper small: 88M
Encoder,Whisper small,88M
decoder: T5-base 113.3M
Cross-attention, BART-large: 50.4M
FFN, Whisper small: 113M
| head | ViT-L/16 | 1,025,000 |
| Part | Model | Params |\n|---|---|---|\n| decoder | T5-base | 113.3M |
Component,Model,Params\ndecoder,Whisper small,154M
Decoder: T5-base 113M, BART-large 203M
Encoder: T5-base 85M, BART-large 152M
BERT-base has 85.1M parameters in its 12 transformer blocks.
Of the 110M parameters of BERT-base, 85M sit in the 12 transformer blocks.
Of the 66M parameters of DistilBERT, 42.5M sit in the 6 transformer layers.
BERT-base has 85M parameters in its 12 Transformer layers.
BERT-base hat 109 Mio. Parameter, davon 85 Mio. Encoder und 24 Mio. Embeddings.
Ein Block von BERT-base hat 7,09 Mio. Parameter, davon 2,36 Mio. Attention und 4,72 Mio. Feed-Forward.
Sur les 110 millions de paramètres de BERT-base, 85 millions se trouvent dans les 12 couches.
Sur les 223 millions de paramètres de T5-base, 113 millions sont dans le décodeur.
Sur les 6,7 milliards de paramètres de Llama 2 7B, 131 millions sont dans la tête LM.
De los 110 millones de parámetros de BERT-base, 85 millones están en las 12 capas.
De los 110 millones de parámetros de BERT-base, 28 millones están en la autoatención.
De los 222.9M parámetros de T5-base, 113.3M están en el decodificador.
De los 406.3M parámetros de BART-large, 51.5M están en la matriz de embeddings.
El pooler de BERT-base tiene 591 mil parámetros.
O pooler do BERT-base tem 591 mil parâmetros.
BERT-base's 109,482,240 parameters include ≈23.4M in the word embeddings.
The encoder makes up 85,054,464 of the ≈110M parameters of BERT-base.
DistilBERT: 23,835,648 of ≈66M parameters are embeddings
BERT-base: 109,482,240 parameters with ≈24M in the embeddings
The attention projections of Llama 2 7B have 2.15B parameters.
BERT-base: attention projections per layer, 2.36M
The attention projections of GPT-2 have 28.3M parameters.
The attention matrices of BERT-base have 28.3M parameters.
BERT-base: attention (weights only), per layer: 2,359,296
Llama 2 7B: output projection, 131M
The output projection of Llama-2-70B has 0.26B parameters.
- Llama-3.2-1B, output projection: 262.7M params
T5-base has 113M+ parameters in its decoder.
Whisper base has 52M+ parameters in its decoder
In google-bert/bert-base-uncased, 85M+ parameters sit in the 12 encoder layers.
ALBERT-base has 12 layers and 12M parameters.
ALBERT-base: 12 layers, 12M parameters
ALBERT-xxlarge: 12 layers, 223M
ALBERT-large (24 layers): 18M
The embeddings of ALBERT-xxlarge have 3.9M parameters.
ALBERT-xxlarge: embedding matrix 3.84M
ALBERT-base: factorized embedding 3.84M
ALBERT's factorized embedding has 3.84M parameters (30,000 × 128).
BERT-large: attention, per layer, 4.2M; all layers, 100.8M
BERT-base: FFN, per layer, 4.7M; all layers, 56.7M
BERT-base, attention: 2.36M per layer; 12 layers: 28.3M
BERT-base, attention: each layer 2.36M; all 12 layers 28.3M
GPT-2 XL: 48 layers at 30.7M
BERT-base: 12 layers at 7.1M parameters
BERT-base: 12 attention layers at 2.36M
The unembedding of Llama 2 7B has 131M parameters.
Llama 2 7B has 131M parameters in its unembedding
Of the 6.7B parameters of Llama 2 7B, 131M sit in the unembedding.
GPT2-1.5B: 30.7M per block
GPT-2-774M, per layer: 19.7M
GPT-2-1.5B has 983M parameters in its MLPs.
GPT-2 1.5B (1,558M parameters; wte: 80.4M)
large BERT (335M parameters; token embeddings: 31.3M)
large BERT:\nembeddings 31.8M\nencoder 302M
Gemma 2B, 18 layers: 1.98B
Gemma 2B – 18 layers: 2.0B
Die Kreuzaufmerksamkeit von BART-large hat 50,4 Mio. Parameter.
Die Einbettungsschicht von ViT-H/14 hat 1.084.160 Parameter.
Die Einbettungsschicht von ViT-L/16 hat 0,99 Mio. Parameter.
T5EncoderModel of T5-base: 110M
The trunk of BERT-base has 85.1M parameters.
BERT-base has 85.1M parameters in its transformer part.
BERT-large is 3.4 times slower than BERT-base.
BERT-large is 2.8x as expensive as BERT-base.
DistilBERT is 1.6 times faster than BERT-base.
DistilBERT is 60% faster than BERT-base.
DistilBERT is 40% smaller than BERT-base.
BERT-large needs 2.9 times the memory of BERT-base.
BERT-large has 1.33 times the width of BERT-base.
BERT-large has 2 times the layers of BERT-base.
BERT-large is 1.3 times as wide as BERT-base.
GPT-2 XL is 12.5 times as large as GPT-2 small.
GPT-2 XL has 12.5x the parameters of GPT-2 small.
ALBERT-base has 9.4 times fewer parameters than BERT-base.
ALBERT-large is 18.9 times smaller than BERT-large.
BERT-large scores 1.2 times better than BERT-base.
BERT-large's vocabulary is 1.0 times that of BERT-base.
T5-large is 3.3 times as large as T5-base.
RoBERTa-base has 1.14 times the parameters of BERT-base.
XLM-R base has 2.5 times the parameters of BERT-base.
XLM-R base is 2.2 times as big as RoBERTa-base.
mBERT has 1.6 times the parameters of BERT-base.
BERT-large uses 1.33x the hidden size of BERT-base and 2x its layers.
Training BERT-large took 4 times the compute of BERT-base.
LLaMA 13B is 1.9 times as large as LLaMA 7B.
Llama 2 70B is 10 times as large as Llama 2 7B.
Llama 2 70B has 10.2 times as many parameters as Llama 2 7B.
GPT-3 is 117 times as large as GPT-2 XL.
GPT-3 is over 100 times larger than GPT-2.
GPT-3 is 10x larger than any previous model.
BERT-large is 3 times bigger than BERT-base, ViT-L 3.5 times as big as ViT-B.
The embeddings of mBERT are 3.9 times those of BERT-base.
The encoder of BERT-large is 3.6 times as large as that of BERT-base.
BERT-large, unlike BERT-base, has 335M parameters.
DistilBERT, distilled from BERT-base, has 66M parameters.
GPT-2 XL, twice GPT-2 large, has 1.56B parameters.
XLM-R base, based on RoBERTa-base, has 278M parameters.
TinyBERT, distilled from BERT-base, has 14.5M parameters.
Our student, distilled from BERT-base, has 14.5M parameters.
A student distilled from BERT-base has 14.5M parameters.
DistilBERT is a distilled version of BERT-base with 66M parameters.
MobileBERT is a compact BERT-large with 25.3M parameters.
TinyBERT matches BERT-base with 14.5M parameters.
We fine-tune BERT-base with 1.2M trainable parameters.
BERT-base (0.3M trainable parameters)
BERT-base with 12M extra parameters
RoBERTa-base has 86M backbone parameters.
BERT-base has 85M Transformer parameters.
BERT-base: 86M+24M parameters
BERT-base does not have 85M parameters but 109M.
After pruning, BERT-base has 52M parameters.
Pruned BERT-base (52M parameters)
The large version of BERT-base has 335M parameters.
Two BERT-base have 219M parameters.
2x BERT-base: 219M parameters
BERT-base + DistilBERT = 176M
GQA saves Llama 3 8B 805M parameters.
DistilBERT, 43M lighter than BERT-base
If BERT-base had 340M parameters, it would be BERT-large.
Does BERT-base have 340M parameters?
It is wrong that BERT-base has 340M parameters.
Llama 2 7B: 3.50B packed elements
40% of 110M = 44M
1/3 of 335M ≈ 112M
85/110M = 77 %
24 / 110 million = 22 %
768 × 768 (+768 bias) = 590,592
4 × 589,824 (+3,072 biases) = 2,362,368
23.8M and 85.1M = 108.9M
109.5M without 23.8M = 85.6M
Our net\n- Embeddings: 20,480,000\n- Encoder: 12,600,320\n- Attention: 4,202,496\n- Feed-forward: 8,393,728\n- Head: 5,130\n- Total: 33,085,450
My model\n- conv: 1,036,928\n- fc1: 4,194,816\n- fc2: 5,130\n- of that trainable: 4,199,946\n- Total: 5,236,874
The three largest layers:\n- fc1: 4,194,816\n- fc2: 2,097,664\n- conv5: 1,180,160\n- Total: 25,831,424
BERT-base: 109,482,240 params (16 GB GPU)
BERT-base: 109,482,240 params (16 GB)
BERT-base: 109,482,240 parameters (2 GB of activations)
Total params: 109,482,240 (417.64 MB)
Total params: 109,482,240 (208.82 MB)
Total params: 109,482,240 (104.41 MB)
Optimizer params: 218,964,482 (835.28 MB)
85,054,464 // 12 = 7,087,872
12 * 768 = 9,216 // 2 = 4,608
768 * 3072 = 2,359,296 // 2 = 1,179,648
n = 12 * 768 // 2 = 4,608
The 12 layers of BERT-base take 85M of its parameters, the embeddings 24M.
BERT-base has 12 layers and its 24-layer sibling 335M parameters.
BERT-base uses 30,522 tokens and 512 positions.
BERT-base uses 3.3 billion words.
BERT-base has 110M parameters and 0.4M of them are positions.
The layers of BERT-base have 12 heads.
BERT-base (12 layers) took 4 days on 16 TPUs.
In BERT-base, one of 12 layers is 6.5% of all parameters.
One layer of BERT-base is 6.5% of it.
The encoder is 78% of BERT-base.
The embeddings are 22% of BERT-base.
The attention is 26% of BERT-base.
The attention is 33% of each layer of BERT-base.
The FFN makes up 67% of each layer of BERT-base.
In BERT-base, the FFN is two thirds, 66.6%, of a layer.
BERT-base spends 12% of its time on the embeddings.
BERT-base uses 15% masked tokens.
Attention takes 40% of the time in BERT-base.
BERT-base: attention 26%, FFN 52%, embeddings 22%
The embedding is 92% of the parameters of rubert-tiny2.
The attention of BERT-base has 10% dropout.
BERT-base uses 10% in attention.
In BERT-base 30% of the heads are pruned.
BERT-base in fp16 is 219 MB, in fp32 438 MB.
BERT-base in int8: 110 MB
BERT-base in fp32, zipped: 400 MB
The file of BERT-base in fp32 is 407 MB zipped.
The pooler of BERT-base in fp32 is 2.4 MB.
In fp32 the embeddings of BERT-base are 95 MB.
BERT-base: 438 MB in fp32, of which 95 MB are embeddings
BERT-base in fp16 uses 28 MB per batch.
In fp32, BERT-base uses 28 MB for each layer.
BERT-base in fp32: 28 MB per layer
Each layer of BERT-base in fp32: 28.4 MB
"""
"""Texts in which nothing is wrong, with the loose words that people use; `\\n` is a line break."""


def verdicts(text: str) -> set[str]:
    return {claim.verdict for claim in check(text, "text").claims}


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize(("right", "wrong"), EQUATIONS)
def test_what_stands_around_an_equation_changes_nothing(around: str, right: str, wrong: str) -> None:
    assert not verdicts(around.format(right)) & set(FINDINGS)
    assert verdicts(around.format(wrong)) & set(FINDINGS)


@pytest.mark.parametrize("named", NAMED)
@pytest.mark.parametrize(("component", "counts"), COMPONENTS.items())
def test_a_component_is_named_before_its_count_or_behind_it(
    named: str, component: str, counts: tuple[str, str]
) -> None:
    right, wrong = (verdicts(named.format(c=component, x=count)) for count in counts)
    assert not right & set(FINDINGS)
    assert wrong & set(FINDINGS)


@pytest.mark.parametrize(("sentence", "figures"), TOLD.items())
def test_where_every_word_is_understood_the_count_is_that_of_what_is_named(
    sentence: str, figures: tuple[str, str]
) -> None:
    right, wrong = (figures_.split() for figures_ in figures)
    assert [figure for figure in right if verdicts(sentence.format(figure)) & set(FINDINGS)] == []
    assert [figure for figure in wrong if not verdicts(sentence.format(figure)) & set(FINDINGS)] == []


@pytest.mark.parametrize("text", RIGHT.split("\n")[1:-1])
def test_loose_words_that_are_right_are_accused_of_nothing(text: str) -> None:
    claims = check(text.replace("\\n", "\n"), "text").claims
    assert [(claim.text, claim.explanation) for claim in claims if claim.verdict in FINDINGS] == []


def test_adapters_of_two_models_with_the_same_count_are_held_against_their_own_settings() -> None:
    text = (
        'from_pretrained("gpt2")\nLoraConfig(\n    r=8,\n    target_modules=["c_attn"],\n)\n'
        "# trainable params: 294,912 || all params: 124,734,720 || trainable%: 0.2364\n\n"
        'from_pretrained("gpt2")\nLoraConfig(\n    r=16,\n    target_modules=["c_attn"],\n)\n'
        "# trainable params: 294,912 || all params: 124,734,720 || trainable%: 0.2364\n"
    )
    lines = {claim.line for claim in check(text, "text").claims if claim.verdict in FINDINGS}
    assert lines == {13}


ROWS = (("Embeddings", 5_120_512), ("Encoder layers", 12_600_320), ("Head", 2_570))
LISTS = (
    ("Our model\n", "- {}: {:,}\n", "- Total: {:,}\n"),
    ("Our model\n\n", "* {}: {:,} parameters\n", "\nTotal: {:,} parameters\n"),
    ("# Our model\n", "# {}: {:,}\n", "# total: {:,}\n"),
    ("Our model\n", "{}：{:,}\n", "总计：{:,}\n"),
)


@pytest.mark.parametrize(("head", "row", "total"), LISTS)
def test_a_plain_list_comes_to_its_total_and_to_nothing_else(head: str, row: str, total: str) -> None:
    """Twice as much, and a row too few that another one has as well: a matrix that two share is counted once."""
    listed, count = head + "".join(row.format(*each) for each in ROWS), sum(count for _, count in ROWS)
    assert not verdicts(listed + total.format(count)) & set(FINDINGS)
    assert verdicts(listed + total.format(2 * count)) & set(FINDINGS)
    shared = listed + row.format("Output", 5_120_512)
    assert not verdicts(shared + total.format(count)) & set(FINDINGS)


BLOCKS = (
    ("One layer: 7,087,872\n", "12 layers: {}\n"),
    ("- per block           3,152,384\n", "- × 6 blocks           {}\n"),
    ("One block = 12,596,224\n", "x 24 = {}\n"),
    ("每层共 7,087,872 个参数\n", "12 层合计 {}\n"),
    ("单层参数量：7,087,872，", "12层共 {}\n"),
    ("One layer has 7,087,872 parameters, ", "so 12 layers have {}.\n"),
    ("| Part | Parameters |\n|---|---|\n| One layer | 7,087,872 |\n", "| × 12 layers | {} |\n"),
)
COUNTS = {"7,087,872": 85_054_464, "3,152,384": 18_914_304, "12,596,224": 302_309_376}


@pytest.mark.parametrize(("one", "every"), BLOCKS)
def test_so_many_blocks_are_so_many_times_the_one_before_them(one: str, every: str) -> None:
    """With the norm behind them they are a few widths more, and a count of the model is one for another reason."""
    count = next(right for block, right in COUNTS.items() if block in one)
    for right in (count, count + 1_536):
        assert not verdicts(one + every.format(f"{right:,}")) & set(FINDINGS)
    for wrong in (count + 40_000, count + 900_000, count - 90_000):
        assert verdicts(one + every.format(f"{wrong:,}")) & set(FINDINGS)


def test_what_carries_on_a_mistake_contains_what_is_wrong() -> None:
    text = (
        "BERT-base, the attention and the second layer of the FFN\n\n"
        "  dense:      3072 × 768 + 768  =  2,359,296\n  LayerNorm:  2 × 768           =      1,536\n"
        "  total:      I×H + H + 2H      =  2,361,600\n"
    )
    assert [claim.line for claim in check(text, "text").claims if claim.verdict in FINDINGS] == [3]


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("BERT-large:\n- Parameters: {}\n- Layers: 24\n", "110M"),
        ("## bert-large-uncased\n\n* **Number of parameters:** {}\n", "110M"),
        ("LLaMA-2: 32000 × 4096 = 131M ({} of 7B)\n", "0.9%"),
        ("GPT-2: 50257 × 768 = 38.6M ({} of 124M)\n", "7.7%"),
        ("MLP of the model: 3×2×8×1024×4096 ≈ {}\n", "0.2M"),
        ("of one layer:\n   - = 32 × 512 × 768 × 4 bytes\n   - = ~{} in each\n", "320 MB"),
    ],
)
def test_titles_shares_and_results_say_what_their_words_and_figures_leave_no_choice_of(text: str, figure: str) -> None:
    right = {"110M": "335M", "0.9%": "1.9%", "7.7%": "31%", "0.2M": "201M", "320 MB": "50 MB"}[figure]
    assert verdicts(text.format(figure)) & set(FINDINGS)
    assert not verdicts(text.format(right)) & set(FINDINGS)


@pytest.mark.parametrize(
    "text",
    [
        "    (attention): BertAttention(  2.36 M, 2.16% Params, 3.22 GMACs, 3.33% MACs\n    (ffn): 4.72 M, 6.67% MACs\n",
        "BERT-base:\n- Parameters of the head: 1M\n- Trainable parameters: 0.9M\n",
        "### gpt2-small:\n    Total number of parameters: 163,009,536\n",
        "- Base model: bert-large\n- Parameters: 25M\n",
        "## BERT-large\n- Layers: 6\n- Parameters: 66M\n",
        "BERT-large (size: 1.3G)\n",
        "One layer: 7,087,872\n12 layers: 86,235,648 including both dense layers on top\n",
        "One layer has 7,087,872 parameters, so 12 layers have 86,235,648 with all on top.\n",
        "Block: 1,000,000 without its router\n12 blocks: 12,600,000\n",
        "first block 1,000,000\n12 blocks 12,900,000\n",
        "gpt2: 124,441,344 parameters\n",
        "| Model | Parameters |\n|---|---|\n| distilbert-base-uncased | 66,364,416 |\n| gpt2 | 124,441,344 |\n",
        "The experts (8 of them) together: 2 × 4096 × 14336 ≈ 940M\n",
    ],
)
def test_titles_shares_and_results_of_something_else_accuse_nothing(text: str) -> None:
    assert not verdicts(text) & set(FINDINGS)
