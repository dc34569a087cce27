"""`python -m benchmarks [NAME ...]`: measure all, or those of the names given, and print the table."""

import sys

from tabulate import tabulate

from benchmarks import checking, checkpoints, explaining, growth, judging, memory, plugin, reading, releases, rows
from benchmarks.rows import Row

HEADS = ("what", "ours", "other way", "", "ratio", "target", "reached")


def main() -> None:
    """Measure one after another, each told on standard error when it begins."""
    wanted = sys.argv[1:]
    known = {
        measurement.__name__: measurement
        for measurement in (
            *rows.MEASUREMENTS,
            *reading.MEASUREMENTS,
            *checkpoints.MEASUREMENTS,
            *growth.MEASUREMENTS,
            *judging.MEASUREMENTS,
            *explaining.MEASUREMENTS,
            *checking.MEASUREMENTS,
            *plugin.MEASUREMENTS,
            *memory.MEASUREMENTS,
            *releases.MEASUREMENTS,
        )
    }
    if unknown := set(wanted) - set(known):
        sys.exit(f"no measurement is called {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    found: list[Row] = []
    for name in wanted or known:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        found += known[name]()
    print(
        tabulate(
            map(cells, found), HEADS, disable_numparse=True, colalign=("left", *["right"] * 2, "left", *["right"] * 2)
        )
    )


def cells(row: Row) -> list[str]:
    """A row as it is printed; where there is no other way the target is in the row's own unit."""
    digits = 2 if row.unit == "%" else 1
    other = "" if row.other is None else f"{row.other:,.{digits}f}"
    ratio = "" if row.other is None else f"{row.compared:.2f}"
    target = f"{row.target:,g}" + (f" {row.unit}" if row.other is None else "")
    return [
        row.name,
        f"{row.ours:,.{digits}f}",
        other,
        row.unit,
        ratio,
        target,
        "yes" if row.compared <= row.target else "NO",
    ]


if __name__ == "__main__":
    main()
