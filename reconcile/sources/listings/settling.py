"""A listing's entries and the totals beside it become an inventory whose sum is accounted for."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import prod

from reconcile.inventory import MAYBE_SHARED, PARAMETER, Bounds, Inventory, Layer, Remark, Tensor, parent_layers
from reconcile.sources.listings.entry import Entry, Listing
from reconcile.sources.listings.hierarchy import leaves
from reconcile.sources.listings.rounded import shown
from reconcile.sources.listings.shapes import is_leaf
from reconcile.sources.listings.shared import Shared, hides, holder, may_be_shared
from reconcile.sources.listings.totals import NON_TRAINABLE, TENSORS, TRAINABLE, Stated
from reconcile.sources.listings.weighing import against, by_size, figures_of, loose, printed_size, whole_of

_NEAR = 3
"""Lines below a listing in which a total is that of all that it lists."""


def settled(listing: Listing, stated: Sequence[Stated], source: str) -> Inventory:
    """The inventory of a listing: what repeats others left out, each tensor once, with the totals that are stated."""
    entries, whole, said = leaves(_sized(listing.entries))
    entries, repeated = _each_once(_upright(entries))
    layers = (*listing.layers, *_layers(entries))
    figures = figures_of(stated, len(entries), listing.again)
    bounds, sized = by_size(listing.stated or whole or figures.bounds, figures.size)
    remarks = [*listing.remarks, *said, *repeated, *figures.remarks, *sized]
    tensors = [tensor for layer in layers for tensor in layer.tensors or ()]
    if figures.exact.get(TENSORS, 0) > len(tensors) > 0:
        remarks.append(Remark("elided", "listing", f"{figures.exact[TENSORS]:,} tensors stated", len(tensors)))
    total = figures.total
    if bounds and bounds[0] == bounds[1] and (total is None or listing.stated):
        total = bounds[0]
    exact, rounded = sum(map(_parameters, layers)), loose(entries)
    if rounded:
        bounds = whole_of(entries, exact, bounds)
        remarks.append(Remark("rounded-rows", rounded[0].name, f"{total:,}" if total else shown(bounds), len(rounded)))
    # Rows of modules hide parameters and share some; a list of arrays that does not come to its total is wrong.
    modules = bool(listing.layers) or any(layer.tensors is None and layer.params for layer in layers)
    held = bounds if total is None else (total, total) if modules else None
    if held and not any(remark.kind == "below-more" for remark in remarks):
        own = any(one.plain and one.value == total and 0 <= one.line - listing.end < _NEAR for one in stated)
        remarks += against(entries, exact, held, listing.kind, listing.layers if own else ())
    if listing.layers:
        remarks += printed_size(figures.printed, total, layers)
    once = listing.once = _shown_once(listing, layers)
    layers, shared = _with_ties(layers, entries, total, bounds, listing)
    remarks = [
        remark for remark in (*remarks, *shared) if not (shared and remark.kind in ("below-more", "more-than-stated"))
    ]
    return Inventory(
        source=source,
        layers=layers,
        total=total,
        trainable=figures.exact.get(TRAINABLE),
        non_trainable=figures.exact.get(NON_TRAINABLE),
        remarks=tuple(remarks),
        kind=listing.kind,
        # A list of rows is taken as it is listed: where nobody can tell, a remark gives the other total too.
        tells_ties=once is not False,
        bounds=listing.bounds or (bounds if rounded and total is None else None),
    )


def _sized(entries: Sequence[Entry]) -> list[Entry]:
    """Entries with a lone number as a shape of one axis, where all others show shapes and no counts: `96x3`, `96`."""
    shaped = [entry for entry in entries if entry.shape is not None]
    counts = any(entry.count is not None for entry in shaped)
    lone = [entry for entry in entries if entry.shape is None]
    if counts or not shaped or not lone or any(len(entry.shape or ()) < 2 for entry in shaped):
        return list(entries)
    if 2 * sum(_names_array(entry.name) for entry in lone) < len(lone):  # they name modules
        return list(entries)
    return [
        replace(entry, shape=(entry.count,), count=None) if entry.shape is None and entry.count is not None else entry
        for entry in entries
    ]


def _names_array(name: str) -> bool:
    """Whether a name is an array's, or that of a value which an optimizer keeps for one: `bias`, `bias/adam_m`."""
    return is_leaf(name) or is_leaf(name.rpartition("/")[0])


def _upright(entries: list[Entry]) -> list[Entry]:
    """Entries with GGUF's names whose shapes stand the other way round, as its own tools print them."""
    first = next((entry for entry in entries if entry.name == "token_embd.weight"), None)
    if first is None or len(first.shape or ()) != 2 or first.shape[0] > first.shape[1]:  # type: ignore[index]
        return entries
    return [replace(entry, shape=entry.shape[::-1]) if entry.shape else entry for entry in entries]


def _each_once(entries: Iterable[Entry]) -> tuple[list[Entry], list[Remark]]:
    """Each tensor once: a repeated name is another tensor where its shape is another, or where names are no paths.

    PyTorch's names are paths, which no model has twice; Keras' are of single variables, which many layers call alike.
    """
    kept: list[Entry] = []
    seen: dict[str, list[Entry]] = {}
    remarks = []
    for entry in entries:
        before = seen.setdefault(entry.name, [])
        if any(_same(entry, one) for one in before) and _repeats(entry, kept[-1]):
            shape = "" if entry.shape is None else str(entry.shape)
            remarks.append(Remark("duplicate", entry.name, shape or str(entry.count), entry.count))
            continue
        before.append(entry)
        kept.append(replace(entry, name=f"{entry.name}#{len(before)}") if len(before) > 1 else entry)
        if entry.contradicts:
            product = prod(entry.shape or ())
            remarks.append(Remark("count-contradicts-shape", entry.name, f"{entry.count:,}", product))
    return kept, remarks


def _same(entry: Entry, other: Entry) -> bool:
    return (entry.shape, entry.range) == (other.shape, other.range)


def _repeats(entry: Entry, last: Entry) -> bool:
    """Whether a row that was there before is the same row again: of a path, or of one with `/` right behind itself."""
    return "." in entry.name or ":" in entry.name or ("/" in entry.name and last.name == entry.name)


def _layers(entries: Sequence[Entry]) -> Iterator[Layer]:
    """Entries with shapes as layers of their tensors, those without as rows of their own."""
    yield from parent_layers(entry.tensor for entry in entries if entry.shape is not None)
    yield from (entry.row for entry in entries if entry.shape is None)


def _with_ties(
    layers: tuple[Layer, ...], entries: Sequence[Entry], total: int | None, bounds: Bounds | None, listing: Listing
) -> tuple[tuple[Layer, ...], list[Remark]]:
    """The layers, with arrays as one that the stated total counts once, and a remark where nothing tells.

    Where something is not in the text the sum is the least there can be, and such an array is left out of it.
    """
    found = may_be_shared(layers) if listing.once is not True else None
    exact = sum(_parameters(layer) for layer in layers)
    whole = (total, total) if total is not None else bounds
    if found is None or loose(entries):
        unseen = (listing.once is not True and whole is None) or (listing.once is False and not loose(entries))
        return layers, [Remark("tied-unseen", listing.kind, "")] if unseen and hides(layers) else []
    for names, size in found.ways:
        if whole and whole[0] <= exact - size <= whole[1] and not whole[0] <= exact <= whole[1]:
            return _tied(layers, found, names), [Remark("shared", ", ".join(names), found.holders(names), exact - size)]
    names, size = next(iter(found.ways))
    if any(remark.kind == "no-count" for remark in listing.remarks):
        return _without(layers, names), [Remark("left-out", ", ".join(names), found.holders(names), exact)]
    return layers, [Remark(MAYBE_SHARED, ", ".join(names), found.holders(names), exact - size)]


def _without(layers: tuple[Layer, ...], names: Sequence[str]) -> tuple[Layer, ...]:
    """The layers without some tensors."""
    return tuple(
        replace(layer, tensors=tuple(one for one in layer.tensors if one.path not in names))
        if layer.tensors and any(one.path in names for one in layer.tensors)
        else layer
        for layer in layers
    )


def _parameters(layer: Layer) -> int:
    if layer.tensors is None:
        return layer.params or 0
    return sum(tensor.size for tensor in layer.tensors if tensor.role == PARAMETER)


def _tied(layers: tuple[Layer, ...], found: Shared, names: Sequence[str]) -> tuple[Layer, ...]:
    """The layers with some tensors in the token table's storage; a row without tensors has so much less."""
    result = []
    for layer in layers:
        if layer.tensors is None and layer.name in names:
            layer = replace(layer, params=(layer.params or 0) - found.size)
        elif any(tensor.path in names for tensor in layer.tensors or ()):
            layer = replace(layer, tensors=tuple(_in_storage(one, found, names) for one in layer.tensors or ()))
        result.append(layer)
    return tuple(result)


def _in_storage(tensor: Tensor, found: Shared, names: Sequence[str]) -> Tensor:
    if tensor.path not in names:
        return tensor
    if tensor.path in found.biases:
        return replace(tensor, storage=holder(tensor.path))
    return replace(tensor, storage=found.table)


def _shown_once(listing: Listing, layers: Sequence[Layer]) -> bool | None:
    """Whether the text shows a shared array once: it says what is trained, as only a list of parameters does, or an
    output matrix stands there without its bias, which is shared and stands elsewhere."""
    if listing.once is not None:
        return listing.once
    tensors = {tensor.path: tensor for layer in layers for tensor in layer.tensors or ()}
    if any(tensor.trainable is not None for tensor in tensors.values()):
        return True
    for path, tensor in tensors.items():
        module, _, leaf = path.rpartition(".")
        above = f"{module.rpartition('.')[0]}.bias"
        alone = leaf == "weight" and len(tensor.shape) == 2 and f"{module}.bias" not in tensors
        if alone and above in tensors and tensors[above].shape == tensor.shape[:1]:
            return True
    return None
