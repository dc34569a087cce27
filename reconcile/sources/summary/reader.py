"""A text with printed summaries read into inventories."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from reconcile.errors import InputError
from reconcile.inventory import QUANTIZED, Inventory, Layer, Remark
from reconcile.quantity.counts import shown_number
from reconcile.sources.summary.blocks import SummaryBlock, find_blocks
from reconcile.sources.summary.cleaning import clean_lines
from reconcile.sources.summary.layers import Count, layer_of
from reconcile.sources.summary.marks import rule
from reconcile.sources.summary.notebooks import texts_of
from reconcile.sources.summary.tables import Table, read_table

_BYTES = re.compile(r"\(([0-9]{1,9})\.([0-9]{2}) ([KMGT]?)B")
"""What Keras prints behind a figure: bytes, or 1,024 times so many, to a hundredth."""
BYTES = (1, 2)
"""Bytes of a quantized weight, and of one in the smallest type of floating point that Keras trains."""
LARGEST = 64 * 2**20
"""Characters of the largest text that is read."""


def read_text(text: str, source: str) -> tuple[Inventory, ...]:
    """Every summary in a text or a notebook, in order.

    Raises InputError when there is none, or the text is larger than 64 MiB.
    """
    if len(text) > LARGEST:
        raise InputError(source, got=f"{len(text):,} characters", takes=f"a text of at most {LARGEST:,}")
    found = tuple(inventory for part in texts_of(text) for inventory in _inventories(part, source))
    if not found:
        raise InputError(
            source, got="no summary and no listing", takes="what model.summary() prints, or names with shapes"
        )
    return found


def _inventories(text: str, source: str) -> Iterator[Inventory]:
    for block in find_blocks(clean_lines(text)):
        table = read_table(block)
        if table.rows and _is_summary(block, table):
            yield _inventory(block, table, source)


def _is_summary(block: SummaryBlock, table: Table) -> bool:
    """Whether rows are a summary's: they have a header, a total, or rules or each other beside them."""
    if block.header or "total" in block.footer:
        return True
    whole = [row for row in table.rows if row.named and row.joined("shape") and row.lines[0].counted]
    return len(whole) > 1 or bool(whole and any(rule(line) for line in block.body))


def _inventory(block: SummaryBlock, table: Table, source: str) -> Inventory:
    figures = {label: shown_number(text) for label, text in block.footer.items()}
    total, trainable, non_trainable, optimizer = (
        figures.get(label, (None, ""))[0] for label in ("total", "trainable", "non-trainable", "optimizer")
    )
    read = [layer_of(row, table) for row in table.rows]
    read = _settled(read, None if total is None else total - (optimizer or 0))
    remarks = [
        *_remarks_of_layers(read),
        *_remarks_of_text(block, table),
        *(Remark("cut-figure", label, shown) for label, (value, shown) in figures.items() if value is None),
        *_quantized(
            block.footer.get("total", ""), total, sum(layer.params or 0 for layer, _ in read if not layer.depth)
        ),
    ]
    return Inventory(
        source=source,
        layers=tuple(layer for layer, _ in read),
        total=total,
        trainable=trainable,
        non_trainable=non_trainable,
        optimizer=optimizer,
        remarks=tuple(remarks),
        title=block.title.strip(),
        heading=block.heading,
    )


def _quantized(text: str, total: int | None, rows: int) -> Iterator[Remark]:
    """That a total takes fewer bytes than in floating point and enough for integers, where the rows come to it."""
    found = _BYTES.search(text)
    if found and total and total == rows:
        # In halves of a hundredth, one of which rounding may have taken or given.
        halves, unit = 2 * int(found[1] + found[2]), 1024 ** " KMGT".index(found[3] or " ")
        least, most = (200 * each * total for each in BYTES)
        if (halves + 1) * unit < most and (halves - 1) * unit >= least:
            yield Remark(QUANTIZED, "total", found[0].strip("("), total)


def _settled(read: list[tuple[Layer, Count]], total: int | None) -> list[tuple[Layer, Count]]:
    """Keep the counts that are not sure if with them rows add up to what holds them, and drop them otherwise.

    What holds rows is the total, or the row of a nested model for those inside. It only decides between what is printed
    and nothing: no count is ever computed from it.
    """
    if all(count.sure for _, count in read):
        return read
    layers = [layer for layer, _ in read]
    proved: set[int] = set()
    waiting = [(total, [place for place, layer in enumerate(layers) if layer.depth == 0])]
    while waiting:
        holds, places = waiting.pop()
        counts = [layers[place].params for place in places]
        adds_up = None not in counts and sum(count or 0 for count in counts) == holds
        proved.update(places if adds_up else ())
        known = (place for place in places if adds_up or read[place][1].sure)
        waiting += [(layers[place].params, inside) for place in known if (inside := _inside(layers, place))]
    return [
        (layer, count) if count.sure else (_proved if place in proved else _dropped)(layer, count)
        for place, (layer, count) in enumerate(read)
    ]


def _inside(layers: Sequence[Layer], place: int) -> list[int]:
    """The places of the rows that are right inside of a nested model's."""
    depth = layers[place].depth
    deeper = takewhile(lambda at: layers[at].depth > depth, range(place + 1, len(layers)))
    return [at for at in deeper if layers[at].depth == depth + 1]


def _proved(layer: Layer, count: Count) -> tuple[Layer, Count]:
    return layer, replace(count, kind="" if count.kind == "cut-count" else count.kind)


def _dropped(layer: Layer, count: Count) -> tuple[Layer, Count]:
    return replace(layer, params=None), replace(count, value=None, kind="cut-count")


def _remarks_of_layers(read: Iterable[tuple[Layer, Count]]) -> Iterator[Remark]:
    for layer, count in read:
        if count.kind:
            yield Remark(count.kind, layer.name, count.shown, count.value)


def _remarks_of_text(block: SummaryBlock, table: Table) -> Iterator[Remark]:
    if not block.header:
        yield Remark("no-header", "top", "")
    if "total" not in block.footer:
        yield Remark("no-footer", "end", "")
    if table.foreign:
        yield Remark("foreign-line", "table", table.foreign[0].strip()[:80], len(table.foreign))
