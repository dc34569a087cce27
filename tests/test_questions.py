"""Questions that people ask, each with the facts that have to be in the answer and statements that would be false."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, run

FOLDER = ROOT / "tests" / "data" / "questions"
QUESTIONS = [json.loads(line) for line in (FOLDER / "index.jsonl").read_text("utf-8").splitlines()]
SIGNS = str.maketrans({"×": "*", "·": "*", "−": "-", "–": "-", "²": "^2"})


def plain(text: str) -> str:
    """A text in one line, lower case, without thousands separators and without blanks around operators."""
    text = " ".join(text.translate(SIGNS).lower().split())
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    return re.sub(r" ?([*+/^=()-]) ?", r"\1", text)


def has(text: str, fact: str) -> bool:
    """Whether a fact is in a plain text: a figure by itself, a word at its beginning, or an expression."""
    if fact.startswith("re:"):
        return re.search(fact[3:], text) is not None
    fact = plain(fact)
    before = r"(?<![\d.])" if fact[0].isdigit() else r"(?<![a-z])" if fact[0].isalpha() else ""
    return re.search(before + re.escape(fact) + (r"(?!\d|\.\d)" if fact[-1].isdigit() else ""), text) is not None


def test_a_figure_stands_by_itself() -> None:
    assert has(plain("4 · 128² = 65,536"), "4·128²")
    assert not has(plain("1,920 and 12.5"), "192")
    assert not has(plain("1,920 and 12.5"), "2.5")


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: Path(question["file"]).stem)
def test_a_question_is_answered(question: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    asked = question["args"] if question["command"] == "explain" else [FOLDER / question["file"]]
    ran = run(question["command"], *asked)
    answer = plain((ran.out + ran.err).replace(str(FOLDER / question["file"]), ""))
    assert ran.status < 2
    assert [facts for facts in question["must"] if not any(has(answer, fact) for fact in facts)] == []
    assert [said for said in question["must_not"] if has(answer, said)] == []
