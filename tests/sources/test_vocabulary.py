"""Vocabulary files, and what a number of entries says of the rows of a token embedding."""

import json

import pytest

from reconcile.comparison.stated import compare_vocabulary, padded_to
from reconcile.errors import InputError
from reconcile.sources.vocabulary import read_vocabulary


def written(tmp_path, text, name="vocab.txt"):
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("text", "entries", "cased", "duplicates", "unused", "blank"),
    [
        ("[PAD]\n[unused0]\n[unused1]\nthe\n##ing\n", 5, False, (), 2, 0),
        ("[PAD]\nThe\nthe", 3, True, (), 0, 0),
        ("[PAD]\r\nthe\r\nthe\r\n", 3, False, ("the",), 0, 0),
        ("[PAD]\nthe\n\n\n", 2, False, (), 0, 2),
        ("[PAD]\n的\n一\n", 3, None, (), 0, 0),
        ("\ufeff[PAD]\nthe\n", 2, False, (), 0, 0),
        ("<pad>\t0\n\u2581the\t-3.2\n\u2581The\t-4\n", 3, True, (), 0, 0),
    ],
)
def test_a_text_has_one_entry_to_a_line(tmp_path, text, entries, cased, duplicates, unused, blank):
    found = read_vocabulary(written(tmp_path, text))
    assert (found.entries, found.cased, found.duplicates) == (entries, cased, duplicates)
    assert (found.unused, found.blank) == (unused, blank)


@pytest.mark.parametrize(
    ("table", "entries", "added"),
    [
        ({"the": 0, "a": 1}, 2, 0),
        ({"the": 0, "a": 9}, 10, 0),
        ({"model": {"vocab": {"the": 0, "a": 1}}, "added_tokens": [{"id": 0, "content": "the"}]}, 2, 0),
        ({"model": {"vocab": {"the": 0, "a": 1}}, "added_tokens": [{"id": 2, "content": "[NEW]"}]}, 3, 1),
        ({"model": {"vocab": [["the", -1.5], ["a", -2.0]]}}, 2, 0),
    ],
)
def test_json_has_entries_with_their_numbers(tmp_path, table, entries, added):
    found = read_vocabulary(written(tmp_path, json.dumps(table), "tokenizer.json"))
    assert (found.entries, found.added) == (entries, added)


@pytest.mark.parametrize(
    ("text", "got"),
    [
        (b"\xff\xfe\x00", "bytes that are not UTF-8"),
        ("\n\n", "no entry"),
        ("{", "JSON that cannot be read"),
        ('{"a": "b"}', "(a table)"),
        ('{"model": {"vocab": 3}}', "3 (a whole number)"),
        ('{"a": 9999999999}', "an entry numbered 9,999,999,999"),
        ("[" * 100_000 + "{", None),
    ],
)
def test_what_is_no_vocabulary_is_refused_or_read_as_lines(tmp_path, text, got):
    path = written(tmp_path, text)
    if got is None:
        assert read_vocabulary(path).entries == 1
        return
    with pytest.raises(InputError, match=r"vocab\.txt") as error:
        read_vocabulary(path)
    assert got in str(error.value)


@pytest.mark.parametrize(
    ("entries", "size", "kind", "severity", "says"),
    [
        (30_522, 30_522, "vocabulary-agrees", "note", "as many as the token embedding has rows"),
        (30_522, 30_528, "vocabulary-padded", "note", "multiple of 64: 6 rows stand for no word"),
        (50_265, 50_304, "vocabulary-padded", "note", "multiple of 128"),
        (30_522, 30_525, "vocabulary-differs", "warning", "3 rows have no entry"),
        (28_996, 30_522, "vocabulary-differs", "warning", "as in BERT base, uncased"),
        (30_524, 30_522, "vocabulary-differs", "error", "2 entries have no row"),
        (21_128, None, "vocabulary-alone", "note", "21,128 entries (BERT base, Chinese"),
    ],
)
def test_entries_are_held_against_rows(tmp_path, entries, size, kind, severity, says):
    path = written(tmp_path, "".join(f"word{place}\n" for place in range(entries)))
    (finding,) = compare_vocabulary(read_vocabulary(path), size)
    assert (finding.kind, finding.severity) == (kind, severity)
    assert says in finding.explanation


def test_duplicates_are_a_finding_of_their_own(tmp_path):
    vocabulary = read_vocabulary(written(tmp_path, "the\na\nthe\n"))
    agrees, duplicates = compare_vocabulary(vocabulary, 3)
    assert (agrees.kind, duplicates.kind, duplicates.actual) == ("vocabulary-agrees", "vocabulary-duplicates", 1)
    assert "'the'" in duplicates.explanation


@pytest.mark.parametrize(
    ("entries", "size", "multiple"),
    [(30_522, 30_528, 64), (30_522, 30_592, 128), (5, 4, None), (8, 8, None), (9, 17, None)],
)
def test_padding_is_the_next_multiple(entries, size, multiple):
    assert padded_to(entries, size) == multiple
