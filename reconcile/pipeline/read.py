"""Something that was pasted or stored -> a report of each model in it."""

from reconcile.pipeline.source import open_stored, open_text
from reconcile.report.types import Report


def read(
    text: str, source: str, *, depth: str = "group", meant: str | None = None, why: bool = False
) -> tuple[Report, ...]:
    """Reconcile everything in a text, in order: summaries, listings, a configuration, a snapshot, a report in JSON.

    `meant` names the spec or configuration of the model that each should be. Raises InputError when there is nothing to
    read, or what is meant cannot be read.
    """
    return tuple(opened.report("read", depth, why) for opened in open_text(text, source, meant))


def read_stored(name: str, *, depth: str = "group", meant: str | None = None, why: bool = False) -> tuple[Report, ...]:
    """The same for a file, a directory, a checkpoint by its prefix, or `-`; its content says what it is."""
    return tuple(opened.report("read", depth, why) for opened in open_stored(name, meant=meant))
