"""Counts that do not agree with their formulas, and what is missing, unmapped, or beyond the sum."""

from reconcile.finding import Doubt, Fault, Finding
from reconcile.frozen import dataclass
from reconcile.phrases import number

Axes = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(Fault):
    """A component of another count; `needs` is the size of a dimension that would make it, and that of the rest."""

    formula: str
    shapes: tuple[Axes | None, Axes | None] = (None, None)
    needs: tuple[str, int, int] | None = None

    def say(self) -> str:
        here, expected = f"{self.where} has {number(self.actual or 0)} parameters", number(self.expected or 0)
        if self.needs:
            name, size, rest = self.needs
            which = f"{name} = {size}, while the rest has {name} = {rest} ({expected})"
            return f"{here}, which is {self.formula} for {which}: {self.off}."
        shape, wanted = self.shapes
        shapes = f" (shape {_shown(shape)}, expected {_shown(wanted)})" if shape and wanted else ""
        return f"{here} where {self.formula} makes {expected}: {self.off}{shapes}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape(Fault):
    formula: str
    shapes: tuple[Axes, Axes]

    def say(self) -> str:
        shape, wanted = map(_shown, self.shapes)
        return f"{self.where} has as many parameters as {self.formula} makes, in another shape: {shape} for {wanted}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Tied(Finding):
    formula: str
    tied_to: str
    size: int
    form = "{0.where} ({0.formula} = {0.size:,}) is {0.tied_to}: one matrix under two names, counted once."


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing(Fault):
    formula: str

    def say(self) -> str:
        size = f" = {number(self.expected)}" if self.expected is not None else ""
        return f"{self.where} is not there: {self.formula}{size} parameters are missing."


@dataclass(frozen=True, slots=True, kw_only=True)
class Unexpected(Fault):
    formula: str
    form = (
        "{0.where} is there and should not be: {0.formula} = {0.actual:,} parameters more than these dimensions make."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmapped(Doubt):
    """An item without a meaning, and `more` that are like it."""

    class_name: str
    why: str
    more: int = 0

    def say(self) -> str:
        size = f"{self.class_name}, " * bool(self.class_name) + f"{number(self.actual or 0)} parameters"
        if not self.more:
            return f"{self.where} ({size}) is not assigned: {self.why}."
        rest = f"{self.more} more" if self.more > 1 else "one more"
        return f"{self.where} and {rest} ({size} each) are not assigned: {self.why}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Split(Fault):
    trainable: int
    non_trainable: int
    form = (
        "{0.trainable:,} trainable and {0.non_trainable:,} non-trainable make {0.actual:,}, not the stated total of "
        "{0.expected:,}."
    )


def _shown(shape: Axes | None) -> str:
    return f"({', '.join(map(str, shape or ()))})"
