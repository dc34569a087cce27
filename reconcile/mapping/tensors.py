"""A source that knows its tensors -> ledger: each tensor is one component by its layer's rule and its own name."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from reconcile.dialect import Dialect, LayerRule
from reconcile.inventory import Inventory, Layer, Tensor
from reconcile.mapping.ledger import Assignment, Ledger, Placed, Unmapped
from reconcile.taxonomy import Architecture, Component, template


def map_tensors(
    inventory: Inventory,
    dialect: Dialect,
    architecture: Architecture,
    dimensions: Mapping[str, int | None],
    options: frozenset[str],
) -> Ledger:
    """Assign the tensors of an inventory whose layers know them.

    `dimensions` and `options` are what the model is meant to have; formulas are evaluated with them.
    """
    components = {part.path: part for part in architecture.active(options)}
    assigned: dict[str, Assignment] = {}
    placed: list[Placed] = []
    unmapped: list[Unmapped] = []
    ties: list[tuple[str, str]] = []
    for layer in inventory.layers:
        found = dialect.find(layer.name)
        if found is None:
            placed.append(_without_rule(layer, dialect))
            unmapped.extend(_all_unmapped(layer, dialect))
            continue
        rule, node = found
        placed.append(Placed(layer, node, architecture.say(node)))
        ties.extend((f"{node}.{part}", target) for part, target in rule.tied.items())
        for tensor in layer.tensors or ():
            path = _component_of(tensor, rule, node)
            component = components.get(template(path)) if path else None
            if path is None or component is None:
                unmapped.append(Unmapped(tensor.path, layer.class_name, tensor.size, f"{node} has no such part"))
            elif path in assigned:
                why = f"{path} is {', '.join(assigned[path].items)} already"
                unmapped.append(Unmapped(tensor.path, layer.class_name, tensor.size, why))
            else:
                assigned[path] = _assign(path, component, tensor, dimensions)
    for path, target in ties:
        if target in assigned and path not in assigned and template(path) in components:
            assigned[path] = _tie(path, components[template(path)], assigned[target], dimensions)
    order = {path: place for place, path in enumerate(_expected_order(architecture, options, dimensions))}
    for path in assigned.keys() - order.keys():  # a block more than there should be
        assigned[path] = replace(assigned[path], expected=0)
    in_order = sorted(assigned.values(), key=lambda part: order.get(part.path, len(order)))
    return Ledger(
        inventory, architecture, dialect, dimensions, options, tuple(in_order), tuple(placed), tuple(unmapped)
    )


def expected_components(
    architecture: Architecture, options: frozenset[str], dimensions: Mapping[str, int | None]
) -> Iterator[tuple[str, Component]]:
    """Every component that a model of these options and dimensions has, with its path, block by block."""
    components = architecture.active(options)
    done: set[str] = set()
    for part in components:
        head, indexed, _ = part.path.partition("[*]")
        if not indexed:
            yield part.path, part
        elif head not in done:
            done.add(head)
            together = [other for other in components if other.path.startswith(head + "[*]")]
            for number in range(1, (part.times.evaluate(dimensions)) + 1):
                yield from ((other.path.replace("[*]", f"[{number}]"), other) for other in together)


def _expected_order(
    architecture: Architecture, options: frozenset[str], dimensions: Mapping[str, int | None]
) -> Iterator[str]:
    return (path for path, _ in expected_components(architecture, options, dimensions))


def _without_rule(layer: Layer, dialect: Dialect) -> Placed:
    return Placed(layer, None, "" if layer.tensors else dialect.parameterless.get(layer.class_name, ""))


def _all_unmapped(layer: Layer, dialect: Dialect) -> Iterator[Unmapped]:
    why = f"the dialect {dialect.name} knows no layer of this name"
    for tensor in layer.tensors or ():
        yield Unmapped(tensor.path, layer.class_name, tensor.size, why)
    if not layer.tensors and layer.class_name not in dialect.parameterless:
        why = f"the dialect {dialect.name} knows neither this name nor the class"
        yield Unmapped(layer.name, layer.class_name, layer.params or 0, why)


def _component_of(tensor: Tensor, rule: LayerRule, node: str) -> str | None:
    """The path of the component that a tensor is, by the last part of its own path."""
    part = rule.part(tensor.path.rsplit("/", 1)[-1].split(":")[0])
    if part is None:
        return None
    return f"{node}.{part}" if part else node


def _assign(path: str, component: Component, tensor: Tensor, dimensions: Mapping[str, int | None]) -> Assignment:
    return Assignment(
        path=path,
        items=(tensor.path,),
        actual=tensor.size,
        shape=tensor.shape,
        trainable=tensor.trainable,
        formula=component.size,
        formula_text=component.shape_text,
        expected=component.size.evaluate(dimensions),
        expected_shape=tuple(axis.evaluate(dimensions) for axis in component.shape),
    )


def _tie(path: str, component: Component, target: Assignment, dimensions: Mapping[str, int | None]) -> Assignment:
    return Assignment(
        path=path,
        items=(),
        actual=target.actual,
        shape=target.shape,
        trainable=target.trainable,
        formula=component.size,
        formula_text=component.shape_text,
        expected=component.size.evaluate(dimensions),
        expected_shape=tuple(axis.evaluate(dimensions) for axis in component.shape),
        tied_to=target.path,
    )
