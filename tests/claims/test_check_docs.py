"""docs/check.md lists every verdict with its finding, and says what was found of texts met for the first time."""

import csv
import re
from typing import get_args

from support import ROOT

from reconcile.claims.claim import FINDINGS, Verdict

TEXT = (ROOT / "docs" / "check.md").read_text("utf-8")
FIRST = ROOT / "tests" / "claims" / "first.tsv"


def test_every_verdict_is_listed() -> None:
    rows = dict(re.findall(r"^\| `([\w ]+)` \| .*\| (\w*) ?\|$", TEXT, flags=re.MULTILINE))
    assert rows == {verdict: FINDINGS[verdict][1] if verdict in FINDINGS else "" for verdict in get_args(Verdict)}


def test_what_is_said_of_texts_met_for_the_first_time_is_what_was_counted() -> None:
    """A row has what was counted of some texts that were scored together."""
    with FIRST.open(encoding="utf-8", newline="") as file:
        rows = [{key: int(value) for key, value in row.items()} for row in csv.DictReader(file, delimiter="\t")]
    of = {key: sum(row[key] for row in rows) for key in rows[0]}
    said = re.search(r"^## How far .*?^## ", TEXT, flags=re.MULTILINE | re.DOTALL)
    assert said is not None
    shares = [("true", "accusations"), ("found", "errors"), ("held", "errors"), ("confirmed", "right")]
    percent = [round(100 * of[part] / of[whole]) for part, whole in shares]
    figures = [of["texts"], of["true"], of["accusations"], percent[0], of["right_texts"], of["right_texts_accused"]]
    figures += [of["found"], of["errors"], percent[1], of["held"], percent[2], of["confirmed"], of["right"], percent[3]]
    assert [int(one.replace(",", "")) for one in re.findall(r"\d[\d,]*", said[0])] == figures
