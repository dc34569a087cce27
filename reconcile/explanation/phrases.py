"""Numbers and lists as sentences have them."""

from collections.abc import Iterable


def number(value: int) -> str:
    """A count with thousands separators and a true minus sign."""
    return f"{value:,}".replace("-", "−")


def signed(value: int) -> str:
    """A difference, always with its sign."""
    return ("+" if value > 0 else "") + number(value)


def listed(names: Iterable[str], joint: str = "and") -> str:
    """Names as a sentence has them: `a, b and c`."""
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {joint} {names[-1]}"


def quoted(names: Iterable[str]) -> str:
    """Names of totals, each in backticks, as a sentence has them."""
    return listed(f"`{name}`" for name in names)
