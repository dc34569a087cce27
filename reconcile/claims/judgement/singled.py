"""What a label singles out: a component of the model that a statement is about, however its count is written."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.accounts import ALL, Account
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.labels import Label, agreement, components_over
from reconcile.claims.structure.lexicon import concepts_of, neutral
from reconcile.claims.structure.models import Model
from reconcile.frozen import dataclass

_LOOSE = frozenset(("bias", "final", "onehead", "foreign"))
_AROUND = frozenset(("whole", "all", "block", "kernel", "bias", "size", "embedding"))
"""Concepts that a label may add to a component without changing which it is."""


@dataclass(frozen=True, slots=True)
class Singled:
    """A component that a label names, in one model, with every account of it.

    `ways` are those of one block and of all, of its kernel, with and without biases and norms.
    """

    model: Model
    one: Account
    ways: tuple[Account, ...]

    @property
    def names(self) -> frozenset[str]:
        """The component with nothing left out, of one block and of all."""
        return frozenset((self.one.path, self.one.path + ALL, stack(self.one.path)))

    def is_of_all(self, account: Account) -> bool:
        """Whether an account of the component is that of all blocks."""
        path = account.path.partition(" without ")[0]
        return ALL in path or (path == stack(self.one.path) and path != self.one.path)

    @property
    def parts(self) -> Iterator[Account]:
        """The accounts of the component and of what is in it."""
        return (each for each in self.model.accounts if each.path.startswith(self.one.path.removesuffix(".kernel")))

    def has(self, count: int) -> bool:
        """Whether a count is one of the component's, however it is counted."""
        return any(way.count == count for way in self.ways)

    def of_all(self, count: int) -> Account | None:
        """The account of all blocks that leaves out the same as the one of one block with this count."""
        path = next((way.path for way in self.ways if way.count == count and ALL not in way.path), None)
        if path is None:
            return None
        plain, without, rest = path.partition(" without ")
        wanted = {stack(plain) + without + rest, plain + ALL + without + rest} - {path}
        return next((way for way in self.ways if way.path in wanted), None)


def subject(document: Document, one: Judged) -> tuple[Model, ...]:
    """The models that a statement may be about: of its name, the last one above it, the only one there is, its own."""
    if document.given is not None:
        return (document.given,)
    if (row := document.rows.get(document.at(one).number)) is not None:
        return (row.model,)
    before = next((mention for mention in reversed(one.scope.row) if mention.end <= one.start), None)
    for mention in (one.scope.bound, before, one.scope.above):
        models = mention.models if mention is not None else ()
        if mention is not None and mention is one.scope.above and len(mention.candidates) == 1:
            models = mention.candidates  # a family of which the text has one model
        if known := tuple(model for model in models if model.architecture):
            return known
        if mention is not None and mention is one.scope.bound and mention.models:
            return ()  # a model that has no formulas here
    own = tuple(sized.model for sized in document.own)
    if len({model.architecture for model in own}) == 1:  # that of which an expression has the width
        wide = tuple(model for model in own if model.sizes.get("H") in one.factors)
        own = wide if len(wide) == 1 else own
    named = document.mentions.named
    if own or named:
        (only, *others) = own or named
        return () if others else (only,) if isinstance(only, Model) else only
    return (one.model,) if one.model is not None else ()


def words(document: Document, one: Judged, behind: int = 40) -> tuple[str, str]:
    """What stands before a statement in its line, and what follows it, to the ends of the sentence."""
    place = document.at(one)
    return _ENDS.split(place.before(120))[-1], _ENDS.split(place.behind(behind))[0]


_ENDS = re.compile(r"[.;!?](?:\s|$)|。")


def singled(document: Document, one: Judged) -> Singled | None:
    """The component that the words at a statement single out, in the first model that it is about."""
    found = (in_model(model, one.label) for model in subject(document, one)) if named(one.label) else ()
    return next(filter(None, found), None)


def in_model(model: Model, label: Label) -> Singled | None:
    """The component of a model that a label singles out."""
    components = named(label) if "foreign" not in label.said else None
    return _component(model, label, components) if components else None


def is_another(document: Document, one: Judged) -> bool:
    """Whether an exact count is none of the component that its words single out, however it is counted."""
    own = one.exact is not None and named(one.label) <= one.label.own
    said = singled(document, one) if own else None
    return said is not None and not said.has(one.exact or 0)


def of_concepts(document: Document, one: Judged, concepts: frozenset[str]) -> Singled | None:
    """The component that some concepts single out, said of a statement."""
    return singled(document, replace(one, label=Label(None, only=concepts)))


def named(label: Label) -> frozenset[str]:
    """The concepts of the component that is named nearest to a statement."""
    for words in (label.near, label.own):
        if found := words - neutral() - _LOOSE:
            return found
        if "embedding" in words or "block" in words:
            return words & {"embedding"} or words & {"block"}
    return components_over(label)


def _component(model: Model, label: Label, components: frozenset[str]) -> Singled | None:
    """The component whose concepts are those that are said, the one that agrees best first."""
    bias = "bias" in label.near | label.own
    found = (account for account in _plain(model, components) if bias or not account.path.endswith(".bias"))
    best = max(found, key=lambda account: agreement(account.path, label), default=None)
    return None if best is None else Singled(model, best, _ways(model, best.path))


@lru_cache(maxsize=1024)
def _plain(model: Model, components: frozenset[str]) -> tuple[Account, ...]:
    """The components that have these concepts and no others, with nothing left out."""
    every = (account for account in model.accounts if not account.total and " " not in account.path)
    return tuple(account for account in every if _is(account, components))


def _is(account: Account, components: frozenset[str]) -> bool:
    own = concepts_of(account.path)
    return components <= own and not own - components - _AROUND - neutral()


@lru_cache(maxsize=1024)
def _ways(model: Model, path: str) -> tuple[Account, ...]:
    names = {name + end for name in (path, path + ".kernel") for end in ("", ALL)} | {stack(path)}
    return tuple(account for account in model.accounts if account.path.partition(" without ")[0] in names)


def stack(path: str) -> str:
    """All blocks, of one of them."""
    return path.removesuffix(".block[*]") if path.endswith(".block[*]") else path
