"""Reports: everything a renderer needs, already decided."""
