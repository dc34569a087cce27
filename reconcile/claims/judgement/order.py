"""Step 6j: of the components that a count can be of alike, the one that comes next in the order of the model."""

import re
from collections.abc import Set
from dataclasses import replace
from functools import lru_cache
from itertools import count

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.accounts import ALL, WITHOUT, Account
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.labels import agreement
from reconcile.claims.structure.lexicon import concepts_of
from reconcile.claims.structure.models import Model
from reconcile.frozen import dataclass
from reconcile.taxonomy import load_architecture

_LINES = 8
"""Lines within which one statement goes on from another."""
_NORM = frozenset(("norm",))
"""What is said of a norm of which the words do not say where it stands."""
_BLOCK, _BLOCKS = "[*]", frozenset(("block", "all"))
_TENSOR = re.compile(r"\.(kernel|bias|gamma|beta)(?: |$)")


def ordered(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: those of several components alike are of the one that follows on the statement before them."""
    found: list[Judged] = []
    last: _Part | None = None
    said: set[int] = set()
    for one in every:
        if one.holds and (part := _part(document, one)) is not None:
            if last is None or part.line - last.line > _LINES or part.model.architecture != last.model.architecture:
                said.clear()
            elif one.also:
                again = part.line == last.line and part.account.count == last.account.count
                one = _as(one, last.account) if again else _next(last, one, part, said)
            last = replace(part, account=one.account or part.account)
            if not concepts_of(last.account.bare) & _BLOCKS:
                said.update(last.places)
        found.append(one)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Part:
    """A component that a statement in a line is of."""

    line: int
    account: Account
    model: Model

    @property
    def places(self) -> tuple[int, ...]:
        return _places(self.model, self.account)


def _part(document: Document, one: Judged) -> _Part | None:
    if one.account is None or one.model is None or one.account.total:
        return None
    return _Part(document.at(one).number, one.account, one.model)


def _next(last: _Part, one: Judged, part: _Part, said: Set[int]) -> Judged:
    """A statement with the component first that begins where the one before it ends, or behind what was said."""
    if not last.places:
        return one
    place = next(each for each in count(last.places[-1] + 1) if each not in said)
    for other in (part.account, *one.also):
        if _places(part.model, other)[:1] != (place,):
            continue
        if _BLOCK in other.path and other != part.account and said.isdisjoint(part.places):
            continue  # one norm that is said of both
        return _as(one, other)
    return one


def _as(one: Judged, other: Account) -> Judged:
    """A statement with one of its other components, where its words say as much of that."""
    account = one.account
    if account is None or other not in one.also or _kind(other) != _kind(account):
        return one
    norms = "norm" in concepts_of(other.path) and concepts_of(account.path) & one.label.said == _NORM
    if not norms and agreement(other.path, one.label) != agreement(account.path, one.label):
        return one
    return replace(one, account=other, also=tuple(each for each in (account, *one.also) if each != other))


def _kind(account: Account) -> tuple[bool, bool, str]:
    """Whether an account is of all blocks, whether of several components, and which tensor of one."""
    tensor = _TENSOR.search(account.path)
    return ALL in account.path, " + " in account.path, tensor[1] if tensor else ""


@lru_cache(maxsize=4096)
def _places(model: Model, account: Account) -> tuple[int, ...]:
    """The tensors of a component by their places in the order of its model; of a stack those of its blocks."""
    if not model.architecture:
        return ()
    path, _, without = account.path.partition(WITHOUT)
    names = path.replace(ALL, "").partition(" - ")[0].split(" + ")
    names = [f"{name}.block" if name in load_architecture(model.architecture).stacks else name for name in names]
    below = tuple(name + end for name in names for end in ".[")
    tensors = _in_order(model)
    own = (at for at, each in enumerate(tensors) if each in names or each.startswith(below))
    return tuple(at for at in own if "norms" not in without or "norm" not in tensors[at])


@lru_cache(maxsize=64)
def _in_order(model: Model) -> tuple[str, ...]:
    """The tensors of a model as they follow on each other: where a norm ends a stack, norms before what they are of."""
    tensors = model.tensors
    ended = {each.partition(".norm.")[0] for each in tensors if _BLOCK not in each and ".norm." in each}

    def place(at: int) -> float:
        path, norm, _ = tensors[at].partition("_norm.")
        if not norm or path.partition(".block")[0] not in ended:
            return at
        return min((other for other, each in enumerate(tensors) if each.startswith(f"{path}.")), default=at) - 0.5

    return tuple(tensors[at] for at in sorted(range(len(tensors)), key=place))
