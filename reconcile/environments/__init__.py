"""Environments: interpreters, the worker process that builds in them, and the cache of what was built."""
