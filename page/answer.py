"""What the page asks of the package: the answer to a text, two texts or a file, as JSON with the HTML to show."""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, "/packages")

from reconcile.errors import ReconcileError
from reconcile.pipeline.door import Answered, answer_file, answer_text, compare_texts, cost_text
from reconcile.render.registry import rendered

GIVEN = Path("/given")
"""Where the page puts a file before it asks about it."""


def answer(asked: str) -> str:
    """The answer's `html` and what it was `took` for, or an `error` in one line, to `{text, second, name, length}`."""
    try:
        answered = _answered(**json.loads(asked))
        html = "".join(rendered(part, "body") for part in answered.parts)
        return json.dumps({"took": answered.took, "html": html})
    except (ReconcileError, RecursionError, MemoryError, OSError) as error:
        return json.dumps({"error": " ".join(str(error).split()) or type(error).__name__})


def _answered(text: str = "", second: str = "", name: str = "", length: int = 0) -> Answered:
    """The answer to a text, a file by its name, two texts, or with a `length` what a text's model costs at that."""
    if name:
        os.chdir(GIVEN)
        try:
            return answer_file(name)
        finally:
            Path(name).unlink()
    if length:
        return cost_text(text, length)
    return compare_texts(text, second) if second else answer_text(text, "what you pasted")
