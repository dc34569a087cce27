"""The sentences for what is stored: a checkpoint's bytes, and what its reader noticed about the files."""

from collections.abc import Callable

from reconcile.explain.phrases import listed, number
from reconcile.finding import Finding

_PLURALS = {"parameter": "parameters", "buffer": "values of buffers", "optimizer": "values of the optimizer"}


def _bytes(finding: Finding) -> str:
    facts = finding.facts
    parts = []
    for share in facts["shares"]:
        each = share.nbytes // share.values if share.values and share.nbytes % share.values == 0 else None
        how = f" × {each} = {number(share.nbytes)}" if each else f" in {number(share.nbytes)} bytes"
        what = _PLURALS.get(share.what, f"values of what is no parameter ({share.what})")
        parts.append(f"{number(share.values)} {what} in {share.dtype}{how}")
    if facts["container"]:
        parts.append(f"{number(facts['container'])} of the container (names, shapes, headers, padding)")
    size = facts["size"]
    return f"The files have {number(size)} bytes ({_mega(size)}): {listed(parts)}."


def _mega(size: int) -> str:
    """Bytes in both of the units that people mix up, MB of 10⁶ and MiB of 2²⁰."""
    units = ((10**6, "MB"), (2**20, "MiB"))
    return " or ".join(f"{_hundredths(size, unit)} {name}" for unit, name in units)


def _hundredths(size: int, unit: int) -> str:
    hundredths = (200 * size + unit) // (2 * unit)
    return f"{hundredths // 100:,}.{hundredths % 100:02}"


SENTENCES: dict[str, Callable[[Finding], str]] = {"bytes": _bytes}
