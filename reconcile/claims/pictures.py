"""Step 6j: what a transformer takes for a picture: its patches and one token more through blocks, and a head."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from reconcile.claims.cues import READ, cue, near, sizes_said, speaks_of
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.datafile import packaged
from reconcile.phrases import number

_LEAST = 32
"""Pixels of the side of the smallest picture."""
_COLOURS = 3


@dataclass(frozen=True, slots=True)
class _Picture:
    """A model by its row, the side of a picture, that of a patch, and how many classes a head has (0: none is said)."""

    row: Mapping[str, Any]
    side: int
    patch: int
    classes: int


def pictured(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; the first one of operations on a picture with what its model takes."""
    if not speaks_of(document, "operations", "patch") >= {"operations", "patch"}:
        return every
    picture = next(_pictures(document.plain.text[:READ]), None)
    if picture is None:
        return every
    for place, one in enumerate(every):
        if _is_of_operations(document, one):
            said = replace(one, verdict=one.verdict or "cannot say", fits=(*one.fits, _says(picture)))
            return (*every[:place], said, *every[place + 1 :])
    return every


def _pictures(text: str) -> Iterator[_Picture]:
    rows = [row for row in packaged("claims", "asked")["pictures"] if re.search(row["says"], text, re.IGNORECASE)]
    sides = [size for _, size in sizes_said(text, "picture") if size >= _LEAST]
    patches = [size for _, size in sizes_said(text, "patch") if size > 1]
    classes = next((size for _, size in sizes_said(text, "classes")), 0)
    if len(rows) == 1 and sides and patches and sides[0] % patches[0] == 0 and sides[0] > patches[0]:
        yield _Picture(rows[0], sides[0], patches[0], classes)


def _is_of_operations(document: Document, one: Judged) -> bool:
    if one.accused or one.figure is None or one.figure.kind != "figure" or one.unit not in ("", "params", "operations"):
        return False
    line = near(document, one.start)
    return one.value >= 1 and (one.unit == "operations" or bool(cue("operations").search(line)))


def _says(picture: _Picture) -> str:
    """The multiply-adds for one picture, part by part."""
    from reconcile.costing.conventions import load_convention
    from reconcile.costing.counting import count
    from reconcile.costing.models import of_sizes
    from reconcile.costing.parts import PRODUCTS
    from reconcile.costing.workload import Workload

    sizes, name = picture.row["sizes"], picture.row["name"]
    across = picture.side // picture.patch
    tokens, width = across * across + 1, sizes["H"]
    model = of_sizes(name, picture.row["architecture"], sizes)
    assert model is not None  # the rows have every size that blocks need
    blocks = count(model, Workload(tokens), load_convention(PRODUCTS)).total // 2
    patches, head = (tokens - 1) * picture.patch**2 * _COLOURS * width, picture.classes * width
    parts = [f"{number(blocks)} of {sizes['L']} blocks", f"{number(patches)} of the patches"]
    parts += [f"{number(head)} of a head of {number(picture.classes)} classes"] if head else []
    total = blocks + patches + head
    return (
        f"{name} on a picture of {picture.side} × {picture.side} has {across}·{across} + 1 = {tokens} tokens and takes "
        f"{number(total)} multiply-adds, {number(2 * total)} FLOPs: {' + '.join(parts)}"
    )
