"""Mapping: inventory, dialect and architecture become a ledger. Every item has one component, or is unmapped."""
