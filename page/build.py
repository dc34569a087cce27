"""Build the page: what people paste into is put into one folder that any web server can serve.

    python page/build.py build/page         # `make page`; then: python -m http.server -d build/page

The folder holds the page, Python for browsers (Pyodide, from its npm package, checked by its hash) and this package
with the three that it needs, unchanged. The page loads nothing from anywhere else.
"""

import base64
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
PYODIDE = "314.0.7"
INTEGRITY = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
NEEDED = ("jinja2", "markupsafe", "tabulate")
STATIC = ("index.html", "paste.css", "paste.js", "worker.js", "answer.py")
KINDS = (".py", ".toml", ".json", ".html", ".css", ".js", ".svg")
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def main(target: Path) -> None:
    """Build the page into a folder, which is made anew."""
    from reconcile.render.html import script, style

    archive = _pyodide(ROOT / "build")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    with tarfile.open(archive) as packed:
        for name in RUNTIME:
            member = packed.extractfile(f"package/{name}")
            assert member is not None, name
            (target / name).write_bytes(member.read())
    for name in STATIC:
        shutil.copyfile(HERE / name, target / name)
    (target / "report.css").write_text(style(), "utf-8")
    (target / "report.js").write_text(script(), "utf-8")
    (target / "packages.zip").write_bytes(_packages())
    (target / "examples.json").write_text(json.dumps(_examples(), ensure_ascii=False), "utf-8")
    size = sum(file.stat().st_size for file in target.iterdir())
    print(f"{target}: {size / 1e6:.1f} MB; to look at it: python -m http.server -d {target}")


def _pyodide(folder: Path) -> Path:
    """Pyodide's npm package, fetched once; refused where it is not the one that is named here."""
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / f"pyodide-{PYODIDE}.tgz"
    if not archive.is_file():
        fetched = ["npm", "pack", "--silent", f"pyodide@{PYODIDE}", "--pack-destination", str(folder)]
        subprocess.run(fetched, check=True, stdout=subprocess.DEVNULL)
    found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if found != INTEGRITY:
        archive.unlink()
        sys.exit(f"page/build.py: {archive.name}: got the hash {found}, takes {INTEGRITY}")
    return archive


def _packages() -> bytes:
    """This package and those that it needs, as one zip file that is the same for the same files."""
    text = io.BytesIO()
    with zipfile.ZipFile(text, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, file in sorted(_files()):
            packed.writestr(zipfile.ZipInfo(name, _LONG_AGO), file.read_bytes(), zipfile.ZIP_DEFLATED)
    return text.getvalue()


def _files() -> Iterator[tuple[str, Path]]:
    """Each file with its place: all of this package, and of the others Python's files and their licences."""
    for top, inside in ((ROOT / "reconcile", "reconcile"), (ROOT / "models", "reconcile/models")):
        for file in top.rglob("*"):
            if file.suffix in KINDS and "__pycache__" not in file.parts:
                yield f"{inside}/{file.relative_to(top).as_posix()}", file
    for name in NEEDED:
        for entry in distribution(name).files or ():
            if entry.suffix == ".py" or "licenses" in entry.parts or entry.name.startswith("LICENSE"):
                yield entry.as_posix(), Path(str(entry.locate()))


def _examples() -> list[dict[str, str]]:
    """What the page offers to click."""
    summary = (ROOT / "docs" / "examples" / "bert-base-summary.txt").read_text("utf-8")
    notes = (ROOT / "docs" / "examples" / "bert-notes.md").read_text("utf-8")
    return [
        {"name": "The summary of a BERT base", "text": summary},
        {"name": "2,362,368", "text": "2,362,368"},
        {"name": "(768·768·3 + 768·3) · 12", "text": "(768*768*3 + 768*3) * 12"},
        {"name": "110M", "text": "110M"},
        {"name": "A text with figures", "text": notes},
    ]


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/page"))
