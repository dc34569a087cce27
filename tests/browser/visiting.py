"""A page with what it asked for and complained of, and names that would do something if they were markup."""

import json
from math import prod

from playwright.sync_api import BrowserContext, Page
from support import ROOT

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

    def serious(self, within: str = "html") -> list[str]:
        """What axe-core finds that keeps somebody from reading the page, or a part of it, in a line each."""
        self.page.evaluate(AXE.read_text("utf-8"))
        found = self.page.evaluate("within => axe.run(within, {resultTypes: ['violations']})", within)
        return [
            f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}"
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]


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
