"""The tokens of a plain text: numbers with what scales them, words, signs, brackets and shapes; one pass."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reconcile.claims.letters import THIN
from reconcile.figure import Figure

MOST_DIGITS = 40
"""Digits of the longest number that is read; a longer one is no count of anything."""
HIGHEST_POWER_OF_TEN = 60

NUMBER, WORD, OPERATOR, RELATION, OPEN, CLOSE, SHAPE, COMMA, PIPE, STOP, OTHER, FRACTION = range(12)


@dataclass(slots=True)
class Token:
    """A piece of plain text from `start` to `end`; `figure` is what a number is, `sizes` the axes of a shape.

    `regrouped` is a number again with its dots between thousands, where it can be read in two ways.
    """

    kind: int
    start: int
    end: int
    text: str
    figure: Figure | None = None
    sizes: tuple[int, ...] = ()
    regrouped: Figure | None = None
    spaced: bool = False

    def moved(self, by: int) -> "Token":
        """The same token so many letters further on."""
        return Token(
            self.kind, self.start + by, self.end + by, self.text, self.figure, self.sizes, self.regrouped, self.spaced
        )


_GROUP = rf"(?:{THIN}?,{THIN}?|{THIN}{{1,18}}|[_'])\d{{3}}(?!\d)"
_TOKEN = re.compile(
    rf"""
    (?P<times>(?<=\d)[xX](?=\ ?[\d(\[]))
  | (?P<word>[^\W\d⁰¹²³⁴⁵⁶⁷⁸⁹][^\W⁰¹²³⁴⁵⁶⁷⁸⁹]*(?:[./'-][^\W⁰¹²³⁴⁵⁶⁷⁸⁹]+)*(?::\d+)?)
  | (?P<shape>[\[(]\ {{0,2}}\d{{1,9}}(?:\ ?[,×xX*]\ {{0,2}}\d{{1,9}}){{0,5}}\ ?,?\ {{0,2}}[\])])
  | (?P<number>(?:\d+(?:{_GROUP})*(?:\.\d+)*|\.\d+)(?:[eE][+-]?\d{{1,3}}(?!\w))?)
  | (?P<relation>:=|=>|-{{1,2}}>|→|≈=?|={{1,3}}(?!>))
  | (?P<bad>!=|<=|>=|<<|>>|\+\+|--+|\+/-|\.\.+)
  | (?P<operator>\*\*|[*×/+^-])
  | (?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,3}})
  | (?P<open>[(\[{{])
  | (?P<close>[)\]}}])
  | (?P<comma>,)
  | (?P<pipe>\|)
  | (?P<fraction>\x01)
  | (?P<stop>[.;:!?])
  | (?P<other>[^\s{THIN}])
    """,
    re.VERBOSE,
)
_SUFFIX = re.compile(
    rf"[ {THIN}]?(?P<word>thousand|million|millions|mio|mn|billion|billions|bn|trillion)\b"
    rf"|[ {THIN}]?(?P<cjk>[万亿])|(?P<letter>[kKmMbBgGtT])(?![\w.-]*\w)|[ {THIN}](?P<far>[MBGK])(?![\w.'-])",
)
_UNIT = re.compile(
    rf"[ {THIN}]{{0,2}}(?P<scale>[kKMGTP])(?P<unit>FLOPs?|FLOPS|flops?|MACs?|i?B(?:ytes?)?)(?![A-Za-z0-9_])"
)
_POWERS = {"k": 3, "t": 12, "m": 6, "b": 9, "g": 9, "万": 4, "亿": 8}
_SCALES = {"k": 3, "m": 6, "g": 9, "t": 12, "p": 15}
_PLAIN_AFTER = frozenset(["", *",)]}|;:*×+=/^"])
_NO_SCALE = frozenset(["", *"0123456789×*+-=≈/^([{|→xpaceioluvwfdrsyhn "])
_PLAIN_BEFORE = frozenset(" ([{|×*+=≈/^,:→")
"""What may stand around digits that are a whole number and need no second look."""

_SIZES = re.compile("[VPTHADFLKSB]{2,3}")
"""What may stand right behind a number as its factors: 2HF."""
_GROUPED = re.compile(r"\d \d{3}(?!\d)")
_SIMPLE = re.compile(r"\d+")
_KINDS = {
    "relation": RELATION, "operator": OPERATOR, "word": WORD, "open": OPEN, "close": CLOSE, "comma": COMMA,
    "pipe": PIPE, "stop": STOP, "bad": OTHER, "other": OTHER, "fraction": FRACTION,
}  # fmt: skip
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SYMBOLS = re.compile(r"[A-Za-z](?:/[A-Za-z])+")


def tokens(line: str, offset: int = 0) -> list[Token]:
    """The tokens of one line, `offset` being where it begins."""
    found: list[Token] = []
    behind = 0  # what a number's scale or a name has taken with it is not read again
    for match in _TOKEN.finditer(line):
        if match.start() < behind:
            continue
        kind = match.lastgroup or "other"
        if kind == "word":
            text = match[0]
            start = offset + match.start()
            factors = found and found[-1].kind == NUMBER and found[-1].end == start and _SIZES.fullmatch(text)
            if factors or (len(text) > 2 and "/" in text and _SYMBOLS.fullmatch(text)):
                found += _letters(text, start)
            else:
                found.append(Token(WORD, offset + match.start(), offset + match.end(), text))
        elif kind == "times":
            hexadecimal = bool(found) and found[-1].text == "0"
            found.append(Token(OTHER if hexadecimal else OPERATOR, offset + match.start(), offset + match.end(), "×"))
        elif kind == "number":
            behind = _number(line, match, offset, found)
        elif kind == "shape":
            _shape(line, match, offset, found)
        elif kind == "power":
            start, digits = offset + match.start(), match[0].translate(_SUPERSCRIPTS)
            found.append(Token(OPERATOR, start, start, "^"))
            found.append(Token(NUMBER, start, offset + match.end(), digits, Figure(digits, int(digits), 0, True)))
        else:
            found.append(Token(_KINDS[kind], offset + match.start(), offset + match.end(), match[0]))
    return _spaced_groups(found, line, offset) if _GROUPED.search(line) else found


def shifted(found: list[Token], by: int) -> list[Token]:
    """The same tokens so many letters further on; themselves where that is none."""
    return found if by == 0 else [token.moved(by) for token in found]


def _letters(text: str, start: int) -> Iterator[Token]:
    """H/A is a quotient of two sizes and no name, and so is the HF of 2HF their product."""
    for place, letter in enumerate(text):
        yield Token(OPERATOR if letter == "/" else WORD, start + place, start + place + 1, letter)


def _shape(line: str, match: re.Match[str], offset: int, found: list[Token]) -> None:
    """A shape such as [768, 64] or (768,); a number alone in round brackets, or with its thousands, is none."""
    text = match[0]
    inner = text[1:-1].strip()
    sizes = tuple(int(size) for size in _SIMPLE.findall(inner))
    several = len(sizes) > 1 or inner.endswith(",")
    matched = (text[0] == "[") == (text[-1] == "]")
    product = len(sizes) > 1 and ("," not in inner or re.search("[×xX*]", inner) is not None)
    before = line[match.start() - 1 : match.start()]
    called = before.isalnum() or before == "_"  # a call, such as Linear(768, 64), has sizes all the same
    grouped = text[0] == "(" and re.fullmatch(r"\d{1,3}(?:,\d{3})+", inner) and not called
    if not matched or product or not (several or text[0] == "[") or grouped or before in ("]", ")"):
        start, end = offset + match.start(), offset + match.end()
        found.append(Token(OPEN, start, start + 1, text[0]))
        found += tokens(text[1:-1], start + 1)
        found.append(Token(CLOSE, end - 1, end, text[-1]))
        return
    found.append(Token(SHAPE, offset + match.start(), offset + match.end(), text, sizes=sizes))


def _number(line: str, match: re.Match[str], offset: int, found: list[Token]) -> int:
    """A number with what scales it; one that letters are glued to is a name, unless they are a size or a unit."""
    start, end = match.span()
    after, digits = line[end : end + 2], match[0].replace(",", "")
    if (
        digits.isdecimal()
        and end - start < 16
        and (after[:1] in _PLAIN_AFTER or (after[:1] == " " and after[1:] in _NO_SCALE))
    ):
        before = line[start - 1 : start]
        if not before or before in _PLAIN_BEFORE:
            exact = Figure(match[0], int(digits), 0, True)
            found.append(Token(NUMBER, offset + start, offset + end, match[0], exact))
            return end
    factor = bool(found) and found[-1].kind == OPERATOR and found[-1].end == offset + start
    glued_before = not factor and start > 0 and (line[start - 1].isalpha() or line[start - 1] in "_.")
    suffix = _SUFFIX.match(line, end)
    power, text = 0, match[0]
    if suffix is not None and not (suffix["word"] is None and "e" in text.lower()):
        power = _POWERS[(suffix["word"] or suffix["cjk"] or suffix["letter"] or suffix["far"])[0].lower()]
        end = suffix.end()
    elif (unit := _UNIT.match(line, end)) is not None:
        power = _SCALES[unit["scale"].lower()]
    figure, regrouped = _figures(text, power, line[start:end])
    glued = line[end : end + 1]
    if figure is None or glued_before or (glued == "_" and power == 0):
        tail = re.compile(r"\w*").match(line, end)
        end = tail.end() if tail else end
        found.append(Token(OTHER, offset + start, offset + end, line[start:end]))
        return end
    found.append(Token(NUMBER, offset + start, offset + end, line[start:end], figure, regrouped=regrouped))
    return end


def _figures(text: str, power: int, shown: str) -> tuple[Figure | None, Figure | None]:
    """What digits, separators and a scale stand for, and what they stand for if every dot is between thousands."""
    mantissa, _, exponent = text.lower().partition("e")
    if exponent:
        power += int(exponent)
    whole, *dotted = mantissa.split(".")
    digits = re.sub(r"\D", "", whole)
    if len(digits) + sum(map(len, dotted)) > MOST_DIGITS or abs(power) > HIGHEST_POWER_OF_TEN:
        return None, None
    thousands = bool(dotted) and digits == whole and 0 < len(digits) <= 3 and all(len(part) == 3 for part in dotted)
    grouped = Figure(shown, int(digits + "".join(dotted)), power, not power) if thousands else None
    if len(dotted) > 1:
        return grouped, None
    fraction = dotted[0] if dotted else ""
    if power and not fraction and len(part := re.split(r"\D+", whole)) == 2 and len(part[1]) < 3:
        fraction, digits = part[1], part[0]
    figure = Figure(shown, int((digits or "0") + fraction), power - len(fraction), not (power or fraction))
    return figure, grouped


def _spaced_groups(found: list[Token], line: str, offset: int) -> list[Token]:
    """Numbers of three digits behind one another are one: `30 522 × 768`. In a row of a table they may be several."""
    result: list[Token] = []
    place = 0
    while place < len(found):
        last = place
        while last + 1 < len(found) and _continues(found[last], found[last + 1], line, offset):
            last += 1
        if last > place and _one_number(found, place, last):
            first, final = found[place], found[last]
            text = line[first.start - offset : final.end - offset]
            figure = Figure(text, int(re.sub(r"\D", "", text)), 0, True)
            result.append(Token(NUMBER, first.start, final.end, text, figure, spaced=True))
        else:
            result += found[place : last + 1]
        place = last + 1
    return result


def _continues(left: Token, right: Token, line: str, offset: int) -> bool:
    return (
        left.kind == NUMBER == right.kind
        and right.start - left.end == 1
        and line[left.end - offset] == " "
        and left.text.isdecimal()
        and right.text[:1].isdecimal()
    )


_MEANT = re.compile(r"param|weight|total", re.IGNORECASE)


def _one_number(found: list[Token], first: int, last: int) -> bool:
    """Whether numbers behind one another are the groups of one: two only where a sign or a word says so."""
    texts = [token.text for token in found[first : last + 1]]
    if (
        len(texts[0]) > 3
        or any(len(text) != 3 or not text.isdecimal() for text in texts[1:])
        or sum(map(len, texts)) > 15
    ):
        return False
    if len(texts) > 2:
        return True
    before = found[first - 1].kind if first else OTHER
    after = found[last + 1] if last + 1 < len(found) else None
    signs = (OPERATOR, RELATION)
    return before in signs or (
        after is not None and (after.kind in signs or (after.kind == WORD and bool(_MEANT.match(after.text))))
    )
