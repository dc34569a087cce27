"""Step 6g: adapters whose rank and modules a text states, held against their count."""

import re
from collections.abc import Iterator, Sequence
from itertools import product

from reconcile.claims.judgement.cues import MOST_MODELS, READ, models_of, rank_at, sizes_said, speaks_of
from reconcile.claims.judgement.judged import ADAPTERS, Judged
from reconcile.claims.judgement.singled import words
from reconcile.claims.judgement.slips import mistyped
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import concepts_in, concepts_of, cue, hits, neutral
from reconcile.claims.structure.models import Model
from reconcile.frozen import dataclass
from reconcile.phrases import listed

_BESIDE = "the adapter of this matrix has {right}, it is of other sizes"
_BLOCK = "block[*]."
_COMMENT = re.compile(r"#.*")
_LOADED = re.compile(r"from_pretrained\(\s*[\"'][^\"'\n]{1,100}")
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
        return tuple(_printed(document, one, configs) for one in every)
    return tuple(_judged(document, _beside_one(one, stated), stated) for one in every)


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


def _judged(document: Document, one: Judged, stated: _Stated) -> Judged:
    if not one.exact or one.unit not in ("", "params") or one.accused or "head" in one.label.own:
        return one
    said, (before, behind) = _is_said(document, one), _around(document, one)
    if cue("classifier").search(before) or (said and _is_of_unknown(document, one)):
        return one
    right, has = stated.rank * stated.one, f"{ADAPTERS}{stated.rank} beside {stated.beside}"
    if said and one.exact == right:
        return one.right(has)
    meant = [(right, "all layers")] if said or (one.sides and not document.index.of(one.exact)) else []
    if not said and one.sides and cue("of_one").match(behind.lstrip(" *`\x01(")):
        meant.append((right // stated.blocks, "each layer"))
    shared = (stated.heads, "heads share these matrices and"), (stated.blocks, "blocks are in it already and")
    for (each, where), (often, what) in product(meant, shared):
        if often > 1 and one.exact == each * often:
            return one.wrong(each, f"{has} has {{right}} in {where}, the {often} {what} multiply nothing")
    if not said:
        return one.doubted() if _is_beside_rank(one, before) else one
    if one.exact * stated.blocks == right:
        if cue("of_some_layers").search(before) or cue("of_some_layers").search(behind):
            return one
        return one.wrong(right, f"{has} has {{right}}, this is that of one layer")
    if mistyped(one.exact, right):
        return one.wrong(right, f"{has} has {{right}}")
    if one.exact == stated.square * len(stated.each) * stated.blocks:
        return one.wrong(right, f"{has} has {{right}}, not all of these matrices are square")
    for beside, single in (("", stated.one), *stated.others):
        rank, rest = divmod(one.exact, single)
        apart = max(rank, stated.rank) % max(1, min(rank, stated.rank)) == 0 and rank <= _MOST_TIMES * stated.rank
        if rank and not rest and apart:
            this = f"this is that of rank {rank}{beside}"
            return one.wrong(right, f"{has} has {{right}}, {this}")
    return one


def _is_beside_rank(one: Judged, before: str) -> bool:
    """Whether a count that a matrix of the model has stands behind adapters and their rank, and no matrix is named."""
    part = one.holds and one.figure is not None and one.account is not None and not one.account.total
    return part and "kernel" not in one.label.said and all(cue(name).search(before) for name in ("adapters", "ranks"))


def _is_said(document: Document, one: Judged) -> bool:
    """Whether a statement is said to be what is trained, or what adapters bring."""
    before, behind = _around(document, one)
    brought = cue("adapters").search(before) and cue("brings").search(before)
    return (brought or cue("trained_count").search(before) or cue("trained_behind").match(behind)) is not None


def _around(document: Document, one: Judged) -> tuple[str, str]:
    """What stands before a statement in its sentence, and behind its last digits."""
    before, behind = words(document, one)
    last = one.sides[-1].amount.leaves[-1] if one.sides else one.figure
    return before, document.plain.text[last.number_end : one.end] + behind if last else behind


def _is_of_unknown(document: Document, one: Judged) -> bool:
    """Whether the code above a statement loads a model last that is not known by its name."""
    loaded = [found for found in _LOADED.finditer(document.plain.given[:READ]) if found.end() <= one.start]
    named = document.mentions.between(loaded[-1].start(), loaded[-1].end()) if loaded else ()
    return bool(loaded) and not any(mention.candidates for mention in named)


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
        names = frozenset(_QUOTED.findall(found[1]))
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
    if any(len(one) != 1 and place not in several for place, one in enumerate(found)):
        return None
    chosen = [one for these in found for one in these]
    if not chosen or not all(one.names <= model.sizes.keys() for one in chosen):
        return None
    ranks_ = Ranks(architecture, model.sizes)
    blocks, heads = (model.sizes.get(letter, 1) for letter in "LA")
    each = tuple(
        (concepts[one] - neutral() - {"attention", _DOWN}, rank * ranks_.beside([one]) // blocks) for one in chosen
    )
    square = 2 * rank * model.sizes.get("H", 0)
    usual = [(one.says, [matrices[place] for place in one.matrices]) for one in known if one.usual]
    plain = listed([one.name.rpartition(".")[2] for one in chosen])
    said = next((says for says, these in usual if set(these) == set(chosen)), plain)
    others = ((f" beside {says}", ranks_.beside(these)) for says, these in usual if coded)
    return _Stated(rank, ranks_.beside(chosen), said, blocks, heads, each, square, tuple(others))


def _lists(text: str) -> Iterator[frozenset[str]]:
    """The modules that a text names: in the settings of its code, else in its sentences about adapters."""
    listed_ = [found[1] for found in cue("target_modules").finditer(text)]
    yield from (frozenset(_QUOTED.findall(names)) for names in listed_)
    for sentence in _SENTENCES.split(text) if not listed_ else ():
        if cue("adapters").search(sentence) or cue("ranks").search(sentence):
            found = (hit for hit in hits(sentence) if len(hit.concepts & _LEAVES) == 1 and "out" not in hit.concepts)
            named = (sentence[hit.start : hit.end].lower() for hit in found)
            if names := frozenset(named):
                yield names
