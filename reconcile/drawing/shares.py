"""Shares in per cent, worked out in integers."""


def share(part: int, whole: int) -> str:
    """A part of the whole in per cent with one decimal; what would round to nothing is said to be less."""
    if not whole:
        return ""
    tenths = (2000 * part + whole) // (2 * whole)
    return f"{tenths // 10}.{tenths % 10} %" if tenths or not part else "< 0.1 %"
