"""What all drawings are written with: numbers of the drawing's units as text, and the templates."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment, Template

FINE = 10_000
"""So many steps has one unit of a drawing; a coordinate is an integer number of them."""


def scaled(part: int, whole: int, length: int) -> int:
    """So much of a length in units as a part is of the whole, in steps, rounded to the nearest."""
    return (2 * part * length * FINE + whole) // (2 * whole)


def text(steps: int) -> str:
    """Steps as a number of units."""
    whole, rest = divmod(steps, FINE)
    return f"{whole}.{rest:04}".rstrip("0").rstrip(".")


def template(name: str) -> "Template":
    """A template of this room; everything that is put into it is escaped."""
    return _environment().get_template(name)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
