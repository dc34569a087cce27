"""Texts whose claims were labelled by hand: nothing right is accused, most of what is wrong is found.

Those in `harder/` are made to mislead: odd conventions that are right, and mistakes that the words alone give away.
Those in `real/` follow real posts, tables and printed output, with the mistakes that were found there; those in
`readers/` were written, and labelled by scripts, without a look at the rules, and so were those in `posts/`, each after
a post of its own with the mistakes in it, of which fewer can be told. Those in `alike/` are of the same kind as those
beside this file, by writers who had read these.
"""

import pytest
from labelled import RIGHT, matched, names, score

from reconcile.claims.claim import FINDINGS

FOLDERS = ["texts", "harder", "real", "readers", "posts", "alike"]


@pytest.mark.parametrize("name", [name for folder in FOLDERS for name in names(folder)])
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


@pytest.mark.parametrize(
    ("folder", "found", "held", "confirmed"),
    [
        ("texts", 77, 1, 85),
        ("harder", 67, 15, 75),
        ("real", 34, 10, 70),
        ("readers", 65, 12, 79),
        ("posts", 40, 13, 64),
        ("alike", 53, 18, 76),
    ],
)
def test_every_accusation_is_true_and_so_many_errors_are_found(
    folder: str, found: int, held: int, confirmed: int
) -> None:
    """Of a hundred errors so many are found at least and held at most, and of what is right confirmed."""
    reached = score(names(folder))
    assert reached.true == reached.accusations
    assert 100 * reached.found >= found * reached.errors
    assert 100 * reached.held <= held * reached.errors
    assert 100 * reached.confirmed >= confirmed * reached.right
