"""What a figure of operations is, as text, Markdown and JSON, in the form of the other explanations."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from reconcile.costing.accounts import Account
from reconcile.costing.verbalise import OperationsAnswer, heading, lines, title, verdict
from reconcile.formula import to_ascii
from reconcile.render.flow import flowing
from reconcile.render.objects import dumped
from reconcile.render.registry import Look

SCHEMA = 1


def render_text(answers: Sequence[OperationsAnswer], look: Look) -> str:
    """The answers for a terminal, one after the other."""
    flow = flowing(look.width, look.ascii_only)
    return "\n".join("\n".join(_text(answer, flow)) + "\n" for answer in answers)


def render_markdown(answers: Sequence[OperationsAnswer], look: Look) -> str:
    """The answers as Markdown, a heading to each."""
    from reconcile.render.markdown import plain_text

    def plain(text: str) -> str:
        return plain_text(to_ascii(text) if look.ascii_only else text)

    return "\n".join("\n".join(_markdown(answer, plain)) + "\n" for answer in answers)


def render_json(answers: Sequence[OperationsAnswer], look: Look) -> str:
    """One answer as an object, several under `reports`."""
    return dumped([as_object(answer) for answer in answers], look.ascii_only)


def as_object(answer: OperationsAnswer) -> dict[str, Any]:
    """An answer as plain data; every count is an integer."""
    return {
        "schema": SCHEMA,
        "command": "explain",
        "figure": answer.value,
        "text": answer.text,
        "unit": answer.unit,
        "explained": answer.explained,
        "verdict": answer.verdict,
        "explanations": [_explanation(one, rank, answer) for rank, one in enumerate(answer.accounts, 1)],
        "notes": [],
    }


def _explanation(one: Account, rank: int, answer: OperationsAnswer) -> dict[str, Any]:
    return {
        "text": title(one),
        "terms": [{"text": str(one.formula), "value": one.value, "component": one.scope or None}],
        "value": one.value,
        "difference": answer.value - one.value,
        "kind": "mistake" if one.slip else "total" if one.whole else "component",
        "model": one.model.name,
        "dimensions": {**one.model.dimensions, "S": one.workload.length, "B": one.workload.batch},
        "rank": rank,
        "bits": round(one.bits, 1),
        "warning": None if one.carried else "it may be chance",
        "mistake": one.slip.id if one.slip else None,
        "right": one.right,
        "convention": one.convention.name,
        "counter": one.convention.counter,
        "counts": one.convention.unit,
        "attention": list(filter(None, one.paths)),
        "version": one.path.version or None,
        "left_out": [
            {"kind": left.kind, "amount": left.amount, "unit": left.unit} for left in one.cost().left_out
        ] if one.whole and not one.slip else [],
        "lines": list(lines(one)),
    }  # fmt: skip


def render_line(answers: Sequence[OperationsAnswer], look: Look) -> str:
    """Each answer in one line."""
    return "\n".join(map(heading, answers))


def parts(answer: OperationsAnswer) -> tuple[str, list[tuple[str, list[str]]], list[str]]:
    """What a page shows of an answer: its verdict, each account with its lines, and nothing at the end."""
    return verdict(answer), [(title(one), list(lines(one))) for one in answer.accounts], []


def _text(answer: OperationsAnswer, flow: Callable[[str, str, str], str]) -> Iterator[str]:
    yield flow(heading(answer), "", "  ")
    for rank, one in enumerate(answer.accounts, 1):
        mark = f"{rank}. " if len(answer.accounts) > 1 else ""
        indent = " " * len(mark)
        yield ""
        yield flow(title(one), mark, indent + "  ")
        for line in lines(one):
            yield flow(line, indent + "- ", indent + "  ")


def _markdown(answer: OperationsAnswer, plain: Callable[[str], str]) -> Iterator[str]:
    yield f"## {plain(heading(answer))}"
    yield ""
    for rank, one in enumerate(answer.accounts, 1):
        yield f"{rank}. {plain(title(one))}"
        yield from (f"   - {plain(line)}" for line in lines(one))
