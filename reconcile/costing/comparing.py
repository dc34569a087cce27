"""All conventions side by side: what each counts of one model on one workload, and what it leaves out."""

from dataclasses import replace

from reconcile.costing.conventions import convention_names, load_convention
from reconcile.costing.counting import Cost, count
from reconcile.costing.workload import PATHS, Model, Workload


def compare(model: Model, workload: Workload) -> tuple[Cost, ...]:
    """A cost for every convention that is for the model's architecture, and for each path that it tells apart."""
    found = []
    for name in convention_names():
        convention = load_convention(name)
        if convention.architectures and model.architecture.name not in convention.architectures:
            continue
        for path in sorted(convention.ways, key=lambda way: PATHS.index(way.attention) if way.attention else -1):
            at = replace(workload, attention=path.attention or workload.attention)
            found.append(count(model, at, convention, version=path.version or None))
    return tuple(found)
