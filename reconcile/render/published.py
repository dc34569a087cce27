"""Published figures with their verdicts, as Markdown."""

from collections.abc import Iterable

from reconcile.finding.references import Judgement
from reconcile.phrases import number, signed
from reconcile.reference import Reference
from reconcile.render.markdown import plain_text

_HEADS = ("reference", "what it is said of", "figure", "verdict", "as", "that comes to", "difference", "source")
_OTHER = ("reference", "what it is said of", "figure", "unit", "verdict", "source")


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
