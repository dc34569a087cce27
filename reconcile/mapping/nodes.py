"""Rows that a dialect names -> nodes, with the dimensions that their counts give."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reconcile.dialect import Dialect
from reconcile.inventory import Layer
from reconcile.mapping.desk import Desk, value_of
from reconcile.mapping.ledger import Assignment, Evidence, copy_prefix
from reconcile.mapping.names import Named, name_rows, settle
from reconcile.mapping.solving import Counted, solve_dimensions, variants
from reconcile.taxonomy import Architecture, template


def place_named(
    rows: Sequence[Layer], dialect: Dialect, architecture: Architecture, desk: Desk
) -> tuple[dict[str, int | None], frozenset[str], tuple[Evidence, ...]]:
    """Place every row that the dialect names, and solve the dimensions from their counts."""
    named = list(name_rows(rows, dialect))
    options = _options_found(named, architecture)
    models = list(dict.fromkeys(row.model for row in named if row.nodes))
    solved = [
        _place_model(named, model, number, dialect, architecture, options, desk) for number, model in enumerate(models)
    ]
    return solved[0][0], options, solved[0][1]


def _place_model(
    named: Sequence[Named],
    model: str,
    number: int,
    dialect: Dialect,
    architecture: Architecture,
    options: frozenset[str],
    desk: Desk,
) -> tuple[dict[str, int | None], tuple[Evidence, ...]]:
    """Place the rows of one model (the names of a second one have a prefix), and solve its dimensions."""
    copy = copy_prefix(number)
    own = [row if row.model == model else Named(row.layer, ()) for row in named]
    # First only rows whose name allows one node give the dimensions; with them the others are told apart.
    first, _ = solve_dimensions(
        _counted((row, row.nodes[0]) for row in own if len(row.nodes) == 1), architecture, options
    )
    expected = {node: value_of(architecture.size(template(node), options), first) for row in own for node in row.nodes}
    settled = settle(own, expected)
    found, evidence = solve_dimensions(_counted(settled), architecture, options)
    sizes: dict[str, int | None] = {**found}
    if not number:
        sizes["L"] = len({node.split("]")[0] for _, node in settled if node and "block[" in node}) or None
    taken: dict[str, str] = {}
    for place, (row, node) in enumerate(settled):
        if node is None:
            continue
        if node in taken:
            desk.leave(place, row.layer, row.layer.class_name, f"{node} is {taken[node]} already")
            continue
        taken[node] = row.layer.name
        assignment = _node_assignment(row.layer, node, copy, architecture, options, sizes)
        desk.assign(place, assignment, row.layer, architecture.say(node))
        rule = dialect.find(row.layer.name[len(row.model) :])
        for part, target in (rule[0].tied if rule and not copy else {}).items():
            desk.assignments.extend(_tied(f"{node}.{part}", target, architecture, options, sizes))
    return sizes, evidence


def _counted(settled: Iterable[tuple[Named, str | None]]) -> list[Counted]:
    return [
        Counted(row.layer.name, node, row.layer.params)
        for row, node in settled
        if node is not None and row.layer.params
    ]


def _node_assignment(
    layer: Layer,
    node: str,
    copy: str,
    architecture: Architecture,
    options: frozenset[str],
    sizes: Mapping[str, int | None],
) -> Assignment:
    """A row as the node that its name says, with the variant of the formula that its count fits."""
    choices = list(variants(architecture, node, options))
    text, formula = "", choices[0][1]
    expected = value_of(formula, sizes)
    for name, other in choices:
        if layer.params is not None and value_of(other, sizes) == layer.params:
            text, formula, expected = name, other, layer.params
            break
    actual = layer.params if layer.params is not None else (expected or 0)
    whole = formula == choices[0][1]
    parts = architecture.below(node, options) if expected == actual and whole and not copy else ()
    return Assignment(
        path=copy + node,
        items=(layer.name,),
        actual=actual,
        shape=None,
        trainable=layer.trainable,
        formula=formula,
        formula_text=str(formula),
        expected=expected,
        expected_shape=None,
        says=text,
        parts=tuple((_in_block(part.path, node), part.size.evaluate(sizes)) for part in parts if part.tied_to is None),
    )


def _in_block(path: str, node: str) -> str:
    """A component's path with the block's number of a node under it."""
    return node + path.removeprefix(template(node))


def _tied(
    path: str, target: str, architecture: Architecture, options: frozenset[str], sizes: Mapping[str, int | None]
) -> Iterator[Assignment]:
    for part in architecture.below(path, options):
        size = value_of(part.size, sizes)
        if size is not None:
            yield Assignment(path, (), size, None, None, part.size, part.shape_text, size, None, tied_to=target)


def _options_found(named: Sequence[Named], architecture: Architecture) -> frozenset[str]:
    """The options of which some component has a row; a row of what every model has, such as a block, shows none."""
    found: set[str | None] = set()
    for node in {template(node) for row in named for node in row.nodes}:
        options = {
            part.option for part in architecture.components if part.path == node or part.path.startswith(node + ".")
        }
        found |= options if None not in options else set()
    return frozenset(option for option in found if option)
