"""Rendering: a `Report` becomes text, Markdown or JSON. Nothing is counted here and no file is written."""
