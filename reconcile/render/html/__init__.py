"""Documents as HTML: one file without anything from elsewhere, or the part of it that another page shows.

Everything that comes from a source is escaped; the page's own policy lets nothing run but its one script.
"""

from reconcile.render.html.page import (
    accounts,
    bodies,
    body,
    cell,
    claims,
    costs,
    differences,
    explanations,
    page,
    pages,
    reports,
    script,
    style,
)
from reconcile.render.html.sheets import printed, sheets

__all__ = [
    "accounts",
    "bodies",
    "body",
    "cell",
    "claims",
    "costs",
    "differences",
    "explanations",
    "page",
    "pages",
    "printed",
    "reports",
    "script",
    "sheets",
    "style",
]
