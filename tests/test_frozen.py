"""A frozen dataclass of this project is the standard library's in all but the time that making it takes."""

import copy
import dataclasses
import inspect
import pickle
import re
from dataclasses import FrozenInstanceError, field, replace
from pathlib import Path

import pytest

from reconcile.frozen import dataclass

PACKAGE = Path(__file__).parent.parent / "reconcile"


def of(decorator):
    """One declaration of every kind of field and its subclass, made by a decorator."""

    @decorator(frozen=True, slots=True)
    class Part:
        """A part."""

        name: str
        sizes: dict[str, int] = field(default_factory=dict)
        note: str = field(default="", compare=False)
        long: int = field(default=0, repr=False)
        total: int = field(init=False)

        def __post_init__(self):
            object.__setattr__(self, "total", sum(self.sizes.values()))

    @decorator(frozen=True, slots=True, kw_only=True)
    class Row(Part):
        """A part with a row."""

        row: int
        of: str = "x"

    return Part, Row


OURS, THEIRS = of(dataclass), of(dataclasses.dataclass)


@pytest.mark.parametrize(("ours", "theirs"), list(zip(OURS, THEIRS, strict=True)), ids=("part", "row"))
def test_declared_alike(ours, theirs):
    """The same parameters, fields, slots and order of matching."""
    signatures = [inspect.signature(kind, eval_str=False).parameters.values() for kind in (ours, theirs)]
    kinds = [[(one.name, one.kind) for one in parameters] for parameters in signatures]
    assert kinds[0] == kinds[1]
    assert [one.name for one in dataclasses.fields(ours)] == [one.name for one in dataclasses.fields(theirs)]
    assert ours.__match_args__ == theirs.__match_args__
    assert ours.__slots__ == theirs.__slots__


@pytest.mark.parametrize(("part", "row"), [OURS, THEIRS], ids=("ours", "theirs"))
def test_values_behave_alike(part, row):
    """Shown, compared, hashed, replaced, copied, pickled and refused as the standard library's."""
    one = row("a", {"H": 768}, row=3)
    assert repr(one) == f"{row.__qualname__}(name='a', sizes={{'H': 768}}, note='', total=768, row=3, of='x')"
    assert one == row("a", {"H": 768}, note="said otherwise", row=3)
    assert one != row("a", {"H": 768}, row=4)
    assert one != part("a", {"H": 768})
    assert part("a") != ("a", {}, 0, 0)
    assert one.sizes is not row("a", row=3).sizes
    assert part("a").sizes is not part("a").sizes
    assert replace(one, sizes={"H": 2, "L": 3}).total == 5
    for same in (copy.copy(one), copy.deepcopy(one)):
        assert same == one
        assert same.total == 768
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'name'"):
        one.name = "b"
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'name'"):
        del one.name
    with pytest.raises(TypeError):
        row("a", {}, "", 0, 3)
    with pytest.raises(TypeError):
        row("a")


@dataclass(frozen=True, slots=True)
class Size:
    """A size, which is what it says when shown."""

    letter: str
    value: int

    def __repr__(self):
        return f"{self.letter} = {self.value}"


@dataclass(frozen=True, slots=True)
class Nothing:
    """No fields."""


def test_values_are_keys():
    """Equal values are one key; a value without fields is equal to any of its kind."""
    assert {Size("H", 768): 1}[Size("H", 768)] == 1
    assert len({Size("H", 768), Size("H", 768), Size("L", 768), Nothing(), Nothing()}) == 3
    assert pickle.loads(pickle.dumps(Size("H", 768))) == Size("H", 768)


def test_own_methods_are_kept():
    """What a class defines itself is not replaced."""
    assert repr(Size("H", 768)) == "H = 768"


def test_frozen_classes_are_made_here():
    """The standard library's decorator is left to classes that change, and to the worker, which stands alone."""
    frozen = re.compile(r"^ *@dataclass\(frozen=True", re.M)
    theirs = re.compile(r"^from dataclasses import .*\bdataclass\b", re.M)
    files = [file for file in PACKAGE.rglob("*.py") if "worker" not in file.parts and file.name != "frozen.py"]
    texts = {file.name: file.read_text(encoding="utf-8") for file in files}
    assert [name for name, text in texts.items() if theirs.search(text) and frozen.search(text)] == []
