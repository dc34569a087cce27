# ruff: noqa: E501
"""Right sentences at the names of models: parts, differences, comparisons and conversions are no totals of them."""

import pytest

from reconcile.claims.claim import FINDINGS
from reconcile.pipeline.check import check

WITHOUT = [
    "Excluding embeddings, BERT-base has 85.1M parameters.",
    "Ohne Einbettungen hat GPT-2 small 85,1 Mio. Parameter.",
    "不算嵌入层,BERT-base 有 8505 万参数。",
    "Sans les embeddings, GPT-2 small compte 85,1 millions de paramètres.",
    "Sin contar los embeddings, BERT-base tiene 85,6 millones de parámetros.",
    "埋め込みを除くと、BERT-base のパラメータは 8564万。",
    "임베딩을 제외하면 BERT-base의 파라미터는 8,564만 개이다.",
    "Без эмбеддингов в BERT-base 85,6 млн параметров.",
    "Non-embedding parameters: BERT-base 85.1M, BERT-large 302.3M.",
    "GPT-3 has 174B non-embedding parameters, GPT-2 XL 1.48B and GPT-2 small 85M.",
    "If the embeddings are frozen, BERT-base has 85.6M trainable parameters.",
    "If we ignore the embeddings, BERT-base has 85,054,464 parameters.",
    "Not counting embeddings, BERT-base has 85M parameters and BERT-large 302M.",
    "Si les embeddings sont gelés, BERT-base a 85,6 M de paramètres entraînables.",
    "Without embeddings, BERT-base has 85.6M parameters.",
    "Embeddings aside, BERT-base has 85.6M parameters.",
    "If you leave the embeddings out, BERT-base has 85.6M parameters.",
    "GPT-2 small has 85.1M parameters if the token and position embeddings are not counted.",
    "BERT-base: 85.1M parameters (w/o pooler and embeddings), 109.5M in all",
    "mBERT has 92,798,976 parameters, not counting the encoder layers (85,054,464).",
    "Not counting the pooler and the embeddings, BERT-large has 302,309,376 parameters.",
    "With the first six layers frozen, BERT-base has 67.0M trainable parameters.",
    "With the embeddings frozen, mBERT has 85.6M trainable parameters out of 177.9M.",
    "BERT-base has 85.6M trainable parameters after freezing the embeddings.",
    "With only the top 2 layers unfrozen, BERT-base has 14.2M trainable parameters.",
    "Non-embedding parameters: GPT-2 small 85M, GPT-2 medium 302M.",
    "Non-embedding parameters:\n- BERT-base: 85.6M\n- mBERT: 85.6M",
    "Parameters (without embeddings):\n* BERT-base: 85.6M\n* BERT-large: 303.4M",
    "# params without embeddings\n#   bert-base: 85,645,056\n#   bert-large: 303,358,976",
    "Non-embedding parameters: LLaMA-7B 6.48B, Llama 3 8B 6.98B.",
]
OF = [
    "BERT-base: 23.8M of 109.5M parameters are in the embeddings.",
    "31% of GPT-2 small (38.6M of 124.4M) is the token embedding.",
    "For BERT-base, 85.1M of 109.5M are in the encoder.",
    "In the case of BERT-base 85.1M out of 109.5M parameters belong to the encoder.",
    "Most of BERT-base, 85.1M of 109.5M, is in the 12 layers.",
    "- BERT-base: 23.8M of 109.5M parameters (22%) sit in the embeddings",
    "BERT-base: 28.3M/109.5M in the attention layers.",
]
DIFFERENCES = [
    "DistilBERT is 43M parameters smaller than BERT-base.",
    "mBERT is 68M parameters bigger than BERT-base.",
    "bert-base-cased is 1,171,968 parameters smaller than bert-base-uncased.",
    "The gap between BERT-base and BERT-large is 225.7M parameters.",
    "RoBERTa-base hat rund 15 Mio. Parameter mehr als BERT-base.",
    "DistilBERT compte 43 millions de paramètres de moins que BERT-base.",
    "DistilBERT tiene 43 millones de parámetros menos que BERT-base.",
    "Разница между BERT-large и BERT-base — 225,7 млн параметров.",
    "RoBERTa-base 比 BERT-base 多约 1500 万参数(1.25 亿 vs 1.1 亿)，因为词表更大。",
    "Adapter mit Engpass 64 fügen BERT-base 2,38 Mio. Parameter hinzu.",
    "Адаптеры добавляют к BERT-base 2,4 млн параметров.",
    "DistilBERT is smaller than BERT-base (66M parameters).",
]
COMPARED = [
    "GPT-2 medium is 2.85 times larger than GPT-2 small (355M vs. 124M).",
    "BERT-large is three times as large as BERT-base with 335M parameters.",
    "Mistral 7B outperforms LLaMA 2 13B with 7.24B parameters.",
    "DistilBERT ist 40 % kleiner als BERT-base (66 Mio. statt 110 Mio.).",
    "BERT-large ist dreimal so groß wie BERT-base, mit 335 Mio. Parametern.",
    "DistilBERT a 40 % de paramètres en moins que BERT-base : 66 M contre 110 M, soit 44 M de moins.",
    "DistilBERT es un 40 % más pequeño que BERT-base, con 66 millones de parámetros.",
    "DistilBERT меньше BERT-base: 66 млн параметров.",
    "Our student is 7.6 times smaller than BERT-base (14.4M vs. 109.5M).",
    "MobileBERT is 4.3× smaller than BERT-base (25.3M vs. 109M).",
]
WRITTEN = [
    "| Modell | Parameter (Mio.) |\n|---|---|\n| BERT-base | 109,5 |\n| BERT-large | 335,1 |",
    "| Modell | Params (M) | MB |\n|-|-|-|\n| BERT-base | 109,5 | 437,93 |\n| BERT-large | 335,1 | 1340,57 |",
    "GPT-3 tiene 175.000 millones de parámetros.",
    "GPT-2 XL hat 1,558 Mrd. Parameter.",
    "GPT-2 XL hat 1.558 Mio. Parameter. In FP16 sind das 3.115 MB.",
    "LLaMA 7B compte 6,738 milliards de paramètres.",
    "LLaMA 7B hat 6,738 Mrd. Parameter, in bf16 13,477 GB.",
    "6×67亿×2万亿 = 8.04×10^22 FLOPs",
    "1.8万亿 × 2 字节 = 3.6 TB",
    "6 × 67.4億 × 2兆 = 8.09×10^22 FLOPs",
    "6 × 6,7 млрд × 2 трлн = 8,04·10²² FLOPs",
]
SUMMED = [
    "BERT-base: 2384万 + 8505万 + 59万 = 約1億949万",
    "BERT-base: 23.84M + 85.05M + 0.59M = ca. 109.5M",
    "BERT-base: 23.84M + 85.05M + 0.59M, in total 109.48M parameters",
    "BERT-base has 23.8M + 85.1M + 0.6M, which is 109.5M parameters.",
    "BERT-base: 23.84M + 85.05M + 0.59M = approx. 109.5M",
    "BERT-base : 85,1 M pour l'encodeur, 23,8 M pour les embeddings, 0,6 M pour le pooler.",
    "BERT-base: 85,1 млн в энкодере, 23,8 млн в эмбеддингах, 0,6 млн в пулере.",
    "BERT-base: 85.1 millones en el codificador, 23.8 millones en los embeddings y 0.6 millones en el pooler.",
    "BERT-base: 8505万(编码器)、2384万(嵌入)、59万(池化)",
    "Doubling the FFN of BERT-base to 6144 adds 12 × (2 × 768 × 3072 + 3072) = 56,659,968 parameters.",
    "XLM-R large: 303.4M parameters plus 256.5M for the embedding layer, 559.9M in total.",
    "XLM-R large has 303.4M parameters, plus 256.5M for the embeddings.",
    "We freeze the token embedding of Llama 2 70B.\nFrozen: 262,144,000",
]
CONVERTED = [
    "Quantizing BERT-base to int8 cuts its size from 438 MB to 110 MB.",
    "Quantizing LLaMA-2 13B to 4 bit brings 26 GB down to 6.5 GB.",
    "量化到 int8 后,BERT-base 从 438MB 降到 110MB。",
    "LLaMA-7B 量化为 4 bit 后,显存从 13.5GB 降至约 3.4GB,缩小 4 倍。",
    "BERT-baseをfp16に変換すると、438MBから219MBに半減する。",
    "int8로 양자화하면 BERT-base는 438MB에서 110MB로 줄어든다.",
    "Tras cuantizar a int8, BERT-base pasa de 438 MB a 110 MB.",
    "BERT-base in fp16: 438 MB -> 219 MB",
    "- BERT-base (int8): 438 MB -> 110 MB, 4x smaller",
    "BERT-base: fp32 → fp16: 438 MB → 219 MB",
    "Quantizing Llama 2 7B to int8 cuts it from 13.5 GB to 6.7 GB.",
    "LLaMA-7B: 13,5 ГБ в fp16, 6,7 ГБ в int8.",
    "BERT-base: 438 MB mit 32 Bit, 219 MB mit 16 Bit, 110 MB mit 8 Bit.",
    "BERT-base: 438 MB à 32 bits, 219 MB à 16 bits, 110 MB à 8 bits.",
]
RATIOS = [
    "LLaMA-13B is more than 10x smaller than GPT-3.",
    "GPT-2 XL is more than 10 times larger than GPT-2 small.",
    "LLaMA-13B 比 GPT-3 小 10 倍以上。",
    "LLaMA-13B est plus de 10 fois plus petit que GPT-3.",
    "LLaMA-13B outperforms GPT-3 while being 10x smaller.",
    "GPT-3 有 1750 亿参数,GPT-2 XL 有 15.58 亿,前者是后者的 112 倍。GPT-2 small 只有 1.24 亿。",
    "BERT-large 比 BERT-base 大 3 倍,ALBERT-large 是 BERT-large 的 1/18。",
    "Compared with BERT-base, GPT-2 XL is 14 times larger and GPT-3 1,590 times larger.",
    "LLaMA-65B is 9.7 times larger than LLaMA-7B and 5 times larger than the 13B.",
    "T5-base has twice the parameters of BERT-base (110M), T5-large 7 times as many, and T5-11B 100 times.",
]
ORDERED = [
    "LLaMA 7B and LLaMA 13B have 6.74B and 13.02B parameters, respectively.",
    "BERT-base and BERT-large have 110M and 340M parameters, of which 23.8M and 31.8M are embeddings.",
    "Llama 3 8B and Llama 3 70B have 8.03B and 70.55B parameters.",
]
MATRICES = [
    "LLaMA-7B. Q, K, V and O are 4096 × 4096 each.",
    "How does LLaMA-7B get to 7B? Attention has four 4096 × 4096 matrices: 67,108,864.",
    "GPT-2 small has 12 layers. Attention has four matrices of 768 × 768 = 589,824, so 2,359,296.",
    "Mistral 7B. Attention has two 4096 × 4096 matrices and two 4096 × 1024 matrices.",
    "LLaMA-7B has 32 layers. The q, k and v projections have 50,331,648 weights together.",
    "BERT-base has 12 layers. The q, k and v projections have 1,769,472 weights and the output projection 589,824.",
    "Mistral 7B has 32 layers. The k and v projections have 8,388,608 weights.",
    "Llama 3 8B has 32 layers. The q and o projections have 33,554,432 weights, the k and v projections 8,388,608.",
]
LISTED = [
    "blocks: 12,329,600\ntokens 2,621,440, positions 163,840\nfinal norm: 640\ntotal: 15,115,520",
    "conv1 896, bn1 64\nconv2 18,496, bn2 128\ndense 131,200\ntotal 150,784",
    "fc1: 784·512 = 401,408 weights and 512 biases\nfc2: 512·512 = 262,144 weights and 512 biases\nout: 512·10 = 5,120 weights and 10 biases\ntotal: 669,706 parameters",
    "layer 1: 100·20 = 2,000 weights, 20 biases\nlayer 2: 20·30 = 600 weights, 30 biases\ntotal: 2,600 weights, 50 biases, 2,650 parameters",
    "conv1 896\nconv2 18,496\ndense 131,200\ntotal 150,592",
    "- conv1 320\n- conv2 18,496\n- dense 131,200\n- total 150,016",
    "- Encoder: 7,397,760\n- Decoder: 9,866,880\n- Embedding: 2,621,440\n- Total: 19,886,080 (untied: 22,507,520)",
    "- Encoder: 7,397,760\n- Decoder: 9,866,880\n- Embedding: 2,621,440\n- Total: 19,886,080; untied 22,507,520",
    "- Encoder: 7,397,760\n- Decoder: 9,866,880\n- Embedding: 2,621,440\n- Total: 19,886,080 (不共享时为 22,507,520)",
    "lstm1: 570,368 (Keras), 571,392 (PyTorch)\nlstm2: 525,312 (Keras), 526,336 (PyTorch)\nsum: 1,095,680 (Keras), 1,097,728 (PyTorch)",
    "conv1: 9,408 (9,472 with bias)\nconv2: 36,864 (36,928 with bias)\nsum: 46,272 (46,400 with bias)",
    "encoder: 7,397,760\ndecoder: 9,866,880\nshared embeddings 2,621,440 (output projection tied)\nsum: 19,886,080",
    "two convs: 18,464 each\ndense: 131,200\nsum: 168,128",
]
DERIVED = [
    "d = 512, 8 heads of 64. k: 512 × 64 = 32,768 per head",
    "4 heads of 128 dimensions, MQA: k 512 × 128",
    "Gemma 2B: d = 2048, 8 heads of 256, one kv head. k 2048 × 256 = 524,288",
    "Mistral 7B's attention: 2·4096² + 2·4096·1024 = 41,943,040 instead of 4·4096² = 67,108,864",
    "Llama 3 8B: attention 2·4096² + 2·4096·1024 = 41,943,040; with MHA 4·4096² = 67,108,864",
    "ALBERT-base: 7,087,872 instead of 12·7,087,872 = 85,054,464",
    "ALBERT 嵌入分解:30000×128 + 128×768 = 3,938,304。",
    "ALBERT: Embedding factorization, 30000 × 128 + 128 × 768 = 3,938,304",
    "ALBERT-base: embeddings 30000·128 + 128·768 = 3,938,304",
    "ELECTRA-small: embeddings 30522·128 + 512·128 + 2·128 + 256 = 3,972,864, projection 128·256 + 256 = 33,024.",
    "LLaMA's vocabulary (32000), with a padding token (32001).",
    "Whisper has a multilingual vocabulary (51865) and an English one (51864).",
    "one LayerNorm per block, d = 512, d_ff = 2048. Block: 4·512² + 4·512 + 2·512·2048 + 2048 + 512 + 2·512 = 3,151,360",
]
TABLED = [
    "| Part | Params | Memory |\n|---|---|---|\n| Weights (fp16) | 335M | 670 MB |\n| Gradients (fp16) | 335M | 670 MB |\n| Adam (fp32) | 335M | 2.68 GB |",
    "| Part | Params | Bytes/param | Memory |\n|---|---|---|---|\n| embeddings | 131M | 2 | 262 MB |\n| layers | 6.48B | 1 | 6.48 GB |\n| lm_head | 131M | 2 | 262 MB |",
    "| Part | dtype | Params | Memory |\n|---|---|---|---|\n| embeddings | fp16 | 131M | 262 MB |\n| layers | int8 | 6.48B | 6.48 GB |\n| lm_head | fp16 | 131M | 262 MB |",
    "| Model | Params | Size |\n|---|---|---|\n| RoBERTa-base | 124.6M | 499 MB |\n| DistilBERT | 66.4M | 265 MB |\n| BERT-base, fp16 | 109.5M | 219 MB |",
    "params   6.74B  13.5 GB\ngrads    6.74B  13.5 GB\nadam     6.74B  53.9 GB",
    "| Part | Params | Memory |\n|---|---|---|\n| base weights (NF4) | 6.48B | 3.24 GB |\n| embeddings (bf16) | 262M | 524 MB |\n| LoRA (bf16) | 40.0M | 80 MB |",
    "| Part | Params | fp16 | int8 |\n|---|---|---|---|\n| Weights | 6.74B | 13.5 GB | 6.7 GB |\n| LoRA | 20.0M | 40 MB | 40 MB |",
    "| Part | Params | fp32 | int8 |\n|---|---|---|---|\n| Embeddings (fp32) | 23.8M | 95.3 MB | 95.3 MB |\n| Encoder | 85.1M | 340 MB | 85.1 MB |",
    "Model         fp32     fp16     int8\nLLaMA-7B  26.95 GB 13.48 GB  6.74 GB",
    "Training BERT-base takes 1.75 GB: 109,482,240 weights × 4 bytes = 438 MB, the same for the gradients and 876 MB for Adam.",
    "My 40.2M model takes 643 MB: 40.2M weights × 4 bytes = 161 MB, 161 MB gradients, 322 MB Adam.",
    "ckpt.pt of nanoGPT (GPT-2 124M) is 1.49 GB: 124,439,808 weights × 4 bytes = 498 MB, and AdamW's two moments 996 MB, together 1.49 GB.",
    "LLaMA-7B, 32 layers, FFN 11008 → 8192: MLP 135.3M → 100.7M, layer 202.4M → 167.8M.",
    "| LLaMA-7B, 32 layers | original | pruned |\n|---|---|---|\n| FFN | 11008 | 8192 |\n| MLP | 135.3M | 100.7M |",
]
TUNED = [
    "With LoRA, LLaMA-7B has 4.2M trainable parameters.",
    "With LoRA, BERT-base has 0.3M trainable parameters.",
    "With adapters, BERT-base has 0.9M trainable parameters, BERT-large 2.4M.",
    "Avec LoRA, LLaMA-7B a 4,2 M de paramètres entraînables.",
    "With a LoRA rank of 16, Llama 3 8B has 42M trainable parameters (0.52%).",
    "QLoRA trains 160M parameters for LLaMA-7B, for LLaMA-13B 250M and for 65B 800M.",
    "LoRA parameters: LLaMA-7B 4.2M, LLaMA-13B 6.6M, LLaMA-65B 21.0M.",
    "LoRA: LLaMA-7B 4.2M, LLaMA-13B 6.6M",
    "LoRA parameters:\n- LLaMA-7B: 4.2M\n- LLaMA-13B: 6.6M",
    "Trainable parameters with LoRA r=8: BERT-base 0.3M, BERT-large 0.8M, LLaMA-7B 4.2M.",
    "Adapter parameters: BERT-base 0.9M, BERT-large 2.4M, T5-base 0.9M.",
    "LoRA 模型:LLaMA-7B 可训练参数 4.2M,LLaMA-13B 6.6M。",
    "用 LoRA 微调时,LLaMA-7B 只训练 419 万参数,LLaMA-13B 655 万。",
]
NAMES = [
    "Compared to BERT-base, 7B models are slow.",
    "Unlike BERT-base, 7B models do not fit on the card.",
    "We compare RoBERTa-large with 7B and 13B LLMs.",
    "We compare BETO, CamemBERT, 7B models and GPT-4.",
    "Compared to LLaMA 2 70B, 7B models are fast.",
    "Instead of BERT-base, 7B decoders are now used as encoders.",
    "T5-base, -3B and -11B",
    "T5-small, -base, -large, -3B and -11B have 60M, 220M, 770M, 2.8B and 11B parameters.",
    "| LLaMA-30B | 30B | 32.5B |",
]
PER_HEAD = [
    "BERT-base: 12 heads (64 dims per head), word embeddings 30522 × 768 = 23,440,896.",
    "BERT-base: 12 heads (64 per head), pooler 768 × 768 + 768 = 590,592.",
    "heads: 12 (64 per head), ffn: 768*3072*2 = 4718592",
    "Q per head: 768 × 64 = 49,152, W_O: 768 × 768 = 589,824.",
    "3 × 768 × 64 = 147,456 for each head, and W_O has 768 × 768 = 589,824 (not per head).",
    "W_Q has 49,152 parameters per head, i.e. 768 × 768 = 589,824 per layer.",
]
CHANGES = [
    "wte 50257x768 -> 50304x768: 38,597,376 -> 38,633,472",
    "dense 512×512 → 512×256: 262,144 → 131,072",
    "Each GPU holds 1/8 of Llama 2 70B, 8.6B parameters.",
    "A quarter of GPT-2 XL is 389M parameters.",
    "Each of the 4 GPUs holds a quarter of LLaMA-7B: 1.68B parameters, 3.37 GB in fp16.",
    "10% of BERT-base: 10.9M parameters",
    "With 90% sparsity BERT-base has 10.9M nonzero parameters.",
    "BERT-base: 109.5M = 23.8M embeddings (30522 × 768 = 23.44M) + 85.1M layers + 0.6M pooler",
    "50257 × 768 = 38,597,376 (wte) + 1024 × 768 = 786,432 (wpe) = 39,383,808",
    "3*3*64 = 576 (dw) + 64*128 = 8,192 (pw) = 8,768 in total",
    "Conv2d(3, 64, 3): 3·3·3·64 = 1,728 + 64 = 1,792",
]
PAIRED = [
    "| Model | Params |\n|---|---|\n| ViT-Base | 86M |\n| ViT-Large | 307M |\n| ViT-Huge | 632M |",
    "Our model has 51.2M parameters, versus 335M for BERT-large and 124M for GPT-2 small.",
    "Our student has 51.2M parameters (335M for BERT-large, 124M for GPT-2 small).",
    "Total : 109 482 240, contre 335 millions pour BERT-large et 178 millions pour mBERT.",
    "Nuestro modelo tiene 51,2 millones de parámetros, frente a 335 millones de BERT-large y 124 millones de GPT-2 small.",
    "Notre modèle a 51,2 millions de paramètres, contre 335 millions pour BERT-large et 124 millions pour GPT-2 small.",
    "GPT-2 XL : couches 1 476 millions (94,7 %), embeddings 82 millions (5,3 %), total 1 558 millions.",
    "| Composant | Paramètres | Part |\n|---|---|---|\n| Couches | 6 476 M | 96,1 % |\n| Embeddings + lm_head | 262 M | 3,9 % |\n| Total (LLaMA-7B) | 6 738 M | 100 % |",
    "LLaMA-7B compte 6 738 M de paramètres.",
    "BERT-base:QKV 1771776,12 个头,每个头 64 维。",
    "BERT-base: QKV 1,771,776 in each layer.",
    "QKV 1771776,每个头 147648，BERT-base",
    "BERT-base: QKV 1,771,776, each matrix 590,592",
    "BERT-base 每层的 QKV 参数 1771776,每个头 147648",
]
EVERYDAY = [
    "335M is about 3 times 110M.",
    "1.56B is 13 times 124M.",
    "438 MB is about 2 times 220 MB.",
    "LLaMA 13B is about twice LLaMA 7B (13.02B vs. 6.74B).",
    "GPT-2 XL is 13 times GPT-2 small (1.56B vs. 124M).",
    "GPT-2 medium has nearly three times the parameters of GPT-2 small: 355M vs. 124M.",
    "DistilBERT has 60% of the parameters of BERT-base (66M vs. 110M).",
    "The layers of BERT-large are 1.8 times those of BERT-base (12.6M vs. 7.1M).",
    "LLaMA 13B fits into 24 GB with int8.",
    "LLaMA 7B works with 12 GB in int8.",
    "LLaMA 7B fits in 80 GB with bf16.",
    "Can LLaMA 13B run in 24 GB with int8?",
    "LLaMA 13B with int8 takes 13 of the 24 GB of a 3090.",
    "LLaMA 7B in fp16 takes 13.5 of the 40 GB of an A100.",
    "LLaMA 13B runs on a single 3090 (24 GB).",
    "A single 3090 with 24 GB runs LLaMA 13B with int8.",
    "GPT-2 small: 163,009,536 parameters, 124,412,160 with weight tying",
    "GPT-2 small has 163,009,536 parameters, as weight tying isn't used.",
    "Our GPT-2 small has 163,009,536 parameters (no weight tying, no qkv bias).",
    "Our BERT-base has 67M parameters since it has just 6 layers.",
    "GPT-2 small has 82M parameters, as only 6 of the 12 layers are kept.",
    "LLaMA 7B has 3.5B parameters, since we keep only 16 layers.",
    "BERT-base has 81.1M parameters after removing four layers.",
    "BERT-base has 86.0M parameters, since we removed the word embeddings.",
]
UNPAIRED = [
    "| model | expr | params |\n|---|---|---|\n| fc1 | 784 * 256 | 200,704 |\n| fc2 | 256 * 128 | 32,768 |\n| fc3 | 128 * 10 | 1,280 |\n| four experts | 128 * 128 | 65,536 |",
    "| part | how | parameters |\n|---|---|---|\n| words of BERT-base | 30522 * 768 | 23,440,896 |\n| positions | 512 * 768 | 393,216 |\n| segments | 2 * 768 | 1,536 |\n| attention, 12 layers | 4 * (768 * 768 + 768) | 28,348,416 |",
    "| part | how | parameters |\n|---|---|---|\n| words of BERT-base | 30522 * 768 | 23,440,896 |\n| positions | 512 * 768 | 393,216 |\n| segments | 2 * 768 | 1,536 |\n| all attention | 4 * (768 * 768 + 768) | 28,348,416 |",
    "BERT-base, unlike BERT-large with 340M, has 110M parameters.",
    "BERT-base, whose big sister BERT-large has 340M parameters, comes with 110M.",
    "DistilBERT has 66M parameters, BERT-base 110M. It reaches a 60% lower loss.",
    "DistilBERT has 66M parameters, BERT-base 110M. It needs 60% less energy.",
    "DistilBERT with its 66M parameters is 60% less expensive than BERT-base with 110M.",
    "From 110M to 66M parameters: a reduction to 60%.",
    "BERT-large (340M) and BERT-base (110M) are the usual ones; GPT-2 has 124M.",
    "Compared to BERT-large, BERT-base has 110M and not 340M parameters.",
    "| | FP32 | FP16 |\n|---|---|---|\n| BERT-base, 14 GB card | 438 MB | 219 MB |",
]


def accused(text: str) -> dict[str, int | None]:
    """What a text is accused of, each with what is right."""
    return {claim.text: claim.expected for claim in check(text, "text").claims if claim.verdict in FINDINGS}


@pytest.mark.parametrize("text", WITHOUT)
def test_without_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", OF)
def test_of_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", DIFFERENCES)
def test_differences_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", COMPARED)
def test_compared_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", WRITTEN)
def test_written_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", SUMMED)
def test_summed_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", CONVERTED)
def test_converted_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", RATIOS)
def test_ratios_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", ORDERED)
def test_ordered_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", MATRICES)
def test_matrices_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", LISTED)
def test_listed_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", DERIVED)
def test_derived_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", TABLED)
def test_tabled_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", TUNED)
def test_tuned_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", NAMES)
def test_names_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", PER_HEAD)
def test_per_head_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", CHANGES)
def test_changes_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", PAIRED)
def test_paired_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", EVERYDAY)
def test_everyday_accuse_nothing(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize("text", UNPAIRED)
def test_unpaired_accuse_nothing(text: str) -> None:
    """What a row says is there so often, a name between another one and its figure, and less of what is no count."""
    assert accused(text) == {}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("BERT-base has 85.1M parameters.", "85.1M parameters"),
        ("BERT-base hat 335 Mio. Parameter.", "335 Mio. Parameter"),
        ("DistilBERT: 110M parameters", "110M parameters"),
        ("GPT-3 tiene 1.750 millones de parámetros.", "1.750 millones de parámetros"),
        ("BERT-base in int8 takes 438 MB.", "438 MB"),
        ("GPT-2 XL is 100 times larger than GPT-2 small.", "100"),
        ("LLaMA 13B in int8 takes 26 GB.", "26 GB"),
        ("GPT-2 uses weight tying, a trick from 2016. BERT-base has 340M parameters.", "340M parameters"),
        ("d = 768\n- Q: 768 × 768 + 768 = 590,592\n- K: 768 × 768 + 768 = 590,592\n- total: 1,181,952", "1,181,952"),
        ("conv1: 896\nconv2: 18,496\ndense: 131,200\ntotal: 150,692", "150,692"),
        ("| A | 1,000,000 |\n|---|---|\n| B | 2,500,000 |\n| C | 300,000 |\n| total | 3,900,000 |", "3,900,000"),
        ("d = 512, 8 heads. k: 512 × 512 × 8 = 2,097,152", "512 × 512 × 8 = 2,097,152"),
    ],
)
def test_the_same_figures_without_these_words_are_wrong(text: str, wrong: str) -> None:
    assert wrong in accused(text)


def test_decimal_commas_in_cells_are_confirmed() -> None:
    text = "| Modell | Parameter (Mio.) |\n|---|---|\n| BERT-base | 109,5 |\n| BERT-large | 335,1 |\n"
    assert [claim.verdict for claim in check(text, "text").claims] == ["holds as", "holds as"]


def test_the_size_in_a_name_carries_nothing_on() -> None:
    text = "Parameters of LLaMA-7B:\n\n- 32 layers: 6,746,267,520\n- Total: 6,738,415,616"
    assert accused(text) == {"6,746,267,520": 6_476_267_520}


def test_as_many_bytes_at_another_precision_carry_nothing_on() -> None:
    text = "| Model | Params | FP16 | INT8 |\n|---|---|---|---|\n| BERT-large | 340M | 0.34 GB | 340 MB |\n"
    assert [*accused(text)] == ["0.34 GB"]


def test_a_row_that_is_some_times_what_it_works_out() -> None:
    rows = ["| Q | (768 * 768 + 768) * 12 | 7,087,104 |", "| K | (768 * 768 + 768) * 12 | 7,087,104 |"]
    rows += ["| norm | (768 + 768) * 12 | 18,432 |", "| pooler | 768 * 768 + 768 | 7,087,104 |"]
    text = "BERT-base\n\n| part | how | parameters |\n|---|---|---|\n" + "\n".join(rows) + "\n"
    assert [claim.expected for claim in check(text, "text").claims if claim.verdict in FINDINGS] == [590_592]


def test_halves_in_a_product_of_whole_numbers_are_exact() -> None:
    assert [*accused("12 * 8192 * 5120 * (1 + 0.5 * 2) = 1,006,632,961").values()] == [1_006_632_960]
    assert accused("1.5 * 7.1M = 10.6M") == {}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Our model has 756M parameters, the teacher 1550M. It is 49% smaller than the teacher.", False),
        ("Our model has 756M parameters, the teacher 1550M. It is 51% smaller than the teacher.", True),
        ("从 110M 减少到 66M，减少了 60%。", False),
        ("从 110M 减少到 66M，减少了 40%。", True),
    ],
)
def test_what_is_less_is_what_is_missing(text: str, right: bool) -> None:
    assert (accused(text) == {}) is right


def test_a_total_of_all_rows_but_the_first_is_not_said_to_hold() -> None:
    text = "- Embedding: 1,280,000\n- Encoder: 789,760\n- Head: 2,570\n- Total: 792,330\n"
    assert not any(
        claim.text == "792,330" and claim.verdict.startswith("holds") for claim in check(text, "text").claims
    )


def test_an_equation_with_a_wrong_count_in_it_is_not_said_to_hold() -> None:
    said = {
        figure: f"BERT-base has {figure} parameters.\n\n{figure} × 4 = 0.44 GB"
        for figure in ("109,842,240", "109,482,240")
    }
    held = {
        figure: any(claim.unit == "bytes" and claim.verdict.startswith("holds") for claim in check(text, "text").claims)
        for figure, text in said.items()
    }
    assert held == {"109,842,240": False, "109,482,240": True}


def test_a_figure_right_behind_a_name_is_no_total_of_another_one_in_its_line() -> None:
    text = (
        "BERT-base is older. RoBERTa-base has 110M parameters, and its word embeddings take 50,265 × 768 = 38,603,520."
    )
    assert not any(
        claim.text == "110M parameters" and claim.verdict.startswith("holds") for claim in check(text, "x").claims
    )


def test_a_label_of_the_attention_is_no_other_way_to_count_it() -> None:
    text = "MHA: 12 × (768 × 768 × 3) = 21,233,664 parameters in each layer of BERT-base."
    assert [*accused(text).values()] == [28_311_552]
