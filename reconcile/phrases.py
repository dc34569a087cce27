"""Numbers and lists as sentences have them."""

from collections.abc import Iterable, Sequence

COUNT_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(value: int) -> str:
    """A count with thousands separators and a true minus sign."""
    return f"{value:,}".replace("-", "−")


def span(bounds: tuple[int, int]) -> str:
    """`343,500 to 344,999`, or the count where there is only one."""
    least, most = bounds
    return number(least) if least == most else f"{number(least)} to {number(most)}"


def signed(value: int) -> str:
    """A difference, always with its sign."""
    return ("+" if value > 0 else "") + number(value)


def more_or_fewer(count: int, what: str = "") -> str:
    """A difference in words: `384 fewer`, or with what is counted before it, `384 parameters fewer`."""
    return " ".join(filter(None, (number(abs(count)), what, "more" if count > 0 else "fewer")))


def listed(names: Iterable[str], joint: str = "and") -> str:
    """Names as a sentence has them: `a, b and c`."""
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {joint} {names[-1]}"


def quoted(names: Iterable[str]) -> str:
    """Names of totals, each in backticks, as a sentence has them."""
    return listed(f"`{name}`" for name in names)


MOST_NAMED = 4
"""Names that a sentence lists; of more it gives the number."""


def some(names: Iterable[str], what: str = "rows") -> str:
    """What a sentence speaks of: by name where they are few, otherwise how many and the first."""
    names = list(dict.fromkeys(names))
    return listed(names) if len(names) <= MOST_NAMED else f"{number(len(names))} {what} ({names[0]} and others)"


def at_most(names: Sequence[str]) -> list[str]:
    """As many names as a sentence lists, and how many more there are."""
    more = [f"{number(len(names) - MOST_NAMED)} others"] if len(names) > MOST_NAMED + 1 else []
    return [*names[: MOST_NAMED if more else None], *more]
