"""The table of renderers: every row is a function for its type, and every format that a command offers is in it."""

import inspect
from importlib import import_module

import pytest

from reconcile.cli.commands import COMMANDS
from reconcile.cli.main import reconcile
from reconcile.render.registry import RENDERERS, Look, formats, rendered


@pytest.mark.parametrize(("kind", "form"), RENDERERS, ids="-".join)
def test_every_row_is_a_function_of_a_sequence_of_its_type_and_a_look(kind: str, form: str) -> None:
    module, _, name = RENDERERS[kind, form].partition(".")
    function = getattr(import_module(f"reconcile.render.{module}"), name)
    first, look = inspect.signature(function).parameters.values()
    assert kind in str(first.annotation)
    assert look.annotation is Look


PRINTED = {
    "build": ("Report",),
    "read": ("Report",),
    "explain": ("Answer", "OperationsAnswer"),
    "cost": ("CostReport", "Profile"),
    "report": ("Document",),
    "diff": ("DifferenceReport",),
    "releases": ("Matrix",),
    "check": ("Checked",),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_format_of_a_command_is_one_of_what_it_prints(name: str) -> None:
    command = reconcile.get_command(None, name)  # type: ignore[arg-type]
    (form,) = (one for one in command.params if one.name == "form")  # type: ignore[union-attr]
    for kind in PRINTED[name]:
        assert set(form.type.choices) <= set(formats(kind))  # type: ignore[attr-defined]


def test_a_format_that_a_type_lacks_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(LookupError, match="int has no format 'text'"):
        rendered(1, "text")
