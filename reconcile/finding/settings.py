"""Settings: of a spec against its builder and against what is published, and of a model against the one meant."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reconcile.finding import Finding
from reconcile.formula import Formula
from reconcile.phrases import listed, number, quoted, signed, some
from reconcile.reference import Reference

Changes = Mapping[tuple[Formula, int], tuple[str, ...]]
"""What another size does: a formula and its value, with the totals that it applies to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction(Finding):
    """Blocks that are built and left out."""

    asked: int
    reached: int
    outputs: Any
    form = (
        "output_layer_num = {0.outputs} takes nothing behind block {0.reached}: the model has {0.reached} of {0.asked} "
        "blocks, and the others are left out, not missing."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant(Finding):
    """A setting that the builder has no argument for."""

    claimed: int
    built: int
    builder: str
    form = (
        "{0.where} is {0.claimed} by the file, and {0.builder} has no argument for it: it builds {0.where} = {0.built} "
        "always."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(Finding):
    """A setting that is not the published one and changes no count."""

    here: Any
    published: Any
    reference: Reference
    positions: int | None = None

    @property
    def explanation(self) -> str:
        which = "the number of heads" if self.where == "A" else "it"
        why = f"{which} changes no count"
        if self.where == "seq_len" and self.positions:
            why += f", because the position table keeps its P = {self.positions} rows whatever the sequence length"
        return f"{self.where} is {self.here} where {_of(self.reference)} has {self.published}: {why}."


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingCount(Finding):
    """A size that is not the published one, and what that does to the quoted totals."""

    here: int
    published: int
    reference: Reference
    changes: Changes

    @property
    def explanation(self) -> str:
        effects = "; ".join(_effects(self.changes, True))
        published = f"{_of(self.reference)} has {number(self.published)}"
        return f"{self.where} is {number(self.here)} where {published}: {effects}."


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingAgrees(Finding):
    """Settings that are the published ones."""

    names: Sequence[str]
    reference: Reference

    @property
    def explanation(self) -> str:
        return f"{listed(self.names)} are those of {_of(self.reference)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantOther(Finding):
    """A model of which no architecture is known, where one is meant."""

    @property
    def explanation(self) -> str:
        meant = f"{self.where} means a model of {number(self.expected or 0)} parameters"
        if self.difference:
            return f"{meant}; this is none that is known."
        return f"{meant}, and so many are there; their names are not known."


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantDimension(Finding):
    """A dimension of another size than is meant."""

    spec: str
    meant: int
    got: int
    changes: Changes

    @property
    def explanation(self) -> str:
        effect = "; ".join(_effects(self.changes, len(self.changes) > 1)) or "it changes no count"
        return f"{self.where} is {number(self.got)} where {self.spec} means {number(self.meant)}: {effect}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantOption(Finding):
    """A part that only the model, or only what is meant, has."""

    spec: str
    here: bool
    what: str

    @property
    def explanation(self) -> str:
        which = f"here, and {self.spec} does not mean it" if self.here else f"not here, and {self.spec} means it"
        return f"{self.where} ({self.what}) is {which}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantHeads(Finding):
    """Task heads of another count than is meant."""

    spec: str
    names: Sequence[str]

    @property
    def explanation(self) -> str:
        here, wanted = number(self.actual or 0), number(self.expected or 0)
        if not self.actual:
            return f"the {wanted} parameters of the task head that {self.spec} means are not here."
        if self.expected:
            return f"the task head has {here} parameters ({some(self.names)}) where {self.spec} means {wanted}."
        return f"{here} parameters stand on top of what {self.spec} means: {some(self.names)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantSame(Finding):
    """The model that is meant, but for what stands on top of it."""

    heads: int

    @property
    def explanation(self) -> str:
        rest = f", apart from {number(self.heads)} of task heads" if self.heads else ""
        return f"this is the model that {self.where} means, to the last parameter: {number(self.expected or 0)}{rest}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantTotal(Finding):
    """The two totals, where they differ."""

    form = "{0.where} means {0.expected:,} parameters, this has {0.actual:,}: {0.off}."


def _of(reference: Reference) -> str:
    return f"{reference.subject} ({reference.id})"


def _effects(changes: Changes, totals: bool) -> list[str]:
    """What another size does, each with the totals that it applies to if asked."""
    return [
        f"{formula} = {signed(size)}" + (f" for {quoted(names)}" if totals else "")
        for (formula, size), names in changes.items()
    ]
