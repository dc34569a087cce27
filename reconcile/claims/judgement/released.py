"""What the name of a model can stand for: its releases, their totals, and what is counted in other ways."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations

from reconcile.claims.judgement.cues import speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.totals import classes_on_top
from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.catalogue import every_model, every_total, every_width
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue, table
from reconcile.claims.structure.mentions import Mention
from reconcile.claims.structure.models import Model, contradicts, with_vocabulary
from reconcile.datafile import packaged
from reconcile.quantity import Quantity, distance

_WORDS = 100
"""Words by which the vocabularies of two releases of one model differ at most."""
_FAR = Fraction(15, 100)
_GOES_ON = re.compile(r"(?:[-_.]?[A-Za-z0-9]+)*")
_ABOUT = 1000
"""Parts of a count that norms behind a stack are none of."""


def is_relative(document: Document, mention: Mention) -> bool:
    """Whether a name goes on with words of its own, so that it is another model's: `bert-base-15lang-cased`."""
    text = document.plain.text
    start, end = mention.start, mention.end
    while start and text[start - 1].isascii() and (text[start - 1].isalnum() or text[start - 1] in "-_."):
        start -= 1
    end += len(_GOES_ON.match(text, end)[0])  # type: ignore[index]
    parts = re.split(r"[-_.,/\s]+", text[start:end].lower()) if re.search(r"\w[-_]\w", text[start:end]) else ()
    return any(part and part not in _families() and not cue("plain_name").fullmatch(part) for part in parts)


@cache
def _families() -> frozenset[str]:
    """The words that names of models that are known begin with."""
    begins = packaged("claims", "models")["names"]["begins"]
    return frozenset(word for begin in begins for word in re.split(r"[-_.\s]+", begin))


def counts_of_the_row(document: Document, one: Judged, mention: Mention) -> Iterator[int]:
    """The totals of the sizes that a row of a table states, and of its model with what may be its vocabulary."""
    sizes, own = document.of_row(one), document.rows.get(document.at(one).number)
    yield from (total.count for total in own.model.totals) if own is not None else ()
    for model in mention.models:
        words, width = model.sizes.get("V", 0), model.sizes.get("H", 0)
        yield from (total.count + (size - words) * width for total in model.totals for size in sizes if words)


def is_of_one_stack(model: Model, count: int) -> bool:
    """Whether a count may be that of one of two stacks with its tables, such as an encoder that is used alone."""
    tables = table()["tables"]["words"]
    parts = (account for account in model.accounts if account.path.isalpha() or account.path == tables)
    tops = [account.count for account in parts if not account.total]
    return len(tops) > 2 and any(distance(sum(pair), count) * _ABOUT < count for pair in combinations(tops, 2))


def is_file_of(figure: Quantity, count: int) -> bool:
    """Whether a figure without a unit may be the bytes of a count, in megabytes of either kind: `418M` of a listing."""
    return any(figure.fits(Fraction(count * each * 1000**up, 1024**up)) for each in (4, 2) for up in (0, 2, 3))


def untied(model: Model) -> tuple[Account, ...]:
    """Totals with an output matrix of its own: right of a model that ties nothing, which its name does not say."""
    return tuple(account for account in model.variants if " + " in account.path)


def is_with_a_head(mention: Mention, value: int) -> bool:
    """Whether a count is a total of a model with a classifier on top."""
    widths = ((model.sizes.get("H", 0), total.count) for model in mention.candidates for total in model.totals)
    return any(width and classes_on_top(value - count, width) for width, count in widths)


def is_with_other_words(mention: Mention, value: int, most: int = _WORDS) -> bool:
    """Whether a count is a total of a model with a few words more or less, as fine-tuned releases have them."""
    for model in mention.candidates:
        width = model.sizes.get("H", 0)
        for off in (distance(value, total.count) for total in model.totals):
            if (off % width == 0 and off <= most * width) if width else off in every_width():
                return True
    return False


def is_of_another_language(document: Document, mention: Mention, figure: Quantity) -> bool:
    """Whether a count is a total with a vocabulary that the text states, or of a language that it speaks of.

    A release that is known by the language of its name has that one's.
    """
    words = document.vocabularies
    known = any(kind.lower() in model.name.lower() for kind in mention.kinds for model in mention.models)
    if not known and speaks_of(document, "of_language"):
        words |= _vocabularies()
    return any(figure.fits(count) is not None for model in mention.models for count in _with_words(model, words))


@cache
def _vocabularies() -> frozenset[int]:
    return frozenset(model.sizes["V"] for model in every_model() if "V" in model.sizes)


def _with_words(model: Model, words: Iterable[int]) -> Iterator[int]:
    """The totals of a model with other vocabularies."""
    own = model.sizes.get("V")
    one_more = with_vocabulary(model, own + 1).totals if own is not None and words else ()
    for total, other in zip(model.totals, one_more, strict=False):
        yield from (total.count + (size - (own or 0)) * (other.count - total.count) for size in words)


def is_of_another_release(mention: Mention, value: int) -> bool:
    """Whether a count is that of another model than a name says: of another family, size, or kind of release."""
    families, stacks = {_family(one) for one in mention.candidates}, [blocks(one) for one in mention.candidates]
    known = [model for model, _ in every_total().get(value, ())]
    return bool(known) and all(
        _family(one) not in families or blocks(one) not in stacks or contradicts(one, mention.kinds) for one in known
    )


def _family(model: Model) -> str:
    return model.name.split()[0]


def blocks(model: Model) -> frozenset[tuple[str, int]]:
    """The architecture and the dimensions of a model that are none of its tables'."""
    return frozenset({(model.architecture, 0), *(one for one in model.dimensions if one[0] not in "VPT")})


def is_far(mention: Mention, figure: Quantity) -> bool:
    """Whether a figure is no rounding of a total that a name can mean."""
    return all(distance(total.count, figure.value) > _FAR * total.count for total in totals_of(mention))


def totals_of(mention: Mention) -> tuple[Account, ...]:
    return tuple(total for model in mention.candidates for total in model.totals)
