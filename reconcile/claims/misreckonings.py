"""What would explain a wrong result: a scale, digits in the wrong place, one number misread, a term left out."""

from collections.abc import Iterator
from itertools import islice

from reconcile.claims.amounts import Range, Sizes, numbers, terms, worth
from reconcile.claims.arithmetic import within
from reconcile.claims.lexing import Token
from reconcile.claims.sides import Side
from reconcile.explain.phrases import number
from reconcile.figure import Figure

MOST_TRIED = 40
"""Different numbers of an equation for which another one is tried."""
LONGEST_TRIED = 200
"""Numbers of the longest equation in which that is done."""


def reasons(left: Side, right: Side, sizes: Sizes) -> Iterator[str]:
    """What would explain a wrong result: a scale, digits in the wrong place, one number misread, a term left out."""
    one, two = worth(left, sizes), worth(right, sizes)
    if one is None or two is None:
        return
    yield from _scale(right.single, one)
    says, comes_to = two.whole, one.whole
    if says is None or comes_to is None:
        return
    if comes_to > 0 and says in set(misprints(comes_to)):
        yield f"two neighbouring digits of {number(comes_to)} have changed places"
    elif _one_digit(says, comes_to):
        yield f"one digit of {number(comes_to)} is another"
    yield from _other_number(left, says, sizes)
    yield from _term(left, says - comes_to, sizes)


def _scale(token: Token | None, one: Range) -> Iterator[str]:
    """Whether a figure is what comes out but for a thousand, a million or a billion."""
    if token is None or token.figure is None or not one.exact or one.low <= 0:
        return
    figure = token.figure
    for power, word in ((3, "a thousand"), (6, "a million"), (9, "a billion")):
        for way, said in ((-1, "too large"), (1, "too small")):
            scaled = Figure("", figure.digits, figure.power + way * power, False)
            fewest = max(2, scaled.precisions[-1]) if scaled.precisions[0] > 1 else 1
            if within(scaled, one, fewest) == "rounded":
                yield f"{figure.text.strip()} is {word} times {said}"


def misprints(value: int) -> Iterator[int]:
    """A number with two neighbouring digits in each other's place."""
    digits = str(value)
    for place in range(len(digits) - 1):
        if digits[place] != digits[place + 1]:
            yield int(digits[:place] + digits[place + 1] + digits[place] + digits[place + 2 :])


def _one_digit(left: int, right: int) -> bool:
    one, two = str(left), str(right)
    return len(one) == len(two) > 2 and sum(a != b for a, b in zip(one, two, strict=True)) == 1


def _other_number(left: Side, says: int, sizes: Sizes) -> Iterator[str]:
    """One number of the side that would have to be another for the result: a size of the model, or a misprint of it."""
    usual = {size: name for name, size in sizes.items() if size}
    all_ = list(islice(numbers(left), LONGEST_TRIED + 1))
    written = list(dict.fromkeys(all_))
    if len(written) > MOST_TRIED or len(all_) > LONGEST_TRIED:
        return
    for value in written:
        if not 1 < value < 10**7:
            continue
        tried = dict.fromkeys([*(size for size in usual if size > 1), *misprints(value)])
        for other in tried:
            if other == value:
                continue
            found = worth(left, sizes, replaced={value: other})
            if found is not None and found.whole == says:
                named = f" ({usual[other]})" if other in usual else ""
                yield f"it holds with {number(other)}{named} in place of {number(value)}"


def _term(left: Side, difference: int, sizes: Sizes) -> Iterator[str]:
    """The term of a sum that was left out of the result, or counted twice in it."""
    if len(left.operands) < 2 or len(left.operands) > 200:
        return
    found = terms(left, sizes)
    if len(found) < 2:
        return
    for wanted, words in ((-difference, "is left out of the result"), (difference, "is in the result twice")):
        alike = [value for value, _, _ in found if value == wanted]
        if alike:
            yield f"the term {number(alike[0])} {words}"
            return
