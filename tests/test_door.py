"""The one door: what a thing is taken for, and that it is answered as that."""

from pathlib import Path

import pytest
from shown import SUMMARY
from support import ROOT, run

from reconcile.errors import InputError
from reconcile.pipeline.door import answer_file, answer_text, compare_texts

LISTINGS = ROOT / "tests" / "data" / "listings"
PROSE = "BERT base has 12 layers. Its position embeddings have 512 × 768 = 393,216 parameters, its norms 1,536."

NUMBER, TEXT, READ = "a number", "a text with figures in it", "Keras summary"
TAKEN = [
    ("2,362,368", NUMBER, 2_362_368),
    ("  2362368\n", NUMBER, 2_362_368),
    ("(768*768*3 + 768*3) * 12", NUMBER, 21_261_312),
    ("Where does 2,362,368 come from?", NUMBER, 2_362_368),
    ("why is it 110M", NUMBER, 110_000_000),
    ("335043584 - 335141888", NUMBER, -98_304),
    (PROSE, TEXT, None),
    (SUMMARY, READ, None),
    (SUMMARY + "\n" + SUMMARY, "2 models: " + READ, None),
]


@pytest.mark.parametrize(("text", "took", "value"), TAKEN)
def test_a_text_is_taken_for_what_it_is(text: str, took: str, value: int | None) -> None:
    answered = answer_text(text)
    assert answered.took == took
    assert [answer.value for answer in answered.answers] == ([value] if took == NUMBER else [])
    assert (answered.document is not None) == (READ in took)
    assert (answered.checked is not None) == (took == TEXT)


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
    assert run(summary).out == "Taken for Keras summary.\n\n" + run("read", summary).out
    notes = run(ROOT / "docs" / "examples" / "bert-notes.md")
    assert notes.status == 1
    assert notes.out.startswith("Taken for a text with figures in it.")


@pytest.mark.usefixtures("tiny")
def test_the_name_of_a_model_builds_it() -> None:
    out = run("tiny").out
    assert out.startswith("Taken for a model to be built.\n\n")
    assert "a tiny BERT for tests (tiny)\n" in out


@pytest.mark.parametrize(
    ("what", "likely"),
    [("bild", "build"), ("raed", "read"), ("bert-base-uncasd", "bert-base-uncased"), ("tinny", "tiny")],
)
def test_what_is_misspelt_gets_a_suggestion(what: str, likely: str) -> None:
    ran = run(what)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert f"'{likely}' perhaps" in ran.err
