"""What the bytes of a source's files are: parameters, what is stored beside them, and the container itself."""

from collections.abc import Iterator

from reconcile.finding.stored import Bytes, Taken
from reconcile.inventory import PARAMETER
from reconcile.mapping.ledger import Ledger


def compare_bytes(ledger: Ledger) -> Iterator[Bytes]:
    """The size of the files broken down to the last byte, where the source knows what each of its tensors takes."""
    inventory = ledger.inventory
    if inventory.size is None or not inventory.tensors or any(part.nbytes is None for part in inventory.tensors):
        return
    shares = _shares(ledger)
    container = inventory.size - sum(share.nbytes for share in shares)
    yield Bytes("files", size=inventory.size, shares=shares, container=container)


def _shares(ledger: Ledger) -> tuple[Taken, ...]:
    """The stored tensors by what they are and their type, parameters first."""
    apart = {item.name: item.what for item in ledger.excluded}
    sums: dict[tuple[str, str], tuple[int, int]] = {}
    for tensor in ledger.inventory.tensors:
        what = apart.get(tensor.path, tensor.role)
        values, nbytes = sums.get((what, tensor.dtype), (0, 0))
        sums[what, tensor.dtype] = values + tensor.size, nbytes + (tensor.nbytes or 0)
    shares = [Taken(what, dtype, *counts) for (what, dtype), counts in sums.items()]
    return tuple(sorted(shares, key=lambda share: (share.what != PARAMETER, -share.nbytes)))
