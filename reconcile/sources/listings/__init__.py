"""Listings of names, shapes and counts, as people print them from PyTorch and TensorFlow."""

from reconcile.sources.listings.reader import read_apart, read_listings

__all__ = ["read_apart", "read_listings"]
