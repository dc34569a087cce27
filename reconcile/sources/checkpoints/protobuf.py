"""Protocol buffers' wire format, as far as TensorFlow's messages need it: fields by number, nothing known of types."""

from collections.abc import Iterator

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


class WireError(ValueError):
    """Bytes that are no message; the text says what is wrong and at which byte."""


def varint(data: bytes, at: int) -> tuple[int, int]:
    """The number of variable length at a place, and the place behind it. Raises WireError beyond 64 bits."""
    value = shift = 0
    while True:
        if at >= len(data):
            raise WireError(f"a number without end at byte {at:,}")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            if value >> 64:
                raise WireError(f"a number of more than 64 bits at byte {at:,}")
            return value, at
        shift += 7
        if shift > 63:
            raise WireError(f"a number of more than 64 bits at byte {at:,}")


def fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Each field of a message in order: its number and its value, bytes where it is text, bytes or a message.

    Raises WireError where the message is cut, or uses a type that proto3 has not.
    """
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, kind = key >> 3, key & 7
        if not number:
            raise WireError(f"a field without a number at byte {at:,}")
        if kind == VARINT:
            value, at = varint(data, at)
            yield number, value
            continue
        if kind == BYTES:
            length, at = varint(data, at)
        elif kind in (FIXED64, FIXED32):
            length = 8 if kind == FIXED64 else 4
        else:
            raise WireError(f"a field of type {kind} at byte {at:,}")
        if length > len(data) - at:
            raise WireError(f"a field of {length:,} bytes at byte {at:,} of {len(data):,}")
        part = data[at : at + length]
        at += length
        yield number, part if kind == BYTES else int.from_bytes(part, "little")


def signed(value: int) -> int:
    """A number of 64 bits with its sign."""
    return value - (1 << 64) if value >> 63 else value


def text(value: int | bytes) -> str:
    """A field that should be text. Raises WireError where it is a number."""
    if isinstance(value, int):
        raise WireError(f"the number {value:,} where text should stand")
    return value.decode("utf-8", "backslashreplace")


def number(value: int | bytes) -> int:
    """A field that should be a number. Raises WireError where it is text."""
    if isinstance(value, bytes):
        raise WireError(f"{len(value):,} bytes where a number should stand")
    return signed(value)


def message(value: int | bytes) -> bytes:
    """A field that should be a message. Raises WireError where it is a number."""
    if isinstance(value, int):
        raise WireError(f"the number {value:,} where a message should stand")
    return value
