"""A verdict on a model's rows -> assignments: each row the node that the reading gives it, with its formula."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reconcile.evidence.judge import Judged
from reconcile.formula import Formula
from reconcile.inventory import Layer
from reconcile.keras_layer import fits
from reconcile.mapping.builder import LedgerBuilder, value_of
from reconcile.mapping.ledger import TASK, Assignment, Recognised
from reconcile.mapping.summary.meaning import OPAQUE, Meaning
from reconcile.mapping.summary.models import Model
from reconcile.mapping.summary.seen import Seen
from reconcile.taxonomy import Architecture, template
from reconcile.unification.nodes import WITHOUT_BIASES, counted, forms
from reconcile.unification.solving import unify
from reconcile.unification.usual import is_usual

Sizes = Mapping[str, int | None]


def place(model: Model, judged: Judged[Meaning], layers: Sequence[Layer], builder: LedgerBuilder) -> Recognised:
    """Assign the rows of a model to the nodes that its reading gives them, where that is shown."""
    meaning = judged.best.meaning
    architecture = meaning.architecture if meaning.identity else None
    if not judged.shown:
        return Recognised(model.name, model.title, None, None, {}, frozenset(), (), judged)
    options = _options_found(meaning)
    observed = (
        counted(row.name, meaning.nodes[row.place][0], row.count, meaning.architecture, options)
        for row in model.rows
        if len(meaning.nodes.get(row.place, ())) == 1 and meaning.states != OPAQUE
    )
    solved, evidence = unify(observed)
    sizes: Sizes = {**meaning.sizes, **solved}
    for row in model.rows:
        if row.place in meaning.nodes:
            for part in _parts(row, meaning, options, sizes, model.name):
                builder.assign(row.place, part, layers[row.place], meaning.architecture.say(part.path))
            if meaning.dialect is not None and meaning.identity:
                builder.assignments.extend(_ties(row, meaning, options, sizes, model.name, model.prefix))
    if architecture is None:
        return Recognised(model.name, model.title, None, None, {}, frozenset(), (), judged)
    return Recognised(model.name, model.title, architecture, meaning.dialect, sizes, options, evidence, judged)


def _parts(row: Seen, meaning: Meaning, options: frozenset[str], sizes: Sizes, model: str) -> Iterator[Assignment]:
    """A row as the node that it is, or as the several that it holds together."""
    nodes = meaning.nodes[row.place]
    if meaning.states == OPAQUE and "block[" in nodes[0]:
        yield from _opaque(row, meaning.shown(nodes[0]), meaning.odd.get(row.place) or row.count, model)
        return
    if len(nodes) == 1:
        yield from _one(row, nodes[0], meaning, options, sizes, model)
        return
    for node in nodes:
        size = value_of(meaning.architecture.size(template(node), options), sizes)
        yield _node(row, node, meaning, options, sizes, model, size or 0)


def _one(
    row: Seen, node: str, meaning: Meaning, options: frozenset[str], sizes: Sizes, model: str
) -> Iterator[Assignment]:
    """A row as one node. Blocks without a name need not be alike: what one has beyond the others stands apart."""
    usual = value_of(meaning.architecture.size(template(node), options), sizes)
    if meaning.identity or row.place not in meaning.odd or usual is None or usual > row.count:
        yield _node(row, node, meaning, options, sizes, model, row.count)
        return
    yield _node(row, node, meaning, options, sizes, model, usual)
    yield _rest(row, row.count - usual, model)


def _rest(row: Seen, count: int, model: str) -> Assignment:
    path = f"{TASK}{row.name}.rest"
    return Assignment(path, (row.name,), count, None, row.layer.trainable, Formula.of(0), "", None, None, model=model)


def _opaque(row: Seen, node: str, usual: int, model: str) -> Iterator[Assignment]:
    """A block of no architecture, by its class's formula where one makes it; what it has beyond others stands apart."""
    count = min(usual, row.count)
    found = fits(row.class_name, count, row.into, row.out)[:1]
    sizes = dict(found[0].sizes) if found else {}
    formula = found[0].formula if found else Formula.of(0)
    letters = ", ".join(f"{name} = {size}" for name, size in sorted(sizes.items()))
    yield Assignment(
        path=node,
        items=(row.name,),
        actual=count,
        shape=None,
        trainable=row.layer.trainable,
        formula=formula,
        formula_text=f"{formula} ({letters})" if found else "",
        expected=formula.evaluate(sizes) if found else None,
        expected_shape=None,
        sizes=sizes,
        says=found[0].says if found else "",
        model=model,
        solved=found[0].solved if found else (),
    )
    if row.count > usual:
        yield _rest(row, row.count - usual, model)


def _node(
    row: Seen, node: str, meaning: Meaning, options: frozenset[str], sizes: Sizes, model: str, actual: int
) -> Assignment:
    """A count as a node, with the variant of the formula that it fits."""
    architecture = meaning.architecture
    usual, *_ = choices = forms(architecture, node, options)
    formula = next((form for form in choices if value_of(form, sizes) == actual), usual)
    expected = value_of(formula, sizes)
    if expected is None:
        expected = meaning.odd.get(row.place)
    whole = formula == usual and expected == actual and meaning.identity
    parts = architecture.below(node, options) if whole else ()
    own = {} if meaning.identity else {name: sizes[name] or 0 for name in sorted(formula.dimensions)}
    letters = ", ".join(f"{name} = {size}" for name, size in own.items())
    return Assignment(
        path=meaning.shown(node),
        items=(row.name,),
        actual=actual,
        shape=None,
        trainable=row.layer.trainable,
        formula=formula,
        formula_text=f"{formula} ({letters})" if own else str(formula),
        expected=expected,
        expected_shape=None,
        sizes=own,
        says="" if formula == usual else WITHOUT_BIASES,
        parts=tuple((_in_block(part.path, node), part.size.evaluate(sizes)) for part in parts if part.tied_to is None),
        model=model,
        solved=tuple(name for name in own if name != "H" and not is_usual(architecture, name, own[name], own)),
    )


def _in_block(path: str, node: str) -> str:
    """A component's path with the block's number of a node under it."""
    return node + path.removeprefix(template(node))


def _ties(
    row: Seen, meaning: Meaning, options: frozenset[str], sizes: Sizes, model: str, prefix: str
) -> Iterator[Assignment]:
    """The parts of a row that another component stores, as the dialect's rule for it says."""
    rule = meaning.dialect.find(row.name.removeprefix(prefix)) if meaning.dialect else None
    node = meaning.nodes[row.place][0]
    for part, target in (rule[0].tied if rule else {}).items():
        yield from _tied(f"{node}.{part}", target, meaning.architecture, options, sizes, model)


def _tied(
    path: str, target: str, architecture: Architecture, options: frozenset[str], sizes: Sizes, model: str
) -> Iterable[Assignment]:
    for part in architecture.below(path, options):
        size = value_of(part.size, sizes)
        if size is not None:
            yield Assignment(
                path, (), size, None, None, part.size, part.shape_text, size, None, tied_to=target, model=model
            )


def _options_found(meaning: Meaning) -> frozenset[str]:
    """The options of which some component has a row; a row of what every model has, such as a block, shows none."""
    found: set[str | None] = set()
    for node in {template(node) for nodes in meaning.nodes.values() for node in nodes}:
        options = {
            part.option
            for part in meaning.architecture.components
            if part.path == node or part.path.startswith(node + ".")
        }
        found |= options if None not in options else set()
    return frozenset(option for option in found if option)
