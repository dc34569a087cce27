"""Texts whose claims were labelled by hand: nothing right is accused, most of what is wrong is found.

Those in `harder/` are made to mislead: odd conventions that are right, and mistakes that the words alone give away.
"""

import pytest
from labelled import RIGHT, matched, names, score

from reconcile.claims.claim import FINDINGS


@pytest.mark.parametrize("name", [*names(), *names("harder")])
def test_nothing_that_is_right_is_accused(name: str) -> None:
    accused = [
        (label["quote"], claim.verdict, claim.explanation)
        for label, claims in matched(name)
        if label["truth"] in RIGHT and not _is_also_wrong(name, label)
        for claim in claims
        if claim.verdict in FINDINGS
    ]
    assert accused == []


def _is_also_wrong(name: str, label: dict[str, object]) -> bool:
    """Whether the same value stands on the same line as a mistake, in another equation."""
    return any(
        other["line"] == label["line"] and other["value"] == label["value"] and other["truth"] not in RIGHT
        for other, _ in matched(name)
    )


def test_most_errors_are_found_and_most_right_claims_confirmed() -> None:
    found = score(names())
    assert found.true == found.accusations
    assert 100 * found.found >= 75 * found.errors
    assert 100 * found.held <= 2 * found.errors
    assert 100 * found.confirmed >= 80 * found.right


def test_a_third_of_the_errors_are_found_where_texts_are_made_to_mislead() -> None:
    found = score(names("harder"))
    assert found.true == found.accusations
    assert 100 * found.found >= 40 * found.errors
    assert 100 * found.held <= 25 * found.errors
    assert 100 * found.confirmed >= 65 * found.right
