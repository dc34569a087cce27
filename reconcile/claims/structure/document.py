"""A text with everything that steps 1 to 5 find in it: what judgement works on."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice

from reconcile.claims.structure.catalogue import every_model, every_total, releases
from reconcile.claims.structure.dimensions import Size, Sized, by_letter, family_of, own_models, sizes
from reconcile.claims.structure.grids import of_tables
from reconcile.claims.structure.labels import Label
from reconcile.claims.structure.layout import Layout, Place, Spanned, lay_out
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.lookup import Index, index
from reconcile.claims.structure.mentions import Mention, mentions
from reconcile.claims.structure.models import OWN, Model, of_known, with_vocabulary, without_biases
from reconcile.claims.structure.scope import Mentions, Scope
from reconcile.expression.arithmetic import figures as leaves
from reconcile.expression.normalise import Plain, normalise
from reconcile.expression.statements import Statements, statements
from reconcile.expression.tokens import MOST, Token, tokens
from reconcile.frozen import dataclass
from reconcile.known_model import known_models
from reconcile.quantity import JOINT, Number, Quantity

_WEIGHTY = 1000
"""The least bytes by which a factor is known for bytes."""
_ASSIGNED = re.compile(
    rf"(?<![\w.])([A-Za-z][A-Za-z_]*)[`\"' {JOINT}]{{0,4}}(?:=|:=)[ {JOINT}$]{{0,4}}"
    r"(\d+(?:,\d{3})*)(?!\d|,\d)(?![\d.,]*\s*[*×/+xMKB^(]|[.\d]|\s*[A-Za-z]{2})"
)
_OPERATED, _NEAR = re.compile(rf"[×*+/^·-][\s{JOINT}]*\Z"), 12
"""What stands before a letter that ends a formula, whose result is behind it: `8E² + 5·E = 4,718,592`."""
_SEARCHED = 2**17
"""Letters in which single words are looked for."""
VOCABULARIES = range(5_000, 300_001)
"""Vocabularies that a product may have a factor of."""
_LEAST_WIDTH = 64
"""The least that a vocabulary is multiplied by."""
COUNTED_WRONG = 3
"""How near to that of a model another vocabulary is not another one."""
_WORDS = re.compile(r"(?<![\d.])\d{4,6}(?![.\d])")
_OUTPUTS = re.compile(r"\boutput[ _]?shape|\w: \d+-\d+[ \x01]+\[", re.I)
"""The header of a printed summary over its outputs, or a row that has one."""
_ROWS = range(64, 2_000_001)
"""Rows of tables that figures may state."""
_TELLING, _SAID = frozenset("VHLFK"), 3
"""Dimensions by which models of a family differ, and how many are stated at least where they tell which is meant."""
_LEAST_COUNT, _TOLD, _SURE = 10_000, 3, 5
"""The least count that tells which model a text is about, how many more of one's than of another's do, and how many
where the text has many others."""
_LEAST_TOTAL = 10**6
"""The least total that tells a model by itself."""
_ROWS_NEAR = 12
"""Rows of a table above one and below it in which the sizes of its columns' models are looked for."""
_PADDED = 100
"""How many words a vocabulary is filled up by."""
_MOST_ROWS, _MOST_WORDS, _MOST_MODELS = 2_000, 4, 6


@dataclass(frozen=True)
class Document:
    """A text, its layout, its statements, the models that it names (`mentions`) and describes (`own`, and `rows` of
    tables by their lines), and their index.

    `unread` is the first line that was not read because there is too much, from 1; 0 where all was.
    """

    plain: Plain
    layout: Layout
    statements: Statements
    symbols: Mapping[str, int]
    mentions: Mentions
    sizes: tuple[Size, ...]
    own: tuple[Sized, ...]
    rows: Mapping[int, Sized]
    index: Index
    given: Model | None
    unread: int = 0

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The places of all equations, expressions and figures, in order."""
        found = self.statements
        every: tuple[Spanned, ...] = (*found.equations, *found.expressions, *found.figures)
        return tuple(sorted((one.start, one.end) for one in every))

    @cached_property
    def _counts(self) -> tuple[Quantity, ...]:
        """The figures that may count parameters, in order."""
        plain = (one for one in self.statements.figures if one.unit in ("", "params"))
        return tuple(one for one in plain if one.scaled or one.value >= 1000)

    @cached_property
    def stated(self) -> frozenset[int]:
        """Where the sizes of dimensions stand."""
        return frozenset(size.start for size in self.sizes)

    def label(self, start: int, end: int) -> Label:
        """What the words around a place say that it is."""
        return Label(self.layout.at(start, end), self.spans)

    def scope(self, start: int, end: int) -> Scope:
        """The model that a place is said of."""
        return Scope(self.mentions, self.layout.at(start, end), self._counts)

    @cached_property
    def vocabularies(self) -> frozenset[int]:
        """The vocabularies that the text states, each once."""
        return frozenset(size.size for size in self.sizes if size.letter == "V")

    @cached_property
    def weights(self) -> frozenset[Number]:
        """The bytes that equations of the text come to exactly, and not those of a few values."""
        amounts = (side.amount for equation in self.statements.equations for side in equation.sides)
        exact = (amount.value for amount in amounts if amount.unit == "bytes" and amount.exact)
        return frozenset(value for value in exact if value >= _WEIGHTY)

    def contradicts(self, model: Model) -> bool:
        """Whether a text states sizes of blocks, and of some letter none that is the model's: it is another one."""
        return any(size not in self._said.get(letter, {size}) for letter, size in model.dimensions if letter in "HF")

    @cached_property
    def _said(self) -> Mapping[str, set[int]]:
        """The sizes that the text states, by the letters of their dimensions."""
        return by_letter(self.sizes)

    def of_row(self, one: Spanned) -> tuple[int, ...]:
        """What may be a vocabulary of the line in which a statement stands."""
        return _vocabularies(self.at(one).row)

    def of_column(self, one: Spanned) -> tuple[int, ...]:
        """What may be a vocabulary of the column in which a statement stands, a few rows around it."""
        at, lines = self.at(one), self.layout.lines
        near = range(max(self.layout.tops[at.number], at.number - _ROWS_NEAR), min(len(lines), at.number + _ROWS_NEAR))
        same = (lines[line].cells for line in near if self.layout.tops[line] == self.layout.tops[at.number])
        column = at.column or 0
        return tuple(size for cells in same if column < len(cells) for size in _vocabularies(at.said(cells[column])))

    @cached_property
    def unnamed(self) -> bool:
        """Whether it states sizes that are no named model's."""
        return any(sized.model.name == OWN for sized in self.own)

    @cached_property
    def assumed(self) -> bool:
        """Whether nothing names or describes a model, so that its figures are held against the usual one."""
        return self.given is None and not self.own and not any(mention.candidates for mention in self.mentions.found)

    def at(self, one: Spanned) -> Place:
        """Where a statement stands, with what is around it in its line."""
        return self.layout.at(one.start, one.end)

    def shown(self, start: int, end: int) -> str:
        """What the text has there."""
        return self.plain.shown(start, end)


def _vocabularies(words: str) -> tuple[int, ...]:
    return tuple(size for size in map(int, _WORDS.findall(words.replace(",", ""))) if size in VOCABULARIES)


def read(text: str, given: Model | None = None) -> Document:
    """Steps 1 to 5: everything but judgement."""
    plain, every, unread = _read(text)
    layout = lay_out(plain)
    stated = sizes(plain.text)
    symbols = _symbols(plain.text, stated)
    found = _without_outputs(layout, statements(every, symbols))
    factors = _factors(found)
    named = tuple(_of_sizes(mention, stated) for mention in mentions(plain.text))
    firsts = list(dict.fromkeys(mention.candidates[0] for mention in named if mention.candidates))
    own = own_models(plain.text, stated, factors, firsts)
    rows = of_tables(layout, Mentions(layout, named), stated, [*firsts, *(one.model for one in own)])
    likely = [*([given] if given else ()), *(one.model for one in own), *firsts, *(one.model for one in rows.values())]
    likely += dict.fromkeys(model for mention in named for model in mention.models[1:])
    likely += (altered := list(_with_vocabularies(likely, stated, found, factors)))
    assumed: list[Model] = []
    if not any(model.accounts for model in likely):  # the first one of the architecture that the words speak of
        assumed = _assumed(plain.text, found)
        likely += assumed
    wide = {one.model.sizes.get("H") for one in own}  # `Llama 3` in a text of one with these sizes
    others = [model for mention in named for model in mention.others if not wide or model.sizes.get("H") in wide]
    others += _told_by_totals(found, likely)
    numbers = dict.fromkeys((*factors, *(one.value for one in found.figures if one.exact)))
    tables = [one for one in numbers if isinstance(one, int) and one in _ROWS and not _slips(one, likely)]
    free = cue("bias_free").search(plain.text, 0, _SEARCHED) is not None
    bare = without_biases([one.model for one in own], (*altered, *firsts, *assumed), free)
    looked_up = index(likely, others, tables[:_MOST_ROWS], bare)
    return Document(plain, layout, found, symbols, Mentions(layout, named), stated, own, rows, looked_up, given, unread)


def _read(text: str) -> tuple[Plain, list[Token], int]:
    """A text as far as it is read, its tokens, and the first line that is not.

    Texts have more tokens than digits. So where they have many, what stands first is read without the rest.
    """
    digits = sum(map(text.count, "0123456789"))
    for size in (len(text) * MOST // max(digits, MOST), len(text)):
        plain = normalise(text[:size])
        every = list(islice(tokens(plain.text), MOST))
        if len(every) == MOST:
            return plain.until(every[-1].end), every, plain.place(every[-1].start)[0]
        if len(text) <= size:
            break
    return plain, every, 0


def _assumed(text: str, found: Statements) -> list[Model]:
    """The model that figures are held against where nothing names or describes one: the first of the architecture that
    the words speak of, but where most exact counts are another known one's, that."""
    family = family_of(text)
    usual = [of_known(known_models(family)[0])] if family else []
    sides = (side for equation in found.equations for side in equation.sides)
    every = (*found.figures, *(leaf.quantity for side in sides for leaf in leaves(side.node)))
    counts = {int(one.value) for one in every if one is not None and one.exact and one.value >= _LEAST_COUNT}
    if len(counts) < _TOLD or not family:
        return usual
    told = Counter({model: len(counts & model.counts) for model in every_model() if model.architecture})
    (best, most), *_ = told.most_common(1)
    by_chance = 2 * most < len(counts) and most < _SURE
    if by_chance or most < _TOLD + len(counts & usual[0].counts):
        return usual
    return [replace(best, name=f"a model like {best.name}")]  # its sizes are told, and not its name


def _told_by_totals(found: Statements, likely: Sequence[Model]) -> list[Model]:
    """The known models of which a text states a total to the last digit, where its own sizes are theirs."""
    totals = every_total()
    counts = dict.fromkeys(one.value for one in found.figures if one.exact and one.value >= _LEAST_TOTAL)
    told = [one for count in counts if isinstance(count, int) for one in totals.get(count, ())]
    every = dict.fromkeys(model for model, _ in told if model.architecture and model not in likely)
    own = [model for model in likely if model.name == OWN]
    return [model for model in every if any(_is_in(one, model) for one in own)]


def _is_in(one: Model, other: Model) -> bool:
    """Whether a model has the width of another one, and no other size differs but for its vocabulary."""
    shared = one.sizes.keys() & other.sizes.keys() - {"V", "P", "T"}
    return "H" in shared and all(one.sizes[letter] == other.sizes[letter] for letter in shared)


def _of_sizes(mention: Mention, stated: Sequence[Size]) -> Mention:
    """The name of a family as that of its models that have the sizes that a text states, if any has."""
    said = by_letter(stated)
    if mention.models or len(said) < _SAID:
        return mention
    fit = [
        model for model in mention.others if all(model.sizes.get(one, 0) in said[one] for one in _TELLING & said.keys())
    ]
    return replace(mention, releases=releases((fit[0],))) if len(fit) == 1 else mention


def _symbols(text: str, stated: Sequence[Size]) -> dict[str, int]:
    """Names that stand for figures in expressions: those that the text assigns first, and the letters of dimensions."""
    letters = {size.letter: size.size for size in reversed(stated)}
    assigned = reversed(list(_ASSIGNED.finditer(text[:_SEARCHED])))
    given = (match for match in assigned if not _OPERATED.search(text, max(0, match.start() - _NEAR), match.start()))
    return letters | {match[1]: int(match[2].replace(",", "")) for match in given}


def _without_outputs(layout: Layout, found: Statements) -> Statements:
    """The statements without the shapes of outputs that a printed summary has: their axes are no model's dimensions."""
    under: set[int] = set()
    for number in range(len(layout.lines)):
        if (number - 1 in under and layout.lines[number].kind != "blank") or _OUTPUTS.search(layout.text(number)):
            under.add(number)
    kept = (one for one in found.expressions if layout.line(one.start) not in under or one.node.operation != "product")
    return replace(found, expressions=tuple(kept)) if under else found


def _factors(found: Statements) -> Counter[int]:
    """How often every integer is a factor or an axis in the expressions of a text."""
    counted: Counter[int] = Counter()
    for numbers in _terms(found):
        counted.update(number for number in numbers if number > 8)
    return counted


def _terms(found: Statements) -> Iterator[list[int]]:
    """The whole numbers of each product in the expressions of a text."""
    sides = (side for equation in found.equations for side in equation.sides)
    for side in (*sides, *found.expressions):
        for term in side.node.parts if side.node.operation == "sum" else (side.node,):
            numbers = [leaf.quantity for leaf in leaves(term) if leaf.quantity] if term.operation != "figure" else ()
            yield [int(one.value) for one in numbers if one.exact]


def _slips(words: int, models: Sequence[Model]) -> bool:
    """Whether a vocabulary is one of a model that was counted wrong by one or two, and so no other one."""
    return any(0 < abs(words - model.sizes["V"]) < COUNTED_WRONG for model in models if "V" in model.sizes)


def _with_vocabularies(
    models: Sequence[Model], stated: Sequence[Size], found: Statements, factors: Mapping[int, int]
) -> Iterator[Model]:
    """The models that are named, with the vocabularies and positions that the text states, or multiplies with."""
    results = {equation.sides[-1].amount.value for equation in found.equations}
    words = dict.fromkeys(size.size for size in stated if size.letter == "V")
    wide = {size.size for size in stated if size.letter != "V"}
    wide |= {size for model in models for letter, size in model.dimensions if letter != "V"}
    terms = list(_terms(found))
    across = {one for term in terms for one in term if any(_LEAST_WIDTH <= other < one for other in term)}
    likely = (one for one in factors if one in VOCABULARIES and one in across and one not in results | wide)
    words |= dict.fromkeys(one for one in likely if not _slips(one, models))
    every = list(dict.fromkeys(models))[:_MOST_MODELS]
    for model in (model for model in every if not model.counted):
        sizes = model.sizes
        if "V" not in sizes and "L" in sizes:  # sizes in a text of a family: its tables are those of a named one
            alike = (one for one in every if one.architecture == model.architecture and "V" in one.sizes)
            for other in islice(alike, 2):
                yield replace(model, dimensions=frozenset({**other.sizes, **sizes}.items()))
        others = {one.sizes.get("V") for one in every if one.architecture != model.architecture}
        others -= {size for size in words if abs(size - sizes.get("V", 0)) < _PADDED}
        for size in islice(words, _MOST_WORDS) if "V" in sizes and "H" in sizes else ():
            if size != sizes["V"] and size not in others:
                yield with_vocabulary(model, size)
