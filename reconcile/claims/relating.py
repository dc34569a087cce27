"""What claims have to do with one another: two mistakes that make a third, one error that others carry on."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from reconcile.claims.claim import Claim
from reconcile.claims.surroundings import Text
from reconcile.explain.phrases import number, signed

MOST_PAIRED = 30
"""Wrong counts of one text of which every two are added up."""
CARRIED = ("does not add up", "mismatch", "arithmetic wrong")


def related(claims: Sequence[Claim], read: Text) -> list[Claim]:
    """Claims with what they have to do with one another: two mistakes that make a third, one error carried on."""
    return _carried(_paired(claims, read), read.sizes.get("L") or 0)


def _paired(claims: Sequence[Claim], read: Text) -> list[Claim]:
    """Two wrong counts that add up to a known mistake are both told so."""
    result = list(claims)
    wrong = [place for place, claim in enumerate(result) if claim.verdict == "mismatch" and claim.difference]
    for one, two in combinations(wrong[:MOST_PAIRED], 2):
        if said := _together(result[one], result[two], read):
            for place, other in ((one, two), (two, one)):
                told = f"{result[place].explanation}; with line {result[other].line}: {said}"
                result[place] = replace(result[place], explanation=told)
    return result


def _carried(claims: Sequence[Claim], blocks: int) -> list[Claim]:
    """A difference that stood in an earlier line, or in each of the blocks, is told to come from there."""
    first: dict[int, Claim] = {}
    for claim in claims:
        if claim.verdict in CARRIED and claim.difference:
            first.setdefault(claim.difference, claim)
    if not first:
        return list(claims)
    return [
        replace(claim, explanation=said + claim.explanation) if (said := _from(claim, first, blocks)) else claim
        for claim in claims
    ]


def _from(claim: Claim, first: Mapping[int, Claim], blocks: int) -> str:
    if claim.verdict not in ("mismatch", "does not add up") or not claim.difference:
        return ""
    for times in (1, blocks):
        earlier = first.get(claim.difference // times) if times and claim.difference % times == 0 else None
        if earlier is not None and (earlier.line < claim.line or (times > 1 and earlier.line == claim.line)):
            often = f"{times} × " if times > 1 else ""
            return f"it carries on {often}the {signed(claim.difference // times)} of line {earlier.line}; "
    return ""


def _together(one: Claim, two: Claim, read: Text) -> str | None:
    """The known mistake that two wrong counts add up to, if there is one."""
    if one.value is None or two.value is None or one.model != two.model:
        return None
    for desk in read.desks.values():
        for _, item in desk.index.get(one.value + two.value, ()):
            mistake = item.term.mistake
            if mistake is not None and item.term.kind == "mistake":
                both = f"{number(one.value)} + {number(two.value)} = {number(item.value)}"
                return f"{both}, which is {mistake.name}: {mistake.says}"
    return None
