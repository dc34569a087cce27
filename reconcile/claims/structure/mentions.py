"""Step 5a: the models that a text names, each where it does."""

import re
from collections.abc import Container, Iterable
from dataclasses import replace
from functools import cache, lru_cache
from string import ascii_letters, digits

from reconcile.claims.structure.catalogue import UNKNOWN, Releases, releases, rows, written
from reconcile.claims.structure.models import Model, contradicts
from reconcile.datafile import packaged
from reconcile.frozen import dataclass
from reconcile.quantity import JOINT

_MAKER = re.compile(r"[\w.-]{1,60}+/")
_LETTERS = f"{ascii_letters}{digits}_./{JOINT}-"
"""What names are made of."""
_LONGEST = 60
_BEHIND = 44
_OTHER = re.compile(r"[|,;]|\b(?:and|und|et|y|e|vs|versus|or|than)\b|\d[\d.]*\s?[mb]\b|和|与|と|와|과")
"""What ends the words that a name stands in, and begins those of another."""
_BEFORE = 28
_SHORT = 8
_ALIKE = re.compile(r"[-\x01 ](?:like|style|styled|sized|esque|ish|shaped|type)(?![a-z])")
"""What makes of a name another model's that is like it."""
_WRAPPED = re.compile(r"(?:(?:encoder|decoder|text|vision)model[\s\x01(`]{1,3}|klue/)\Z")
"""What makes of a name a part of its model, `T5EncoderModel t5-base`, or one in another language."""
_LEADS = re.compile(
    "[个個的用是和与與或及跟在对把将让比即如像以从到给于为占有看算说里上下这该其原の은는과와의를을이가로はがとでをもやに]"
)
"""A sign of scripts without blanks that leads to a name and is no part of it: in `占BERT`, but not in `東北大BERT`."""
_NUMBERED = re.compile(r"[a-z]\d{1,2}(?![\d.bmx])|[a-z][-_](?:\d{1,2}|\d\.\d+m)$")
"""What goes on behind a name that is that of a model with so many layers, or trained so long: `DistilBERT4`."""
_TIMES = frozenset("×*·")
"""What makes a number behind a name one of experts: `Mixtral-8×7B`."""
_WIDE = re.compile(r"[-_]h[-_]?(\d{3,5})$")
_IN_THE_PLACE = re.compile(r"^[\s\x01|*-]*(?:tokeni[sz]er|vocab(?:ulary)?|teacher)[\s\x01*]*[:|=][\s\x01*`]*$", re.M)
"""What makes a name in a row that of what a model has of another one: `Tokenizer | GPT-2`."""
_CASED = re.compile(r"(?:[ ,(_-]{1,3}(?:base|large|multilingual|english|model))*[ ,(_-]{1,3}(?:un)?cased\b")
"""What behind a name says of which of two releases it is: `mBERT (cased)`."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name from `start` to `end` with what it stands for; `kinds` is what itself says of that, such as a language."""

    start: int
    end: int
    name: str
    releases: Releases
    kinds: frozenset[str] = frozenset()

    @property
    def models(self) -> tuple[Model, ...]:
        return self.releases.models

    @property
    def others(self) -> tuple[Model, ...]:
        return self.releases.others

    @property
    def candidates(self) -> tuple[Model, ...]:
        return self.releases.candidates


@lru_cache(maxsize=2**10)
def _of_kinds(row: Releases, kinds: frozenset[str]) -> Releases:
    """Those of a row that agree with the kinds that are said; without any of them, as the row has it."""
    wanted = kinds - {"uncased", "cased"} or kinds
    fitting = tuple(model for model in row.candidates if wanted and not contradicts(model, wanted))
    cased = tuple(model for model in fitting if not contradicts(model, kinds))
    if not fitting:
        return row
    return Releases(cased or fitting, tuple(model for model in fitting if cased and model not in cased))


def mentions(text: str) -> tuple[Mention, ...]:
    """The names of models in a text, in order, none inside of another."""
    found: list[Mention] = []
    end = 0
    small = text.lower()
    small = small if len(small) == len(text) else text
    for begin in _begins().finditer(small):
        maker = _MAKER.match(small, begin.start())
        if begin.start() < end or (maker and _begins().match(small, maker.end())):
            continue  # `meta-llama/Llama-3-8B` is no `llama` of whatever size
        own = small[max(end, begin.start() - _LONGEST) : begin.start()]  # `google-bert/bert-base-uncased` is one
        start = begin.start() - len(own) + len(own.rstrip(_LETTERS.replace("/", "")))
        line = small.rfind("\n", 0, start) + 1
        stretch = small[start : begin.end() + _BEHIND].partition("\n")[0]
        if (known := _recognised(stretch)) is not None:
            first, last, row, near = known
            row = _of_kinds(row, _kinds_in(small[max(line, start - _BEFORE, end) : start] + near))
            end, name = start + last, text[start + first : start + last]
            kinds = _kinds_in(name.lower())
            cased = kinds & {"cased", "uncased"} or _CASED.match(small, end)
            row = Releases(row.models, ()) if cased and row.models else row
            before = text[max(start + first - 1, 0) : start + first + 1]
            joined = len(before) > 1 and before.isalpha() and not _LEADS.match(before)
            joined = joined or _WRAPPED.search(small, max(line, start + first - _BEFORE), start + first) is not None
            alike = _ALIKE.search(stretch[first:][: last - first + _SHORT])
            another = joined or alike or _IN_THE_PLACE.match(small, line, start + first)
            if another and row.models:  # `KoELECTRA-small` and a `Mistral-7B-like` model are others
                row = releases((), row.candidates)
            found.append(Mention(start + first, end, name, row, kinds))
    said = {model for mention in found for model in mention.models}
    return tuple(_of_longer(_of_family(mention, said), found) for mention in found)


def _of_longer(mention: Mention, every: Iterable[Mention]) -> Mention:
    """A name that stands for no model, `ViT`, as what may be the only model whose name in the text begins with it."""
    if mention.candidates != (UNKNOWN,):
        return mention
    short = re.compile(rf"{re.escape(mention.name)}[-_/ ]?[a-z]", re.I)  # and no `GPT-2`
    longer = (one for one in every if one.models != (UNKNOWN,) and short.match(one.name))
    named = {one.models[:1]: one.candidates for one in longer}
    return replace(mention, releases=releases((), *named.values())) if len(named) == 1 else mention


def _of_family(mention: Mention, said: Container[Model]) -> Mention:
    """A name of a family, `Llama`, as likeliest that of the only one of its models that the text names otherwise."""
    named = tuple(model for model in mention.others if model in said)
    if mention.models or len(named) != 1:
        return mention
    return replace(mention, releases=releases(named, tuple(model for model in mention.others if model not in named)))


@lru_cache(maxsize=2**13)
def _recognised(stretch: str) -> tuple[int, int, Releases, str] | None:
    """Where the name at the begin of a stretch begins and ends, its row, and the words that may tell its kind."""
    plain = stretch.replace(JOINT, " ")
    found = _says().search(plain)
    if not found or found.start() > len(stretch) - len(stretch.lstrip(_LETTERS)):
        return None
    last = len(plain) - len(plain[found.end() :].lstrip(_LETTERS))
    if (apposed := _apposed().match(plain, last)) and not _begins().search(apposed["next"]):
        plain, last = plain[:last] + plain[last:].replace(",", " ", 1), apposed.end("kinds")
    near = plain[:last] + _OTHER.split(plain[last : last + 24])[0]
    end = max(found.end(), len(plain[:last].rstrip(".,/ ")))
    row = rows()[int((found.lastgroup or "")[1:])]
    size = _sizes().match(plain, found.end())
    if size is not None and not any(_has_word(model.name, size[1]) for model in row.candidates):
        row = Releases((UNKNOWN,), ())  # `RoBERTa-small`, of which no total is known
    if row.models and plain[end : end + 1] not in _TIMES and _is_numbered(plain[found.end() - 1 : end].lower(), row):
        row = releases((), row.candidates)
    return found.start(), end, row, near


def _is_numbered(rest: str, row: Releases) -> bool:
    """Whether a name goes on with a number of its own, or with another width: `DistilBERT4`, `MiniLM-L6-H768`."""
    width, number = _WIDE.search(rest), _NUMBERED.match(rest)
    if number is not None:
        layers = re.sub(r"\D", "", number[0])
        return all(str(model.sizes.get("L")) != layers for model in row.models)
    return width is not None and all(model.sizes.get("H") != int(width[1]) for model in row.models)


def _has_word(name: str, word: str) -> bool:
    return re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", name.lower()) is not None


@lru_cache(maxsize=2**13)
def _kinds_in(words: str) -> frozenset[str]:
    return frozenset(kind for kind, says in _kinds() if says.search(words))


@cache
def _begins() -> re.Pattern[str]:
    return re.compile("|".join(re.escape(word) for word in packaged("claims", "models")["names"]["begins"]))


@cache
def _kinds() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(says)) for kind, says in packaged("claims", "models")["kinds"].items())


@cache
def _sizes() -> re.Pattern[str]:
    """A size right behind a name."""
    return re.compile(packaged("claims", "models")["names"]["sizes"])


@cache
def _apposed() -> re.Pattern[str]:
    """What says the kind of a name behind a comma: `BERT-Base, Multilingual Cased`."""
    says = "|".join(packaged("claims", "models")["kinds"].values())
    return re.compile(rf", ?(?P<kinds>(?:{says})(?:[ -](?:{says}))*)(?![a-z])(?P<next>[ -]*\w*)")


@cache
def _says() -> re.Pattern[str]:
    """The names of all rows as one pattern, of which the group tells the row."""
    return re.compile("|".join(f"(?P<r{number}>{row['says']})" for number, row in enumerate(written())))
