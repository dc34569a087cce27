"""The commands as functions: what each takes in Python, and results that show themselves."""
