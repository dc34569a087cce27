"""Step 1: a text in any markup -> plain text of the same length, so that every place in it is a place of the text."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

from reconcile.expression.doubled import without_copies
from reconcile.expression.grouping import as_english
from reconcile.expression.wrapping import unwrapped
from reconcile.frozen import dataclass
from reconcile.quantity import JOINT, plain_digits

OVER = "\x02"
"""Stands for the `)/(` between a numerator and its denominator, for which the markup has only two letters."""
LONGEST_LINE = 65_536
_NESTED = 8
"""Fractions inside of fractions that are read."""

_SIGNS = dict(
    zip(
        "，．：；（）＝＋－＊／％＜＞∗·⋅⨯✕÷−–—﹣【】［］\u3000、＠｜～\u2248\u2243\u2245\u2252",
        ",.:;()=+-*/%<>×××××/---" + "-[][] ,@|~≈≈≈≈",
        strict=True,
    )
)
_SIGN = re.compile(f"[{''.join(_SIGNS)}]")
_GARBLED = {
    letters: sign
    for coding in ("cp1252", "cp1254", "cp1250", "cp1251", "cp1253", "cp437")
    for sign in "×·−–—÷≈→²³\u00a0"
    for letters in (sign.encode().decode(coding, "replace"),)
    if "\ufffd" not in letters
}
"""Signs in UTF-8 as they are shown by a program that takes them for another encoding: `2 Ã— 768Â²`."""
_GARBLED_SIGN = re.compile("|".join(_GARBLED))
_CYRILLIC = str.maketrans("КМГТиБкмгтИб", "KMGTiBKMGTiB")
"""Units with Cyrillic letters: `13 МБ`, `12 МиБ`, `11.9М`."""
_APART = re.compile(r"(?<=\d)[，、](?=\d)")
"""A comma of Chinese text, which groups no digits."""
_DASH = re.compile(r"(?:(?<=[^\W\d_] )[–—]|(?<=[\w)%] )—)(?= [^\W\d_])")
"""A dash between words, which takes nothing away; behind a figure a short one may."""
_NAMED = re.compile(r"(?<=[^\W\d_]{2} )[–—](?= [$`*]*\d)")
"""A dash between a word and its count."""
_BLANK = re.compile(r"[^\n]")
_PRINTS = r"(?:print|console\.log|log(?:ger|ging)?\.info)"


def _sign(letter: str) -> Callable[[re.Match[str]], str]:
    """Replace markup by one letter, and by what separates nothing."""
    return lambda found: letter + JOINT * (len(found[0]) - len(letter))


def _decimal(found: re.Match[str]) -> str:
    return "." + found[1] + JOINT * (len(found[0]) - len(found[1]) - 1)


def _gap(found: re.Match[str]) -> str:
    return _BLANK.sub(" ", found[0])


def _cell(found: re.Match[str]) -> str:
    return "|" + _BLANK.sub(" ", found[0][1:])


def _prefixed(found: re.Match[str]) -> str:
    """A unit of bytes that is written out: `90 megabytes`."""
    prefix = _PREFIXES.get(found[0][:1]) or _PREFIXES.get(found[0][:2]) or found[0][0].upper()
    return prefix + "B" + JOINT * (len(found[0]) - 2)


_PREFIXES = {"千": "K", "兆": "M", "吉": "G", "メガ": "M", "ギガ": "G", "메가": "M", "기가": "G"}
"""Prefixes of bytes in scripts of their own."""


def _printed(found: re.Match[str]) -> str:
    """What a line of a program prints: `print(f"Total: 110M")`."""
    return _BLANK.sub(" ", found[1]) + found[2] + _BLANK.sub(" ", found[3])


# Each begins with a sign that is looked for, and looks back from there: such patterns are tried at few places.
_MARKUP: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), new)
    for pattern, new in (
        (rf"(?m:^)([ \t]*{_PRINTS}\([frb]?[\"'])([^\n]*)([\"']\);?[ \t]*)(?m:$)", _printed),
        (r"<!--|-->", _gap),
        (r"\((?<=\]\()(?:https?:|/|#|\.)[^)\s]{0,500}\)", _gap),
        (r"(?-i:[hH])ttps?://[^\s)>\]|]{1,500}", _gap),
        (r"</?t[dh](?:\s[^<>\n]{0,200})?>", _cell),
        (r"<sup>(?=-?\d)", _sign("^")),
        (r"</?[a-z][^<>\n]{0,200}>", _gap),
        (r"&times;|&middot;|&sdot;", _sign("×")),
        (r"&[a-z]{2,8};", _gap),
        (r"\\[rn](?![a-z])", _gap),
        (r"\{,\}\\!(?=\d{3})|,\\!(?<=\d,\\!)(?=\d{3})", _sign(",")),
        (r"\{,\}(?!\d{1,2}(?!\d))|\{\.\}(?=\d{3}(?!\d))", _sign(",")),
        (r"\\(?:color|textcolor)\{\w+\}", _sign("")),
        (r"\\(?<=\d\\)[,;!: ](?=\d)", _sign(",")),
        (r"\\(?<=\d\\)[,;!: ](?=[A-Za-z]|\\(?:text|math|operator))", _sign("")),
        (r"\{,\}(\d{1,2})(?!\d)", _decimal),  # `38{,}6`
        (r"\\[,;!:>]|\\q?quad\b|\\\\|\\(?:displaystyle|left|right|big[lr]?|boxed|hline)(?![a-z])", _gap),
        (r"(?<=[\d)] )(?:dot|times)(?= [\d(])", _sign("×")),  # Typst, and words
        (r"\\(?:times|cdot|ast)(?![a-z])", _sign("×")),
        (r"(?-i:[xX])(?:(?<=[\d)\]].)(?<!(?<![\d.])0.)|(?<=[\d)\]]\s.)(?<!(?<![\d.])0\s.))(?=\s?[\d(\[])", _sign("×")),
        (r"x(?<=[a-z] x)(?= \d)|x(?<=  x)(?=\d{1,3} +=)", _sign("×")),  # `8 heads x 128`, `7,087,872   x12 =`
        (r"[wb](?<![\w.].)(?= ?\( ?\d)", _gap),  # `w(768 × 3072) + b(3072)`
        (r"\\div(?![a-z])", _sign("/")),
        (r"\\[lr](?:ceil|floor)(?![a-z])", _sign("⌈")),
        (r"\\(?:approx|simeq|cong)(?![a-z])", _sign("≈")),
        (r"\\sim(?:eq)?(?![a-z])", _sign("~")),
        (r"\\(?:rightarrow|to|longrightarrow|Rightarrow)(?![a-z])", _sign("→")),
        (r"-(?<!--)-*>|=(?<!==)=*>", _sign("→")),
        (r"[←⟵]|(?<=[\dKMB)%] )<-+(?= )", _sign(";")),  # a remark on what stands before it
        (r"\\([%_&#$])", lambda found: found[1] + JOINT),
        (r"(?<=\d )(?:kilo|m[eé]ga|giga|t[eé]ra)(?:bytes?|octets?)(?![a-z])", _prefixed),
        (r"(?:[千兆吉]字节|(?:メガ|ギガ)バイト|(?:메가|기가)바이트)", _prefixed),
        (r"mil(?<=\d.mil)(?=\s(?:de\s)?par[áâ]m)", _sign("K")),  # a thousand in Spanish and Portuguese
        (r"\.(?<=Mio.|Mrd.|млн.|лрд.)(?=[ \x01]{0,2}[×x·*/+=≈→)-])", _sign("")),
        (r"[КМГТ](?<=[\d\s].)и?Б?(?![а-яё\w])", lambda found: found[0].translate(_CYRILLIC)),
    )
)
_AMPERSAND = re.compile(r"(?<!\\)&(?![a-z]{2,8};)")
_ALIGNED = re.compile(r"&\s*(?:[=≈<>:+&]|\\(?:approx|in|sim|quad|times|cdot|to|leq?|geq?)(?![a-z]))|[=≈]\s*&")
"""What a line of equations has, and no row of a table."""
_STYLE = re.compile(
    r"\\(?:text|math|operator)?(?:bf|rm|it|tt|sf|cal|name|boldsymbol|underbrace|bb)?[^\S\n]*\{|\\text\w*\{", re.I
)
_FRACTION = re.compile(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}")
_POWER = re.compile(r"\*\*(?<=[\w)]\*\*)(?=-?\d|\()(?!\d[\d,]{2,})")
_EMPHASIS = re.compile(r"\*\*|_(?:(?<!\w_)_|_(?!\w))|~~")
_LEFT = re.compile(r"[{}$]")
_ORNAMENT = re.compile('[`"“”„«»│├└─┌┐┘┤┬┴┼►═║╔╗╚╝✓✅★●•▪◦☑\u200b\ufeff]')


@dataclass(frozen=True, slots=True)
class Plain:
    """A text in its own lines, and without its markup, letter for letter.

    `starts` are the offsets of its lines, each with what a width has broken off of it; `breaks` those as it was given.
    """

    given: str
    text: str
    starts: tuple[int, ...]
    breaks: tuple[int, ...]

    def line(self, offset: int) -> int:
        """The line, from 0, in which an offset stands."""
        return bisect_right(self.starts, offset) - 1

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1, of an offset in the text as given."""
        line = bisect_right(self.breaks, offset)
        return line, offset - self.breaks[line - 1] + 1

    def until(self, offset: int) -> "Plain":
        """The text before an offset."""
        lines, given = self.line(offset) + 1, bisect_right(self.breaks, offset)
        return Plain(self.given[:offset], self.text[:offset], self.starts[:lines], self.breaks[:given])

    def shown(self, start: int, end: int) -> str:
        """What the text has there, on one line, with the rest of a word that a sign stands for: `35 gigabytes`."""
        while end < len(self.text) and self.text[end] == JOINT and self.given[end - 1 : end + 1].isalpha():
            end += 1
        return " ".join(self.given[start:end].replace(JOINT, "").split())


def normalise(given: str) -> Plain:
    """Read over the markup of Markdown, HTML and LaTeX; a line that is too long is blanked."""
    given = given.replace("\r\n", "\n").replace("\r", "\n")
    breaks = tuple(_starts(given))
    given = unwrapped(given)
    text = _GARBLED_SIGN.sub(lambda found: _sign(_GARBLED[found[0]])(found), given)
    text = _NAMED.sub(":", _DASH.sub(",", _APART.sub(";", plain_digits(text))))
    text = _SIGN.sub(lambda sign: _SIGNS[sign[0]], text)
    if len(text) > LONGEST_LINE:
        text = "\n".join(line if len(line) <= LONGEST_LINE else " " * len(line) for line in text.split("\n"))
    if "&" in text and "\\\\" in text:
        text = "\n".join(_barred(line) if "&" in line else line for line in text.split("\n"))
    for pattern, new in _MARKUP:
        text = pattern.sub(new, text)
    if "\\" in text:
        text = _latex(text)
    text = _POWER.sub("^" + JOINT, text)
    text = _EMPHASIS.sub(JOINT * 2, text)
    text = _LEFT.sub(JOINT, text)
    text = as_english(without_copies(_ORNAMENT.sub(" ", text)), given)
    return Plain(given, text, tuple(_starts(text)), breaks)


def _barred(line: str) -> str:
    """A row of a LaTeX table with bars between its cells and at its end; equations are lined up at theirs."""
    end = line.rfind("\\\\")
    if end < 0 or _ALIGNED.search(line):
        return line
    return _AMPERSAND.sub("|", line[:end]) + "| " + line[end + 2 :]


def _latex(text: str) -> str:
    for _ in range(_NESTED):
        text, changed = _FRACTION.subn(_fraction, text)
        if not changed:
            break
        text = _STYLE.sub(_sign(""), text)
    return _FRACTION.sub(_fraction, _STYLE.sub(_sign(""), text))


def _fraction(found: re.Match[str]) -> str:
    before = found.start(1) - found.start() - 1
    return "(" + JOINT * before + found[1] + ")" + OVER + found[2] + ")"


def _starts(text: str) -> Iterator[int]:
    yield 0
    for found in re.finditer("\n", text):
        yield found.end()
