"""What a text asks beside plain counts: its words for adapters, packing, files and operations, from `asked.toml`."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, wraps

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.models import Model
from reconcile.quantity import Quantity

READ = 2**16
"""Letters of a text in which such words are looked for."""
MOST_MODELS = 6
"""Models of a text of which a figure is tried."""

FURTHEST = 4_000
"""Letters behind a statement of a question in which its answer begins, and behind that in which this is meant."""
_QUESTION = re.compile(r"[?？]|^\W*Q(?:uestion)?\b", re.M)
_ANSWER = re.compile(
    r"^[ \x01>*#_]*(?:A\d?[:.)]|(?:\d+ )?(?:Answers?|Comments?)\b|Re(?:ply)?\b|Antwort|Kommentar|Réponse|Commentaire|"
    r"Respuesta|Comentario|Resposta|Risposta|Ответ|Cevap|回答|答え?\d?[:：]|评论|コメント|답|댓글|"
    r"-{3,}[ \x01]*$)",
    re.M | re.I,
)
"""What a question has, and what an answer to it begins with."""

_MATRIX = re.compile(r"[\[(](\d{4,6}), ?(\d{2,5})[\])]")

_GOES_ON = re.compile(r" *\w|\.\w")
"""What follows a figure that is a name or a number of something: `345M.tar`, `345M words`."""
Finder = Callable[[Document, Sequence[Judged]], Iterator[tuple[Judged, str]]]
Pass = Callable[[Document, tuple[Judged, ...]], tuple[Judged, ...]]


def fitting(find: Finder) -> Pass:
    """The pass that adds to statements what is found that they fit; nothing is built on that."""

    @wraps(find)
    def judge(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
        says: dict[int, list[str]] = {}
        for one, text in find(document, every):
            says.setdefault(id(one), []).append(text)
        return tuple(one.fitting(*says[id(one)]) if id(one) in says else one for one in every) if says else every

    return judge


def speaks_of(document: Document, *names: str) -> frozenset[str]:
    """Which of some things a text speaks of."""
    return frozenset(name for name in names if _says(document.plain.text, name))


@lru_cache(maxsize=64)
def _says(text: str, name: str) -> bool:
    return cue(name).search(text, 0, READ) is not None


def answered(text: str, start: int) -> int | None:
    """Where the answer begins to a question that stands before it, behind a place."""
    answer = _ANSWER.search(text, start, start + FURTHEST)
    return None if answer is None or not _QUESTION.search(text, 0, answer.start()) else answer.end()


@lru_cache(maxsize=16)
def sizes_said(text: str, name: str) -> tuple[tuple[int, int], ...]:
    """The sizes that a text states in the words of a pattern, each with its place."""
    found = ((match.start(), next(filter(None, match.groups()), None)) for match in cue(name).finditer(text[:READ]))
    return tuple((place, int(size)) for place, size in found if size is not None)


def rank_at(document: Document, one: Judged) -> int:
    """The rank of adapters that is in force where a statement stands: of its line, else the last above; 0 for none."""
    line = document.at(one).line
    said = sizes_said(document.plain.text, "ranks")
    here = {rank for place, rank in said if line.start <= place < line.end}
    if here:
        return here.pop() if len(here) == 1 else 0
    return next((rank for place, rank in reversed(said) if place < one.start), said[0][1] if said else 0)


def matrices_said(text: str) -> tuple[tuple[int, int], ...]:
    """The shapes of matrices that a text shows with as many rows as a vocabulary has words, each once."""
    return tuple(dict.fromkeys((int(match[1]), int(match[2])) for match in _MATRIX.finditer(text[:READ])))


def models_of(document: Document, most: int = MOST_MODELS) -> tuple[Model, ...]:
    """The models that a text is given with, describes or names; none where it has none of them."""
    found = [document.given] if document.given else []
    named = [mention.candidates for mention in document.mentions.found]
    found += [own.model for own in document.own]
    found += [model for models in named for model in models[:1]] + [model for models in named for model in models[1:]]
    return tuple(model for model in dict.fromkeys(found) if model.architecture)[:most]


def stands_alone(document: Document, figure: Quantity) -> bool:
    """Whether no name and nothing that is counted touches a figure, unless it says itself that it counts parameters."""
    text = document.plain.text
    before, noun = text[max(0, figure.start - 1) : figure.start], cue("no_noun").match(text, figure.end) is None
    goes_on = noun and _GOES_ON.match(text, figure.end) is not None
    return figure.unit == "params" or not (before.isalnum() or before in "-_/." or goes_on)
