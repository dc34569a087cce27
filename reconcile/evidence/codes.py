"""How many bits it takes to say an explanation, and when that is few enough to believe it.

An explanation is written in a prefix code: whether the dimensions are changed, the first term, then each further term
behind a sign, then an end. Every alphabet's code lengths keep Kraft's inequality, so that no figure can be said in few
bits by more than few explanations. All of it is integers: a cost is compared with log2 n as 2^cost with n.
"""

# The first term, and a further one.
QUOTED = (3, 3, 4, 5, 5)
"""The totals that people quote, the likeliest first; what comes after has the last one's."""
TOTAL = 8
NODE = 6
"""A node right under the root, or right under a block; one more for each level below."""
IN_BLOCKS = 1
"""One bit more says whether it is in one block or in all."""
GROUP = 8
FILTERED = 2
"""More for the biases, the layer norms, or what is left without them."""
FILTERED_TOTAL = 6
EXTRA = 12
TIMES = 5
"""More for two or three of it, or one for each head."""
MISTAKE = 9

# What comes after a term.
END = 1
SIGN = 2
"""Before a further term, plus or minus."""

# Whether the dimensions are the model's own.
SAME = 1
ANOTHER_MODEL = 9
RESIZED = 6
"""That one dimension is of another size, and which, before the size."""
SOLVED = 5
"""Before an integer that is in no list, written in a code of its own."""

# Which model is spoken of, where none is given.
WELL_KNOWN = 6
"""Bits that name a model which is spoken of so much that mistakes about it are looked for unasked."""
OTHER_WIDTH = 9
"""A hidden size that no known model has, in round steps; any other is said behind it."""

MARGIN = 3
"""Bits by which an explanation must be shorter than the figure."""
ALIKE = 3
"""Accounts within so many bits of the best are as good."""


def integer_bits(number: int) -> int:
    """The length of a positive integer in Elias' gamma code; round numbers are not shorter."""
    return 2 * number.bit_length() - 1


def quoted_bits(place: int) -> int:
    """The code length of the total that is quoted in this place."""
    return QUOTED[min(place, len(QUOTED) - 1)] + max(0, place - len(QUOTED) + 1)
