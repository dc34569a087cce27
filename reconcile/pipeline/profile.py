"""A spec -> the graph that keras-bert builds of it -> TensorFlow's counts of it against the closed form."""

from collections.abc import Callable

from reconcile.costing.profiled import Profile, profile
from reconcile.costing.workload import Workload
from reconcile.dialect import load_dialect
from reconcile.environments.build import build_profile
from reconcile.errors import InputError
from reconcile.mapping.tensors import map_tensors
from reconcile.pipeline.cost import of_spec
from reconcile.pipeline.source import is_spec
from reconcile.spec import load_spec
from reconcile.taxonomy import load_architecture


def profile_spec(name: str, workload: Workload, *, announce: Callable[[str], None] = lambda line: None) -> Profile:
    """The model of a spec, built, called once on sequences of the workload's length, and counted.

    Raises InputError for what is no spec or too long for it, and what building raises.
    """
    if not is_spec(name):
        raise InputError("--profile", got=name, takes="a spec, or a model that comes with the project")
    spec = load_spec(name)
    model = of_spec(spec)
    positions = model.dimensions.get("P")
    if positions is not None and workload.length > positions:
        raise InputError("--seq", got=workload.length, takes=f"at most {positions}, the positions of {spec.name}")
    dialect = load_dialect(spec.builder)
    lengths = [key for key, entry in dialect.arguments.items() if entry.get("dimension") == "S"]
    arguments = {**spec.arguments, **dict.fromkeys(lengths, workload.length)}
    inventory, found = build_profile(arguments, workload.batch, workload.length, announce=announce)
    ledger = map_tensors(inventory, dialect, load_architecture(spec.architecture), spec.dimensions, spec.options)
    placed = [(one.layer.name, one.node) for one in ledger.placed]
    return profile(model, workload, found, placed)
