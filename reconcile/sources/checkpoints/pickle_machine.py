"""Reads a pickle's instructions without unpickling: nothing is imported and nothing is called, whatever they ask for.

Only the stack and the memory of a pickle are kept; what would be a name, a call or a reference is a record of it.
"""

import struct
from collections.abc import Callable
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from reconcile.errors import InputError
from reconcile.sources.checkpoints.pickled import DICT, Call, Global, Pickle, Stored

MOST_STEPS = 4_000_000
"""Instructions of the longest pickle that is read; a tensor takes about 60."""

LONGEST_TEXT = 16 * 2**20
"""Bytes of the longest text, and of other bytes, in a pickle."""

LONGEST_NUMBER = 128
"""Bytes of the largest number in a pickle."""

MOST_NAMES = 10_000
"""Different names in a pickle; a checkpoint asks for some ten."""

_TAKES = "a whole pickle"


_MARK = object()


class _Machine:
    """The stack that a pickle's instructions work on, and what it remembers by number."""

    def __init__(self, stream: BufferedIOBase, path: Path, place: str):
        self.stream, self.path, self.place = stream, path, place
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}
        self.names: dict[str, None] = {}
        self.stored: list[Stored] = []

    def run(self) -> Pickle:
        for _ in range(MOST_STEPS):
            code = self.take(1)[0]
            if code == _STOP:
                return Pickle(self.pop(), tuple(self.names), tuple(self.stored))
            step = _STEPS.get(code)
            if step is None:
                raise self.wrong(f"an instruction {code:#04x} that no pickle has")
            step(self)
        raise self.wrong(f"more than {MOST_STEPS:,} instructions")

    def wrong(self, got: str) -> InputError:
        return InputError(self.path, self.place, got, _TAKES)

    def take(self, count: int) -> bytes:
        if count > LONGEST_TEXT:
            raise self.wrong(f"a text of {count:,} bytes")
        data = self.stream.read(count)
        if len(data) != count:
            raise self.wrong("its end before the last instruction")
        return data

    def line(self, encoding: str = "utf-8") -> str:
        data = self.stream.readline(LONGEST_TEXT)
        if not data.endswith(b"\n"):
            raise self.wrong("its end before the last instruction")
        return _text(data[:-1].decode(encoding, "backslashreplace").encode("utf-8", "backslashreplace"))

    def unsigned(self, width: int) -> int:
        return int.from_bytes(self.take(width), "little")

    def push(self, value: object) -> None:
        self.stack.append(value)

    def pop(self, kind: type = object) -> Any:
        if not self.stack or self.stack[-1] is _MARK:
            raise self.wrong("an instruction that lacks its values")
        value = self.stack.pop()
        if not isinstance(value, kind):
            raise self.wrong("an instruction whose values do not fit it")
        return value

    def marked(self) -> list[Any]:
        """All values down to the last mark, which are taken off."""
        for place in range(len(self.stack) - 1, -1, -1):
            if self.stack[place] is _MARK:
                values = self.stack[place + 1 :]
                del self.stack[place:]
                return values
        raise self.wrong("an instruction that lacks its values")

    def remember(self, number: int) -> None:
        self.memo[number] = self.pop()
        self.stack.append(self.memo[number])

    def recall(self, number: int) -> None:
        if number not in self.memo:
            raise self.wrong(f"value number {number:,}, which is not there")
        self.stack.append(self.memo[number])

    def extend(self, values: list[Any]) -> None:
        target = self.pop()
        if isinstance(target, list):
            target.extend(values)
        elif isinstance(target, Call):
            target.items = target.items or []
            target.items.extend(values)
        else:
            raise self.wrong("an instruction whose values do not fit it")
        self.stack.append(target)

    def set_pairs(self, values: list[Any]) -> None:
        target = self.pop(Call)
        if len(values) % 2:
            raise self.wrong("a key without a value")
        target.pairs = target.pairs or []
        target.pairs.extend(zip(values[::2], values[1::2], strict=True))
        self.stack.append(target)

    def build(self) -> None:
        state, target = self.pop(), self.pop()
        if isinstance(target, Call):
            target.state = state
        self.stack.append(target)

    def call(self, args: object, what: object) -> None:
        self.stack.append(Call(what, args))

    def instance(self, values: list[Any]) -> None:
        if not values:
            raise self.wrong("an object without a class")
        self.call(tuple(values[1:]), values[0])

    def old_instance(self) -> None:
        self.named(self.line(), self.line())
        what = self.pop()
        self.call(tuple(self.marked()), what)

    def call_with_names(self) -> None:
        self.pop()
        self.call(self.pop(), self.pop())

    def tuple_of(self, count: int) -> None:
        values = [self.pop() for _ in range(count)]
        self.stack.append(tuple(reversed(values)))

    def pairs_of(self, values: list[Any]) -> None:
        self.stack.append(Call(DICT, ()))
        self.set_pairs(values)

    def drop(self) -> None:
        if not self.stack:
            raise self.wrong("an instruction that lacks its values")
        self.stack.pop()

    def drop_marked(self) -> None:
        self.marked()

    def skip(self, count: int) -> None:
        self.take(count)

    def named(self, module: str, name: str) -> None:
        self.names[f"{module}.{name}"] = None
        if len(self.names) > MOST_NAMES:
            raise self.wrong(f"more than {MOST_NAMES:,} different names")
        self.stack.append(Global(f"{module}.{name}"))

    def store(self, key: object) -> None:
        self.stored.append(Stored(key))
        self.stack.append(self.stored[-1])

    def number(self, text: str, kind: type[int] | type[float] = int) -> int | float | bool:
        if len(text) > 3 * LONGEST_NUMBER:  # a byte takes two to three digits
            raise self.wrong(f"a number of {len(text):,} digits")
        if text in ("00", "01"):
            return text == "01"
        try:
            return kind(text.removesuffix("L"))
        except ValueError:
            raise self.wrong("a number that is none") from None

    def long(self, count: int) -> int:
        if count > LONGEST_NUMBER:
            raise self.wrong(f"a number of {count:,} bytes")
        return int.from_bytes(self.take(count), "little", signed=True)

    def quoted(self, text: str) -> str:
        """The text of Python 2's notation for it; escapes stay as they are written."""
        if len(text) < 2 or text[0] != text[-1] or text[0] not in "\"'":
            raise self.wrong("a text without quotes")
        return text[1:-1]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def _bytes_as_text(data: bytes) -> str | bytes:
    """Python 2's texts are bytes; what is no ASCII stays so."""
    return data.decode("ascii") if data.isascii() else data


_Step = Callable[[_Machine], None]


def _reader(width: int, made: Callable[[bytes], Any]) -> _Step:
    return lambda machine: machine.push(made(machine.take(machine.unsigned(width))))


_STOP = ord(".")
_STEPS: dict[int, _Step] = {
    # protocol marks, frames, buffers kept outside
    0x80: lambda m: m.skip(1),
    0x95: lambda m: m.skip(8),
    0x97: lambda m: m.push(Stored("buffer")),
    0x98: lambda m: None,
    # constants and empty things
    ord("N"): lambda m: m.push(None),
    0x88: lambda m: m.push(True),
    0x89: lambda m: m.push(False),
    ord(")"): lambda m: m.push(()),
    ord("]"): lambda m: m.push([]),
    ord("}"): lambda m: m.push(Call(DICT, ())),
    0x8F: lambda m: m.push([]),
    # numbers
    ord("I"): lambda m: m.push(m.number(m.line())),
    ord("L"): lambda m: m.push(m.number(m.line())),
    ord("F"): lambda m: m.push(m.number(m.line(), float)),
    ord("J"): lambda m: m.push(m.long(4)),
    ord("K"): lambda m: m.push(m.unsigned(1)),
    ord("M"): lambda m: m.push(m.unsigned(2)),
    ord("G"): lambda m: m.push(struct.unpack(">d", m.take(8))[0]),
    0x8A: lambda m: m.push(m.long(m.unsigned(1))),
    0x8B: lambda m: m.push(m.long(m.unsigned(4))),
    # texts and bytes
    ord("S"): lambda m: m.push(m.quoted(m.line())),
    ord("V"): lambda m: m.push(m.line("raw-unicode-escape")),
    ord("U"): _reader(1, _bytes_as_text),
    ord("T"): _reader(4, _bytes_as_text),
    ord("X"): _reader(4, _text),
    0x8C: _reader(1, _text),
    0x8D: _reader(8, _text),
    ord("C"): _reader(1, bytes),
    ord("B"): _reader(4, bytes),
    0x8E: _reader(8, bytes),
    0x96: _reader(8, bytes),
    # the stack and the memory
    ord("("): lambda m: m.push(_MARK),
    ord("0"): _Machine.drop,
    ord("1"): _Machine.drop_marked,
    ord("2"): lambda m: m.stack.extend([m.pop()] * 2),
    ord("p"): lambda m: m.remember(int(m.number(m.line()))),
    ord("q"): lambda m: m.remember(m.unsigned(1)),
    ord("r"): lambda m: m.remember(m.unsigned(4)),
    0x94: lambda m: m.remember(len(m.memo)),
    ord("g"): lambda m: m.recall(int(m.number(m.line()))),
    ord("h"): lambda m: m.recall(m.unsigned(1)),
    ord("j"): lambda m: m.recall(m.unsigned(4)),
    # containers
    ord("t"): lambda m: m.push(tuple(m.marked())),
    0x85: lambda m: m.tuple_of(1),
    0x86: lambda m: m.tuple_of(2),
    0x87: lambda m: m.tuple_of(3),
    ord("l"): lambda m: m.push(m.marked()),
    ord("d"): lambda m: m.pairs_of(m.marked()),
    0x91: lambda m: m.push(m.marked()),
    ord("a"): lambda m: m.extend([m.pop()]),
    ord("e"): lambda m: m.extend(m.marked()),
    0x90: lambda m: m.extend(m.marked()),
    ord("s"): lambda m: m.set_pairs([m.pop(), m.pop()][::-1]),
    ord("u"): lambda m: m.set_pairs(m.marked()),
    # names, calls and what is stored elsewhere: all recorded, none followed
    ord("c"): lambda m: m.named(m.line(), m.line()),
    0x93: lambda m: m.named(*[m.pop(str), m.pop(str)][::-1]),
    0x82: lambda m: m.named("copyreg", f"extension {m.unsigned(1)}"),
    0x83: lambda m: m.named("copyreg", f"extension {m.unsigned(2)}"),
    0x84: lambda m: m.named("copyreg", f"extension {m.unsigned(4)}"),
    ord("R"): lambda m: m.call(m.pop(), m.pop()),
    0x81: lambda m: m.call(m.pop(), m.pop()),
    0x92: _Machine.call_with_names,
    ord("o"): lambda m: m.instance(m.marked()),
    ord("i"): _Machine.old_instance,
    ord("b"): _Machine.build,
    ord("P"): lambda m: m.store(m.line()),
    ord("Q"): lambda m: m.store(m.pop()),
}


def read_pickle(stream: BufferedIOBase, path: Path, place: str) -> Pickle:
    """The pickle that starts here, read as data; the stream is left behind its last byte.

    Raises InputError, naming `place` in the file, for one that is cut, damaged or larger than any checkpoint's.
    """
    return _Machine(stream, path, place).run()
