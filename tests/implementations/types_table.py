"""State dicts of many types of models in one file: `<lane>.types`, read and written. Standard library only.

A line `= TYPE CLASS tied|untied|base TOTAL` begins a model; then one line for each array: name, shape, and `buffer` or
the name whose array it is. `{0-1}` in a name stands for the blocks of these numbers, which are alike.
"""

import re
from pathlib import Path

_NUMBER = re.compile(r"(?<=\.)\d+(?=\.)")
_RANGE = re.compile(r"\{(\d+)-(\d+)\}")


def write(file, head, models):
    """Write models, each as (type, class, how it is tied, total, rows); a row is (name, shape, what else it is)."""
    lines = [f"# {line}" for line in head]
    for kind, name, ties, total, rows in models:
        lines.append(f"= {kind} {name} {ties} {total}")
        lines += ["\t".join(row).rstrip("\t") for row in _folded(rows)]
    Path(file).write_text("\n".join(lines) + "\n")


def read(file):
    """The models of a file, as they were written."""
    found = []
    for line in Path(file).read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            kind, name, ties, total = line.split()[1:]
            found.append((kind, name, ties, int(total), []))
        elif not line.startswith("#"):
            name, shape, *rest = line.split("\t")
            numbers = _RANGE.search(name)
            every = range(int(numbers[1]), int(numbers[2]) + 1) if numbers else (None,)
            axes = () if shape == "scalar" else tuple(map(int, shape.split("x")))
            for number in every:
                plain = name if numbers is None else _RANGE.sub(str(number), name)
                found[-1][4].append((plain, axes, rest[0] if rest else ""))
    return found


def _folded(rows):
    groups = {}
    for name, shape, rest in rows:
        shown = "x".join(map(str, shape)) or "scalar"
        number = _NUMBER.search(name)
        key = (_NUMBER.sub("{}", name, count=1) if number else name, shown, rest)
        groups.setdefault(key, []).append(int(number[0]) if number else None)
    for (name, shown, rest), numbers in groups.items():
        if numbers == list(range(numbers[0] or 0, (numbers[0] or 0) + len(numbers))) and len(numbers) > 1:
            yield name.replace("{}", f"{{{numbers[0]}-{numbers[-1]}}}"), shown, rest
        else:
            yield from (
                (name if number is None else name.replace("{}", str(number)), shown, rest) for number in numbers
            )
