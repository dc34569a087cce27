"""Answers of `explain` as text, Markdown and JSON. Nothing is searched and nothing is counted here."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from reconcile.explanation.answer import CANNOT_SAY, FITS, OPEN, SHOWN, Answer, Explanation, Item
from reconcile.formula import to_ascii
from reconcile.mapping.standing import AGREES, CONTRADICTS
from reconcile.render.colour import painter
from reconcile.render.flow import flowing
from reconcile.render.objects import dumped
from reconcile.render.registry import Look

SCHEMA = 2
"""The same as that of the reports; their module is not imported for it, because that takes as long as an answer."""

Flow = Callable[[str, str, str], str]


def render_text(answers: Sequence[Answer], look: Look) -> str:
    """The answers for a terminal, one after the other; with `why` what each is believed for."""
    flow = flowing(look.width, look.ascii_only)
    return "\n".join("\n".join(_text_lines(answer, flow, look)) + "\n" for answer in answers)


def render_markdown(answers: Sequence[Answer], look: Look) -> str:
    """The answers as Markdown, a heading to each."""
    from reconcile.render.markdown import plain_text

    def plain(text: str) -> str:
        return plain_text(to_ascii(text) if look.ascii_only else text)

    return "\n".join("\n".join(_markdown_lines(answer, plain, look)) + "\n" for answer in answers)


def render_json(answers: Sequence[Answer], look: Look) -> str:
    """One answer as an object, several under `reports`."""
    objects = [as_object(answer) | ({"why": list(_why(answer))} if look.why else {}) for answer in answers]
    return dumped(objects, look.ascii_only)


def as_object(answer: Answer) -> dict[str, Any]:
    """An answer as plain data; every count is an integer."""
    near = answer.nearest
    return {
        "schema": SCHEMA,
        "command": "explain",
        "figure": answer.value,
        "text": answer.text,
        "unit": answer.unit,
        "explained": answer.explained,
        "verdict": answer.verdict,
        "further": answer.further,
        "explanations": [_explanation(one, rank) for rank, one in enumerate(answer.explanations, 1)],
        "nearest": None if near is None else {"name": near.name, "value": near.value, "left": near.left},
        "notes": list(answer.notes),
    }


def _explanation(one: Explanation, rank: int) -> dict[str, Any]:
    return {
        "text": one.text,
        "terms": [_item(item) for item in one.items],
        "value": one.value,
        "difference": one.difference,
        "kind": one.kind,
        "model": one.model,
        "dimensions": dict(one.dimensions),
        "rank": rank,
        "bits": one.bits,
        "warning": one.warning,
        "mistake": one.mistake.id if one.mistake else None,
        "right": one.right,
        "bridge": [_item(item) for item in one.bridge],
        "lines": list(one.lines),
        "miscounts": list(one.miscounts),
    }


def _item(item: Item) -> dict[str, Any]:
    return {"text": item.text, "value": item.value, "component": item.component, "also": list(item.also)}


def _why(answer: Answer) -> Iterator[str]:
    """The balance of the answer that is taken and those of its best rivals, in words."""
    if answer.judged is None:
        yield "nothing says the figure in fewer bits than the figure itself"
        return
    from reconcile.evidence.words import why

    yield from why(answer.judged)


def _text_lines(answer: Answer, flow: Flow, look: Look) -> Iterator[str]:
    """All accounts first, then what they leave open, then the details of each."""
    paint = painter(look.colour)
    yield paint(_KINDS.get(answer.verdict, FITS), flow(heading(answer), "", "  "))
    yield ""
    several = len(answer.explanations) > 1
    for rank, one in enumerate(answer.explanations, 1):
        mark = f"{rank}. " if several else ""
        yield paint("heading", flow(one.text, mark, " " * len(mark) + "  "))
        yield from (flow(line, " " * len(mark) + "- ", " " * len(mark) + "  ") for line in _lines(one))
    closing = list(_closing(answer))
    if closing:
        yield from ("", *(flow(line, "", "  ") for line in closing))
    for rank, one in enumerate(answer.explanations, 1):
        if lines := list(_details(one, look)):
            yield from ("", paint("heading", f"More on {rank}" if several else "More on it"))
            yield from (flow(line, "- ", "  ") for line in lines)
    if look.why:
        yield ""
        yield from (flow(line.strip(), " " * (len(line) - len(line.lstrip())), "    ") for line in _why(answer))


def _markdown_lines(answer: Answer, plain: Callable[[str], str], look: Look) -> Iterator[str]:
    yield f"## {plain(heading(answer))}"
    yield ""
    for rank, one in enumerate(answer.explanations, 1):
        yield f"{rank}. {plain(one.text)}"
        yield from (f"   - {plain(line)}" for line in (*_lines(one), *_details(one, look)))
    if answer.explanations:
        yield ""
    yield from (f"{plain(line)}\n" for line in _closing(answer))
    if look.why:
        yield from (f"- {plain(line.strip())}" for line in _why(answer))


_HEADINGS = {
    SHOWN: "is explained",
    FITS: "can be this, but the count alone does not prove it",
    OPEN: "is not explained",
    CANNOT_SAY: "is no count that is derived here",
}
_KINDS = {SHOWN: AGREES, OPEN: CONTRADICTS}
"""How a verdict on a figure looks on a terminal."""
_SEVERAL = "can be several things, and the count alone does not say which"


def render_line(answers: Sequence[Answer], look: Look) -> str:
    """Each answer in one line: the figure, the verdict, and the likeliest explanation."""
    return "\n".join("; ".join((heading(one), *(first.text for first in one.explanations[:1]))) for one in answers)


def parts(answer: Answer) -> tuple[str, list[tuple[str, list[str]]], list[str]]:
    """What a page shows of an answer: its verdict, each explanation with its lines, and what is said at the end."""
    accounts = [(one.text, [*_lines(one), *_details(one, Look())]) for one in answer.explanations]
    return _said(answer), accounts, list(_closing(answer))


def heading(answer: Answer) -> str:
    """The figure and the verdict in a sentence."""
    return f"{answer.text} {_said(answer)}"


def _said(answer: Answer) -> str:
    several = answer.verdict == FITS and len(answer.explanations) + answer.further > 1
    said = _SEVERAL if several else _HEADINGS.get(answer.verdict, answer.verdict)
    chance = "; what fits may be chance" if answer.explanations and answer.verdict == OPEN else ""
    return f"{said}{chance}"


def _details(one: Explanation, look: Look) -> Iterator[str]:
    """How the count of a component comes about, and how people miscount it where that is asked for."""
    if one.kind == "component":
        yield from one.lines
    if look.mistakes:
        yield from one.miscounts


def _lines(one: Explanation) -> Iterator[str]:
    """What stands under an explanation: its sum, what else its terms can be, and how it goes wrong."""
    if one.mistake is None:
        several = len(one.items) > 1
        yield from (_signed(item) if several else _equation(item) for item in one.items if several or not _bare(item))
        if several:
            yield f"together {one.value:,}".replace("-", "−")
    for item in one.items:
        if item.also:
            what = item.text.partition(": ")[2] if len(one.items) > 1 else "it"
            yield f"{what} can as well be {_listed(item.also)}"
    if one.kind != "component":
        yield from one.lines
    yield from (f"difference {_signed(item)}" for item in one.bridge)
    if one.warning:
        yield f"warning: {one.warning}"


def _equation(item: Item) -> str:
    return item.text.partition(": ")[0]


def _bare(item: Item) -> bool:
    """Whether there is no formula to show, only the number."""
    return _equation(item) == f"{abs(item.value):,}"


def _signed(item: Item) -> str:
    words = item.text.partition(": ")[2] if _bare(item) else item.text
    return f"{item.value:+,}".replace("-", "−") + f": {words}"


def _closing(answer: Answer) -> Iterator[str]:
    """What is nearest, and what else is worth knowing."""
    if answer.further:
        yield f"{answer.further} more {'accounts fit' if answer.further > 1 else 'account fits'}"
    if near := answer.nearest:
        left = f"{near.left:+,}".replace("-", "−")
        yield f"nearest is {near.name}, {near.value:,}; {left} is left over"
    yield from answer.notes


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
