"""A summary's rows -> ledger: nodes by name, whole models by count, task heads by Keras' own formulas."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reconcile.dialect import Dialect
from reconcile.formula import Formula
from reconcile.inventory import Inventory, Layer
from reconcile.keras_layer import (
    Fit,
    fits,
    full_class,
    known_class,
    names_another_model,
    parameterless,
    stands_for_a_model,
)
from reconcile.mapping.ledger import TASK, Assignment, Evidence, Excluded, Ledger, Placed, Unmapped, Whole
from reconcile.mapping.names import Named, choose_dialect, name_rows, settle
from reconcile.mapping.recovery import recover
from reconcile.mapping.shapes import axes, input_widths, width
from reconcile.mapping.solving import Counted, solve_dimensions, variants
from reconcile.mapping.wholes import ADAPTERS, recognise, total_formula, whole_account
from reconcile.taxonomy import Architecture, load_architecture, template

LEAST_WHOLE = 100_000
"""Parameters from which on a row of an unknown class is worth recognising as a whole model."""


@dataclass
class _Desk:
    """What has been placed so far; rows come off it into the ledger."""

    assignments: list[Assignment] = field(default_factory=list)
    placed: dict[int, Placed] = field(default_factory=dict)
    unmapped: list[Unmapped] = field(default_factory=list)
    excluded: list[Excluded] = field(default_factory=list)
    wholes: list[Whole] = field(default_factory=list)


def map_rows(inventory: Inventory, default: str = "bert") -> Ledger:
    """Assign the rows of a summary. Every dimension is solved from counts; what no rule or formula reaches is unmapped.

    A row inside an expanded nested model takes the place of its share of that model's own row.
    """
    architecture = load_architecture(default)
    inventory = recover(inventory, architecture)
    rows = counted_rows(inventory.layers)
    dialect = choose_dialect(rows)
    desk = _Desk()
    evidence: tuple[Evidence, ...] = ()
    sizes: dict[str, int | None] = {}
    options: frozenset[str] = frozenset()
    if dialect:
        architecture = load_architecture(dialect.architecture)
        sizes, options, evidence = _place_named(rows, dialect, architecture, desk)
    _place_others(rows, architecture, sizes, inventory, desk)
    if not dialect and desk.wholes:
        sizes = dict(desk.wholes[0].dimensions)
        options = _options_of(desk.wholes[0].total, architecture)
    _tie_rows(inventory, rows, desk)
    found = bool(dialect or desk.wholes)
    every = _every_dimension(sizes, rows, architecture) if found else {}
    order = {id(layer): place for place, layer in enumerate(inventory.layers)}
    placed = {order[id(rows[place])]: what for place, what in desk.placed.items()}
    return Ledger(
        inventory=inventory,
        architecture=architecture if found else None,
        dialect=dialect,
        dimensions=every,
        options=options,
        assignments=tuple(desk.assignments),
        placed=tuple(placed.get(place, Placed(layer, None, "")) for place, layer in enumerate(inventory.layers)),
        unmapped=tuple(desk.unmapped),
        excluded=(*desk.excluded, *_optimizer(inventory)),
        evidence=evidence,
        wholes=tuple(desk.wholes),
    )


def counted_rows(layers: Sequence[Layer]) -> list[Layer]:
    """The rows whose counts make up the model: of a nested model shown with its rows, those rows if they add up to it."""
    kept: list[Layer] = []
    place = 0
    while place < len(layers):
        layer = layers[place]
        end = place + 1
        while end < len(layers) and layers[end].depth > layer.depth:
            end += 1
        inside = counted_rows(layers[place + 1 : end])
        known = [row.params for row in inside if row.params is not None]
        if inside and len(known) == len(inside) and sum(known) == layer.params:
            kept.extend(inside)
        else:
            kept.append(layer)
        place = end
    return kept


def _place_named(
    rows: Sequence[Layer], dialect: Dialect, architecture: Architecture, desk: _Desk
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
    desk: _Desk,
) -> tuple[dict[str, int | None], tuple[Evidence, ...]]:
    """Place the rows of one model (the names of a second one have a prefix), and solve its dimensions."""
    copy = f"copy[{number + 1}]." if number else ""
    own = [row if row.model == model else Named(row.layer, ()) for row in named]
    # First only rows whose name allows one node give the dimensions; with them the others are told apart.
    first, _ = solve_dimensions(
        _counted((row, row.nodes[0]) for row in own if len(row.nodes) == 1), architecture, options
    )
    expected = {node: _value(architecture.size(template(node), options), first) for row in own for node in row.nodes}
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
            why = f"{node} is {taken[node]} already"
            desk.unmapped.append(Unmapped(row.layer.name, row.layer.class_name, row.layer.params or 0, why))
            desk.placed[place] = Placed(row.layer, None, why)
            continue
        taken[node] = row.layer.name
        desk.assignments.append(_node_assignment(row.layer, node, copy, architecture, options, sizes))
        desk.placed[place] = Placed(row.layer, copy + node, architecture.say(node))
        rule = dialect.find(row.layer.name[len(row.model) :])
        for part, target in (rule[0].tied if rule and not copy else {}).items():
            desk.assignments.extend(_tied(f"{node}.{part}", target, architecture, options, sizes))
    return sizes, evidence


def _counted(settled: Iterable[tuple[Named, str | None]]) -> list[Counted]:
    return [
        Counted(row.layer.name, node, row.layer.params, width(row.layer))
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
    expected = _value(formula, sizes)
    for name, other in choices:
        if layer.params is not None and _value(other, sizes) == layer.params:
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
        size = _value(part.size, sizes)
        if size is not None:
            yield Assignment(path, (), size, None, None, part.size, part.shape_text, size, None, tied_to=target)


def _place_others(
    rows: Sequence[Layer],
    architecture: Architecture,
    sizes: Mapping[str, int | None],
    inventory: Inventory,
    desk: _Desk,
) -> None:
    """Place the rows that no dialect names: whole models, layers of Keras, and what holds nothing."""
    widths = input_widths(rows)
    for place, layer in enumerate(rows):
        if place in desk.placed:
            continue
        class_name = layer.class_name
        if layer.class_cut and not known_class(class_name):
            class_name = full_class(class_name, layer.name) or class_name
        if layer.params == 0:
            desk.placed[place] = Placed(layer, None, "holds no parameters" if parameterless(class_name) else "")
        elif layer.params is None:
            why = "its count is cut in the text"
            desk.unmapped.append(Unmapped(layer.name, class_name, 0, why))
            desk.placed[place] = Placed(layer, None, why)
        elif not _place_whole(place, layer, class_name, architecture, inventory, desk):
            _place_head(place, layer, class_name, widths[place], sizes, desk)


def _place_whole(
    place: int, layer: Layer, class_name: str, architecture: Architecture, inventory: Inventory, desk: _Desk
) -> bool:
    """Place a row as a whole model if its count is a named total, less a flag that TF-Hub's layers carry."""
    if layer.params is None or known_class(class_name) or layer.params < LEAST_WHOLE:
        return False
    if names_another_model(layer.name, class_name):
        return False
    shape = axes(layer.output_shape)
    length = shape[1] if shape and len(shape) == 3 else None
    # TF-Hub's exporter attaches one scalar that is not trained, so an odd one out is taken off first.
    flag = 1 if (inventory.non_trainable or 0) % 2 == 1 and class_name == "KerasLayer" else 0
    by_name = stands_for_a_model(layer.name, class_name)
    whole = recognise(layer.name, layer.params - flag, architecture, width=width(layer), length=length, by_name=by_name)
    if whole is None:
        return False
    if flag:
        desk.excluded.append(Excluded("flag", layer.name, flag))
    copy = f"copy[{len(desk.wholes) + 1}]." if desk.wholes else ""
    desk.wholes.append(whole)
    account = {} if copy else whole_account(architecture, whole)
    formula = total_formula(architecture, whole.total) + (ADAPTERS if whole.extra else 0)
    sizes = {**whole.dimensions, **dict(whole.extra)}
    if account and whole.extra:
        account[TASK + "adapters"] = ADAPTERS.evaluate(sizes)
    desk.assignments.append(
        Assignment(
            path=copy + whole.total,
            items=(layer.name,),
            actual=layer.params - flag,
            shape=None,
            trainable=layer.trainable,
            formula=formula,
            formula_text=str(formula),
            expected=formula.evaluate(sizes),
            expected_shape=None,
            sizes=sizes,
            parts=tuple(account.items()),
        )
    )
    desk.placed[place] = Placed(layer, copy + whole.total, f"a whole model: {whole.known}")
    return True


def _place_head(
    place: int, layer: Layer, class_name: str, input_size: int | None, sizes: Mapping[str, int | None], desk: _Desk
) -> None:
    """Place a row as a task head, with the formula of its class that makes its count; without one it is unmapped."""
    count = layer.params or 0
    # Where the text shows no shape, what goes into a head is as wide as the model's own output.
    hidden = desk.wholes[0].dimensions["H"] if desk.wholes else sizes.get("H")
    inputs = (input_size, hidden) if width(layer) is None else (input_size, None)
    found = fits(class_name, count, inputs[0], width(layer)) or fits(class_name, count, inputs[1], width(layer))
    path = TASK + layer.name.replace(".", "_")
    if found:
        desk.assignments.append(_head(path, layer, count, found[0]))
        desk.placed[place] = Placed(layer, path, found[0].says)
        return
    if stands_for_a_model(layer.name, class_name):
        why = "a whole model whose count no named total of a known model makes"
    elif known_class(class_name):
        why = f"no formula of {class_name} makes {count:,} with the shapes that the text shows"
    else:
        why = f"no formula is known for the class {class_name or '?'}"
    desk.unmapped.append(Unmapped(layer.name, class_name, count, why))
    desk.placed[place] = Placed(layer, None, why)


def _tie_rows(inventory: Inventory, rows: Sequence[Layer], desk: _Desk) -> None:
    """Take a row out of the sum whose count is just what the rows have beyond the total: it is counted in another too.

    A summary counts the weights of every row, and the total only once those that two rows share.
    """
    known = [row.params for row in rows if row.params is not None]
    if inventory.total is None or len(known) < len(rows):
        return
    excess = sum(known) - (inventory.total - (inventory.optimizer or 0))
    shared = shared_rows(desk.assignments, excess) if excess > 0 else ()
    for part in shared:
        place = desk.assignments.index(part)
        desk.assignments[place] = replace(part, tied_to=_holder(part, desk.assignments), parts=())
    for part in () if shared else tuple(desk.assignments):
        # A head that shares the token table shows that matrix in its own row too.
        matrix = Formula.parse("i·o")
        if excess > 0 and {"i", "o"} <= part.sizes.keys() and matrix.evaluate(part.sizes) == excess < part.actual:
            rest = replace(part, actual=part.actual - excess, formula=part.formula - matrix)
            rest = replace(rest, expected=rest.formula.evaluate(part.sizes), formula_text=str(rest.formula))
            tie = replace(part, path=part.path + ".tied", actual=excess, formula=matrix, formula_text=str(matrix))
            tie = replace(tie, expected=excess, tied_to=_holder(tie, desk.assignments), parts=())
            place = desk.assignments.index(part)
            desk.assignments[place : place + 1] = [rest, tie]
            return


def _holder(part: Assignment, assignments: Sequence[Assignment]) -> str:
    """The row that holds what another shows too: the first of the same size, or the largest."""
    others = [other for other in assignments if other.items and other.items != part.items]
    alike = [other for other in others if other.actual == part.actual]
    largest = max(others, key=lambda other: other.actual, default=part)
    return (alike[0] if alike else largest).items[0]


def shared_rows(assignments: Sequence[Assignment], excess: int) -> tuple[Assignment, ...]:
    """The later one of the rows whose count is the excess, or all but one of several that have one count together."""
    stored = [part for part in assignments if part.tied_to is None and part.actual]
    for part in reversed(stored):
        if part.actual == excess:
            return (part,)
    for part in stored:
        alike = [other for other in stored if other.actual == part.actual]
        if len(alike) > 1 and part.actual * (len(alike) - 1) == excess:
            return tuple(alike[1:])
    return ()


def _head(path: str, layer: Layer, count: int, fit: Fit) -> Assignment:
    return Assignment(
        path=path,
        items=(layer.name,),
        actual=count,
        shape=None,
        trainable=layer.trainable,
        formula=fit.formula,
        formula_text=f"{fit.formula} ({', '.join(f'{name} = {size}' for name, size in sorted(fit.sizes.items()))})",
        expected=fit.formula.evaluate(fit.sizes),
        expected_shape=None,
        sizes=dict(fit.sizes),
        says=fit.says,
    )


def _options_found(named: Sequence[Named], architecture: Architecture) -> frozenset[str]:
    """The options of which some component has a row."""
    nodes = {template(node) for row in named for node in row.nodes}
    return frozenset(
        part.option
        for part in architecture.components
        if part.option and any(part.path == node or part.path.startswith(node + ".") for node in nodes)
    )


def _options_of(total: str, architecture: Architecture) -> frozenset[str]:
    paths = (architecture.totals[total].account(architecture.components, architecture.totals) or {}).keys()
    return frozenset(part.option for part in architecture.components if part.option and part.path in paths) - {"task"}


def _value(formula: Formula, sizes: Mapping[str, int | None]) -> int | None:
    if any(sizes.get(name) is None for name in formula.dimensions):
        return None
    return formula.evaluate(sizes)


def _every_dimension(
    sizes: Mapping[str, int | None], rows: Sequence[Layer], architecture: Architecture
) -> dict[str, int | None]:
    """All dimensions in the architecture's order: L counted from the blocks, S from a shape; A is in no count."""
    result: dict[str, int | None] = {name: sizes.get(name) for name in architecture.dimensions}
    lengths = [shape[1] for row in rows if (shape := axes(row.output_shape)) and len(shape) == 3]
    if result.get("S") is None and lengths:
        result["S"] = lengths[0]
    result["A"] = result["D"] = None
    return result


def _optimizer(inventory: Inventory) -> tuple[Excluded, ...]:
    return (Excluded("optimizer", "optimizer", inventory.optimizer),) if inventory.optimizer else ()
