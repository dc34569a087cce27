"""What the print scripts share: the small dimensions, and a list of a model's tensors as a file.

A list stands as `<implementation>.<model>.tsv`: lines that begin with `# ` say how it was made, then one line for each
name: name, shape as 24x40 (`scalar` for none), dtype, trainable (1, 0, or ? where the library does not say), role
(parameter or buffer), and the first name of the same storage where this is a further one. Standard library only.
"""

import sys
from pathlib import Path

# No two sizes, and no two that stand next to each other in a shape, are alike: what is mixed up shows.
V, P, T, H, A, F, L = 97, 31, 3, 24, 4, 40, 2
K = 2
"""Heads of keys and values where several query heads share one (LLaMA)."""

E = 10
"""The width of embeddings that are projected to H afterwards (ALBERT, ELECTRA)."""


def words(settings):
    """A configuration in words."""
    return ", ".join(f"{key}={value}" for key, value in settings.items())


def write(implementation, model, rows, made, total):
    """Write a list into the directory that the command line names, after checking its rows against the library's total.

    `rows` are (name, shape, dtype, trainable, role, storage) with any hashable storage; `made` says how in words.
    """
    first, lines, counted = {}, [], 0
    for name, shape, dtype, trainable, role, storage in rows:
        same = first.setdefault(storage, name)
        size = 1
        for axis in shape:
            size *= axis
        counted += size if same == name and role == "parameter" else 0
        shown = "x".join(map(str, shape)) or "scalar"
        free = "?" if trainable is None else str(int(trainable))
        lines.append("\t".join([name, shown, dtype, free, role, "" if same == name else same]))
    if counted != total:
        raise SystemExit(f"{implementation} {model}: the rows make {counted}, the library says {total}")
    head = [f"# {model}", *(f"# {key}: {value}" for key, value in made.items()), f"# total: {total}"]
    file = Path(sys.argv[1]) / f"{implementation}.{model}.tsv"
    file.write_text("\n".join([*head, *lines]) + "\n")
    print(f"{file.name}: {len(lines)} names, {total:,}")
