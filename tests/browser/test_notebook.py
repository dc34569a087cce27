"""A notebook with the public functions, executed by a kernel of its own and looked at in a browser."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from support import ROOT
from visiting import Visit

EXAMPLES = ROOT / "docs" / "examples"
Open = Callable[..., Visit]

# JupyterLab's own look, without the scripts that it fetches from elsewhere for mathematics, diagrams and widgets.
PAGE = (
    "{% extends 'lab/index.html.j2' %}"
    "{% block html_head_js %}{% endblock %}{% block html_head_js_mathjax %}{% endblock %}"
    "{% block footer_js %}{% endblock %}"
)


@pytest.fixture(scope="module")
def executed() -> Any:
    """The notebook with what its cells gave; none may fail."""
    notebook = nbformat.read(EXAMPLES / "reconcile.ipynb", as_version=4)
    assert not [cell for cell in notebook.cells if cell.get("outputs")], "outputs are no part of the repository"
    return NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(EXAMPLES)}}).execute()


@pytest.fixture(scope="module")
def notebook_file(executed: Any, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """A function that writes the executed notebook as a page in one of JupyterLab's themes and says its address."""

    def write(theme: str) -> str:
        exporter = HTMLExporter(raw_template=PAGE, theme=theme)
        html, _ = exporter.from_notebook_node(executed)
        file: Path = tmp_path_factory.mktemp("notebook") / f"{theme}.html"
        file.write_text(html, "utf-8")
        return file.as_uri()

    return write


def outputs(notebook: Any) -> dict[str, dict[str, str]]:
    """Each cell's result by its media types, under the function that gave it."""
    found = {}
    for cell in notebook.cells:
        called = re.search(r"^reconcile\.(\w+)\(", cell.source, re.MULTILINE)
        if cell.cell_type == "code" and called:
            (result,) = (one for one in cell.outputs if one.output_type == "execute_result")
            found[called[1]] = result.data
    return found


LEADS_HOME = """boxes => boxes.map(box => {
    const name = decodeURIComponent(box.getAttribute('href').slice(1));
    const meant = [...document.querySelectorAll('[id]')].filter(one => one.id === name);
    return meant.length === 1 && meant[0].closest('.reconcile') === box.closest('.reconcile');
})"""

HOLDS = {
    "read": "84,326 parameters of a BERT",
    "explain": "every head given query, key and value at full width",
    "check": "mismatch",
    "diff": "522 more words",
    "cost": "GPT-2 small",
}


def test_every_function_shows_itself_in_each_form(executed: Any) -> None:
    shown = outputs(executed)
    assert shown.keys() == HOLDS.keys()
    for name, holds in HOLDS.items():
        assert shown[name].keys() >= {"text/plain", "text/markdown", "text/html"}
        assert "\n" not in shown[name]["text/plain"]
        for form in ("text/markdown", "text/html"):
            assert holds in shown[name][form], (name, form)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_cell_can_be_unfolded_and_read(visit: Open, notebook_file: Callable[[str], str], theme: str) -> None:
    seen = visit(notebook_file(theme), color_scheme=theme)
    seen.picture(f"notebook-{theme}", whole=True)
    block = seen.page.locator("[data-path='encoder.block[1..2].attention'] > details").first
    query = seen.page.locator("[data-path='encoder.block[1..2].attention.query']").first
    assert not query.is_visible()
    block.locator("> summary").click()
    assert query.is_visible()
    query.locator("> details > summary").click()
    kernel = query.locator("[data-path$='query.kernel']")
    kernel.locator("> details > summary").click()
    assert "Encoder-1-MultiHeadSelfAttention_Wq" in kernel.inner_text()
    assert seen.serious(".reconcile") == []


def test_a_box_leads_to_its_own_cell(visit: Open, notebook_file: Callable[[str], str]) -> None:
    seen = visit(notebook_file("light"))
    links = seen.page.eval_on_selector_all("a.box", LEADS_HOME)
    assert len(links) > 60
    assert all(links)
