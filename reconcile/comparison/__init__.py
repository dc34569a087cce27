"""Comparison: ledger, spec and references become findings, facts without prose. No input or output happens here."""

from reconcile.comparison.counts import compare_counts
from reconcile.comparison.meant import compare_meant
from reconcile.comparison.references import Judgement, compare_references, judge
from reconcile.comparison.settings import compare_setting, compare_spec, setting_changes
from reconcile.comparison.summary import compare_summary

__all__ = [
    "Judgement",
    "compare_counts",
    "compare_meant",
    "compare_references",
    "compare_setting",
    "compare_spec",
    "compare_summary",
    "judge",
    "setting_changes",
]
