"""What the page asks of the package: the answer to a text, two texts or a file, as JSON with the HTML to show."""

import json
import os
import sys

sys.path.insert(0, "/packages")

from reconcile.errors import ReconcileError
from reconcile.pipeline.door import answer_file, answer_text, compare_texts
from reconcile.render.html import body, claims, explanations


def answer(text: str | None, second: str | None, folder: str | None, name: str | None) -> str:
    """`html` and what it was `took` for, or an `error` in one line."""
    try:
        if folder is not None and name is not None:
            os.chdir(folder)
            answered = answer_file(name)
        elif second is not None:
            answered = compare_texts(text or "", second)
        else:
            answered = answer_text(text or "", "what you pasted")
        html = body(answered.document) if answered.document else ""
        html += explanations(answered.answers) if answered.answers else ""
        html += claims(answered.checked) if answered.checked else ""
        return json.dumps({"took": answered.took, "html": html})
    except (ReconcileError, RecursionError, MemoryError, OSError) as error:
        return json.dumps({"error": " ".join(str(error).split()) or type(error).__name__})
    finally:
        if folder is not None and name is not None and os.path.exists(os.path.join(folder, name)):  # noqa: PTH
            os.remove(os.path.join(folder, name))  # noqa: PTH
