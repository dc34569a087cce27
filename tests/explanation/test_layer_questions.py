"""Questions about one layer with its sizes in the words, answered by the formulas that summaries are read with."""

import pytest
from support import run

# A question, and what has to stand in the answer.
EXPLAINED = [
    # 4·((32 + 64)·64 + 64)
    ("Why does my Keras LSTM(64) with input of 32 features have 24,832 parameters?", "24,832 = LSTM, at i = 32"),
    ("LSTM 的参数为什么是 24,832？输入 32 维，隐藏 64 维", "24,832 = LSTM, at i = 32"),
    # 3·((32 + 64)·64 + 2·64), and with one bias 3·((32 + 64)·64 + 64)
    ("Why does a GRU with 64 units on 32 features have 18,624 parameters and not 18,816?", "2·64) = 18,816"),
    # 4·((10 + 20)·20 + 2·20): PyTorch has two biases
    ("nn.LSTM(10, 20) in PyTorch has 2,560 parameters, I expected 2,480. Why?", "4·(20² + 10·20 + 2·20) = 2,560"),
    # 8·((100 + 64)·64 + 64)
    ("Why is my Bidirectional(LSTM(64)) with 100 inputs 84,480 parameters?", "u = 64 (units each way)"),
    # 9·3·32 + 32, 9·32·64 + 64, 5·128·64 + 64
    ("Why does Conv2D(32, (3, 3)) on an RGB image have 896 parameters?", "3·9·32 + 32 = 896"),
    ("卷积层 Conv2D(64, 3) 输入 32 通道，为什么参数是 18,496？", "32·9·64 + 64 = 18,496"),
    ("Conv1D(64, 5) on 128 channels: 41,024", "128·5·64 + 64 = 41,024"),
    # 9·64 + 64·128 + 128
    ("SeparableConv2D(128, 3) on 64 channels: 8,896 parameters?", "64·9 + 64·128 + 128 = 8,896"),
    ("Dense(10) after Dense(64): 650 params, why?", "64·10 + 10 = 650"),
    ("Why does LayerNormalization on 768 have 1,536 parameters?", "2·768 = 1,536"),
    ("BatchNormalization after 64 filters shows 256 parameters. Why?", "128 of them are never trained"),
    # 3·(512·512 + 512) + 512·512 + 512, of 8 heads of 64
    (
        "Why does a MultiHeadAttention(num_heads=8, key_dim=64) layer on 512 features have 1,050,624 parameters?",
        "n = 512 (heads · key_dim)",
    ),
    # 4·128·(64 + 128 + 1) − 4·128·(64 + 128) = 4·128
    (
        "My LSTM(128) on 64 inputs shows 98,816 but 4*128*(128+64)=98,304. What are the other 512?",
        "4·o = 4·128 = 512",
    ),
]


@pytest.mark.parametrize(("question", "said"), EXPLAINED)
def test_a_layer_of_the_sizes_in_a_question(question: str, said: str) -> None:
    ran = run(question)
    assert ran.status == 0
    assert said in ran.out
    assert "pooler" not in ran.out


def test_a_count_that_the_layer_does_not_have() -> None:
    ran = run("Why does my LSTM have 1,024 parameters? model.add(LSTM(10, input_shape=(5, 15)))")
    assert ran.status == 1
    assert "1,024 is not explained" in ran.out
    assert "4·(10² + 15·10 + 10) = 1,040" in ran.out


@pytest.mark.parametrize(
    "question",
    [
        # 3·9·32 + 32 = 896 takes a side of the kernel for the channels, of which a grey picture has one
        "Why does Conv2D(32, (3, 3)) on a grey picture of 28x28 have 896 parameters?",
        # 4·(10² + 32·10 + 10) = 1,720 takes the batch for the inputs
        "Why has LSTM(10) on 15 features, with a batch size of 32, 1,720 parameters?",
    ],
)
def test_a_number_of_the_question_that_is_no_size_of_the_layer(question: str) -> None:
    ran = run(question)
    assert ran.status == 1
    assert "is not explained" in ran.out


def test_what_several_layers_have_together_is_no_chance_of_another_model() -> None:
    ran = run("Embedding(10000, 128) then Dense(1): why 1,280,129 parameters?")
    assert (ran.status, ran.out) == (1, "Taken for a question.\n\n1,280,129 is not explained\n\n")


def test_a_layer_without_a_bias_is_not_said_to_have_one() -> None:
    ran = run("Dense(512) without a bias on 64 features: 32,768 parameters?")  # 64·512
    assert "32,768 = Dense, at i = 64 (inputs) and o = 512 (outputs)\n" in ran.out
