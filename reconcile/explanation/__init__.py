"""Explanations: a number or a difference, with its context, becomes words and derivations. No input or output."""
