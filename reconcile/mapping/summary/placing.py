"""A verdict on a model's rows -> assignments: each row the node that the reading gives it, with its formula."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reconcile.evidence.judge import Judged
from reconcile.frozen import dataclass
from reconcile.inventory import Layer
from reconcile.keras_layer import Fit, fits
from reconcile.mapping.builder import LedgerBuilder
from reconcile.mapping.ledger import TASK, Assignment, Recognised, with_sizes
from reconcile.mapping.summary.meaning import OPAQUE, Meaning
from reconcile.mapping.summary.models import Model
from reconcile.mapping.summary.seen import Seen
from reconcile.taxonomy import template
from reconcile.unification.nodes import WITHOUT_BIASES, counted, forms, together
from reconcile.unification.solving import unify
from reconcile.unification.usual import is_usual


def place(model: Model, judged: Judged[Meaning], layers: Sequence[Layer], builder: LedgerBuilder) -> Recognised:
    """Assign the rows of a model to the nodes that its reading gives them, where that is shown."""
    meaning = judged.best.meaning
    recognised = Recognised(model.name, model.title, judged=judged)
    if not judged.shown:
        return recognised
    here = [row for row in model.rows if row.place in meaning.nodes]
    options = _options(meaning, here)
    solved, evidence = unify(
        counted(row.name, meaning.nodes[row.place][0], row.count, meaning.architecture, options)
        for row in here
        if len(meaning.nodes[row.place]) == 1 and meaning.states != OPAQUE
    )
    placing = Placing(model, meaning, options, {**meaning.sizes, **solved})
    for row in here:
        for part in placing.parts(row):
            if not meaning.identity:
                # Equal layers of one block, and what several stacks have alike.
                part = replace(part, path=builder.unused(part.path, part.model))
            builder.assign(row.place, part, layers[row.place], meaning.architecture.say(part.path))
        if meaning.identity:
            builder.assignments.extend(placing.ties(row))
    if not meaning.identity:
        return recognised
    own = meaning.architecture, meaning.dialect, placing.sizes, options, evidence
    return Recognised(model.name, model.title, *own, judged)


def as_layer(path: str, layer: Layer, count: int, fit: Fit, class_name: str = "", model: str = "") -> Assignment:
    """A count as a layer by the formula of its class."""
    return Assignment(
        path=path,
        items=(layer.name,),
        actual=count,
        trainable=layer.trainable,
        formula=fit.formula,
        formula_text=with_sizes(fit.formula, fit.sizes),
        expected=fit.formula.evaluate(fit.sizes),
        sizes=dict(fit.sizes),
        says=fit.says,
        class_name=class_name,
        model=model,
        solved=fit.solved,
    )


@dataclass(frozen=True, slots=True)
class Placing:
    """A model with the meaning of its rows, the options that they show, and all sizes that they give."""

    model: Model
    meaning: Meaning
    options: frozenset[str]
    sizes: Mapping[str, int | None]

    def parts(self, row: Seen) -> Iterator[Assignment]:
        """A row as the node that it is, or as the several that it holds together.

        Blocks without a name need not be alike: what one has beyond the others stands apart.
        """
        nodes, meaning = self.meaning.nodes[row.place], self.meaning
        if len(nodes) > 1:
            for node in nodes:
                yield self._node(row, node, meaning.architecture.size(node, self.options).value(self.sizes) or 0)
            return
        usual = row.count if meaning.identity else min(meaning.odd.get(row.place) or row.count, row.count)
        if meaning.states == OPAQUE and nodes[0].endswith("]"):
            # A block of no architecture, or a layer of it, by its class's formula where one makes it.
            path, made = meaning.shown(nodes[0]), fits(row.class_name, usual, row.into, row.out)
            if sum(meaning.nodes.get(other.place) == nodes for other in self.model.rows) > 1:
                path = f"{path}.{(row.class_name or row.kind or 'layer').replace('.', '_')}"
            unread = self._unread(path, row, usual)
            yield as_layer(path, row.layer, usual, made[0], model=self.model.name) if made else unread
        else:
            yield self._node(row, nodes[0], usual)
        if usual < row.count:
            yield self._unread(f"{TASK}{row.name}.rest", row, row.count - usual)

    def _unread(self, path: str, row: Seen, count: int) -> Assignment:
        return Assignment(path, (row.name,), count, None, row.layer.trainable, formula_text="", model=self.model.name)

    def _node(self, row: Seen, node: str, actual: int) -> Assignment:
        """A count as a node, with the variant of the formula that it fits."""
        architecture, meaning, sizes = self.meaning.architecture, self.meaning, self.sizes
        usual, *_ = choices = forms(architecture, node, self.options)
        formula = next((form for form in choices if form.value(sizes) == actual), usual)
        expected = formula.value(sizes)
        if expected is None:
            expected = meaning.odd.get(row.place)
        whole = formula == usual and expected == actual and meaning.identity
        parts = architecture.below(node, self.options) if whole else ()
        own = {} if meaning.identity else {name: sizes[name] or 0 for name in sorted(formula.dimensions)}
        return Assignment(
            path=meaning.shown(node),
            items=(row.name,),
            actual=actual,
            trainable=row.layer.trainable,
            formula=formula,
            formula_text=with_sizes(formula, own),
            expected=expected,
            sizes=own,
            says="" if formula == usual else WITHOUT_BIASES,
            # A component's path has the block's number of the node.
            parts=tuple(
                (node + part.path.removeprefix(template(node)), part.size.evaluate(sizes))
                for part in parts
                if part.tied_to is None
            ),
            model=self.model.name,
            solved=tuple(name for name in own if name != "H" and not is_usual(architecture, name, own[name], own)),
        )

    def ties(self, row: Seen) -> Iterator[Assignment]:
        """The parts of a row that another component stores, as the dialect's rule for it says."""
        dialect, architecture = self.meaning.dialect, self.meaning.architecture
        rule = dialect.find(row.name.removeprefix(self.model.prefix)) if dialect else None
        for name, target in (rule[0].tied if rule else {}).items():
            path = f"{self.meaning.nodes[row.place][0]}.{name}"
            for part in architecture.below(path, self.options):
                if (size := part.size.value(self.sizes)) is not None:
                    formula = part.size, part.shape_text, size
                    yield Assignment(path, (), size, None, None, *formula, tied_to=target, model=self.model.name)


def _options(meaning: Meaning, rows: Sequence[Seen]) -> frozenset[str]:
    """The options of which some component has a row, or with which alone a row has its count.

    A row of what every model has, such as a block, shows by itself none.
    """
    architecture, known = meaning.architecture, frozenset[str]()
    for node in {template(node) for nodes in meaning.nodes.values() for node in nodes}:
        own = {part.option for part in architecture.components if f"{part.path}.".startswith(f"{node}.")}
        known |= frozenset(option for option in own if option and None not in own)
    found = known
    for row in rows:
        nodes = meaning.nodes[row.place]
        every = known | {part.option for node in nodes for part in architecture.below(node) if part.option}
        having, lacking = (together(architecture, nodes, options).value(meaning.sizes) for options in (every, known))
        found |= every if having == row.count != lacking else frozenset()
    return found
