"""Documents as HTML: one file without anything from elsewhere, or the part of it that another page shows.

Everything that comes from a source is escaped; the page's own policy lets nothing run but its one script.
"""

from reconcile.render.html.page import body, cell, claims, cost, explanations, page, script, style

__all__ = ["body", "cell", "claims", "cost", "explanations", "page", "script", "style"]
