"""What a pasted summary gives reason to say: of its sums, its dimensions, and its rows."""

from collections.abc import Mapping, Sequence

from reconcile.finding import Doubt, Fault, Finding
from reconcile.frozen import dataclass
from reconcile.mapping import ledger
from reconcile.phrases import MOST_NAMED, listed, number, some
from reconcile.unification.solving import Evidence

ONE_COUNT = "Nothing but this count is compared, which other sizes make too, so it may be another model"
"""What is said of a row that fits a whole model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TiedRow(Doubt):
    size: int
    tied_to: str

    def say(self) -> str:
        if self.where == self.tied_to:
            return f"{self.where} stands in two rows of {self.size:,}: it is one layer, which the total counts once."
        return (
            f"{self.size:,} of {self.where} are counted in the row {self.tied_to} too: the two share one matrix, which "
            "the rows show twice and the total counts once."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Excluded(Finding):
    what: str

    def say(self) -> str:
        size = number(self.actual or 0)
        if self.what == "flag":
            return (
                f"{self.where} counts {size} more than the model has: a flag that TF-Hub's exporter adds, not trained."
            )
        return f"the total has {size} of the {self.what}'s own variables in it: they are no parameters of the model."


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSum(Fault):
    """A total that is not the sum of the rows; what is `lacking` would make it, or rows `without` a count."""

    without: Sequence[str]
    cut: bool
    lacking: Sequence[str]

    def say(self) -> str:
        off = self.difference or 0
        text = f"the rows add up to {number(self.expected or 0)} and the total is {number(self.actual or 0)}, "
        text += f"{number(abs(off))} "
        if off > 0 and self.without:
            text += f"more: for {some(self.without)}, whose counts cannot be read"
        else:
            text += "more: weights that no row holds" if off > 0 else "less: some weights stand in two rows"
        if self.lacking:
            text += f": just what {listed(self.lacking)} would have, of which there is no row"
        if off < 0 and self.without:
            text += f"; {some(self.without)} without a readable count"
        return text + "; the text looks cut off, so rows may be missing" * self.cut + "."


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension(Finding):
    evidence: Evidence

    def say(self) -> str:
        found = self.evidence
        shapes = f"; so wide is the output of {some(found.shapes)}" if found.shapes else ""
        against = [f"{name} ({found.dimension} = {size})" for name, size in found.against[:MOST_NAMED]]
        shapes += f"; against it {listed(against)}" if against else ""
        return f"{found.dimension} = {number(found.size)}, from {found.formula} in {some(found.rows)}{shapes}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Heads(Finding):
    hidden: int | None
    heads: int | None

    def say(self) -> str:
        text = "A, the number of heads, changes no count, so it cannot be read from counts"
        if not self.heads:
            return f"{text}, and the text does not state it."
        size = f", which makes heads of {self.hidden // self.heads}" if self.hidden else ""
        return f"{text}; the text around the summary says A = {self.heads}{size}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Positions(Finding):
    positions: int
    usual: int
    form = (
        "the position table has {0.positions} rows, as many as the sequence is long, and not {0.usual}: keras-bert "
        "cuts it so when it loads a checkpoint. This is right."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeWidth(Fault):
    hidden: int
    others: Mapping[str, int | None]

    def say(self) -> str:
        others = listed(f"{name} ({size})" for name, size in list(self.others.items())[:MOST_NAMED])
        return f"the counts give H = {self.hidden}, while the printed output of {others} has another width."


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyDim(Finding):
    sizes: Mapping[str, int]
    name: str

    def say(self) -> str:
        n, width = self.sizes["n"], self.sizes.get("o", self.sizes.get("i"))
        text = f"{self.name} projects to {number(n)} values, heads · key_dim, and not to its width"
        text += f" of {number(width)}" if width else ""
        if width and n % width == 0:
            text += f", but to {n // width} times that: Keras' key_dim is the size of one head, not of all together"
        return text + "."


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole(Finding):
    whole: ledger.Whole

    def say(self) -> str:
        whole, sizes = self.whole, self.whole.dimensions
        text = (
            f"{number(whole.count)} fits `{whole.total}` at V = {number(sizes['V'])} and {number(sizes['P'])} "
            f"positions, L = {sizes['L']}, H = {number(sizes['H'])}, F = {number(sizes['F'])}"
        )
        if "T" in sizes:
            text += f", {sizes['T']} segments" if sizes["T"] else ", without a segment table"
        if whole.extra:
            text += f", with adapters of {dict(whole.extra)['a']}"
        if not whole.known:
            return f"{text}: no known model has all these sizes. {ONE_COUNT}."
        changed = listed([f"{name} = {number(sizes[name])}" for name in whole.changed] or [""])
        others = f" (the same count: {listed(whole.others[:MOST_NAMED])})" if whole.others else ""
        return f"{text}: that of {whole.known}{f' but for {changed}' * bool(changed)}{others}. {ONE_COUNT}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Copies(Finding):
    count: int
    form = "the summary holds {0.count} models; their components stand behind their names: {0.where}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen(Finding):
    """What is not trained: what never is, flags, and a `rest` that one of the `sets` may be."""

    always: Mapping[str, int]
    flag: int
    rest: int
    sets: Sequence[str]

    def say(self) -> str:
        parts = []
        if self.always:
            size = number(sum(self.always.values()))
            parts.append(f"{size} moving means and variances of {some(self.always)}, never trained")
        if self.flag:
            parts.append(f"{self.flag} flag")
        if self.rest > 0:
            parts.append(f"{number(self.rest)} {self._rest}")
        if self.rest < 0:
            parts.append(f"{number(-self.rest)} fewer than those alone")
        return f"{number(self.actual or 0)} non-trainable: {listed(parts)}."

    @property
    def _rest(self) -> str:
        if len(self.sets) == 1:
            return f"of {self.sets[0]}, which must be frozen"
        if not self.sets:
            return "that no set of whole parts makes"
        return f"of {listed(self.sets[:MOST_NAMED], 'or')}, which the count cannot tell apart"
