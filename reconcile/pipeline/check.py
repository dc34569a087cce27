"""A text -> its figures and equations, each with a verdict."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reconcile.claims.checking import check_text
from reconcile.claims.claim import Checked
from reconcile.claims.desk import Desk
from reconcile.claims.found import ALL, Found
from reconcile.claims.mentions import Mention
from reconcile.errors import InputError
from reconcile.explain.contexts import anything, given, in_part

if TYPE_CHECKING:
    from reconcile.spec import Spec

_OWN = ("V", "P", "T", "H", "F", "L", "A")


def check(text: str, source: str, *, model: str | None = None) -> Checked:
    """Check a text against the model given, or else the one that it speaks of. Raises InputError for the model."""
    spec = None
    if model is not None:
        from reconcile.spec import load_spec

        spec = load_spec(model)

    def prepare(found: Found, mention: Mention | None) -> Desk:
        return _prepared(found, mention, spec)

    with _no_collection():
        return check_text(text, source, prepare, spec.dimensions if spec else None)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Without the search for cycles among objects: a text makes none, and looking takes a sixth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _prepared(found: Found, mention: Mention | None, spec: "Spec | None") -> Desk:
    """The model named beside a figure, the one given, or the one that the sizes in the text are of."""
    if spec is not None:
        from reconcile.explain.contexts import of_spec

        own = mention is None or mention.model is None or _alike(spec, mention)
        if own:
            return Desk(of_spec(spec), spec.name, True, ALL)
    first = next((one for one in found.mentions if one.model is not None), None)
    own = found.whole and spec is None and mention is not None and mention.model is (first and first.model)
    if mention is not None and mention.model is not None and not own:
        return Desk(given(mention.model.dimensions, mention.model.architecture), mention.model.name, certain=ALL)
    if found.whole:
        return Desk(given(found.dimensions, found.architecture, found.name), found.name, certain=found.certain)
    sizes = ",".join(f"{name}={found.dimensions[name]}" for name in _OWN if found.dimensions.get(name))
    if sizes:
        try:
            return Desk(in_part(sizes), None)
        except InputError:  # sizes that do not go together, such as heads that do not divide the width
            pass
    return Desk(anything(), None)


def _alike(spec: "Spec", mention: Mention) -> bool:
    """Whether a model that is named has the width and depth of the one that is given."""
    assert mention.model is not None
    return all(spec.dimensions.get(name) == mention.model.dimensions.get(name) for name in ("H", "L"))
