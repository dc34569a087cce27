"""Chromium, pages that nothing may go wrong on, and a server for the page that people paste into."""

import functools
import http.server
import json
import threading
from collections.abc import Callable, Iterator
from math import prod
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from support import ROOT, run

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
AXE = ROOT / "build" / "axe.min.js"
PICTURES = ROOT / "build" / "screenshots"
HOME = ("file://", "blob:", "data:")


class Visit:
    """A page with all that it asked for and all that it complained of."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))

    def picture(self, name: str, whole: bool = False) -> None:
        """A screenshot for people to look at."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png", full_page=whole)

    def serious(self) -> list[str]:
        """What axe-core finds that keeps somebody from reading the page, in a line each."""
        self.page.evaluate(AXE.read_text("utf-8"))
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}"
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield opened
        opened.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Visit]]:
    """A function that opens a page; afterwards none may have complained, or asked for anything but its own folder."""
    visits: list[tuple[Visit, str]] = []

    def open_page(address: str, **options: object) -> Visit:
        options = {"viewport": {"width": 1200, "height": 900}} | options
        context = browser.new_context(**options)  # type: ignore[arg-type]
        one = Visit(context)
        visits.append((one, address))
        one.page.goto(address)
        return one

    yield open_page
    for one, address in visits:
        own = address.rpartition("/")[0] + "/"
        one.page.context.close()
        assert one.complaints == []
        assert [url for url in one.requests if not url.startswith((own, *HOME))] == []


@pytest.fixture(scope="session")
def served() -> Iterator[str]:
    """The address of `build/page` on a server such as `python -m http.server`."""
    folder = ROOT / "build" / "page"
    assert (folder / "index.html").is_file(), "make page builds it"

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()


@pytest.fixture(scope="session")
def report_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """A function that writes the HTML report of texts or stored tensors and says its address."""
    folder = tmp_path_factory.mktemp("reports")

    def write(*contents: str | bytes) -> str:
        sources = []
        for content in contents:
            kind = "txt" if isinstance(content, str) else "safetensors"
            sources.append(folder / f"source-{len(list(folder.iterdir()))}.{kind}")
            sources[-1].write_bytes(content.encode() if isinstance(content, str) else content)
        file: Path = folder / f"report-{len(list(folder.iterdir()))}.html"
        ran = run("report", *sources, "-o", file, "--fail-on", "never")
        assert ran.status == 0, ran.err
        return file.as_uri()

    return write


@pytest.fixture(scope="session")
def summary() -> str:
    """The summary that somebody asked about."""
    return (ROOT / "docs" / "examples" / "bert-base-summary.txt").read_text("utf-8")


def safetensors(shapes: dict[str, tuple[int, ...]]) -> bytes:
    """A file of zeros with these names, which may be anything."""
    header, end = {}, 0
    for name, shape in shapes.items():
        begin, end = end, end + prod(shape)
        header[name] = {"dtype": "U8", "shape": list(shape), "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + bytes(end)


HOSTILE = safetensors(
    {
        "embeddings.<img src=x onerror=alert(1)>.weight": (4, 4),
        "encoder.</script><script>alert(2)</script>.weight": (8, 8),
        '"><svg onload=alert(3)>.bias': (16,),
        "javascript:alert(4).weight": (2, 2),
    }
)
"""Names that would do something if they were taken for markup."""
