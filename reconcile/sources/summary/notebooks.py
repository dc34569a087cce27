"""The texts in a notebook's outputs."""

from collections.abc import Iterator, Mapping
from typing import Any


def texts_of(text: str) -> list[str]:
    """The text itself; of a notebook (`.ipynb`), one text for each cell's outputs, or for each cell if none printed."""
    if text[:2000].lstrip("\ufeff \t\r\n")[:1] != "{" or ('"cells"' not in text and '"worksheets"' not in text):
        return [text]
    import json

    try:
        notebook = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return [text]  # cut or edited: what can be read line by line is read
    cells = [cell for cell in _cells(notebook) if isinstance(cell, dict)]
    return [output for cell in cells if (output := _printed(cell))] or [_joined(cell.get("source")) for cell in cells]


def _cells(notebook: Any) -> Iterator[Any]:
    """The cells of nbformat 4, or of the worksheets of nbformat 3."""
    if not isinstance(notebook, dict):
        return
    sheets = notebook.get("worksheets")
    for part in [notebook, *(sheets if isinstance(sheets, list) else [])]:
        if isinstance(part, dict) and isinstance(part.get("cells"), list):
            yield from part["cells"]


def _printed(cell: Mapping[str, Any]) -> str:
    """All that a cell printed, in order: Keras 3 shows a name, a table and each total as outputs of their own."""
    outputs = cell.get("outputs")
    texts = [_text(output) for output in outputs if isinstance(output, dict)] if isinstance(outputs, list) else []
    return "".join(texts)


def _text(output: Mapping[str, Any]) -> str:
    """A stream's text as it is, since a line may go on in the next; other outputs each on lines of their own."""
    if output.get("output_type") == "stream":
        return _joined(output.get("text"))
    data = output.get("data")
    kinds = data if isinstance(data, dict) else output  # nbformat 3 has them beside each other
    texts = [_joined(kinds.get(kind)) for kind in ("text/plain", "text", "text/html", "html")]
    shown = next((text for text in texts if text.strip() and not _is_placeholder(text)), "")
    return f"\n{shown}\n" if shown else ""


def _is_placeholder(text: str) -> bool:
    """Whether a text only stands for an object that is shown as HTML, such as `<IPython.core.display.HTML object>`."""
    return text.strip().startswith("<") and text.strip().endswith(">") and "object" in text


def _joined(text: Any) -> str:
    lines = text if isinstance(text, list) else [text]
    return "".join(line for line in lines if isinstance(line, str))
