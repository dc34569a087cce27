"""Chromium, pages that nothing may go wrong on, and a server for the page that people paste into."""

import functools
import http.server
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from support import ROOT, run
from visiting import CHROMIUM, FLAGS, HOME, Visit


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
