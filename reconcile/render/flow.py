"""Text laid out to the width of a terminal."""

from collections.abc import Callable

from reconcile.formula import to_ascii


def flowing(width: int | None, ascii_only: bool) -> Callable[[str, str, str], str]:
    """A function that lays a text out to a width, with what stands before its first line and before the others."""

    def flow(text: str, first: str, rest: str) -> str:
        from textwrap import fill

        text = to_ascii(text) if ascii_only else text
        if width is None:
            return first + text
        return fill(
            text, max(width, 40), initial_indent=first, subsequent_indent=rest,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip

    return flow
