"""README and docs: every output is what the program prints, every example runs, every link leads somewhere."""

import doctest
import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support import ROOT, run

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
SITE = tomllib.loads((DOCS / "zensical.toml").read_text("utf-8"))["project"]


def script(name: str) -> ModuleType:
    """A script of the docs."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


OUTPUTS = script("outputs")
SHOWN = [one for page in OUTPUTS.pages() for one in OUTPUTS.outputs(page)]


@pytest.mark.slow
@pytest.mark.usefixtures("released")
@pytest.mark.parametrize("shown", SHOWN, ids=[f"{one.page.name}: {one.command}" for one in SHOWN])
def test_every_output_is_what_the_program_prints(shown: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """To renew them: make outputs."""
    monkeypatch.chdir(ROOT)
    if shown.whole:
        monkeypatch.setenv("COLUMNS", OUTPUTS.COLUMNS)
    ran = run(*shown.arguments)
    now = ran.out + ran.err
    assert OUTPUTS.missing(shown, now) == []
    if shown.whole:
        assert OUTPUTS.as_it_may_vary(now) == OUTPUTS.as_it_may_vary(shown.printed)


def test_an_output_that_is_no_longer_printed_is_told() -> None:
    shown = OUTPUTS.Output(DOCS / "x.md", "reconcile x", "one\ntwo\n…\n")
    assert not shown.whole
    assert OUTPUTS.missing(shown, "zero\none\nand\ntwo\n") == []
    assert OUTPUTS.missing(shown, "two\none\n") == ["two"]


@pytest.mark.parametrize(
    "page", [page for page in OUTPUTS.pages() if "```pycon" in page.read_text("utf-8")], ids=lambda page: page.name
)
def test_every_example_in_python_does_what_it_shows(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"^```pycon\n(.*?)^```$", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
    said: list[str] = []
    assert doctest.DocTestRunner().run(session, out=said.append).failed == 0, "".join(said)
    assert len(session.examples) > 3


def test_the_test_shown_is_one_of_the_example() -> None:
    (shown,) = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert shown in (ROOT / "examples" / "regression-test" / "tests" / "test_structure.py").read_text("utf-8")


def test_the_families_are_named() -> None:
    from reconcile.taxonomy import architecture_names, load_architecture

    text = (ROOT / "README.md").read_text("utf-8").partition("## Limits")[2]
    assert [name for name in architecture_names() if load_architecture(name).title not in text] == []


HEADINGS = [
    "The answer", "Install", "Five commands", "Python", "pytest", "The page", "Beside other tools", "Limits", "More of it",
]  # fmt: skip


def test_the_readme_has_the_order_that_a_newcomer_needs() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == HEADINGS
    assert text.index("![") < text.index("## Install")
    assert re.findall(r"^### (\w+):", text, re.MULTILINE) == ["read", "build", "explain", "check", "diff"]


def test_every_command_and_option_that_is_spoken_of_is_there() -> None:
    from reconcile.cli.commands import COMMANDS
    from reconcile.cli.main import reconcile

    for page in OUTPUTS.pages():
        text = page.read_text("utf-8")
        for name, options in re.findall(r"`(?:\.venv/bin/)?reconcile ([a-z]+)((?: [^`]*)?)`", text):
            assert name in COMMANDS or not options, f"{page.name}: {name}"
            command = reconcile.get_command(None, name) if name in COMMANDS else None  # type: ignore[arg-type]
            known = {option for one in command.params for option in one.opts} if command else set()
            for option in re.findall(r"(?<=\s)--[a-z][a-z-]*", options) if command else []:
                assert option in known, f"{page.name}: reconcile {name} {option}"


BLOCKS = re.findall(r"^```toml\n# (\S+)\n(.*?)^```$", (DOCS / "adding.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("file", "block"), BLOCKS, ids=[file for file, _ in BLOCKS])
def test_what_is_shown_of_a_file_stands_in_it(file: str, block: str) -> None:
    assert block in (ROOT / file).read_text("utf-8")


def test_every_key_that_a_reference_and_a_mistake_can_have_is_said() -> None:
    from reconcile import mistake, reference

    text = (DOCS / "adding.md").read_text("utf-8")
    references, mistakes = text.partition("## A reference")[2].split("## A mistake")
    for said, keys in ((references, reference._KEYS), (mistakes, mistake._KEYS)):
        listed = set(re.findall(r"`([a-z_]+)`", "\n".join(re.findall(r"^\| (`.*?) \|", said, re.MULTILINE))))
        assert set(keys) - listed <= {"architecture"}, set(keys) - listed


def test_the_taxonomy_is_what_the_architectures_say() -> None:
    """To renew it: make taxonomy."""
    assert (DOCS / "taxonomy.md").read_text("utf-8") == script("write").taxonomy()


def pages_in(nav: list[Any]) -> list[str]:
    """The pages that a navigation leads to."""
    entries = [next(iter(one.values())) for one in nav]
    return [page for one in entries for page in (pages_in(one) if isinstance(one, list) else [one])]


def test_the_site_leads_to_every_page_once() -> None:
    led = pages_in(SITE["nav"])
    assert sorted(page for page in led if page.startswith("docs/")) == [f"docs/{page.name}" for page in PAGES]
    assert len(led) == len(set(led))
    assert all((ROOT / page).is_file() for page in led)


def test_directories_are_led_to_by_their_pages(tmp_path: Path) -> None:
    script("build").lay_out(tmp_path / "source")
    text = (tmp_path / "source" / "README.md").read_text("utf-8")
    assert "](models/README.md)" in text
    assert "- [tiny.toml](tiny.toml)" in (tmp_path / "source" / "models" / "README.md").read_text("utf-8")
    for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text):
        assert (tmp_path / "source" / link).is_file(), link


def test_the_site_asks_for_nothing_from_elsewhere() -> None:
    assert SITE["theme"]["font"] is False
    built = ROOT / "build" / "docs"
    if not built.is_dir():
        pytest.skip("make docs builds it")
    fetched = re.compile(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"?https?://[^>]*>")
    for page in built.rglob("*.html"):
        if page.parent.name != "reports":
            assert fetched.findall(page.read_text("utf-8")) == [], page
