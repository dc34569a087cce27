"""The README, the report and the Makefile say what the program does: every block is run and every figure is printed."""

import re
import shlex
import tomllib

from support import ROOT, run

from reconcile.formula import Formula
from reconcile.selection import value
from reconcile.spec import load_spec, model_names
from reconcile.taxonomy import load_architecture

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
PROSE = re.sub(r"^```.*?^```$", "", README, flags=re.MULTILINE | re.DOTALL)
MAKE_RUN = ("build", "models/stackexchange-bert-base.toml")


def outputs() -> list[tuple[str, str]]:
    """Every command of the README whose output stands under it."""
    found = []
    for language, block in BLOCKS:
        if language == "console":
            for piece in block.removeprefix("$ ").split("\n$ "):
                line, _, printed = piece.partition("\n")
                found.append((line, printed))
    return found


def test_the_versions_shown_are_those_that_the_project_is_tested_with() -> None:
    pinned = dict(re.findall(r"^([\w-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(), flags=re.MULTILINE))
    shown = re.search(r"^keras-bert (\S+) on TensorFlow (\S+), built now$", README, flags=re.MULTILINE)
    assert shown is not None
    assert shown.groups() == (pinned["keras-bert"], pinned["tensorflow"])


def test_every_figure_in_the_prose_is_printed_in_an_output() -> None:
    printed = "\n".join(text for _, text in outputs())
    figures = set(re.findall(r"\d{1,3}(?:,\d{3})+", PROSE))
    assert figures
    assert figures <= set(re.findall(r"\d{1,3}(?:,\d{3})+", printed))
    assert "522" in PROSE
    assert "522 more words" in printed


def test_the_size_given_for_gpt_3_is_that_of_its_formulas() -> None:
    spec = load_spec("gpt3-size")
    parts = load_architecture("bert").active(spec.options)
    total = value({part.path: part.size * part.times for part in parts if part.tied_to is None})
    (shown,) = re.findall(r"gpt3-size.*# ([\d,]+) parameters", README)
    assert total.evaluate(spec.dimensions) == int(shown.replace(",", ""))


def test_the_spec_shown_is_the_one_that_is_there() -> None:
    (shown,) = [block for language, block in BLOCKS if language == "toml"]
    file = (ROOT / "models" / "stackexchange-bert-base.toml").read_text("utf-8")
    assert shown == file
    assert tomllib.loads(shown)["arguments"]["token_num"] == 30000
    assert f"has {len(model_names())} of them" in README


def test_every_command_shown_is_taken() -> None:
    commands = [line for language, block in BLOCKS if language == "sh" for line in block.splitlines()]
    builds = [shlex.split(line, comments=True) for line in commands if line.startswith(".venv/bin/reconcile")]
    assert len(builds) >= 8
    for _, *arguments in builds:
        name = arguments[1]
        assert arguments[0] == "read" or name in model_names() or name == "path/to/bert_config.json"
        # A name that is not there is refused only after all options have been taken.
        ran = run(*(argument if argument != name else "no-such-model" for argument in arguments))
        assert ran.status == 2
        assert ran.err.startswith("reconcile: no-such-model: got no such file")


def test_the_ways_of_writing_a_formula_that_are_shown() -> None:
    assert Formula.parse("4*(H^2 + H)").text() == "4·(H² + H)"
    assert "4*(H^2 + H) for 4·(H² + H)" in README


def test_every_link_into_the_project_leads_somewhere() -> None:
    for file in [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", file.read_text("utf-8")):
            assert target.startswith("https://") or (file.parent / target).exists(), f"{file.name}: {target}"
