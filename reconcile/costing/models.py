"""Models by their sizes: a known one, or those that somebody gives, with the components that such a model has."""

from collections.abc import Iterator, Mapping

from reconcile.costing.workload import Model
from reconcile.known_model import KnownModel
from reconcile.sources.config_keys import known_configs
from reconcile.taxonomy import Architecture, Component, load_architecture


def of_known(known: KnownModel) -> Model:
    """A model that people load, with the head that a configuration of it has where it names no class."""
    architecture = load_architecture(known.architecture)
    options = _usual_options(architecture)
    sizes = architecture.complete({**dict.fromkeys(architecture.dimensions), **known.dimensions})
    what = f"with {', '.join(options)} beside its blocks" if options else "without a head"
    return model_with(known.name, architecture, usual_components(architecture, sizes), sizes, (f"taken {what}",))


def of_sizes(name: str, architecture: str, sizes: Mapping[str, int]) -> Model | None:
    """A model of an architecture, of sizes that a text or a list gives: its blocks alone where no others are known.

    None where one is not known that its blocks need.
    """
    known = load_architecture(architecture)
    whole = known.complete({**dict.fromkeys(known.dimensions), **sizes})
    components = usual_components(known, whole)
    usual = known.with_usual(whole)

    def lacking(part: Component) -> bool:
        return any(usual.get(letter) is None for letter in (part.size * part.times).dimensions)

    if any(map(lacking, components)):
        components = tuple(part for part in components if known.repetition(part.path))
        name = f"{name} (its blocks)"
    return model_with(name, known, components, whole, ()) if components and not any(map(lacking, components)) else None


def usual_components(architecture: Architecture, sizes: Mapping[str, int | None]) -> tuple[Component, ...]:
    """The components of a model of some dimensions: not those of a size 0, nor those that only differing sizes need."""
    parts = architecture.active(frozenset(_usual_options(architecture)))
    return tuple(part for part in parts if part.needed(sizes) and all(sizes.get(axis) != 0 for axis in axes_of(part)))


def _usual_options(architecture: Architecture) -> list[str]:
    """What a model has where a configuration names no class of it."""
    known = (one for one in known_configs().values() if one.architecture == architecture.name)
    return next((list(one.tasks[one.unnamed]["options"]) for one in known), [])


def model_with(
    name: str,
    architecture: Architecture,
    components: tuple[Component, ...],
    given: Mapping[str, int | None],
    assumed: tuple[str, ...],
) -> Model:
    """The model of some components with sizes that are given, the others as they usually are; `assumed` says so."""
    dimensions = architecture.complete(given)
    usual = architecture.with_usual(dimensions)
    said = [f"{key} = {size}" for key, size in usual.items() if dimensions.get(key) is None and size is not None]
    if said:
        assumed = (*assumed, f"{', '.join(said)}, which is usual, where the source does not say it")
    stored = [part for part in components if part.tied_to is None]
    known = all(usual.get(letter) is not None for part in stored for letter in (part.size * part.times).dimensions)
    parameters = sum((part.size * part.times).evaluate(usual) for part in stored) if known else 0
    return Model(name, architecture, components, usual, parameters, assumed)


def axes_of(part: Component) -> Iterator[str]:
    """The dimensions of a component's axes."""
    return (letter for axis in part.shape for letter in axis.dimensions)
