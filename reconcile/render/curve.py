"""Cost against length as a picture: bars in text, and lines as SVG."""

from collections.abc import Iterator

from reconcile.costing.lengths import Curve, Point

BAR = 48
PARTS = (("projections", "#4269d0"), ("scores", "#d9480f"), ("inner", "#1b8a6b"))
NAMES = {"projections": "projections of attention", "scores": "both attention products", "inner": "feed-forward"}
_SIGNS = {"projections": "p", "scores": "a", "inner": "f"}
WIDTH, HEIGHT, LEFT, BELOW = 720, 420, 70, 50


def drawn(curve: Curve) -> Iterator[str]:
    """A bar for each length, as long for all: what part of its operations each part takes."""
    yield "share of the blocks' products by length: " + ", ".join(f"{_SIGNS[key]} {NAMES[key]}" for key, _ in PARTS)
    wide = max(len(f"{point.total:,}") for point in curve.points)
    for point in curve.points:
        yield f"S = {point.length:>7,}  {_bar(point)}  {point.total:>{wide},} FLOPs"


def _bar(point: Point) -> str:
    ends, before = [], 0
    for key, _ in PARTS:
        before += getattr(point, key)
        ends.append((2 * BAR * before + point.total) // (2 * point.total))
    starts = [0, *ends]
    return "".join(_SIGNS[key] * (ends[place] - starts[place]) for place, (key, _) in enumerate(PARTS))


def svg(curve: Curve, title: str, notes: tuple[str, ...]) -> str:
    """Lines of what each part takes for a token, by length, on logarithmic axes; a mark where two of them cross."""
    points = curve.points
    least = min(getattr(point, key) // point.length for point in points for key, _ in PARTS)
    most = max(getattr(point, key) // point.length for point in points for key, _ in PARTS)
    frame = _Frame(points[0].length, points[-1].length, max(least, 1), most)
    body = [_axes(frame, points)]
    for number, (key, colour) in enumerate(PARTS):
        at = " ".join(f"{frame.x(point.length)},{frame.y(getattr(point, key) // point.length)}" for point in points)
        body.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{at}"/>')
        y = 50 + 18 * number
        body.append(f'<path d="M{LEFT + 12} {y - 4}h20" stroke="{colour}" stroke-width="3"/>')
        body.append(f'<text x="{LEFT + 38}" y="{y}">{NAMES[key]}</text>')
    for number, crossing in enumerate(curve.crossings):
        x = frame.x(crossing.length)
        if LEFT <= x <= WIDTH - 20:
            body.append(f'<line x1="{x}" x2="{x}" y1="30" y2="{HEIGHT - BELOW}" stroke="#999" stroke-dasharray="4 3"/>')
            body.append(
                f'<text x="{x + 4}" y="{HEIGHT - BELOW - 8 - 16 * number}" fill="#555">S = {crossing.length:,}</text>'
            )
    font = 'font-family="sans-serif" font-size="12"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" {font}>'
    described = f"<title>{_escaped(title)}</title><desc>{_escaped('; '.join(notes))}</desc>"
    label = f'<text x="{LEFT}" y="18" font-size="14">{_escaped(title)}</text>'
    return (
        "\n".join([head, described, '<rect width="100%" height="100%" fill="white"/>', label, *body, "</svg>"]) + "\n"
    )


class _Frame:
    """Where a length and a count stand in the picture, in tenths of a point."""

    def __init__(self, first: int, last: int, least: int, most: int):
        self.first, self.last, self.least, self.most = first, last, least, most

    def x(self, length: int) -> float:
        """From the left."""
        return round(LEFT + (WIDTH - LEFT - 20) * _part(length, self.first, self.last), 1)

    def y(self, count: int) -> float:
        """From the top."""
        return round(HEIGHT - BELOW - (HEIGHT - BELOW - 30) * _part(max(count, 1), self.least, self.most), 1)


def _part(value: int, first: int, last: int) -> float:
    from math import log2

    return (log2(value) - log2(first)) / (log2(last) - log2(first)) if last > first else 0.0


def _axes(frame: _Frame, points: tuple[Point, ...]) -> str:
    low = HEIGHT - BELOW
    lines = [f'<path d="M{LEFT} 30V{low}H{WIDTH - 20}" fill="none" stroke="black"/>']
    for point in points:
        x = frame.x(point.length)
        lines.append(f'<text x="{x}" y="{low + 16}" text-anchor="middle">{point.length:,}</text>')
    lines.append(f'<text x="{(LEFT + WIDTH) // 2}" y="{low + 36}" text-anchor="middle">sequence length S</text>')
    for count in sorted({frame.least, frame.most}):
        lines.append(f'<text x="{LEFT - 6}" y="{frame.y(count)}" text-anchor="end">{_brief(count)}</text>')
    lines.append(
        f'<text x="16" y="{low // 2}" transform="rotate(-90 16 {low // 2})" text-anchor="middle">'
        "FLOPs for a token</text>"
    )
    return "\n".join(lines)


def _brief(count: int) -> str:
    for unit, size in (("T", 10**12), ("G", 10**9), ("M", 10**6), ("K", 10**3)):
        if count >= size:
            return f"{(20 * count + size) // (2 * size) / 10:g} {unit}"
    return str(count)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
