"""Unification: observations (a count, an axis, a setting) become dimensions, each with the evidence for its size."""
