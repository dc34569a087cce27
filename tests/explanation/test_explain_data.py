"""Meaning is data: explaining a figure knows no component, no family and no list of sizes by itself."""

import ast
from pathlib import Path

import pytest

import reconcile.explanation
from reconcile.known_model import known_models
from reconcile.taxonomy import architecture_names, load_architecture

ROOM = Path(reconcile.explanation.__file__).parent
# The line that tells two models apart.
OTHERS = ("reason.py",)
FILES = sorted(file for file in ROOM.glob("*.py") if file.name not in OTHERS)
MOST_SIZES = 3


def texts(file: Path) -> list[str]:
    """The strings of a module that are no docstrings."""
    tree = ast.parse(file.read_text("utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in said]
    return [node.value for node in constants if isinstance(node.value, str)]


def paths() -> set[str]:
    return {part.path for name in architecture_names() for part in load_architecture(name).components}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_component_and_no_family_is_named(file: Path) -> None:
    nodes = {path.partition(".")[0] for path in paths()} | {path.rpartition("].")[2] for path in paths()}
    nodes |= set(architecture_names()) | {model.name for model in known_models()}
    assert [text for text in texts(file) if text in nodes or any(text.startswith(f"{node}.") for node in nodes)] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_list_of_sizes_is_kept(file: Path) -> None:
    lists = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Tuple | ast.List)]
    sizes = [
        [one.value for one in node.elts if isinstance(one, ast.Constant) and type(one.value) is int] for node in lists
    ]
    assert [found for found in sizes if len(found) > MOST_SIZES] == []


def test_that_check_can_fail(tmp_path: Path) -> None:
    file = tmp_path / "named.py"
    file.write_text('"""pooler"""\nNODE = "encoder.block[*]"\n')
    assert texts(file) == ["encoder.block[*]"]
