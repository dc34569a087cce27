"""The errors that a user meets: one root, and kinds that keep what was wrong as data."""


class ReconcileError(Exception):
    """Root of every error this package raises on purpose; its text is one line for the user."""


class InputError(ReconcileError):
    """Something that was given cannot be used: says where, what was found there, and what it takes.

    `file` is the file as the user named it, `key` the place inside it (a dotted key, a line), `got` what
    stands there, `takes` what would be right, `meant` what it was probably meant to be. Parts that do not apply are
    None.
    """

    def __init__(
        self,
        file: object,
        key: str | None = None,
        got: object = None,
        takes: str | None = None,
        meant: str | None = None,
    ):
        self.meant = meant
        self.file, self.key, self.got, self.takes = str(file), key, got, takes
        parts = [f"got {got}" if got is not None else None, f"takes {takes}" if takes else None]
        said = ", ".join(part for part in parts if part)
        asked = f"; did you mean {meant!r}?" if meant else ""
        super().__init__(": ".join(part for part in (self.file, key, said) if part) + asked)


class FormulaError(ReconcileError):
    """A formula's text cannot be read, or a dimension it needs has no value."""


class NotInstalledError(ReconcileError):
    """What is needed to build is not installed, or the interpreter named cannot be run."""


class BuildError(ReconcileError):
    """The worker that builds a model failed, died, or went over its time or memory."""


class ArchiveError(ReconcileError):
    """A package's archive cannot be had, or is not what was locked."""
