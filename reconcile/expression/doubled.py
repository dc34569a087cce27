"""Formulas that a page shows once, and a copy of its text has two or three times, run together."""

import re

from reconcile.quantity import JOINT

_RUN = re.compile(rf"[\d(A-Za-z](?:[\dA-Za-z×*+/()=≈^_ {JOINT}-]|[.,](?={JOINT}*\d)){{8,400}}")
_BEGINS = re.compile(r"(?<![\d.,])[\d(]|(?<![A-Za-z])[A-Za-z]")
"""Where a formula of a run may begin, whose first letters may be a label."""
_FORMULA = re.compile(r"[^=≈×*+/]+[=≈×*+/].*[\dA-Za-z)]")
_TWICE = "=×*"
"""Signs of which one is in every formula that is said twice."""
_LEAST = 7
"""Letters of a formula without a result, of which less is one with a factor more: `2×22×2`."""
_AGAIN = re.compile(r"(?P<formula>.{4,200}?)(?P=formula){1,2}(?![\d×*+/()=≈^.,-])")
"""A formula that is said again right behind it, once or twice, and then goes on to words."""


def without_copies(text: str) -> str:
    """The text with blanks for what says a formula again right behind it: `768×768=589,824768×768=589,824`."""
    lines = text.split("\n")
    return "\n".join(_RUN.sub(_once, line) if any(line.count(sign) > 1 for sign in _TWICE) else line for line in lines)


def _once(found: re.Match[str]) -> str:
    run = found[0]
    if all(run.count(sign) < 2 for sign in _TWICE):
        return run
    places = [place for place, letter in enumerate(run) if letter not in f" {JOINT}"]
    letters = "".join(run[place] for place in places)
    done = 0
    for begin, place in enumerate(places):
        again = _AGAIN.match(letters, begin) if begin >= done and _BEGINS.match(run, place) else None
        if again is None or not _FORMULA.fullmatch(formula := again["formula"]):
            continue
        second, end = places[begin + len(formula)], places[again.end() - 1] + 1
        glued = found[0][second - 1] != " "  # a sign of markup leaves no blank
        if glued and (len(formula) >= _LEAST or "=" in formula):
            run, done = run[:second] + " " * (end - second) + run[end:], again.end()
    return run
