"""Step 6f: tables as long as those of another model than the one that is named, or with a length that is a slip."""

import re
from functools import cache

from reconcile.claims.judgement.context import Context, Rule
from reconcile.claims.judgement.cues import READ
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.singled import singled
from reconcile.claims.structure.catalogue import every_model
from reconcile.claims.structure.document import VOCABULARIES, Document
from reconcile.claims.structure.lexicon import cue, table
from reconcile.claims.structure.models import OWN
from reconcile.expression.arithmetic import evaluate
from reconcile.phrases import number as number_
from reconcile.quantity import distance

WORDS = " rows and not "
"""What tells of a table with the vocabulary of another release."""
_SIZE = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3}|\d{1,4})(?![\d.,]*\d)")
_TABLES = {"V": "words", "P": "positions"}
"""The dimensions that are the lengths of tables, with what these hold."""
_PADDED, _ROUNDED = 1000, 50
"""What vocabularies are filled up or rounded to, and the part of one by which a rounded one may differ."""


def _other_table(context: Context, one: Judged) -> Judged | None:
    """A table of words or positions as long as that of a model that the text does not name, said of one that it names.

    A size that the text states, one that is rounded or filled up, and one of a changed model are its own.
    """
    document, mention, path = context.document, one.scope.bound or one.scope.above, one.account and one.account.path
    letter = next((each for each, kind in _TABLES.items() if path == table()["tables"][kind]), "")
    model = next(iter(mention.models), None) if mention is not None else None
    if not letter or mention is None or model is None or one.exact is None or not one.holds or document.given:
        return None
    right = next((each for each in model.accounts if each.path == path), None)
    width = model.sizes.get("E", model.sizes.get("H", 0))
    size, rest = divmod(one.exact, width) if width else (0, 1)
    if rest or size not in _lengths(letter) or right is None or right.count in context.held:
        return None
    if is_as_wide(document, one, width):
        return None
    if one.exact in model.counts or cue("altered").search(document.at(one).near()):
        return None
    own = model.sizes[letter]
    stated = context.lengths(letter)
    padded = 0 <= size - own < _PADDED or (size % _PADDED == 0 and _ROUNDED * distance(size, own) < own)
    if size in stated or (letter == "V" and (padded or size not in VOCABULARIES)):
        return None
    every = (each for found in document.mentions.found for each in found.candidates)
    if any(each.sizes.get(letter) == size for each in every):
        return None
    sole = len({each.sizes.get(letter) for each in mention.candidates}) == 1
    shown = own in stated or any(figure.value == own for figure in document.statements.figures)
    counts = {each.count for each in model.accounts if each.path == table()["tables"]["words"]}
    shown = shown or (letter == "P" and bool(counts & context.counts.keys()))
    if not sole or not (shown or mention is one.scope.bound):
        return None
    if document.plain.text[mention.start - 1 : mention.start] in ("-", "_"):
        return None  # a relative of the model that is named
    return one.wrong(right, f"it has {number_(own)}{WORDS}{number_(size)}", model=model)


def is_as_wide(document: Document, one: Judged, width: int) -> bool:
    """Whether a count is that of a table that the text has of another width: by a product in its row, or a stated size.

    `GPT-2 BPE, d = 384`, and in a row `1,024 × 384`, or nothing.
    """
    if width in one.factors:
        return False
    stated = {size.size for size in document.sizes if size.letter == "H"} - {width}
    row = {int(digits.replace(",", "")) for digits in _SIZE.findall(document.at(one).near())} - {width}
    count = one.exact or 0
    apart = (other for other in row if other > 1 and count % other == 0 and count // other in row)
    return next(apart, None) is not None or any(count % other == 0 for other in stated)


@cache
def _lengths(letter: str) -> frozenset[int]:
    """The lengths that tables have in the models that are known."""
    return frozenset(model.sizes[letter] for model in every_model() if letter in model.sizes)


def _slipped_words(context: Context, one: Judged) -> Judged | None:
    """A table of another length than the model's, which the text has right in what the same product is said to be."""
    side, account = one.side, one.account
    if side is None or account is None or account.path != table()["tables"]["words"] or not one.holds:
        return None
    for other in context.misreckoned:
        if not set(one.factors) <= {*other.factors}:
            continue
        for model in every_model():
            if model.sizes.get("H") not in one.factors:
                continue
            right = next((each for each in model.accounts if each.path == account.path), None)
            if right is not None and right.count == other.value != one.exact:
                size = number_(model.sizes["V"])
                return one.wrong(right, f"the text has it right elsewhere, with {size} rows")
    return None


def _exchanged(context: Context, one: Judged) -> Judged | None:
    """What is worked out with the vocabulary of a named model of which two digits have changed places."""
    side, meant = one.side, context.misspelt
    for leaf in side.amount.leaves if side is not None and meant else ():
        model = meant.get(leaf.value) if isinstance(leaf.value, int) else None
        if side is None or model is None:
            continue
        size = model.sizes["V"]
        right = evaluate(side.node, context.document.symbols, {leaf.start: size})
        if right is not None:
            why = f"{model.name} has {number_(size)} words, two digits of which have changed places"
            return one.wrong(right.value, why, model=model)
    return None


def _by_1024(context: Context, one: Judged) -> Judged | None:
    """A table with so many times 1,024 rows in the place of so many thousands: `32K` words as 32,768."""
    said = singled(context.document, one) if one.side is not None else None
    if said is None or said.one.path != table()["tables"]["words"] or said.model.name == OWN:
        return None
    rows, width = (said.model.sizes.get(letter, 0) for letter in "VH")
    thousands, rest = divmod(rows, 1000)
    if rest or one.exact != thousands * 1024 * width or thousands * 1024 in context.document.vocabularies:
        return None
    if re.search(rf"(?<![\d.,]){thousands}\s?[Kk]\b", context.document.plain.text[:READ]) is None:
        return None  # a table that is filled up
    return one.wrong(said.one, f"it has {number_(rows)} rows, which are {thousands} times 1,000", model=said.model)


LENGTHS: tuple[Rule, ...] = (_other_table, _slipped_words, _exchanged, _by_1024)
