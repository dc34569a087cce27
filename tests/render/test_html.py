"""The page of HTML: complete in itself, small, escaped, and with a policy that runs its own script alone."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from shown import made_up, pasted

from reconcile.pipeline.check import check
from reconcile.pipeline.door import answer_text
from reconcile.render.html import body, page
from reconcile.render.registry import rendered
from reconcile.report.document import document

HOSTILE = '"><img src=x onerror=alert(1)></script><script>alert(2)</script>'
LARGE = {"H": 1024, "A": 16, "D": 64, "F": 4096, "L": 24}
SMALL = {"L": 2, "H": 64, "V": 100, "P": 32, "F": 128, "A": 4, "D": 16}


class Tags(HTMLParser):
    """The tags of a text with their attributes, and whether each that is opened is closed."""

    EMPTY = frozenset(("meta", "link", "br", "input", "rect", "img"))

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"{tag} is closed in its place"


def test_a_page_asks_for_nothing() -> None:
    tags = Tags(page(document([pasted()])))
    assert tags.open == []
    for tag, attributes in tags.found:
        for name in ("src", "href", "action", "data", "style", "srcset"):
            value = attributes.get(name)
            assert value is None or value.startswith("#") or (tag, value) == ("link", "data:,"), (tag, name, value)
        assert not any(name.startswith("on") for name in attributes), tag


def test_the_policy_names_the_style_and_the_script_by_their_hashes() -> None:
    text = page(document([pasted()]))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    for tag in ("style", "script"):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy[1].replace("&#39;", "'")
    assert policy[1].startswith("default-src 'none'")


def test_a_large_model_is_small_to_look_at() -> None:
    """Under 400 KB for a BERT large tensor by tensor."""
    assert len(page(document([made_up(**LARGE)])).encode()) < 400_000


def test_the_same_report_is_the_same_page() -> None:
    assert page(document([pasted()])) == page(document([pasted()]))


def test_names_that_are_markup_are_text() -> None:
    text = body(document([made_up(HOSTILE, heads={HOSTILE: (4, 2)}, unmapped={HOSTILE: 3}, **SMALL)], HOSTILE))
    tags = Tags(text)
    assert not {"img", "script"} & {tag for tag, _ in tags.found}
    assert text.count("&lt;script&gt;alert(2)") > 4


def test_every_box_leads_to_a_row() -> None:
    for models in ([pasted()], [made_up(**SMALL), made_up(**SMALL)]):
        tags = Tags(page(document(models)))
        ids = [attributes["id"] for _, attributes in tags.found if "id" in attributes]
        assert len(set(ids)) == len(ids)
        links = [attributes["href"] or "" for tag, attributes in tags.found if tag == "a"]
        assert len(links) > 40
        assert {link.removeprefix("#") for link in links} <= set(ids)


@pytest.mark.parametrize("figure", ["2,362,368", "21,261,312", "110M", "12345"])
def test_explanations_are_elements_that_close(figure: str) -> None:
    text = rendered(answer_text(figure).answers, "body")
    assert Tags(text).open == []
    assert f"<h2>{figure}</h2>" in text or figure.replace(",", "") in text.replace(",", "")


def test_claims_say_how_many_are_wrong_and_which_first() -> None:
    text = rendered(check("BERT base: 12 × 64 = 768, 512 × 768 = 393,126 parameters <img>.", "a text"), "body")
    assert Tags(text).open == []
    assert "1 figure or equation is wrong." in text
    assert text.index("393,126") < text.index("12 × 64")
    assert "<img>" not in text


def test_what_stands_between_two_backticks_is_code_and_stays_text() -> None:
    told = rendered(check("BERT base has 110M parameters.", "a text"), "body")
    assert "<code>pretraining</code> of BERT base" in told
    assert "`" not in told
    hostile = rendered(check(f"BERT base has `{HOSTILE}` 512 × 768 = 393,126 `rows`.\n", "a text"), "body")
    assert "<img" not in hostile
    assert "<script" not in hostile
