"""docs/check.md shows what the program prints, and lists every verdict with the finding that it is."""

import re
import shlex
from typing import get_args

import pytest
from support import ROOT, run

from reconcile.claims.claim import FINDINGS, Verdict

TEXT = (ROOT / "docs" / "check.md").read_text("utf-8")


def test_the_output_is_what_the_program_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"^```console\n\$ (.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)
    line, _, printed = block.partition("\n")
    ran = run(*shlex.split(line)[1:])
    assert ran.out == printed
    assert ran.status == 1


def test_every_verdict_is_listed() -> None:
    rows = dict(re.findall(r"^\| `([\w ]+)` \| .*\| (\w*) ?\|$", TEXT, flags=re.MULTILINE))
    assert rows == {verdict: FINDINGS[verdict][1] if verdict in FINDINGS else "" for verdict in get_args(Verdict)}
