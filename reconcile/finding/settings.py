"""Settings: of a spec against its builder and against what is published, and of a model against the one meant."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from reconcile.finding import Finding
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.phrases import listed, number, quoted, signed
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
            return f"{self.where} is {number(self.here)} where {published}: {'; '.join(_effects(self.changes))}."
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
    """Another model than is meant, and `why`."""

    why: str

    def say(self) -> str:
        meant = f"{self.where} means a model of {number(self.expected or 0)} parameters"
        if not self.difference:
            return f"{meant}, and so many are there: {self.why}."
        return f"{meant}, and {number(self.actual or 0)} are there ({self.off}): {self.why}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantSetting(Finding):
    spec: str
    meant: int
    got: int
    form = "{0.where} is {0.got:,} where {0.spec} means {0.meant:,}: it changes no count."


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantSame(Finding):
    heads: int

    def say(self) -> str:
        rest = f", apart from {number(self.heads)} of task heads" if self.heads else ""
        return f"this is the model that {self.where} means, to the last parameter: {number(self.expected or 0)}{rest}."


def _of(reference: Reference) -> str:
    return f"{reference.subject} ({reference.id})"


def _effects(changes: Changes) -> list[str]:
    """What another size does, each with the totals that it applies to."""
    return [f"{formula} = {signed(size)} for {quoted(names)}" for (formula, size), names in changes.items()]
