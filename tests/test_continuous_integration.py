"""The pre-commit hook, the annotations for GitHub, and the examples of both in the documents."""

import re
import shlex
from pathlib import Path

import pytest
import yaml
from ledgers import ledger
from support import ROOT, run

from reconcile.render.github import Annotation, annotated
from reconcile.render.snapshot import render

DOCUMENT = ROOT / "docs" / "continuous-integration.md"
WRONG = "# BERT base\n\nOne attention layer has 4 × (768 × 768 + 768) = 2,362,369 parameters, 100 % of it: trained.\n"
RIGHT = "One attention layer of BERT base has 4 × (768 × 768 + 768) = 2,362,368 parameters.\n"


def blocks() -> list[dict]:
    return [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)]


def test_the_examples_are_yaml_and_name_what_there_is() -> None:
    config, workflow = blocks()
    hooks = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    assert {hook["id"] for repo in config["repos"] for hook in repo["hooks"]} <= hooks
    lines = [step["run"] for step in workflow["jobs"]["models"]["steps"] if "run" in step]
    commands = [shlex.split(line) for line in lines if line.startswith("reconcile ")]
    assert len(commands) == 3
    for command in commands:
        assert command[-2:] == ["--format", "github"]
        assert "github" in run(command[1], "--help").out


def test_the_hook_is_one_that_pre_commit_takes() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert {"id", "name", "entry", "language"} <= hook.keys()
    assert hook["language"] == "python"


@pytest.mark.parametrize(("text", "status"), [(RIGHT, 0), (WRONG, 1)])
def test_the_hooks_entry_runs_on_all_files_of_a_commit(tmp_path: Path, text: str, status: int) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    program, *arguments = shlex.split(hook["entry"])
    assert program == "reconcile"
    files = [tmp_path / "a.md", tmp_path / "b.md"]
    files[0].write_text(RIGHT, "utf-8")
    files[1].write_text(text, "utf-8")
    done = run(*arguments, *hook.get("args", ()), *files)
    assert done.status == status, done.out + done.err
    assert all(str(file) in done.out for file in files)


def test_an_annotation_stands_at_its_line(tmp_path: Path) -> None:
    file = tmp_path / "a,b.md"
    file.write_text(WRONG, "utf-8")
    done = run("check", file, "--format", "github")
    assert done.status == 1
    (line,) = done.out.splitlines()
    place = str(file).replace(",", "%2C")
    assert line.startswith(f"::error file={place},line=3,col=")
    assert "2,362,369" in line.partition("::error")[2].partition("::")[2]


def test_what_is_right_is_not_annotated(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(RIGHT, "utf-8")
    done = run("check", file, "--format", "github")
    assert (done.status, done.out) == (0, "")


# What would end a command or a property early, in the runner's own escapes.
ESCAPED: list[tuple[Annotation, str]] = [
    (
        Annotation("error", "t", "50 % of\nit\r\n: a, b::c"),
        "::error title=t::50 %25 of%0Ait%0D%0A: a, b::c\n",
    ),
    (
        Annotation("warning", "a: b, c", "m", "x:y,z%.md", 7, 2),
        "::warning file=x%3Ay%2Cz%25.md,line=7,col=2,title=a%3A b%2C c::m\n",
    ),
    (Annotation("note", "t", "m"), ""),
]


@pytest.mark.parametrize(("annotation", "expected"), ESCAPED)
def test_annotations_are_escaped(annotation: Annotation, expected: str) -> None:
    assert annotated([annotation]) == expected


def test_read_and_diff_annotate_too(tmp_path: Path) -> None:
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_text(render(ledger(("pooler",))), "utf-8")
    other.write_text(render(ledger(())), "utf-8")
    assert run("read", one, "--format", "github").out == ""
    done = run("diff", one, other, "--format", "github")
    assert done.status == 1
    assert done.out == (
        f"::error file={other},title=reconcile%3A B has no pooler; everything else agrees::"
        "pooler: only in A: H² + H = 768² + 768 = 590,592\n"
    )
