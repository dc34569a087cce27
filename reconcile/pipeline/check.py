"""A text -> its figures and equations, each with a verdict."""

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager

from reconcile.claims.checking import check_text
from reconcile.claims.claim import Checked
from reconcile.claims.structure.models import Model
from reconcile.errors import ReconcileError
from reconcile.mapping.ledger import Ledger

LISTED = re.compile(r"Layer ?\(type|torch\.Size\(|in_features=\d|[._](?:weight|kernel|gamma)\b")
"""What stands in summaries and listings, and in few other texts."""
LONGEST = 2 * 10**5
"""Characters of the longest text of which summaries and listings are read."""


def check(text: str, source: str, *, model: str | None = None) -> Checked:
    """Check a text against the model given, or else those that it speaks of. Raises InputError for the model."""
    with _no_collection():
        return check_text(text, source, None if model is None else _given(model), _read(text, source))


def _read(text: str, source: str) -> tuple[Ledger, ...]:
    """The summaries and listings in a text, each as it is read; none where it only looks as if there were any."""
    if len(text) > LONGEST or not LISTED.search(text):
        return ()
    from reconcile.pipeline.source import open_text

    try:
        return tuple(opened.ledger for opened in open_text(text, source))
    except ReconcileError:
        return ()


def _given(name: str) -> Model:
    from reconcile.spec import load_spec

    spec = load_spec(name)
    sizes = frozenset((letter, size) for letter, size in spec.dimensions.items() if size is not None)
    return Model(spec.name, spec.architecture, sizes)


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
