"""What is said of figures at the edges of a margin, a filter or an order: each answer changes when one of these moves.

`python tests/explanation/test_explain_said.py` from the project writes the answers anew; look at what has changed.
"""

from functools import cache
from pathlib import Path

import pytest

from reconcile.explanation.contexts import Context, in_part, of_spec
from reconcile.explanation.engine import ask, ask_anything
from reconcile.explanation.question import read_question
from reconcile.render.explanation import heading
from reconcile.spec import load_spec

SAID = Path(__file__).resolve().parents[1] / "data" / "explained.txt"
BLOCKS = SAID.read_text("utf-8").split("\n====\n")


@cache
def context(name: str) -> Context | None:
    if name == "any":
        return None
    return in_part(name) if "=" in name else of_spec(load_spec(name))


def said(head: str) -> str:
    """The answer to `context | figure`: the verdict, each account with its bits and its bridge, and the notes."""
    name, figure = head.split(" | ")
    about = context(name)
    question = read_question(figure, None, about.settings[0].dimensions if about else None)
    answer = ask(question, about) if about else ask_anything(question)
    lines = [head, heading(answer)]
    for one in answer.explanations:
        lines.append(f"{one.bits:g} bits: {one.text}")
        lines += [f"  {item.value:+,}: {item.text}" for item in one.bridge]
        lines += [f"  or {words}" for item in one.items for words in item.also]
    near = answer.nearest
    return "\n".join([*lines, *answer.notes, *([f"nearest: {near.name}, {near.left:+,}"] if near else [])])


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.partition("\n")[0])
def test_what_is_said(block: str) -> None:
    assert said(block.partition("\n")[0]) == block.rstrip("\n")


if __name__ == "__main__":
    SAID.write_text("\n====\n".join(said(block.partition("\n")[0]) for block in BLOCKS) + "\n", "utf-8")
