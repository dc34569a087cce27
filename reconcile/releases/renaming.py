"""What the arrays of components were called and are called now: one line for all that one pattern says."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from reconcile.comparison.folding import block, folded_all
from reconcile.mapping.ledger import Assignment
from reconcile.taxonomy import template

Pair = tuple[Assignment, Assignment]


def renamed(both: Iterable[Pair]) -> Iterator[tuple[str, str]]:
    """Components whose arrays are called otherwise, and `before → after`; `both` are those that two models have.

    What is renamed alike stands together, with `{n}` for a block's number, `{layer}` for a layer that is called the
    same or that an array repeats the name of, and `…` for what stays. A component alone has its names whole.
    """
    paths: list[str] = []
    groups: dict[str, dict[str, Pair]] = {}
    for one, other in both:
        paths.append(one.path)
        if len(one.items) == len(other.items) and one.items != other.items:
            groups.setdefault(_text(*_patterns(_names(one, other))), {})[one.path] = one, other
    for text, group in groups.items():
        alone = len({template(path) for path in group}) == 1
        names = _text(*_names(*next(iter(group.values())))) if alone else text
        yield ", ".join(folded_all(list(group) if alone else _widest(group, paths))), names


def _text(before: str, after: str) -> str:
    return f"{before} → {after}"


def _names(one: Assignment, other: Assignment) -> tuple[str, str]:
    """What the first array of each is called, with `{n}` for the number of the block."""
    number = block(one.path)
    names = [part.items[0].removesuffix(":0") for part in (one, other)]
    before, after = (re.sub(rf"(?<=-){number}(?=[-/_]|$)", "{n}", name) if number else name for name in names)
    return before, after


def _patterns(names: tuple[str, str]) -> tuple[str, str]:
    """Two names with what they have in common left out."""
    (before, leaf), (after, other) = ((folder, leaf) for folder, _, leaf in (name.rpartition("/") for name in names))
    leaves = leaf.replace(_last(before), "{layer}"), other.replace(_last(after), "{layer}")
    stays = _tail(*leaves) if before and after else ""
    if stays:
        leaves = leaves[0][: -len(stays)] + "…", leaves[1][: -len(stays)] + "…"
    if _last(before) == _last(after):
        before, after = (folder[: len(folder) - len(_last(folder))] + "{layer}" for folder in (before, after))
    return f"{before}/{leaves[0]}".lstrip("/"), f"{after}/{leaves[1]}".lstrip("/")


def _last(folder: str) -> str:
    return folder.rpartition("/")[2] or "/"


def _tail(one: str, other: str) -> str:
    """The longest end that two names share and that begins a word."""
    if one == other:
        return one
    starts = [0, *(found.end() for found in re.finditer("[_-]", one))]
    return next((one[start:] for start in starts if re.search(f"(^|[_-]){re.escape(one[start:])}$", other)), "")


def _widest(some: Collection[str], paths: Sequence[str]) -> list[str]:
    """Components, the part of a block or a model that holds several and nothing else instead of those."""
    found: dict[str, None] = {}
    for path in some:
        whole, held, above = path, 1, _up(path)
        while above and above.count("[") == path.count("["):
            inside = [other for other in paths if other.startswith(f"{above}.")]
            if any(other not in some for other in inside):
                break
            if len(inside) > held:
                whole, held = above, len(inside)
            above = _up(above)
        found[whole] = None
    return list(found)


def _up(path: str) -> str:
    return path.rpartition(".")[0]
