"""How tensors are named: rules from paths to components, and the one that fits, whatever precedes the name."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from reconcile.datafile import check_keys, take
from reconcile.errors import InputError
from reconcile.frozen import dataclass

BLOCK = "{block}"
HEAD, PIECE, ORDER = "head", "piece", "order"
PLACEHOLDERS = ("block", HEAD, PIECE, ORDER, "any")
LONGEST = 1_000
"""Characters of the longest path that is looked at; what frameworks make has a few hundred at most."""

_GROUP = re.compile(r"\{([^{}]*[,|][^{}]*)\}")
_PLACEHOLDER = re.compile(r"\{(_?)(\w+)\}")
_NUMBER = re.compile(r"\d+")
_BOUNDARY = re.compile(r"[.-]")


@dataclass(frozen=True, slots=True)
class TensorRule:
    """Paths of one form are the component `to`, or several in one tensor, in that order (`to` of more than one).

    `key` is the rule as it stands in its file and `place` where; `form` is the path with `.` between its parts and `#`
    for each number, and `numbers` what each number is: a placeholder's name, or the digits that have to stand there.
    `first` is the number of the first block. With `order`, the rank of the `{order}` number among its likes decides
    which of these names stands at `{order}` in `to`. If only `to` has a `{block}`, the likes of all blocks are counted
    on: each round of the order is a block, and what begins another round is `rest`.
    """

    key: str
    place: int
    form: str
    numbers: tuple[str, ...]
    to: tuple[str, ...]
    order: tuple[str, ...]
    first: int
    rest: tuple[str, ...] = ()

    @property
    def leaf(self) -> str:
        """The last part of the paths."""
        return self.form.rpartition(".")[2]

    def ranked(self, rank: int, count: int, block: int) -> tuple[str, ...]:
        """The components of the one with this rank among `count` likes, in a block; none beyond the order."""
        rounds, place = divmod(rank, len(self.order))
        if any(BLOCK in to for to in self.to) and BLOCK not in self.key:
            if rounds == count // len(self.order):
                return self.rest
            rounds, block = 0, rounds + 1
        ordered = (to.replace("{" + ORDER + "}", self.order[place]).replace(BLOCK, str(block)) for to in self.to)
        return () if rounds else tuple(ordered)

    def read(self, numbers: Sequence[str]) -> Mapping[str, int] | None:
        """What the placeholders stand for in a path with these numbers, a block counted from 1; None if it is another.

        `numbers` are those of the whole path; the rule's own are the last of them.
        """
        found = {"block": self.first}
        for wanted, number in zip(self.numbers, numbers[len(numbers) - len(self.numbers) :], strict=True):
            if wanted in PLACEHOLDERS:
                found[wanted] = int(number[:9])
            elif wanted != number:
                return None
        return found | {"block": found["block"] - self.first + 1}


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A path's rule, what its placeholders stand for, and what precedes the name that the rule knows."""

    rule: TensorRule
    values: Mapping[str, int]
    prefix: str

    @property
    def components(self) -> tuple[str, ...]:
        """The components of the rule in this block."""
        return tuple(to.replace(BLOCK, str(self.values["block"])) for to in self.rule.to)


class Names:
    """Rules of one dialect, ready to be looked up."""

    def __init__(self, rules: Iterable[TensorRule]):
        self._exact: dict[str, list[TensorRule]] = {}
        self._wild: list[tuple[re.Pattern[str], TensorRule]] = []
        for rule in rules:
            if "*" in rule.form:
                self._wild.append((re.compile(r"(?:.*[.-])??" + _captured(rule.form)), rule))
            else:
                self._exact.setdefault(rule.form, []).append(rule)
        self._known: dict[str, tuple[tuple[int, TensorRule], ...]] = {}

    def find(self, path: str) -> NameMatch | None:
        """The rule for a path and what its numbers are; the longest name goes first, then the dialect's order."""
        if len(path) > LONGEST:
            return None
        text = path.replace("/", ".")
        form = _NUMBER.sub("#", text)
        if form not in self._known:
            self._known[form] = tuple(self._fitting(form))
        if not self._known[form]:
            return None
        numbers = _NUMBER.findall(text)
        for length, rule in self._known[form]:
            if (values := rule.read(numbers)) is not None:
                return NameMatch(rule, values, _without(text, form[len(form) - length :], numbers))
        return None

    def _fitting(self, form: str) -> Iterator[tuple[int, TensorRule]]:
        for start in (0, *(found.end() for found in _BOUNDARY.finditer(form))):
            for rule in self._exact.get(form[start:], ()):
                yield len(form) - start, rule
        for pattern, rule in self._wild:
            if found := pattern.fullmatch(form):
                yield len(form) - found.start(1), rule


def read_rules(file: str, table: Mapping[str, Any], first: int) -> Iterator[TensorRule]:
    """The rules of a table `[tensors]`. Raises InputError for one that cannot be read, naming its key."""
    for place, (key, entry) in enumerate(table.items()):
        at = f"tensors.{key}"
        order: tuple[str, ...] = ()
        rest = ""
        if isinstance(entry, dict):
            check_keys(file, entry, ("to", "order", "rest"), ("to",), at)
            order = tuple(take(file, entry, "order", list, [], under=at))
            rest = take(file, entry, "rest", str, "", under=at)
            entry = entry["to"]
        if not isinstance(entry, str | list) or not all(isinstance(part, str) for part in entry):
            raise InputError(file, at, repr(entry), "a component, a list of them, or a table with `to`")
        unknown = [name for _, name in _PLACEHOLDER.findall(key) if name not in PLACEHOLDERS]
        if unknown:
            raise InputError(file, at, f"{{{unknown[0]}}}", f"one of {', '.join(PLACEHOLDERS)}")
        try:
            to = (entry,) if isinstance(entry, str) else tuple(entry)
            yield from tensor_rules(key, to, order, first, place, rest)
        except ValueError:
            raise InputError(file, at, repr(entry), "as many alternatives on both sides") from None


def tensor_rules(
    key: str, to: tuple[str, ...], order: tuple[str, ...], first: int, place: int = 0, rest: str = ""
) -> Iterator[TensorRule]:
    """The rules that one entry stands for: one for each alternative, and for each number that may be left out."""
    for path, *parts in alternatives(key, *to, *([rest] if rest else [])):
        for left_out in product(*((False, True) for mark, _ in _PLACEHOLDER.findall(path) if mark)):
            text = _with_counters(path, iter(left_out)).replace("/", ".")
            names = [name for _, name in _PLACEHOLDER.findall(text)]
            form = _PLACEHOLDER.sub("\0", text)
            numbers = tuple(_numbers(form, iter(names)))
            form = _NUMBER.sub("#", form).replace("\0", "#")
            ends = parts[len(to) :]
            yield TensorRule(key, place, form, numbers, tuple(parts[: len(to)]), order, first, tuple(ends))


def alternatives(left: str, *right: str) -> Iterator[tuple[str, ...]]:
    """All texts that braces stand for: `{a|b}` is either, `{a,b}` goes with what is at the same place on the right.

    Raises ValueError where the numbers of alternatives differ.
    """
    found = _GROUP.search(left)
    if found is None:
        yield (left, *right)
        return
    for place, spellings in enumerate(choices := found[1].split(",")):
        others = [_chosen(text, place, len(choices)) for text in right] if len(choices) > 1 else list(right)
        for spelling in spellings.split("|"):
            yield from alternatives(left[: found.start()] + spelling + left[found.end() :], *others)


def _chosen(text: str, place: int, choices: int) -> str:
    """The text with the first of its braces replaced by the alternative at a place."""
    found = _GROUP.search(text)
    if found is None:
        return text
    names = found[1].split(",")
    if len(names) != choices:
        raise ValueError(text)
    return text[: found.start()] + names[place] + text[found.end() :]


def _with_counters(path: str, left_out: Iterator[bool]) -> str:
    """The path with each `{_name}` as `_{name}`, or as nothing where Keras leaves the number of the first one out."""
    return _PLACEHOLDER.sub(
        lambda found: found[0] if not found[1] else "" if next(left_out) else f"_{{{found[2]}}}", path
    )


def _numbers(form: str, names: Iterator[str]) -> Iterator[str]:
    for found in re.finditer(r"\d+|\0", form):
        yield next(names) if found[0] == "\0" else found[0]


def _captured(form: str) -> str:
    """The form as a regular expression that keeps what it matches; `*` is anything within one part of the path."""
    return f"({'[^.]*'.join(re.escape(piece) for piece in form.split('*'))})"


def _without(text: str, tail: str, numbers: Sequence[str]) -> str:
    """What precedes a name in a path; `tail` is the name's form, `numbers` are the path's."""
    count = tail.count("#")
    digits = sum(len(number) for number in numbers[len(numbers) - count :])
    return text[: len(text) - len(tail) + count - digits]
