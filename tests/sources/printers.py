"""Summaries printed as every Keras has printed them, from rows of a test's own: no Keras is needed.

Each printer follows the release named in its docstring, line by line where the layout matters.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

HEADINGS = ("Layer (type)", "Output Shape", "Param #", "Connected to")
POSITIONS = (0.33, 0.55, 0.67, 1.0)


@dataclass(frozen=True)
class Row:
    """One layer as it should be read."""

    name: str
    class_name: str
    shape: str
    params: int
    inbound: tuple[str, ...] = ()
    depth: int = 0

    @property
    def named(self) -> str:
        return f"{self.name} ({self.class_name})"


def stops(length: int, positions: Sequence[float]) -> list[int]:
    return [int(length * position) for position in positions]


def footer(rows: Sequence[Row], rule: str = "", sized: bool = False) -> Iterator[str]:
    total = sum(row.params for row in rows if row.depth == 0)
    size = f" ({4 * total / 2**20:.2f} MB)" if sized else ""
    yield f"Total params: {total:,}{size}"
    yield f"Trainable params: {total:,}{size}"
    yield f"Non-trainable params: 0{' (0.00 Byte)' if sized else ''}"
    if rule:
        yield rule


def cut(rows: Sequence[Row], length: int = 98, positions: Sequence[float] = POSITIONS, gap: bool = True) -> str:
    """Keras 2 and TensorFlow before 2.7: cells cut at the column's edge. Without `gap` Keras 1: they may touch."""
    edges = stops(length, positions)

    def line(fields: Sequence[object]) -> str:
        text = ""
        for field, edge in zip(fields, edges, strict=False):
            text = (text[:-1] + " " if text and gap else text) + str(field)
            text = text[:edge].ljust(edge)
        return text

    lines = ["_" * length, line(HEADINGS[: len(edges)]), "=" * length]
    for place, row in enumerate(rows):
        inbound = [f"{name}[0][0]" for name in row.inbound] if len(edges) > 3 else []
        lines.append(line([row.named, row.shape, row.params, *(inbound[:1] or [""])][: len(edges)]))
        lines += [line(["", "", "", name]) for name in inbound[1:]]
        lines.append(("=" if place == len(rows) - 1 else "_") * length)
    return "\n".join([*lines, *footer(rows, "_" * length)]) + "\n"


def wrapped(rows: Sequence[Row], length: int = 98, positions: Sequence[float] = POSITIONS, early: bool = False) -> str:
    """tf-keras: cells wrapped over several lines. `early` is TensorFlow 2.7 and 2.8, where full cells push others."""
    edges = stops(length, positions)

    def lines_of(fields: Sequence[object], depth: int) -> Iterator[str]:
        left = [str(field) for field in fields]
        while any(left):
            text = ""
            for place, edge in enumerate(edges[: len(left)]):
                last = place == len(edges) - 1
                room = edge - (edges[place - 1] if place else 0) - (0 if last else 2 if early else 3)
                room -= depth if place == 0 and not early else 0
                piece = left[place][:room]
                ends = [piece.find(end) + 2 for end in ("),", "},", "],", "',") if end in piece]
                piece = piece[: min(ends)] if ends else piece
                text += ("|" * depth + " " if place == 0 else "") + piece + ("" if last else "  ")
                left[place] = left[place][len(piece) :]
                text = text.ljust(edge - (depth if early or last else 0))
            yield text + "|" * depth

    def framed(char: str, depth: int) -> str:
        return "|" * depth + char * (length - 2 * depth) + "|" * depth

    lines = ['Model: "model_1"', "_" * length, *lines_of(HEADINGS[: len(edges)], 0), "=" * length]
    for row, following in zip_longest(rows, rows[1:]):
        inbound = [[f"{name}[0][0]" for name in row.inbound]] if len(edges) > 3 else []
        lines += lines_of([row.named, row.shape, row.params, *inbound], row.depth)
        depth = following.depth if following else 0
        if depth > row.depth:
            lines.append(framed("\u00af", depth))
        lines += [framed("\u00af", level) for level in range(row.depth - 1, depth - 1, -1)]
        if depth <= row.depth:
            lines.append(framed(" ", depth))
    return "\n".join([*lines, "=" * length, *footer(rows, "_" * length, sized=True)]) + "\n"


BOXES = {
    "heavy": "\u250f\u2501\u2533\u2513\u2503\u2521\u2547\u2529\u2502\u251c\u2500\u253c\u2524\u2514\u2534\u2518",
    "square": "\u250c\u2500\u252c\u2510\u2502\u251c\u253c\u2524\u2502\u251c\u2500\u253c\u2524\u2514\u2534\u2518",
    "ascii": "+--+||+||" + "|-+|" + "+-+",
}


def boxed(rows: Sequence[Row], widths: Sequence[int] = (31, 25, 13, 31), box: str = "heavy") -> str:
    """Keras 3: a box of `rich`, which breaks cells at blanks and ends long words with an ellipsis."""
    top, head, up, right, heavy, left, cross, close, light, *inner = BOXES[box]

    def fit(text: str, width: int) -> Iterator[str]:
        line = ""
        for word in re.findall(r" *\S+", text):
            if line and len(line + word) > width:
                yield line
                line, word = "", word.lstrip()
            line = line + word if len(line + word) <= width else (line + word)[: width - 1] + "\u2026"
        yield line

    def lines_of(fields: Sequence[str], bar: str) -> Iterator[str]:
        cells = [list(fit(field, width - 2)) for field, width in zip(fields, widths, strict=False)]
        for texts in zip_longest(*cells, fillvalue=""):
            padded = [
                f" {text.rjust(width - 2) if place == 2 else text.ljust(width - 2)} "
                for place, (text, width) in enumerate(zip(texts, widths, strict=False))
            ]
            yield bar + bar.join(padded) + bar

    def rule(left: str, line: str, cross: str, right: str) -> str:
        return left + cross.join(line * width for width in widths) + right

    lines = ['Model: "model_1"', rule(top, head, up, right), *lines_of(HEADINGS[: len(widths)], heavy)]
    lines.append(rule(left, head, cross, close))
    for place, row in enumerate(rows):
        name = ("   " * row.depth + "\u2514 " if row.depth else "") + row.named
        inbound = ", ".join(f"{layer}[0][0]" for layer in row.inbound) or "-"
        lines += lines_of([name, row.shape, f"{row.params:,}", inbound], light)
        lines.append(rule(*inner[:4]) if place < len(rows) - 1 else rule(inner[4], inner[1], inner[5], inner[6]))
    return "\n".join([*lines, *(f" {line}" for line in footer(rows, sized=True))]) + "\n"


def markdown(rows: Sequence[Row]) -> str:
    """A table that somebody made of a summary."""
    lines = [f"| {' | '.join(HEADINGS[:3])} |", "|---|:---:|---:|"]
    lines += [f"| {row.named} | {row.shape} | {row.params:,} |" for row in rows]
    return "\n".join([*lines, "", *(f"* **{line.replace(':', ':**')}" for line in footer(rows))]) + "\n"


PRINTERS: dict[str, Callable[[Sequence[Row]], str]] = {
    "Keras 1": lambda rows: cut(rows, 110, gap=False),
    "Keras 2": cut,
    "TensorFlow 2.7": lambda rows: wrapped(rows, early=True),
    "tf-keras": wrapped,
    "Keras 3": boxed,
    "Keras 3 on Windows": lambda rows: boxed(rows, box="square"),
    "Keras 3 in ASCII": lambda rows: boxed(rows, box="ascii"),
}
"""Every way to print, by what prints so."""
