"""What several test modules share: specs as text, running the command, and reading the table back."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parent.parent

TINY = {
    "token_num": 100,
    "head_num": 4,
    "transformer_num": 2,
    "embed_dim": 64,
    "feed_forward_dim": 128,
    "seq_len": 32,
    "pos_num": 32,
}
"""The arguments of models/tiny.toml. V = 100, P = 32, T = 2, H = 64, A = 4, F = 128, L = 2."""


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def spec_text(arguments: Mapping[str, Any], **keys: Any) -> str:
    """A spec file with these arguments, and these keys before them."""
    lines = [f"{key} = {toml(value)}" for key, value in keys.items()]
    lines += ["[arguments]", *(f"{key} = {toml(value)}" for key, value in arguments.items())]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Ran:
    """What a run of the command printed, and its exit status."""

    status: int
    out: str
    err: str


@cache
def schema() -> Any:
    """The published schema of the JSON output, made strict: a key that it does not know is an error here."""
    from jsonschema import Draft202012Validator

    published = json.loads((ROOT / "docs" / "schema" / "reconcile.schema.json").read_text("utf-8"))
    return Draft202012Validator(_strict(published))


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(one) for one in node]
    if not isinstance(node, dict):
        return node
    strict = {key: _strict(value) for key, value in node.items()}
    return strict | {"additionalProperties": False} if "properties" in node and "required" in node else strict


def against_schema(arguments: tuple[object, ...], ran: Ran) -> Ran:
    """What was run; where it printed JSON, that is what the schema says."""
    asked = [str(argument) for argument in arguments]
    if "json" in asked and asked[asked.index("json") - 1] == "--format" and ran.status < 2 and ran.out:
        printed = json.loads(ran.out)
        if not schema().is_valid(printed):
            kinds = [one for one in schema().schema["oneOf"] if _is(one["$ref"], printed)]
            assert kinds, f"docs/schema has no {printed['command']}"
            raise AssertionError(
                next(schema().evolve(schema={**schema().schema, "oneOf": kinds[:1]}).iter_errors(printed))
            )
    return ran


def _is(reference: str, printed: dict[str, Any]) -> bool:
    """Whether a definition is the one for what a command printed."""
    kind = schema().schema["$defs"][reference.rpartition("/")[2]]["properties"]
    command = kind["command"]
    return printed["command"] in command.get("enum", [command.get("const")]) and ("reports" in printed) == (
        "reports" in kind
    )


def run(*arguments: object) -> Ran:
    """Run `reconcile` with these arguments in this process."""
    from reconcile.cli.main import main

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = int(end.code or 0)
    out.seek(0)
    err.seek(0)
    return against_schema(arguments, Ran(status, out.read(), err.read()))


def command(*arguments: object, cwd: Path = ROOT, **variables: str) -> Ran:
    """Run `reconcile` in a process of its own, with these variables in its environment."""
    done = subprocess.run(
        [sys.executable, "-m", "reconcile", *map(str, arguments)],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | variables,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    return against_schema(arguments, Ran(done.returncode, done.stdout, done.stderr))


def on_a_terminal(*arguments: str, width: int, **variables: str) -> str:
    """What the command prints on a terminal so many columns wide, both its streams."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    with subprocess.Popen(
        [sys.executable, "-m", "reconcile", *arguments], cwd=ROOT, env=environment | variables,
        stdin=theirs, stdout=theirs, stderr=theirs,
    ):  # fmt: skip
        os.close(theirs)
        printed = b""
        try:
            while data := os.read(ours, 65536):
                printed += data
        except OSError:  # the other side is closed: the end, on Linux
            pass
    os.close(ours)
    return printed.decode().replace("\r\n", "\n")


def integer(text: str) -> int:
    """A count as it is printed, thousands separators and a true minus sign included."""
    return int(text.replace(",", "").replace("−", "-"))


def banks(text: str) -> list[tuple[list[str], list[list[str]]]]:
    """Every bank of the first table in a printed text: the names of its columns, and its rows cell by cell.

    The line of dashes under the names says where each column begins and ends. The rows of a block have its name again,
    what stands below a row is in its empty cells, and bars are left out.
    """
    lines = text.splitlines()
    found = []
    for place, line in enumerate(lines):
        if not re.fullmatch(r"-{3,}( +-+)+", line):
            continue
        spans = [match.span() for match in re.finditer("-+", line)]
        edges = [*(start for start, _ in spans), None]
        heads = [lines[place - 1][edges[i] : edges[i + 1]].strip() for i in range(len(spans))]
        rows: list[list[str]] = []
        block, above = "", ""
        for row, after in zip(lines[place + 1 :], [*lines[place + 2 :], ""], strict=True):
            if not row.strip():
                break
            if after.strip() and not after[: spans[0][1]].strip():
                above = row
                continue
            if above:
                row, above = above.ljust(spans[0][1])[: spans[0][1]] + row[spans[0][1] :], above.strip()
            if row.startswith("    "):
                rows[-1] = _with_below(heads, rows[-1], row.strip())
                continue
            cells = [re.sub(" %.*", " %", row[edges[i] : edges[i + 1]].strip()) for i in range(len(spans))]
            if row.endswith("]") and len(row.split()) == 1:
                block = row + "."
            elif row.startswith("  "):
                rows.append([block + (above or cells[0]), *cells[1:]])
            else:
                rows.append([above or cells[0], *cells[1:]])
            above = ""
        found.append((heads, rows))
    return found


def _with_below(heads: list[str], row: list[str], text: str) -> list[str]:
    """A row with what stands below it: its formula, or the verdict that has no column."""
    place = heads.index("formula")
    return [*row, text] if row[place] else [*row[:place], text, *row[place + 1 :]]


def printed_rows(text: str) -> list[dict[str, str]]:
    """The printed table's rows by column, put together from all its banks; without a verdict a row agrees."""
    merged: list[dict[str, str]] = []
    for heads, rows in banks(text):
        merged = merged or [{} for _ in rows]
        assert len(rows) == len(merged), "every bank has every row"
        names = heads if "verdict" in heads or "share" not in heads else [*heads, "verdict"]
        for row, cells in zip(merged, rows, strict=True):
            row |= {name: "" if cells[0] in ("total", "read") else "agrees" for name in names if name == "verdict"}
            row |= dict(zip(names, cells, strict=False))
    return merged


def written_by(name: str) -> ModuleType:
    """A script of `reports/`, which import one another as scripts of one folder do."""
    sys.path.insert(0, str(ROOT / "reports"))
    try:
        return import_module(name)
    finally:
        sys.path.pop(0)
