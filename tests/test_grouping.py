"""Items by what they have in common."""

from reconcile.grouping import grouped


def test_keys_and_items_keep_their_order() -> None:
    groups = grouped(["b2", "a1", "b1", "c1", "a1"], lambda name: name[0])
    assert list(groups.items()) == [("b", ["b2", "b1"]), ("a", ["a1", "a1"]), ("c", ["c1"])]
    assert grouped([], len) == {}
