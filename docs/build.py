"""Build the docs as a site: the same Markdown, in one folder that any web server can serve.

    python docs/build.py build/docs         # `make docs`; then: python -m http.server -d build/docs

README, docs and reports are laid out in a copy as they are in the project, so that every link in them leads where it
leads there; a directory's page is its README.md, or a list of its files. A link that leads nowhere fails the build, and
nothing is fetched.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
PARTS = ("README.md", "CHANGELOG.md", "LICENSE", "docs", "reports", "models", "examples", "reconcile/architectures")
"""What a page can lead to."""

_LINK = re.compile(r"(?<=\]\()(?!https?:|#)([^)#\s]+)(#[^)\s]*)?(?=\))")
_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def main(target: Path) -> None:
    """Lay out the Markdown and build the site of it. Exits with 1 where a link leads nowhere."""
    project = ROOT / "build" / "docs-project"
    shutil.rmtree(project, ignore_errors=True)
    lay_out(project / "source")
    shutil.copy(HERE / "zensical.toml", project)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", "zensical.toml"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr.partition("Traceback")[0])
    shutil.rmtree(target, ignore_errors=True)
    (project / "site").rename(target)


def lay_out(folder: Path) -> None:
    """Copy everything that a page can lead to, with a page for each directory."""
    folder.mkdir(parents=True)
    ignored = shutil.ignore_patterns("__pycache__", ".*", "*.py", "zensical.toml")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part, ignore=ignored)
        else:
            shutil.copy(ROOT / part, folder / part)
    for directory in [path for path in folder.rglob("*") if path.is_dir()]:
        if not (directory / "README.md").exists():
            (directory / "README.md").write_text(_list_of(directory, folder), "utf-8")
    for page in folder.rglob("*.md"):
        page.write_text(_to_pages(page.read_text("utf-8"), page.parent), "utf-8")


def _list_of(directory: Path, folder: Path) -> str:
    """A page with the files of a directory that has none."""
    names = sorted(f"{path.name}/README.md" if path.is_dir() else path.name for path in directory.iterdir())
    rows = [f"- [{name.removesuffix('README.md')}]({name})" for name in names]
    return "\n".join([f"# {directory.relative_to(folder)}", "", *rows, ""])


def _to_pages(text: str, parent: Path) -> str:
    """A text with links to directories leading to their pages; what stands in a block of code is left alone."""

    def led(link: re.Match[str]) -> str:
        path = link[1].rstrip("/")
        return f"{path}/README.md{link[2] or ''}" if (parent / path).is_dir() else link[0]

    blocks = _CODE.findall(text)
    prose = [_LINK.sub(led, part) for part in _CODE.split(text)]
    return "".join(part + block for part, block in zip(prose, [*blocks, ""], strict=True))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/docs"))
