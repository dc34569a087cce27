"""Pickles read as data: plain values come out as they went in, by every protocol; the rest comes out as records."""

import io
import pickle
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.errors import InputError
from reconcile.sources.checkpoints.pickle_machine import read_pickle
from reconcile.sources.checkpoints.pickled import DICTS, Call, Global, called, entries

PLAIN = (
    st.none() | st.booleans() | st.integers(-(2**900), 2**900) | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
)  # fmt: skip
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text("abc\n\\é"), inner),
    max_leaves=20,
)


def loaded(data: bytes) -> Any:
    return read_pickle(io.BytesIO(data), Path("x"), "object").value


def plain(value: Any) -> Any:
    """Records of dictionaries as dictionaries."""
    if isinstance(value, Call):
        assert called(value) in DICTS
        return {key: plain(inner) for key, inner in entries(value).items()}
    return type(value)(map(plain, value)) if isinstance(value, list | tuple) else value


@given(VALUES, st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_plain_values(value: Any, protocol: int) -> None:
    assert plain(loaded(pickle.dumps(value, protocol))) == value


@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    with suppress(InputError):
        loaded(data)


class Thing:
    def __init__(self) -> None:
        self.inner = [1, 2]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_objects(protocol: int) -> None:
    value = loaded(pickle.dumps(Thing(), protocol))
    assert isinstance(value, Call)
    assert entries(value)["inner"] == [1, 2]
    data = pickle.dumps(Thing(), protocol)
    assert f"{__name__}.Thing" in read_pickle(io.BytesIO(data), Path("x"), "object").names


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_ordered_dictionaries(protocol: int) -> None:
    value = loaded(pickle.dumps(OrderedDict([("b", 1), ("a", 2)]), protocol))
    assert list(entries(value).items()) == [("b", 1), ("a", 2)]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_names(protocol: int) -> None:
    value = loaded(pickle.dumps(io.BytesIO, protocol))
    assert value == Global("_io.BytesIO")


def test_several_behind_each_other() -> None:
    stream = io.BytesIO(pickle.dumps(1) + pickle.dumps("two") + b"rest")
    assert [read_pickle(stream, Path("x"), "object").value for _ in range(2)] == [1, "two"]
    assert stream.read() == b"rest"
