"""Drawings: the tree of a report as rectangles whose areas are its counts, and as SVG."""
