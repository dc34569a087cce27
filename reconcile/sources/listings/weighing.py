"""Rows held against what a text states of the whole: totals, exact or rounded, and the bytes that they take."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

from reconcile.inventory import Bounds, Layer, Remark
from reconcile.sources.listings.entry import Entry
from reconcile.sources.listings.rounded import shown, within
from reconcile.sources.listings.totals import BYTES, NON_TRAINABLE, PRINTED, TENSORS, TOTAL, TRAINABLE, Stated

_EACH = (4, 2, 8, 1)
"""Bytes that one parameter may take."""
_MOST_SUMS = 4096
"""Sums of arrays that are tried."""


@dataclass(slots=True)
class Figures:
    """What a text states beside a listing: exact figures by kind, the bounds of a rounded total, a size in bytes."""

    exact: dict[str, int] = field(default_factory=dict)
    bounds: Bounds | None = None
    size: Stated | None = None
    printed: Stated | None = None
    remarks: list[Remark] = field(default_factory=list)

    @property
    def total(self) -> int | None:
        """The exact total, as it is stated or as its two parts make it."""
        if TOTAL not in self.exact and TRAINABLE in self.exact and NON_TRAINABLE in self.exact:
            return self.exact[TRAINABLE] + self.exact[NON_TRAINABLE]
        return self.exact.get(TOTAL)


def figures_of(stated: Iterable[Stated], rows: int, again: int) -> Figures:
    """The figures beside a listing of so many rows, without what its form counts a second time."""
    found = Figures()
    for figure in stated:
        if figure.kind == BYTES:
            found.size = figure
        elif figure.kind == PRINTED:
            found.printed = figure
        elif figure.value is None:
            if figure.kind == TOTAL and found.bounds is None:
                found.bounds = figure.bounds
            found.remarks.append(Remark("rounded", figure.kind, figure.shown))
        else:
            # A sum without a word of what is summed may be that of the rows.
            rows_only = figure.kind == TOTAL and figure.value == rows
            found.exact.setdefault(TENSORS if rows_only else figure.kind, figure.value)
    found.exact = _once(found.exact, again)
    return found


def _once(figures: dict[str, int], again: int) -> dict[str, int]:
    """The figures without what a form counts a second time; no split where both parts of it may have that."""
    if not again:
        return figures
    split = () if figures.get(NON_TRAINABLE) else (TRAINABLE, NON_TRAINABLE)
    kept = {kind: value for kind, value in figures.items() if kind in (TOTAL, TENSORS, *split)}
    return {kind: value - again if kind in (TOTAL, TRAINABLE) else value for kind, value in kept.items()}


def by_size(bounds: Bounds | None, size: Stated | None) -> tuple[Bounds | None, list[Remark]]:
    """The bounds of a total that its size in bytes leaves, and what there is to say of that."""
    if bounds is None or size is None or size.bounds is None:
        return bounds, []
    least, most = size.bounds
    fits = [(each, held) for each in _EACH if (held := within(bounds, (-(-least // each), most // each)))]
    if not fits:
        return bounds, [Remark("bytes-differ", size.shown, shown(bounds))]
    if len(fits) > 1:
        return bounds, []
    each, held = fits[0]
    return held, [Remark("bytes-agree", size.shown, shown(held), each)]


def printed_size(figure: Stated | None, total: int | None, layers: Sequence[Layer]) -> Iterator[Remark]:
    """A remark where a table's size of the parameters is not that of its total: what it fits, class by class.

    torchinfo adds up what layers of its own list hold, and leaves out what modules hold as parameters by themselves.
    """
    if figure is None or figure.bounds is None or not total or any(_takes(total, figure.bounds)):
        return
    said = f"{total * _EACH[0]:,} bytes in float32 ({total * _EACH[0] / 10**6:.2f} MB), and not {figure.shown}"
    for name in dict.fromkeys(layer.class_name for layer in layers if layer.params):
        left = sum(layer.params or 0 for layer in layers if layer.class_name == name)
        for each in _takes(total - left, figure.bounds):
            said += f"; that fits the {total - left:,} without {name} ({left:,}), {(total - left) * each:,} bytes"
            yield Remark("bytes-without", "Params size", said, total)
            return
    yield Remark("bytes-without", "Params size", said, total)


def _takes(count: int, bounds: Bounds) -> Iterator[int]:
    """The bytes that each parameter takes, for all to take as many together, in units of 1,000 or 1,024."""
    for each in _EACH:
        size = count * each
        if bounds[0] <= size <= bounds[1] or bounds[0] <= size * 10**6 // 2**20 <= bounds[1]:
            yield each


def loose(entries: Iterable[Entry]) -> list[Entry]:
    """The entries whose counts are rounded."""
    return [entry for entry in entries if entry.bounds is not None and entry.count is None]


def whole_of(entries: Sequence[Entry], exact: int, stated: Bounds | None) -> Bounds:
    """The bounds of a model with rounded rows beside `exact` parameters: what is stated, narrowed by rows that add up.

    Rows of modules may share a matrix, and show no parameter that a module holds by itself.
    """
    rows = _sum(entries, exact)
    if stated is None:
        return rows
    modules = any(entry.class_name and entry.shape is None for entry in entries)
    return stated if modules else within(stated, rows) or stated


def against(
    entries: Iterable[Entry], exact: int, stated: Bounds, kind: str, layers: Sequence[Layer] = ()
) -> Iterator[Remark]:
    """A remark where the rows lie outside of a stated total; `layers` are all that a total right below them is of.

    They come to more than that only where some of their arrays can be one.
    """
    least, most = _sum(entries, exact)
    if most < stated[0]:
        yield Remark("less-than-stated", kind, shown(stated), most)
    elif least > stated[1]:
        once = layers and least == most and stated[0] == stated[1] and not _may_be_shared(layers, least - stated[0])
        yield Remark("more-than-shared" if once else "more-than-stated", kind, shown(stated), least)


def _may_be_shared(layers: Sequence[Layer], surplus: int) -> bool:
    """Whether so many parameters can be those of arrays that stand there again, or that are stored in fewer bits."""
    counted = [layer for layer in layers if layer.params]
    if any(layer.tensors is None or "bit" in layer.class_name.lower() for layer in counted):
        return True
    arrays = Counter(tuple(sorted(tensor.shape)) for layer in counted for tensor in layer.tensors or ())
    sums = {0}
    for shape, often in arrays.items():
        for _ in range(often - 1):
            sums |= {each + prod(shape) for each in sums if each + prod(shape) <= surplus}
            if len(sums) > _MOST_SUMS:
                return True
    return surplus in sums


def _sum(entries: Iterable[Entry], exact: int) -> Bounds:
    ranges = [entry.range for entry in loose(entries)]
    return exact + sum(least for least, _ in ranges), exact + sum(most for _, most in ranges)
