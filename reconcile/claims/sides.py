"""Equations as they are read: sides of operands with signs between them, and the names that sizes have."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from reconcile.claims.lexing import NUMBER, SHAPE, WORD, Token


@dataclass(slots=True)
class Group:
    """What stands between two brackets."""

    kind: str
    start: int
    end: int
    items: "list[Item]" = field(default_factory=list)
    side: "Side | None" = None
    read: bool = False
    equation: bool = False


Item = Token | Group


@dataclass(slots=True)
class Operand:
    """A number, a name, the axes of a shape or a bracket; `factor` is what a word such as `half of` makes of it."""

    start: int
    end: int
    token: Token | None = None
    side: "Side | None" = None
    over: "Side | None" = None
    factor: Fraction | int = 1
    negative: bool = False


@dataclass(slots=True)
class Side:
    """One side of an equation: operands and the signs between them; `words` stand behind its last operand."""

    start: int
    end: int
    operands: list[Operand]
    signs: list[str]
    words: list[str] = field(default_factory=list)
    said: bool = False
    _single: "Token | bool | None" = False

    @property
    def single(self) -> Token | None:
        """The number that the side is, if it is one number and nothing else; it is asked for once it is read."""
        if self._single is False:
            self._single = self._one()
        return self._single  # type: ignore[return-value]

    def _one(self) -> Token | None:
        if len(self.operands) != 1 or self.operands[0].factor != 1 or self.operands[0].negative:
            return None
        operand = self.operands[0]
        if operand.side is not None and operand.over is None:
            return operand.side.single
        return operand.token if operand.token is not None and operand.token.kind == NUMBER else None

    @property
    def names(self) -> bool:
        """Whether the side is nothing but a name, so that the equation says what it stands for."""
        token = self.operands[0].token
        return len(self.operands) == 1 and token is not None and token.kind == WORD

    @property
    def worked(self) -> bool:
        """Whether there is something to work out: signs, a shape, or a part of something."""
        if self.signs or len(self.operands) > 1:
            return True
        operand = self.operands[0]
        if operand.side is not None:
            return operand.over is not None or operand.side.worked
        return operand.factor != 1 or (operand.token is not None and operand.token.kind == SHAPE)


@dataclass(slots=True)
class Chain:
    """Sides with a relation between each two: `=`, `≈`, `→` or `is`. One side alone is a sum that is not equated."""

    sides: list[Side]
    relations: list[str]
    cut_off: bool = False

    @property
    def start(self) -> int:
        return self.sides[0].start

    @property
    def end(self) -> int:
        return self.sides[-1].end

    @property
    def begin(self) -> int:
        """Where what is claimed begins, behind a name that it is given."""
        for side in self.sides:
            if not side.names:
                return side.start
        return self.start


def moved(chains: Sequence[Chain], by: int) -> list[Chain]:
    """The same equations so many letters further on in the text; what they share they still share."""
    known: dict[int, Side] = {}
    return [Chain([_moved(side, by, known) for side in one.sides], one.relations, one.cut_off) for one in chains]


def _moved(side: Side, by: int, known: dict[int, Side]) -> Side:
    if (found := known.get(id(side))) is None:
        operands = [
            Operand(
                one.start + by,
                one.end + by,
                one.token and one.token.moved(by),
                one.side and _moved(one.side, by, known),
                one.over and _moved(one.over, by, known),
                one.factor,
                one.negative,
            )
            for one in side.operands
        ]
        found = known[id(side)] = Side(side.start + by, side.end + by, operands, side.signs, side.words, side.said)
    return found


SYMBOLS = {
    "d_model": "H", "hidden_size": "H", "embed_dim": "H", "n_embd": "H", "d_ff": "F", "dff": "F",
    "intermediate_size": "F", "feed_forward_dim": "F", "vocab_size": "V", "token_num": "V",
    "num_hidden_layers": "L", "num_layers": "L", "n_layers": "L", "transformer_num": "L",
    "num_attention_heads": "A", "num_heads": "A", "n_heads": "A", "head_num": "A", "d_k": "D", "d_v": "D",
    "d_head": "D", "head_dim": "D", "max_position_embeddings": "P", "pos_num": "P", "type_vocab_size": "T",
}  # fmt: skip
"""How code and papers name the sizes, in the letters of this project."""


def is_symbol(text: str) -> bool:
    """Whether a word is the name of a size: one capital letter, as in the paper, or what code calls it."""
    return text in SYMBOLS or (len(text) == 1 and "A" <= text <= "Z" and text != "I")
