"""Readers of checkpoints: each takes a path and returns an inventory from headers alone."""
