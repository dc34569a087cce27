"""What is computed: how many sequences of what length, on which attention path, and in which types."""

from collections.abc import Mapping

from reconcile.frozen import dataclass
from reconcile.taxonomy import Architecture, Component

PATHS = ("eager", "sdpa", "flash")
"""How attention is computed: by separate operations, by PyTorch's one operation, or by a kernel of its own."""


@dataclass(frozen=True, slots=True)
class Workload:
    """`batch` sequences of `length` positions, each attending to `context` of them, on one of PATHS.

    `predicted` is the number of positions at which a head predicts a token. What is not given is `length`.
    """

    length: int = 128
    batch: int = 1
    context: int | None = None
    predicted: int | None = None
    attention: str = "eager"

    @property
    def sizes(self) -> Mapping[str, int]:
        """The dimensions that a workload has, by the letters of `[operations]` in `architectures/*.toml`."""
        return {
            "b": self.batch,
            "S": self.length,
            "C": self.length if self.context is None else self.context,
            "R": self.length if self.predicted is None else self.predicted,
        }


@dataclass(frozen=True, eq=False)
class Model:
    """A model whose cost is asked for: the components that it has, its dimensions, and its parameters.

    `assumed` names what the source does not say, and `uncounted` parts of which no position is known.
    """

    name: str
    architecture: Architecture
    components: tuple[Component, ...]
    dimensions: Mapping[str, int | None]
    parameters: int
    assumed: tuple[str, ...] = ()
    uncounted: tuple[str, ...] = ()

    @property
    def uneven(self) -> tuple[str, ...]:
        """The dimensions by whose difference a component is there, those that do differ."""
        pairs = {part.when for part in self.components if part.when and part.needed(self.dimensions)}
        return tuple(sorted({name for pair in pairs for name in pair}))
