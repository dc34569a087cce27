"""A text with everything that steps 1 to 5 find in it: what judgement works on."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from reconcile.claims.dimensions import Size, Sized, family_of, own_models, sizes
from reconcile.claims.labels import Label, label
from reconcile.claims.layout import Layout, Place, Spanned, lay_out
from reconcile.claims.lookup import Index, index
from reconcile.claims.models import OWN, Mention, Model, mentions, of_known
from reconcile.claims.scope import Mentions, Scope, scope
from reconcile.expression.arithmetic import figures as leaves
from reconcile.expression.normalise import Plain, normalise
from reconcile.expression.statements import Side, Statements, statements
from reconcile.expression.tokens import MOST, Token, tokens
from reconcile.frozen import dataclass
from reconcile.known_model import known_models
from reconcile.quantity import JOINT, Quantity

_ASSIGNED = re.compile(
    rf"(?<![\w.])([A-Za-z][A-Za-z_]*)[`\"' {JOINT}]{{0,4}}(?:=|:=)[ {JOINT}$]{{0,4}}"
    r"(\d[\d,]*)(?![\d.,]*\s*[*×/+xMKB^(]|[.\d]|\s*[A-Za-z]{2})"
)
LEAST_WORDS, MOST_WORDS = 5_000, 300_000
"""Vocabularies that a product may have a factor of."""
_COUNTED = frozenset(("", "params"))


@dataclass(frozen=True)
class Document:
    """A text, its layout, its statements, the models that it names (`mentions`) and describes (`own`), and their index.

    `unread` is the first line that was not read because there is too much, from 1; 0 where all was.
    """

    plain: Plain
    layout: Layout
    statements: Statements
    symbols: Mapping[str, int]
    mentions: Mentions
    sizes: tuple[Size, ...]
    own: tuple[Sized, ...]
    index: Index
    given: Model | None
    unread: int = 0

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The places of all equations, expressions and figures, in order."""
        found = self.statements
        places = [(one.start, one.end) for one in found.equations]
        places += [(one.start, one.end) for one in found.expressions]
        places += [(one.start, one.end) for one in found.figures]
        return tuple(sorted(places))

    @cached_property
    def by_line(self) -> Mapping[int, tuple[Quantity, ...]]:
        """The figures that stand by themselves, by the number of their line."""
        found: dict[int, list[Quantity]] = {}
        for figure in self.statements.figures:
            found.setdefault(self.layout.line(figure.start), []).append(figure)
        return {line: tuple(these) for line, these in found.items()}

    @cached_property
    def stated(self) -> frozenset[int]:
        """Where the sizes of dimensions stand."""
        return frozenset(size.start for size in self.sizes)

    def label(self, start: int, end: int) -> Label:
        """What the words around a place say that it is."""
        return label(self.layout.at(start, end), self.spans)

    def scope(self, start: int, end: int) -> Scope:
        """The model that a place is said of."""
        return scope(self.mentions, start, end, self._counts.get(self.layout.line(start), ()))

    @cached_property
    def _counts(self) -> Mapping[int, tuple[Quantity, ...]]:
        """The figures of each line that may count parameters."""
        return {
            line: tuple(one for one in these if one.unit in _COUNTED and (one.scaled or one.value >= 1000))
            for line, these in self.by_line.items()
        }

    def at(self, one: Spanned) -> Place:
        """Where a statement stands, with what is around it in its line."""
        return self.layout.at(one.start, one.end)

    def shown(self, start: int, end: int) -> str:
        """What the text has there."""
        return self.plain.shown(start, end)


def read(text: str, given: Model | None = None) -> Document:
    """Steps 1 to 5: everything but judgement."""
    plain = normalise(text)
    layout = lay_out(plain)
    every, unread = _tokens(plain)
    stated = sizes(plain.text)
    symbols = _symbols(plain.text, stated)
    found = statements(every, symbols)
    named = mentions(plain.text)
    own = own_models(plain.text, stated, _factors(found), (one.candidates[0] for one in named if one.candidates))
    return Document(
        plain,
        layout,
        found,
        symbols,
        Mentions(layout, named),
        stated,
        own,
        _index(plain.text, own, named, stated, found, given),
        given,
        unread,
    )


def _tokens(plain: Plain) -> tuple[list[Token], int]:
    """The tokens of a text, and the line behind which there are too many of them."""
    found: list[Token] = []
    for token in tokens(plain.text):
        found.append(token)
        if len(found) >= MOST:
            return found, plain.line(token.start) + 1
    return found, 0


def _symbols(text: str, stated: Iterable[Size]) -> dict[str, int]:
    """Names that stand for figures in expressions: those that the text assigns, and the letters of dimensions."""
    found: dict[str, int] = {}
    for match in _ASSIGNED.finditer(text[: 2**17]):
        found.setdefault(match[1], int(match[2].replace(",", "")))
    for size in stated:
        found.setdefault(size.letter, size.size)
    return found


def _factors(found: Statements) -> Counter[int]:
    """How often every integer is a factor or an axis in the expressions of a text."""
    counted: Counter[int] = Counter()
    sides: Iterator[Side] = (side for equation in found.equations for side in equation.sides)
    for side in (*sides, *found.expressions):
        if side.amount.operations:
            terms = side.node.parts if side.node.operation == "sum" else (side.node,)
            products = [leaf for term in terms if term.operation != "figure" for leaf in leaves(term)]
            numbers = (leaf.quantity.value for leaf in products if leaf.quantity and leaf.quantity.exact)
            counted.update(number for number in numbers if isinstance(number, int) and number > 8)
    return counted


def _index(
    text: str,
    own: Iterable[Sized],
    named: Iterable[Mention],
    stated: Iterable[Size],
    found: Statements,
    given: Model | None,
) -> Index:
    named = tuple(named)
    likely = [model for model in (given,) if model is not None]
    likely += [one.model for one in own]
    likely += [mention.candidates[0] for mention in named if mention.candidates]
    likely += [model for mention in named for model in mention.models[1:]]
    others = [model for mention in named for model in mention.others]
    likely += _with_vocabularies(likely, stated, found)
    if not any(model.accounts for model in likely):
        likely.append(_default(text))
    numbers = [
        number
        for number, times in (_factors(found) + Counter(_plain_numbers(found))).items()
        if 64 <= number <= 2_000_000
    ]
    return index(likely, others, numbers[:2000])


def _with_vocabularies(models: list[Model], stated: Iterable[Size], found: Statements) -> list[Model]:
    """The models that are named, with the vocabularies and positions that the text states, or multiplies with."""
    words = dict.fromkeys(size.size for size in stated if size.letter == "V")
    results = {equation.sides[-1].amount.value for equation in found.equations}
    words |= dict.fromkeys(
        number for number in _factors(found) if LEAST_WORDS <= number <= MOST_WORDS and number not in results
    )
    changed = []
    every = list(dict.fromkeys(models))[:6]
    for model in every:
        sizes = model.sizes
        if "V" not in sizes and "L" in sizes:  # sizes in a text of a family: its tables are those of a named one
            changed += [
                replace(model, dimensions=frozenset({**other.sizes, **sizes}.items()))
                for other in every
                if other.architecture == model.architecture and "V" in other.sizes
            ][:2]
        if "V" in sizes and "H" in sizes:
            changed += [
                replace(
                    model,
                    name=model.name if model.name == OWN else f"{model.name}, V = {size:,}",
                    dimensions=frozenset({**sizes, "V": size}.items()),
                )
                for size in list(words)[:4]
                if size != sizes["V"]
            ]
    return changed


def _plain_numbers(found: Statements) -> Iterator[int]:
    for figure in found.figures:
        if figure.exact and isinstance(figure.value, int):
            yield figure.value


def _default(text: str) -> Model:
    """The model that is meant where none is named: the first of the architecture that the words speak of."""
    family = family_of(text)
    return of_known(known_models(family)[0])
