"""A text with listings read into inventories."""

from collections.abc import Callable, Iterable, Iterator
from math import prod

from reconcile.inventory import Inventory, Layer, Remark, parent_layers
from reconcile.sources.listings import modules, objects, printed, tables, trees, variables
from reconcile.sources.listings.entry import Entry, Listing
from reconcile.sources.listings.lines import prepared, without_summaries
from reconcile.sources.listings.totals import NON_TRAINABLE, TENSORS, TOTAL, TRAINABLE, Stated, stated_in
from reconcile.sources.summary.notebooks import texts_of

# What takes lines first keeps them: the more peculiar form comes first. A header of Keras' own begins torchsummary's
# table too, so Keras' summaries are passed over only behind that.
_PECULIAR = (modules.find_modules, trees.find_trees)
_FORMS = (variables.find_variables, tables.find_tables, printed.find_rows)


def read_listings(text: str, source: str) -> tuple[Inventory, ...]:
    """Every listing of names with shapes or counts in a text or a notebook, in order; empty when there is none.

    The names stand as printed, each tensor once. Stated totals are those beside the listing, never sums.
    """
    return tuple(inventory for part in texts_of(text) for inventory in _inventories(part, source))


def _inventories(text: str, source: str) -> Iterator[Inventory]:
    listed = objects.find_objects(text)
    if listed is not None:
        yield from (_inventory(listing, (), source) for listing in listed)
        return
    lines = prepared(text)
    found = _taken(lines, _PECULIAR)
    lines = without_summaries(lines)
    found += _taken(lines, _FORMS)
    found.sort(key=lambda listing: listing.start)
    if not found:
        return
    stated = _beside(found, stated_in(lines))
    for place, listing in enumerate(found):
        yield _inventory(listing, stated.get(place, ()), source)


def _taken(lines: list[str], forms: Iterable[Callable[[list[str]], list[Listing]]]) -> list[Listing]:
    """The listings of some forms; the lines that they take are left empty, and those between them as they are."""
    found: list[Listing] = []
    for form in forms:
        new = form(lines)
        found += new
        for listing in new:
            lines[listing.start : listing.end] = [""] * (listing.end - listing.start)
    return found


def _beside(found: list[Listing], figures: Iterable[Stated]) -> dict[int, list[Stated]]:
    """Each figure with the listing before it; with the next before the first, and where one has such a figure."""
    result: dict[int, list[Stated]] = {}
    for figure in figures:
        place = sum(listing.start <= figure.line for listing in found) - 1
        taken = {other.kind for other in result.get(place, ())}
        if (place < 0 or figure.kind in taken or figure.kind == TENSORS) and place + 1 < len(found):
            place += 1
        result.setdefault(place, []).append(figure)
    return result


def _inventory(listing: Listing, stated: Iterable[Stated], source: str) -> Inventory:
    figures: dict[str, int] = {}
    remarks = list(listing.remarks)
    for figure in stated:
        if figure.value is None:
            remarks.append(Remark("rounded", figure.kind, figure.shown))
        else:
            # A sum without a word of what is summed may be that of the rows.
            rows = figure.kind == TOTAL and figure.value == len(listing.entries)
            figures.setdefault(TENSORS if rows else figure.kind, figure.value)
    entries, said = _once(listing.entries)
    remarks += said
    layers = (*listing.layers, *_layers(entries))
    tensors = [tensor for layer in layers for tensor in layer.tensors or ()]
    if figures.get(TENSORS, 0) > len(tensors) > 0:
        remarks.append(Remark("elided", "listing", f"{figures[TENSORS]:,} tensors stated", len(tensors)))
    total = figures.get(TOTAL)
    if total is None and NON_TRAINABLE in figures and TRAINABLE in figures:
        total = figures[TRAINABLE] + figures[NON_TRAINABLE]
    return Inventory(
        source=source,
        layers=layers,
        total=total,
        trainable=figures.get(TRAINABLE),
        non_trainable=figures.get(NON_TRAINABLE),
        remarks=tuple(remarks),
        kind=listing.kind,
    )


def _once(entries: Iterable[Entry]) -> tuple[list[Entry], list[Remark]]:
    """Each name once, and what is to be said of the rows: repeated names, counts that are not their shapes'."""
    kept: dict[str, Entry] = {}
    remarks = []
    for entry in entries:
        if entry.name in kept:
            shape = "" if entry.shape is None else str(entry.shape)
            remarks.append(Remark("duplicate", entry.name, shape or str(entry.count), entry.count))
            continue
        kept[entry.name] = entry
        if entry.contradicts:
            product = prod(entry.shape or ())
            remarks.append(Remark("count-contradicts-shape", entry.name, f"{entry.count:,}", product))
    return list(kept.values()), remarks


def _layers(entries: list[Entry]) -> Iterator[Layer]:
    """Entries with shapes as layers of their tensors, those without as rows of their own."""
    yield from parent_layers(entry.tensor for entry in entries if entry.shape is not None)
    yield from (entry.row for entry in entries if entry.shape is None)
