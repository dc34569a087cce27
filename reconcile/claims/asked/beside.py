"""Step 7: adapters that a text asks about in words: what they have beside the matrices of the model that it names."""

import re
from collections.abc import Iterator

from reconcile.claims.judgement.cues import READ, models_of, sizes_said, speaks_of
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import concepts_in, concepts_of, cue
from reconcile.claims.structure.models import OWN
from reconcile.phrases import listed, number
from reconcile.taxonomy import load_architecture

_NAME = re.compile(r"[A-Za-z_]+")
_AND = frozenset(("and", "the", "und"))


def beside(document: Document) -> Iterator[str]:
    """A line where a text states one rank and one choice of matrices: their adapters, in a block and in all."""
    text = document.plain.text
    ranks = {rank for _, rank in sizes_said(text, "ranks")}
    said = [frozenset(_NAME.findall(found[1])) - _AND for found in cue("adapters_on").finditer(text[:READ])]
    models = [model for model in models_of(document) if model.name != OWN and {"H", "L"} <= model.sizes.keys()]
    lists = {frozenset(one for name in names for one in _matrices(name)) for names in said}
    if not speaks_of(document, "adapters") or len(ranks) != 1 or len(lists) != 1 or not models:
        return
    architecture = load_architecture(models[0].architecture)
    (rank,), (names,), model = ranks, lists, models[0]
    found = [
        part
        for part in architecture.components
        if ".attention." in part.path
        and part.path.endswith(".kernel")
        and part.option not in architecture.further
        and concepts_of(part.path) & names
    ]
    if (
        not found
        or len(found) != len(names)
        or any(not one.dimensions <= model.sizes.keys() for part in found for one in part.shape)
    ):
        return
    sides = [tuple(axis.evaluate(model.sizes) for axis in part.shape[-2:]) for part in found]
    each = [rank * (into + out) for into, out in sides]
    blocks = found[0].times.evaluate(model.sizes)
    parts = listed(
        f"{rank}·({into} + {out}) = {number(count)} for {part.path.split('.')[-2]}"
        for part, (into, out), count in zip(found, sides, each, strict=True)
    )
    yield (
        f"LoRA of rank {rank} beside these matrices of {model.name} has {parts}: {number(sum(each))} in each block, "
        f"{number(blocks * sum(each))} in {blocks}"
    )


def _matrices(name: str) -> Iterator[str]:
    """The concepts of a matrix's name that tell it from others: `q`, `q_proj` and `queries` are the query's."""
    whole = f"{name}_proj" if len(name) == 1 else name
    yield from (one for one in concepts_in(whole) if one in ("query", "key", "value", "output"))
