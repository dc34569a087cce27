"""What people mean by a rounded figure comes first; words around a figure; the balance that `--why` prints."""

import json
import re

import pytest
from click.testing import CliRunner

from reconcile.cli.main import reconcile
from reconcile.errors import InputError
from reconcile.explanation.answer import FITS, OPEN
from reconcile.explanation.engine import ask_anything
from reconcile.explanation.question import questions, read_question

MEANT = [
    ("124M", "`whole`, for GPT-2 small: 124,439,808"),
    ("12M", "for ALBERT base: 11,683,584"),
    ("14M", "for ELECTRA small"),
    ("66M", "for DistilBERT, uncased: 66,362,880"),
    ("85M", "all blocks"),  # 12·7,087,872
    ("86M", "`without embeddings`"),  # with the pooler, 85,645,056
    ("110M", "for BERT base, uncased: 110,106,428"),
    ("125M", "for RoBERTa base: 124,645,632"),
    ("340M", "for BERT large, uncased"),
    ("178M", "for BERT base, multilingual, cased"),
    ("774M", "for GPT-2 large: 774,030,080"),
    ("1.56B", "for GPT-2 XL: 1,557,611,200"),
    ("18M", "for ALBERT large: 17,683,968"),
    ("22.7M", "for MiniLM-L6: 22,713,216"),
    ("7B", "`whole`, for LLaMA 7B: 6,738,415,616"),
    ("13B", "`whole`, for LLaMA 13B: 13,015,864,320"),
    ("8B", "`whole`, for Llama 3 8B: 8,030,261,248"),
    ("82M", "for DistilGPT-2: 81,912,576"),
    ("117M", "the figure stated of GPT-2 small (figure OpenAI withdrew), and counts 116,929,536"),
    ("345M", "the figure stated of GPT-2 medium (figure OpenAI withdrew)"),
]


@pytest.mark.parametrize(("text", "first"), MEANT)
def test_what_people_mean_comes_first(text: str, first: str) -> None:
    answer = ask_anything(read_question(text))
    assert answer.verdict == FITS
    assert first in answer.explanations[0].text


def test_the_blocks_of_a_model_are_those_of_the_best_known_one() -> None:
    assert "as in BERT base, uncased" in ask_anything(read_question("85M")).explanations[0].text


def test_a_withdrawn_figure_says_what_is_right() -> None:
    best = ask_anything(read_question("117M")).explanations[0]
    assert best.value == 40_478 * 768 + 1_024 * 768 + 12 * 7_087_872 + 2 * 768
    assert "`whole` at these dimensions has 124,439,808" in best.lines[0]


@pytest.mark.parametrize("text", ["149M", "999M"])
def test_nothing_is_near_a_rounded_figure(text: str) -> None:
    answer = ask_anything(read_question(text))
    assert (answer.verdict, answer.nearest) == (OPEN, None)


IN_WORDS = [
    ("why 2,362,368?", 2_362_368),
    ("2362368 params", 2_362_368),
    ("Where do 109,482,240 parameters come from?", 109_482_240),
    ("my BERT has 109482240 weights.", 109_482_240),
    ("GPT-2 has 124,439,808 parameters, why?", 124_439_808),
    ("is 109,482,240 right for 12 layers?", 109_482_240),
    ("total params: 109,482,240", 109_482_240),
]


@pytest.mark.parametrize(("text", "value"), IN_WORDS)
def test_words_around_a_figure_do_no_harm(text: str, value: int) -> None:
    assert read_question(text).value == value


def test_a_rounded_figure_in_words_keeps_its_precision() -> None:
    figure = read_question("why does BERT have 110M parameters?").figure
    assert figure is not None
    assert (figure.digits, figure.step, figure.exact) == (110, 10**6, False)


@pytest.mark.parametrize("text", ["why 109483778 - 109482240?", "why is 109,483,778 minus 109,482,240"])
def test_a_difference_in_words(text: str) -> None:
    assert read_question(text).sides == (109_482_240, 109_483_778)


@pytest.mark.parametrize("text", ["what is 12 or 24?", "109482240 or 108891648", "2 +", "why 3 * x?", "none at all"])
def test_what_does_not_say_which_figure_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_question(text)


@pytest.mark.parametrize(
    ("arguments", "texts"),
    [
        (("2362368", "123456789"), ["2362368", "123456789"]),
        (("109483778", "-", "109482240"), ["109483778 - 109482240"]),
        (("why", "2,362,368?"), ["why 2,362,368?"]),
        (("2362368", "params"), ["2362368 params"]),
        (("110", "million", "7.09e6"), ["110 million", "7.09e6"]),
        (("768", "*", "768", "5"), ["768 * 768", "5"]),
        (("garbage",), ["garbage"]),
    ],
)
def test_arguments_that_belong_together(arguments: tuple[str, ...], texts: list[str]) -> None:
    assert questions(arguments) == texts


def test_an_unquoted_difference_on_the_command_line() -> None:
    done = CliRunner().invoke(reconcile, ["explain", "109483778", "-", "109482240"])
    assert done.exit_code == 0
    assert done.output.startswith("109,483,778 − 109,482,240 = +1,538 is explained")


WHY = [
    (
        "2362368",
        [
            "+15.6 bits  2,362,368 said as a multiple of 768",
            "−4.0 bits  at H = 768",
            "rival: 2,362,368 = the intermediate",
        ],
    ),
    ("109482240", ["bits  for BERT base, uncased", "−3.0 bits  `backbone+pooler`", "shown: it says"]),
    ("110M", ["+3.5 bits  the figures of 110M", "rival: 110M holds"]),  # log2 11
    ("2363268", ["−4.6 bits  two digits exchanged"]),
    ("123456789", ["nothing says the figure in fewer bits than the figure itself"]),
]


@pytest.mark.parametrize(("figure", "said"), WHY)
def test_why_prints_the_balance_of_the_answer_and_of_its_rivals(figure: str, said: list[str]) -> None:
    output = CliRunner().invoke(reconcile, ["explain", figure, "--why"]).output
    flat = " ".join(output.split())
    assert [text for text in said if " ".join(text.split()) not in flat] == []


def test_the_balance_is_what_is_printed() -> None:
    whole = json.loads(CliRunner().invoke(reconcile, ["explain", "109482240", "--why", "--format", "json"]).output)
    first, *entries = [re.search(r"([+−][\d.]+) bits", line) for line in whole["why"] if not line.startswith("rival")]
    bits = [float(found[1].replace("−", "-")) for found in (first, *entries[:-1]) if found]
    # 21.1 − 4 − 3 − 1, each rounded to a tenth
    assert sum(bits[1:]) == pytest.approx(bits[0], abs=0.2)
    assert len(bits) == 5
