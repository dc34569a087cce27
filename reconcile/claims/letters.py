"""Text as it is pasted, made plain letter by letter: digits and signs of one kind, no markup, every place where it was.

The plain text is exactly as long as the text, so that an offset in one is an offset in the other.
"""

import re
import unicodedata
from collections.abc import Callable
from itertools import islice

MOST_STARTS = 2_000_000
"""Lines whose places are kept: more than are ever read."""
THIN = "\u2009"
"""What any space that may stand between the digits of a number becomes; an ordinary space stays one."""

_ALIKE = {
    "×": "∗⋅∙•⨯✕✖╳⨉·",
    "-": "−‐‑﹣－",
    "≈": "≃≅∼~≊⩰",
    "→": "⇒↦⟶⟹⇨➔➜",
    "'": "’ʼ",
    "/": "÷∕⁄",
    THIN: "\u00a0\u2007\u2008\u2009\u200a\u202f\u2060\ufeff",
    "\n": "\u2028\u2029\x85\x0b\x0c",
    "|": "│┃║",
    "_": "─━═",
}


class _Letters(dict[int, str]):
    """What each letter becomes, worked out when it is first met; always one letter."""

    def __missing__(self, code: int) -> str:
        letter = self[code] = _plain(chr(code))
        return letter


def _plain(letter: str) -> str:
    kind = unicodedata.category(letter)
    if kind == "Nd":
        return str(unicodedata.digit(letter))
    if kind == "No":  # ² is a power and no digit
        return letter
    if kind in ("Zs", "Cf"):
        return " " if kind == "Zs" else THIN
    folded = unicodedata.normalize("NFKC", letter)
    return folded if len(folded) == 1 else letter


_LETTERS = _Letters({ord(other): one for one, others in _ALIKE.items() for other in others})
_LETTERS |= {code: chr(code) for code in range(128) if chr(code) not in "~\x0b\x0c"}


def _to(sign: str) -> Callable[[re.Match[str]], str]:
    """A replacement by one sign, filled up with spaces to the length of what it replaces."""
    return lambda found: sign + " " * (len(found[0]) - 1)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _thin(found: re.Match[str]) -> str:
    return THIN * len(found[0])


def _formula(found: re.Match[str]) -> str:
    """The dollars around a formula; what only has an amount of money between two dollars is left."""
    inner = found[1]
    if re.search(r"[\\=^_×*+]", inner) or re.fullmatch(r"[\d,.{} ]+[KMB]?", inner):
        return f" {inner} "
    return found[0]


def _not_version(found: re.Match[str]) -> str:
    return found[0] if re.fullmatch(r"\d{1,3}(\.\d{3})+", found[0]) else " " * len(found[0])


_TAGS = {
    "\n": "tr br p li ul ol div table thead tbody tfoot h1 h2 h3 h4 h5 h6 pre blockquote dt dd section article hr",
    "|": "td th",
    " ": "b i u s em strong code span a sub math mn mo mi mrow small font tt kbd var abbr caption col body html head",
}
_TAG_SIGNS = {name: sign for sign, names in _TAGS.items() for name in names.split()}
_ENTITIES = {
    "times": "×", "middot": "×", "sdot": "×", "lowast": "×", "bull": "×", "#215": "×", "#xd7": "×", "#183": "×",
    "asymp": "≈", "#8776": "≈", "sim": "≈", "minus": "-", "#8722": "-", "rarr": "→", "rArr": "→", "equals": "=",
    "plus": "+", "frasl": "/", "divide": "/", "sup2": "²", "sup3": "³", "lpar": "(", "rpar": ")", "comma": ",",
}  # fmt: skip
_SPACES = ("nbsp", "thinsp", "ensp", "#160", "#8201", "#8239", "#xa0", "#x2009", "#x202f")
_COMMANDS = {
    "times": "×", "cdot": "×", "ast": "×", "bullet": "×", "div": "/", "approx": "≈", "simeq": "≈", "sim": "≈",
    "cong": "≈", "to": "→", "rightarrow": "→", "Rightarrow": "→", "implies": "→", "longrightarrow": "→",
    "equiv": "=", "frac": "\x01", "dfrac": "\x01", "tfrac": "\x01", "newline": "\n", "item": "\n", "hline": " ",
    "mid": "|", "lbrack": "[", "rbrack": "]",
}  # fmt: skip
"""What LaTeX commands stand for; `\\x01` is a fraction, whose two groups follow. Others are words, or nothing."""


_BEFORE_BRACKETS = ("left", "big", "bigl", "Big", "Bigl", "bigg", "biggl")
_FACTOR_ENDS = frozenset("0123456789)}HFVLAPTD")
"""What a bracket behind it is multiplied by, though no sign stands between them."""


def _tag(found: re.Match[str]) -> str:
    name = found[2].lower()
    if name == "sup":
        return ("^(" if not found[1] else ")").ljust(len(found[0]))
    sign = _TAG_SIGNS.get(name)
    if sign is None:
        return found[0]
    if found[1] and sign == "|":
        sign = " "
    return sign.ljust(len(found[0]))


def _entity(found: re.Match[str]) -> str:
    name = found[1]
    if name.lower() in _SPACES:
        return THIN * len(found[0])
    return _ENTITIES.get(name, " ").ljust(len(found[0]))


def _command(found: re.Match[str]) -> str:
    if (
        found[1] in _BEFORE_BRACKETS
        and found.string[max(0, found.start() - 3) : found.start()].rstrip()[-1:] in _FACTOR_ENDS
    ):
        return "×".ljust(len(found[0]))
    return _COMMANDS.get(found[1], " ").ljust(len(found[0]))


# One pattern after the other; each is tried only where its sign occurs. None looks ahead without a bound.
_MARKUP: tuple[tuple[str, re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    ("://", re.compile(r"\b[a-z]{2,6}://[^\s<>\")\]]+"), _blank),
    ("<", re.compile(r"<!--|-->"), _blank),
    ("<", re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,11})(?:[\s/][^<>]{0,500})?>"), _tag),
    ("&", re.compile(r"&(#?[A-Za-z0-9]{2,8});"), _entity),
    ("\\", re.compile(r"\\\\(?:\[\d{0,3}(?:pt|em|ex|mm)\])?(?=[ \t]{0,80}(?:\n|\Z))"), _blank),
    ("\\", re.compile(r"\\\\(?:\[\d{0,3}(?:pt|em|ex|mm)\])?(?=\s|&)"), _to("\n")),
    ("{,}", re.compile(r"\{,\}"), lambda found: f"{THIN},{THIN}"),
    ("\\", re.compile(r"\{\\,\}|\\[,;:!]|\\ "), _thin),
    ("\\", re.compile(r"\\\*"), _to("×")),
    ("\\", re.compile(r"\\[$%#&{}_~]"), lambda found: " " + found[0][1]),
    ("\\", re.compile(r"\\\[(?=\d)"), lambda found: " ["),
    ("\\", re.compile(r"(?<=[\d ])\\\](?=\s*[=→|-])"), lambda found: " ]"),
    ("\\", re.compile(r"\\[()\[\]]"), _blank),
    ("\\", re.compile(r"\\([A-Za-z]+)"), _command),
    ("$", re.compile(r"\$\$"), _blank),
    ("$", re.compile(r"\$([^$\n]{1,2000})\$"), _formula),
    ("**", re.compile(r"(?<![\w)\]*])\*\*(?=[^\s*])|(?<=[^\s*])\*\*(?![\w(\[*])"), _blank),
    ("__", re.compile(r"(?<!\w)__(?=\d)|(?<=[\dKMBG])__(?!\w)"), _blank),
    ("`", re.compile("`"), _blank),
    ("-", re.compile(r"\b(?:19|20)\d\d-[01]\d-[0-3]\d\b(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?"), _blank),
    (".", re.compile(r"(?<![\d.,])\d+(?:\.\d+){2,}(?![\d,])"), _not_version),
    ("rXiv", re.compile(r"(?<=rXiv)[: ]{0,3}\d{4}\.\d{4,5}(?:v\d+)?"), _blank),
    (":", re.compile(r"(?<![\d:])\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?![\d:])"), _blank),
)  # fmt: skip

_ROWS = re.compile(r"<(/?)tr\b", re.IGNORECASE)
_EMPHASIS = re.compile(r"(?<![\w)\]*\\])\*([^*\n]{1,200})\*(?![\w(\[*])")
_STAR = re.compile(r"(?:^|[^\d)\]\s])[^\S\n]*$")


def plain(text: str) -> str:
    """The text without markup, with ASCII digits and one sign of each kind; as long as it was."""
    same = text.replace("\r\n", " \n").replace("\r", "\n")
    if not same.isascii() or "~" in same or "\x0b" in same or "\x0c" in same:
        same = same.translate(_LETTERS)
    if "<tr" in same or "<TR" in same:
        same = _rows_in_lines(same)
    for sign, pattern, becomes in _MARKUP:
        if sign in same:
            same = pattern.sub(becomes, same)
    if "*" in same:
        same = _EMPHASIS.sub(_emphasised, same)
    return same.replace("&", " ")


def _emphasised(found: re.Match[str]) -> str:
    """The stars around what Markdown prints in italics, unless they stand between factors."""
    before = found.string[max(0, found.start() - 20) : found.start()]
    if found[1][:1].isspace() or found[1][-1:].isspace() or not _STAR.search(before):
        return found[0]
    return f" {found[1]} "


def _rows_in_lines(text: str) -> str:
    """Every row of an HTML table in one line: the line ends inside it become spaces."""
    pieces: list[str] = []
    begun = place = 0
    inside = False
    for found in _ROWS.finditer(text):
        if inside:
            pieces += [text[place:begun], text[begun : found.start()].replace("\n", " ")]
            place = found.start()
        begun, inside = found.start(), not found[1]
    pieces.append(text[place:])
    return "".join(pieces)


def line_starts(text: str) -> list[int]:
    """The offset at which each line of the text as it was given begins."""
    ends = islice(re.finditer("\r\n|\r|\n", text), MOST_STARTS)
    return [0, *(found.end() for found in ends)]
