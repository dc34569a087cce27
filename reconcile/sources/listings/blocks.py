"""Rows found in a text put together to listings: which rows belong to one, and what is left out between them."""

import re
from collections.abc import Iterable, Sequence

from reconcile.inventory import Remark
from reconcile.sources.listings.entry import Entry, Listing
from reconcile.sources.listings.lines import bare
from reconcile.sources.listings.shapes import is_leaf
from reconcile.sources.listings.totals import TOTAL, stated_in

_ELIDED = re.compile(
    r"[\[(<]?(?:\.{3,}|\u2026+|\u22ee|\u22ef|(?:\.\s){2,}\.)[\])>]?(?: ?,)?$"
    r"|[\[(<.\u2026 ]{0,20}(?:\d{1,6} )?\b(?:omitted|truncated|elided|snip|more (?:rows|lines|layers|tensors)|etc)\b"
)
_VALUES = re.compile(r"[\s\[\](){},.\d+eE-]*(?:,? ?(?:dtype|device|grad_fn|requires_grad)\b.*)?[>\])]*,?$")
_LAYERS = re.compile(
    r"embed|encod|decod|attention|attn|dense|norm|dropout|layer|lstm|gru|conv|linear|pool|head|bert|gpt|llama|model|cls"
    r"|classif|mlp|ffn|feed|fc\d?$|block|predict|input|output",
    re.IGNORECASE,
)
"""What layers and modules are usually called."""
_STARTS = re.compile(r"embed|wte|wpe|emb\b", re.IGNORECASE)


def blocks(rows: Sequence[tuple[int, Entry]], lines: list[str], kind: str) -> list[Listing]:
    """Listings of rows at their lines.

    A listing ends behind a total, where its first name comes again, and, behind a gap, where any name comes again or
    embeddings begin under a root that it has not had.
    """
    found: list[Listing] = []
    names: set[str] = set()
    for number, (place, entry) in enumerate(rows):
        if not found or _begins_anew(found[-1], names, place, entry, lines, rows[number + 1 : number + 2]):
            found.append(Listing(place, place + 1, kind))
            names = set()
        elif place > found[-1].end:
            found[-1].remarks.extend(_elided(found[-1], lines[found[-1].end : place]))
        found[-1].entries.append(entry)
        found[-1].placed.add(place)
        found[-1].end = place + 1
        names.add(entry.name)
    starts = [listing.start for listing in found] + [len(lines)]
    for listing, following in zip(found, starts[1:], strict=True):
        listing.remarks.extend(_elided(listing, lines[listing.end : min(following, listing.end + 2)]))
    return found


def is_elision(line: str) -> bool:
    """Whether a line stands for lines that are left out."""
    return len(line) < 120 and bool(_ELIDED.match(bare(line)) or _ELIDED.match(line.strip()))


def _begins_anew(
    listing: Listing,
    names: set[str],
    place: int,
    entry: Entry,
    lines: list[str],
    following: Sequence[tuple[int, Entry]],
) -> bool:
    before, between = listing.entries, lines[listing.end : place]
    gap = _is_gap(between)
    if gap and any(figure.kind == TOTAL for figure in stated_in(between)):
        return True
    if entry.name in names:
        if gap and _is_path(entry.name) and [one.name for one in before[:2]] == [entry.name, *_names(following)]:
            return True  # another model of the same family
        return _same(entry, before[0]) and (gap or _comes_again(before, following))
    if not gap or not _STARTS.search(entry.name):
        return False
    return _root(entry.name) not in {_root(name) for name in names} or ("/" in entry.name) != ("/" in before[0].name)


def _names(rows: Iterable[tuple[int, Entry]]) -> list[str]:
    return [entry.name for _, entry in rows]


def _is_path(name: str) -> bool:
    return "." in name or "/" in name


def _same(entry: Entry, other: Entry) -> bool:
    """Whether two rows show the same array, as far as they tell."""
    return (entry.name, entry.shape, entry.count) == (other.name, other.shape, other.count)


def _comes_again(before: Sequence[Entry], following: Sequence[tuple[int, Entry]]) -> bool:
    """Whether a listing that has begun again goes on so; names without a path say nothing of it."""
    if len(before) < 2 or "." not in before[0].name:
        return False
    return all(_same(entry, before[1]) for _, entry in following)


def _is_gap(lines: Iterable[str]) -> bool:
    """Whether something stands between rows that is neither blank, nor values, nor dots."""
    return any(line.strip() and not _VALUES.match(line[:300]) and not is_elision(line) for line in lines)


def _root(name: str) -> str:
    return re.split(r"[./]", name, maxsplit=1)[0]


def _elided(listing: Listing, between: Iterable[str]) -> Iterable[Remark]:
    for line in between:
        if is_elision(line):
            yield Remark("elided", f"after {listing.entries[-1].name}", line.strip())


def plausible(listing: Listing) -> bool:
    """Whether rows are a listing's: half of them with names of several parts or as no prose has them."""
    rows = listing.entries
    named = [row for row in rows if row.strong or (_is_named(row.name) and row.shape != ())]
    if all(row.shape is None for row in rows):
        told = [row for row in rows if row.strong]
        layers = [row for row in rows if _LAYERS.search(row.name)]
        modules = 4 * len(layers) >= 3 * len(rows) or _has_levels(rows)
        return len(rows) > 1 and (2 * len(told) >= len(rows) or (len(rows) > 2 and modules))
    if len(rows) < 3:
        return len(named) == len(rows) and all(row.strong or is_leaf(row.name) for row in rows)
    return 2 * len(named) >= len(rows)


def _has_levels(rows: Sequence[Entry]) -> bool:
    """Whether most rows stand below another one by their names."""
    names = {row.name for row in rows}
    below = sum(row.name.rpartition(".")[0] in names for row in rows if "." in row.name)
    return 2 * below > len(rows)


def _is_named(name: str) -> bool:
    return _is_path(name) or is_leaf(name)
