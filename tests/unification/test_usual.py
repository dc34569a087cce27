"""What sizes a dimension usually has, by an architecture's file and its known models, and what it takes to say one."""

import pytest

from reconcile.evidence import lengths
from reconcile.taxonomy import load_architecture
from reconcile.unification.usual import is_usual, size_bits, usual_sizes

BERT = load_architecture("bert")


@pytest.mark.parametrize(
    ("name", "size", "sizes", "usual"),
    [
        ("V", 30522, {}, True),
        ("V", 30523, {}, False),
        ("F", 3072, {"H": 768}, True),  # 4·H
        ("F", 3072, {"H": 500}, False),  # what depends on another size is usual beside that only
        ("F", 3072, {}, False),
        ("H", 312, {}, True),  # a known model has it
    ],
)
def test_what_is_usual(name: str, size: int, sizes: dict[str, int], usual: bool) -> None:
    assert is_usual(BERT, name, size, sizes) is usual


def test_without_an_architecture_nothing_is_usual() -> None:
    assert usual_sizes(None, "V", {}) == ()
    assert usual_sizes(BERT, "unheard of", {}) == ()


def test_the_likelier_a_size_the_fewer_bits_it_takes() -> None:
    bits = [size_bits(BERT, "V", size, {}) for size in usual_sizes(BERT, "V", {})]
    assert bits == sorted(bits)
    # Of no list, no power of two and no multiple of 64: said as it is.
    assert size_bits(BERT, "V", 30523, {}) == lengths.ODD + lengths.outright(30523) > bits[0]
    assert size_bits(BERT, "F", 3072, {"H": 768}) < size_bits(BERT, "F", 3072, {})
