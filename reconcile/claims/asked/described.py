"""Step 7: what a model has that a text asks about and describes by its sizes: its blocks, tables and totals."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from reconcile.claims.asked.beside import beside
from reconcile.claims.judgement.cues import READ, matrices_said, models_of
from reconcile.claims.structure.document import VOCABULARIES, Document
from reconcile.claims.structure.lexicon import table as lexicon
from reconcile.claims.structure.models import OWN, Model
from reconcile.frozen import dataclass
from reconcile.phrases import number
from reconcile.quantity import JOINT, quantities
from reconcile.taxonomy import load_architecture

MOST = 3
"""Models that are told."""
MOST_TOTALS = 4
_LEAST_SETTINGS = 4
_ASKS = re.compile(r"[?？](?=[\s\"')*\x01]|$)")
_SETTING = re.compile(
    rf"(?<![\w.])([A-Za-z_]{{2,40}})[ \"'{JOINT}]{{0,3}}:[ {JOINT}]{{0,3}}(\d{{1,10}}|true|false)"
    rf"(?=[ {JOINT}]*(?:[,;)}}\n]|\.(?!\d)|$))",
    re.IGNORECASE,
)
_OWN_SIZES = frozenset("VHLF")
"""Sizes that a configuration has to state itself."""
_GAP = 80
"""Letters between two settings of one configuration."""


@dataclass(frozen=True, slots=True)
class _Told:
    """A model, and what a token uses of it where that is not all."""

    model: Model
    active: int | None = None


def described(document: Document) -> tuple[str, ...]:
    """A line for each model whose sizes a text states that asks: what its parts and totals are at these sizes."""
    if not _ASKS.search(document.plain.text):
        return ()
    found: dict[frozenset[tuple[str, int]], _Told] = {}
    configured = list(_configured(document))
    for told in (*configured, *map(_Told, _stated(document))):
        sizes = told.model.sizes
        shape = frozenset((letter, sizes.get(letter, 0)) for letter in "HLFVX")
        if shape not in found and not any(_same(told.model, one.model) for one in found.values()):
            found[shape] = told
    lines = (
        *(line for told in found.values() if (line := _line(told))),
        *dict.fromkeys(_resized(document)),
        *beside(document),
    )
    return tuple(islice(lines, MOST))


def _resized(document: Document) -> Iterator[str]:
    """What a named model has with a token table of another length that the text shows."""
    words = lexicon()["tables"]["words"]
    models = [mention.candidates[0] for mention in document.mentions.found if mention.candidates]
    for rows, width in matrices_said(document.plain.text):
        for model in models if rows in VOCABULARIES else ():
            table = next((account.count for account in model.accounts if account.path == words), 0)
            own, left = divmod(table, width)
            total = model.totals[0] if model.totals else None
            wide = not model.architecture or width in (model.sizes.get("H"), model.sizes.get("E"))
            if total is None or left or own == rows or own not in VOCABULARIES or not wide:
                continue
            more = (rows - own) * width
            yield (
                f"{model.name} with {number(rows)} words and not {number(own)} has {number(abs(more))} "
                f"{'more' if more > 0 else 'fewer'}: `{total.path}` {number(total.count)} "
                f"{'+' if more > 0 else '-'} {number(abs(rows - own))}·{number(width)} = {number(total.count + more)}, "
                f"with one token table, {number(rows)}·{number(width)} = {number(rows * width)}, that is counted once"
            )


def _same(one: Model, other: Model) -> bool:
    """Whether one model is said twice: they have totals in common, or width and depth in two architectures."""
    if one.architecture != other.architecture:
        return all(one.sizes.get(letter) == other.sizes.get(letter) for letter in "HL")
    return bool({total.count for total in one.totals} & {total.count for total in other.totals})


def _stated(document: Document) -> Iterator[Model]:
    """The models of a text whose width and depth it states, those that are described by nothing else first."""
    stated = {(size.letter, size.size) for size in document.sizes}
    rows = {document.layout.at(mention.start, mention.end).number for mention in document.mentions.found}
    figures = [{one.value for one in quantities(document.layout.text(row))} for row in rows]
    second = {one for mention in document.mentions.found for one in mention.candidates[1:]}
    first = {one for mention in document.mentions.found for one in mention.candidates[:1]}
    second -= first
    for model in models_of(document):
        own = {(letter, model.sizes[letter]) for letter in "HLF" if letter in model.sizes}
        in_row = len(own) == len("HLF") and any({size for _, size in own} <= these for these in figures)
        both = {one for one in own if one[0] != "F"}
        other = any(not one.built or _may_be(model, one, document) for one in first)
        if model.name == OWN and other:  # the sizes of a model that is named, or of one that has no formulas here
            continue
        if model not in second and len(both) == len("HL") and (both <= stated or in_row):
            yield model


def _may_be(own: Model, named: Model, document: Document) -> bool:
    """Whether a text's sizes are those of a model that it names, but for what was taken as usual."""
    alike = own.architecture == named.architecture and all(own.sizes.get(one) == named.sizes.get(one) for one in "HLF")
    return alike and (not document.vocabularies or named.sizes.get("V") in document.vocabularies)


def _configured(document: Document) -> Iterator[_Told]:
    """The models whose configurations are in a text, or parts of them that suffice."""
    text = document.plain.text[:READ]
    table: dict[str, int | bool] = {}
    last = 0
    for match in _SETTING.finditer(text):
        if table and match.start() - last > _GAP:
            yield from _of_settings(document, table)
            table = {}
        value = match[2].lower()
        table[match[1]] = value == "true" if value in ("true", "false") else int(value)
        last = match.end()
    yield from _of_settings(document, table)


def _of_settings(document: Document, table: Mapping[str, int | bool]) -> Iterator[_Told]:
    """The model of some settings: of the architecture that the text names, or whose keys they are."""
    if len(table) < _LEAST_SETTINGS:
        return
    from reconcile.errors import ReconcileError
    from reconcile.sources.config import read_config
    from reconcile.sources.config_keys import known_configs

    named = {model.architecture for mention in document.mentions.found for model in mention.candidates}
    keys = {
        one.name: len(one.dimensions.keys() & table) for one in known_configs().values() if one.architecture in named
    }
    fitting = [name for name in keys if keys[name] >= _LEAST_SETTINGS]
    unnamed = () if named - {""} else ("",)
    for name in (*sorted(fitting, key=lambda name: -keys[name]), *unnamed):
        try:
            config = read_config({**table, **({"model_type": name} if name else {})}, "the text")
        except ReconcileError:
            continue
        if config.defaulted & _OWN_SIZES:
            continue
        sizes = frozenset((letter, size) for letter, size in config.dimensions.items() if size is not None)
        alike = (model for model in models_of(document) if model.architecture == config.architecture)
        known = next((one.name for one in alike if one.dimensions == sizes), "the model of these settings")
        yield _Told(Model(known, config.architecture, sizes, lacks=config.absent), _active(config.architecture, sizes))
        return


def _active(architecture: str, sizes: frozenset[tuple[str, int]]) -> int | None:
    """What one token uses of a mixture of experts."""
    from reconcile.costing.experts import experts
    from reconcile.costing.models import of_sizes

    model = of_sizes("", architecture, dict(sizes))
    found = experts(model) if model is not None else None
    return found.active if found is not None else None


def _line(told: _Told) -> str:
    """`BERT base: embeddings 23,837,184, 12 × 7,087,872 = 85,054,464 of encoder.block, ..., in all 109,482,240`."""
    model = told.model
    if not model.totals:
        return ""
    tree = load_architecture(model.architecture)
    counts = {account.path: account.count for account in model.accounts}
    said = ", ".join(f"{letter} = {number(model.sizes[letter])}" for letter in tree.dimensions if letter in model.sizes)
    words = lexicon()["tables"]["words"]
    parts = [f"`{path}` {number(counts[path])}" for path in (words, words.partition(".")[0]) if path in counts]
    parts += list(_blocks(model, counts))
    totals = {account.count: account.path for account in reversed(model.totals[:MOST_TOTALS])}
    parts += [f"`{path}` {number(count)}" for count, path in reversed(totals.items())]
    variants = {one.count: one.path for one in reversed(model.variants) if " + " in one.path}
    parts += [f"`{path}` {number(count)}" for count, path in list(reversed(variants.items()))[:1]]
    if told.active:
        parts.append(f"{number(told.active)} of them for one token")
    name = f"a model of the text's sizes, as {tree.title} has them," if model.name == OWN else model.name
    return f"{name} at {said} has: " + "; ".join(parts)


def _blocks(model: Model, counts: Mapping[str, int]) -> Iterator[str]:
    for repetition in load_architecture(model.architecture).repetitions:
        one, times = counts.get(f"{repetition.head}[*]"), repetition.times.value(model.sizes)
        if one and times:
            yield f"{times} × `{repetition.head}` of {number(one)} = {number(times * one)}"
