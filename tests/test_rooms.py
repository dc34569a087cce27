"""The rooms: nothing but a build touches TensorFlow, the worker needs nothing of ours, and a wheel holds everything."""

import ast
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from support import ROOT

import reconcile

FRAMEWORKS = ("tensorflow", "tf_keras", "keras", "keras_bert", "h5py", "numpy", "torch", "jax")

CHECK = """
import sys
sys.argv = ["reconcile", *{arguments!r}]
{first}
try:
    {statement}
except SystemExit:
    pass
print([name for name in {frameworks!r} if name in sys.modules])
"""


def frameworks_after(statement: str, *arguments: str, first: str = "") -> list[str]:
    """The frameworks that are imported once a statement has run in a Python of its own."""
    program = CHECK.format(arguments=list(arguments), first=first, statement=statement, frameworks=FRAMEWORKS)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    found = ast.literal_eval(done.stdout.splitlines()[-1])
    assert isinstance(found, list)
    return found


COMMAND = "from reconcile.cli.main import main; main()"
WITHOUT = [
    ("import reconcile", ()),
    (COMMAND, ("--help",)),
    (COMMAND, ("--version",)),
    (COMMAND, ("build", "--help")),
    (COMMAND, ("build", "no-such-model")),
    (COMMAND, ("build", "tiny")),  # from the cache
    (COMMAND, ("build", "tiny", "--format", "json")),
    (COMMAND, ("build", "tiny", "--format", "markdown")),
    (COMMAND, ("diff", "tiny", "tiny", "--format", "github")),
]


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(("statement", "arguments"), WITHOUT, ids=[" ".join(a) or s for s, a in WITHOUT])
def test_no_framework_is_imported(statement: str, arguments: tuple[str, ...]) -> None:
    assert frameworks_after(statement, *arguments) == []


def test_that_check_can_fail() -> None:
    assert frameworks_after("import reconcile", first="import h5py") == ["h5py", "numpy"]


@pytest.mark.slow
def test_a_build_imports_no_framework_into_the_process_that_asks_for_it() -> None:
    assert frameworks_after(COMMAND, "build", "tiny", "--no-cache") == []


def test_the_public_surface() -> None:
    assert set(reconcile.__all__) <= set(dir(reconcile))
    assert reconcile.__version__.count(".") == 2
    assert len(set(reconcile.__all__) - {"__version__"}) <= 12


WORKER = sorted((ROOT / "reconcile" / "sources" / "worker").glob("*.py"))
BUILDERS = {"tensorflow", "keras_bert", "numpy"}  # TensorFlow brings NumPy


@pytest.mark.parametrize("file", WORKER, ids=lambda file: file.name)
def test_the_worker_is_python_3_6_and_imports_nothing_of_ours(file: Path) -> None:
    tree = ast.parse(file.read_text("utf-8"), feature_version=(3, 6))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add(str(node.module).split(".")[0])
        assert not isinstance(node, ast.NamedExpr), "an assignment expression is Python 3.8"
    assert imported <= set(sys.stdlib_module_names) | BUILDERS | {path.stem for path in WORKER}


def test_only_sources_names_the_frameworks() -> None:
    for file in (ROOT / "reconcile").rglob("*.py"):
        if file.is_relative_to(ROOT / "reconcile" / "sources"):
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            assert not {name.split(".")[0] for name in names} & set(FRAMEWORKS), file


@pytest.mark.slow
def test_a_wheel_holds_every_data_file_and_module(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    files = [
        file
        for file in (ROOT / "reconcile").rglob("*")
        if file.suffix in (".py", ".toml", ".html", ".css", ".js", ".svg")
    ]
    wanted = {str(file.relative_to(ROOT)) for file in files}
    wanted |= {f"reconcile/models/{file.name}" for file in (ROOT / "models").glob("*.toml")}
    assert len(wanted) > 80
    assert wanted - held == set()
    assert not [name for name in held if name.startswith("tests")]


@pytest.mark.slow
def test_an_installed_copy_finds_its_models(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    for name in ("click", "platformdirs", "tabulate"):
        (site / name).symlink_to(Path(__import__(name).__file__ or "").parent)
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from reconcile.spec import load_spec, model_names, models_directory\n"
        "print(len(model_names()), models_directory(), load_spec('tiny').dimensions['H'])"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program, str(site)], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["36", str(site / "reconcile" / "models"), "64"]


MOST_SIZES = 3
"""Usual sizes of models that may stand together in Python before they are a list of sizes."""


OTHERWISE = frozenset({"head", "projection", "decoder", "encoder", "attention"})
"""Names of components that are words for other things as well."""


def data_said_in_python(file: Path) -> Iterator[str]:
    """What a module says that tables of architectures say: paths of components, names of families, lists of sizes."""
    tree = ast.parse(file.read_text("utf-8"))
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            text = node.value.replace("\\", "").lstrip("^(").removeprefix("**.")
            if text in families():
                yield f"family {text!r}"
            elif (
                any(text.startswith(path) and text[len(path) :][:1] in (".", "[") for path in paths())
                or text in paths() - OTHERWISE
            ):
                yield f"component {text!r}"
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            found = [one.value for one in node.elts if isinstance(one, ast.Constant) and type(one.value) is int]
            if len([size for size in found if size in sizes()]) > MOST_SIZES and all(size < 2**20 for size in found):
                yield f"sizes {found}"


@cache
def families() -> frozenset[str]:
    from reconcile.sources.config_keys import known_configs
    from reconcile.taxonomy import architecture_names

    return frozenset(architecture_names()) | frozenset(known_configs())


@cache
def paths() -> frozenset[str]:
    """What stands at the top of some architecture's tree, and the names of parts of its blocks."""
    from reconcile.taxonomy import architecture_names, load_architecture

    every = [load_architecture(name) for name in architecture_names()]
    tops = {top for one in every for top in one.tops}
    parts = {
        part.path.partition("[*].")[2].partition(".")[0]
        for one in every
        for part in one.components
        if "[*]" in part.path
    }
    return frozenset(tops | parts)


@cache
def below() -> tuple[str, ...]:
    """How paths of what lies below these begin."""
    return tuple(path + mark for path in paths() for mark in ".[")


@cache
def sizes() -> frozenset[int]:
    from reconcile.known_model import known_models

    return frozenset(
        size for model in known_models() for name, size in model.dimensions.items() if name in "VPHF" and size
    )


def test_architectures_are_data() -> None:
    """No component path, family name or size list stands in Python."""
    offending = {
        str(file.relative_to(ROOT / "reconcile")): said
        for file in sorted((ROOT / "reconcile").rglob("*.py"))
        if (said := [*data_said_in_python(file)])
    }
    assert offending == {}


def test_that_check_of_data_can_fail(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(
        '"""About embeddings.token."""\nA = "embeddings.token"\nB = ("bert", "**.feed_forward.up")\nC = (512, 768, 1024, 3072)\n'
    )
    assert [*data_said_in_python(file)] == [
        "component 'embeddings.token'", "sizes [512, 768, 1024, 3072]", "family 'bert'", "component 'feed_forward.up'",
    ]  # fmt: skip
