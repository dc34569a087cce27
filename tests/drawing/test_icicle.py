"""The drawing: areas are counts, boxes lie within their parents, and names are text whatever they hold."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shown import made_up, pasted

from reconcile.drawing.heads import heads_svg
from reconcile.drawing.icicle import COLOURS, Icicle, icicle
from reconcile.drawing.shares import share
from reconcile.drawing.svg import HEIGHT, WIDTH, icicle_svg
from reconcile.report.document import document
from reconcile.report.tree import tree

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '"><script>alert(1)</script>'


def within(drawing: Icicle) -> None:
    """Every box lies in its parent's span, beside the others of its column, and children fill it or are none."""
    for number, box in enumerate(drawing.boxes):
        below = [child for child in drawing.boxes if child.parent == number]
        assert sum(child.count for child in below) in (0, box.count)
        place = box.start
        for child in below:
            assert (child.start, child.column) == (place, box.column + 1)
            place += child.count


def test_the_boxes_of_the_summary() -> None:
    drawing = icicle(tree(pasted()))
    assert (drawing.total, drawing.columns) == (109_705_010, 5)
    spans = {box.branch.path: (box.start, box.count) for box in drawing.boxes}
    assert spans["embeddings"] == (0, 23_436_288)
    assert spans["encoder.block[1..12]"] == (23_436_288, 85_054_464)
    assert spans["encoder.block[1..12].feed_forward"][1] == 56_669_184
    within(drawing)


def test_equal_formulas_of_equal_size_are_alike() -> None:
    alike = {box.branch.path: box.alike for box in icicle(tree(pasted())).boxes}
    block = "encoder.block[1..12]"
    assert alike[f"{block}.attention.query"] == alike[f"{block}.attention.output"] == alike["pooler"]
    assert alike[f"{block}.attention"] != alike[f"{block}.feed_forward.intermediate"], (
        "2,362,368 both, and not the same"
    )


def test_the_largest_rows_have_colours() -> None:
    colours = {box.branch.row: box.colour for box in icicle(tree(pasted())).boxes}
    assert colours["encoder.block[*].feed_forward"] == 1
    assert colours["encoder.block[*].attention"] == 2
    assert colours["embeddings.token"] == 3
    assert max(colours.values()) == COLOURS
    assert colours["nsp"] == colours[""] == 0


@given(st.integers(1, 6), st.integers(1, 400), st.booleans())
@settings(max_examples=25)
def test_a_written_box_is_as_high_as_its_share(blocks: int, words: int, rows: bool) -> None:
    drawing = icicle(tree(made_up(rows=rows, L=blocks, V=words, H=64, P=32, F=96, A=4, D=16)))
    within(drawing)
    root = ET.fromstring(icicle_svg(drawing, "a drawing"))
    rects = list(root.iter(f"{SVG}rect"))
    assert len(rects) == len(drawing.boxes)
    for rect, box in zip(rects, drawing.boxes, strict=True):
        assert float(rect.attrib["height"]) == pytest.approx(HEIGHT * box.count / drawing.total, abs=2e-4)
        assert float(rect.attrib["y"]) == pytest.approx(HEIGHT * box.start / drawing.total, abs=2e-4)
        assert float(rect.attrib["width"]) == pytest.approx(WIDTH / drawing.columns, abs=2e-4)


def test_names_that_are_markup_are_text() -> None:
    drawn = icicle_svg(icicle(tree(made_up(heads={HOSTILE: (400_000, 20)}))), HOSTILE)
    root = ET.fromstring(drawn)
    assert "<script" not in drawn
    assert not list(root.iter(f"{SVG}script"))
    assert any(HOSTILE in (title.text or "") for title in root.iter(f"{SVG}title"))
    assert root.attrib["aria-label"] == HOSTILE


def test_a_drawing_of_nothing_has_no_box() -> None:
    drawing = icicle(tree(made_up(options=(), without=("token", "position", "segment", "gamma", "beta"), L=0)))
    assert (drawing.boxes, drawing.columns) == ((), 0)
    assert ET.fromstring(icicle_svg(drawing, "nothing")).tag == f"{SVG}svg"


def test_heads_are_stripes_of_one_matrix() -> None:
    heads = document([pasted()]).models[0].heads
    assert heads is not None
    root = ET.fromstring(heads_svg(heads, "heads"))
    rects = list(root.iter(f"{SVG}rect"))
    assert len(rects) == 4 * (12 + 1)  # twelve stripes and a frame for each matrix
    frame = next(rect for rect in rects if rect.attrib["class"] == "frame")
    assert frame.attrib["width"] == frame.attrib["height"]  # H·H
    text = " ".join(text.text or "" for text in root.iter(f"{SVG}text"))
    assert text.count("12 × 64 columns") == 3
    assert text.count("12 × 64 rows") == 1
    assert text.count("768 × 768 = 589,824") == 4


@pytest.mark.parametrize(
    ("part", "whole", "said"),
    [(1, 3, "33.3 %"), (1, 1, "100.0 %"), (0, 5, "0.0 %"), (1, 3000, "< 0.1 %"), (1, 2000, "0.1 %"), (0, 0, "")],
)
def test_shares(part: int, whole: int, said: str) -> None:
    assert share(part, whole) == said
