"""`.keras` archives: a zip of a model's configuration and its weights as HDF5, read where they stand."""

import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO

from reconcile.errors import InputError
from reconcile.inventory import Inventory
from reconcile.sources.checkpoints.bounded import HeaderFile, json_object
from reconcile.sources.checkpoints.hdf5 import inventory
from reconcile.sources.checkpoints.hdf5_tree import Tree, read_tree
from reconcile.sources.checkpoints.keras_config import read_model
from reconcile.sources.checkpoints.zips import Archive, archive_in

CONFIG, METADATA, WEIGHTS = "config.json", "metadata.json", "model.weights.h5"
LARGEST_TEXT = 64 * 2**20
LARGEST_SPOOL, SMALLEST_BOMB, MOST_EXPANSION = 8 * 2**30, 64 * 2**20, 20
"""Bytes of weights that are unpacked at most, and how much larger than packed they may be once they are large: weights
hardly shrink, and Keras itself does not pack them."""
_HEAD, _BLOCK = 30, 2**20


def read(path: Path) -> Inventory:
    """The inventory of a `.keras` archive. Raises InputError, naming the file and its member, for anything else."""
    with HeaderFile(path, 4 * LARGEST_TEXT) as file, archive_in(file) as archive:
        for name in (CONFIG, WEIGHTS):
            if name not in archive.entries:
                raise InputError(path, name, "no member of this name", "an archive that Keras saved with model.save")
        model = read_model(archive.whole(CONFIG, LARGEST_TEXT), path, CONFIG)
        found = inventory(_tree(archive), model, "Keras archive", file.size)
        return replace(found, kind="Keras archive", versions=_versions(archive))


def _versions(archive: Archive) -> dict[str, str]:
    if METADATA not in archive.entries:
        return {}
    stated = json_object(archive.whole(METADATA, LARGEST_TEXT), archive.file.path, METADATA).get("keras_version")
    return {"keras": stated[:40]} if isinstance(stated, str) else {}


def _tree(archive: Archive) -> Tree:
    """The tree of the weights: in the archive itself, or in a nameless file where they had to be unpacked."""
    file, member = archive.file, archive.entries[WEIGHTS]
    if member.compress_type == zipfile.ZIP_STORED and not member.flag_bits & 1:
        return read_tree(file.path, file, _start(file, member, member.file_size), member.file_size)
    with _unpacked(file, member) as spool:
        return read_tree(file.path, spool, 0, member.file_size)


def _start(file: HeaderFile, member: zipfile.ZipInfo, length: int) -> int:
    """Where a member's bytes start: behind its own header, which is as long as its name and extra field say."""
    file.seek(member.header_offset)
    head = file.exactly(_HEAD, member.filename)
    if head[:4] != b"PK\x03\x04":
        raise InputError(file.path, member.filename, "no header where the archive says", "a whole archive")
    start = member.header_offset + _HEAD + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    if length > file.size - start:
        raise InputError(file.path, member.filename, f"{length:,} bytes", f"at most {max(0, file.size - start):,}")
    return start


@contextmanager
def _unpacked(file: HeaderFile, member: zipfile.ZipInfo) -> Iterator[IO[bytes]]:
    """The weights in a file of no name, which is gone afterwards; never more bytes than they state."""
    import zlib

    packed, name = member.compress_size, member.filename
    if member.compress_type != zipfile.ZIP_DEFLATED or member.flag_bits & 1:
        raise InputError(file.path, name, "another compression, or encryption", "stored or deflated weights")
    large = member.file_size > SMALLEST_BOMB and member.file_size > MOST_EXPANSION * packed
    if large or member.file_size > LARGEST_SPOOL:
        raise InputError(
            file.path, name, f"{member.file_size:,} bytes packed into {packed:,}", "weights as Keras saves"
        )
    file.seek(_start(file, member, packed))
    file.most += packed
    with tempfile.TemporaryFile(buffering=0) as spool:  # whoever reads on by its descriptor moves its place
        stream, left = zlib.decompressobj(-zlib.MAX_WBITS), packed
        try:
            while left and spool.tell() <= member.file_size:
                block = stream.unconsumed_tail or file.exactly(min(left, _BLOCK), name)
                left -= 0 if stream.unconsumed_tail else len(block)
                spool.write(stream.decompress(block, _BLOCK))
            while stream.unconsumed_tail and spool.tell() <= member.file_size:
                spool.write(stream.decompress(stream.unconsumed_tail, _BLOCK))
        except zlib.error as error:
            raise InputError(file.path, name, f"damaged bytes ({error})", "a whole archive") from None
        if spool.tell() != member.file_size:
            raise InputError(file.path, name, f"{spool.tell():,} bytes", f"{member.file_size:,}, as the archive says")
        spool.flush()
        yield spool
