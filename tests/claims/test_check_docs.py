"""docs/check.md lists every verdict with the finding that it is."""

import re
from typing import get_args

from support import ROOT

from reconcile.claims.claim import FINDINGS, Verdict

TEXT = (ROOT / "docs" / "check.md").read_text("utf-8")


def test_every_verdict_is_listed() -> None:
    rows = dict(re.findall(r"^\| `([\w ]+)` \| .*\| (\w*) ?\|$", TEXT, flags=re.MULTILINE))
    assert rows == {verdict: FINDINGS[verdict][1] if verdict in FINDINGS else "" for verdict in get_args(Verdict)}
