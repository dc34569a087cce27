"""Texts with every claim labelled, in folders beside this file: what `check` says of each label.

A label has the line, the quote and the value of a claim, and its truth: "right", "right-as", "wrong-arithmetic",
"wrong-count", "does-not-add-up", "unjudgeable" or "not-a-claim"; `expected` is what is right where it is not.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reconcile.claims.claim import FINDINGS, Claim
from reconcile.pipeline.check import check

ROOT = Path(__file__).parent
WRONG = frozenset(("wrong-arithmetic", "wrong-count", "does-not-add-up"))
RIGHT = frozenset(("right", "right-as"))
_ALIKE = 5
"""Letters at the ends of quotes that tell that these end with the same figure."""


@dataclass(frozen=True)
class Score:
    """How many accusations are true of how many, errors found, errors said to hold, and right claims confirmed."""

    accusations: int
    true: int
    errors: int
    found: int
    held: int
    right: int
    confirmed: int


def names(folder: str = "texts") -> tuple[str, ...]:
    """The files of a folder, each with its folder."""
    return tuple(sorted(f"{folder}/{path.name}" for path in (ROOT / folder).glob("*.txt")))


def labels(name: str) -> Iterator[dict[str, object]]:
    """The labels of one file."""
    yield from _index(ROOT / Path(name).parent).get(Path(name).name, ())


@cache
def _index(folder: Path) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = {}
    for line in (folder / "index.jsonl").read_text("utf-8").splitlines():
        label = json.loads(line)
        found.setdefault(label["file"], []).append(label)
    return found


def matched(name: str) -> Iterator[tuple[dict[str, object], list[Claim]]]:
    """The labels of a file, each with the claims of its line that state its value; of twins the nearest."""
    claims, every = _claims(name), list(labels(name))
    places = _places(name, every)
    for label in every:
        twins = [other for other in every if (other["line"], other["value"]) == (label["line"], label["value"])]
        fitting = [claim for claim in claims if claim.line == label["line"] and _states(claim, label)]
        yield label, [one for one in fitting if _nearest(one, twins, places) in (places[id(label)], None)]


def _places(name: str, every: list[dict[str, object]]) -> dict[int, int]:
    """The column of each label: the first quote of its line is that of its first label, and so on."""
    lines = (ROOT / name).read_text("utf-8").split("\n")
    taken: dict[tuple[object, object], int] = {}
    found = {}
    for label in every:
        key = label["line"], label["quote"]
        taken[key] = lines[int(str(label["line"])) - 1].find(str(label["quote"]), taken.get(key, -1) + 1)
        found[id(label)] = taken[key]
    return found


def _nearest(claim: Claim, twins: list[dict[str, object]], places: dict[int, int]) -> int | None:
    """The column of the label that a claim belongs to, of several of one value whose quotes end alike."""
    if len({str(twin["quote"])[-_ALIKE:] for twin in twins}) != 1 or len(twins) == 1:
        return None
    ends = {places[id(twin)] + len(str(twin["quote"])): places[id(twin)] for twin in twins}
    return ends[min(ends, key=lambda end: abs(end - claim.column + 1 - len(claim.text)))]


@cache
def _claims(name: str) -> tuple[Claim, ...]:
    return check((ROOT / name).read_text("utf-8"), name).claims


def _states(claim: Claim, label: dict[str, object]) -> bool:
    value = label["value"]
    if not isinstance(value, int | float) or claim.value is None:
        return False
    quote, text = (re.sub(r"\W|_", "", part) for part in (str(label["quote"]), claim.text))
    return abs(claim.value - value) <= abs(value) / 1000 and (text in quote or quote in text)


def unlabelled(name: str) -> list[Claim]:
    """The accusations of a file that are of no label: neither one of its lines nor in one of its quotes."""
    wrong = [label for label in labels(name) if label["truth"] in WRONG]
    known = {id(claim) for _, claims in matched(name) for claim in claims}
    other = [claim for claim in _claims(name) if claim.verdict in FINDINGS and id(claim) not in known]
    return [claim for claim in other if not any(_of(claim, label) for label in wrong)]


def _of(claim: Claim, label: dict[str, object]) -> bool:
    quote, text = (re.sub(r"\W|_", "", part) for part in (str(label["quote"]), claim.text))
    return claim.line == label["line"] or quote in text


def score(files: tuple[str, ...]) -> Score:
    """The score of some files."""
    counts = dict.fromkeys(Score.__annotations__, 0)
    for name in files:
        for label, claims in matched(name):
            accused = any(claim.verdict in FINDINGS for claim in claims)
            holds = any(claim.verdict.startswith("holds") for claim in claims)
            wrong, right = label["truth"] in WRONG, label["truth"] in RIGHT
            counts["accusations"] += accused
            counts["true"] += accused and wrong
            counts["errors"] += wrong
            counts["found"] += accused and wrong
            counts["held"] += holds and not accused and wrong
            counts["right"] += right
            counts["confirmed"] += holds and not accused and right
        counts["accusations"] += len(unlabelled(name))
    return Score(**counts)
