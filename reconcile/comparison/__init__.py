"""Comparison: ledger, spec and references become findings, two models differences. No input or output happens here."""
