"""Step 6j: of the components that a count can be of alike, the one that comes next in the order of the model."""

import re
from collections.abc import Container
from dataclasses import replace
from functools import lru_cache

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.accounts import ALL, WITHOUT, Account
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.labels import agreement
from reconcile.claims.structure.lexicon import concepts_of
from reconcile.claims.structure.models import Model
from reconcile.taxonomy import load_architecture

_BLOCK = "[*]"
_TENSOR = re.compile(r"\.(?:kernel|bias|gamma|beta)(?: |$)")
_LINES = 8
"""Lines within which one statement goes on from another."""
_NORM = frozenset(("norm",))
"""What is said of a norm of which the words do not say where it stands."""


def ordered(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: those of several components alike are of the one that follows on the statement before them."""
    found: list[Judged] = []
    last: Judged | None = None
    said: set[str] = set()
    for one in every:
        if one.holds and one.account is not None and one.model is not None and not one.account.total:
            apart = document.at(one).number - document.at(last).number if last is not None else _LINES + 1
            if last is None or apart > _LINES:
                said.clear()
            elif one.also and (apart or one.value != last.value):
                one = _next(last, one, said)
            last = one
            said.update(one.account.path.split(" + ") if one.account is not None else ())
        found.append(one)
    return tuple(found)


def _next(last: Judged, one: Judged, said: Container[str]) -> Judged:
    """A statement with the component first that begins where the one before it ends."""
    account, model = one.account, one.model
    assert account is not None and model is not None and last.account is not None and last.model is not None
    if not model.architecture or model.architecture != last.model.architecture:
        return one
    before, best = _stretch(model, last.account), agreement(account.path, one.label)
    anywhere = concepts_of(account.path) & one.label.said == _NORM
    for other in (account, *one.also):
        stretch = _stretch(model, other)
        if before is None or stretch is None or stretch[0] != before[1] + 1 or _kind(other) != _kind(account):
            continue
        if _BLOCK in other.path and other != account and account.path not in said:
            continue  # one norm that is said of both
        if agreement(other.path, one.label) == best or (anywhere and "norm" in concepts_of(other.path)):
            return replace(one, account=other, also=tuple(each for each in (account, *one.also) if each != other))
    return one


def _kind(account: Account) -> tuple[bool, bool, str]:
    """Whether an account is of all blocks, whether of several components, and which tensor of one."""
    return ALL in account.path, " + " in account.path, account.path.rpartition(".")[2] if _TENSOR.search(account.path) else ""


@lru_cache(maxsize=4096)
def _stretch(model: Model, account: Account) -> tuple[int, int] | None:
    """The first and the last tensor of a component, in the order of its model; of a stack those of its blocks."""
    names = account.path.partition(WITHOUT)[0].replace(ALL, "").partition(" - ")[0].split(" + ")
    names = [f"{name}.block" if name in load_architecture(model.architecture).stacks else name for name in names]
    below = tuple(name + end for name in names for end in ".[")
    own = [at for at, path in enumerate(model.tensors) if path in names or path.startswith(below)]
    return (own[0], own[-1]) if own else None
