"""The docs as a site, served as any server does it: pages, search, links, and nothing from elsewhere."""

import functools
import http.server
import threading
from collections.abc import Callable, Iterator

import pytest
from support import ROOT
from visiting import Visit

Open = Callable[..., Visit]
PAGES = {
    "index": "README",
    "docs/taxonomy": "taxonomy",
    "docs/python": "python",
    "reports/bert-large-uncased": "report",
}


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address of `build/docs` on a server such as `python -m http.server`."""
    folder = ROOT / "build" / "docs"
    assert (folder / "index.html").is_file(), "make docs builds it"

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_shown_without_anything_from_elsewhere(visit: Open, site: str, name: str, scheme: str) -> None:
    seen = visit(f"{site}/{name}.html", color_scheme=scheme)
    seen.page.wait_for_load_state("networkidle")
    seen.picture(f"docs-{PAGES[name]}-{scheme}")
    assert seen.page.locator("article h1").count() == 1
    assert all(url.startswith(site) for url in seen.requests), seen.requests
    seen.requests.clear()  # pages of a folder fetch the style of the whole site


def test_pictures_are_there(visit: Open, site: str) -> None:
    seen = visit(f"{site}/index.html")
    assert seen.page.eval_on_selector("article img", "image => image.complete && image.naturalWidth") > 500


def test_a_formula_is_found(visit: Open, site: str) -> None:
    seen = visit(f"{site}/index.html")
    seen.page.keyboard.press("/")
    seen.page.keyboard.type("taxonomy")
    seen.page.get_by_role("link", name="Taxonomy").last.wait_for()
    seen.picture("docs-search")
