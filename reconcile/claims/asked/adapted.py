"""Step 6g: adapters whose rank and modules a text states, held against their count."""

import re
from collections.abc import Iterator, Mapping, Sequence

from reconcile.claims.judgement.cues import MOST_MODELS, READ, models_of, rank_at, sizes_said, speaks_of
from reconcile.claims.judgement.judged import ADAPTERS, Judged
from reconcile.claims.judgement.singled import words
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import concepts_in, concepts_of, cue, hits, neutral
from reconcile.claims.structure.models import Model
from reconcile.frozen import dataclass
from reconcile.phrases import listed

_BESIDE = "the adapter of this matrix has {right}, it is of other sizes"
_BLOCK = "block[*]."
_COMMENT = re.compile(r"#.*")
_LOADED = re.compile(r"from_pretrained\(\s*[\"'][^\"'\n]{1,100}")
_NAME = re.compile(r"[\w.]+")
_QUOTED = re.compile(r"[\"']([\w.]+)[\"']")
_SENTENCES = re.compile(r"(?<=[.;])\s|[。\n]")
_LEAVES = frozenset(("query", "key", "value", "up", "down", "gate"))
"""What is said of single matrices."""
_MOST_TIMES = 16
_CALL = 400
"""Letters between the rank that code sets and the modules that it names."""
_FUSED, _TOGETHER, _DOWN = "qkv", frozenset(("query", "key", "value")), "down"
"""A module of three matrices in one, and what these are."""


_ALIKE = "c_proj"
"""What GPT-2 calls the output of its attention, and that of its feed-forward: code that names it means both."""
_Config = tuple[int, int, frozenset[str]]
"""Where code sets adapters, with the rank and the modules that it names."""


@dataclass(frozen=True, slots=True)
class _Stated:
    """The rank that a text states, the parameters of rank 1 beside the matrices that it names, and these in words.

    `blocks` and `heads` are how many blocks the model has, and heads in each; `each` has the concepts of every
    matrix, and the parameters beside it in one block; `square` are those beside one as wide as the model; `others`
    are the usual choices of matrices in words, with the parameters of rank 1.
    """

    rank: int
    one: int
    beside: str
    blocks: int
    heads: int
    each: tuple[tuple[frozenset[str], int], ...]
    square: int
    others: tuple[tuple[str, int], ...]


def adapted(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; what is said to be trained is right as the adapters that the text states, or of another rank."""
    if not speaks_of(document, "adapters"):
        return every
    stated = _stated(document)
    if stated is None:
        configs = tuple(_configs(document))
        return _with_their_models(document, tuple(_printed(document, one, configs) for one in every))
    every = tuple(_beside_one(one, stated) for one in every)
    wrong = {one.exact: one for one in every if one.accused and one.why == _BESIDE}
    every = tuple(_judged(document, _in_layer(one, stated, wrong), stated) for one in every)
    return _with_their_models(document, every)


def _printed(document: Document, one: Judged, configs: Sequence[_Config]) -> Judged:
    """What is said to be trained, by the settings right above it where a text has several."""
    if one.figure is None or not _is_said(document, one):
        return one
    tried = [_judged(document, one, stated) for stated in _in_force(document, one, configs)]
    return next((made for made in tried if made.holds), next((made for made in tried if made.accused), one))


def _in_force(document: Document, one: Judged, configs: Sequence[_Config]) -> list[_Stated]:
    """The adapters that the code right above a statement sets, in each model named above, the nearest first."""
    above = [config for config in configs if config[0] < one.start]
    if not above or rank_at(document, one) != above[-1][1]:
        return []
    named = [mention.candidates for mention in reversed(document.mentions.found) if mention.end <= one.start]
    models = [*([document.given] if document.given else []), *(candidates[0] for candidates in named if candidates)]
    nearest = [model for model in dict.fromkeys(models) if model.architecture][:MOST_MODELS]
    found = (_adapters(model, *above[-1][1:], coded=True) for model in nearest)
    return [stated for stated in found if stated is not None]


def _with_their_models(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; what is a model with adapters of which the count is wrong carries that on."""
    wrong = [one for one in every if one.accused and one.why.startswith(ADAPTERS)]
    totals = {total.count for model in models_of(document) for total in model.totals} if wrong else set()

    def carried(one: Judged) -> Judged:
        if one.accused or one.holds:
            return one
        line = document.at(one).number
        above = (of for of in wrong if document.at(of).number <= line)  # before it other settings are in force
        apart = {of: (one.exact or 0) - (of.exact or 0) for of in above}
        root = next((of for of, rest in apart.items() if rest in totals), None)
        return one if root is None else one.wrong(apart[root] + (root.expected or 0), root=root)

    return tuple(map(carried, every)) if wrong else every


def unlike(document: Document, one: Judged, count: int) -> bool:
    """Whether adapters of a count are not those of the modules that the code above a statement sets."""
    if not cue("target_modules").search(document.plain.given, 0, READ):
        return False
    stated = _stated(document)
    every = [stated] if stated else _in_force(document, one, tuple(_configs(document)))
    return all(stated.rank * stated.one != count for stated in every)


def _beside_one(one: Judged, stated: _Stated) -> Judged:
    """What is worked out for the adapter of the matrix that its label names: of the sizes of that, or of another."""
    if one.side is None or stated.rank not in one.factors or one.accused or one.side.node.operation != "sum":
        return one
    of = [count for concepts, count in stated.each if concepts & one.label.own]
    if len(of) != 1 or one.exact not in {count for _, count in stated.each} | {stated.square}:
        return one
    return one.right(f"{ADAPTERS}{stated.rank}", account=None) if one.exact == of[0] else one.wrong(of[0], _BESIDE)


def _in_layer(one: Judged, stated: _Stated, wrong: Mapping[int | None, Judged]) -> Judged:
    """All adapters of a layer, as often as there are matrices what one of them has wrongly."""
    counts = (count for count in one.factors if isinstance(count, int) and one.exact == len(stated.each) * count)
    root = next((wrong[count] for count in counts if count in wrong), None)
    right = sum(count for _, count in stated.each)
    return one if root is None or one.accused or one.exact == right else one.wrong(right, root=root)


def _judged(document: Document, one: Judged, stated: _Stated) -> Judged:
    if not one.exact or one.unit not in ("", "params") or one.accused or "head" in one.label.own:
        return one
    before, behind = words(document, one)
    if cue("classifier").search(before):
        return one
    behind = _behind(document, one, behind)
    every = stated.rank * stated.one
    said = _is_said(document, one)
    if said and _is_of_unknown(document, one):
        return one
    if (
        one.sides
        and not document.index.of(one.exact)
        and (times := _times(one, every, stated, "in all layers")).accused
    ):
        return times
    layer = not said and one.figure is None and stated.rank > 1 and cue("of_one").match(behind.lstrip(" *`\x01("))
    if layer and every % stated.blocks == 0:
        return _times(one, every // stated.blocks, stated, "in each layer")
    if not said:
        return one
    right = every
    if one.exact == right:
        return one.right(f"{ADAPTERS}{stated.rank} beside {stated.beside}")
    if (times := _times(one, right, stated, "in all layers")).accused:
        return times
    for beside, single in (("", stated.one), *stated.others):
        rank, rest = divmod(one.exact, single)
        apart = max(rank, stated.rank) % max(1, min(rank, stated.rank)) == 0 and rank <= _MOST_TIMES * stated.rank
        if rank and not rest and apart:
            this = f"this is that of rank {rank}{beside}"
            return one.wrong(right, f"{ADAPTERS}{stated.rank} beside {stated.beside} has {{right}}, {this}")
    return one


def _is_said(document: Document, one: Judged) -> bool:
    """Whether a statement is said to be what is trained."""
    before, behind = words(document, one)
    behind = _behind(document, one, behind)
    return (cue("trained_count").search(before) or cue("trained_behind").match(behind)) is not None


def _is_of_unknown(document: Document, one: Judged) -> bool:
    """Whether the code above a statement loads a model last that is not known by its name."""
    loaded = [found for found in _LOADED.finditer(document.plain.given[:READ]) if found.end() <= one.start]
    named = document.mentions.between(loaded[-1].start(), loaded[-1].end()) if loaded else ()
    return bool(loaded) and not any(mention.candidates for mention in named)


def _behind(document: Document, one: Judged, behind: str) -> str:
    """What stands behind the digits of a statement."""
    last = one.sides[-1].amount.leaves[-1:] if one.sides else () if one.figure is None else (one.figure,)
    return document.plain.text[last[0].number_end : one.end] + behind if last else behind


def _times(one: Judged, right: int, stated: _Stated, where: str) -> Judged:
    """A count that multiplies what adapters have by the heads, or by the blocks once more."""
    shared = ((stated.heads, "heads share these matrices and"), (stated.blocks, "blocks are in it already and"))
    for often, what in shared:
        if often > 1 and one.exact == right * often:
            here = f"{ADAPTERS}{stated.rank} beside {stated.beside} has {{right}} {where}"
            why = f"{here}, the {often} {what} multiply nothing"
            return one.wrong(right, why)
    return one


def _parted(concepts: frozenset[str]) -> frozenset[str]:
    return concepts - {_FUSED} | _TOGETHER if _FUSED in concepts else concepts


def _stated(document: Document) -> _Stated | None:
    """What a text says of its adapters, where it says one thing only, of a model that is known."""
    text = document.plain.text
    ranks = list({rank for _, rank in sizes_said(text, "ranks")})
    given = document.plain.given[:READ]
    lists, models = list(set(_lists(given))), models_of(document)
    if not models or len(ranks) != 1 or len(lists) != 1:
        return None
    return _adapters(models[0], ranks[0], lists[0], coded=cue("target_modules").search(given) is not None)


def _configs(document: Document) -> Iterator[_Config]:
    """Where code sets adapters, with the rank and the modules that it names; in order."""
    text = document.plain.given[:READ]
    ranks = sizes_said(text, "ranks")
    for found in cue("target_modules").finditer(text):
        near = sorted((abs(place - found.start()), place, rank) for place, rank in ranks)
        near = [one for one in near if one[0] < _CALL]
        between = (text[min(place, found.start()) : max(place, found.start())] for _, place, _ in near)
        here = [one for one, code in zip(near, between, strict=True) if ")" not in _COMMENT.sub("", code)]
        around = {rank for _, _, rank in here[:1] or near}
        names = frozenset(_QUOTED.findall(found[1]) or _NAME.findall(found[1]))
        if len(around) == 1 and names:
            yield found.start(), around.pop(), names


def _adapters(model: Model, rank: int, names: frozenset[str], coded: bool) -> _Stated | None:
    """The adapters of a rank beside the modules of these names, in a model; `coded` where code names them."""
    from reconcile.explanation.stored import Matrix, Ranks, targets
    from reconcile.taxonomy import load_architecture

    architecture = load_architecture(model.architecture)
    matrices, known = targets(architecture)

    concepts = {one: _parted(concepts_of(_BLOCK + one.name + ".kernel") | concepts_in(one.name)) for one in matrices}

    def named(name: str) -> Sequence[Matrix]:
        """The matrices that a module's name means, those first that all of its words fit."""
        words_ = _parted(concepts_in(name))
        said = words_ - neutral() - {"attention"}
        fitting = [one for one in matrices if said <= concepts[one] and words_ & concepts[one] - {_DOWN}]
        best = max((len(words_ & concepts[one]) for one in fitting), default=0)
        return [one for one in fitting if len(words_ & concepts[one]) == best > 1]

    found = [named(name) for name in sorted(names)]
    several = {place for place, name in enumerate(sorted(names)) if coded and name == _ALIKE}
    if not found or any(len(one) != 1 and place not in several for place, one in enumerate(found)):
        return None
    chosen = [one for these in found for one in these]
    if not chosen or not all(one.names <= model.sizes.keys() for one in chosen):
        return None
    ranks_ = Ranks(architecture, model.sizes)
    blocks, heads = (model.sizes.get(letter, 1) for letter in "LA")
    each = tuple(
        (concepts[one] - neutral() - {"attention", _DOWN}, rank * ranks_.beside([one]) // blocks) for one in chosen
    )
    usual = [(one.says, [matrices[place] for place in one.matrices]) for one in known if one.usual]
    plain = listed([one.name.rpartition(".")[2] for one in chosen])
    said = next((says for says, these in usual if set(these) == set(chosen)), plain)
    square = 2 * rank * model.sizes.get("H", 0)
    others = ((f" beside {says}", ranks_.beside(these)) for says, these in usual if coded)
    return _Stated(rank, ranks_.beside(chosen), said, blocks, heads, each, square, tuple(others))


def _lists(text: str) -> Iterator[frozenset[str]]:
    """The modules that a text names: in the settings of its code, else in its sentences about adapters."""
    listed_ = [found[1] for found in cue("target_modules").finditer(text)]
    yield from (frozenset(_QUOTED.findall(names) or _NAME.findall(names)) for names in listed_)
    for sentence in _SENTENCES.split(text) if not listed_ else ():
        if cue("adapters").search(sentence) or cue("ranks").search(sentence):
            found = (hit for hit in hits(sentence) if len(hit.concepts & _LEAVES) == 1 and "out" not in hit.concepts)
            named = (sentence[hit.start : hit.end].lower() for hit in found)
            if names := frozenset(named):
                yield names
