"""Settings: of a spec against its builder and against what is published, and of a model against the one meant."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from reconcile.finding import Finding
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.phrases import listed, number, quoted, signed, some
from reconcile.reference import Reference

Changes = Mapping[tuple[Formula, int], tuple[str, ...]]
"""What another size does: a formula and its value, with the totals that it applies to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction(Finding):
    asked: int
    reached: int
    outputs: Any
    form = (
        "output_layer_num = {0.outputs} takes nothing behind block {0.reached}: the model has {0.reached} of {0.asked} "
        "blocks, and the others are left out, not missing."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant(Finding):
    claimed: int
    built: int
    builder: str
    form = (
        "{0.where} is {0.claimed} by the file, and {0.builder} has no argument for it: it builds {0.where} = {0.built} "
        "always."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(Finding):
    """A setting that is not the published one, and the `changes` in the quoted totals that it makes."""

    here: Any
    published: Any
    reference: Reference
    changes: Changes = field(default_factory=dict)
    positions: int | None = None

    @property
    def kind(self) -> str:
        return "setting-count" if self.changes else "setting"

    def say(self) -> str:
        if self.changes:
            published = f"{_of(self.reference)} has {number(self.published)}"
            return f"{self.where} is {number(self.here)} where {published}: {'; '.join(_effects(self.changes, True))}."
        which = "the number of heads" if self.where == "A" else "it"
        why = f"{which} changes no count"
        if self.where == "seq_len" and self.positions:
            why += f", because the position table keeps its P = {self.positions} rows whatever the sequence length"
        return f"{self.where} is {self.here} where {_of(self.reference)} has {self.published}: {why}."


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingAgrees(Finding):
    names: Sequence[str]
    reference: Reference

    def say(self) -> str:
        return f"{listed(self.names)} are those of {_of(self.reference)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantOther(Finding):
    def say(self) -> str:
        meant = f"{self.where} means a model of {number(self.expected or 0)} parameters"
        if self.difference:
            return f"{meant}; this is none that is known."
        return f"{meant}, and so many are there; their names are not known."


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantDimension(Finding):
    spec: str
    meant: int
    got: int
    changes: Changes

    def say(self) -> str:
        effect = "; ".join(_effects(self.changes, len(self.changes) > 1)) or "it changes no count"
        return f"{self.where} is {number(self.got)} where {self.spec} means {number(self.meant)}: {effect}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantOption(Finding):
    spec: str
    here: bool
    what: str

    def say(self) -> str:
        which = f"here, and {self.spec} does not mean it" if self.here else f"not here, and {self.spec} means it"
        return f"{self.where} ({self.what}) is {which}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantHeads(Finding):
    spec: str
    names: Sequence[str]

    def say(self) -> str:
        here, wanted = number(self.actual or 0), number(self.expected or 0)
        if not self.actual:
            return f"the {wanted} parameters of the task head that {self.spec} means are not here."
        if self.expected:
            return f"the task head has {here} parameters ({some(self.names)}) where {self.spec} means {wanted}."
        return f"{here} parameters stand on top of what {self.spec} means: {some(self.names)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantSame(Finding):
    heads: int

    def say(self) -> str:
        rest = f", apart from {number(self.heads)} of task heads" if self.heads else ""
        return f"this is the model that {self.where} means, to the last parameter: {number(self.expected or 0)}{rest}."


def _of(reference: Reference) -> str:
    return f"{reference.subject} ({reference.id})"


def _effects(changes: Changes, totals: bool) -> list[str]:
    """What another size does, each with the totals that it applies to if asked."""
    return [
        f"{formula} = {signed(size)}" + (f" for {quoted(names)}" if totals else "")
        for (formula, size), names in changes.items()
    ]
