"""Step 6j: what a transformer takes for a picture: its patches and one token more through blocks, and a head."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reconcile.claims.judgement.cues import READ, fitting, sizes_said, speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.datafile import packaged
from reconcile.phrases import number

_LEAST = 32
"""Pixels of the side of the smallest picture."""
_COLOURS = 3


@fitting
def pictured(document: Document, every: Sequence[Judged]) -> Iterator[tuple[Judged, str]]:
    """The first statement of operations on a picture, with what its model takes."""
    if len(speaks_of(document, "operations", "patch")) < 2:
        return
    text = document.plain.text[:READ]
    rows = [row for row in packaged("claims", "asked")["pictures"] if re.search(row["says"], text, re.IGNORECASE)]
    side = next((size for _, size in sizes_said(text, "picture") if size >= _LEAST), 0)
    patch = next((size for _, size in sizes_said(text, "patch") if size > 1), 0)
    first = next((one for one in every if _is_of_operations(document, one)), None)
    if len(rows) == 1 and 0 < patch < side and side % patch == 0 and first is not None:
        classes = next((size for _, size in sizes_said(text, "classes")), 0)
        yield first, _says(rows[0], side, patch, classes)


def _is_of_operations(document: Document, one: Judged) -> bool:
    if one.accused or one.figure is None or one.figure.kind != "figure" or one.value < 1:
        return False
    said = one.unit in ("", "params") and cue("operations").search(document.at(one).near())
    return one.unit == "operations" or bool(said)


def _says(row: Mapping[str, Any], side: int, patch: int, classes: int) -> str:
    """The multiply-adds for one picture, part by part; 0 classes are no head."""
    from reconcile.costing.conventions import load_convention
    from reconcile.costing.counting import count
    from reconcile.costing.models import of_sizes
    from reconcile.costing.parts import PRODUCTS
    from reconcile.costing.workload import Workload

    sizes, across = row["sizes"], side // patch
    tokens, width = across * across + 1, sizes["H"]
    model = of_sizes(row["name"], row["architecture"], sizes)
    assert model is not None  # the rows have every size that blocks need
    blocks = count(model, Workload(tokens), load_convention(PRODUCTS)).total // 2
    patches, head = (tokens - 1) * patch**2 * _COLOURS * width, classes * width
    parts = [f"{number(blocks)} of {sizes['L']} blocks", f"{number(patches)} of the patches"]
    parts += [f"{number(head)} of a head of {number(classes)} classes"] if head else []
    total = blocks + patches + head
    return (
        f"{row['name']} on a picture of {side} × {side} has {across}·{across} + 1 = {tokens} tokens and takes "
        f"{number(total)} multiply-adds, {number(2 * total)} FLOPs: {' + '.join(parts)}"
    )
