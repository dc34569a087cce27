"""The page that people paste into, end to end: Python loads in the browser, and a paste is answered there."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser
from support import ROOT
from visiting import HOSTILE, PICTURES, Visit

SLOW = 120_000
"""Milliseconds that loading Python may take on a machine that does much else."""


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Visit]:
    """The page with Python loaded, for all tests; none of them may make it complain or ask for anything elsewhere."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    one = Visit(context)
    one.page.goto(served)
    PICTURES.mkdir(parents=True, exist_ok=True)
    one.picture("page-loading")
    one.page.wait_for_selector("body[data-ready], #status.failed", timeout=SLOW)
    assert one.page.locator("#says").inner_text() == "Ready."
    yield one
    own = served.rpartition("/")[0] + "/"
    assert one.complaints == []
    assert [url for url in one.requests if not url.startswith((own, "blob:" + own, "data:"))] == []
    context.close()


def answered(page: Visit, act: Callable[[], object]) -> str:
    """What the page shows once it has answered to an act."""
    before = page.page.evaluate("document.body.dataset.answered || '0'")
    act()
    page.page.wait_for_selector(f"body:not([data-answered='{before}'])[data-answered]", timeout=SLOW)
    return page.page.locator("#result").inner_text()


def pasted(page: Visit, text: str) -> str:
    """The answer to a text that is pasted as a person does it."""
    page.page.get_by_role("button", name="Clear").click()
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.page.locator("#first").focus()
    return answered(page, lambda: page.page.keyboard.press("Control+V"))


def status(page: Visit) -> str:
    return page.page.locator("#says").inner_text()


def test_the_askers_own_summary_is_answered_when_it_is_pasted(page: Visit, summary: str) -> None:
    shown = pasted(page, summary)
    page.picture("page-summary")
    assert "109,705,010" in shown
    assert "4·(H² + H) = 4·(768² + 768) = 2,362,368" in shown
    assert status(page).startswith("Taken for a Keras summary.")
    assert page.serious() == []


def test_its_answer_can_be_unfolded_searched_and_enlarged(page: Visit, summary: str) -> None:
    pasted(page, summary)
    page.page.get_by_role("button", name="Unfold all").click()
    page.page.get_by_role("searchbox").fill("query")
    assert re.fullmatch(r"\d+ found", page.page.locator(".found").inner_text())
    page.page.locator("a.box", has_text="attention × 12").first.click()
    assert page.page.locator("a.box.chosen > rect").get_attribute("height") == "480"


@pytest.mark.parametrize(
    ("text", "took", "says"),
    [
        ("2,362,368", "a number", "the query, key, value and output projections of one attention layer"),
        (
            "where does 2362368 come from?",
            "a question",
            "the query, key, value and output projections of one attention",
        ),
        ("(768*768*3 + 768*3) * 12", "a number", "21,261,312"),
        ("110M", "a number", "110M"),
    ],
)
def test_a_number_is_explained(page: Visit, text: str, took: str, says: str) -> None:
    assert says in pasted(page, text)
    assert status(page).startswith(f"Taken for {took}.")


def test_a_text_is_checked(page: Visit) -> None:
    shown = pasted(page, "BERT base has 12 layers.\n\n- position embeddings: 512 × 768 = 393,126 parameters\n")
    page.picture("page-text")
    assert "393,216" in shown
    assert "1 figure or equation is wrong." in shown


def test_two_pastes_are_compared(page: Visit, summary: str) -> None:
    other = re.sub(r"(?m)^( NSP \(Dense\).* )1538( .*)$", r"\g<1>2307\2", summary).replace("109705010", "109705779")
    page.page.get_by_role("button", name="Compare two").click()
    page.page.locator("#first").fill(summary)
    page.page.locator("#second").fill(other)
    shown = answered(page, lambda: page.page.get_by_role("button", name="Answer").click())
    page.page.get_by_role("button", name="Compare two").click()
    page.picture("page-compared")
    assert "Side by side" in shown
    assert "+769" in shown  # 2307 − 1538, one class more: H + 1


def test_what_a_model_costs(page: Visit, summary: str) -> None:
    page.page.locator("#first").fill(summary)
    page.page.locator("#length").fill("512")
    shown = answered(page, lambda: page.page.get_by_role("button", name="Cost").click())
    page.picture("page-cost")
    assert "Operations and memory" in shown
    assert "512" in shown
    assert page.serious() == []


def test_a_file_is_read(page: Visit) -> None:
    file = ROOT / "tests" / "data" / "pytorch" / "state_dict.pt"
    shown = answered(page, lambda: page.page.locator("#file").set_input_files(file))
    assert status(page).startswith("Taken for ")
    assert "Every parameter" in shown


def test_the_examples_are_answered(page: Visit) -> None:
    for button in page.page.locator("#examples button").all():
        assert answered(page, button.click).strip()


def test_what_cannot_be_read_is_said_in_one_line(page: Visit) -> None:
    assert pasted(page, "Hello, how are you?").strip() == ""
    assert "takes a number, a model summary" in status(page)
    assert page.page.locator("#status.failed").count() == 1


def test_names_that_are_markup_stay_text(page: Visit) -> None:
    file = {"name": "<b>hostile.safetensors", "mimeType": "application/octet-stream", "buffer": HOSTILE}
    shown = answered(page, lambda: page.page.locator("#file").set_input_files(file))
    assert "<b>hostile.safetensors" in shown
    page.page.get_by_role("button", name="Unfold all").click()
    assert "<img src=x onerror=alert(1)>" in page.page.locator("#result").inner_text()
    assert page.page.locator("#result img, #result script").count() == 0


def test_the_policy_lets_nothing_be_sent(page: Visit) -> None:
    policy = page.page.locator("meta[http-equiv='Content-Security-Policy']").get_attribute("content") or ""
    rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["connect-src"] == "'self'"
    assert "unsafe-inline" not in policy
    assert "'unsafe-eval'" not in policy
    refused = page.page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'refused')")
    assert refused == "refused"
    page.complaints.clear()


def test_on_a_narrow_screen_and_in_the_dark(browser: Browser, served: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800}, color_scheme="dark")
    narrow = Visit(context)
    narrow.page.goto(served)
    narrow.picture("page-390-dark")
    assert narrow.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert narrow.serious() == []
    context.close()
