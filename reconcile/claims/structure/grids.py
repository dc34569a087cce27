"""Step 5b: the sizes in tables: a row with sizes of a model under headers that say so describes that model."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from reconcile.claims.structure.dimensions import Size, Sized, called, families_at, only_sizes, reach, sized
from reconcile.claims.structure.layout import Layout
from reconcile.claims.structure.models import Model, with_vocabulary
from reconcile.claims.structure.scope import Mentions
from reconcile.quantity import quantities

MOST = 24
_NEEDED = frozenset("HL")
_MARKUP = " \x01*`$_\\{}#"


def of_tables(
    layout: Layout, mentions: Mentions, stated: Iterable[Size], named: Iterable[Model]
) -> Mapping[int, Sized]:
    """The models of rows by the numbers of their lines; what has one size in the text is of them all.

    A row that states a vocabulary alone is of the model that it names, else of the likeliest one, with that vocabulary.
    Else it has the width or depth that it lacks from the text, unless it names a model that has its sizes.
    """
    common = only_sizes(stated)
    found: dict[int, Sized] = {}
    likeliest = next((model for model in named if {"V", "H", "L"} <= model.sizes.keys()), None)
    for number, sizes in _rows(layout):
        line = layout.lines[number]
        own = [model for one in mentions.between(line.start, line.end) for model in one.models]
        of = (next(iter(own), None) or likeliest) if sizes.keys() == {"V"} else None
        if of is not None:
            if len(found) < MOST and of.architecture and of.sizes.get("V") != sizes["V"]:
                found[number] = Sized(line.start, with_vocabulary(of, sizes["V"]))
        elif len(found) < MOST and _is_new(own, sizes) and {**common, **sizes}.keys() >= _NEEDED:
            for family in families_at(layout.plain.text, line.start):
                found.setdefault(number, Sized(line.start, sized({**common, **sizes}, family)))
    return found


def _is_new(own: Sequence[Model], sizes: Mapping[str, int]) -> bool:
    """Whether the sizes of a row are of none of the models that it names, of which a width and a depth say nothing."""
    if sizes.keys() >= _NEEDED:
        return not own
    return not any(model.sizes.items() >= sizes.items() for model in own)


def _rows(layout: Layout) -> Iterator[tuple[int, Mapping[str, int]]]:
    """The rows of tables with the sizes in them, where these say which model is meant."""
    letters: Mapping[int, str] = {}
    for number, line in enumerate(layout.lines):
        if line.kind != "table":
            continue
        if layout.tops[number] == number:
            heads = (layout.plain.text[slice(*cell)].strip(_MARKUP) for cell in line.cells)
            letters = {place: letter for place, head in enumerate(heads) if (letter := called(head))}
            letters = letters if len({*letters.values()}) == len(letters) and _is_model(letters.values()) else {}
            width = len(line.cells)
        elif letters and len(line.cells) == width:
            sizes = {letter: _size(layout.plain.text[slice(*line.cells[place])]) for place, letter in letters.items()}
            known = {letter: size for letter, size in sizes.items() if size in reach(letter)}
            if _is_model(known):
                yield number, known


def _is_model(letters: Collection[str]) -> bool:
    """Whether some dimensions say which model is meant: width and depth, or no more than its depth or vocabulary."""
    return {*letters} >= _NEEDED or ("H" not in letters and bool({*letters} & {"V", "L"}))


def _size(cell: str) -> int:
    """The whole number that a cell is; 0 where it is something else."""
    figures = list(quantities(cell))
    plain = len(figures) == 1 and figures[0].exact and not re.search(r"[^\W\d]", cell)
    return int(figures[0].value) if plain else 0
