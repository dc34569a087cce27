"""The program that builds a model in a process of its own and prints what it has as JSON.

It runs in whatever interpreter holds the builder, so it uses nothing but the standard library, in the syntax of
Python 3.6, and imports nothing of this package.
"""
