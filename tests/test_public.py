"""The public surface: a dozen names, each there, and none that costs anything before it is used."""

import inspect
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

import reconcile

NAMES = [
    "BuildError",
    "InputError",
    "ReconcileError",
    "Report",
    "__version__",
    "build",
    "check",
    "cost",
    "diff",
    "explain",
    "model_names",
    "read",
    "read_all",
]


def test_the_public_names_are_these() -> None:
    assert sorted(reconcile.__all__) == NAMES == dir(reconcile)
    for name in NAMES:
        assert getattr(reconcile, name) is not None


def test_an_unknown_name_is_refused_as_python_does() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'summary'"):
        reconcile.summary  # noqa: B018


def test_importing_the_package_imports_none_of_its_rooms() -> None:
    code = "import sys, reconcile; print(*sorted(name for name in sys.modules if name.startswith('reconcile')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["reconcile", "reconcile.version"]


FUNCTIONS = [name for name in NAMES if inspect.isfunction(getattr(reconcile, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_a_function_takes_gives_and_raises_is_said(name: str) -> None:
    function = getattr(reconcile, name)
    said = inspect.getdoc(function) or ""
    for parameter in inspect.signature(function).parameters:
        assert (
            f"{parameter}:" in said or f"{parameter}," in said or f"`{parameter}`" in said or "those of `read`" in said
        )
    assert "Raises" in said or "errors are those of `read`" in said or name == "model_names"


CLIENT = """
from pathlib import Path

import reconcile

report: reconcile.Report = reconcile.read(Path("summary.txt"), model="tiny", index=1)
total: int = report.total
names: list[str] = [row.node for row in reconcile.build("tiny").rows]
every: list[int] = [one.total for one in reconcile.read_all("summary.txt")]
explained: bool = reconcile.explain(2_362_368, dims="H=768").explained
wrong: list[str] = [claim.explanation for claim in reconcile.check("12 * 768 = 9217").claims]
more: int = reconcile.diff("tiny", report).difference
flops: int = reconcile.cost("GPT-2 small", seq=1024).cost.total
"""


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment in which the package is installed."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/python3.*/site-packages")
    zipfile.ZipFile(wheel).extractall(site)
    return folder


def checked(environment: Path, text: str) -> str:
    """What mypy in strict mode says of a program in an environment."""
    program = "import sys; from mypy.api import run; print(run(sys.argv[1:])[0])"
    options = ["--strict", "--config-file=", "--cache-dir=cache", f"--python-executable={environment}/bin/python"]
    command = [sys.executable, "-c", program, *options, "-c", text]
    return subprocess.run(command, cwd=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_a_program_that_uses_it_passes_a_strict_type_check(installed: Path) -> None:
    assert checked(installed, CLIENT) == "Success: no issues found in 1 source file\n\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("total = report.opening", 'expression has type "str", variable has type "int"'),
        ("reconcile.explain(1.5)", 'incompatible type "float"; expected "str | int"'),
        ("reconcile.summary", 'Module has no attribute "summary"'),
    ],
)
def test_that_check_can_fail(installed: Path, line: str, says: str) -> None:
    assert says in checked(installed, f"{CLIENT}{line}\n")


@pytest.mark.slow
def test_it_says_itself_that_it_is_typed(installed: Path) -> None:
    (mark,) = installed.glob("lib/python3.*/site-packages/reconcile/py.typed")
    mark.unlink()
    assert "missing library stubs or py.typed marker" in checked(installed, CLIENT)
    mark.touch()
