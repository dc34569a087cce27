"""Every figure in docs/cost.md is printed by the command above it."""

import re
import shlex

import pytest
from support import ROOT, run

TEXT = (ROOT / "docs" / "cost.md").read_text("utf-8")
BLOCKS = re.findall(r"```console\n\$ reconcile (.*?)\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize(("command", "lines"), BLOCKS, ids=[command for command, _ in BLOCKS])
@pytest.mark.slow
def test_each_line_is_printed(command: str, lines: str) -> None:
    done = run(*shlex.split(command))
    assert done.status == 0
    printed = {" ".join(line.split()) for line in done.out.splitlines()}
    for line in lines.splitlines():
        assert " ".join(line.split()) in printed, line


def test_there_are_examples() -> None:
    assert len(BLOCKS) == 6
