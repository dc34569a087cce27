"""Counts as people write them in brief: 109,081,344 at three figures is "109M"."""

_UNITS = (("T", 10**12), ("B", 10**9), ("M", 10**6), ("K", 10**3))


def rounded(value: int, precision: int) -> int:
    """A positive integer at so many significant figures, halves away from zero."""
    step = int(10 ** max(0, len(str(value)) - precision))
    return (value + step // 2) // step * step


def brief(value: int, precision: int) -> str:
    """A positive count at so many significant figures, with the largest unit that it reaches."""
    number = rounded(value, precision)
    for unit, size in _UNITS:
        if number >= size:
            whole, rest = divmod(number, size)
            fraction = str(rest).zfill(len(str(size)) - 1)[: max(0, precision - len(str(whole)))]
            return f"{whole}.{fraction}{unit}" if fraction else f"{whole}{unit}"
    return str(number)
