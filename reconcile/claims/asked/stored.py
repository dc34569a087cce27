"""Step 6g: counts of what is stored beside a model or instead of it: adapters, packed matrices, optimizer slots."""

import re
from collections.abc import Iterator
from dataclasses import replace
from math import log2
from typing import TYPE_CHECKING

from reconcile.claims.asked.adapted import unlike
from reconcile.claims.judgement.cues import READ, models_of, rank_at, sizes_said, speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import concepts_in, cue
from reconcile.frozen import dataclass
from reconcile.phrases import listed, number

if TYPE_CHECKING:
    from reconcile.explanation.contexts import Context
    from reconcile.explanation.search import Hit

LEAST = 10_000
MOST = 16
"""Figures of a text that are searched."""
_MARGIN = 6.0
"""The bits by which an account that nothing in the text points at has to be shorter than its figure."""
_MOST_OTHERS = 2
_COMPONENTS = {"lora": "adapters", "packed": "packed", "optimizer": "optimizer"}


_IT_FITS = "it fits "
_MATRICES = frozenset(("query", "key", "value"))
_USUAL, _FORWARD = frozenset(("query", "value")), frozenset(("up", "gate", "intermediate"))
_LORA = re.compile(r"LoRA of rank \d+ on .*?(?=, for |; | \([\dr]|$)")
_OTHERS = _FORWARD | {"down", "out", "ff", "qkv"}
_ALL, _EVERY = re.compile(r" on all \d+ "), re.compile(r" on all \d+ matrices")


@dataclass(frozen=True, slots=True)
class _Fit:
    """What a figure fits, in words, and rank and number of the adapters in it where nothing shorter fits; 0: none."""

    says: str = ""
    rank: int = 0
    adapters: int = 0


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a text speaks of, the ranks that it states, and its models."""

    cues: frozenset[str]
    ranks: frozenset[int]
    contexts: tuple["Context", ...]


def beside(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; exact figures that are what a text speaks of, beside one of its models, with what they fit."""
    cues = speaks_of(document, "adapters", "packed", "optimizer")
    if not cues or not (models := models_of(document)):
        return every
    from reconcile.explanation.contexts import given

    contexts = tuple(given({**model.sizes}, model.architecture, model.name) for model in models)
    ranks = frozenset(rank for _, rank in sizes_said(document.plain.text, "ranks"))
    asked = _Asked(cues, ranks, contexts)
    known: dict[tuple[int, bool], _Fit] = {}
    found = []
    for one in every:
        if _may_be(document, one):
            count, whole = one.exact or 0, not one.holds
            if first := (count, whole) not in known and len(known) < MOST:
                known[count, whole] = _fits(count, asked, whole)
            if (fit := known.get((count, whole), _Fit())).says:
                sure = fit.rank > 0 and fit.rank == rank_at(document, one) and not unlike(document, one, fit.adapters)
                sure = sure and _is_trained(document, one) and _names(document, fit)
                one = _told(one, fit.says if first else fit.says.partition("; ")[0], sure)
        found.append(one)
    return tuple(found)


def _told(one: Judged, says: str, sure: bool) -> Judged:
    """A statement with what it fits; what is exactly that is no wrong total of the model, and right where `sure`."""
    if one.accused:
        one = replace(one, verdict=None, account=None, also=(), expected=None, why="", fits=())
    return one.right(says.removeprefix(_IT_FITS)) if sure and one.verdict is None else one.fitting(says)


def _is_trained(document: Document, one: Judged) -> bool:
    """Whether a figure is said to be what is trained, or of adapters, and of no classifier."""
    line = document.at(one).near()
    said = cue("trainable").search(line) or cue("adapters").search(line) or cue("ranks").search(line)
    return said is not None and "head" not in one.label.own and cue("classifier").search(line) is None


def _names(document: Document, fit: _Fit) -> bool:
    """Whether the text names the matrices that a fit is beside, `q_proj`, `v_proj`, or says that it is beside all.

    Those that are named nowhere are the usual ones, query and value.
    """
    text = document.plain.text[:READ]
    lora, in_text = _LORA.search(fit.says), concepts_in(text)
    words = lora[0] if lora else ""
    every, named = cue("all_modules").search(text) is not None, concepts_in(words) & _MATRICES
    if named:
        speaking = " ".join(line for line in text.splitlines() if cue("adapters").search(line))
        others = (_MATRICES & in_text) | (_OTHERS & concepts_in(speaking))
        return not every and (named <= in_text or (not others and named == _USUAL))
    listed_ = in_text >= _MATRICES and (_EVERY.search(words) is None or bool(_FORWARD & in_text))
    return every or (_ALL.search(words) is not None and listed_)


def _may_be(document: Document, one: Judged) -> bool:
    """Whether a figure is an exact count that is no total of a model; what holds by itself may be adapters too."""
    if one.figure is None or one.figure.kind != "figure" or one.unit not in ("", "params"):
        return False
    if one.verdict == "not a model figure" or (one.exact or 0) < LEAST:
        return False
    if one.accused:
        return one.verdict == "mismatch" and one.account is not None and one.account.total and not one.carried_from
    if one.account is None:
        return True
    line = document.at(one).near()
    return not one.account.total and bool(cue("trainable").search(line))


def _fits(count: int, asked: _Asked, whole: bool) -> _Fit:
    """What a figure fits, in words: the account that the text points at most, and others that nobody can tell apart."""
    from reconcile.explanation.verbalise import told

    found = sorted(_accounts(count, asked, whole), key=lambda one: (not _said(one[0], asked), one[0].bits))
    if not found:
        return _Fit()
    first, context = found[0]
    others = [_words(one) for one, of in found[1:] if of is context and _is_usual(one) and not _said(first, asked)]
    explained = told(first, context)
    model = f", for {context.name}" if context.name else ""
    says = f"{_IT_FITS}{_words(first)}{model}"
    if explained and explained.lines:
        says += "; " + "; ".join(explained.lines)
    says += f"; as many has {listed(others[:_MOST_OTHERS], 'or')}" if others else ""
    shortest = min(one.bits for one, of in found if of is context) == first.bits
    adapters = list(_adapters(first)) if shortest and _is_plain(first) and not others else []
    return _Fit(says, *adapters[0]) if len(adapters) == 1 else _Fit(says)


def _accounts(count: int, asked: _Asked, whole: bool) -> Iterator[tuple["Hit", "Context"]]:
    from reconcile.explanation.stored import stored

    for context in asked.contexts:
        for one in stored(count, context):
            if (whole or _nodes(one)[0].startswith("lora[")) and _cued(one, asked) and _believed(one, count, asked):
                yield one, context


def _nodes(one: "Hit") -> list[str]:
    return [part.readings[0].node for _, part in one.parts]


def _is_usual(one: "Hit") -> bool:
    return all(part.usual for _, part in one.parts)


def _is_plain(one: "Hit") -> bool:
    """Whether an account has usual adapters, alone or beside one whole model and nothing else."""
    beside_ = [part for _, part in one.parts if part.readings[0].node.partition("[")[0] in _COMPONENTS]
    return all(part.usual for part in beside_) and len(one.parts) - len(beside_) <= 1 and len(beside_) == 1


def _cued(one: "Hit", asked: _Asked) -> bool:
    """Whether the text speaks of something in an account."""
    return any(_COMPONENTS.get(node.partition("[")[0]) in asked.cues for node in _nodes(one))


def _said(one: "Hit", asked: _Asked) -> bool:
    """Whether an account has adapters of a rank that the text states, or none."""
    return all(rank in asked.ranks for rank, _ in _adapters(one))


def _adapters(one: "Hit") -> Iterator[tuple[int, int]]:
    """The rank and the number of the adapters in an account."""
    for _, part in one.parts:
        if (node := part.readings[0].node).startswith("lora["):
            yield int(node[5:-1]), part.formula.evaluate({})


def _believed(one: "Hit", count: int, asked: _Asked) -> bool:
    return _is_usual(one) or (bool(asked.ranks) and _said(one, asked)) or one.bits + _MARGIN <= log2(count)


def _words(one: "Hit") -> str:
    """`LoRA of rank 8 on query and value (294,912) + a classifier of 2 outputs on top (2·(H + 1) = 1,538)`."""
    said = []
    for _, part in one.parts:
        (reading,) = part.readings
        amount = reading.equation or number(part.formula.evaluate({}))
        said.append(f"{reading.words} ({amount})" if one.more else reading.words)
    return " + ".join(said)
