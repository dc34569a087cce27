"""Step 6f: rows and sentences of which every word is understood: what they name has its own counts only."""

import re
from collections.abc import Container, Iterable, Iterator, Sequence

from reconcile.claims.judgement.accounting import PARAMETERS
from reconcile.claims.judgement.context import LEAST, Context, Table
from reconcile.claims.judgement.cues import speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.part_of import is_part
from reconcile.claims.judgement.released import is_of_another_language, is_relative
from reconcile.claims.judgement.singled import Singled, of_concepts, subject
from reconcile.claims.judgement.totals import best_total
from reconcile.claims.structure.accounts import ALL, Account
from reconcile.claims.structure.dimensions import Size
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import concepts_in, concepts_of, cue, hits, neutral
from reconcile.claims.structure.mentions import Mention
from reconcile.claims.structure.models import OWN, Model
from reconcile.quantity import Number, Quantity, distance

_CLOSE = 12
_LEAST_BARE = 10**6
"""The least figure that counts parameters though nothing at it says so."""
_NEARLY = 10
"""The part of a count by which a figure may differ that is another way to count the same."""
_ENDS = re.compile(r"(?<!Mio)(?<!Mrd)(?<!Tsd)[.;!?](?:\s|$)|。")
_OF_LESS = ("without", "left_out", "parts")
"""What says in a sentence that a count is of a part of its model."""
_FIGURE = "◆"
"""Stands for a figure in what is said at it, as the patterns of its words have it."""
_LETTERS, _NUMBER = re.compile(r"[^\W\d_]"), re.compile(r"\d[\d.,]*")
_ITEM, _DIGIT = re.compile(r"[\s\x01#/>]*[-*+•][\s\x01]"), re.compile(r"\d")
"""How an item of a list begins, and what a title has none of."""
_COMMA = re.compile(r"[,;:]\s|[，；：、]|,(?=[\u3040-\u9fff])")
_PLAIN = frozenset(("text", "blank"))
"""Lines below a heading that end nothing of it."""
_IN, _FILE = 12, "size"
"""Lines below a title that say of its model what sizes it has, and a word for parameters that is said of files too."""
_SIZE_OF = re.compile(r"(?:[- ]?[A-Za-z]+)?")
"""What a size is said of, behind it."""
_PARTED = re.compile(r"_|(?<=[a-z])(?=[A-Z])")
"""Where a name of code has its parts."""
_OTHERWISE = re.compile(r" without | \+ | - ")
"""What stands behind a component that an account adds something to, or leaves something out of."""
_NEAR = 40
"""Letters before a figure that may say what it is without, behind a full stop too: `(excl. embeddings)`."""
_LONGEST, _UNREAD = 200, "unread"
"""Letters of a row or sentence on either side of a figure that are read, and what stands for one that is longer."""
_BLOCKS = frozenset(("all", "block"))
_TABLES = frozenset(("token", "position", "segment"))
_SEVERAL = frozenset(("norm", "kernel", "out"))
"""Concepts of what a model has several of: one norm or two, one matrix or all, the output of this and of that."""


def _understood(context: Context, one: Judged) -> Judged | None:
    """A count that its component has in no way, where its row or sentence says of it and its model alone."""
    figure, document = one.figure, context.document
    if (
        figure is None
        or one.accused
        or one.verdict == "not a model figure"
        or not _counts(document, one, figure)
        or speaks_of(document, "adapters")
    ):
        return None
    clause = clause_of(document, one)
    said = _said(document, one, clause) if _is_named(context, one) else None
    if said is None or not is_plain(said.model) or cue("without").search(document.at(one).before(_NEAR)):
        return None
    sizes = {said.model.sizes.get(letter) for letter in "LA"}
    if any(number not in sizes for number in _numbers(clause)) or _fits_any(figure, said.model.sizes.values()):
        return None
    layered = cue("layered").search(clause) is not None
    if one.holds and one.exact is not None and one.account is not None and one.model is not None:
        alike = one.account.path == said.one.path and one.model.name != OWN
        if alike and one.model.sizes.get("V") != said.model.sizes.get("V"):
            return None  # of the name with another vocabulary, which the text states
    meant = [account for account in said.model.accounts if _is_of(said, account, layered)]
    once, always = _often(clause)
    if once != always and "[*]" in said.one.path:
        meant = [account for account in meant if said.is_of_all(account) == always]
    counts = [account.count for account in meant]
    counts += [total.count for total in said.model.totals]  # what has so many blocks, and what people call an encoder
    near = any(_NEARLY * distance(count, figure.value) < count for count in counts)
    if not meant or near or _fits_any(figure, counts) or context.rows.come_to(one):
        return None
    right = next((each for each in meant if each.path in said.names), meant[0])
    other = next((each for each in said.model.accounts if figure.fits(each.count) and not each.rest), None)
    return one.wrong(right, "" if other is None else f"it is the count of `{other.path}`", model=said.model)


def shares(context: Context, one: Judged, inner: bool = False) -> list[tuple[int, int]]:
    """The counts of the component that is named with a share, in all blocks, each with a total of its model.

    None where a word at it is not understood, or between the commas around it (`inner`); what is wholly meant is first.
    """
    clause = clause_of(context.document, one)
    clause = _inner(clause) if inner else clause
    said = _said(context.document, one, clause) if _is_named(context, one) else None
    if said is None or not is_plain(said.model) or [*_numbers(clause)] or cue("of_something_else").search(clause):
        return []  # of one layer, or what is used of it
    meant = [account for account in said.model.accounts if _is_of(said, account, layered=True)]
    meant = [account for account in meant if "[*]" not in account.path or said.is_of_all(account)]
    meant.sort(key=lambda account: account.path not in said.names)
    return [(account.count, total.count) for account in meant for total in said.model.totals]


def _inner(clause: str) -> str:
    """What is said right at a figure, between the commas around it: `so the tables are ◆ of the model, as expected`."""
    before, figure, behind = clause.partition(_FIGURE)
    return _COMMA.split(before)[-1] + figure + _COMMA.split(behind)[0]


def of_its_model(context: Context, one: Judged) -> Judged | None:
    """A total that a model has not, where nothing is said but that the model has so many parameters."""
    figure, document, mention = one.figure, context.document, one.scope.bound or _title(context.document, one)
    if figure is None or mention is None or not mention.models or not _counts(document, one, figure):
        return None
    said = (found[0].lower() for found in cue("plain").finditer(document.at(one).before(_LONGEST)))
    if document.at(one).tabled or (figure.unit != PARAMETERS and all(word == _FILE for word in said)):
        return None
    if not (_is_named(context, one) if one.scope.bound else _is_one_size(context, one, (mention,))):
        return None
    clause = cue("languages").sub(" ", clause_of(document, one, mention.models[0].dimensions))
    if _is_predicate(document, one, mention) and not any(cue(kind).search(clause) for kind in _OF_LESS):
        clause = _inner(clause)
    concepts = frozenset[str]().union(*(hit.concepts for hit in hits(clause)))
    if (
        concepts - {"whole"}
        or not is_understood(clause)
        or is_relative(document, mention)
        or is_part(document, one, mention)
    ):
        return None
    models = {*mention.candidates, *mention.others}
    sizes = {model.sizes.get(letter) for model in models for letter in "LA"}
    totals: list[Number] = [each.count for model in models for each in model.totals]
    totals += [stated.value for model in models for stated in model.published]
    if any(_NEARLY * distance(count, figure.value) < count for count in totals):
        return None
    if is_of_another_language(document, mention, figure):
        return None
    parts = (account.count for model in models for account in (*model.accounts, *model.variants))
    right = best_total(mention.models[0])
    if right is None or _fits_any(figure, parts) or any(number not in sizes for number in _numbers(clause)):
        return None
    return one.wrong(right, model=mention.models[0])


def _is_predicate(document: Document, one: Judged, mention: Mention) -> bool:
    """Whether a figure is what a model is said to have right behind its name: `BERT base has 110M, four bytes each`."""
    said = cue("before_total").fullmatch(document.plain.text, mention.end, one.start)
    return said is not None and _LETTERS.search(said[0]) is not None


def says_only(context: Context, one: Judged, besides: Iterable[re.Pattern[str]]) -> bool:
    """Whether nothing is said at a statement but some words, of one model that is named in its line."""
    clause = clause_of(context.document, one)
    for words in besides:
        clause = words.sub(" ", clause)
    whole = all(hit.concepts <= {"whole"} for hit in hits(clause))
    return one.scope.bound is not None and _is_named(context, one) and whole and is_understood(clause)


def _counts(document: Document, one: Judged, figure: Quantity) -> bool:
    """Whether a figure counts parameters, to two digits at least."""
    bare = not figure.unit and document.plain.text[figure.start : figure.number_end].isdigit() and not figure.scaled
    least = _LEAST_BARE if bare else LEAST
    return one.unit == PARAMETERS and figure.value >= least and (figure.exact or figure.figures > 1)


def _is_named(context: Context, one: Judged) -> bool:
    """Whether a name in the line of a statement says which model it is of, or the only name of the text does.

    Where that is one of several sizes, the text has counts of the one that is likeliest.
    """
    document, bound, mentions = context.document, one.scope.bound, context.document.mentions
    if bound is None or document.at(bound).number != document.at(one).number:
        said = mentions.found if len(mentions.named) == 1 and not document.unnamed else ()
    else:
        said = (bound,) if len(one.scope.row) == 1 and not is_relative(document, bound) else ()
    return _is_one_size(context, one, said)


def _is_one_size(context: Context, one: Judged, said: Sequence[Mention]) -> bool:
    """Whether names say which size of a model they are of, or the text has counts of the likeliest."""
    document = context.document
    if not said or any(_is_sized(document, mention) for mention in said):
        return False
    sizes = {(model.sizes.get("L"), model.sizes.get("H")) for mention in said for model in mention.candidates}
    known = {each.account for each in context.exact if each.holds}
    return len(sizes) == 1 or any(len(known & {*model.accounts}) > 1 for model in subject(document, one)[:1])


def _title(document: Document, one: Judged) -> Mention | None:
    """The name that is all that its heading says, or the line that its list follows: `Base model: bert-large`.

    An exact count is one that a program has printed of something that it has named so.
    """
    mention, at, layout = one.scope.above, document.at(one), document.layout
    if mention is None or one.exact is not None or is_relative(document, mention):
        return None
    title = document.at(mention).number
    between = range(title + 1, at.number)
    headed = title == layout.headings[at.number] and {layout.lines[number].kind for number in between} <= _PLAIN
    items = [_ITEM.match(layout.text(number)) is not None for number in (title, *between, at.number)]
    if not headed and (items[0] or not all(items[1:])):
        return None
    below = (size for size in document.sizes if 0 <= document.at(size).number - title <= _IN)
    if any(_is_of_another_size(mention, size) for size in below):
        return None  # `Layers: 6` under the name of one with 12
    line = layout.lines[title]
    said = _without_names(document, line.start, line.end)
    alone = len(document.mentions.between(line.start, line.end)) == 1
    return mention if alone and not _DIGIT.search(said) and is_understood(said) else None


def _is_of_another_size(mention: Mention, size: Size) -> bool:
    """Whether no model of a name has a size."""
    return all(model.sizes.get(size.letter, size.size) != size.size for model in mention.candidates)


def _is_sized(document: Document, mention: Mention) -> bool:
    """Whether a size stands at a name that makes it another one's: `large BERT`, `GPT-2 1.5B`."""
    text = document.plain.text
    before, behind = text[max(0, mention.start - _CLOSE) : mention.start], text[mention.end : mention.end + _CLOSE]
    return cue("size_before").search(before) is not None or cue("size_behind").match(behind) is not None


def is_plain(model: Model) -> bool:
    """Whether a model is a known one, and has one stack of blocks of which none is another one."""
    stacks = {account.path for account in model.accounts if account.path.endswith("block[*]")}
    return model.name != OWN and len(stacks) == 1


def clause_of(document: Document, one: Judged, sizes: Container[tuple[str, int]] = ()) -> str:
    """What is said at a figure, without it, names of models and sizes, `12-layer`: its row and what stands over it, or
    its sentence."""
    at, plain = document.at(one), document.plain.text
    first, last = max(at.line.start, one.start - _LONGEST), min(at.line.end, one.end + _LONGEST)
    if at.tabled:
        stretches = [(start, end) for start, end in at.line.cells if not start <= one.start < end]
        whole = (first, last) == (at.line.start, at.line.end)
    else:
        before = [found.end() for found in _ENDS.finditer(plain, first, one.start)]
        behind = _ENDS.search(plain, one.end, last)
        whole = (bool(before) or first == at.line.start) and (behind is not None or last == at.line.end)
        stretches = [(max(first, *before, 0), one.start), (one.end, behind.start() if behind else last)]
    if not whole:
        return _UNREAD
    said = [_without_names(document, *stretch, sizes) for stretch in stretches]
    return f" {_FIGURE} ".join(said) + " | " + at.header


def _without_names(document: Document, start: int, end: int, sizes: Container[tuple[str, int]] = ()) -> str:
    said, place, text = "", start, document.plain.text
    sized = (size for size in document.sizes if start <= size.start < end and (size.letter, size.size) in sizes)
    gaps = [(size.start, _SIZE_OF.match(text, size.end).end()) for size in sized]  # type: ignore[union-attr]
    gaps += [(mention.start, mention.end) for mention in document.mentions.between(start, end)]
    for first, last in sorted(gaps):
        said, place = said + text[place:first], max(place, last)
    return said + text[place:end]


def _said(document: Document, one: Judged, clause: str) -> Singled | None:
    """The component that a clause names, if every word of it is understood."""
    found = hits(clause)
    concepts = frozenset[str]().union(*(hit.concepts for hit in found)) - {"whole"}
    concepts -= {"kernel"} if concepts & _TABLES else set()  # which has no other matrix
    if not found or "whole" in found[0].concepts or concepts & _SEVERAL or not is_understood(clause):
        return None
    if concepts <= _BLOCKS:  # of no component that is named before: `attention: 2.36M per layer; 12 layers: 28.3M`
        plain = one.label.said <= neutral() | _BLOCKS
        return of_concepts(document, one, frozenset(("block",))) if plain else None
    return None if concepts <= neutral() - {"embedding"} else of_concepts(document, one, concepts)


def is_understood(clause: str) -> bool:
    """Whether every word of a clause names a component, or says nothing of what is counted."""
    left = clause
    for hit in hits(clause):
        words = _PARTED.split(clause[hit.start : hit.end])
        if len(words) > 1 and not all(map(concepts_in, words)):
            return False
        left = left[: hit.start] + " " * (hit.end - hit.start) + left[hit.end :]
    return _LETTERS.search(cue("says_nothing").sub(" ", left)) is None


def _numbers(clause: str) -> Iterator[int]:
    for found in _NUMBER.finditer(clause):
        digits = found[0].rstrip(".,")
        yield int(digits) if digits.isdigit() else 0


def _fits_any(figure: Quantity, counts: Iterable[Number]) -> bool:
    return any(figure.fits(count, True) is not None for count in counts)


def _often(clause: str) -> tuple[bool, bool]:
    """Whether a clause speaks of one block, and whether of all."""
    once = cue("of_one_block").search(clause) or cue("apiece").search(clause)
    return once is not None, cue("of_every_block").search(clause) is not None


def _is_of(said: Singled, account: Account, layered: bool) -> bool:
    """Whether an account is one of the component, also with others or without some of it."""
    path = said.one.path
    names = said.names | {path + ".kernel", path + ".kernel" + ALL}
    part = layered and "ff" in concepts_of(path) and account.path.startswith(path)  # two layers, each called so
    return part or _OTHERWISE.split(account.path)[0] in names or account.bare in names


understood = Table(lambda one: one.figure is not None, (_understood,))
"""What is wrong by the words at it alone."""
