"""A report as a person meets it: the answer first, a true drawing, a list that unfolds, and nothing that runs."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support import ROOT, run
from visiting import HOSTILE, Visit

TOTAL = 109_705_010
HEIGHT = 480
Open = Callable[..., Visit]
BOXES = """boxes => boxes.map(box => {
    const rect = box.querySelector(':scope > rect');
    return {start: Number(box.dataset.start), count: Number(box.dataset.count), parent: Number(box.dataset.parent),
            x: Number(rect.getAttribute('x')), y: Number(rect.getAttribute('y')),
            width: Number(rect.getAttribute('width')), height: Number(rect.getAttribute('height')),
            label: box.querySelector(':scope > title').textContent, shown: !box.classList.contains('gone')};
})"""


@pytest.fixture
def report(visit: Open, report_file: Callable[..., str], summary: str) -> Visit:
    return visit(report_file(summary))


def boxes(report: Visit) -> list[dict]:
    return report.page.eval_on_selector_all("a.box", BOXES)


def test_the_answer_is_on_the_first_screen(report: Visit) -> None:
    report.picture("report-light")
    verdict = report.page.locator(".verdict").first
    assert "109,705,010" in verdict.inner_text()
    assert "4·(H² + H) = 4·(768² + 768) = 2,362,368" in report.page.locator(".answers").inner_text()
    for what in (".verdict", ".answers", "figure.picture"):
        place = report.page.locator(what).first.bounding_box()
        assert place is not None
        assert place["y"] < 500, what


def test_areas_are_counts(report: Visit) -> None:
    """A box is as high as its share of the total, to a ten-thousandth of a unit, and lies within its parent."""
    drawn = boxes(report)
    assert drawn[0]["count"] == TOTAL
    assert {box["width"] for box in drawn} == {drawn[0]["width"]}
    for box in drawn:
        assert abs(box["height"] - HEIGHT * box["count"] / TOTAL) < 2e-4
        assert abs(box["y"] - HEIGHT * box["start"] / TOTAL) < 2e-4
    for number, box in enumerate(drawn):
        below = [child for child in drawn if child["parent"] == number]
        assert sum(child["count"] for child in below) in (0, box["count"])
        assert all(child["x"] > box["x"] for child in below)


def test_choosing_a_box_enlarges_it_and_escape_goes_back(report: Visit) -> None:
    attention = report.page.locator("a.box", has_text="attention × 12").first
    attention.click()
    report.picture("report-enlarged")
    shown = [box for box in boxes(report) if box["shown"]]
    chosen = next(box for box in shown if box["label"].startswith("encoder.block[1..12].attention:"))
    assert chosen["height"] == HEIGHT
    assert not any("feed_forward" in box["label"] for box in shown)
    queries = [box for box in shown if ".query:" in box["label"]]
    assert abs(queries[0]["height"] - HEIGHT / 4) < 1e-6  # query, key, value and output are equal
    report.page.keyboard.press("Escape")
    report.page.keyboard.press("Escape")
    assert boxes(report)[0]["height"] == HEIGHT
    assert all(box["shown"] for box in boxes(report))


def test_the_drawing_is_walked_with_the_keyboard(report: Visit) -> None:
    first = report.page.locator("a.box").first
    first.focus()
    told = report.page.locator(".told")
    for key, path in (
        ("ArrowRight", "embeddings: "),
        ("ArrowDown", "encoder.block[1..12]: "),
        ("ArrowRight", "encoder.block[1..12].attention: 4·(H² + H) = 2,362,368 × 12 = 28,348,416 · 25.8 %"),
        ("ArrowLeft", "encoder.block[1..12]: "),
    ):
        report.page.keyboard.press(key)
        assert told.inner_text().startswith(path), key
    report.page.keyboard.press("Enter")
    assert next(box for box in boxes(report) if box["label"].startswith("encoder.block[1..12]:"))["height"] == HEIGHT
    focusable = report.page.eval_on_selector_all("a.box", "boxes => boxes.filter(box => box.tabIndex === 0).length")
    assert focusable == 1, "one stop of the tab key for the whole drawing"


def test_equal_layers_are_told_apart_from_others_together(report: Visit) -> None:
    report.page.locator("a.box", has_text="query × 12").first.hover()
    alike = report.page.eval_on_selector_all(
        "a.box.alike", "boxes => boxes.map(box => box.querySelector(':scope > title').textContent)"
    )
    assert sorted(label.partition(":")[0].rpartition(".")[2] for label in alike) == [
        "key", "output", "pooler", "transform", "value",
    ]  # fmt: skip  # H² + H each: the other three projections of a block, the pooler and the head's dense layer


def test_the_list_unfolds_to_single_tensors(report: Visit) -> None:
    row = report.page.locator("[id='encoder.block[1..12].attention'] > details")
    assert row.is_visible(), "the rows of the table are there without a click"
    assert not report.page.locator("[id='encoder.block[1..12].attention.query']").is_visible()
    row.locator("> summary").click()
    assert "Encoder-7-MultiHeadSelfAttention" in row.inner_text()
    assert row.get_by_text("2,362,368").count() >= 12
    query = report.page.locator("[id='encoder.block[1..12].attention.query'] > details")
    query.locator("> summary").click()
    assert "589,824" in query.inner_text()


def test_unfold_and_fold_all(report: Visit) -> None:
    many = "details => details.filter(one => one.open).length"
    report.page.get_by_role("button", name="Unfold all").click()
    report.picture("report-unfolded", whole=True)
    assert report.page.eval_on_selector_all(".tree details", many) == report.page.locator(".tree details").count() > 20
    report.page.get_by_role("button", name="Fold all", exact=True).click()
    assert report.page.eval_on_selector_all(".tree details", many) == 1


def test_search_shows_what_it_finds_and_where_it_is(report: Visit) -> None:
    field = report.page.get_by_role("searchbox")
    field.fill("encoder-7-feedforward-norm")
    assert report.page.locator(".found").inner_text() == "1 found"
    shown = report.page.locator(".tree li:not(.gone) > details > .line .name").all_inner_texts()
    assert [text.split("\n")[0].split(" ×")[0] for text in shown] == [
        "total", "encoder.block[1..12]", "feed_forward_norm",
    ]  # fmt: skip
    field.fill("no such thing")
    assert report.page.locator(".found").inner_text() == "nothing found"
    field.fill("")
    assert report.page.locator(".tree li.gone").count() == 0


def test_a_component_has_an_address(visit: Open, report_file: Callable[..., str], summary: str) -> None:
    linked = visit(report_file(summary) + "#encoder.block[1..12].attention.query")
    assert linked.page.locator("[id='encoder.block[1..12].attention.query']").is_visible()


def test_the_path_of_a_component_can_be_copied(report: Visit) -> None:
    report.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    report.page.locator("a.box", has_text="feed_forward × 12").first.click()
    report.page.get_by_role("button", name="Copy path").click()
    report.page.get_by_role("button", name="Copied").wait_for()
    assert report.page.evaluate("navigator.clipboard.readText()") == "encoder.block[1..12].feed_forward"


def test_without_scripts_everything_is_there(visit: Open, report_file: Callable[..., str], summary: str) -> None:
    plain = visit(report_file(summary), java_script_enabled=False)
    assert plain.page.locator("a.box").count() > 40
    row = plain.page.locator("[id='encoder.block[1..12].attention'] > details")
    row.locator("> summary").click()
    assert plain.page.locator("[id='encoder.block[1..12].attention.query']").is_visible()
    assert not plain.page.get_by_role("searchbox").is_visible(), "what needs a script is not offered"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_keeps_people_from_reading_it(
    visit: Open, report_file: Callable[..., str], summary: str, scheme: str
) -> None:
    seen = visit(report_file(summary), color_scheme=scheme)
    seen.page.get_by_role("button", name="Unfold all").click()
    assert seen.serious() == []
    if scheme == "dark":
        seen.picture("report-dark")


@pytest.mark.parametrize("width", [320, 390, 768])
def test_a_narrow_screen_scrolls_down_only(
    visit: Open, report_file: Callable[..., str], summary: str, width: int
) -> None:
    narrow = visit(report_file(summary), viewport={"width": width, "height": 800})
    narrow.picture(f"report-{width}")
    assert narrow.page.evaluate("document.documentElement.scrollWidth") <= width


def test_names_that_are_markup_stay_text(visit: Open, report_file: Callable[..., str]) -> None:
    hostile = visit(report_file(HOSTILE))
    hostile.page.get_by_role("button", name="Unfold all").click()
    hostile.picture("report-hostile")
    assert hostile.page.locator("img").count() == 0
    assert hostile.page.locator("script").count() == 1
    assert hostile.page.locator(".ledger svg[onload]").count() == 0
    text = hostile.page.locator(".ledger").inner_text()
    for name in ("<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", '"><svg onload=alert(3)>'):
        assert name in text
    box = hostile.page.locator("a.box").nth(1)
    assert (box.get_attribute("href") or "").startswith("#")


def test_a_script_that_got_in_would_not_run(report: Visit) -> None:
    """The guard behind the guard: the page's policy runs its own script and no other."""
    report.page.evaluate(
        "() => { const one = document.createElement('script'); one.textContent = 'window.ran = 1';"
        " document.body.append(one); }"
    )
    assert report.page.evaluate("window.ran") is None
    assert any("Content Security Policy" in said for said in report.complaints)
    report.complaints.clear()


def test_printed_it_is_unfolded(report: Visit) -> None:
    report.page.emulate_media(media="print")
    assert report.page.locator("[id='encoder.block[1..12].attention.query'] > details > summary").is_visible()
    assert not report.page.get_by_role("searchbox").is_visible()


def test_several_models_stand_side_by_side(visit: Open, report_file: Callable[..., str], summary: str) -> None:
    both = visit(report_file(summary, summary.replace('"model"', '"other"')))
    both.picture("report-two")
    table = both.page.locator(".side-by-side table")
    assert table.locator("tfoot td.number").all_inner_texts() == ["109,705,010", "109,705,010"]
    assert both.page.locator("a.box").count() > 80
    assert both.serious() == []


SHEETS = {
    "explain": ("explain", "(768*768*3 + 768*3) * 12", "--model", "stackexchange-bert-base"),
    "explain-operations": ("explain", "22,347,251,712", "--unit", "flops"),
    "check": ("check", ROOT / "docs" / "examples" / "bert-notes.md"),
    "diff": ("diff", ROOT / "docs" / "examples" / "bert-base-summary.txt", "bert-base-uncased"),
    "cost": ("cost", "GPT-2 small", "--compare", "--curve"),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", SHEETS)
def test_every_other_result_is_a_page_too(visit: Open, tmp_path: Path, name: str, scheme: str) -> None:
    assert run(*SHEETS[name], "-o", tmp_path / "page.html").status in (0, 1)
    seen = visit((tmp_path / "page.html").as_uri(), color_scheme=scheme)
    seen.picture(f"sheet-{name}-{scheme}", whole=True)
    assert seen.page.locator("main .reconcile").count() == 1
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 1200
    assert seen.serious() == []
