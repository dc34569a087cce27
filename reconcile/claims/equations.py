"""Equations and sums among tokens: operands joined by signs, with the words and remarks that people put between them.

Brackets are matched once and every sequence is read once from left to right, so that the time is that of its length.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from reconcile.claims.connectives import (
    ABOUT,
    EQUALS,
    FILLERS,
    NO_RELATION,
    PARTS,
    SIGNS,
    all_words,
    ends_side,
    is_name,
    is_remark,
    said_sign,
    stands_aside,
)
from reconcile.claims.lexing import COMMA, FRACTION, NUMBER, OPERATOR, PIPE, RELATION, SHAPE, STOP, WORD, Token
from reconcile.claims.sides import Chain, Group, Item, Operand, Side, is_symbol

MOST_WORDS = 6
"""Words and remarks that may stand between an operand and the sign behind it."""
MOST_OPERANDS = 2000


def chains(items: Sequence[Item]) -> Iterator[Chain]:
    """Every equation and every sum of a sequence, those inside brackets first."""
    yield from _Reader(items).chains()


class _Reader:
    """Reads one sequence from left to right; `place` never goes back."""

    def __init__(self, items: Sequence[Item]):
        self.items, self.place = items, 0
        self.inner: list[Chain] = []
        self.behind = 0  # the place behind the words that stand after the last side

    def chains(self) -> Iterator[Chain]:
        while self.place < len(self.items):
            mark = self.place
            if stands_aside(self.items[mark]):
                self.place += 1
                continue
            side = self.side()
            if side is None:
                yield from self._taken()
                self.place += 1
                continue
            chain = Chain([side], [], self._cut_off(mark))
            while len(chain.sides) < MOST_OPERANDS and (relation := self.relation(chain.sides[-1])):
                right = self.side(False)
                if right is None:
                    break
                chain.sides.append(right)
                chain.relations.append(relation)
            yield from self._taken()
            yield chain

    def _taken(self) -> list[Chain]:
        inner, self.inner = self.inner, []
        return inner

    def _cut_off(self, place: int) -> bool:
        """Whether a sign stands before this place with something before it: a sum whose beginning was not read."""
        if place < 2:
            return False
        before, earlier = self.items[place - 1], self.items[place - 2]
        return (
            isinstance(before, Token)
            and before.kind == OPERATOR
            and not (isinstance(earlier, Token) and earlier.kind in (PIPE, STOP, RELATION, COMMA))
        )

    def side(self, leading: bool = True) -> Side | None:
        """Operands with signs between them, from here on; None, and nothing read, where no operand stands."""
        first = self.operand(leading)
        if first is None:
            return None
        side = Side(first.start, first.end, [first], [])
        while True:
            if ends_side(self.peek()):
                self.behind = self.place
                return side
            mark, words = self.place, self.remarks(side.end)
            self.behind = self.place
            sign = self.sign(side, bool(words))
            if sign is None:
                self.place = mark
                side.words = words
                return side
            operand = self.operand(False)
            if operand is None:
                self.place = mark
                side.words = words
                return side
            side.signs.append(sign)
            side.operands.append(operand)
            side.end = operand.end

    def peek(self, ahead: int = 0) -> Item | None:
        place = self.place + ahead
        return self.items[place] if place < len(self.items) else None

    def remarks(self, end: int) -> list[str]:
        """Words, and brackets with only words in them, that stand here; they are read over.

        A size that stands right behind `end`, as in 4H, is no word.
        """
        words: list[str] = []
        while len(words) < MOST_WORDS:
            item = self.peek()
            if item is not None and item.start == end and isinstance(item, Token) and is_symbol(item.text):
                break
            if (
                isinstance(item, Token)
                and item.kind == WORD
                and item.text.lower() not in EQUALS
                and not said_sign(item)
            ):
                words.append(item.text)
            elif isinstance(item, Group) and item.kind != "[" and not self.value(item):
                if item.kind == "(" and not is_remark(item):
                    break
                words += [token.text for token in item.items if isinstance(token, Token) and token.kind == WORD]
            else:
                break
            self.place += 1
        return words

    def sign(self, side: Side, apart: bool) -> str | None:
        """The sign before the next operand; a bracket right behind a number is multiplied."""
        item = self.peek()
        if isinstance(item, Token) and item.kind == OPERATOR:
            self.place += 1
            return SIGNS[item.text]
        if isinstance(item, Token) and (sign := said_sign(item)) and (then := self.peek(1)) is not None:
            if len(item.text) == 1 and max(item.start - side.end, then.start - item.end) > 1 and not apart:
                return None  # an x far from what stands around it is a name
            self.place += 1
            side.said = True
            return sign
        near = item is not None and item.start - side.end <= 1 and not apart and not side.said
        if near and isinstance(item, Group) and item.kind != "[":
            value = self.value(item)
            last = side.operands[-1]
            factor = last.token is None or last.token.kind == NUMBER or item.start == side.end
            if value is not None and value.worked and factor and not item.equation:
                return "*"
        if (
            isinstance(item, Token)
            and item.kind == WORD
            and item.start == side.end
            and len(item.text) == 1
            and not apart
        ):
            return "*"  # 4H is four times H
        return None

    def operand(self, first: bool) -> Operand | None:
        """A number, name, shape, fraction or bracket at this place, with a sign of its own before it."""
        mark = self.place
        item = self.peek()
        negative = False
        if isinstance(item, Token) and item.kind == OPERATOR and item.text == "-" and not first:
            negative, item = True, self._next()
        if isinstance(item, Token) and item.kind == WORD and item.text.lower() in PARTS:
            found = self._part(PARTS[item.text.lower()])
        elif isinstance(item, Token) and item.kind == FRACTION:
            found = self._fraction(item)
        else:
            found = self._plain(item)
        if found is None:
            self.place = mark
            return None
        found.negative = negative
        return found

    def _next(self) -> Item | None:
        self.place += 1
        return self.peek()

    def _part(self, factor: Fraction) -> Operand | None:
        item = self._next()
        for _ in range(3):
            if isinstance(item, Token) and item.kind == WORD and item.text.lower() in ("of", "the", "a", "about"):
                item = self._next()
        found = self._plain(item)
        if found is not None:
            found.factor = factor
        return found

    def _fraction(self, item: Token) -> Operand | None:
        upper, lower = self._next(), self._next()
        if not isinstance(upper, Group) or not isinstance(lower, Group):
            return None
        above, below = self.value(upper), self.value(lower)
        if above is None or below is None:
            return None
        self.place += 1
        return Operand(item.start, lower.end, side=above, over=below)

    def _plain(self, item: Item | None) -> Operand | None:
        if isinstance(item, Token) and (item.kind in (NUMBER, SHAPE) or (item.kind == WORD and is_symbol(item.text))):
            self.place += 1
            return Operand(item.start, item.end, token=item)
        if isinstance(item, Group) and (value := self.value(item)) is not None:
            self.place += 1
            return Operand(item.start, item.end, side=value)
        return None

    def value(self, group: Group) -> Side | None:
        """What a bracket is worth: its content is one side or equation, and nothing else. Its equations are kept."""
        if group.read:
            return group.side
        group.read = True
        found = list(chains(group.items))
        whole = found[-1] if found else None
        covers = whole is not None and group.items[0].start == whole.start and all_words(group.items, whole.end)
        if whole is not None and covers and not is_name(whole):
            group.side, group.equation = whole.sides[0], len(whole.sides) > 1
        self.inner += [chain for chain in found if chain is not whole or len(chain.sides) > 1 or group.side is None]
        return group.side

    def relation(self, left: Side) -> str | None:
        """The relation that stands here with an operand behind it; the words around it are read over."""
        mark, self.place = self.place, self.behind
        found = self._relation(left) if self._same_equation(left.words, left) else None
        if found is None:
            self.place = mark
            return None
        for _ in range(MOST_WORDS):
            item = self.peek()
            if isinstance(item, Token) and item.kind == RELATION:
                found = "≈" if "≈" in item.text else found
            elif isinstance(item, Token) and item.kind == WORD and item.text.lower() in FILLERS:
                found = "≈" if item.text.lower() in ABOUT else found
            else:
                break
            self.place += 1
        return found

    def _relation(self, left: Side) -> str | None:
        """The sign or word that equates what stands before it with what comes; a comma may stand before a word."""
        item = self.peek()
        if item is None or (isinstance(item, Token) and item.kind in NO_RELATION):
            return None
        if isinstance(item, Token) and item.kind == COMMA:
            then = self.peek(1)
            if not isinstance(then, Token) or then.kind != WORD:
                return None
            if self._is_equal(then, left) or self._part_follows(2):
                item = self._next()
        if isinstance(item, Token) and item.kind == RELATION:
            self.place += 1
            return "≈" if "≈" in item.text else "→" if ">" in item.text or item.text == "→" else "="
        if isinstance(item, Token) and item.kind == STOP and item.text == ":" and left.signs and self._number(1):
            self.place += 1
            return "="
        if self._is_equal(item, left):
            self.place += 1
            return "is"
        return "is" if (left.worked or left.single is not None) and self._part_follows(1) else None

    def _same_equation(self, words: list[str], left: Side) -> bool:
        """Whether a sign behind words goes on with what stands before them, and begins no equation of theirs."""
        item = self.peek()
        if not words or not isinstance(item, Token) or item.kind != RELATION:
            return True
        if is_symbol(words[-1]) or "_" in words[-1]:
            return False
        return left.worked or words[-1].lower().startswith(("param", "weight"))

    def _number(self, ahead: int) -> bool:
        item = self.peek(ahead)
        return isinstance(item, Token) and item.kind == NUMBER

    def _is_equal(self, item: Item | None, left: Side) -> bool:
        """Whether a word says that what was worked out before it is what comes."""
        if not isinstance(item, Token) or item.kind != WORD:
            return False
        if item.text.lower() in ("which", "for", "making", "giving"):
            return bool(left.signs) and item.text.lower() in ("making", "giving")
        return item.text.lower() in EQUALS and (bool(left.signs) or self._part_follows())

    def _part_follows(self, near: int = 4) -> bool:
        """Whether `half of` or the like comes next."""
        for ahead in range(near):
            item, then = self.peek(ahead), self.peek(ahead + 1)
            if isinstance(item, Token) and item.kind == WORD and item.text.lower() in PARTS:
                return isinstance(then, Token) and then.kind == WORD and then.text.lower() in ("of", "the")
        return False
