"""`reports/`: one for every model, none without one, and each what the program says today."""

from types import ModuleType

import pytest
from conftest import build_all
from support import ROOT, written_by

from reconcile.spec import model_names

REPORTS = ROOT / "reports"


@pytest.fixture(scope="module")
def write() -> ModuleType:
    """The script that writes them."""
    return written_by("write")


def test_every_model_has_a_report_and_every_report_a_model(write: ModuleType) -> None:
    """To renew them: make reports."""
    there = {file.name for file in REPORTS.iterdir() if file.is_file()}
    assert there == write.names()
    assert {f"{name}.md" for name in model_names()} <= there


def test_every_drawing_stands_in_its_report() -> None:
    for name in model_names():
        assert f"]({name}.svg)" in (REPORTS / f"{name}.md").read_text("utf-8")


def test_the_index_leads_to_every_report() -> None:
    index = (REPORTS / "README.md").read_text("utf-8")
    assert all(f"]({name}.md)" in index for name in model_names())


def test_nothing_of_a_machine_stands_in_them() -> None:
    for file in REPORTS.iterdir():
        if file.suffix in (".md", ".svg", ".html"):
            text = file.read_text("utf-8")
            assert str(ROOT) not in text, file.name
            assert "built now" not in text, file.name
            assert "TensorFlow 2" not in text, file.name


@pytest.mark.slow
@pytest.mark.usefixtures("_own_cache")
def test_every_report_is_what_the_program_says(write: ModuleType) -> None:
    """To renew them: make reports."""
    build_all([ROOT / "models" / f"{name}.toml" for name in model_names()])
    written = dict(write.files())
    assert {*written, "write.py", "published.py"} == write.names()
    stale = [name for name, text in written.items() if (REPORTS / name).read_text("utf-8") != text]
    assert stale == []
