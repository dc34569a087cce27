"""Step 5a: the models that a text names, each where it does, from `models.toml` and the models that people load."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from itertools import product
from string import ascii_letters, digits
from typing import Any

from reconcile.claims.structure.accounts import Account, accounts, tensors, totals
from reconcile.claims.structure.lexicon import table as lexicon
from reconcile.datafile import packaged
from reconcile.frozen import dataclass
from reconcile.known_model import KnownModel, named_models
from reconcile.quantity import JOINT, Number, Quantity, quantities

_MAKER = re.compile(r"[\w.-]{1,60}+/")
_LETTERS = f"{ascii_letters}{digits}_./{JOINT}-"
"""What names are made of."""
_LONGEST = 60
OWN = "the model of the text"
"""The name of a model that a text describes by its sizes."""
_BEHIND = 44
_OTHER = re.compile(r"[|,;]|\b(?:and|und|et|y|e|vs|versus|or|than)\b|\d[\d.]*\s?[mb]\b|和|与|と|와|과")
"""What ends the words that a name stands in, and begins those of another."""
_BEFORE = 28
_SHORT = 8
_ALIKE = re.compile(r"[-\x01 ](?:like|style|styled|sized|esque|ish|shaped|type)(?![a-z])")
_NUMBERED = re.compile(r"[a-z]\d{1,2}(?![\d.bmx])|[a-z][-_](?:\d{1,2}|\d\.\d+m)$")
"""What goes on behind a name that is that of a model with so many layers, or trained so long: `DistilBERT4`."""
_TIMES = frozenset("×*·")
"""What makes a number behind a name one of experts: `Mixtral-8×7B`."""
_WIDE = re.compile(r"[-_]h[-_]?(\d{3,5})$")
_IN_THE_PLACE = re.compile(r"^[\s\x01|*-]*(?:tokeni[sz]er|vocab(?:ulary)?|teacher)[\s\x01*]*[:|=][\s\x01*`]*$", re.M)
"""What makes a name in a row that of what a model has of another one: `Tokenizer | GPT-2`."""
"""What makes of a name another model's that is like it."""


_CASED = re.compile(r"(?:[ ,(_-]{1,3}(?:base|large|multilingual|english|model))*[ ,(_-]{1,3}(?:un)?cased\b")
"""What behind a name says of which of two releases it is: `mBERT (cased)`."""


@dataclass(frozen=True)
class Model:
    """A model with its name: one with an architecture and dimensions, or one of which only totals are known.

    `lacks` are patterns of the components of its architecture that it has not; `published` and `mistaken` are figures
    that are no count of it, these with why people take them for one.
    """

    name: str
    architecture: str = ""
    dimensions: frozenset[tuple[str, int]] = frozenset()
    counted: tuple[tuple[str, int], ...] = ()
    published: tuple[Quantity, ...] = ()
    mistaken: tuple[tuple[Number, str], ...] = ()
    lacks: tuple[str, ...] = ()

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """Its dimensions by their letters."""
        return dict(self.dimensions)

    @cached_property
    def accounts(self) -> tuple[Account, ...]:
        """Everything that it can be counted by."""
        own = tuple(Account(path, count, total=path != lexicon()["tables"]["words"]) for path, count in self.counted)
        if not self.architecture:
            return own
        parts = accounts(self.architecture, self.dimensions, self.lacks)
        return (*own, *filter(_of_blocks, parts)) if own else parts

    @property
    def tensors(self) -> tuple[str, ...]:
        """The paths of its tensors in their order."""
        return tensors(self.architecture, self.dimensions, self.lacks)

    @cached_property
    def counts(self) -> frozenset[int]:
        """The counts of its accounts."""
        return frozenset(account.count for account in self.accounts)

    @cached_property
    def paths(self) -> frozenset[tuple[str, int]]:
        """The paths of its accounts with their counts."""
        return frozenset((account.path, account.count) for account in self.accounts)

    @cached_property
    def totals(self) -> tuple[Account, ...]:
        """The totals that are quoted for it, the likeliest first."""
        return tuple(account for account in self._wholes if " " not in account.path)

    @cached_property
    def variants(self) -> tuple[Account, ...]:
        """Totals of it with something left out, or with a matrix of their own where two are one."""
        return tuple(account for account in self._wholes if " " in account.path)

    @cached_property
    def saved(self) -> int:
        """What a checkpoint of it has that was saved with a mask of all positions in each block; 0 where none was."""
        masked = self.architecture in packaged("claims", "models")["saved"]["with_masks"]
        masks = self.sizes.get("L", 0) * self.sizes.get("P", 0) ** 2
        return self.totals[0].count + masks if masked and masks and self.totals else 0

    @cached_property
    def _wholes(self) -> tuple[Account, ...]:
        counted = self.counted or not self.architecture
        found = self.accounts if counted else totals(self.architecture, self.dimensions, self.lacks)
        return tuple(account for account in found if account.total)


def _of_blocks(account: Account) -> bool:
    """Whether an account is of what models of pictures have as well: blocks, the norm behind them, positions."""
    return account.path.startswith(tuple(packaged("claims", "counted")["pictures"]["has"]))


@dataclass(frozen=True, eq=False)
class Releases:
    """The releases that a name stands for, the likeliest first, and others that it may mean."""

    models: tuple[Model, ...]
    others: tuple[Model, ...]

    @cached_property
    def candidates(self) -> tuple[Model, ...]:
        """All of them."""
        return *self.models, *self.others


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


@lru_cache(maxsize=2**8)
def releases(likeliest: tuple[Model, ...], others: tuple[Model, ...] = ()) -> Releases:
    """The releases that a name stands for in a text, made once."""
    return Releases(likeliest, others)


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
            another = (len(before) > 1 and before.isalpha()) or _ALIKE.search(stretch[first:][: last - first + _SHORT])
            another = another or _IN_THE_PLACE.match(small, line, start + first)
            if another and row.models:  # `KoELECTRA-small` and a `Mistral-7B-like` model are others
                row = releases((), row.candidates)
            found.append(Mention(start + first, end, name, row, kinds))
    said = {model for mention in found for model in mention.models}
    return tuple(_of_longer(_of_family(mention, said), found) for mention in found)


def _of_longer(mention: Mention, every: Iterable[Mention]) -> Mention:
    """A name that stands for no model, `ViT`, as what may be the only model whose name in the text begins with it."""
    if mention.candidates != (_UNKNOWN,):
        return mention
    short = re.compile(rf"{re.escape(mention.name)}[-_/ ]?[a-z]", re.I)  # and no `GPT-2`
    longer = (one for one in every if one.models != (_UNKNOWN,) and short.match(one.name))
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
    row = _rows()[int((found.lastgroup or "")[1:])]
    size = _sizes().match(plain, found.end())
    if size is not None and not any(_has_word(model.name, size[1]) for model in row.candidates):
        row = Releases((_UNKNOWN,), ())  # `RoBERTa-small`, of which no total is known
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


def contradicts(model: Model, kinds: Iterable[str]) -> bool:
    """Whether a model is another release than is said."""
    return not all(re.search(rf"(?<![a-z]){kind}", model.name) for kind in kinds)


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
    return re.compile("|".join(f"(?P<r{number}>{row['says']})" for number, row in enumerate(_written())))


@cache
def _written() -> tuple[Mapping[str, Any], ...]:
    """The rows of names, those with sizes in them first."""
    table = packaged("claims", "models")
    sized = ((name, re.fullmatch(table["sized"]["is"], name)) for name in _named())
    first = ({"says": table["sized"]["says"].format(*found.groups()), "is": [name]} for name, found in sized if found)
    return (*first, *table["model"])


@cache
def _rows() -> tuple[Releases, ...]:
    return tuple(map(_row, _written()))


def _row(row: Mapping[str, Any]) -> Releases:
    published = tuple(figure for text in row.get("published", ()) for figure in quantities(text))
    wrong = row.get("mistaken", {}).items()
    mistaken = tuple((figure.value, says) for text, says in wrong for figure in quantities(text))
    first = tuple(replace(_named()[name], published=published, mistaken=mistaken) for name in row["is"])
    others = tuple(_named()[name] for name in row.get("also", ()))
    if row.get("loose"):
        return Releases((), (*first, *others))
    return Releases(first or (() if others else (_UNKNOWN,)), others)


def with_vocabulary(model: Model, size: int) -> Model:
    """A model with another vocabulary."""
    name = model.name if model.name == OWN else f"{model.name}, V = {size:,}"
    return replace(model, name=name, dimensions=frozenset({**model.sizes, "V": size}.items()))


def without_biases(own: Iterable[Model], named: Iterable[Model], free: bool) -> Iterator[Model]:
    """Models as they are without biases in their layers, and without those of their norms too: the own ones of a text
    that is `free` of them; without those of query, key and value all that textbooks build so."""
    architectures = packaged("claims", "models")["taught"]["architectures"]
    taught = (model for model in (*own, *named) if model.architecture in architectures)
    every = (*product(own, _BARE if free else ()), *product(taught, _BARE if free else _BARE[-1:]))
    for model, (said, lacks) in every:
        if not model.lacks:
            yield replace(model, name=f"{model.name} without {said}", lacks=lacks)


_BARE = (
    ("biases", ("**.bias",)),
    ("biases, of norms neither", ("**.bias", "**.beta")),
    ("biases of query, key and value", ("**.query.bias", "**.key.bias", "**.value.bias")),
)
_UNKNOWN = Model("another model")
"""What a name stands for of which no total is known."""


@cache
def _named() -> Mapping[str, Model]:
    """The models that people load and those of other architectures that were counted, by their names."""
    table = packaged("claims", "counted")
    counted = (
        Model(
            row["name"],
            **_blocks(row, table["pictures"]),
            counted=(*row["totals"].items(), *_token_table(row, table)),
        )
        for row in table["model"]
    )
    return {model.name: model for model in (*map(of_known, named_models()), *counted)}


def _blocks(row: Mapping[str, Any], pictures: Mapping[str, Any]) -> Mapping[str, Any]:
    """The architecture of the blocks of a model of pictures, with the dimensions of these; nothing for other models."""
    settings = row.get("settings", {})
    if pictures["patch"] not in settings or not settings.keys() >= {*pictures["sizes"].values()}:
        return {}
    sizes = {letter: settings[key] for letter, key in pictures["sizes"].items()}
    positions = (pictures["side"] // settings[pictures["patch"]]) ** 2 + 1
    dimensions = frozenset({**sizes, "D": sizes["H"] // sizes["A"], "P": positions, "T": 0}.items())
    lacks = tuple(pictures["lacks"])
    return {"architecture": pictures["architecture"], "dimensions": dimensions, "lacks": lacks}


def _token_table(row: Mapping[str, Any], table: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """The count of the token embedding, where the settings that a model was counted with have its two sides."""
    settings = {**table["shared"].get(row.get("shared"), {}), **row.get("settings", {})}
    vocabulary, width = (next(filter(None, map(settings.get, keys)), 0) for keys in table["token_embedding"])
    if vocabulary and width:
        yield lexicon()["tables"]["words"], vocabulary * width


def of_known(model: KnownModel) -> Model:
    """A model that people load, as a model of a text."""
    return Model(model.name, model.architecture, frozenset(model.dimensions.items()), lacks=model.lacks)


@cache
def every_model() -> tuple[Model, ...]:
    """All models that are known, those of the rows first, each once."""
    found: dict[str, Model] = {}
    said = (model for row in _rows() for model in (*row.models, *row.others) if model is not _UNKNOWN)
    for model in (*said, *_named().values()):
        found.setdefault(model.name, model)
    return tuple(found.values())


def sizes_of(architecture: str) -> frozenset[int]:
    """The widths of the models of an architecture that are known: those of blocks, and of their feed-forwards."""
    return _widths().get(architecture, frozenset())


@cache
def every_width() -> frozenset[int]:
    """The widths that models of all architectures have."""
    return frozenset().union(*_widths().values())


@cache
def _widths() -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for model in every_model():
        found.setdefault(model.architecture, set()).update(model.sizes.get(letter, 0) for letter in "HF")
    return {name: frozenset(sizes - {0}) for name, sizes in found.items()}


@cache
def every_total() -> Mapping[int, tuple[tuple[Model, Account], ...]]:
    """The models and totals that have a count, for all models that are known."""
    found: dict[int, list[tuple[Model, Account]]] = {}
    for model in every_model():
        for account in model.totals:
            found.setdefault(account.count, []).append((model, account))
    return {count: tuple(these) for count, these in found.items()}
