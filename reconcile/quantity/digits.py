"""Digits of all scripts as ASCII digits, in a text of the same length."""

import unicodedata

JOINT = "\x01"
"""A letter that stands for markup and separates nothing: digits on both sides of it are one figure."""


RAISED = "⁻?[⁰¹²³⁴-⁹]{1,3}"
"""What an exponent in raised digits looks like."""
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def lowered(exponent: str) -> int:
    """The number that raised digits stand for."""
    return int(exponent.translate(_LOWERED))


def plain_digits(text: str) -> str:
    """The text with every decimal digit of Unicode as 0 to 9; as long as before."""
    if text.isascii():
        return text
    table = {ord(sign): str(unicodedata.decimal(sign)) for sign in set(text) if not sign.isascii() and sign.isdecimal()}
    return text.translate(table) if table else text  # a long text without any is not gone through
