"""What is stored: how the arrays of a source are kept, what its files hold, and what is no parameter."""

from collections.abc import Mapping, Sequence

from reconcile.finding import Finding
from reconcile.frozen import dataclass
from reconcile.phrases import at_most, listed, number, some
from reconcile.unification.solving import Evidence

_WHAT = {
    "parameter": "of parameters",
    "buffer": "of buffers",
    "optimizer": "of the optimizer",
    "flag": "of flags",
    "tied copy": "of second copies",
}
_BESIDE = {"buffer": "a buffer", "optimizer": "the optimizer's own state", "flag": "a flag or counter"}


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadsBeside(Finding):
    heads: int
    shown: str
    form = "A = {0.heads:,} is what {0.shown} says: no array shows it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout(Finding):
    says: str
    kinds: Sequence[str]

    def say(self) -> str:
        return f"{some(self.kinds, 'kinds of components')}: {self.says}."


@dataclass(frozen=True, slots=True, kw_only=True)
class OneArray(Finding):
    names: Sequence[str]

    def say(self) -> str:
        return f"{listed(self.names)} are one array under {len(self.names)} names, counted once."


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside(Finding):
    what: str
    names: Sequence[str]
    accounted: int
    open: bool

    def say(self) -> str:
        count = self.actual or 0
        which, values = some(self.names, "arrays"), "1 value" if count == 1 else f"{number(count)} values"
        alone, both = number(self.accounted), number(self.accounted + count)
        if self.open:
            return (
                f"{which} ({values}): as large as what usually is the same array, and nothing here tells whether it "
                f"is: {alone} parameters if it is, {both} if not."
            )
        if self.what == "tied copy":
            return (
                f"{which} ({values}): stored a second time and no further parameters: with them the source has {both}, "
                f"the model {alone}."
            )
        return f"{which}: {values} of {_BESIDE.get(self.what, self.what)}, which no total counts."


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimensions(Finding):
    evidence: Sequence[Evidence]

    def say(self) -> str:
        parts = [f"{one.dimension} of {_rows(one.rows)}" for one in self.evidence]
        return f"the dimensions are axes of the arrays: {listed(parts)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenParts(Finding):
    """What is not trained: nodes that are so as a `whole` with their counts, and `others`."""

    whole: Mapping[str, int]
    others: Sequence[str]
    trainable: int | None
    everything: bool

    def say(self) -> str:
        frozen = self.actual or 0
        if self.everything:
            return f"all {number(frozen)} parameters are frozen: none is trained."
        parts = at_most([f"{row} ({number(count)})" for row, count in self.whole.items()])
        if rest := frozen - sum(self.whole.values()):
            parts.append((f"{number(rest)} of " if parts else "") + listed(at_most(self.others)))
        return f"{number(frozen)} parameters are not trained, {listed(parts)}; {number(self.trainable or 0)} are."


@dataclass(frozen=True, slots=True)
class Taken:
    """So many values of one type, and the bytes that they take; `what` they are."""

    what: str
    dtype: str
    values: int
    nbytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bytes(Finding):
    size: int
    shares: Sequence[Taken]
    container: int

    def say(self) -> str:
        parts = [_share(share) for share in self.shares]
        if self.container:
            parts.append(f"{number(self.container)} of the container (names, shapes, headers, padding)")
        return f"the {number(self.size)} bytes of the source ({_mega(self.size)}) are {listed(parts)}."


def _rows(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{number(len(names))} arrays"


def _share(share: Taken) -> str:
    each = share.nbytes // share.values if share.values and share.nbytes % share.values == 0 else None
    how = f" × {each} = {number(share.nbytes)}" if each else f" in {number(share.nbytes)} bytes"
    return f"{number(share.values)} {_WHAT.get(share.what, share.what)} ({share.dtype}){how}"


def _mega(size: int) -> str:
    """Bytes in both of the units that people mix up, such as MB of 10⁶ and MiB of 2²⁰."""
    units = ((10**6, "MB"), (2**20, "MiB")) if size >= 10**6 else ((10**3, "kB"), (2**10, "KiB"))
    return " or ".join(f"{_hundredths(size, unit)} {name}" for unit, name in units)


def _hundredths(size: int, unit: int) -> str:
    hundredths = (200 * size + unit) // (2 * unit)
    return f"{hundredths // 100:,}.{hundredths % 100:02}"
