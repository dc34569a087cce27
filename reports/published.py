"""Published figures judged by the totals of models of the sizes that each is stated for, and listed as Markdown."""

from collections.abc import Iterable, Mapping

from reconcile.comparison.stated import judge_totals
from reconcile.finding.references import Judgement
from reconcile.formula import Formula
from reconcile.phrases import number, signed
from reconcile.reference import Reference
from reconcile.render.markdown import plain_text
from reconcile.selection import Account, value
from reconcile.taxonomy import Architecture, architecture_names, load_architecture

_HEADS = ("reference", "what it is said of", "figure", "verdict", "as", "that comes to", "difference", "source")
_OTHER = ("reference", "what it is said of", "figure", "unit", "verdict", "source")
NOTHING = Formula.of(0)
Sizes = Mapping[str, int | None]

ACCOUNT = "a selection of its own"
"""The definition of a figure that no named total makes, but the selection that its reference gives."""


def judge_published(reference: Reference) -> Judgement:
    """What becomes of a published figure; "cannot say" where it counts no parameters or its model is not known here."""
    if not reference.counts_parameters or reference.architecture not in architecture_names():
        return Judgement(reference, "cannot say", None, None, ())
    architecture = load_architecture(reference.architecture)
    stated = {name: size for name, size in reference.dimensions.items() if isinstance(size, int)}
    sizes = architecture.complete(stated)
    components = [part for part in architecture.active(_options(architecture, sizes)) if part.needed(sizes)]
    totals = {
        name: _size(selection.account(components, architecture.totals), sizes)
        for name, selection in architecture.totals.items()
    }
    judged = judge_totals(reference, totals, architecture.quoted)
    # An account of a figure that does not hold says how somebody came to it; of one that holds, what it counts.
    if judged.verdict != "does not hold" or reference.verdict != "holds as":
        return judged
    if reference.account is None or reference.figure is None:
        return judged
    own = _size(reference.account.account(components, architecture.totals), sizes, reference.plus)
    figure = reference.figure
    if own is None or figure.holds(own, figure.precisions[0]) != "rounded":
        return judged
    return Judgement(reference, "holds as", ACCOUNT, own, ((figure.precisions[0], "rounded", (ACCOUNT,)),))


def _options(architecture: Architecture, sizes: Sizes) -> frozenset[str]:
    """The options of which every component's size is known, as it is of those that a published model has."""
    open_ = {
        part.option
        for part in architecture.components
        if part.option and any(sizes.get(name) is None for name in part.size.dimensions)
    }
    return frozenset(architecture.options) - open_


def _size(account: Account | None, sizes: Sizes, plus: Formula = NOTHING) -> int | None:
    """What a selection comes to; None where a part of it is lacking, or a dimension is not known."""
    if account is None:
        return None
    formula = value(account) + plus
    return None if any(sizes.get(name) is None for name in formula.dimensions) else formula.evaluate(sizes)


def render(judgements: Iterable[Judgement]) -> str:
    """Every figure of parameters with what became of it, and below it the other figures and settings."""
    judged = list(judgements)
    counted = [_row(one) for one in judged if one.reference.counts_parameters]
    other = [_other(one.reference) for one in judged if not one.reference.counts_parameters]
    right = ["left"] * 5 + ["right"] * 2 + ["left"]
    return "\n".join(
        [
            "# Published figures",
            "",
            f"{len(counted)} published numbers of parameters, each against the totals of a model of the dimensions that"
            " it is stated for. A figure is judged at the precision that it is written with: it holds for the total"
            " that its source says it counts, or it holds as the totals that it would be rounded from.",
            "",
            _table(_HEADS, counted, right),
            "",
            "## Other figures and settings",
            "",
            "What is no number of parameters, with the verdict of the data file that lists it.",
            "",
            _table(_OTHER, other, ["left"] * 6),
            "",
        ]
    )


def _table(heads: Iterable[str], rows: list[list[str]], align: list[str]) -> str:
    from tabulate import tabulate

    cells = [[plain_text(cell) for cell in row] for row in rows]
    text: str = tabulate(cells, list(heads), tablefmt="pipe", colalign=align, disable_numparse=True)
    return text


def _row(one: Judgement) -> list[str]:
    reference = one.reference
    total = "" if one.total is None else number(one.total)
    off = "" if one.difference is None else signed(one.difference)
    return [
        reference.id, reference.subject, reference.figure.text if reference.figure else "", one.verdict,
        _definition(one), total, off, _source(reference),
    ]  # fmt: skip


def _definition(one: Judgement) -> str:
    """The total that was compared, and what else the figure holds as at the same precision."""
    if one.verdict == "does not hold":
        return f"nearest: {one.definition}"
    names = one.fits[0][2] if one.verdict == "holds as" and one.fits else (one.definition,)
    return ", ".join(name for name in names if name)


def _other(reference: Reference) -> list[str]:
    figure = reference.figure.text if reference.figure else ""
    return [
        reference.id, reference.subject, figure, reference.unit if figure else "", reference.verdict, _source(reference)
    ]  # fmt: skip


def _source(reference: Reference) -> str:
    return ", ".join(filter(None, [reference.source["title"], reference.source.get("section", "")]))
