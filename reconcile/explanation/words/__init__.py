"""The sentences for findings, a module for each family of kinds, read when the first of its kind is told."""
