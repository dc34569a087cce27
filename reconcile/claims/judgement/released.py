"""What the name of a model can stand for: its releases, their totals, and what is counted in other ways."""

import re
from fractions import Fraction

from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.models import Mention, Model, contradicts, every_total, every_width
from reconcile.quantity import Quantity, distance

_WORDS = 100
"""Words by which the vocabularies of two releases of one model differ at most."""
_FAR = Fraction(15, 100)
_GOES_ON = re.compile(r"(?:[-_.]?[A-Za-z0-9]+)*")


def is_relative(document: Document, mention: Mention) -> bool:
    """Whether a name goes on with words of its own, so that it is another model's: `bert-base-15lang-cased`."""
    text = document.plain.text
    start, end = mention.start, mention.end
    while start and text[start - 1].isascii() and (text[start - 1].isalnum() or text[start - 1] in "-_."):
        start -= 1
    end += len(_GOES_ON.match(text, end)[0])  # type: ignore[index]
    parts = re.split(r"[-_./\s]+", text[start:end].lower()) if re.search(r"\w[-_]\w", text[start:end]) else ()
    return any(part and not cue("plain_name").fullmatch(part) for part in parts)


def is_file_of(figure: Quantity, count: int) -> bool:
    """Whether a figure without a unit may be the bytes of a count, in megabytes of either kind: `418M` of a listing."""
    return any(figure.fits(Fraction(count * each * 1000**up, 1024**up)) for each in (4, 2) for up in (0, 2, 3))


def untied(model: Model) -> tuple[Account, ...]:
    """Totals with an output matrix of its own: right of a model that ties nothing, which its name does not say."""
    return tuple(account for account in model.variants if " + " in account.path)


def is_with_other_words(mention: Mention, value: int, most: int = _WORDS) -> bool:
    """Whether a count is a total of a model with a few words more or less, as fine-tuned releases have them."""
    for model in mention.candidates:
        width = model.sizes.get("H", 0)
        for off in (distance(value, total.count) for total in model.totals):
            if (off % width == 0 and off <= most * width) if width else off in every_width():
                return True
    return False


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
