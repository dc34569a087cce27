"""Step 6g: adapters whose rank and modules a text states, held against their count."""

import re
from collections.abc import Sequence

from reconcile.claims.cues import READ, models_of, sizes_said, speaks_of
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.claims.lexicon import concepts_in, concepts_of, cue, neutral
from reconcile.claims.singled import words
from reconcile.frozen import dataclass
from reconcile.phrases import listed

_BLOCK = "block[*]."
_NAME = re.compile(r"[\w.]+")
_MOST_TIMES = 16
_FUSED, _TOGETHER, _DOWN = "qkv", frozenset(("query", "key", "value")), "down"
"""A module of three matrices in one, and what these are."""


@dataclass(frozen=True, slots=True)
class _Stated:
    """The rank that a text states, the parameters of rank 1 beside the matrices that it names, and these in words."""

    rank: int
    one: int
    beside: str


def adapted(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; what is said to be trained is right as the adapters that the text states, or of another rank."""
    stated = _stated(document) if speaks_of(document, "adapters") else None
    if stated is None:
        return every
    return tuple(_judged(document, one, stated) for one in every)


def _judged(document: Document, one: Judged, stated: _Stated) -> Judged:
    if one.figure is None or not one.exact or one.unit not in ("", "params") or one.accused:
        return one
    if not cue("trained_count").search(words(document, one)[0]):
        return one
    right = stated.rank * stated.one
    if one.exact == right:
        return one.right(f"LoRA of rank {stated.rank} beside {stated.beside}")
    rank, rest = divmod(one.exact, stated.one)
    apart = max(rank, stated.rank) % max(1, min(rank, stated.rank)) == 0 and rank <= _MOST_TIMES * stated.rank
    if rest or not rank or not apart:
        return one
    return one.wrong(
        right, f"LoRA of rank {stated.rank} beside {stated.beside} has {{right}}, this is that of rank {rank}"
    )


def _parted(concepts: frozenset[str]) -> frozenset[str]:
    return concepts - {_FUSED} | _TOGETHER if _FUSED in concepts else concepts


def _stated(document: Document) -> _Stated | None:
    """What a text says of its adapters, where it says one thing only, of a model that is known."""
    text = document.plain.text
    ranks = {rank for _, rank in sizes_said(text, "ranks")}
    lists = {frozenset(_NAME.findall(found[1])) for found in cue("target_modules").finditer(text[:READ])}
    models = models_of(document)
    if len(ranks) != 1 or len(lists) != 1 or not models:
        return None
    from reconcile.explanation.adapters import Matrix, Ranks, targets
    from reconcile.taxonomy import load_architecture

    model, (names,), (rank,) = models[0], lists, ranks
    architecture = load_architecture(model.architecture)
    matrices = targets(architecture)[0]

    concepts = {one: _parted(concepts_of(_BLOCK + one.name + ".kernel") | concepts_in(one.name)) for one in matrices}

    def named(name: str) -> Sequence[Matrix]:
        """The matrices that a module's name means, those first that all of its words fit."""
        words_ = _parted(concepts_in(name))
        said = words_ - neutral() - {"attention"}
        fitting = [one for one in matrices if said <= concepts[one] and words_ & concepts[one] - {_DOWN}]
        best = max((len(words_ & concepts[one]) for one in fitting), default=0)
        return [one for one in fitting if len(words_ & concepts[one]) == best > 1]

    found = [named(name) for name in sorted(names)]
    if not found or any(len(one) != 1 for one in found) or not all(one.names <= model.sizes.keys() for (one,) in found):
        return None
    chosen = [one for (one,) in found]
    beside = Ranks(architecture, model.sizes).beside(chosen)
    return _Stated(rank, beside, listed([one.name.rpartition(".")[2] for one in chosen]))
