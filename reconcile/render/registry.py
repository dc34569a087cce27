"""Which function renders what: one table by the type of a result and the format, and the one way to call it.

Each function takes results of its type in a sequence, since most commands print several, and a `Look`.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from reconcile.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """How results are printed: on a terminal of `width` columns, None for no terminal; signs in ASCII only; with the
    balance in bits; `verbose` with all notes; with common `mistakes` that nobody made; `colour`ed.

    `files` are the files that annotations stand at, one for each result, None for what is in none.
    """

    width: int | None = None
    ascii_only: bool = False
    why: bool = False
    files: tuple[str | None, ...] = ()
    verbose: bool = False
    mistakes: bool = False
    colour: bool = False


RENDERERS = {
    ("Report", "text"): "text.render_text",
    ("Report", "markdown"): "markdown.render_markdown",
    ("Report", "json"): "json.render_json",
    ("Report", "html"): "html.pages",
    ("Report", "body"): "html.reports",
    ("Report", "line"): "text.render_line",
    ("Report", "github"): "github.of_reports",
    ("Document", "text"): "files.render_text",
    ("Document", "markdown"): "files.render_markdown",
    ("Document", "json"): "files.render_json",
    ("Document", "html"): "files.render_html",
    ("Document", "body"): "html.bodies",
    ("Document", "csv"): "files.render_csv",
    ("Document", "latex"): "files.render_latex",
    ("Document", "svg"): "files.render_svg",
    ("DifferenceReport", "text"): "diff.render_text",
    ("DifferenceReport", "markdown"): "diff.render_markdown",
    ("DifferenceReport", "html"): "html.sheets",
    ("DifferenceReport", "json"): "diff.render_json",
    ("DifferenceReport", "github"): "github.of_differences",
    ("DifferenceReport", "body"): "html.differences",
    ("DifferenceReport", "line"): "diff.render_line",
    ("Checked", "text"): "claims.render_text",
    ("Checked", "markdown"): "claims.render_markdown",
    ("Checked", "html"): "html.sheets",
    ("Checked", "json"): "claims.render_json",
    ("Checked", "github"): "github.of_claims",
    ("Checked", "body"): "html.claims",
    ("Checked", "line"): "claims.render_line",
    ("Answer", "text"): "explanation.render_text",
    ("Answer", "markdown"): "explanation.render_markdown",
    ("Answer", "html"): "html.sheets",
    ("Answer", "json"): "explanation.render_json",
    ("Answer", "body"): "html.explanations",
    ("Answer", "line"): "explanation.render_line",
    ("OperationsAnswer", "text"): "operations.render_text",
    ("OperationsAnswer", "markdown"): "operations.render_markdown",
    ("OperationsAnswer", "html"): "html.sheets",
    ("OperationsAnswer", "json"): "operations.render_json",
    ("OperationsAnswer", "body"): "html.accounts",
    ("OperationsAnswer", "line"): "operations.render_line",
    ("CostReport", "text"): "cost.render_text",
    ("CostReport", "markdown"): "cost.render_markdown",
    ("CostReport", "html"): "html.sheets",
    ("CostReport", "json"): "cost.render_json",
    ("CostReport", "body"): "html.costs",
    ("CostReport", "line"): "cost.render_line",
    ("Profile", "text"): "profile.render_text",
    ("Profile", "markdown"): "profile.render_markdown",
    ("Profile", "html"): "html.printed",
    ("Profile", "json"): "profile.render_json",
    ("Matrix", "text"): "releases.render_text",
    ("Matrix", "markdown"): "releases.render_markdown",
    ("Matrix", "html"): "html.printed",
    ("Matrix", "json"): "releases.render_json",
    ("Brief", "text"): "many.render_text",
    ("Brief", "markdown"): "many.render_markdown",
    ("Brief", "json"): "many.render_json",
    ("Brief", "github"): "github.of_briefs",
    ("Tally", "text"): "many.summary_text",
    ("Tally", "markdown"): "many.summary_markdown",
    ("Tally", "json"): "many.summary_json",
    ("Tally", "github"): "github.of_tallies",
}
"""The function for results of a type, by its name or a base's, in a format: a module of this room and a name in it."""

_AS_IT_IS = "json"
"""The format whose own escapes keep a name as it was; for all others texts are made harmless first."""


def rendered(results: Any, form: str, look: Look | None = None) -> str:
    """One result or a sequence of results of one type in one of the formats that its type has."""
    from reconcile.render.neutral import neutral

    several: Sequence[Any] = tuple(results) if isinstance(results, (list, tuple)) else (results,)
    text: str = _renderer(type(several[0]), form)(several if form == _AS_IT_IS else neutral(several), look or Look())
    return text


def formats(kind: str) -> tuple[str, ...]:
    """The formats of a type of results, by the type's name, in the order in which they are offered."""
    return tuple(form for name, form in RENDERERS if name == kind)


def _renderer(kind: type, form: str) -> Any:
    """The function of a type or of its nearest base that has one. Raises LookupError where there is none."""
    for base in kind.__mro__:
        if place := RENDERERS.get((base.__name__, form)):
            module, _, name = place.partition(".")
            return getattr(import_module(f"reconcile.render.{module}"), name)
    raise LookupError(f"{kind.__name__} has no format {form!r}")
