"""What a file's size says of what it holds beside weights."""

import pytest

from reconcile.costing.files import Interval, grown, held, kinds_of_files

M, G = 10**6, 10**9


def rounded(value: int, last: int) -> Interval:
    """All that is written so, when `last` is what its last digit counts."""
    return value - last // 2, value + last // 2


CASES = [
    # 213M · 12 = 2,556 MB: the weights and Adam's two moments; neither one nor two values
    (rounded(213 * M, M), rounded(2_560 * M, 10 * M), 96),
    (rounded(110 * M, M), rounded(440 * M, M), 32),
    (rounded(110 * M, M), rounded(220 * M, M), 16),
    ((109_482_240, 109_482_240), (109_482_240 * 12 + 5_000, 109_482_240 * 12 + 5_000), 96),
    ((7 * G, 7 * G), (rounded(3_500 * M, 10 * M)), 4),
]


@pytest.mark.parametrize(("weights", "size", "bits"), CASES)
def test_what_a_file_holds(weights: Interval, size: Interval, bits: int) -> None:
    assert [kind.bits for kind in held(weights, size)] == [bits]


def test_what_training_adds() -> None:
    """810 MB become 2.4 GB: three values for each of 202.5 million weights."""
    (kind,) = grown(rounded(810 * M, 10 * M), rounded(2_400 * M, 100 * M))
    assert kind.values == 3
    assert "two moments" in kind.says
    assert kind.bytes(202_500_000) == 2_430 * M


def test_nothing_fits_what_no_file_holds() -> None:
    assert held((100 * M, 100 * M), (550 * M, 560 * M)) == ()
    assert grown((100 * M, 100 * M), (100 * M, 100 * M)) == ()


def test_the_kinds_are_apart() -> None:
    assert len({kind.bits for kind in kinds_of_files()}) == len(kinds_of_files())
