"""The one door: what a thing is taken for, and that it is answered as that."""

from pathlib import Path

import pytest
from shown import SUMMARY
from support import ROOT, run

from reconcile.errors import InputError
from reconcile.explanation.answer import Answer
from reconcile.pipeline.asked import figures_asked, without_questions
from reconcile.pipeline.door import answer_file, answer_text, compare_texts

LISTINGS = ROOT / "tests" / "data" / "listings"
PROSE = "BERT base has 12 layers. Its position embeddings have 512 × 768 = 393,216 parameters, its norms 1,536."

NUMBER, TEXT, READ = "a number", "a text with figures in it", "a Keras summary"
QUESTION, SENTENCE = "a question", "a sentence with a figure"
TAKEN = [
    ("2,362,368", NUMBER, 2_362_368),
    ("  2362368\n", NUMBER, 2_362_368),
    ("(768*768*3 + 768*3) * 12", NUMBER, 21_261_312),
    ("Where does 2,362,368 come from?", QUESTION, 2_362_368),
    ("why is it 110M", SENTENCE, 110_000_000),
    ("335043584 - 335141888", NUMBER, -98_304),
    ("2,362,368 parameters", NUMBER, 2_362_368),
    ("Why does BERT's first feed-forward layer have 2,362,368 parameters?", QUESTION, 2_362_368),
    (
        "I build BERT base with 12 heads and 768 units.\nWhy does the embedding have 23,440,896 parameters?",
        QUESTION,
        23_440_896,
    ),
    ("How many operations are 10,884,513,792 FLOPs?", QUESTION, 10_884_513_792),
    (PROSE, TEXT, None),
    (SUMMARY, READ, None),
    (SUMMARY + "\n" + SUMMARY, "2 models: " + READ, None),
]


@pytest.mark.parametrize(("text", "took", "value"), TAKEN)
def test_a_text_is_taken_for_what_it_is(text: str, took: str, value: int | None) -> None:
    answered = answer_text(text)
    assert answered.took == took
    assert [answer.value for answer in answered.answers] == ([value] if took in (NUMBER, QUESTION, SENTENCE) else [])
    assert (answered.document is not None) == (READ in took)
    assert (answered.checked is not None) == (took == TEXT)


@pytest.mark.parametrize(
    ("question", "path"),
    [
        (
            "Why does BERT's first feed-forward layer have 2,362,368 parameters?",
            "encoder.block[*].feed_forward.intermediate",
        ),
        ("Why does each attention layer of BERT base have 2,362,368 parameters?", "encoder.block[*].attention"),
        ("Where do the 393,216 parameters of the position embedding of BERT come from?", "embeddings.position"),
        ("What are 2,362,368 parameters of a BERT?", None),
        ("Why 2,362,368?", None),
    ],
)
def test_the_words_of_a_question_say_which_part_is_meant(question: str, path: str | None) -> None:
    (answer,) = answer_text(question).answers
    assert isinstance(answer, Answer)
    if path is None:
        assert (answer.verdict, len(answer.explanations)) == ("fits", 2)
    else:
        (one,) = answer.explanations
        assert (answer.verdict, one.items[0].component) == ("shown", path)


def test_a_question_is_answered_about_the_model_that_it_names() -> None:
    (answer,) = answer_text("Does RoBERTa have 125M parameters?").answers
    assert isinstance(answer, Answer)
    assert {one.model for one in answer.explanations} == {"RoBERTa base"}
    assert answer.explanations[0].value == 124_645_632


# A question, the exit status, what has to stand in the answer, and what would be false or of no use there.
WORDED = [
    ("Falcon-7B has 6,921,720,704 parameters. Where from?", 0, "6,921,720,704 = `whole` of Falcon 7B", "not explained"),
    ("OPT-1.3B: 1,315,758,080 parameters?", 0, "1,315,758,080 = `whole` of OPT 1.3B", "rank 353"),
    ("Pythia 160M has 162,322,944 parameters, right?", 0, "162,322,944 = `whole` of Pythia 160M", "160M holds"),
    ("In Mistral 7B why has k_proj only 4,194,304 parameters?", 0, "4,194,304 = the key projection", "BERT"),
    ("lm_head of Llama 2 7B: 131,072,000 parameters?", 0, "131,072,000 = `head.kernel` of LLaMA 7B", "7B holds"),
    (
        "Why has c_fc of GPT-2 medium 4,198,400 parameters?",
        0,
        "the intermediate layer of one feed-forward",
        "attention",
    ),
    (
        "LoRA r=8 on q_proj and v_proj of Llama 7B: are 4,194,304 trainable params right?",
        0,
        "4,194,304 = LoRA of rank 8 on query and value",  # 32 · 2 · 8 · (4,096 + 4,096)
        "rank 4 ",
    ),
    # The values of Llama 3 are 1,024 wide: 32 · 8 · ((4,096 + 4,096) + (4,096 + 1,024)) = 3,407,872
    ("LoRA r=8 on q and v of Llama 3 8B: 4,194,304?", 1, "3,407,872 in 32", "is explained"),
    ("Is GPT-2 small 124M or 117M?", 1, "mismatch: 117M", "117M can be"),
    ("Mixtral 8x7B: why 46.7B and not 56B?", 1, "mismatch: 56B", "56B is not explained"),
    ("Qwen2.5-0.5B: 494,032,768 or 0.36B?", 0, "None of this is of Qwen2.5 0.5B", "494,032,768 is not explained"),
    # Of GPT-2 it is 163,037,184, the token table counted twice, as `check` says beside accounts of other models.
    (
        "Has GPT-2 small 124M parameters? My GPT-2 small has 163M, why?",
        0,
        "the output matrix counted although",
        "163M is explained",
    ),
    ("Gemma 2B is 2,506,172,416 parameters: so why 2B?", 0, "2B holds as `whole` of Gemma 2B", "GPT-2 XL"),
]


@pytest.mark.parametrize(("question", "status", "said", "unsaid"), WORDED)
def test_a_model_that_a_question_names_is_meant(question: str, status: int, said: str, unsaid: str) -> None:
    ran = run(question)
    assert ran.status == status
    assert said in ran.out
    assert unsaid not in ran.out


@pytest.mark.parametrize("command", [("explain",), ()], ids=["explain", "no command"])
def test_one_figure_that_is_not_explained_is_status_1(command: tuple[str, ...]) -> None:
    assert run(*command, "590592").status == 0
    asked = ("590592", "12345677") if command else ("Where do 590,592 and 12,345,677 come from?",)
    ran = run(*command, *asked)
    assert ran.status == 1
    assert "12,345,677 is not explained" in ran.out


def test_a_total_of_a_model_without_a_formula_is_that() -> None:
    for figure, name in (("86,567,656", "ViT base"), ("138,357,544", "VGG-16"), ("2,779,683,840", "Phi-2")):
        ran = run("explain", figure)
        assert ran.status == 0
        assert ran.out.splitlines() == [f"{figure} is explained", "", f"{figure} = `whole` of {name}"]


# A question of operations or bytes, the command that it stands for, and the figure.
COSTS = [
    (
        "How many FLOPs does BERT base take with 128 tokens?",
        'cost "BERT base, uncased" --seq 128 --batch 1 --dtype fp32',
        "22,348,431,360 FLOPs forward",
    ),
    (  # keys and values of 32 blocks: 2·32·4,096·4,096 values of 2 bytes
        "How large is the KV cache of Llama 2 7B at 4096 tokens in fp16?",
        'cost "LLaMA 7B" --seq 4096 --batch 1 --dtype fp16',
        "2,147,483,648",
    ),
    (
        "How much memory does the KV cache of Llama 2 7B take at 4096 in fp16?",
        'cost "LLaMA 7B" --seq 4096 --batch 1 --dtype fp16',
        "2,147,483,648",
    ),
    (
        "Llama 2 7B 的 KV cache 用 fp16 需要多少显存？长度 4096",
        'cost "LLaMA 7B" --seq 4096 --batch 1 --dtype fp16',
        "2,147,483,648",
    ),
    (  # 46,702,792,704 values of 2 bytes
        "How much memory does Mixtral 8x7B need with a context of 8k in bf16?",
        'cost "Mixtral 8x7B" --seq 8192 --batch 1 --dtype bf16',
        "93,405,585,408",
    ),
    (  # two moments of 1,557,611,200 weights
        "How much memory to train GPT-2 XL with Adam in fp32, batch size 8?",
        'cost "GPT-2 XL" --seq 128 --batch 8 --dtype fp32 --optimizer adam --training',
        "12,460,889,600",
    ),
    (  # 68,976,648,192 halves of a byte
        "How many GB does Llama 2 70B take in 4 bit?",
        'cost "Llama 2 70B" --seq 128 --batch 1 --dtype int4',
        "34,488,324,096",
    ),
    (  # 2·12·1,024·768 values of 4 bytes
        "GPT-2 small: how large is the KV cache at 1024 tokens in fp32? 75,497,472 bytes?",
        'cost "GPT-2 small" --seq 1024 --batch 1 --dtype fp32',
        "75,497,472",
    ),
    (  # two moments of 109,482,240 weights
        "How much memory does it take to train BERT base with Adam?",
        'cost "BERT base, uncased" --seq 128 --batch 1 --dtype fp32 --optimizer adam --training',
        "875,857,920",
    ),
]


@pytest.mark.parametrize(("question", "command", "figure"), COSTS)
def test_a_question_of_operations_or_memory_is_one_of_cost(question: str, command: str, figure: str) -> None:
    ran = run(question)
    assert ran.status == 0
    assert ran.out.startswith(f"Taken for a question of cost, as by `reconcile {command}`.\n\n")
    assert figure in ran.out
    assert "not explained" not in ran.out


def test_a_question_of_the_cost_of_two_models_is_not_answered_for_one() -> None:
    ran = run("How many FLOPs does BERT large take compared to BERT base with 128 tokens?")
    assert (ran.status, ran.out) == (2, "")
    assert "of several models" in ran.err


def test_a_question_of_cost_with_another_figure_in_it_is_not_answered_without_it() -> None:
    ran = run("How many FLOPs does GPT-2 take with 300 steps?")
    assert "question of cost" not in ran.out


def test_the_cost_of_a_model_without_sizes_is_not_known() -> None:
    ran = run("How much memory do I need to train a 1.3B model with Adam in fp32?")
    assert (ran.status, ran.out) == (2, "")
    assert "of no model whose sizes are known" in ran.err


def test_a_question_with_a_mistake_beside_it_is_answered_and_checked() -> None:
    text = "I am counting BERT base. 12 × 64 = 778. Why does attention have 2,362,368 parameters?"
    answered = answer_text(text)
    assert [answer.text for answer in answered.answers] == ["2,362,368"]
    assert answered.checked is not None
    assert "arithmetic wrong" in [claim.verdict for claim in answered.checked.claims]
    ran = run(text)
    assert ran.status == 1
    assert ran.out.startswith("Taken for a text with figures in it and a question.\n\n")
    assert ran.out.index("arithmetic wrong") < ran.out.index("2,362,368 is explained\n")


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Where does 2362368 come from?", [2_362_368]),
        (
            "I expected\n(768*768*3 + 768*3) * 12. Why does my summary say 2,362,368? And what is 4,722,432?",
            [2_362_368, 4_722_432],
        ),
        ("I have 12 heads. What is wrong?", []),
    ],
)
def test_a_summary_with_a_question_has_both_answered(question: str, values: list[int]) -> None:
    for text in (f"{question}\n\n{SUMMARY}", f"{SUMMARY}\n\n{question}\n"):
        answered = answer_text(text)
        assert answered.took == (f"{READ} with a question" if values else READ)
        assert [answer.value for answer in answered.answers] == values
        assert all(answer.explained for answer in answered.answers)
        assert answered.document is not None


@pytest.mark.parametrize(
    "end", ["", "_________________\n", "Trainable params: 109,705,010 (418.49 MB)\nNon-trainable params: 0\n"]
)
def test_a_question_right_under_a_summary_asks_about_its_own_figures(end: str) -> None:
    answered = answer_text(f"{SUMMARY}{end}Why does each attention layer\nhave 2,362,368 parameters?\n")
    assert [answer.value for answer in answered.answers] == [2_362_368]


@pytest.mark.parametrize("file", sorted(LISTINGS.glob("*.txt")), ids=lambda file: file.name)
def test_a_listing_is_read(file: Path) -> None:
    answered = answer_file(str(file))
    assert answered.document is not None


def test_a_checkpoint_is_read() -> None:
    answered = answer_file(str(ROOT / "tests" / "data" / "pytorch" / "state_dict.pt"))
    assert answered.document is not None


@pytest.mark.parametrize("text", ["", "  \n", "Hello, how are you?", "We met at 10 and left at 12."])
def test_what_holds_nothing_to_count_is_told_so(text: str) -> None:
    with pytest.raises(InputError, match="takes a number, a model summary"):
        answer_text(text)


def test_two_texts_are_one_document() -> None:
    answered = compare_texts(SUMMARY, SUMMARY)
    assert answered.document is not None
    (difference,) = answered.document.differences
    assert (difference.difference, difference.lines, difference.names) == (0, (), ("first", "second"))


def test_without_a_command_whatever_is_given_is_answered() -> None:
    ran = run("2,362,368")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("Taken for a number.\n\n2,362,368 can be ")
    assert run("2,362,368", "--format", "json").out == run("explain", "2,362,368", "--format", "json").out
    summary = ROOT / "docs" / "examples" / "bert-base-summary.txt"
    assert run(summary).out == "Taken for a Keras summary.\n\n" + run("read", summary).out
    notes = run(ROOT / "docs" / "examples" / "bert-notes.md")
    assert notes.status == 1
    assert notes.out.startswith("Taken for a text with figures in it and a question.")


def test_a_directory_with_a_configuration_alone_is_read(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bert", "hidden_size": 768, "vocab_size": 30522}')
    ran = run(tmp_path)
    assert ran.status == 0
    assert "these settings make 109,482,240 parameters of a BERT" in ran.out


def test_a_file_whose_name_begins_with_a_dash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-figure.txt").write_text("590592")
    assert run("--", "-figure.txt").out.startswith("Taken for a number.\n\n590,592 can be")


def test_what_is_meant_is_never_what_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes").symlink_to(tmp_path / "nowhere")
    for asked in (("notes",), ("read", "notes")):
        ran = run(*asked)
        assert (ran.status, "did you mean" in ran.err) == (2, False)


@pytest.mark.usefixtures("tiny")
def test_the_name_of_a_model_builds_it() -> None:
    out = run("tiny").out
    assert out.startswith("Taken for a model to be built.\n\n")
    assert "a tiny BERT for tests (tiny)\n" in out


@pytest.mark.parametrize(
    ("what", "likely"),
    [
        ("bild", "build"),
        ("raed", "read"),
        ("bert-base-uncasd", "bert-base-uncased"),
        ("tinny", "tiny"),
        ("docs/examples/bert-base-sumary.txt", "docs/examples/bert-base-summary.txt"),
        ("bert-base-summary.text", None),
        ("BERT chinese", "bert-chinese"),
        ("zzz", None),
    ],
)
def test_what_is_misspelt_gets_a_suggestion(what: str, likely: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    ran = run(what)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert ("did you mean" in ran.err) == (likely is not None)
    assert likely is None or f"did you mean '{likely}'?" in ran.err


@pytest.mark.parametrize(
    "command", [("diff", "tinny", "tiny"), ("cost", "tinny"), ("report", "tinny"), ("read", "tinny")]
)
def test_a_misspelt_model_gets_a_suggestion_in_every_command(command: tuple[str, ...]) -> None:
    ran = run(*command)
    assert (ran.status, ran.out) == (2, "")
    assert "tinny: got no such file" in ran.err
    assert "did you mean 'tiny'?" in ran.err


def test_a_summary_s_own_question_is_answered_in_its_words() -> None:
    for text in ("{q}\n\n{s}", "{s}\n\n{q}\n"):
        question = "Why does the token embedding have 23,040,000 parameters?"
        answered = answer_text(text.format(q=question, s=SUMMARY))
        (answer,) = answered.answers
        assert isinstance(answer, Answer)
        assert answered.took == f"{READ} with a question"
        assert answer.explanations[0].items[0].component == "embeddings.token"


def test_a_figure_of_a_summary_s_row_is_that_row() -> None:
    """2,362,368 is also the first half of a feed-forward; the rows of this summary that have it are attention layers."""
    (answer,) = answer_text(f"Why does it have 2,362,368 parameters?\n\n{SUMMARY}").answers
    assert isinstance(answer, Answer)
    assert [one.items[0].component for one in answer.explanations] == ["encoder.block[*].attention"]
    assert answer.notes == ("It is the count of Encoder-1-MultiHeadSelfAttention and 11 more rows.",)


def test_words_are_no_figure() -> None:
    ran = run("explain", "abc")
    assert ran.err.startswith(
        "reconcile: FIGURE: got 'abc', in which there is no figure, takes a figure such as 2,362,368"
    )


@pytest.mark.parametrize(
    "text", ["Why 2,362,368?\n" * 20_000, "a" * 2_000_000 + " 2,362,368?", "1.1" * 300_000, "?\n" * 300_000]
)
def test_many_questions_are_no_harder_than_a_few(text: str) -> None:
    """Each of them once took minutes."""
    assert len(figures_asked(text)) <= 3
    assert len(without_questions(text)) <= len(text)


LSTM = """Model: "sequential"
_________________________________________________________________
 Layer (type)                Output Shape              Param #
=================================================================
 embedding (Embedding)       (None, 100, 64)           640000
 lstm (LSTM)                 (None, 128)               98816
=================================================================
Total params: 738816
_________________________________________________________________

Why does the LSTM have 98816 parameters?
"""


def test_a_row_of_no_known_model_answers_with_its_own_formula() -> None:
    """4 · (128² + 64 · 128 + 128) = 98,816, which a position embedding of a width that nobody has would be as well."""
    (answer,) = answer_text(LSTM).answers
    assert isinstance(answer, Answer)
    (only,) = answer.explanations
    assert only.text.startswith("98,816 is the count of lstm (LSTM)")
    assert only.items[0].component == "task.lstm"


def test_operations_and_counts_of_one_question_are_answered_side_by_side() -> None:
    ran = run("Why do 110,106,428 parameters take 10,884,513,792 FLOPs?")
    assert ran.status == 0
    assert "110,106,428 is explained" in ran.out
    assert "10,884,513,792 FLOPs: explained" in ran.out


def test_operations_of_a_model_that_a_question_names_are_said_of_it() -> None:
    """22.5 GFLOPs are something of many models; those of BERT base at S = 128 are 22,348,431,360."""
    ran = run("BERT base takes 22.5 GFLOPs for 128 tokens, is that right?")
    assert "BERT base, uncased are 22,348,431,360 FLOPs" in ran.out
    assert "small BERT" not in ran.out


BROKEN = [
    (
        '{\n  "model_type": "bert",\n  "hidden_size": 768\n  "vocab_size": 30522\n}',
        "line 4: got Expecting ',' delimiter",
    ),
    ('{"model_type": "bert", "hidden_size": 768,', "line 1: got Expecting property name"),
    ('{"model_type": "bert", "hidden_size": -768}', "hidden_size: got -768, takes a whole number from 1"),
    ('{"model_type": "bert", "hidden_size": 768.0}', "hidden_size: got 768.0 (a number)"),
    ('{"model_type": "bloom", "hidden_size": 768}', "model_type: got 'bloom', takes one of bert"),
    ('{"layers": 768}', "got no summary and no listing"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_what_is_wrong_with_json_is_told_and_none_of_its_figures(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "settings"
    file.write_text(text)
    asked, read = run(str(file)), run("read", str(file))
    assert (asked.status, asked.err) == (2, read.err)
    assert message in asked.err


def test_a_file_that_is_named_as_json_is_taken_for_it(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text("hidden size 768")
    assert "line 1: got Expecting value, takes JSON" in run(str(file)).err
    with pytest.raises(InputError, match="takes JSON"):
        answer_file(str(file))


def test_a_question_behind_a_configuration_is_one() -> None:
    text = '{"model_type": "bert"}\nWhy does BERT base have 109,482,240 parameters?'
    assert [answer.value for answer in answer_text(text).answers] == [109_482_240]
