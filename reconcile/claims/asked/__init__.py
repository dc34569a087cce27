"""Step 7: what a text asks beside plain counts: adapters, files, operations. It fits, and nothing is built on it."""
