"""The published schema of the JSON output; `support.run` holds all JSON that any test prints against it."""

import copy
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support import ROOT, Ran, against_schema, run, schema

from reconcile.releases.matrix import AXES

PUBLISHED = json.loads((ROOT / "docs" / "schema" / "reconcile.schema.json").read_text("utf-8"))
SUMMARY = ROOT / "docs" / "examples" / "bert-base-summary.txt"
NOTES = ROOT / "docs" / "examples" / "bert-notes.md"
LISTING = ROOT / "tests" / "data" / "listings" / "named.txt"
COMMANDS = [
    ("read", SUMMARY),
    ("read", LISTING),
    ("report", SUMMARY, LISTING),
    ("explain", "2,362,368"),
    ("explain", "2,362,368", "110M", "12345"),
    ("explain", "10,884,513,792 FLOPs"),
    ("explain", "10,884,513,792 FLOPs", "78,922,121,216 FLOPs"),
    ("cost", "BERT base, uncased", "--compare", "--curve", "--active-ffn", "0.5"),
    ("cost", "GPT-2 small", "--training"),
    ("check", NOTES),
    ("check", NOTES, NOTES),
    ("diff", SUMMARY, LISTING),
    ("cost", SUMMARY),
    ("cost", SUMMARY, "--training", "--compare", "--curve"),
    ("explain", "11,173,625,856", "--unit", "flops"),
]


def printed(*arguments: object) -> dict[str, Any]:
    data = json.loads(run(*arguments, "--format", "json").out)
    assert isinstance(data, dict)
    return data


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(PUBLISHED)


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: " ".join(str(one)[-20:] for one in arguments))
def test_what_a_command_prints_is_what_it_says(arguments: tuple[object, ...]) -> None:
    assert Draft202012Validator(PUBLISHED).is_valid(printed(*arguments))


def changed(data: dict[str, Any], place: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The same with another value in one place; None takes the place away."""
    data = copy.deepcopy(data)
    at = data
    for key in place[:-1]:
        at = at[key]
    if value is None:
        del at[place[-1]]
    else:
        at[place[-1]] = value
    return data


WRONG = [
    (("total",), 1.5),
    (("total",), "109705010"),
    (("total",), None),
    (("components", 0, "actual"), 2.5),
    (("components", 0, "path"), None),
    (("findings", 0, "severity"), "grave"),
    (("command",), "guess"),
]


@pytest.mark.parametrize(("place", "value"), WRONG)
def test_what_is_no_output_is_refused(place: tuple[Any, ...], value: Any) -> None:
    assert not Draft202012Validator(PUBLISHED).is_valid(changed(printed("read", SUMMARY), place, value))


def test_a_key_may_be_added_for_others_and_not_in_these_tests() -> None:
    more = changed(printed("read", SUMMARY), ("another",), 1)
    assert Draft202012Validator(PUBLISHED).is_valid(more)
    assert not schema().is_valid(more)
    with pytest.raises(AssertionError, match="another"):
        against_schema(("read", "--format", "json"), Ran(0, json.dumps(more), ""))


RELEASES = [json.loads(line) for line in (ROOT / "tests" / "data" / "releases.jsonl").read_text("utf-8").splitlines()]
"""What `reconcile releases` and `--which 84326 --model tiny` printed, built with every release."""


def test_what_releases_printed_is_what_it_says() -> None:
    for printed_once in RELEASES:
        assert schema().is_valid(printed_once), [error.message for error in schema().iter_errors(printed_once)]
    assert {change["axis"] for state in RELEASES[0]["states"] for change in state["changes"]} == set(AXES)
    assert RELEASES[1]["answers"]


WRONG_RELEASES = [
    (("states", 0, "changes"), None),
    (("states", 1, "changes", 0, "axis"), "weights"),
    (("states", 0, "releases"), []),
    (("states", 0, "models", "guessing"), {}),
    (("states", 0, "models", "training", "total"), "65,254"),
    (("since", "weights"), "0.16.0"),
    (("subject", "versions", "python"), 3.11),
    (("against",), 1),
    (("command",), "read"),
]


@pytest.mark.parametrize(("place", "value"), WRONG_RELEASES)
def test_what_releases_never_prints_is_refused(place: tuple[Any, ...], value: Any) -> None:
    assert not Draft202012Validator(PUBLISHED).is_valid(changed(RELEASES[0], place, value))
