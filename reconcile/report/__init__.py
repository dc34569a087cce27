"""Reports: everything a renderer needs, already decided."""

from reconcile.report.assembly import assemble
from reconcile.report.rows import table_rows
from reconcile.report.types import AGREES, LayerLine, Passage, Report, Row, Said, Subject

__all__ = ["AGREES", "LayerLine", "Passage", "Report", "Row", "Said", "Subject", "assemble", "table_rows"]
