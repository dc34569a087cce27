"""A vocabulary file beside a model -> how many entries it has, and what they show: `vocab.txt`, JSON, SentencePiece."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from reconcile.datafile import read_bytes, shown
from reconcile.errors import InputError
from reconcile.frozen import dataclass

LARGEST = 64 * 2**20
"""Bytes of the largest vocabulary file; a tokenizer.json of 250,000 entries has about 17 MB."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A vocabulary: `entries` is the number of rows that its embedding needs, the largest number plus one.

    `cased` is None where no entry of two letters and more tells; `duplicates` are entries that occur again, `unused`
    those kept free (`[unused0]`), `blank` empty lines at the end, and `added` tokens put behind the file's own.
    """

    file: str
    entries: int
    cased: bool | None
    duplicates: tuple[str, ...] = ()
    unused: int = 0
    blank: int = 0
    added: int = 0


def read_vocabulary(path: Path) -> Vocabulary:
    """The vocabulary in a file: one entry to a line, `tokenizer.json`, `vocab.json`, or SentencePiece's `.vocab`.

    Raises InputError when the file cannot be read as one.
    """
    data = read_bytes(path, LARGEST)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            path, f"byte {error.start + 1:,}", "bytes that are not UTF-8", "a vocabulary as text"
        ) from None
    if text.lstrip()[:1] == "{":
        return _from_json(path, text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = lines[:-1] if lines[-1] == "" else lines
    if not any(line.strip() for line in lines):
        raise InputError(path, got="no entry", takes="a vocabulary, one entry to a line")
    entries = lines
    while entries and not entries[-1].strip():
        entries = entries[:-1]
    pieces = [line.partition("\t")[0] for line in entries] if _is_scored(entries) else entries
    return _vocabulary(path, pieces, len(pieces), blank=len(lines) - len(entries))


def _is_scored(lines: list[str]) -> bool:
    """Whether each entry stands before a tab and a number, as SentencePiece writes them."""
    return all(_is_number(line.partition("\t")[2]) for line in lines[:100])


def _is_number(text: str) -> bool:
    try:
        return (bool(text) and float(text) <= 0.0) or text == "0"
    except ValueError:
        return False


def _from_json(path: Path, text: str) -> Vocabulary:
    """`vocab.json` (entry -> number), or `tokenizer.json` with its model's vocabulary and what was added to it."""
    import json

    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(path, got="JSON that cannot be read", takes="a vocabulary") from None
    model = table.get("model") if isinstance(table, dict) else None
    vocabulary: Any = model.get("vocab") if isinstance(model, Mapping) else table
    if isinstance(vocabulary, list):  # SentencePiece's Unigram: pairs of entry and score
        vocabulary = {
            str(entry[0]): place for place, entry in enumerate(vocabulary) if isinstance(entry, list) and entry
        }
    if not isinstance(vocabulary, Mapping) or not vocabulary or not all(type(n) is int for n in vocabulary.values()):
        raise InputError(path, "model.vocab" if model else None, shown(vocabulary)[:200], "entries with their numbers")
    extra = table.get("added_tokens") if isinstance(model, Mapping) else None
    added = {
        entry["content"]: entry["id"]
        for entry in (extra if isinstance(extra, list) else ())
        if isinstance(entry, dict) and isinstance(entry.get("content"), str) and type(entry.get("id")) is int
    }
    behind = [number for name, number in added.items() if name not in vocabulary]
    largest = max(*vocabulary.values(), *behind, 0)
    if largest >= 2**31:
        raise InputError(path, "model.vocab", f"an entry numbered {largest:,}", "numbers below 2³¹")
    return _vocabulary(
        path, [*vocabulary, *(name for name in added if name not in vocabulary)], largest + 1, added=len(behind)
    )


def _vocabulary(path: Path, names: Iterable[str], entries: int, blank: int = 0, added: int = 0) -> Vocabulary:
    seen: set[str] = set()
    duplicates: dict[str, None] = {}
    upper = lower = unused = 0
    for name in names:
        if name in seen:
            duplicates[name] = None
        seen.add(name)
        unused += name.startswith(("[unused", "<unused"))
        word = name.lstrip("\u2581\u0120#")
        if len(word) > 1 and word.isalpha() and not name.startswith(("[", "<")):
            upper += any(map(str.isupper, word))
            lower += any(map(str.islower, word))
    cased = None if not (upper or lower) else upper * 100 > upper + lower
    return Vocabulary(str(path), entries, cased, tuple(duplicates), unused, blank, added)
