"""The version of the distribution, kept alone so that nothing heavy is imported to learn it."""

VERSION = "0.1.0"
