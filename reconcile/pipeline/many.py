"""Files and directories that a user names -> each model in them, read one after the other in this process."""

import gc
from collections.abc import Iterator, Sequence
from pathlib import Path

from reconcile.errors import ReconcileError
from reconcile.pipeline.source import open_stored
from reconcile.report.brief import Brief, brief, unreadable
from reconcile.sources.recognise import models_below

COLLECT_EVERY = 200
"""Models after which unused memory is looked for, which the command itself does not."""


def models_named(names: Sequence[str]) -> tuple[str, ...]:
    """Each file, and each model below a directory; a directory without any stands for itself, so that it is told."""
    found: list[str] = []
    for name in names:
        below = list(models_below(Path(name))) if name != "-" and Path(name).is_dir() else []
        inside = len(below) == 1 and Path(below[0]).parent == Path(name)
        found += [name] if inside or not below else below
    return tuple(found)


def read_each(names: Sequence[str], *, meant: str | None = None) -> Iterator[tuple[Brief, ...]]:
    """What came of each source, in order: of every model in it, or that it cannot be read, which stops no other."""
    for place, name in enumerate(names, 1):
        yield _read(name, meant)
        if place % COLLECT_EVERY == 0:
            gc.collect()


def _read(name: str, meant: str | None) -> tuple[Brief, ...]:
    try:
        found = open_stored(name, meant=meant)
    except ReconcileError as error:
        return (unreadable(name, str(error).removeprefix(f"{name}: ")),)
    except (OSError, MemoryError, RecursionError) as error:
        return (unreadable(name, f"{error}" or "not enough memory"),)
    names = [f"{name}, model {place}" if len(found) > 1 else name for place in range(1, len(found) + 1)]
    return tuple(brief(name, one.subject, one.ledger, one.findings) for name, one in zip(names, found, strict=True))
