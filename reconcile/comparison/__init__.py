"""Comparison: ledger, spec and references become findings, facts without prose. No input or output happens here."""
