"""Step 6f: rows of a list that give a table or a norm another size altogether: its width alone, or that of a stack."""

import re
from collections.abc import Iterator

from reconcile.claims.judgement.context import LEAST, Context, Table
from reconcile.claims.judgement.cues import speaks_of
from reconcile.claims.judgement.judged import ALL_USED, Judged
from reconcile.claims.judgement.singled import Singled, named, singled, subject, words
from reconcile.claims.judgement.totals import best_total, is_active, is_in_name
from reconcile.claims.structure.accounts import BIASES, Account
from reconcile.claims.structure.catalogue import every_model
from reconcile.claims.structure.lexicon import concepts_of, cue, hits, table
from reconcile.claims.structure.models import OWN, Model
from reconcile.quantity import distance

_LAYERS, _SMALL = (
    re.compile(r"layer|block|层|層|レイヤ|schicht|couche|capa", re.I),
    re.compile(r"(?<![\d.,])\d{1,3}(?![\d.,])"),
)
"""Words for blocks, and what may be the number of them."""
_SIZE = re.compile(r"(?<![.\w])(?:dim\w*|width|wide|size|shape|breite|dimens\w*|taille)\b|维|维度|次元|차원", re.I)
"""What says of a row that it has a size."""
_FAR = 2
"""How many times as large as a table a figure is at least that is no rounding or padding of it."""
_PRECISE, _NEARLY = 5, 20
"""Digits of a total that is no rough one, and the part of its model's by which it differs."""
_DIGITS, _WORDS, _LIKE = 3, 12, 3
"""Digits of a rounded part, letters of its row that name nothing, and how many times it is the right one at most."""
_BESIDE = 2
"""Lines between a total and the number of blocks that it is of."""
_LINES, _LISTED = 6, 2
"""Lines around a row in which its list is, and how many rows of it hold at least."""
_END = re.compile(r"[\s\x01*`|)\]:.]*(?:param\w*)?[\s\x01*`|)\]:.]*$")
"""What stands behind the count of a row."""


def _is_asked(one: Judged) -> bool:
    plain = one.figure is not None and one.figure.kind == "figure" and one.unit in ("", "params")
    half = one.account is not None and one.account.path.endswith(".gamma")
    return plain and not one.accused and (half or not one.holds)


def _precise_total(context: Context, one: Judged) -> Judged | None:
    """A total with many digits, if rounded, that comes near to that of its model and is none: `0.12365B`."""
    figure, document = one.figure, context.document
    if figure is None or figure.exact or figure.figures < _PRECISE or one.label.own - {"whole"} or not one.label.own:
        return None
    models = [model for model in subject(document, one) if model.totals]
    best = best_total(models[0]) if models else None
    if best is None or figure.about or not 0 < _NEARLY * (best.count - figure.value) <= best.count:
        return None  # more than it has may be what was added to it
    said = "".join(words(document, one))
    if cue("without").search(said) or cue("left_out").search(said) or cue("altered").search(document.at(one).row):
        return None
    if any(figure.fits(account.count, True) for model in document.index.models for account in model.accounts):
        return None
    parts = (account.count for account in models[0].accounts if "[*]" not in account.path and not account.total)
    if any(figure.fits(best.count - part, True) for part in parts):
        return None  # which leaves one of its tables out
    return one.wrong(best, model=models[0])


def _other_depth(context: Context, one: Judged) -> Judged | None:
    """The total of a model with another number of blocks, stated at it, where the text says what is mistaken."""
    document = context.document
    if one.exact is None or one.label.own != {"whole"} or not speaks_of(document, "mistaken"):
        return None
    here, layout = document.at(one).number, document.layout
    beside = map(layout.text, range(max(0, here - 1), min(here + _BESIDE, len(layout.lines))))
    depths = {int(size) for line in beside if _LAYERS.search(line) for size in _SMALL.findall(line)}
    for model in document.index.models if depths else ():
        block = next((account.count for account in model.accounts if account.path.endswith("block[*]")), 0)
        for total in model.totals:
            blocks, rest = divmod(total.count - one.exact, block) if block else (0, 1)
            if not rest and blocks and model.sizes.get("L", 0) - blocks in depths and total.count in context.held:
                return one.wrong(total, f"it is that of {model.sizes['L'] - blocks} blocks", model=model)
    return None


def _rounded_part(context: Context, one: Judged) -> Judged | None:
    """A rounded count that its row gives a part of a block, where the text has the sizes of the model that it names."""
    figure, document = one.figure, context.document
    if figure is None or not figure.scaled or figure.figures < _DIGITS or not named(one.label) <= one.label.own:
        return None
    said = singled(document, one)
    if said is None or said.model.name == OWN or "[*]" not in said.one.path or not _has_sizes(context, said.model):
        return None
    row = document.at(one).row
    if (
        speaks_of(document, "adapters")
        or _unread(document.at(one).before()) > _WORDS
        or any(cue(each).search(row) for each in ("without", "altered"))
        or "→" in row
    ):
        return None
    every = (*said.model.accounts, *(account for account, _ in document.index.fits(figure)))
    if any(figure.fits(account.count, True) for account in every):
        return None
    paths = {way.path for way in said.ways}
    if any(figure.fits(account.count, True) for account in _of_others(said.model) if account.path in paths):
        return None
    near = min(said.ways, key=lambda way: distance(way.count, figure.value))
    likely = near.count < _LIKE * figure.value < _LIKE**2 * near.count
    return one.wrong(near, model=said.model) if likely else None


def _of_others(model: Model) -> Iterator[Account]:
    """The accounts of the other models of an architecture that are known."""
    return (one for other in every_model() if other.architecture == model.architecture for one in other.accounts)


def _has_sizes(context: Context, model: Model) -> bool:
    """Whether a text states sizes of a model's blocks, and no others."""
    stated = {letter: {size.size for size in context.document.sizes if size.letter == letter} for letter in "HFL"}
    right = [model.sizes.get(letter) in sizes for letter, sizes in stated.items() if sizes]
    return len(right) > 1 and all(right) and all(len(sizes) < 2 for sizes in stated.values())


def _unread(row: str) -> int:
    """How many letters of a row are in words that say nothing of a component."""
    said = {place for hit in hits(row) for place in range(hit.start, hit.end)}
    return sum(letter.isalpha() and place not in said for place, letter in enumerate(row))


def _one_row(context: Context, one: Judged) -> Judged | None:
    """The width of a model, which is one row of a table or the half of a norm, in a list of what each part has."""
    said = _of_row(context, one) if one.exact is not None else None
    if said is None or one.exact != said.model.sizes.get("H") or one.start in context.document.stated:
        return None
    if said.has(one.exact or 0) or ("norm" in said.one.path and not _has_biases(context, said.model)):
        return None
    if not concepts_of(said.one.path) & {"position", "segment", "norm"}:
        return None
    line = context.document.at(one).number
    halves = (each for each in context.every if each.exact == one.exact and each is not one and each.figure is not None)
    halves = (each for each in halves if "norm" in one.label.own & each.label.own)
    if any(abs(context.document.at(each).number - line) == 1 for each in halves):
        return None  # the scale of a norm, and its shift
    return one.wrong(said.one, "it is the width alone", model=said.model) if _is_listed(context, one, said) else None


def _has_biases(context: Context, model: Model) -> bool:
    """Whether a text counts components of a model with their biases; else its norms may have none either."""
    paths = {account.path for account in model.accounts}
    held = (one.account for one in context.exact if one.holds and one.account in model.accounts)
    with_them = any(account is not None and account.path + BIASES in paths for account in held)
    return with_them and not speaks_of(context.document, "bias_free")


def _of_row(context: Context, one: Judged) -> Singled | None:
    """The component that the words before a figure at the end of its row single out."""
    at = context.document.at(one)
    if not _END.fullmatch(at.row, one.end - at.line.start) or not named(one.label) <= one.label.own:
        return None
    if _SIZE.search(at.before()) or one.scope.in_name:
        return None  # `LayerNorm dim: 768`
    return singled(context.document, one)


def _is_listed(context: Context, one: Judged, said: Singled) -> bool:
    """Whether the lines around a row have counts of the same model."""
    line = context.document.at(one).number
    near = (each for each in context.every if 0 < abs(context.document.at(each).number - line) <= _LINES)
    of_it = (each for each in near if each.value >= LEAST and each.unit in ("", "params") and each.account is not None)
    return sum(each.account in said.model.accounts for each in of_it if each.holds or each.accused) >= _LISTED


def _all_as_active(context: Context, one: Judged) -> Judged | None:
    """All of a mixture of experts that is said to be what one token uses: `141B active parameters`."""
    figure, document = one.figure, context.document
    if figure is None or not is_active(document, one) or is_in_name(document.at(one)):
        return None
    one_token = table()["tables"]["one_token"]
    for model in subject(document, one):
        used = next((account for account in model.accounts if account.path == one_token), None)
        if used is None or figure.fits(used.count, True) is not None:
            continue
        if any(figure.fits(total.count) is not None for total in model.totals if total != used):
            return one.wrong(used, ALL_USED, model=model)
    return None


misfits = (
    Table(lambda one: one.figure is not None and one.unit in ("", "params") and not one.accused, (_all_as_active,)),
    Table(_is_asked, (_precise_total, _other_depth, _rounded_part)),
    Table(_is_asked, (_one_row,)),
)
"""What a row gives a component that has another size altogether."""
