"""Snappy's block format: https://github.com/google/snappy/blob/main/format_description.txt"""

from reconcile.sources.checkpoints.protobuf import WireError, varint


def decompress(data: bytes, most: int) -> bytes:
    """The bytes that were compressed. Raises WireError where they are damaged or said to be more than `most`."""
    length, at = varint(data, 0)
    if length > most:
        raise WireError(f"a block of {length:,} bytes unpacked, where {most:,} are the most")
    out = bytearray()
    while at < len(data):
        at = _literal(data, at, out) if data[at] & 3 == 0 else _copy(data, at, out, length)
        if len(out) > length:
            raise WireError(f"a block of more than the {length:,} bytes that it states")
    if len(out) != length:
        raise WireError(f"a block of {len(out):,} bytes that states {length:,}")
    return bytes(out)


def _literal(data: bytes, at: int, out: bytearray) -> int:
    """Copy bytes that stand there as they are: fewer than 61, or as many as the next one to four bytes say."""
    size, at = data[at] >> 2, at + 1
    if size >= 60:
        width = size - 59
        size, at = int.from_bytes(data[at : at + width], "little"), at + width
    if size + 1 > len(data) - at:
        raise WireError(f"{size + 1:,} bytes at byte {at:,} of {len(data):,}")
    out += data[at : at + size + 1]
    return at + size + 1


def _copy(data: bytes, at: int, out: bytearray, length: int) -> int:
    """Repeat bytes from before, from so far back; what is repeated may be what is being written."""
    tag, width = data[at], (0, 1, 2, 4)[data[at] & 3]
    part = data[at + 1 : at + 1 + width]
    if len(part) != width:
        raise WireError(f"a copy that is cut at byte {at:,}")
    size, back = (tag >> 2) + 1, int.from_bytes(part, "little")
    if width == 1:
        size, back = (tag >> 2 & 7) + 4, (tag >> 5) << 8 | back
    if not 0 < back <= len(out) or len(out) + size > length:
        raise WireError(f"a copy of {size} bytes from {back:,} before at byte {at:,}")
    start = len(out) - back
    for place in range(start, start + size):
        out.append(out[place])
    return at + 1 + width
