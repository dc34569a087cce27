"""Write `docs/taxonomy.md`: every component of every architecture, each formula derived where it first stands.

    python docs/write.py                # `make taxonomy`

All of it is what `reconcile/architectures/*.toml` says, worked out by the program for a model that people know.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from reconcile.datafile import PACKAGE
from reconcile.explanation.derivation import derive
from reconcile.formula import Formula
from reconcile.known_model import KnownModel, known_models
from reconcile.phrases import number
from reconcile.render.markdown import plain_text
from reconcile.selection import value
from reconcile.taxonomy import Architecture, Component, architecture_names, load_architecture

FILE = Path(__file__).with_name("taxonomy.md")
FIRST = "bert"
"""The architecture that others include, and that most people ask about."""

_INTRODUCTION = """# Taxonomy

Every parameter of a model is one component's, and every component has a formula over the dimensions of its model. This
page lists the components of each architecture with their formulas, and derives each formula where it first stands: from
the shapes of its tensors, with the sizes of a model that people know. It is written by the program from
`reconcile/architectures/*.toml` (`make taxonomy`), and a test compares it.

A dense layer from m values to n has a kernel m·n and a bias n, a layer norm over n values a scale and an offset, 2·n,
an embedding of m entries of n values m·n. Everything below consists of these, unless it says otherwise. `block[*]` is
each of the blocks, and the counts are of one."""


def taxonomy() -> str:
    """The page."""
    derived: set[str] = set()
    names = [FIRST, *(name for name in architecture_names() if name != FIRST)]
    parts = [_INTRODUCTION, *("\n".join(_section(load_architecture(name), derived)) for name in names)]
    return "\n\n".join(parts) + "\n"


def _section(architecture: Architecture, derived: set[str]) -> Iterator[str]:
    """One architecture: its source, dimensions, components, derivations of what was not derived before, totals."""
    model = _example(architecture.name)
    yield f"## {architecture.title}\n\n{plain_text(_said_of(architecture.name))}\n"
    meanings = [[name, meaning, _size(model, name)] for name, meaning in architecture.dimensions.items()]
    yield _table(("", "dimension", model.name), meanings, "llr") + "\n"
    nodes = _nodes(architecture)
    yield _table(
        ("component", "what it is", "formula", model.name), [_row(architecture, node, model) for node in nodes], "lllr"
    )
    yield f"\n### {architecture.title}: where each formula comes from\n"
    for node in nodes:
        if (consists := _consists(architecture, node)) not in derived:
            derived.add(consists)
            yield from _derivation(architecture, node, model)
    if further := _further(architecture):
        yield f"\n### {architecture.title}: what only some have\n"
        yield _table(("tensor", "where", "shape"), further, "lll")
    yield f"\n### {architecture.title}: totals that people quote\n"
    yield _table(("total", "formula", model.name), list(_totals(architecture, model)), "llr")


@cache
def _example(architecture: str) -> KnownModel:
    """The model of an architecture that most people mean."""
    return min((one for one in known_models() if one.architecture == architecture), key=lambda one: one.bits)


def _said_of(name: str) -> str:
    """What stands at the head of an architecture's file."""
    lines = (PACKAGE / "architectures" / f"{name}.toml").read_text("utf-8").splitlines()
    head = lines[: next(place for place, line in enumerate(lines) if not line.startswith("#"))]
    return " ".join(line.removeprefix("#").strip() for line in head)


def _options(architecture: Architecture) -> frozenset[str]:
    return frozenset(architecture.options)


def _nodes(architecture: Architecture) -> list[str]:
    """The rows of the default table, in the tree's order."""
    return list(dict.fromkeys(architecture.row_of(part.path) for part in _components(architecture)))


def _components(architecture: Architecture) -> tuple[Component, ...]:
    return architecture.active(_options(architecture))


def _further(architecture: Architecture) -> list[list[str]]:
    """What only some models have: its tensors, and which models those are."""
    said = architecture.further
    return [[part.path, said[part.option], part.shape_text] for part in architecture.components if part.option in said]


def _formula(architecture: Architecture, node: str) -> Formula:
    return architecture.size(node, _options(architecture))


def _row(architecture: Architecture, node: str, model: KnownModel) -> list[str]:
    formula = _formula(architecture, node)
    words = architecture.say(node)
    option = {part.option for part in architecture.below(node, _options(architecture))}
    (only,) = option if len(option) == 1 else (None,)
    said = architecture.options.get(only or "", "")
    return [node, words if words != node else said, str(formula) if formula.terms else "0", _count(formula, model)]


def _consists(architecture: Architecture, node: str) -> str:
    """What a node's formula is derived from: the names below it and their shapes, and what is said of it besides."""
    parts = architecture.below(node, _options(architecture))
    views = [view.says for view in architecture.views if view.of == node]
    return str([(part.path.removeprefix(node), part.shape_text, part.tied_to) for part in parts] + views)


def _derivation(architecture: Architecture, node: str, model: KnownModel) -> Iterator[str]:
    """A formula from the shapes of its tensors, and what else there is to say of it."""
    parts = architecture.below(node, _options(architecture))
    own = [part for part in parts if part.tied_to is None]
    if any(model.dimensions.get(name) is None for part in own for name in part.size.dimensions):
        yield f"- **{plain_text(node)}**: {plain_text(' + '.join(part.shape_text for part in own))}"
        return
    first, *more = derive(architecture, node, model.dimensions, _options(architecture)).lines
    yield f"- **{plain_text(node)}**: {plain_text(first)}"
    if more and all("." not in part.path.removeprefix(f"{node}.") for part in own):
        more[0] = " + ".join(f"{part.path.rpartition('.')[2]} {part.shape_text}" for part in own)
    more += [f"{part.path} is {part.tied_to}, and counted there" for part in parts if part.tied_to]
    yield from (f"    - {plain_text(line)}" for line in more)


def _totals(architecture: Architecture, model: KnownModel) -> Iterator[list[str]]:
    known = {name for name, size in model.dimensions.items() if size is not None}
    needed = [part for part in _components(architecture) if part.needed(model.dimensions)]
    components = [part for part in needed if part.size.dimensions <= known]
    for name, selection in architecture.totals.items():
        account = selection.account(components, architecture.totals)
        if account is not None:
            yield [name, str(value(account)), _count(value(account), model)]


def _size(model: KnownModel, name: str) -> str:
    size = model.dimensions.get(name)
    return "" if size is None else number(size)


def _count(formula: Formula, model: KnownModel) -> str:
    known = all(model.dimensions.get(name) is not None for name in formula.dimensions)
    return number(formula.evaluate(model.dimensions)) if known else ""


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], aligned: str) -> str:
    from tabulate import tabulate

    sides = {"l": "left", "r": "right"}
    cells = [[plain_text(cell) for cell in row] for row in rows]
    table: str = tabulate(
        cells, heads, tablefmt="pipe", colalign=[sides[one] for one in aligned], disable_numparse=True
    )
    return table


if __name__ == "__main__":
    FILE.write_text(taxonomy(), "utf-8", newline="\n")
