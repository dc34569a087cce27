"""Readers of listings: names, shapes and counts as people print them from PyTorch and TensorFlow."""
