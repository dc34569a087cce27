"""A text -> its figures and equations, each with a verdict."""

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager

from reconcile.claims.checking import check_text
from reconcile.claims.claim import Checked
from reconcile.claims.models import Model
from reconcile.errors import InputError
from reconcile.mapping.ledger import Ledger

SUMMARY = re.compile(r"Layer ?\(type\)")
"""What the header of every Keras summary begins with."""


def check(text: str, source: str, *, model: str | None = None) -> Checked:
    """Check a text against the model given, or else those that it speaks of. Raises InputError for the model."""
    with _no_collection():
        return check_text(text, source, None if model is None else _given(model), tuple(_summaries(text, source)))


def _summaries(text: str, source: str) -> Iterator[Ledger]:
    """The Keras summaries in a text, each as it is read."""
    if not SUMMARY.search(text):
        return
    from reconcile.pipeline.summaries import open_summaries

    try:
        yield from (opened.ledger for opened in open_summaries(text, source))
    except InputError:
        return  # it only looks like one, and its figures are judged as any others


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
