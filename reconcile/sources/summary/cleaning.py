"""A pasted text with what happened to it on its way undone: colours, tags, entities, encodings, line ends."""

import re
from collections.abc import Callable

LONGEST = 20_000
"""Characters of the longest line that may belong to a table; Keras prints a few hundred at most."""

_INVISIBLE = re.compile("[\0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")
_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_LINE_END = re.compile(r"\r{0,3}\n|\r")

# ECMA-48 sequences; also as `^[[1m` (cat -v), `\x1b[1m`, `\033[1m` and `\u001b[1m` (a text shown as code).
_ESCAPE = re.compile(
    r"(?:\x1b|\x9b|\^\[|\\x1b|\\033|\\u001b|\\e|\u241b|\ufffd)(?=\[)\[[0-?]{0,64}[ -/]{0,8}[@-~]"
    r"|\x1b\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)?"
    r"|\x1b[@-Z\\^_=>78]"
)
_BARE_COLOUR = re.compile(r"\[(?:\d{1,3}(?:;\d{1,3}){0,8})?m")

_TAG = re.compile(
    r"<(/?)(pre|span|div|code|p|br|hr|li|ul|ol|a|b|i|u|em|strong|font|samp|kbd|tt|td|th|tr|table|thead|tbody|html|head"
    r"|body|section|article|h[1-6]|blockquote|details|summary)\b[^<>]*>",
    re.IGNORECASE,
)
_TAG_TEXT = {"br": "\n", "/td": " | ", "/th": " | ", "tr": "\n| "} | {
    f"/{tag}": "\n" for tag in ("pre", "div", "p", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6")
}
_ENTITY = re.compile(r"&(?:#\d{1,6}|#x[0-9a-f]{1,5}|nbsp|quot|lt|gt|amp|apos|hellip);", re.IGNORECASE)

_JSON_LINE = re.compile(r'^[ \t]*"((?:[^"\\\n]|\\.)*)\\n",?[ \t]*$', re.MULTILINE)
_ESCAPED = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")

# UTF-8 read as cp1252 or latin-1: a box-drawing character or an ellipsis becomes three characters, the macron two.
_MISREAD = re.compile("\u00e2[\u0080-\u00bf\u0152-\u2122]{2}|\u00c2[\u00a0-\u00bf]")

# `_` and `=` rules. One line with several of them has lost its line ends.
_RULE = re.compile(r"(?<!_)_{20,}+|(?<!=)={20,}+")
_RULE_END = re.compile(r"((?<!_)_{20,}+|(?<!=)={20,}+)(?=\s*+[^\s_=|#*/\\\"'])")
_FOOTER = re.compile(r"\s(?=(?:Total|Trainable|Non-trainable|Optimizer) params:)")


def clean_lines(text: str) -> list[str]:
    """The lines of a text, without colours, tags or entities, and with plain spaces."""
    for step in _STEPS:
        text = step(text)
    lines = [part for line in _LINE_END.split(text) for part in _unglue(line)]
    return _single_spaced(lines)


def _visible(text: str) -> str:
    return _SPACE.sub(" ", _INVISIBLE.sub("", text))


def _reread(text: str) -> str:
    """Put right UTF-8 that was read in a one-byte encoding."""
    return _MISREAD.sub(_utf8, text) if "\u00e2" in text or "\u00c2" in text else text


def _utf8(match: re.Match[str]) -> str:
    try:
        return b"".join(_byte(char) for char in match[0]).decode()
    except (UnicodeDecodeError, UnicodeEncodeError):
        return match[0]


def _byte(char: str) -> bytes:
    return char.encode("latin-1") if char < "\u0100" else char.encode("cp1252")


def _uncoloured(text: str) -> str:
    text = _ESCAPE.sub("", text)
    return _BARE_COLOUR.sub("", text) if "[0m" in text else text  # the escape itself was lost in a copy


def _untagged(text: str) -> str:
    if _TAG.search(text):
        text = _TAG.sub(lambda match: _TAG_TEXT.get((match[1] + match[2]).lower(), ""), text)
    if _ENTITY.search(text):
        import html

        text = html.unescape(text)
    return text


def _unescaped(text: str) -> str:
    r"""Give string literals their line ends back: `'...\n...'`, and the lines of a notebook's JSON, `"...\n",`."""
    if text.count('\\n",') > 3:
        return _JSON_LINE.sub(lambda match: _ESCAPED.sub(_character, match[1]), text)
    if text.count("\\n") > 3 and text.count("\n") < text.count("\\n"):
        return text.replace("\\r", "").replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"')
    return text


def _character(match: re.Match[str]) -> str:
    escaped = match[1]
    return chr(int(escaped[1:], 16)) if len(escaped) > 1 else {"t": "\t", "n": "", "r": ""}.get(escaped, escaped)


# The escapes of a string literal come first: they hide line ends and colours.
_STEPS: tuple[Callable[[str], str], ...] = (_unescaped, _reread, _uncoloured, _untagged, _visible)


def _unglue(line: str) -> list[str]:
    """Part a rule from what a log wrote behind it, and a table whose line ends were lost at its rules."""
    if "____" not in line and "====" not in line:
        return [line]
    if len(_RULE.findall(line)) > 1:
        parts = _FOOTER.sub("\n", _RULE.sub(r"\n\g<0>\n", line)).split("\n")
        return [part for part in parts if part.strip()]
    return _RULE_END.sub(r"\1\n", line).split("\n")


def _single_spaced(lines: list[str]) -> list[str]:
    """Drop every second line of a text that was pasted with a blank line after each line."""
    for first in (0, 1):
        if len(lines) > 4 and not any(line.strip() for line in lines[1 - first :: 2]):
            return lines[first::2]
    return lines
